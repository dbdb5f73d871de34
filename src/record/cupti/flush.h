/* flush.h: asks CUPTI for its records, but does not wait for ever. cuptiActivityFlushAll() may hang, and then the
 * traced program or a whole session would wait for it. */
#ifndef DBPROF_RECORD_CUPTI_FLUSH_H
#define DBPROF_RECORD_CUPTI_FLUSH_H

#include <stdbool.h>

#include "record/cupti/cupti.h"

/*
 * Calls cuptiActivityFlushAll(flag) in a thread of its own; CUPTI hands over buffers in that thread. False if the call
 * has neither returned nor handed over anything for some seconds. Then this process must not call CUPTI any more,
 * because it may hold its own locks; each further flush is false at once. From any thread, one after another.
 *
 * While it waits, the calling thread calls meanwhile(user) again and again (NULL: nothing): the flush may wait for a
 * thread that waits for a buffer.
 */
bool flush_all(const struct cupti *cupti, uint32_t flag, void (*meanwhile)(void *user), void *user, CUptiResult *code);

/* Whether a flush hangs. */
bool flush_hangs(void);

/* CUPTI hands over a buffer: between flush_buffer(true) and flush_buffer(false) a flush is not given up. */
void flush_buffer(bool begins);

/* In the child of a fork(): the thread is the parent's. */
void flush_forget(void);

#endif
