/* sampling.h: PC samples of the launches of a plan, inside a program: each launch is a range of its own. counting.c
 * calls it with the gate shut, where it says nothing else. */
#ifndef DBPROF_CONTRAST_COUNT_SAMPLING_H
#define DBPROF_CONTRAST_COUNT_SAMPLING_H

#include <stdbool.h>

#include "contrast/count/plan.h"
#include "record/cupti/cupti.h"

/* Finds what of CUPTI is needed. The plan stays. -1 with `err`. Needs no gate. */
int sampling_prepare(const struct cupti *cupti, const struct count_plan *plan, struct error *err);

/* Whether launches of the kernel in that context can be sampled. There is one such context at a time: another one's
 * turn comes when no kernel is under way, and none is likely to be soon. A kernel is done when its context goes. It
 * counts what it refuses: asked once for each launch, with the gate shut. */
bool sampling_suits(size_t kernel, CUcontext context);

/* Right before a launch, and when its work is over; the context is idle. sampling_begin() returns 1 if this launch is
 * not sampled. sampling_end() returns 1 if the kernel needs no more launches, as it does not when one has not `worked`.
 * -1 with `err`: then there are no more samples. */
int sampling_begin(size_t kernel, CUcontext context, struct error *err);
int sampling_end(bool worked, struct error *err);

/* The context goes; NULL: the program ends. What was sampled until then is told. */
void sampling_leave(CUcontext context);

#endif
