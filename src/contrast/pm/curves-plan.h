/* curves-plan.h: in which steps a side is sampled, and how closely. */
#ifndef DBPROF_CONTRAST_PM_CURVES_PLAN_H
#define DBPROF_CONTRAST_PM_CURVES_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/count/count.h"
#include "contrast/step/step-calls.h"

/* A figure has so many samples at most, and a counter data image about 9 KB for each. */
enum { CURVE_SAMPLES = 2000 };

/* Plans `nsets` metric sets for a run of the program that `step` is of, in steps as near to that one as they fit.
 * curves->steps has room for nsets; curves->nsteps is how many sets fit into one run, 0 without a range, where it is
 * one. */
void curves_plan(const struct step_calls *step, bool has_range, size_t nsets, struct count_curves *curves);

#endif
