/* record.c: `dbprof record`: the GPU side alone, leaving one recording. */
#include "config.h"

#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "cmd/progress.h"

static enum exit_status cmd_record_option(void *state, int key, const char *value);
static enum exit_status cmd_record_exec(void *state, int nargs, char **args);

struct record_state {
	struct recording_choice choice;
	const char *output;
};

static const struct cmd_option record_table[] = {
	{'o', "output", "FILE", .value = VALUE_FILE, .help = "the recording to write (default: dbprof.sqlite)"},
	{0},
};

const struct cmd cmd_record = {
	.name = "record",
	.arguments = "[OPTION]... [FAMILY[/VARIANT]]...",
	.takes = {VALUE_FAMILY},
	.summary = "measure families and write a recording, without a report",
	.exits = "0 done; 1 failed, or a pass failed or a result is wrong (there is a recording all the same); 2 bad "
		 "usage or input",
	.options = record_table,
	.shared = recording_table,
	.option = cmd_record_option,
	.exec = cmd_record_exec,
	.state_size = sizeof(struct record_state),
};

static enum exit_status cmd_record_option(void *state, int key, const char *value)
{
	struct record_state *record = state;

	if (key != 'o')
		return recording_option(&record->choice, key, value);
	record->output = value;
	return STATUS_DONE;
}

#ifdef HAVE_CUDA
static enum exit_status cmd_record_exec(void *state, int nargs, char **args)
{
	const struct record_state *record = state;
	const char *output = record->output ? record->output : "dbprof.sqlite";
	struct record_options what = recording_options(&record->choice, nargs, args, output);
	struct error err = {0};
	enum exit_status status;
	bool written;

	if (record_check(&what, &err) < 0)
		return cmd_fail(STATUS_USAGE, &err);
	switch (device_probe(record->choice.device, &err)) {
	case DEVICE_NONE:
		cmd_error("no NVIDIA GPU in this machine: record on one that has it, then `dbprof report FILE` here");
		return STATUS_FAILED;
	case DEVICE_BROKEN:
		return cmd_fail(STATUS_FAILED, &err);
	case DEVICE_OK:
		break;
	}
	status = cmd_record_now(&what, &written);
	if (written)
		printf("%s\n", output);
	return status;
}
#else
static enum exit_status cmd_record_exec(void *state, int nargs, char **args)
{
	(void)state;
	(void)nargs;
	(void)args;
	return cmd_lacks_cuda("cannot record");
}
#endif
