/* usage.h: the help texts, made from the tables of commands and options. At most 100 columns wide. */
#ifndef DBPROF_CMD_USAGE_H
#define DBPROF_CMD_USAGE_H

#include "cmd/cmd.h"

/* `dbprof COMMAND --help` */
void cmd_print_help(const struct cmd *cmd);

/* `dbprof --help` */
void cmd_print_overview(void);

/* Says that there is no such command, and which may have been meant. Returns STATUS_USAGE. */
enum exit_status cmd_unknown(const char *name);

#endif
