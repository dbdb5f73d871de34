/* launch.h: single launches of a variant, for the passes that look inside one. */
#ifndef DBPROF_RECORD_PASS_LAUNCH_H
#define DBPROF_RECORD_PASS_LAUNCH_H

#include "record/worker/worker.h"

/* A variant in a case that is set up. */
struct launch {
	struct worker *w;
	void *state; /* of the family's set-up */
	const struct size_case *size;
	const struct variant *variant;
};

/* Whether the options want the variant, the device can run it, and no earlier pass ruled it out. */
bool launch_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size);

/* Enqueues one launch and waits for its end; *done (may be NULL) is what it enqueued. -1 with the problem noted. */
int launch_once(const struct launch *launch, struct enqueued *done);

/* Runs the variant for some 30 ms. *shortest (may be NULL) is the shortest time of a launch on the host (ns). -1 with
 * the problem noted, or with w->skipped if launches take seconds and nothing was measured yet. */
int launch_warm_up(const struct launch *launch, int64_t *shortest);

/* Notes a problem of the variant in its case. */
void launch_problem(const struct launch *launch, const struct error *err);

/* Call it if a profiler refused a launch or failed at it. At the first launch this means that it refuses all: the pass
 * is skipped for this reason, -1. Later it is a problem of this variant, and 0 says to go on; but -1 after a CUDA
 * error, which is noted and leaves `err` empty. */
int launch_refused(const struct launch *launch, const struct error *err);

#endif
