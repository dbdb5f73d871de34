/* clock.h: the two clocks that dbprof reads, in nanoseconds. */
#ifndef DBPROF_UTIL_CLOCK_H
#define DBPROF_UTIL_CLOCK_H

#include <stdint.h>

/* Time of day: what a spool and CUPTI's records hold. */
int64_t clock_realtime(void);

/* For durations on the host: never jumps. */
int64_t clock_monotonic(void);

#endif
