/* bash.h: the tables of commands and options as functions of bash, for the completion. */
#ifndef DBPROF_CMD_MANUAL_BASH_H
#define DBPROF_CMD_MANUAL_BASH_H

/* Prints the block "tables" to stdout. */
void bash_print(void);

#endif
