/* steady.h: which steps of a run count. */
#ifndef DBPROF_CONTRAST_STEADY_H
#define DBPROF_CONTRAST_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/launches.h"

/* What tells whether a step is steady. */
struct step_list {
	int64_t process;
	uint64_t list; /* hash of the names of its kernels, in any order: that of two threads' launches is by chance */
	size_t launches;
};

/* Fills `out` with LEFT_NOTHING for steady steps: those that have the commonest list of kernels of their process, but
 * not the first step of a process that has three or more. Of lists as common it is the one that comes last or, if they
 * take turns, the one with the most launches. A process that has none twice goes by all processes. Steps stand in the
 * order of time. With `any_list` steps are steady whatever their list is; without a kernel they are not. */
void steady_steps(const struct step_list *steps, size_t n, bool any_list, enum left_out *out);

/* Fills `warm_up`: which steps are the warm-up of their process. `why` is what steady_steps() says. It is its first
 * step, unless that is steady, and what comes before its first steady one, if that is few steps (WARM_UP_STEPS in
 * analyze/thresholds.h). More of them are a phase of another kind; warm-up is then what comes before the list of
 * kernels that is the commonest in it. A process without a steady step is warm-up as a whole. */
void steps_of_warm_up(const struct step_list *steps, size_t n, const enum left_out *why, bool *warm_up);

#endif
