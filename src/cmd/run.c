/* run.c: `dbprof run` and `dbprof --all`: record, then report. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/options.h"
#include "cmd/cmd.h"
#include "report/report.h"
#include "util/datafile.h"

struct run_state {
	struct recording_choice choice;
	const char *outdir;
};

static const struct cmd_option options[] = {
	{'o', "output", "DIR", "folder of the report (default: reports)"},
	RECORDING_OPTIONS,
	{0, NULL, NULL, NULL},
};

static bool cmd_run_option(void *state, int key, const char *value)
{
	struct run_state *run = state;

	if (key == 'o') {
		run->outdir = value;
		return true;
	}
	return recording_option(&run->choice, key, value) > 0;
}

static enum exit_status show_shipped(const char *outdir)
{
	char path[4096];
	const char *file = path;
	struct error err = {0};

	if (datafile_find(SHIPPED_RECORDING, path, sizeof(path), &err) < 0)
		return cmd_fail(STATUS_FAILED, &err);
	puts("No NVIDIA GPU in this machine: this report shows a recording that ships with dbprof, made on another "
	     "machine.");
	return cmd_make_report(&file, 1, outdir, true);
}

#ifdef HAVE_CUDA
/* The folder must be there before the recording is made in it; that a report can have it should be known before
 * minutes of measuring. */
static enum exit_status make_folder(const char *outdir, bool *made)
{
	struct error err = {0};
	enum report_status status;

	*made = mkdir(outdir, 0777) == 0;
	if (!*made && errno != EEXIST) {
		cmd_error("cannot make the folder %s: %s: choose another with -o", outdir, strerror(errno));
		return STATUS_FAILED;
	}
	status = report_check_folder(outdir, &err);
	if (status == REPORT_DONE)
		return STATUS_DONE;
	return cmd_fail(status == REPORT_BAD_INPUT ? STATUS_USAGE : STATUS_FAILED, &err);
}

static enum exit_status record_and_report(struct run_state *run, int nargs, char **args)
{
	char path[4096];
	const char *file = path;
	struct record_options record = recording_options(&run->choice, nargs, args, path);
	enum exit_status status, reported;
	bool made, written;

	snprintf(path, sizeof(path), "%s/dbprof.sqlite", run->outdir);
	status = make_folder(run->outdir, &made);
	if (status != STATUS_DONE)
		return status;
	status = cmd_record_now(&record, &written);
	/* Not if somebody has put something into it. */
	if (!written && made)
		(void)rmdir(run->outdir);
	if (!written || cmd_interrupted(NULL))
		return status;
	reported = cmd_make_report(&file, 1, run->outdir, false);
	return status != STATUS_DONE ? status : reported;
}

static enum exit_status cmd_run_check(const struct run_state *run, int nargs, char **args)
{
	struct record_options record = recording_options(&run->choice, nargs, args, "");
	struct error err = {0};

	return record_check(&record, &err) < 0 ? cmd_fail(STATUS_USAGE, &err) : STATUS_DONE;
}

static enum exit_status cmd_run_exec(void *state, int nargs, char **args)
{
	struct run_state *run = state;
	struct error err = {0};

	if (!run->outdir)
		run->outdir = "reports";
	if (cmd_run_check(run, nargs, args) != STATUS_DONE)
		return STATUS_USAGE;
	switch (device_probe(run->choice.device, &err)) {
	case DEVICE_NONE:
		if (nargs == 0 && !recording_chosen(&run->choice))
			return show_shipped(run->outdir);
		cmd_error("no NVIDIA GPU in this machine, so nothing can be measured: `dbprof --all` alone shows a "
			  "recording "
			  "that ships with dbprof");
		return STATUS_FAILED;
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
	if (!device_present() && nargs == 0 && !recording_chosen(&run->choice))
		return show_shipped(!run->outdir ? "reports" : run->outdir);
	cmd_error("this dbprof was built without CUDA and cannot record: install the CUDA Toolkit (12.8 or later) and "
		  "run "
		  "./configure again, or use `dbprof report FILE`");
	return STATUS_FAILED;
}
#endif

const struct cmd cmd_run = {
	.name = "run",
	.arguments = "[OPTION]... [FAMILY[/VARIANT]]...",
	.summary = "measure families (all, if none is named) and write a report",
	.details =
		"With --load and no names, the families that were loaded are measured; with --all dbprof's own too.\n"
		"Leaves index.html, report.json, plots/ and the recording dbprof.sqlite in the output folder.\n"
		"--sweep measures, beside the families' own cases, grids of sizes, buffers, occupancy and so on\n"
		"(`dbprof list -v` names them). It takes minutes; Ctrl-C keeps the points that are done.\n"
		"Where no NVIDIA GPU exists, `dbprof --all` shows a recording that ships with dbprof.",
	.options = options,
	.option = cmd_run_option,
	.exec = cmd_run_exec,
	.state_size = sizeof(struct run_state),
};
