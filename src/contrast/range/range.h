/*
 * range.h: what `dbprof contrast` and the library that it puts into programs to time a range agree on.
 *
 * The library is libdbprof-range.so. NVTX loads it at the first NVTX call, because NVTX_INJECTION64_PATH names it. It
 * writes down when ranges of one name begin and end on the host, and nothing else: no CUPTI, no threads, no signal
 * handlers, no output, and it never exits. An error makes ranges missing; where that is possible, it is told.
 */
#ifndef DBPROF_CONTRAST_RANGE_RANGE_H
#define DBPROF_CONTRAST_RANGE_RANGE_H

#include <stdint.h>

/* Environment variables: the folder in which each process makes its file, and the message (UTF-8) of the ranges.
 * Without both the library does nothing. */
#define RANGE_FOLDER "DBPROF_RANGE_FOLDER"
#define RANGE_NAME "DBPROF_RANGE_NAME"

/* The name of a file is the process id, a number and this ending. */
#define RANGE_SUFFIX ".range"

/* A process whose file gets no room makes an empty file, which needs none: its name is the process id, "-", the errno
 * and this ending. */
#define RANGE_LOST_SUFFIX ".lost"

/* A file is a row of these, in the machine's byte order. Each thread has chunks of them, so they are not in order, and
 * those that were not used yet are zero. `end` is written last: without it a record does not count. */
struct range_record {
	int64_t start, end;      /* CLOCK_MONOTONIC, ns */
	int64_t process, thread; /* the system's numbers; the thread is the one that began the range */
};

#endif
