/* contrast.c: `dbprof contrast`: programs held against each other, as if they were variants of a family. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/thresholds.h"
#include "cmd/commands.h"
#include "cmd/line.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "cmd/parse.h"
#include "cmd/runs/runs.h"
#include "cmd/signals.h"
#include "cmd/values.h"
#include "contrast/commands.h"
#include "contrast/contrast.h"
#include "util/alloc.h"
#include "util/file/outdir.h"
#include "util/text/words.h"

static enum exit_status cmd_contrast_option(void *state, int key, const char *value);
static enum exit_status cmd_contrast_exec(void *state, int nargs, char **args);

enum {
	CONTRAST_VARY = 500,
	CONTRAST_ENV,
	CONTRAST_SHELL,
	CONTRAST_KERNEL,
	CONTRAST_RANGE,
	CONTRAST_BUDGET,
	CONTRAST_SEED,
	CONTRAST_TIMEOUT,
	CONTRAST_OUTPUT,
	CONTRAST_PASSES
};

enum { CONTRAST_PASS_TIME, CONTRAST_PASS_COUNTERS, CONTRAST_PASS_STALLS, CONTRAST_PASS_CODE, CONTRAST_PASS_PM };

struct contrast_state {
	struct sides_wish wish;
	struct runs_environment environment;
	const char *outdir, *range, *kernel, *check;
	int64_t budget_ns, timeout_ns;
	long long seed;
	bool seeded;
	enum fail_if fail_if;
	unsigned with, passes; /* bits of words' numbers */
};

static const struct cmd_word contrast_passes[] = {
	[CONTRAST_PASS_TIME] = {"time", "how long? Runs by turns, traced and not; always done"},
	[CONTRAST_PASS_COUNTERS] = {"counters", "why? Hardware counters of the kernels that make up the difference"},
	[CONTRAST_PASS_STALLS] = {"stalls", "where? PC samples of these kernels by instruction"},
	[CONTRAST_PASS_CODE] = {"code", "with what code? Machine code and sources of the same kernels"},
	[CONTRAST_PASS_PM] = {"pm", "when? Occupancy and traffic over a step"},
	{0},
};

/* As fail_if_words, which are about families. */
static const struct cmd_word contrast_fail_if_words[] = {
	{"slower", "slower than the first command"},
	{"different", "slower or faster"},
	{0},
};

static const struct cmd_option contrast_table[] = {
	{'o', "output", "DIR", .value = VALUE_FOLDER, .help = "folder of the report (default: reports)"},
	{CONTRAST_VARY, "vary", "NAME=VALUES", .value = VALUE_OTHER, .once = true,
		.help = "one program, with each of these values where its arguments have {NAME}",
		.more = "Commas stand between values. The first one is what the others are held against."},
	{CONTRAST_ENV, "env", "NAME=VALUE", .value = VALUE_OTHER, .help = "add this to the environment of all commands",
		.more = "It may be given more than once. With --vary the value may have {NAME} in it."},
	{CONTRAST_SHELL, "shell", .help = "let a shell read each command",
		.more = "Also that of --check-output. A shell is /bin/sh."},
	{CONTRAST_RANGE, "range", "NAME", .value = VALUE_OTHER, .once = true,
		.help = "an NVTX range that the program opens for each step",
		.more = "Its host times are taken without CUPTI. Without it the whole run is one step, and wall time "
			"only "
			"checks the sign."},
	{CONTRAST_KERNEL, "kernel", "REGEX", .value = VALUE_OTHER, .once = true,
		.help = "count only kernels whose name matches",
		.more = "An extended regular expression, searched in base name and demangled name."},
	{CONTRAST_BUDGET, "budget", "TIME", .value = VALUE_OTHER,
		.help = "time for all timed runs together (default: 60s)",
		.more = "One block of runs is made in any case. A TIME has a unit: " CMD_TIME_UNITS "."},
	{CONTRAST_TIMEOUT, "timeout", "TIME", .value = VALUE_OTHER,
		.help = "time after which a run is ended (default: 60s)"},
	{CONTRAST_SEED, "seed", "N", .value = VALUE_NUMBER,
		.help = "seed of the order of the runs (default: a new one, noted in the report)"},
	{CONTRAST_PASSES, "passes", "LIST", .value = VALUE_LIST, .words = contrast_passes,
		.help = "do these passes, with commas between (default: all)",
		.more = "Counters need runs of their own, which take as long as --budget at most, and one of each "
			"command "
			"in any case. PC samples need one more run of each, and so do occupancy and traffic: several "
			"without --range."},
	{CONTRAST_OUTPUT, "check-output", "HOW", .value = VALUE_OTHER,
		.help = "how standard outputs are compared: exact (default), none, or a command",
		.more = "The command gets two names of files behind its words and ends with 0 if they are the same, 1 "
			"if not. With --shell they are $1 and $2 in it, too. Programs that print times need `none` or "
			"a "
			"command."},
	WITH_OPTION,
	{OPTION_FAIL_IF, "fail-if", "WHAT", .value = VALUE_WORD, .words = contrast_fail_if_words,
		.help = "end with 3 if a command is that, with 4 if it cannot be told",
		.more = "Each is held against the first one by its kernel time. Its step decides without kernel times, "
			"and where it differs clearly while all kernels are the same. What is unclear passes "
			"`slower` if its interval rules out slower by more than 1 %. What is the same does not pass "
			"`different` if work that does not count differs."},
	{0},
};

