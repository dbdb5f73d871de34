/* help.c: `dbprof help COMMAND`: the same as `dbprof COMMAND --help`. */
#include "config.h"

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/usage.h"

static enum exit_status cmd_help_exec(void *state, int nargs, char **args);

const struct cmd cmd_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.takes = {VALUE_COMMAND},
	.summary = "show what a command does and which options it takes",
	.exec = cmd_help_exec,
};

static enum exit_status cmd_help_exec(void *state, int nargs, char **args)
{
	const struct cmd *cmd = nargs > 0 ? cmd_find(args[0]) : NULL;

	(void)state;
	if (nargs > 1) {
		cmd_error("help: one command at a time");
		return STATUS_USAGE;
	}
	if (nargs == 1 && !cmd)
		return cmd_unknown(args[0]);
	if (cmd)
		cmd_print_help(cmd);
	else
		cmd_print_overview();
	return STATUS_DONE;
}
