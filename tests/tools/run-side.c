/* run-side.c: one run of a side, as `dbprof contrast` does it, with what became of it in a line.
 *
 * usage: run-side plain|host|traced FOLDER TIMEOUT-MS PCI COMMAND
 *
 * FOLDER gets out, err, of 1 MiB each, and, if it is traced, trace.sqlite. PCI is the address of the GPU whose clock is
 * read, "" for none. COMMAND is split as the command line does it. Prints
 *
 *   exit N|signal N|missing N [flooded] [stopped SIGNAL] timed-out N left N steps N threads N processes N sound N
 *   readings N MHZ MW MASK recorded N WHY
 *
 * where "sound" tells that the steps are in order, and lie in the run. Ends with status 1 and a line on standard error
 * if the run could not be made. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "contrast/measure/side.h"
#include "util/text/words.h"

static void tell_end(const struct side_run *run)
{
	if (run->not_started != 0)
		printf("missing %d", run->not_started);
	else if (WIFSIGNALED(run->status))
		printf("signal %d", WTERMSIG(run->status));
	else
		printf("exit %d", WEXITSTATUS(run->status));
}

static int is_sound(const struct side_run *run)
{
	int sound = run->start_ns <= run->end_ns;

	for (size_t i = 0; i < run->nsteps; i++) {
		const struct side_step *step = &run->steps[i];

		sound = sound && step->start_ns <= step->end_ns && step->start_ns >= run->start_ns &&
			step->end_ns <= run->end_ns && (i == 0 || step[-1].start_ns <= step->start_ns);
	}
	return sound;
}

static int tell_numbers(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* How many numbers there are among those at `offset` in the steps. */
static size_t distinct(const struct side_run *run, size_t offset)
{
	int64_t *all = calloc(run->nsteps + 1, sizeof(*all));
	size_t n = run->nsteps > 0;

	for (size_t i = 0; i < run->nsteps; i++)
		memcpy(&all[i], (const char *)&run->steps[i] + offset, sizeof(*all));
	qsort(all, run->nsteps, sizeof(*all), tell_numbers);
	for (size_t i = 1; i < run->nsteps; i++)
		n += all[i] != all[i - 1];
	free(all);
	return n;
}

static void tell_run(const struct side_run *run)
{
	tell_end(run);
	if (run->flooded)
		printf(" flooded");
	if (run->stopped != 0)
		printf(" stopped %d", run->stopped);
	printf(" timed-out %d left %d steps %zu threads %zu processes %zu sound %d", run->timed_out, run->left,
		run->nsteps, distinct(run, offsetof(struct side_step, thread)),
		distinct(run, offsetof(struct side_step, process)), is_sound(run));
	printf(" readings %d %g %g %" PRId64 " recorded %d %s\n", run->readings.n, run->readings.sm_mhz,
		run->readings.power_mw, run->readings.throttle, run->recorded, run->why.text);
}

static const char *path_in(const char *folder, const char *name)
{
	static char paths[8][4096];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static int usage(void)
{
	fputs("usage: run-side plain|host|traced FOLDER TIMEOUT-MS PCI COMMAND\n", stderr);
	return 2;
}

static int run_in(struct side_how *how, char **argv, struct error *err)
{
	const struct side side = {.argv = argv};
	struct side_run run;
	int code = side_run(&side, how, &run, err);

	if (code == 0)
		tell_run(&run);
	side_run_free(&run);
	return code;
}

int main(int argc, char **argv)
{
	const char *built = getenv("abs_top_builddir");
	struct side_how how = {.range = "step"};
	struct error err = {0};
	struct nvml *nvml;
	char **words;
	int code = -1;

	if (argc != 6)
		return usage();
	how.kind = argv[1][0] == 'p' ? SIDE_PLAIN : argv[1][0] == 'h' ? SIDE_HOST : SIDE_TRACED;
	how.folder = argv[2];
	how.output = path_in(argv[2], "out");
	how.errors = path_in(argv[2], "err");
	how.recording = path_in(argv[2], "trace.sqlite");
	how.output_most = 1 << 20;
	how.timeout_ns = atoll(argv[3]) * 1000000;
	how.injection = path_in(built ? built : ".", "libdbprof-inject.so");
	how.range_library = path_in(built ? built : ".", "libdbprof-range.so");
	how.gpu = nvml = argv[4][0] == '\0' ? NULL : nvml_open(argv[4], &err);
	words = words_split(argv[5], "sh -c", &err);
	if (words)
		code = run_in(&how, words, &err);
	words_free(words);
	nvml_close(nvml);
	if (code < 0)
		fprintf(stderr, "run-side: %s\n", err.text);
	return code < 0;
}
