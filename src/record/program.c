/* program.c: traces a program that is not ours: runs it with the injection library in it and builds the recording. */
#include "record/program.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/inject.h"
#include "record/clock.h"
#include "util/file.h"

/* "dir/name" -> "dir/.name.XXXXXX": the spools are as large as the recording, so they lie beside it. */
static int make_folder(const char *output, char *folder, size_t size, struct error *err)
{
	const char *slash = strrchr(output, '/');
	int head = slash == NULL ? 0 : (int)(slash - output + 1);
	char plain[PATH_MAX], *whole;

	if (snprintf(plain, sizeof plain, "%.*s.%s.XXXXXX", head, output, output + head) >= (int)sizeof plain)
		return file_write_error(err, output, ENAMETOOLONG);
	if (mkdtemp(plain) == NULL)
		return file_write_error(err, output, errno);
	/* The program may change its folder. */
	whole = realpath(plain, NULL);
	if (whole == NULL || snprintf(folder, size, "%s", whole) >= (int)size) {
		free(whole);
		rmdir(plain);
		return file_write_error(err, output, ENAMETOOLONG);
	}
	free(whole);
	return 0;
}

static int remove_spool(void *unused, const char *path, struct error *err)
{
	(void)unused;
	(void)err;
	unlink(path);
	return 0;
}

static void remove_folder(const char *folder)
{
	struct error err;

	(void)program_spools(folder, remove_spool, NULL, &err);
	rmdir(folder);
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

/* The names of the spools, sorted; the caller frees them. -1 without memory. */
static int list_spools(DIR *dir, char ***names, size_t *n)
{
	const struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		char **more;

		if (!is_spool(entry->d_name))
			continue;
		more = realloc(*names, (*n + 1) * sizeof **names);
		if (more == NULL)
			return -1;
		*names = more;
		more[*n] = strdup(entry->d_name);
		if (more[(*n)++] == NULL)
			return -1;
	}
	if (*n > 1)
		qsort(*names, *n, sizeof **names, by_length_and_name);
	return 0;
}

int program_spools(
	const char *folder, int (*each)(void *user, const char *path, struct error *err), void *user, struct error *err)
{
	DIR *dir = opendir(folder);
	char **names = NULL, path[PATH_MAX + 256];
	size_t n = 0;
	int result;

	if (dir == NULL)
		return error_set(err, "cannot read %s: %s", folder, strerror(errno));
	result = list_spools(dir, &names, &n) < 0 ? error_set(err, "out of memory: close other programs") : 0;
	closedir(dir);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i] != NULL ? names[i] : "");
		if (result == 0)
			result = each(user, path, err);
		free(names[i]);
	}
	free(names);
	return result;
}

/* Runs the program; then, unless it was not even started, its recording is built in `rec`. */
static int trace(struct recording *rec, const char *folder, const struct program_options *options,
	const struct program_start *found, int64_t start, struct program_result *result, struct error *err)
{
	const char *nvtx = getenv("NVTX_INJECTION64_PATH");
	const char *const environment[][2] = {
		{INJECT_FOLDER, folder},
		{"CUDA_INJECTION64_PATH", options->library},
		/* A value that is there is another tool's: the ranges are its own then. */
		{"NVTX_INJECTION64_PATH", nvtx != NULL && *nvtx != '\0' ? nvtx : options->library},
		{NULL, NULL},
	};
	struct program_start how = *found;

	how.argv = options->argv;
	how.environment = environment;
	if (program_run(&how, result, err) < 0)
		return -1;
	options->ended(options->user);
	if (result->not_started != 0)
		return 0;
	return program_write(rec, folder, options, start, result, err);
}

int record_program(const struct program_options *options, struct program_result *result, struct error *err)
{
	int64_t start = clock_realtime();
	struct program_start how;
	struct recording *rec;
	char folder[PATH_MAX];
	int code = -1;

	program_note_start(&how);
	rec = recording_create(options->output, start, err);
	*result = (struct program_result){.status = -1};
	if (rec == NULL)
		return -1;
	if (make_folder(options->output, folder, sizeof folder, err) == 0) {
		code = trace(rec, folder, options, &how, start, result, err);
		remove_folder(folder);
	}
	if (code < 0 || !result->recorded) {
		recording_abandon(rec);
		result->recorded = false;
		return code;
	}
	result->recorded = recording_finish(rec, err) == 0;
	return result->recorded ? 0 : -1;
}
