/* advise.c: `dbprof advise`: one program: would more buffers pay in its kernels and copies, and how many? */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/line.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/runs/runs.h"
#include "cmd/signals.h"
#include "cmd/values.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"
#include "util/file/outdir.h"
#ifdef HAVE_CUDA
#include "contrast/advise/advise.h"
#include "record/record.h"
#endif

static enum exit_status cmd_advise_option(void *state, int key, const char *value);
static enum exit_status cmd_advise_exec(void *state, int nargs, char **args);

enum {
	ADVISE_ENV = 500,
	ADVISE_KERNEL,
	ADVISE_KERNELS,
	ADVISE_RANGE,
	ADVISE_BUDGET,
	ADVISE_TIMEOUT,
	ADVISE_PASSES,
};

enum { ADVISE_PASS_COUNTERS, ADVISE_PASS_STALLS, ADVISE_PASS_CODE };

struct advise_state {
	struct runs_environment environment;
	const char *outdir, *range, *kernel;
	int64_t budget_ns, timeout_ns;
	long long kernels;
	unsigned with, passes; /* bits of words' numbers */
};

static const struct cmd_word advise_passes[] = {
	[ADVISE_PASS_COUNTERS] = {"counters", "hardware counters of the kernels: as many runs as there is time for"},
	[ADVISE_PASS_STALLS] = {"stalls", "PC samples of the kernels by instruction: one run"},
	[ADVISE_PASS_CODE] = {"code", "machine code and sources of the kernels: one traced run"},
	{0},
};

static const struct cmd_option advise_table[] = {
	{'o', "output", "DIR", .value = VALUE_FOLDER, .help = "folder of the report (default: reports)"},
	{ADVISE_ENV, "env", "NAME=VALUE", .value = VALUE_OTHER, .help = "add this to the environment of the program",
		.more = "It may be given more than once."},
	{ADVISE_RANGE, "range", "NAME", .value = VALUE_OTHER, .once = true,
		.help = "an NVTX range that the program opens for each step",
		.more = "Only kernels in steps like most others count then, so warm-up and autotuning do not."},
	{ADVISE_KERNEL, "kernel", "REGEX", .value = VALUE_OTHER, .once = true,
		.help = "look only at kernels whose name matches",
		.more = "An extended regular expression, searched in base name and demangled name."},
	{ADVISE_KERNELS, "kernels", "N", .value = VALUE_NUMBER, .help = "look at the N longest kernels, at most 64",
		.more = "However little of the time they take. Without it they are those that make up 90 % of the time "
			"of all kernels, ten at most."},
	{ADVISE_BUDGET, "budget", "TIME", .value = VALUE_OTHER,
		.help = "time for all runs together (default: 5 times its own, and 25s)",
		.more = "Counters take what the other runs leave of it. The program is run once for each kind in any "
			"case. A TIME has a unit: " CMD_TIME_UNITS "."},
	{ADVISE_TIMEOUT, "timeout", "TIME", .value = VALUE_OTHER,
		.help = "time after which a run is ended (default: 600s)"},
	{ADVISE_PASSES, "passes", "LIST", .value = VALUE_LIST, .words = advise_passes,
		.help = "do these passes, with commas between (default: all)",
		.more = "Without counters and code no kernel can be judged."},
	WITH_OPTION,
	{0},
};

const struct cmd cmd_advise = {
	.name = "advise",
	.arguments = "[OPTION]... [--] PROGRAM [ARGUMENT]...",
	.takes = {VALUE_PROGRAM, VALUE_ARGUMENT},
	.summary = "tell where more buffers would make a program faster",
	.details =
		"Runs the program as it is once, with its own output; then several times more, each for one purpose: a "
		"trace, machine code, PC samples, hardware counters. It need not be built again, and no source is "
		"needed. Of each kernel that matters the report tells what it does now, whether more tiles in flight "
		"would pay, how much, how many to take, and why, or why not.\n"
		"Leaves recording.sqlite, index.html, report.json and summary.json in the output folder.",
	.exits = "0 done, whatever the advice; 1 the program failed, which is told, or nothing can be measured; 2 bad "
		 "usage",
	.options = advise_table,
	.option = cmd_advise_option,
	.exec = cmd_advise_exec,
	.state_size = sizeof(struct advise_state),
	.stops_at_argument = true,
};

static enum exit_status cmd_advise_option(void *state, int key, const char *value)
{
	struct advise_state *advise = state;

