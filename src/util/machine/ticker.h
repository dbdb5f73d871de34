/* ticker.h: a thread that does something from time to time. */
#ifndef DBPROF_UTIL_MACHINE_TICKER_H
#define DBPROF_UTIL_MACHINE_TICKER_H

#include <stdint.h>

struct ticker;

/* Calls work(user) at once, and again at the time that it returns (ns, CLOCK_MONOTONIC), or at once if that has passed,
 * in a thread of its own until ticker_end(). Signals are not for this thread. NULL where no thread can be made, or
 * without memory. */
struct ticker *ticker_start(int64_t (*work)(void *user), void *user);

/* Waits for work that is under way, and frees the ticker. NULL does nothing. */
void ticker_end(struct ticker *ticker);

#endif
