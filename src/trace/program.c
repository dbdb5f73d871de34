/* program.c: traces a program that is not ours: runs it with the injection library in it and builds the recording. */
#include "trace/program.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/inject/complaint.h"
#include "trace/inject/inject.h"
#include "trace/inject/wanted.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/file/file.h"
#include "util/file/temporary.h"

/* The spools are as large as the recording, so they lie beside it. The program may change its working folder, so *whole
 * is an absolute path; the caller frees it. */
static int program_make_folder(const char *output, struct temporary *folder, char **whole, struct error *err)
{
	int failed = temporary_folder_beside(folder, output);

	if (failed != 0)
		return file_write_error(err, output, failed);
	*whole = realpath(folder->path, NULL);
	if (*whole && strlen(*whole) < PATH_MAX - NAME_MAX)
		return 0;
	file_write_error(err, output, !*whole ? errno : ENAMETOOLONG);
	free(*whole);
	temporary_remove(folder);
	return -1;
}

static int by_length_and_name(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;

	return strlen(a) == strlen(b) ? strcmp(a, b) : strlen(a) < strlen(b) ? -1 : 1;
}

static bool is_spool(const char *name)
{
	size_t length = strlen(name), suffix = strlen(INJECT_SUFFIX);

	return length > suffix && strcmp(name + length - suffix, INJECT_SUFFIX) == 0;
}

/* The names of the spools, sorted; the caller frees them. */
static char **list_spools(DIR *dir, size_t *n)
{
	const struct dirent *entry;
	char **names = NULL;
	size_t room = 0;

	*n = 0;
	while ((entry = readdir(dir))) {
		if (!is_spool(entry->d_name))
			continue;
		xgrow(&names, *n, &room, sizeof(*names));
		names[(*n)++] = xstrdup(entry->d_name);
	}
	if (*n > 1)
		qsort(names, *n, sizeof(*names), by_length_and_name);
	return names;
}

long program_process_of(const char *spool)
{
	return strtol(strrchr(spool, '/') + 1, NULL, 10);
}

int program_spools(
	const char *folder, int (*each)(void *user, const char *path, struct error *err), void *user, struct error *err)
{
	DIR *dir = opendir(folder);
	char **names, path[PATH_MAX + 256];
	size_t n;
	int result = 0;

	if (!dir)
		return error_set(err, "cannot read %s: %s", folder, strerror(errno));
	names = list_spools(dir, &n);
	closedir(dir);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		if (result == 0)
			result = each(user, path, err);
		free(names[i]);
	}
	free(names);
	return result;
}

/* Tells what processes could not write, unless something else is to be told than that records end early. */
static void hear_complaints(int fd, struct program_result *result)
{
	struct error first = {0};
	int n = complaint_take(fd, &first);

	if (n == 0)
		return;
	result->incomplete = true;
	if (!result->recorded) {
		result->lost = true;
		result->why = first;
	} else if (result->why.text[0] == '\0' || strstr(result->why.text, PROGRAM_CUT_OFF) ||
		   strstr(result->why.text, PROGRAM_LOST_ALL)) {
		error_set(&result->why, "%d process%s could not be recorded, or not to the end: %s", n,
			n == 1 ? "" : "es", first.text);
	}
}

/* What is looked at from the program's start to the end of the last process that is waited for. */
struct looking {
	const char *injection;
	const struct orphans *orphans;
	struct strays *strays;
};

static void program_started(void *user, pid_t pid)
{
	struct looking *looking = user;

	looking->strays = strays_watch(looking->injection, pid, looking->orphans);
}

/* Runs the program, whose orphans come to us, to its end, and waits for what it leaves. */
static int run_to_last(const char *folder, const struct program_options *options, struct program_start *how,
	struct looking *looking, struct program_result *result, struct error *err)
{
	how->started = program_started;
	how->user = looking;
	if (program_run(how, result, err) < 0)
		return -1;
	options->ended(options->user);
	program_let_signals(how);
	if (result->not_started != 0)
		return 0;
	result->without_gpu = program_without_gpu();
	program_wait_for_others(options, folder, looking->orphans, result);
	return 0;
}

