/* main.c: picks the command. The commands are in src/cmd, one file each; src/cmd/commands.c has the table of them. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/line.h"
#include "cmd/message.h"
#include "cmd/parse.h"
#include "cmd/signals.h"
#include "cmd/usage.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/file/file.h"

static enum exit_status main_dispatch(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "--help";
	const struct cmd *cmd = cmd_find(first);

	/* Nobody typed a worker's, and no words of it may come before those that go to its parent. */
	if (!cmd || !cmd->is_worker)
		cmd_line_set(argc, argv);
	/* --all is also an option of `run`. */
	if (strcmp(first, "--all") == 0)
		return cmd_main(&cmd_run, argc, argv);
	if (cmd)
		return cmd_main(cmd, argc - 1, argv + 1);
	if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
		puts("dbprof " PACKAGE_VERSION);
		return STATUS_DONE;
	}
	if (strcmp(first, "--help") != 0 && strcmp(first, "-h") != 0)
		return cmd_unknown(first);
	cmd_print_overview();
	return argc > 1 ? STATUS_DONE : STATUS_USAGE;
}

/* The status to exit with, once all output is written; a signal that asked dbprof to stop ends it here. */
static int main_end(enum exit_status status)
{
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		int error = errno;

		if (cmd_output_is_unread())
			return cmd_end_unread();
		cmd_error("cannot write to standard output: %s", file_output_error(error));
		return STATUS_FAILED;
	}
	return cmd_gave_up() ? cmd_end_by(cmd_signal()) : (int)status;
}

int main(int argc, char **argv)
{
	alloc_return_large();
	json_use_xmalloc();
	cmd_guard_streams();
	return main_end(main_dispatch(argc, argv));
}
