/* items.h: when each item of a launch came and when it had gone through, such as the frames of a camera. */
#ifndef DBPROF_RECORD_PASS_ITEMS_H
#define DBPROF_RECORD_PASS_ITEMS_H

#include "record/pass/timing.h"

/* Launches the variants of the case whose launches have items, in turn and one launch at a time, and writes a row for
 * each item. -1 with the problem noted. */
int items_measure(struct timing *t);

#endif