const struct cmd cmd_contrast = {
	.name = "contrast",
	.arguments = "[OPTION]... COMMAND...",
	.takes = {VALUE_PROGRAM, VALUE_ARGUMENT},
	.summary = "hold programs, or settings of one, against each other",
	.details =
		"Runs the commands by turns (A B B A or B A A B), each run a process of its own, and compares GPU time "
		"and host time. The programs need not be built again. The first command is what the others are held "
		"against. Each command is one argument; its words are split as a shell does, without a shell. Options "
		"come before all commands; behind `--` a command may begin with a dash. With --vary the arguments are "
		"one program and its arguments, as in `dbprof contrast --vary n=1,2 -- ./mm {n}`.\n"
		"A verdict needs six blocks: with two commands 48 processes, some 20 s for C++ and five minutes with "
		"PyTorch.\n"
		"Leaves recording.sqlite, index.html, report.json and summary.json in the output folder.",
	.exits = "0 done, whatever the verdict; 1 a command failed, which is named; 2 bad usage; "
		 "with --fail-if: 3 a command is slower (or different), 4 none is, but of one it cannot be told",
	.options = contrast_table,
	.option = cmd_contrast_option,
	.exec = cmd_contrast_exec,
	.state_size = sizeof(struct contrast_state),
	.stops_at_argument = true,
};

static enum exit_status cmd_contrast_option(void *state, int key, const char *value)
{
	struct contrast_state *contrast = state;

	switch (key) {
	case 'o':
		contrast->outdir = value;
		return STATUS_DONE;
	case CONTRAST_VARY:
		contrast->wish.vary = value;
		return STATUS_DONE;
	case CONTRAST_ENV:
		return runs_take_environment(value, &contrast->environment);
	case CONTRAST_SHELL:
		contrast->wish.shell = true;
		return STATUS_DONE;
	case CONTRAST_RANGE:
		return runs_take_range(value, &contrast->range);
	case CONTRAST_KERNEL:
		return runs_take_pattern(value, &contrast->kernel);
	case CONTRAST_BUDGET:
		return runs_take_time("budget", value, &contrast->budget_ns);
	case CONTRAST_TIMEOUT:
		return runs_take_time("timeout", value, &contrast->timeout_ns);
	case CONTRAST_SEED:
		contrast->seeded = true;
		return cmd_number("seed", value, 0, INT64_MAX, &contrast->seed) ? STATUS_DONE : STATUS_USAGE;
	case CONTRAST_OUTPUT:
		contrast->check = value;
		return STATUS_DONE;
	case CONTRAST_PASSES:
		return cmd_word_list("passes", "pass", value, contrast_passes, &contrast->passes) ? STATUS_DONE
												  : STATUS_USAGE;
	case OPTION_WITH:
		return take_with(value, &contrast->with);
	default:
		return take_fail_if(value, &contrast->fail_if);
	}
}

#ifdef HAVE_CUDA
static enum exit_status contrast_report(const struct contrast_state *contrast, const char *recording, bool failed)
{
	const struct report_wish wish = {.outdir = contrast->outdir,
		.with = contrast->with,
		.fail_if = failed ? FAIL_IF_NOTHING : contrast->fail_if,
		.failure_told = failed};

	return cmd_make_report(&recording, 1, &wish);
}

/* What is usually wrong with commands of which a program cannot be found. */
static void tell_hint(const struct contrast_state *contrast, const struct sides *sides)
{
	char *hint = sides_hint(&contrast->wish, sides);

	if (hint)
		cmd_error("%s", hint);
	free(hint);
}

/* A side that failed is told, and there is a report of what was run until then. Its status is that of the failure,
 * whatever --fail-if asks. */