	switch (key) {
	case 'o':
		advise->outdir = value;
		return STATUS_DONE;
	case ADVISE_ENV:
		return runs_take_environment(value, &advise->environment);
	case ADVISE_RANGE:
		return runs_take_range(value, &advise->range);
	case ADVISE_KERNEL:
		return runs_take_pattern(value, &advise->kernel);
	case ADVISE_KERNELS:
		return cmd_number("kernels", value, 1, CHOSEN_KERNELS_MOST, &advise->kernels) ? STATUS_DONE
											      : STATUS_USAGE;
	case ADVISE_BUDGET:
		return runs_take_time("budget", value, &advise->budget_ns);
	case ADVISE_TIMEOUT:
		return runs_take_time("timeout", value, &advise->timeout_ns);
	case ADVISE_PASSES:
		return cmd_word_list("passes", "pass", value, advise_passes, &advise->passes) ? STATUS_DONE
											      : STATUS_USAGE;
	default:
		return take_with(value, &advise->with);
	}
}

#ifdef HAVE_CUDA
/* Of --timeout (ns). */
static const int64_t advise_timeout_ns = INT64_C(600000000000);

static int calibrate_for_advice(void *user, const char *gpu, struct contrast_gpu *out, struct error *err)
{
	(void)user;
	_Static_assert(sizeof(out->chip) == RECORD_CHIP_SIZE, "a chip has room for its name");
	return record_machine(gpu, &out->machine, out->chip, &out->availability, err);
}

static enum exit_status advise_and_show(const struct advise_state *advise, const struct contrast_options *options)
{
	const struct report_wish wish = {.outdir = advise->outdir, .with = advise->with};
	struct error err = {0};
	int code;

	cmd_catch_signals();
	code = advise_record(options, &err);
	runs_clear_line();
	if (code < 0 && cmd_interrupted(NULL))
		return runs_interrupted(advise->outdir);
	return code < 0 ? cmd_fail(STATUS_FAILED, &err) : cmd_make_report(&options->output, 1, &wish);
}

static bool wants_advise_pass(const struct advise_state *advise, unsigned pass)
{
	return advise->passes == 0 || (advise->passes & 1u << pass) != 0;
}

static enum exit_status advise_into(
	const struct advise_state *advise, const struct contrast_command *program, const char *recording)
{
	struct runs_libraries libraries;
	const struct contrast_options options = {
		.sides = program,
		.nsides = 1,
		.range = advise->range,
		.kernel = advise->kernel,
		.kernels = (size_t)advise->kernels,
		.budget_ns = advise->budget_ns,
		.timeout_ns = advise->timeout_ns > 0 ? advise->timeout_ns : advise_timeout_ns,
		.check = CONTRAST_CHECK_NONE,
		.injection = libraries.injection,
		.range_library = libraries.ranges,
		.count_library = libraries.counts,
		.wants_counters = wants_advise_pass(advise, ADVISE_PASS_COUNTERS),
		.wants_samples = wants_advise_pass(advise, ADVISE_PASS_STALLS),
		.wants_code = wants_advise_pass(advise, ADVISE_PASS_CODE),
		.calibrate = calibrate_for_advice,
		.command = cmd_line(),
		.output = recording,
		.interrupted = cmd_interrupted,
		.progress = runs_progress,
		.note = runs_note,
	};
	struct error err = {0};

	if (runs_find_libraries(&libraries, &err) < 0)
		return cmd_fail(STATUS_FAILED, &err);
	return advise_and_show(advise, &options);
}

static enum exit_status cmd_advise_exec(void *state, int nargs, char **args)
{
	struct advise_state *advise = state;
	const struct contrast_command program = {
		.name = "program", .argv = args, .environment = (char **)advise->environment.list};
	enum exit_status status;
	size_t made = 0;
	char *recording;

	if (nargs == 0) {
		cmd_error("advise: which program? as in `dbprof advise -- ./program its arguments`");
		return STATUS_USAGE;
	}
	advise->outdir = advise->outdir ? advise->outdir : "reports";
	status = cmd_make_folder(advise->outdir, &made);
	if (status != STATUS_DONE)
		return status;
	recording = xasprintf("%s/recording.sqlite", advise->outdir);
	status = advise_into(advise, &program, recording);
	if (status != STATUS_DONE)
		outdir_unmake_folders(advise->outdir, made);
	free(recording);
	return status;
}
#else
static enum exit_status cmd_advise_exec(void *state, int nargs, char **args)
{
	(void)state;
	(void)nargs;
	(void)args;
	return cmd_lacks_cuda("cannot run programs to advise");
}
#endif
