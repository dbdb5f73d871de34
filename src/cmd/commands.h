/* commands.h: all commands. */
#ifndef DBPROF_CMD_COMMANDS_H
#define DBPROF_CMD_COMMANDS_H

#include "cmd/cmd.h"

extern const struct cmd cmd_run, cmd_record, cmd_report, cmd_trace, cmd_advise, cmd_contrast, cmd_compare, cmd_export,
	cmd_list, cmd_doctor, cmd_help, cmd_manual, cmd_worker;

/* In the order of the help; ended by NULL. */
extern const struct cmd *const cmd_all[];

/* What dbprof takes without a command. It has a table of options, but no exec(). */
extern const struct cmd cmd_none;

/* The command of that name, or NULL. */
const struct cmd *cmd_find(const char *name);

#endif
