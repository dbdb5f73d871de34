/* report.c: `dbprof report`: recordings in, page out; needs no GPU. Also the end of `dbprof run`. */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "report/report.h"
#include "tree/tree.h"
#include "util/format.h"

enum { MAX_PLACES = 5 }; /* of a program, on the terminal */

struct report_state {
	const char *outdir;
};

static const struct cmd_option options[] = {
	{'o', "output", "DIR", "folder of the report (default: reports)"},
	{0, NULL, NULL, NULL},
};

static bool cmd_report_option(void *state, int key, const char *value)
{
	struct report_state *report = state;

	if (key == 'o')
		report->outdir = value;
	return true;
}

/* A number of the model, or "n/a". */
static double member(const json_t *speedup, const char *key)
{
	const json_t *value = json_object_get(speedup, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static const json_t *headline(const json_t *family)
{
	const json_t *contrasts = json_object_get(family, "contrasts");

	for (size_t i = 0; i < json_array_size(contrasts); i++)
		if (json_is_true(json_object_get(json_array_get(contrasts, i), "headline")))
			return json_array_get(contrasts, i);
	return NULL;
}

static const char *in_words(const char *verdict)
{
	if (strcmp(verdict, "same") == 0)
		return "makes no difference";
	if (strcmp(verdict, "unclear") == 0)
		return "gives no clear result";
	return strcmp(verdict, "faster") == 0 ? "is faster" : "is slower";
}

static size_t count_verdicts(const json_t *points, const char *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const char *word = json_string_value(json_object_get(json_array_get(points, i), "verdict"));

		n += word && strcmp(word, verdict) == 0;
	}
	return n;
}

static bool was_swept(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++)
		if (json_integer_value(json_object_get(json_array_get(sweeps, i), "measured")) > 0)
			return true;
	return false;
}

/* One line per sweep: how many of its points have which verdict. */
static void cmd_report_print_sweeps(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps) && was_swept(family); i++) {
		const json_t *sweep = json_array_get(sweeps, i), *points = json_object_get(sweep, "points");
		const char *name = json_string_value(json_object_get(sweep, "name"));

		printf("    sweep %-14s faster at %zu of %zu points, slower at %zu, the same at %zu, unclear at %zu\n",
			name ? name : "", count_verdicts(points, "faster"), json_array_size(points),
			count_verdicts(points, "slower"), count_verdicts(points, "same"),
			count_verdicts(points, "unclear"));
	}
}

/* One line per family: the headline contrast. */
static void print_family(const json_t *family)
{
	const json_t *contrast = headline(family), *speedup = json_object_get(contrast, "speedup");
	const char *verdict = json_string_value(json_object_get(contrast, "verdict"));
	const char *name = json_string_value(json_object_get(family, "name"));
	const char *dbl = json_string_value(json_object_get(family, "double"));
	bool buffering = json_is_true(json_object_get(family, "buffering"));
	char ratio[FORMAT_SIZE], interval[FORMAT_SIZE];

	if (!name)
		return;
	if (!verdict) {
		printf("  %-20s %s\n", name, was_swept(family) ? "only its sweeps were measured" : "not measured");
		return;
	}
	format_ratio_within(
		ratio, sizeof(ratio), member(speedup, "value"), member(speedup, "low"), member(speedup, "high"));
	format_ratios(interval, sizeof(interval), member(speedup, "low"), member(speedup, "high"));
	printf("  %-20s %s %s: %s (95 %% interval %s)\n", name, buffering || !dbl ? "double buffering" : dbl,
		in_words(verdict), ratio, interval);
}

