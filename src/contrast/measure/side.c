/* side.c: see side.h. */
#include "contrast/measure/side.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "contrast/count/count.h"
#include "contrast/range/range.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/file/file.h"
#include "util/text/words.h"

/* ---- the environment of a run ---- */

static size_t environment_length(char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

enum { OUR_SETTINGS = 4 };

/* The last setting of a name counts, so what is ours comes last. For words_free(). */
static char **side_environment(const struct side *side, const struct side_how *how)
{
	size_t n = environment_length(side->environment);
	char **list = xcalloc(n + OUR_SETTINGS + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = xstrdup(side->environment[i]);
	if (how->kind == SIDE_HOST) {
		list[n++] = xasprintf("NVTX_INJECTION64_PATH=%s", how->range_library);
		list[n++] = xasprintf(RANGE_FOLDER "=%s", how->folder);
		list[n++] = xasprintf(RANGE_NAME "=%s", how->range);
	}
	if (how->kind == SIDE_COUNTED || how->kind == SIDE_SAMPLED || how->kind == SIDE_PM) {
		list[n++] = xasprintf("CUDA_INJECTION64_PATH=%s", how->count_library);
		list[n++] = xasprintf(COUNT_FOLDER "=%s", how->folder);
	}
	if (how->kind == SIDE_PM && how->range) {
		list[n++] = xasprintf("NVTX_INJECTION64_PATH=%s", how->count_library);
		list[n++] = xasprintf(RANGE_NAME "=%s", how->range);
	}
	return list;
}

static const char *value_in(char *const *environment, const char *name)
{
	size_t length = strlen(name);
	const char *value = getenv(name);

	for (; environment && *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			value = *environment + length + 1;
	return value;
}

/* Only one tool gets the ranges, and only one is loaded by CUDA. */
static int check_free(const struct side *side, const struct side_how *how, struct error *err)
{
	static const char *const names[] = {"NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH"};

	for (size_t i = 0; how->kind != SIDE_PLAIN && i < 2; i++) {
		const char *other = value_in(side->environment, names[i]);

		if (other && *other != '\0')
			return error_set(
				err, "another tool is loaded into programs (%s is %s): unset it", names[i], other);
	}
	return 0;
}

/* ---- a run ---- */

static void side_ended(void *user)
{
	(void)user;
}

static void side_note(void *user, const char *text)
{
	(void)user;
	(void)text;
}

static bool side_interrupted(void *user)
{
	const struct side_how *how = user;

	return how->interrupted && how->interrupted(how->user);
}

/* What is looked at while the program runs. */
struct side_looking {
	const struct side_how *how;
	bool flooded; /* it has written too much */
};

/* By the room that the file takes: a hole in it is no harm. */
static bool is_too_large(const char *path, int64_t most)
{
	enum { BLOCK_BYTES = 512 };
	struct stat file;

	return path && most > 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
	       file.st_blocks > most / BLOCK_BYTES;
}

static bool side_is_to_end(void *user)
{
	struct side_looking *looking = user;
	const struct side_how *how = looking->how;

	looking->flooded = is_too_large(how->output, how->output_most) || is_too_large(how->errors, how->output_most);
	return looking->flooded || (how->is_stuck && how->is_stuck(how->stuck_user));
}

static int run_program(const struct side *side, const struct side_how *how, char *const *environment,
	struct program_result *result, bool *flooded, struct error *err)
{
	struct side_looking looking = {.how = how};
	const struct program_apart apart = {
		how->output, how->errors, how->timeout_ns, how->file_most, side_is_to_end, &looking};
	char *command = words_join(side->argv);
	const struct program_options options = {
		.argv = side->argv,
		.injection = how->injection,
		.command = command,
		.code = !how->leaves_callbacks,
		.cubins = how->kind == SIDE_CODE ? how->folder : NULL,
		.output = how->recording,
		.environment = environment,
		.apart = &apart,
		.ended = side_ended,
		.interrupted = side_interrupted,
		.note = side_note,
		.user = (void *)how,
	};
	bool is_traced = how->kind == SIDE_TRACED || how->kind == SIDE_CODE;
	int code = is_traced ? trace_program(&options, result, err) : plain_program(&options, result, err);

	*flooded = looking.flooded;
	free(command);
	return code;
}

/* A run that did not start has nothing but the reason. */
static void side_take_result(struct side_run *run, const struct program_result *result)
{
	run->not_started = result->not_started;
	if (result->not_started != 0)
		return;
	run->start_ns = result->start;
	run->end_ns = result->end;
	run->epoch_ns = result->epoch;
	run->status = result->status;
	run->timed_out = result->timed_out;
	run->stuck = result->stuck && !run->flooded;
	run->stopped = result->stopped;
	run->left = result->left;
	memcpy(run->gpu, result->gpu, sizeof(run->gpu));
	memcpy(run->gpus, result->gpus, sizeof(run->gpus));
	memcpy(run->gpu_ns, result->gpu_ns, sizeof(run->gpu_ns));
	run->recorded = result->recorded;
	run->incomplete = result->incomplete;
	run->why = result->why;
}

static int run_watched(const struct side *side, const struct side_how *how, char *const *environment,
	struct side_run *run, struct error *err)
{
	struct program_result result = {0};
	struct watch *watch = watch_start(how->gpu);
	int code = run_program(side, how, environment, &result, &run->flooded, err);

	run->read = watch_end(watch, &run->nread);
	side_take_result(run, &result);
	run->readings = side_readings_busy(run->read, run->nread);
	return code;
}

static int take_timed_steps(const struct side_how *how, int64_t offset, struct side_run *run, struct error *err)
{
	struct steps_taken taken;
	int code = steps_take(how->folder, offset, &taken, err);

	run->steps = taken.steps;
	run->nsteps = taken.n;
	run->steps_lost = taken.lost;
	return code;
}

int side_run(const struct side *side, const struct side_how *how, struct side_run *run, struct error *err)
{
	int64_t offset = clock_realtime() - clock_monotonic();
	char **environment;
	int code;

	*run = (struct side_run){.status = -1, .readings = side_readings_busy(NULL, 0)};
	if (side_interrupted((void *)how))
		return error_set(err, "interrupted");
	if (check_free(side, how, err) < 0)
		return -1;
	environment = side_environment(side, how);
	code = run_watched(side, how, environment, run, err);
	words_free(environment);
	/* Also those of a run that failed, since their files must go. */
	if (how->kind == SIDE_HOST && take_timed_steps(how, offset, run, code == 0 ? err : NULL) < 0)
		code = -1;
	return code;
}

void side_run_free(struct side_run *run)
{
	free(run->steps);
	free(run->read);
	*run = (struct side_run){0};
}

/* ---- how it ended ---- */

/* The last bytes of a file, NUL-terminated; NUL bytes among them become blanks. How many. */
static size_t read_tail(const char *path, char *tail, size_t most)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	size_t n = 0;

	if (file) {
		if (fseek(file, -(long)most, SEEK_END) != 0)
			rewind(file);
		n = fread(tail, 1, most, file);
		fclose(file);
	}
	for (size_t i = 0; i < n; i++) {
		if (tail[i] == '\0')
			tail[i] = ' ';
	}
	tail[n] = '\0';
	return n;
}

/* Where the last line of a text of `n` bytes begins. A bar of progress is written over with \r. */
static size_t last_line(const char *text, size_t n)
{
	while (n > 0 && text[n - 1] != '\n' && text[n - 1] != '\r')
		n--;
	return n;
}

/* The last line with something in it that a program has written to a file; of one that is too long its end, since what
 * went wrong mostly stands there. "" if there is none. */
static void last_words(const char *path, char *text, size_t size)
{
	enum { TAIL = 4096, CONTINUES = 0x80, CONTINUES_MASK = 0xC0 };
	static const char before[] = "...";
	char tail[TAIL + 1];
	size_t n = read_tail(path, tail, TAIL), begin;

	while (n > 0 && isspace((unsigned char)tail[n - 1]))
		n--;
	tail[n] = '\0';
	begin = last_line(tail, n);
	while (begin < n && isspace((unsigned char)tail[begin]))
		begin++;
	if (n - begin < size) {
		snprintf(text, size, "%s", tail + begin);
		return;
	}
	begin = n - (size - sizeof(before));
	while (((unsigned char)tail[begin] & CONTINUES_MASK) == CONTINUES)
		begin++;
	snprintf(text, size, "%s%s", before, tail + begin);
}

static void words_of_end(const struct side_run *run, const struct side_how *how, char *text, size_t size)
{
	if (run->not_started != 0)
		snprintf(text, size, "cannot be started: %s", file_open_error(run->not_started));
	else if (run->flooded)
		snprintf(text, size,
			"wrote more than %" PRId64 " MiB and was ended by dbprof: send what it prints elsewhere",
			how->output_most >> 20);
	else if (run->stuck)
		snprintf(text, size,
			"waited for the GPU in vain and was ended by dbprof: a kernel seems to wait for what the "
			"program does behind a launch");
	else if (run->stopped != 0)
		snprintf(text, size, "was stopped by signal %d (%s), nothing let it go on, and dbprof ended it",
			run->stopped, strsignal(run->stopped));
	else if (run->timed_out)
		snprintf(text, size, "took longer than %g s and was ended by dbprof: --timeout sets the limit",
			(double)how->timeout_ns / 1e9);
	else if (WIFSIGNALED(run->status))
		snprintf(text, size, "was ended by signal %d (%s)", WTERMSIG(run->status),
			strsignal(WTERMSIG(run->status)));
	else
		snprintf(text, size, "ended with status %d", WEXITSTATUS(run->status));
}

bool side_went_well(const struct side_run *run)
{
	return run->not_started == 0 && !run->timed_out && WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
}

const char *side_end_word(const struct side_run *run)
{
	if (run->not_started != 0)
		return "not-started";
	if (run->flooded)
		return "output";
	if (run->stopped != 0)
		return "stopped";
	return run->timed_out && !run->stuck ? "timeout" : NULL;
}

void side_tell_end(const struct side_run *run, const struct side_how *how, char text[SIDE_END_BYTES])
{
	char end[160], words[256];

	words_of_end(run, how, end, sizeof(end));
	last_words(how->errors, words, sizeof(words));
	snprintf(text, SIDE_END_BYTES, "%s%s%s", end, words[0] == '\0' ? "" : "; it said: ", words);
}
