/*
 * buffers.h: memory for CUPTI's activity records: bounded, used again, and in a program that is not ours touched ahead.
 *
 * CUPTI asks for a buffer in the program's own threads. If pages are touched there for the first time, a program of
 * tiny launches pays as much for that as for the records themselves. So buffers are used again and again, and the
 * thread that writes touches the first ones ahead. Large buffers are best, but each thread may hold one. So when many
 * are out, the next ones are smaller.
 */
#ifndef DBPROF_RECORD_CUPTI_BUFFERS_H
#define DBPROF_RECORD_CUPTI_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of zeros, aligned for records, of *size bytes. Waits a while if all are out, unless this is the thread that
 * calls buffers_next(), or somebody waited in vain and none has come back since. NULL if none comes back, or without
 * memory. From any thread. Whoever gets hold of the buffer may free() it. */
uint8_t *buffers_get(size_t *size);

/* Takes back a buffer of buffers_get(). Its first `used` bytes may differ from zero. */
void buffers_put(uint8_t *buffer, size_t used);

/* A line of buffers that CUPTI has filled. It hands them over in a thread of its own, which must not be held up.
 * buffers_fill() appends a buffer whose first `used` bytes hold records, or takes it back if there are none. It
 * returns false for a buffer that did not come from buffers_get(), and leaves that alone. buffers_next() takes the
 * oldest out, or returns NULL. */
bool buffers_fill(uint8_t *buffer, size_t used);
uint8_t *buffers_next(size_t *used);

/* Waits until one is in the line, or for some milliseconds. */
void buffers_wait(int ms);

/* This thread must not wait for a buffer and gets none instead: the thread that empties buffers waits for it. */
void buffers_never_wait(void);

/* Wakes who waits, unless the line is in use at this moment: buffers_wait() then returns when its time is over. It
 * never waits itself, so it may be called from a signal handler. */
void buffers_wake(void);

/* Keeps a few buffers ready whose pages have been touched. Call it from time to time. */
void buffers_warm(void);

/* In the child of a fork(): forgets all buffers, which are the parent's. */
void buffers_forget(void);

#endif
