/* event.h: what events of all tables have in common: ids of processes and threads, and times. */
#ifndef DBPROF_STORE_EVENT_H
#define DBPROF_STORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* The globalPid of a globalTid, which has the thread id in its low 24 bits. */
static inline int64_t process_of(int64_t thread)
{
	return thread & ~INT64_C(0xFFFFFF);
}

/* The process id in a globalPid or globalTid. */
static inline int64_t pid_of(int64_t global)
{
	return (global >> 24) & 0xFFFFFF;
}

/* The thread id in a globalTid. */
static inline int64_t tid_of(int64_t thread)
{
	return thread & 0xFFFFFF;
}

/* Times further from zero than this (73 years) are none; between two within it fits a difference. */
#define TIME_LIMIT (INT64_C(1) << 61)

static inline bool time_usable(int64_t time)
{
	return -TIME_LIMIT <= time && time <= TIME_LIMIT;
}

/* Where the file has a time that is none: NULL, a text, bytes. No time is usable that is further from zero. */
#define TIME_NONE INT64_MIN

/* The first second of the clock (1970), from the start of a session of 2001 or later. Profilers give 0, this second,
 * for a time that they do not know. */
#define TIME_UNKNOWN (-INT64_C(1000000000) * 1000000000)

/* Whether an event may have these times. It may lie before the session's start; 0 for both means that they are unknown.
 */
static inline bool times_usable(int64_t start, int64_t end)
{
	return start <= end && start > TIME_UNKNOWN && time_usable(end) && (start != 0 || end != 0);
}

#endif
