/* environment.h: what the environment can do to a measurement. */
#ifndef DBPROF_RECORD_MACHINE_ENVIRONMENT_H
#define DBPROF_RECORD_MACHINE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Calls `tell` for each variable that is set and changes what is measured, with one sentence and the value. */
void environment_tell(void (*tell)(void *user, const char *sentence), void *user);

/* Whether every launch waits for its end (CUDA_LAUNCH_BLOCKING). Then nothing can be enqueued ahead. */
bool environment_launches_block(void);

#endif