/* "  1. one stream (in train, process 5001, GPU 0): 10.6 ms of 25.6 ms (1.707x), same-stream" */
static void print_place(const json_t *place, size_t number)
{
	const json_t *copies = json_array_get(json_object_get(place, "copies"), 0);
	const char *range = json_string_value(json_object_get(place, "range"));
	const char *within = json_string_value(json_object_get(place, "within"));
	const char *reason = json_string_value(json_object_get(copies, "reason"));
	char gain[FORMAT_SIZE], span[FORMAT_SIZE], ratio[FORMAT_SIZE];

	printf("  %2zu. ", number);
	fputs(range ? range : "all work", stdout);
	printf(" (");
	if (within) {
		printf("in ");
		fputs(within, stdout);
		printf(", ");
	}
	if (member(place, "process") > 0)
		printf("process %.0f, ", member(place, "process"));
	printf("GPU %.0f): %s of %s (%s)", member(place, "device"),
		format_time_ns(gain, sizeof(gain), member(place, "gain_ns")),
		format_time_ns(span, sizeof(span), member(place, "span_ns")),
		format_ratio(ratio, sizeof(ratio), member(place, "speedup")));
	printf("%s%s\n", reason && strcmp(reason, "none") != 0 ? ", " : "",
		reason && strcmp(reason, "none") != 0 ? reason : "");
}

/* A recording without families: the answer, and the first places where double buffering would pay. */
static void print_program(const json_t *program)
{
	const json_t *places = json_object_get(program, "pays");
	const char *answer = json_string_value(json_object_get(program, "answer"));
	size_t n = json_array_size(places);

	if (answer) {
		fputs(answer, stdout);
		putchar('\n');
	}
	if (n > 1)
		printf("What could be saved, of how much:\n");
	for (size_t i = 0; i < n && i < MAX_PLACES && n > 1; i++)
		print_place(json_array_get(places, i), i + 1);
	if (n > MAX_PLACES)
		printf("  %zu more are in the report.\n", n - MAX_PLACES);
}

static void print_recording(const json_t *recording)
{
	json_t *family;
	size_t i;

	json_array_foreach(json_object_get(recording, "families"), i, family)
	{
		print_family(family);
		cmd_report_print_sweeps(family);
	}
	print_program(json_object_get(recording, "program"));
}

static enum exit_status print_summary(const json_t *tree, const char *outdir)
{
	json_t *root = tree_for_terminal(tree), *recording;
	size_t i;

	json_array_foreach(json_object_get(root, "recordings"), i, recording) print_recording(recording);
	json_decref(root);
	printf("%s/index.html\n", outdir);
	return STATUS_DONE;
}

static void begin_writing(void *unused)
{
	(void)unused;
	cmd_catch_signals();
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir, bool shipped)
{
	struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = outdir,
		.shipped = shipped,
		.version = PACKAGE_VERSION,
		.begin = begin_writing,
		.interrupted = cmd_interrupted,
	};
	struct error err = {0};
	enum exit_status status;
	json_t *tree;

	cmd_let_signals_end();
	switch (report_write(&what, &tree, &err)) {
	case REPORT_BAD_INPUT:
		return cmd_fail(STATUS_USAGE, &err);
	case REPORT_FAILED:
		return cmd_fail(STATUS_FAILED, &err);
	case REPORT_DONE:
		break;
	}
	status = print_summary(tree, outdir);
	json_decref(tree);
	return status;
}

static enum exit_status cmd_report_exec(void *state, int nargs, char **args)
{
	const struct report_state *report = state;

	if (nargs == 0) {
		cmd_error("report: which recording? give a file, as in `dbprof report reports/dbprof.sqlite`");
		return STATUS_USAGE;
	}
	return cmd_make_report((const char *const *)args, nargs, !report->outdir ? "reports" : report->outdir, false);
}

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "[OPTION]... FILE...",
	.summary = "make a report from recordings or Nsight Systems SQLite exports; needs no GPU",
	.details = "Leaves index.html, report.json and plots/ in the output folder, and of small recordings\n"
		   "trace.json and work.csv (see `dbprof export`); on an error an older report stays as it was.\n"
		   "An earlier report in the folder is replaced, and nothing else: where a file that is not from\n"
		   "dbprof has a name that the report needs, nothing is written (exit status 2).\n\n"
		   "Of families it prints whether double buffering pays in each. Of any other program, traced or\n"
		   "exported from Nsight Systems, it prints where double buffering would pay: up to five NVTX\n"
		   "ranges (or all work of a process on a GPU) with the time that could be saved, the largest\n"
		   "first, and what keeps the copies from running beside kernels. The page tells the reasons, what\n"
		   "to do, and draws a typical stretch of each.",
	.options = options,
	.option = cmd_report_option,
	.exec = cmd_report_exec,
	.state_size = sizeof(struct report_state),
};
