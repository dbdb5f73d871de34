/* worker.c: `dbprof worker`: one pass over one family, in a process of its own. record_run() starts it. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "cmd/values.h"
#include "record/plugin/load.h"

static enum exit_status cmd_worker_option(void *state, int key, const char *value);
static enum exit_status cmd_worker_exec(void *state, int nargs, char **args);

enum { OPTION_FAMILY = 400, OPTION_SPOOL, OPTION_SKIP, OPTION_RUN };

struct worker_state {
	struct recording_choice choice;
	const char *family, *spool, *skip;
	int run;
};

static const struct cmd_option worker_table[] = {
	{OPTION_FAMILY, "family", "NAME", .help = "the family"},
	{OPTION_SPOOL, "spool", "FILE", .help = "where its rows go"},
	{OPTION_SKIP, "skip", "LIST", .help = "family/variant/case, with commas between, that came out wrong"},
	{OPTION_RUN, "run", "N", .help = "which of the time pass's processes this is, from 0"},
	{0},
};

const struct cmd cmd_worker = {
	.name = "worker",
	.arguments = "--passes=NAME --family=NAME --spool=FILE [VARIANT]...",
	.summary = "run one pass over one family (started by `dbprof record`)",
	.options = worker_table,
	.shared = recording_table,
	.option = cmd_worker_option,
	.exec = cmd_worker_exec,
	.state_size = sizeof(struct worker_state),
	.hidden = true,
	.is_worker = true,
};

/* The process that started this worker has tried the object. */
static enum exit_status worker_load(const char *path)
{
	struct error err = {0};

	return plugin_load(path, false, &err) == 0 ? STATUS_DONE : cmd_refuse("--load", &err);
}

static enum exit_status worker_run(struct worker_state *worker, const char *value)
{
	long long number;

	if (!cmd_number("run", value, 0, INT_MAX, &number))
		return STATUS_USAGE;
	worker->run = (int)number;
	return STATUS_DONE;
}

static enum exit_status cmd_worker_option(void *state, int key, const char *value)
{
	struct worker_state *worker = state;

	switch (key) {
	case OPTION_FAMILY:
		worker->family = value;
		return STATUS_DONE;
	case OPTION_SPOOL:
		worker->spool = value;
		return STATUS_DONE;
	case OPTION_SKIP:
		worker->skip = value;
		return STATUS_DONE;
	case OPTION_RUN:
		return worker_run(worker, value);
	case OPTION_LOAD:
		return worker_load(value);
	default:
		return recording_option(&worker->choice, key, value);
	}
}

static enum exit_status cmd_worker_exec(void *state, int nargs, char **args)
{
	const struct worker_state *worker = state;
	struct record_options what = recording_options(&worker->choice, nargs, args, NULL);
	struct error err = {0};
	int pass = 0, result;

	what.skip = worker->skip;
	what.run = worker->run;
	while (pass < PASSES_NUMBER && what.passes != 1u << pass)
		pass++;
	if (!worker->family || !worker->spool || pass == PASSES_NUMBER) {
		cmd_error("worker is started by `dbprof record`: it needs --family, --spool and one pass");
		return STATUS_USAGE;
	}
	result = record_worker(&what, worker->family, (enum pass)pass, worker->spool, &err);
	if (record_worker_hangs())
		_exit(STATUS_FAILED);
	return result < 0 ? cmd_fail(STATUS_USAGE, &err) : result == 0 ? STATUS_DONE : STATUS_FAILED;
}
