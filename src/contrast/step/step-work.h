/* step-work.h: where the host time of the steady steps of a run went on the GPU. */
#ifndef DBPROF_CONTRAST_STEP_WORK_H
#define DBPROF_CONTRAST_STEP_WORK_H

#include "contrast/launches-private.h"

/* Fills gather->out->work, once it is known which steps are steady and which periods count. */
void step_work_sum_up(struct gather *gather);

#endif
