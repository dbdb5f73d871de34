/* report.c: `dbprof report`: recordings in, page out; needs no GPU. */
#include "config.h"

#include "cmd/commands.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/redact.h"

static enum exit_status cmd_report_option(void *state, int key, const char *value);
static enum exit_status cmd_report_exec(void *state, int nargs, char **args);

struct report_state {
	const char *outdir;
	bool redact;
};

static const struct cmd_option report_table[] = {
	{'o', "output", "DIR", .value = VALUE_FOLDER, .help = "folder of the report (default: reports)"},
	REDACT_OPTION,
	{0},
};

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "[OPTION]... FILE...",
	.takes = {VALUE_RECORDING},
	.summary = "make a report from recordings or Nsight Systems SQLite exports; needs no GPU",
	.details =
		"Leaves index.html, report.json and plots/ in the output folder, and of small recordings trace.json "
		"and work.csv (see `dbprof export`). On an error an older index.html stays as it was.\n"
		"An earlier report in the folder is replaced, and nothing else: where a file that is not from dbprof "
		"has a name that the report needs, nothing is written, and the exit status is 2.\n"
		"Of families it prints whether double buffering pays in each. Of any other program, traced or "
		"exported from Nsight Systems, it prints where double buffering would pay: up to five NVTX ranges (or "
		"all work of a process on a GPU) with the time that could be saved, the largest first, and what keeps "
		"the copies from running beside kernels. The page tells the reasons and what to do, and draws a "
		"typical stretch of each.",
	.options = report_table,
	.option = cmd_report_option,
	.exec = cmd_report_exec,
	.state_size = sizeof(struct report_state),
};

static enum exit_status cmd_report_option(void *state, int key, const char *value)
{
	struct report_state *report = state;

	if (key == 'o')
		report->outdir = value;
	else
		report->redact = true;
	return STATUS_DONE;
}

static enum exit_status cmd_report_exec(void *state, int nargs, char **args)
{
	const struct report_state *report = state;

	if (nargs == 0) {
		cmd_error("report: which recording? give a file, as in `dbprof report reports/dbprof.sqlite`");
		return STATUS_USAGE;
	}
	return cmd_make_report((const char *const *)args, nargs,
		&(struct report_wish){report->outdir ? report->outdir : "reports", .redact = report->redact});
}
