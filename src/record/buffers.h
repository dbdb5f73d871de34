/*
 * buffers.h: memory for CUPTI's activity records in a program that is not ours: bounded, and warm.
 *
 * CUPTI asks for a buffer from the program's own threads. Pages that are touched there for the first time cost a
 * program of tiny launches as much as the records themselves, so buffers are used again and again, and the first ones
 * are touched ahead by the thread that writes. Large ones are best, but each thread may hold one, so when many are out
 * the next ones are smaller.
 */
#ifndef DBPROF_RECORD_BUFFERS_H
#define DBPROF_RECORD_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

/* A buffer of zeros, aligned for records, of *size bytes; waits a while if all are out. NULL if none comes back, or
 * without memory. From any thread. */
uint8_t *buffers_get(size_t *size);

/* Takes back a buffer of buffers_get(), of which the first `used` bytes may differ from zero. */
void buffers_put(uint8_t *buffer, size_t used);

/* Keeps a few buffers ready that have been touched. To be called from time to time. */
void buffers_warm(void);

/* In the child of a fork(): all of it is the parent's. */
void buffers_forget(void);

#endif
