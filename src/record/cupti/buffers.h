/*
 * buffers.h: memory for CUPTI's activity records in a program that is not ours: bounded, and warm.
 *
 * CUPTI asks for a buffer from the program's own threads. Pages that are touched there for the first time cost a
 * program of tiny launches as much as the records themselves, so buffers are used again and again, and the first ones
 * are touched ahead by the thread that writes. Large ones are best, but each thread may hold one, so when many are out
 * the next ones are smaller.
 */
#ifndef DBPROF_RECORD_CUPTI_BUFFERS_H
#define DBPROF_RECORD_CUPTI_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of zeros, aligned for records, of *size bytes; waits a while if all are out, unless this is the thread that
 * calls buffers_next(), or somebody has waited in vain and none has come back since. NULL if none comes back, or
 * without memory. From any thread. Whoever gets hold of it may free() it. */
uint8_t *buffers_get(size_t *size);

/* Takes back a buffer of buffers_get(), of which the first `used` bytes may differ from zero. */
void buffers_put(uint8_t *buffer, size_t used);

/* A line of buffers that CUPTI has filled: it hands them over in a thread of its own, which has other things to do.
 * buffers_fill() appends one with the bytes that hold records, or takes it back if there are none; false for what did
 * not come from buffers_get() and is left alone. buffers_next() takes the oldest out, or NULL. */
bool buffers_fill(uint8_t *buffer, size_t used);
uint8_t *buffers_next(size_t *used);

/* Waits until one is in the line, or for some milliseconds. */
void buffers_wait(int ms);

/* This thread gets no buffer rather than to wait for one: the one that empties them waits for it. */
void buffers_never_wait(void);

/* Wakes who waits. */
void buffers_wake(void);

/* Keeps a few buffers ready that have been touched. To be called from time to time. */
void buffers_warm(void);

/* In the child of a fork(): all of it is the parent's. */
void buffers_forget(void);

#endif
