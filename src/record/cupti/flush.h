/*
 * flush.h: asks CUPTI for its records, but does not wait for ever. cuptiActivityFlushAll() was seen to hang, and who
 * waits for it is the program that is traced, or a whole session.
 */
#ifndef DBPROF_RECORD_CUPTI_FLUSH_H
#define DBPROF_RECORD_CUPTI_FLUSH_H

#include <stdbool.h>

#include "record/cupti/cupti.h"

/* cuptiActivityFlushAll(flag) in a thread of its own, which buffers are then handed over in. False if it has neither
 * returned nor handed over anything for some seconds: CUPTI is not to be called any more in this process, as it may
 * hold its own locks, and each further flush is false at once. From any thread, one after another.
 *
 * `meanwhile` (NULL: nothing) is called with `user` again and again in the thread that waits: the flush may wait for
 * one that waits for a buffer. */
bool flush_all(const struct cupti *cupti, uint32_t flag, void (*meanwhile)(void *user), void *user, CUptiResult *code);

/* Whether a flush hangs. */
bool flush_hangs(void);

/* CUPTI hands over a buffer: from flush_buffer(true) to flush_buffer(false) nobody gives it up. */
void flush_buffer(bool begins);

/* In the child of a fork(): the thread is the parent's. */
void flush_forget(void);

#endif
