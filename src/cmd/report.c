/* report.c: `dbprof report`: recordings in, page out; needs no GPU. */
#include "config.h"

#include <string.h>

#include "cmd/commands.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/parse.h"
#include "cmd/part.h"
#include "cmd/redact.h"
#include "cmd/values.h"
#include "util/file/file.h"

static enum exit_status cmd_report_option(void *state, int key, const char *value);
static enum exit_status cmd_report_exec(void *state, int nargs, char **args);

enum { OPTION_REPORT_FORMAT = 300 };

struct report_state {
	const char *output; /* NULL if not given */
	bool redact, markdown;
	unsigned with;
	enum fail_if fail_if;
	struct part_wish part;
};

static const struct cmd_word report_formats[] = {
	{"html", "a folder with the page and what belongs to it"},
	{"markdown", "a short table for a pull request"},
	{0},
};

static const struct cmd_option report_table[] = {
	{'o', "output", "DIR", .value = VALUE_FOLDER, .help = "folder of the report (default: reports)",
		.more = "With --format=markdown it is a file; the default is standard output then.",
		.takes_dash = true},
	{OPTION_REPORT_FORMAT, "format", "FORMAT", .value = VALUE_WORD, .words = report_formats,
		.help = "the format to write (default: html)"},
	WITH_OPTION,
	PART_OPTIONS,
	FAIL_IF_OPTION,
	REDACT_OPTION,
	{0},
};

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "[OPTION]... FILE...",
	.takes = {VALUE_RECORDING},
	.summary = "make a report from recordings or Nsight Systems SQLite exports; needs no GPU",
	.details =
		"Leaves index.html, report.json and plots/ in the output folder, and of families tables of their "
		"numbers, families.csv and points.csv. On an error an older index.html stays as it was.\n"
		"An earlier report in the folder is replaced, and nothing else: where a file that is not from dbprof "
		"has a name that the report needs, nothing is written, and the exit status is 2.\n"
		"Of families it prints whether double buffering pays in each. Of any other program, traced or "
		"exported from Nsight Systems, it prints where double buffering would pay: up to five loops, the "
		"largest gain first. Each line has the time that two buffers could save of the loop and of a round, "
		"how many buffers are advised, and what keeps the copies from running beside kernels; and where the "
		"GPU waits for the host, for how long and in what. The page tells the reasons and what to do, and "
		"draws a typical stretch of each. Work outside of loops is not looked at.\n"
		"Standard error tells what all numbers lack: records and samples without times, records that a "
		"profiler lost, work that is not read, and errors that the recorder wrote. The page tells what else "
		"an estimate has to assume.\n"
		"Before a recording is read that takes some seconds, standard error says how much time and memory it "
		"will take, and on a terminal how far it is. Of a program that does not fit into the memory that is "
		"free, the report is of the part from its middle that does; --window chooses another.\n"
		"Of several recordings of one model of GPU the page begins with their verdicts by date, of several "
		"GPUs with the gains on each. Of more than four recordings it shows the latest four whole; "
		"report.json has all.",
	.exits = "0 done; 1 failed while running; 2 bad usage or input; " FAIL_IF_EXITS,
	.options = report_table,
	.option = cmd_report_option,
	.exec = cmd_report_exec,
	.state_size = sizeof(struct report_state),
};

static enum exit_status take_report_format(struct report_state *report, const char *value)
{
	int format;

	if (!cmd_word("format", value, report_formats, &format))
		return STATUS_USAGE;
	report->markdown = format == 1;
	return STATUS_DONE;
}

static enum exit_status cmd_report_option(void *state, int key, const char *value)
{
	struct report_state *report = state;

	if (key >= OPTION_WINDOW && key <= OPTION_MEMORY)
		return take_part(&report->part, key, value);
	if (key == OPTION_FAIL_IF)
		return take_fail_if(value, &report->fail_if);
	if (key == OPTION_WITH)
		return take_with(value, &report->with);
	if (key == OPTION_REPORT_FORMAT)
		return take_report_format(report, value);
	if (key == OPTION_REDACT)
		report->redact = true;
	else
		report->output = value;
	return STATUS_DONE;
}

static enum exit_status cmd_report_exec(void *state, int nargs, char **args)
{
	const struct report_state *report = state;
	const char *otherwise = report->markdown ? NULL : "reports";
	bool to_stdout = report->markdown && report->output && strcmp(report->output, "-") == 0;
	const struct report_wish wish = {
		.outdir = report->output && !to_stdout ? report->output : otherwise,
		.redact = report->redact,
		.markdown = report->markdown,
		.with = report->with,
		.fail_if = report->fail_if,
		.part = &report->part,
	};

	if (!report->markdown && report->output && strcmp(report->output, "-") == 0) {
		cmd_refuse_dash(&cmd_report, 'o', "folder");
		return STATUS_USAGE;
	}
	if (report->redact)
		cmd_redact_messages((const char *const *)args, nargs);
	if (nargs == 0) {
		cmd_error("report: which recording? give a file, as in `dbprof report reports/dbprof.sqlite`");
		return STATUS_USAGE;
	}
	if (report->markdown && report->with != 0) {
		cmd_error("report: --with is for files beside a page, and --format=markdown makes none: leave one out");
		return STATUS_USAGE;
	}
	if (!cmd_part_is_good(&report->part))
		return STATUS_USAGE;
	for (int i = 0; report->markdown && wish.outdir && i < nargs; i++) {
		if (file_same(report->output, args[i])) {
			cmd_error("report: -o %s would overwrite a recording: choose another file", report->output);
			return STATUS_USAGE;
		}
	}
	return cmd_make_report((const char *const *)args, nargs, &wish);
}
