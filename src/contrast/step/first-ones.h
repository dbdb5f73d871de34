/* first-ones.h: the mean over as many first steps in all runs. What comes once in a run, such as a slow begin, else
 * weighs less where a run has more steps. */
#ifndef DBPROF_CONTRAST_STEP_FIRST_ONES_H
#define DBPROF_CONTRAST_STEP_FIRST_ONES_H

#include <stddef.h>
#include <stdint.h>

#include "contrast/step/pace.h"

/* `ns` may be NO_TIME. */
struct step_time {
	int64_t process, ns;
};

/* How many of each process count: of the one that has most of a run, of the next one, and so on. Zero it first;
 * first_ones_free() ends it. */
struct first_ones {
	size_t *most;
	size_t n, room;
};

/* No more than a run has. One without any says nothing. */
void first_ones_within(struct first_ones *ones, const struct step_time *steps, size_t n);

/* No more than most runs of a side have, by median: one that is held up must not cut all others. Of each of the `n`
 * runs there is what first_ones_within() makes of it alone. */
void first_ones_within_side(struct first_ones *ones, const struct first_ones *runs, size_t n);

/* Takes the times of the first ones of a run into `out`, which has room for n; returns how many. Steps stand in their
 * order. Runs of more processes than were seen have all steps of the others. */
size_t first_ones_take(const struct first_ones *ones, const struct step_time *steps, size_t n, int64_t *out);

/* NaN without any. */
double mean_ns(const int64_t *ns, size_t n);

/* How many of those that first_ones_take() takes are the first step of their process. */
size_t first_ones_begins(const struct first_ones *ones, const struct step_time *steps, size_t n);

/* Their mean, NaN without any, and in *found of how many. */
double first_ones_mean(const struct first_ones *ones, const struct step_time *steps, size_t n, size_t *found);

void first_ones_free(struct first_ones *ones);

#endif
