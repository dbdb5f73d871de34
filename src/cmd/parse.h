/* parse.h: from a command line to a command. */
#ifndef DBPROF_CMD_PARSE_H
#define DBPROF_CMD_PARSE_H

#include <stdbool.h>

#include "cmd/cmd.h"

/* Reads the options of argv (argv[0] is the command's name) by the command's table, answers --help, or runs it. */
enum exit_status cmd_main(const struct cmd *cmd, int argc, char **argv);

/* Whether `--` stood before the arguments of the command that cmd_main() runs: none of them is an option then, whatever
 * it begins with. */
bool cmd_options_ended(void);

/* Says that "-" after an option cannot mean standard output, since what is written is a folder or a database. */
void cmd_refuse_dash(const struct cmd *cmd, int key, const char *what);

#endif
