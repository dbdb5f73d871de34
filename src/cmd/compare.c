/* compare.c: `dbprof compare`: two recordings in, what became faster or slower out; needs no GPU. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "cmd/values.h"
#include "compare/compare.h"
#include "contrast/traces.h"
#include "figure/figure.h"
#include "model/pair/pair.h"
#include "model/pair/traces.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/file/file.h"
#include "util/file/outfile.h"
#include "util/file/temporary.h"
#include "words/comparison.h"

static enum exit_status cmd_compare_option(void *state, int key, const char *value);
static enum exit_status cmd_compare_exec(void *state, int nargs, char **args);

enum { OPTION_THRESHOLD = 300, OPTION_FORMAT, OPTION_RANGE, OPTION_KERNEL };
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML, FORMAT_MARKDOWN };

struct compare_state {
	double threshold; /* percent; 0 until it is given */
	enum format format;
	const char *output; /* NULL: standard output */
	const char *range, *kernel;
	bool redact;
};

static const struct cmd_word compare_formats[] = {
	[FORMAT_TEXT] = {"text", "lines for a terminal"},
	[FORMAT_JSON] = {"json", "all numbers, as docs/compare.md describes them"},
	[FORMAT_HTML] = {"html", "a page that needs no other file"},
	[FORMAT_MARKDOWN] = {"markdown", "a short table for a pull request"},
	{0},
};

static const struct cmd_option compare_table[] = {
	{'o', "output", "FILE", .value = VALUE_STREAM, .help = "write to FILE (default, or for -: standard output)"},
	{OPTION_FORMAT, "format", "FORMAT", .value = VALUE_WORD, .words = compare_formats,
		.help = "the format to write (default: text)"},
	{OPTION_THRESHOLD, "threshold", "PERCENT", .value = VALUE_NUMBER,
		.help = "the same: the whole interval is this near to 1 (default: 1)"},
	{OPTION_RANGE, "range", "NAME", .value = VALUE_OTHER, .once = true,
		.help = "of traced programs: the NVTX range that is a step (default: the run)"},
	{OPTION_KERNEL, "kernel", "REGEX", .value = VALUE_OTHER, .once = true,
		.help = "of traced programs: count only kernels whose name matches",
		.more = "An extended regular expression, searched in base name and demangled name."},
	REDACT_OPTION,
	{0},
};

const struct cmd cmd_compare = {
	.name = "compare",
	.arguments = "[OPTION]... BASE NEW [FAMILY[/VARIANT[/CASE]]]...",
	.takes = {VALUE_RECORDING, VALUE_RECORDING, VALUE_FAMILY},
	.summary = "compare two recordings: what became faster or slower, how sure that is; needs no GPU",
	.details =
		"Per variant and case it tells the median in BASE over that in NEW (of traced programs the mean) with "
		"its 95 % interval, and a verdict. The interval holds what runs of the same code differ by. So "
		"recordings of families need several runs each. Of a traced program there is one, and the interval "
		"holds an allowance. A verdict is unclear if the interval decides nothing, or if a check of the "
		"evidence "
		"fails. Of N intervals at 95 %, about N/20 miss by chance alone; the exit status does not allow for "
		"it.\n"
		"A recording and a copy of it are the same recording, which is said. Of two models of GPU, what "
		"double buffering gains on each is compared instead of times.\n"
		"Names after the two files choose what is compared (default: everything).\n"
		"Of two traced programs, or exports of Nsight Systems, kernels are matched by name and grid, by name "
		"where grids differ, or by their place in steps that are alike, and their times are compared, all "
		"together and one by one. The host time of a step is, too, with --range.\n"
		"For the exit status all kernels together count, and the step where it is slower. An unclear step "
		"counts where stalls make it another ratio. It also counts where nothing about the kernels differs, "
		"and it is longer or only asks for work. Without --range a longer run counts so.",
	.exits = "0 everything compared is the same or faster, or it is the same recording; 3 something is slower, "
		 "between two GPUs gains less; 4 nothing is slower, but something is unclear (points of sweeps "
		 "timed by one process do not count, nor do single kernels of traced programs, nor other "
		 "unclear steps than those above); 1 failed while running; 2 bad usage or input",
	.options = compare_table,
	.option = cmd_compare_option,
	.exec = cmd_compare_exec,
	.state_size = sizeof(struct compare_state),
};

static enum exit_status take_threshold(struct compare_state *compare, const char *value)
{
	char *end;

	compare->threshold = strtod(value, &end);
	/* Not `<= 0 || >= 100`: NaN must be refused too. */
	if (end != value && *end == '\0' && compare->threshold > 0 && compare->threshold < 100)
		return STATUS_DONE;
	cmd_error("--threshold takes a percentage above 0 and below 100, not '%s'", value);
	return STATUS_USAGE;
}

static enum exit_status take_format(struct compare_state *compare, const char *value)
{
	int format;

	if (!cmd_word("format", value, compare_formats, &format))
		return STATUS_USAGE;
	compare->format = (enum format)format;
	return STATUS_DONE;
}

static enum exit_status cmd_compare_option(void *state, int key, const char *value)
{
	struct compare_state *compare = state;

