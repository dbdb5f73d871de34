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

#endif
