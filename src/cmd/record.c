/* record.c: `dbprof record`: the GPU side alone, leaving one recording. */
#include "config.h"

#include <stdio.h>

#include "cmd/options.h"
#include "cmd/cmd.h"

struct record_state {
	struct recording_choice choice;
	const char *output;
};

static const struct cmd_option options[] = {
	{'o', "output", "FILE", "the recording to write (default: dbprof.sqlite)"},
	RECORDING_OPTIONS,
	{0, NULL, NULL, NULL},
};

static bool cmd_record_option(void *state, int key, const char *value)
{
	struct record_state *record = state;

	if (key == 'o') {
		record->output = value;
		return true;
	}
	return recording_option(&record->choice, key, value) > 0;
}

#ifdef HAVE_CUDA
static enum exit_status cmd_record_exec(void *state, int nargs, char **args)
{
	struct record_state *record = state;
	const char *output = !record->output ? "dbprof.sqlite" : record->output;
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
	cmd_error("this dbprof was built without CUDA and cannot record: install the CUDA Toolkit (12.8 or later) and "
		  "run "
		  "./configure again");
	return STATUS_FAILED;
}
#endif

const struct cmd cmd_record = {
	.name = "record",
	.arguments = "[OPTION]... [FAMILY[/VARIANT]]...",
	.summary = "measure families and write a recording, without a report",
	.options = options,
	.option = cmd_record_option,
	.exec = cmd_record_exec,
	.state_size = sizeof(struct record_state),
};
