/* pauses.h: where a program pauses between the rounds of a loop. Private to this folder. */
#ifndef DBPROF_ANALYZE_REPLAY_PAUSES_H
#define DBPROF_ANALYZE_REPLAY_PAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_orders;
struct replay_program;

/* For longer than so many rounds usually take, the thread of a loop neither calls for it nor has work under way. */
struct replay_pause {
	size_t round;
	bool inside; /* work of the round is asked for behind it; else it is the round's end */
};

/* The pauses that part `n` rounds, which begin at first[0 .. n) and end at first[n], places in by_thread. Pauses that
 * come again and again, each so many rounds, part nothing. *count is how many; for free(). */
struct replay_pause *replay_pauses_find(const struct replay_program *program, const struct replay_orders *orders,
	const uint32_t *first, size_t n, size_t *count);

#endif
