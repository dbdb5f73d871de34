/* mdoc.h: what dbprof(1) says about commands and options, in the language of mdoc(7). */
#ifndef DBPROF_CMD_MANUAL_MDOC_H
#define DBPROF_CMD_MANUAL_MDOC_H

/* Prints it to stdout: the blocks "synopsis", "options", "commands" and "exits". */
void mdoc_print(void);

#endif