/* If the program was started, builds its recording in `rec`. */
static int run_and_write(struct recording *rec, const char *folder, const struct program_options *options,
	const struct program_start *found, const struct orphans *orphans, int64_t start, struct program_result *result,
	struct error *err)
{
	const char *nvtx = getenv("NVTX_INJECTION64_PATH");
	const char *const environment[][2] = {
		{INJECT_FOLDER, folder},
		{"CUDA_INJECTION64_PATH", options->injection},
		/* If it has a value already, another tool has set it, and gets the ranges. */
		{"NVTX_INJECTION64_PATH", nvtx && *nvtx != '\0' ? nvtx : options->injection},
		{options->code ? INJECT_CODE : NULL, "1"},
		{options->code && options->cubins ? WANTED_FOLDER : NULL, options->cubins},
		{NULL, NULL},
	};
	struct looking looking = {options->injection, orphans, NULL};
	struct program_start how = *found;
	struct stray stray;
	int code;

	how.argv = options->argv;
	how.added = options->environment;
	how.apart = options->apart;
	how.orphans = orphans;
	how.ignores_children = options->ignores_children;
	how.environment = environment;
	code = run_to_last(folder, options, &how, &looking, result, err);
	stray = strays_end(looking.strays);
	if (code < 0 || result->not_started != 0)
		return code;
	return program_write(rec, folder, options, start, &stray, result, err);
}

static int trace(struct recording *rec, const char *folder, const struct program_options *options,
	const struct program_start *found, int64_t start, struct program_result *result, struct error *err)
{
	int complaints = complaint_listen(folder), code;
	struct orphans orphans;

	orphans_adopt(&orphans);
	code = run_and_write(rec, folder, options, found, &orphans, start, result, err);
	orphans_let(&orphans);
	if (code == 0)
		hear_complaints(complaints, result);
	if (complaints >= 0)
		close(complaints);
	return code;
}

/* Whether what goes on may use CUDA, or has: without a GPU nothing does, unless something has shown us wrong. */
static bool goes_on_with_cuda(const struct program_result *result)
{
	return result->going_on > 0 && (!result->without_gpu || result->processes > 0);
}

/* What used CUDA without a trace, or may have: a script must not go on with what an older run left at the output. */
static bool may_be_lost(const struct program_result *result)
{
	return !result->recorded &&
	       (result->incomplete || goes_on_with_cuda(result) || result->dropped > 0 || result->untimed > 0);
}

static int record_held(const struct program_options *options, struct program_start *how, int64_t start,
	struct program_result *result, struct error *err)
{
	struct recording *rec = recording_create(options->output, start, err);
	struct temporary folder;
	char *whole = NULL;
	int code = -1;

	if (!rec)
		return -1;
	if (program_make_folder(options->output, &folder, &whole, err) == 0) {
		code = trace(rec, whole, options, how, start, result, err);
		free(whole);
		temporary_remove(&folder);
	}
	if (code < 0 || !result->recorded) {
		result->lost = result->lost || may_be_lost(result);
		recording_abandon(rec);
		result->recorded = false;
		return code;
	}
	result->recorded = recording_finish(rec, err) == 0;
	return result->recorded ? 0 : -1;
}

/* So much memory (bytes) makes a recording of the spools. It is set aside before the program is started. */
enum { MEMORY_FOR_WRITING = 16 << 20 };

int trace_program(const struct program_options *options, struct program_result *result, struct error *err)
{
	int64_t start = clock_realtime();
	struct program_start how;
	int code;

	*result = (struct program_result){.status = -1, .epoch = start};
	xreserve(MEMORY_FOR_WRITING);
	program_hold_signals(&how);
	code = record_held(options, &how, start, result, err);
	program_let_signals(&how);
	result->lost = result->lost || code < 0;
	return code;
}
