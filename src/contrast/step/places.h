/* places.h: which steps of a run without CUPTI count, by the places of those that count in traced runs. */
#ifndef DBPROF_CONTRAST_STEP_PLACES_H
#define DBPROF_CONTRAST_STEP_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/launches.h"
#include "contrast/steps.h"

/* What traced runs of a program tell. */
struct places {
	struct told_run *run; /* owned */
	size_t n;
};

/* `traced` is borrowed until places_free(). */
struct places places_told_by(const struct launches *const *traced, size_t n);
void places_free(struct places *places);

struct placed_step {
	bool counts[STEP_MEASURES];
};

/* For places_apply(): all runs tell. */
#define NO_RUN SIZE_MAX

/* Fills `out` for n steps of a run, which stand in the order of their starts. All runs tell but number `but`. Which
 * kernels a step has is not known without CUPTI, nor which process of one run is which of another one: the order of
 * their first steps is chance. So:
 * - If processes have as many steps in at least half of the traced runs, a step counts that does at its place in each
 *   process of these runs with as many steps. Its period counts if it does in most of them.
 * - Else, as in a loop that runs for a fixed time, the same by all processes of all traced runs, as far as their steps
 *   go. A process in which none counts does not tell.
 * - If less than half as many count then as in the traced runs, these leave out others each time; if most steps have a
 *   place that no traced run has, tracing takes the time. Then all count but as many first ones of each process as a
 *   process of a traced run leaves out at most. Of the periods as many do not count as by the median.
 * - Without a traced run: all but the first of each process that has three or more. */
void places_apply(
	const struct places *places, size_t but, const struct side_step *steps, size_t n, struct placed_step *out);

#endif