static enum exit_status record_and_show(
	const struct contrast_state *contrast, const struct sides *sides, const struct contrast_options *options)
{
	enum exit_status status = STATUS_DONE;
	struct error err = {0};
	int failed, code;

	cmd_catch_signals();
	code = contrast_record(options, &failed, &err);
	runs_clear_line();
	if (code < 0 && cmd_interrupted(NULL))
		return runs_interrupted(contrast->outdir);
	if (code < 0)
		status = cmd_fail(STATUS_FAILED, &err);
	else if (failed >= 0)
		cmd_error("%s", err.text);
	if (failed >= 0)
		tell_hint(contrast, sides);
	if (code < 0)
		return status;
	status = contrast_report(contrast, options->output, failed >= 0);
	return failed >= 0 ? STATUS_FAILED : status;
}

static bool wants_pass(const struct contrast_state *contrast, unsigned pass)
{
	return contrast->passes == 0 || (contrast->passes & 1u << pass) != 0;
}

static enum exit_status contrast_sides(
	const struct contrast_state *contrast, const struct sides *sides, char **check_command)
{
	char *recording = xasprintf("%s/recording.sqlite", contrast->outdir);
	struct runs_libraries libraries;
	const struct contrast_options options = {
		.sides = sides->commands,
		.nsides = sides->n,
		.range = contrast->range,
		.kernel = contrast->kernel,
		.seed = contrast->seeded ? (uint64_t)contrast->seed : fresh_seed(),
		.budget_ns = contrast->budget_ns,
		.timeout_ns = contrast->timeout_ns,
		.check = check_command                          ? CONTRAST_CHECK_COMMAND
			 : strcmp(contrast->check, "none") == 0 ? CONTRAST_CHECK_NONE
								: CONTRAST_CHECK_EXACT,
		.check_command = check_command,
		.injection = libraries.injection,
		.range_library = libraries.ranges,
		.count_library = libraries.counts,
		.wants_counters = wants_pass(contrast, CONTRAST_PASS_COUNTERS),
		.wants_samples = wants_pass(contrast, CONTRAST_PASS_STALLS),
		.wants_code = wants_pass(contrast, CONTRAST_PASS_CODE),
		.wants_curves = wants_pass(contrast, CONTRAST_PASS_PM),
		.command = cmd_line_on_gpus(),
		.output = recording,
		.keeps_older = runs_has_report(contrast->outdir),
		.interrupted = cmd_interrupted,
		.progress = runs_progress,
		.note = runs_note,
	};
	struct error err = {0};
	size_t made = 0;
	enum exit_status status = cmd_make_folder(contrast->outdir, &made);

	if (status == STATUS_DONE && runs_find_libraries(&libraries, &err) < 0)
		status = cmd_fail(STATUS_FAILED, &err);
	if (status == STATUS_DONE)
		status = record_and_show(contrast, sides, &options);
	if (status != STATUS_DONE)
		outdir_unmake_folders(contrast->outdir, made);
	free(recording);
	return status;
}

static const int64_t second_ns = 1000000000;

static bool is_check_command(const char *check)
{
	return strcmp(check, "exact") != 0 && strcmp(check, "none") != 0;
}

static enum exit_status cmd_contrast_exec(void *state, int nargs, char **args)
{
	struct contrast_state *contrast = state;
	char **check_command = NULL;
	struct sides sides;
	struct error err = {0};
	enum exit_status status;

	contrast->wish.environment = contrast->environment.list;
	contrast->wish.nenvironment = contrast->environment.n;
	contrast->wish.dashed = cmd_options_ended();
	contrast->outdir = contrast->outdir ? contrast->outdir : "reports";
	contrast->check = contrast->check ? contrast->check : "exact";
	contrast->budget_ns = contrast->budget_ns > 0 ? contrast->budget_ns : CONTRAST_BUDGET_S * second_ns;
	contrast->timeout_ns = contrast->timeout_ns > 0 ? contrast->timeout_ns : CONTRAST_TIMEOUT_S * second_ns;
	if (is_check_command(contrast->check) &&
		!(check_command = sides_check_command(&contrast->wish, contrast->check, &err))) {
		error_prefix(&err, "--check-output");
		return cmd_fail(STATUS_USAGE, &err);
	}
	if (sides_make(&contrast->wish, nargs, args, &sides, &err) < 0) {
		words_free(check_command);
		return cmd_fail(STATUS_USAGE, &err);
	}
	status = contrast_sides(contrast, &sides, check_command);
	sides_free(&sides);
	words_free(check_command);
	return status;
}
#else
static enum exit_status cmd_contrast_exec(void *state, int nargs, char **args)
{
	(void)state;
	(void)nargs;
	(void)args;
	return cmd_lacks_cuda("cannot run programs by turns");
}
#endif
