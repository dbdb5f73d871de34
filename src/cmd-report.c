/* cmd-report.c: `dbprof report`: recordings in, page out; needs no GPU. Also the end of `dbprof run`. */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "report/report.h"
#include "util/format.h"

struct report_state {
	const char *outdir;
};

static const struct cmd_option options[] = {
	{'o', "output", "DIR", "folder of the report (default: reports)"},
	{0, NULL, NULL, NULL},
};

static bool option(void *state, int key, const char *value)
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

		n += word != NULL && strcmp(word, verdict) == 0;
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
static void print_sweeps(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps) && was_swept(family); i++) {
		const json_t *sweep = json_array_get(sweeps, i), *points = json_object_get(sweep, "points");
		const char *name = json_string_value(json_object_get(sweep, "name"));

		printf("    sweep %-14s faster at %zu of %zu points, slower at %zu, the same at %zu, unclear at %zu\n",
			name != NULL ? name : "", count_verdicts(points, "faster"), json_array_size(points),
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

	if (name == NULL)
		return;
	if (verdict == NULL) {
		printf("  %-20s %s\n", name, was_swept(family) ? "only its sweeps were measured" : "not measured");
		return;
	}
	format_ratio_within(
		ratio, sizeof ratio, member(speedup, "value"), member(speedup, "low"), member(speedup, "high"));
	format_ratios(interval, sizeof interval, member(speedup, "low"), member(speedup, "high"));
	printf("  %-20s %s %s: %s (95 %% interval %s)\n", name, buffering || dbl == NULL ? "double buffering" : dbl,
		in_words(verdict), ratio, interval);
}

static void print_summary(const char *outdir)
{
	char path[4096];
	json_t *root, *recording, *family;
	size_t i, j;

	snprintf(path, sizeof path, "%s/report.json", outdir);
	root = json_load_file(path, 0, NULL);
	json_array_foreach(json_object_get(root, "recordings"), i, recording)
		json_array_foreach(json_object_get(recording, "families"), j, family)
	{
		print_family(family);
		print_sweeps(family);
	}
	json_decref(root);
}

enum exit_status cmd_make_report(const char *const *files, int nfiles, const char *outdir, bool shipped)
{
	struct report_options what = {
		.files = files,
		.nfiles = nfiles,
		.outdir = outdir,
		.shipped = shipped,
		.version = PACKAGE_VERSION,
		.interrupted = cmd_interrupted,
	};
	struct error err = {""};

	cmd_catch_signals();
	switch (report_write(&what, &err)) {
	case REPORT_BAD_INPUT:
		return cmd_fail(STATUS_USAGE, &err);
	case REPORT_FAILED:
		return cmd_fail(STATUS_FAILED, &err);
	case REPORT_DONE:
		break;
	}
	print_summary(outdir);
	printf("%s/index.html\n", outdir);
	return STATUS_DONE;
}

static enum exit_status exec(void *state, int nargs, char **args)
{
	const struct report_state *report = state;

	if (nargs == 0) {
		cmd_error("report: which recording? give a file, as in `dbprof report reports/dbprof.sqlite`");
		return STATUS_USAGE;
	}
	return cmd_make_report(
		(const char *const *)args, nargs, report->outdir == NULL ? "reports" : report->outdir, false);
}

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "[OPTION]... FILE...",
	.summary = "make a report from recordings or Nsight Systems SQLite exports; needs no GPU",
	.details = "Leaves index.html, report.json and plots/ in the output folder; on an error an older report stays "
		   "as it was.",
	.options = options,
	.option = option,
	.exec = exec,
	.state_size = sizeof(struct report_state),
};
