/* manual.c: `dbprof manual`: what the manual page and the completion say about commands and options. It is for `make
 * manual`, which puts that between the lines "begin NAME" and "end NAME" of docs/dbprof.1 and completions/dbprof. */
#include "config.h"

#include <string.h>

#include "cmd/manual/bash.h"
#include "cmd/commands.h"
#include "cmd/manual/mdoc.h"
#include "cmd/message.h"

static enum exit_status cmd_manual_exec(void *state, int nargs, char **args);

const struct cmd cmd_manual = {
	.name = "manual",
	.arguments = "mdoc|bash",
	.takes = {VALUE_OTHER},
	.summary = "print what the manual page or the completion is made from",
	.exec = cmd_manual_exec,
	.hidden = true,
};

static enum exit_status cmd_manual_exec(void *state, int nargs, char **args)
{
	(void)state;
	if (nargs == 1 && strcmp(args[0], "mdoc") == 0) {
		mdoc_print();
	} else if (nargs == 1 && strcmp(args[0], "bash") == 0) {
		bash_print();
	} else {
		cmd_error("manual: which one? give mdoc or bash");
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}
