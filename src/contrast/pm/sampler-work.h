/* sampler-work.h: the work that runs while the GPU is sampled, from CUPTI's activity records, inside a program. */
#ifndef DBPROF_CONTRAST_PM_SAMPLER_WORK_H
#define DBPROF_CONTRAST_PM_SAMPLER_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* Begins to record work of all GPUs. -1 with `err`. */
int sampler_work_start(struct error *err);
void sampler_work_stop(void);

/* ns to be added to CUPTI's times for CLOCK_REALTIME; and the time now, as the latter. */
int64_t sampler_work_offset(void);
int64_t sampler_work_now(void);

/* From now on work of `device` that has not ended is kept. */
void sampler_work_begin(int64_t device);

/* Tells what ran since then, as work beside group `group`; *unnoted: pieces without room. The work must be over. *why:
 * why there is nothing to tell, a constant; NULL: it is told. -1 with `err` if CUPTI does not hand its records over. */
int sampler_work_end(uint32_t group, uint64_t *unnoted, const char **why, struct error *err);

/* Keeps nothing of what runs now. */
void sampler_work_drop(void);

/* In a child of fork(). */
void sampler_work_forget(void);

#endif