	if (key == OPTION_THRESHOLD)
		return take_threshold(compare, value);
	if (key == OPTION_FORMAT)
		return take_format(compare, value);
	if (key == OPTION_REDACT)
		compare->redact = true;
	else if (key == OPTION_RANGE)
		compare->range = value;
	else if (key == OPTION_KERNEL)
		compare->kernel = value;
	else
		compare->output = value;
	return STATUS_DONE;
}

static bool wants_color(const struct compare_state *compare)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return !compare->output && (!no_color || *no_color == '\0') && isatty(STDOUT_FILENO) != 0 &&
	       (!terminal || strcmp(terminal, "dumb") != 0);
}

static int compare_temporary(struct temporary *temporary, struct error *err)
{
	int failed = temporary_folder_in(temporary, temporary_base(), "dbprof-");

	return failed == 0 ? 0 : error_system(err, "no temporary folder can be made: %s", strerror(failed));
}

/* jansson ends without a line break. */
static char *json_text(const json_t *tree)
{
	char *dump = json_dumps(tree, JSON_INDENT(1)), *text = xasprintf("%s\n", dump);

	free(dump);
	return text;
}

/* ---- the steps of traced programs ---- */

static int draw_in_folder(const char *folder, const json_t *programs, json_t **drawn, struct error *err)
{
	struct figures figures = {0};
	const struct figure_family in = {.figures = &figures, .family = programs};
	struct outdir *out = outdir_open(folder, err);

	if (out) {
		figure_timeline(&in);
		figure_time(&in);
		figure_waterfall(&in);
		*drawn = figures_draw(&figures, out, NULL, NULL, err);
		figures_free(&figures);
		outdir_close(out);
	}
	return *drawn ? 0 : -1;
}

/* Figures by their names, as of figures_draw(); NULL if there is nothing to draw, or no gnuplot: the page then says all
 * else. */
static json_t *typical_steps_drawn(const struct compare_state *compare, const json_t *tree)
{
	const json_t *programs = json_object_get(tree, "programs");
	struct temporary temporary;
	json_t *drawn = NULL;
	struct error err;

	if (!compare->range || !json_is_object(programs) || compare_temporary(&temporary, &err) < 0)
		return NULL;
	if (draw_in_folder(temporary.path, programs, &drawn, &err) < 0)
		cmd_error("compare: the page has no timeline: %s", err.text);
	temporary_remove(&temporary);
	return drawn;
}

static char *rendered_page(const struct compare_state *compare, const json_t *tree, struct error *err)
{
	json_t *drawn = typical_steps_drawn(compare, tree);
	char *page = compare_page(tree, drawn, err);

	json_decref(drawn);
	return page;
}

/* The text to write, for free(); NULL with err. */
static char *rendered(const struct compare_state *compare, const json_t *tree, struct error *err)
{
	switch (compare->format) {
	case FORMAT_JSON:
		return json_text(tree);
	case FORMAT_HTML:
		return rendered_page(compare, tree, err);
	case FORMAT_MARKDOWN:
		return compare_markdown(tree);
	case FORMAT_TEXT:
		break;
	}
	return compare_text(tree, wants_color(compare));
}

static int write_result(const struct compare_state *compare, const json_t *tree, struct error *err)
{
	char *text = rendered(compare, tree, err);
	int rc = 0;

	if (!text)
		return -1;
	cmd_catch_signals(); /* the rest takes no time */
	if (compare->output)
		rc = file_replace(compare->output, text, strlen(text), err);
	else
		fputs(text, stdout);
	free(text);
	return rc;
}

/* Whether kernels are the same as nothing about them differs, and the program may be slower all the same: by its step,
 * or without one by the whole run. */
static bool program_may_be_slower(const json_t *programs)
{
	const json_t *verdicts = json_object_get(programs, "verdicts"), *step = json_object_get(verdicts, "program");
	double ratio = tree_real(json_object_get(step, "ratio"), "value");
	double band = tree_real(tree_program_contrast(programs), "band");

	if (!tree_kernels_tell_nothing(programs, verdicts))
		return false;
	if (!json_is_object(step))
		return strcmp(tree_text(json_object_get(programs, "whole_run"), "verdict"), "slower") == 0;
	return strcmp(tree_text(step, "verdict"), "unclear") == 0 &&
	       (tree_true(step, "submission") || !(ratio >= 1 - band));
}

/* Whether the interval of a verdict leaves out stalls that make it another ratio. */
static bool stalls_decide(const json_t *verdict)
{
	const json_t *check = tree_find(json_object_get(verdict, "evidence"), "name", "all-parts");

	return json_is_false(json_object_get(check, "ok"));
}

/* Two traced programs: by all their kernels, and by the step where its verdict is clear. One run each can hardly show
 * that host times are the same, and a kernel that is slower may be the price of another one. */
static enum exit_status outcome_of_programs(const json_t *programs)
{
	const json_t *verdicts = json_object_get(programs, "verdicts");
	const char *kernel = tree_text(json_object_get(verdicts, "kernel"), "verdict");
	const char *program = tree_text(json_object_get(verdicts, "program"), "verdict");

