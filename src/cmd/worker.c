/* worker.c: `dbprof worker`: one pass over one family, in a process of its own. Started by record_run(), not by
 * people. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/options.h"
#include "cmd/cmd.h"

enum { OPTION_FAMILY = 400, OPTION_SPOOL, OPTION_SKIP, OPTION_RUN };

struct worker_state {
	struct recording_choice choice;
	const char *family, *spool, *skip;
	int run;
};

static const struct cmd_option options[] = {
	{OPTION_FAMILY, "family", "NAME", "the family"},
	{OPTION_SPOOL, "spool", "FILE", "where its rows go"},
	{OPTION_SKIP, "skip", "LIST", "family/variant/case, with commas between, that came out wrong"},
	{OPTION_RUN, "run", "N", "which of the time pass's processes this is, from 0"},
	RECORDING_OPTIONS,
	{0, NULL, NULL, NULL},
};

/* Whoever started this worker has tried the object. */
static bool cmd_worker_load(const char *path)
{
	struct error err = {0};

	return plugin_load(path, false, &err) == 0 || cmd_refuse("--load", &err);
}

static bool cmd_worker_option(void *state, int key, const char *value)
{
	struct worker_state *worker = state;
	long long number = 0;

	if (key == OPTION_RUN) {
		if (!cmd_number("run", value, 0, INT_MAX, &number))
			return false;
		worker->run = (int)number;
	} else if (key == OPTION_LOAD)
		return cmd_worker_load(value);
	else if (key == OPTION_FAMILY)
		worker->family = value;
	else if (key == OPTION_SPOOL)
		worker->spool = value;
	else if (key == OPTION_SKIP)
		worker->skip = value;
	else
		return recording_option(&worker->choice, key, value) > 0;
	return true;
}

static enum exit_status cmd_worker_exec(void *state, int nargs, char **args)
{
	struct worker_state *worker = state;
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

const struct cmd cmd_worker = {
	.name = "worker",
	.arguments = "--pass=NAME --family=NAME --spool=FILE [VARIANT]...",
	.summary = "run one pass over one family (started by `dbprof record`)",
	.options = options,
	.option = cmd_worker_option,
	.exec = cmd_worker_exec,
	.state_size = sizeof(struct worker_state),
	.hidden = true,
};
