/* usage.h: the help texts, made from the tables of commands and options. At most 100 columns wide. */
#ifndef DBPROF_CMD_USAGE_H
#define DBPROF_CMD_USAGE_H

#include "cmd/cmd.h"

/* `dbprof COMMAND --help` */
void cmd_print_help(const struct cmd *cmd);

/* `dbprof --help` */
void cmd_print_overview(void);

/* "did you mean --A or --B? " in `text`, with the blank: options of the command that a long one may have meant, if it
 * is near any; else "". */
const char *cmd_nearest_option(const struct cmd *cmd, const char *argument, char *text, size_t size);

/* Says that there is no such command or option, and which may have been meant. Returns STATUS_USAGE. */
enum exit_status cmd_unknown(const char *name);

#endif