	if (strcmp(kernel, "slower") == 0 || strcmp(program, "slower") == 0)
		return STATUS_SLOWER;
	if (program_may_be_slower(programs) || stalls_decide(json_object_get(verdicts, "program")))
		return STATUS_UNCLEAR;
	return strcmp(kernel, "same") == 0 || strcmp(kernel, "faster") == 0 ? STATUS_DONE : STATUS_UNCLEAR;
}

static enum exit_status compare_outcome(const json_t *tree)
{
	const json_t *programs = json_object_get(tree, "programs");

	if (json_is_object(programs))
		return compare_is_comparable(tree) ? outcome_of_programs(programs) : STATUS_UNCLEAR;
	if (compare_count(tree, "slower") > 0)
		return STATUS_SLOWER;
	return compare_count(tree, "unclear") > 0 ? STATUS_UNCLEAR : STATUS_DONE;
}

/* ---- what is compared ---- */

/* Both runs become a family of a recording, which is kept as long as it is read. */
static json_t *traces_beside(
	const struct compare_state *compare, const struct pair_options *what, const char *held, struct error *err)
{
	const struct traces_options traces = {
		.base = what->base,
		.fresh = what->fresh,
		.range = compare->range,
		.kernel = compare->kernel,
		.nameless = compare->redact,
		.band = what->threshold,
		.output = held,
	};

	return contrast_traces(&traces, err) < 0 ? NULL : model_pair_traces(what, held, compare->range != NULL, err);
}

static json_t *compare_traces_tree(
	const struct compare_state *compare, const struct pair_options *what, struct error *err)
{
	struct temporary temporary;
	json_t *tree;
	char *held;

	if (compare_temporary(&temporary, err) < 0)
		return NULL;
	held = xasprintf("%s/both.sqlite", temporary.path);
	tree = traces_beside(compare, what, held, err);
	free(held);
	temporary_remove(&temporary);
	return tree;
}

/* Refuses what is no pair. */
static int pair_kind(
	const struct compare_state *compare, const struct pair_options *what, enum comparable *kind, struct error *err)
{
	enum comparable fresh;

	if (comparable_kind(what->base, kind, err) < 0 || comparable_kind(what->fresh, &fresh, err) < 0)
		return -1;
	if (*kind == COMPARABLE_PROGRAMS || fresh == COMPARABLE_PROGRAMS)
		return error_set(err,
			"%s is a contrast of programs, which is not compared: hold their commands against each other "
			"with "
			"`dbprof contrast`",
			*kind == COMPARABLE_PROGRAMS ? what->base : what->fresh);
	if (*kind != fresh)
		return error_set(err, "%s is a traced program and %s holds families: they have nothing in common",
			fresh == COMPARABLE_TRACE ? what->fresh : what->base,
			fresh == COMPARABLE_TRACE ? what->base : what->fresh);
	if (fresh == COMPARABLE_FAMILIES && (compare->range || compare->kernel))
		return error_set(err, "--range and --kernel are for traced programs: %s holds families", what->base);
	if (fresh == COMPARABLE_TRACE && what->nonly > 0)
		return error_set(err, "names after the files choose families, and %s is a traced program: use --kernel",
			what->base);
	return 0;
}

static json_t *compared_tree(const struct compare_state *compare, const struct pair_options *what, struct error *err)
{
	enum comparable kind;

	if (pair_kind(compare, what, &kind, err) < 0)
		return NULL;
	return kind == COMPARABLE_TRACE ? compare_traces_tree(compare, what, err) : model_pair_build(what, err);
}

static enum exit_status compare_now(const struct compare_state *compare, int nargs, char **args)
{
	const struct pair_options what = {
		.base = args[0],
		.fresh = args[1],
		.threshold = (compare->threshold > 0 ? compare->threshold : 1) / 100,
		.only = (const char *const *)args + 2,
		.nonly = nargs - 2,
		.redact = compare->redact ? cmd_own_families() : NULL,
		.version = PACKAGE_VERSION,
	};
	struct error err = {0};
	json_t *tree = compared_tree(compare, &what, &err);
	enum exit_status result;

	if (!tree)
		return cmd_fail(STATUS_USAGE, &err);
	words_comparison(tree);
	if (write_result(compare, tree, &err) < 0)
		result = cmd_fail(STATUS_FAILED, &err);
	else
		result = compare_outcome(tree);
	json_decref(tree);
	return result;
}

static enum exit_status cmd_compare_exec(void *state, int nargs, char **args)
{
	const struct compare_state *compare = state;

	if (compare->redact)
		cmd_redact_messages((const char *const *)args, nargs < 2 ? nargs : 2);
	if (nargs < 2) {
		cmd_error("compare: which two recordings? give both, as in `dbprof compare old.sqlite new.sqlite`");
		return STATUS_USAGE;
	}
	for (int i = 0; compare->output && i < 2; i++) {
		if (file_same(compare->output, args[i])) {
			cmd_error("compare: -o %s would overwrite a recording: choose another file", compare->output);
			return STATUS_USAGE;
		}
	}
	return compare_now(compare, nargs, args);
}
