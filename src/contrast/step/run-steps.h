/* run-steps.h: which steps of a run count, how long they take, and which readings of the GPU are of them. */
#ifndef DBPROF_CONTRAST_STEP_RUN_STEPS_H
#define DBPROF_CONTRAST_STEP_RUN_STEPS_H

#include "contrast/measured.h"

/* The steady steps of a run that was not traced: `traced` is a traced one that has as many steps and tells which they
 * are; NULL: all count so far. */
void run_steps_take(struct measured_run *run, const struct launches *traced);

/* The readings of a traced run. Without a range it is one step, from the first call to the last: then all readings
 * count but idle ones. */
void run_steps_read(struct measured_run *run, const struct launches *launches);

/* When all runs are made: takes the steady steps of those that were not traced, and chooses by which measure all are
 * compared. */
void run_steps_choose(struct measurement *out);

#endif
