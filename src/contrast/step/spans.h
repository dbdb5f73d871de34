/* spans.h: when the steady steps of a run were, and how long they took on the host. */
#ifndef DBPROF_CONTRAST_SPANS_H
#define DBPROF_CONTRAST_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/gpu/watch.h"
#include "contrast/launches.h"
#include "contrast/step/first-ones.h"
#include "contrast/step/places.h"
#include "contrast/steps.h"

/* Those of a run without CUPTI, by their start, into `out`, which has room for n. Their number. */
size_t spans_of_steps(const struct side_step *steps, size_t n, const struct places *places, struct side_span *out);

/* Those of a traced run, into `out`, which has room for launches->nsteps. Their number. `epoch_ns`: time zero of its
 * recording. */
size_t spans_of_launches(const struct launches *launches, int64_t epoch_ns, struct side_span *out);

/* The host time of each step of a run by each measure. run_times_free() ends it. */
struct run_times {
	struct step_time *step[STEP_MEASURES]; /* in order of time */
	size_t n;
	struct step_pace pace;
};

/* Those of a run without CUPTI. Its steady steps are those of places_apply(). Without CUPTI it is not known how far the
 * GPU lags behind: so traced runs tell of the periods, too. `pause`: see steps_pace(). */
struct run_times times_of_steps(
	const struct side_step *steps, size_t n, const struct places *places, size_t but, double pause);

/* Those of a traced run. */
struct run_times times_of_launches(const struct launches *launches);

/* The same, as if it were not traced: all runs of `places` tell but number `but`, which it is. */
struct run_times times_as_placed(
	const struct launches *launches, const struct places *places, size_t but, double pause);

void run_times_free(struct run_times *times);

/* The host time of the steps of a run by each measure: mean (ns), NaN without any, and of how many. */
struct step_times {
	double ns[STEP_MEASURES];
	size_t n[STEP_MEASURES];
	size_t begins[STEP_MEASURES]; /* of these, the first step of a process */
	struct step_pace pace;
};

/* Those of a run of which none are known: NaN, of 0 steps. */
struct step_times no_step_times(void);

/* Over the first ones alone; `ones` is by measure. */
void step_times_of(const struct run_times *times, const struct first_ones *ones, struct step_times *out);

#endif
