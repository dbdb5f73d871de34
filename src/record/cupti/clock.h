/* clock.h: the two clocks of the record room, in nanoseconds. */
#ifndef DBPROF_RECORD_CUPTI_CLOCK_H
#define DBPROF_RECORD_CUPTI_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_read(clockid_t id)
{
	struct timespec t;

	/* Cannot fail: both clocks exist on every Linux. */
	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Time of day: what a spool and CUPTI's records hold. */
static inline int64_t clock_realtime(void)
{
	return clock_read(CLOCK_REALTIME);
}

/* For durations on the host: never jumps. */
static inline int64_t clock_monotonic(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

#endif
