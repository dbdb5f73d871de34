/* run-steps.h: which steps of a run count, how long they take, and which readings of the GPU are of them. */
#ifndef DBPROF_CONTRAST_STEP_RUN_STEPS_H
#define DBPROF_CONTRAST_STEP_RUN_STEPS_H

#include "contrast/measure/measured.h"

/* The steady steps of a run that was not traced. None is known to be left out so far, but for first ones. */
void run_steps_take(struct measured_run *run);

/* The steady steps of a traced run, and the readings while they ran. Without a range it is one step, from the first
 * call to the last: then all readings count but idle ones. */
void run_steps_read(struct measured_run *run);

/* When all runs are made: takes the steady steps of those that were not traced, chooses by which measure all are
 * compared, and how many first steps of each process count: as many in all runs of all sides, for host times and for
 * kernels. */
void run_steps_choose(struct measurement *out);

#endif
