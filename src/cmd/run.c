/* run.c: `dbprof run` and `dbprof --all`: record, then report. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/redact.h"
#include "cmd/signals.h"
#include "report/report.h"
#include "util/alloc.h"
#include "util/file/datafile.h"
#include "util/file/outdir.h"

static enum exit_status cmd_run_option(void *state, int key, const char *value);
static enum exit_status cmd_run_exec(void *state, int nargs, char **args);

struct run_state {
	struct recording_choice choice;
	const char *outdir;
	bool redact; /* the report; the recording is whole */
	unsigned with;
	enum fail_if fail_if;
};

static const struct cmd_option run_options[] = {
	{'o', "output", "DIR", .value = VALUE_FOLDER, .help = "folder of the report (default: reports)"},
	WITH_OPTION,
	FAIL_IF_OPTION,
	REDACT_OPTION,
	{0},
};

const struct cmd cmd_run = {
	.name = "run",
	.arguments = "[OPTION]... [FAMILY[/VARIANT]]...",
	.takes = {VALUE_FAMILY},
	.summary = "measure families (if none is named, all that need not be) and write a report",
	.details =
		"Leaves index.html, report.json, plots/ and the recording dbprof.sqlite in the output folder. With "
		"--redact the recording beside the report still has everything.\n"
		"With --load and no names, it measures the families that were loaded; with --all those of dbprof too.\n"
		"With --sweep it measures, beside the families' own cases, grids of sizes, buffers, occupancy and so "
		"on (`dbprof list -v` names them). That takes minutes; Ctrl-C keeps the points that are done.\n"
		"Where no NVIDIA GPU exists, `dbprof run` without names and options, or `dbprof --all`, measures "
		"nothing: it makes the report of a recording that ships with dbprof, and says so. A second report, in "
		"the folder loader, shows a traced program before and after its double buffering.",
	.exits = "0 done; 1 failed, or a pass failed or a result is wrong (there is a recording all the same); 2 bad "
		 "usage or input; " FAIL_IF_EXITS,
	.options = run_options,
	.shared = recording_table,
	.option = cmd_run_option,
	.exec = cmd_run_exec,
	.state_size = sizeof(struct run_state),
};

static enum exit_status cmd_run_option(void *state, int key, const char *value)
{
	struct run_state *run = state;

	if (key == 'o')
		run->outdir = value;
	else if (key == OPTION_REDACT)
		run->redact = true;
	else if (key == OPTION_FAIL_IF)
		return take_fail_if(value, &run->fail_if);
	else if (key == OPTION_WITH)
		return take_with(value, &run->with);
	else
		return recording_option(&run->choice, key, value);
	return STATUS_DONE;
}

/* ---- recordings that ship ---- */

#define LOADER "loader"

static enum exit_status shipped_report(const struct run_state *run, const char *const *files, int nfiles,
	const char *outdir, const char *beside, json_t **tree)
{
	const struct report_wish wish = {.outdir = outdir,
		.beside = beside,
		.shipped = true,
		.redact = run->redact,
		.with = run->with,
		.fail_if = run->fail_if,
		.untold = tree};

	return cmd_make_report(files, nfiles, &wish);
}

/* Makes both reports, first the one that the other links. Their trees in the order in which they are read. */
static enum exit_status make_shipped_reports(const struct run_state *run, const char *loader, json_t *trees[2])
{
	static const char *const names[] = {SHIPPED_RECORDING, SHIPPED_BEFORE, SHIPPED_AFTER};
	char paths[3][4096];
	const char *const files[] = {paths[0], paths[1], paths[2]};
	struct error err = {0};
	enum exit_status status;

	for (int i = 0; i < 3; i++)
		if (datafile_find(names[i], paths[i], sizeof(paths[i]), &err) < 0)
			return cmd_fail(STATUS_FAILED, &err);
	if (report_check_folder(run->outdir, &err) != REPORT_DONE)
		return cmd_fail(error_is_of_system(&err) ? STATUS_FAILED : STATUS_USAGE, &err);
	status = shipped_report(run, files + 1, 2, loader, NULL, &trees[1]);
	if (status != STATUS_DONE)
		return status;
	return shipped_report(run, files, 1, run->outdir, LOADER "/index.html", &trees[0]);
}

static enum exit_status show_shipped(const struct run_state *run)
{
	char *loader = xasprintf("%s/" LOADER, run->outdir);
	json_t *trees[2] = {NULL, NULL};
	enum exit_status status = make_shipped_reports(run, loader, trees);

	if (status == STATUS_DONE) {
		puts("No NVIDIA GPU in this machine: this report shows a recording that ships with dbprof, made on "
		     "another machine.");
		cmd_tell_report(trees[0], run->outdir);
		puts("A second report shows a training loop in PyTorch from that machine, before and after its double "
		     "buffering.");
		cmd_tell_report(trees[1], loader);
	}
	json_decref(trees[0]);
	json_decref(trees[1]);
	free(loader);
	return status;
}

/* Whether somebody may want to see the recording that ships: nothing says what to measure. */
static bool asks_for_nothing(const struct run_state *run, int nargs)
{
	return nargs == 0 && !recording_chosen(&run->choice) && run->fail_if == FAIL_IF_NOTHING;
}

#ifdef HAVE_CUDA
static enum exit_status record_and_report(const struct run_state *run, int nargs, char **args)
{
	char path[4096];
	const char *file = path;
	struct record_options record = recording_options(&run->choice, nargs, args, path);
	const struct report_wish wish = {
		.outdir = run->outdir, .redact = run->redact, .with = run->with, .fail_if = run->fail_if};
	enum exit_status status, reported;
	size_t made;
	bool written;

	snprintf(path, sizeof(path), "%s/dbprof.sqlite", run->outdir);
	status = cmd_make_folder(run->outdir, &made);
	if (status != STATUS_DONE)
		return status;
	status = cmd_record_now(&record, &written);
	if (!written)
		outdir_unmake_folders(run->outdir, made);
	if (!written || cmd_interrupted(NULL))
		return status;
	reported = cmd_make_report(&file, 1, &wish);
	return status != STATUS_DONE ? status : reported;
}

static enum exit_status run_without_gpu(const struct run_state *run, int nargs)
{
	if (asks_for_nothing(run, nargs))
		return show_shipped(run);
	cmd_error("no NVIDIA GPU in this machine, so nothing can be measured: `dbprof run` without names and options "
		  "shows a recording that ships with dbprof");
	return STATUS_FAILED;
}

static enum exit_status cmd_run_exec(void *state, int nargs, char **args)
{
	struct run_state *run = state;
	struct record_options record = recording_options(&run->choice, nargs, args, "");
	struct error err = {0};

	if (!run->outdir)
		run->outdir = "reports";
	if (record_check(&record, &err) < 0)
		return cmd_fail(STATUS_USAGE, &err);
	switch (device_probe(run->choice.device, &err)) {
	case DEVICE_NONE:
		return run_without_gpu(run, nargs);
	case DEVICE_BROKEN:
		return cmd_fail(STATUS_FAILED, &err);
	case DEVICE_OK:
		break;
	}
	return record_and_report(run, nargs, args);
}
#else
static enum exit_status cmd_run_exec(void *state, int nargs, char **args)
{
	struct run_state *run = state;

	(void)args;
	if (!run->outdir)
		run->outdir = "reports";
	if (!device_present() && asks_for_nothing(run, nargs))
		return show_shipped(run);
	return cmd_lacks_cuda("cannot record (`dbprof report FILE` works)");
}
#endif
