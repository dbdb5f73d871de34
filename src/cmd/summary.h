/* summary.h: what a report says, in a few lines for a terminal. */
#ifndef DBPROF_CMD_SUMMARY_H
#define DBPROF_CMD_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

/* Prints it to stdout; `root` is the tree of report.json. Of families it tells the headline contrast and the sweeps, of
 * any other program the first places where double buffering would pay. `told`: why the runs of a contrast ended has
 * been said. */
void cmd_print_summary(const json_t *root, bool told);

#endif
