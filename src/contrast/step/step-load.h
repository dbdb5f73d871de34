/* step-load.h: reads a recording for one step of it. */
#ifndef DBPROF_CONTRAST_STEP_LOAD_H
#define DBPROF_CONTRAST_STEP_LOAD_H

#include "contrast/launches.h"
#include "contrast/step/step-calls.h"

/* Reads the recording once more, as launches_load() did. `step`: place among its steps; MEDIAN_STEP_ONLY
 * (median-step.h): the first steady one. 0, or -1 with `err` and nothing to free; step_calls_free() otherwise. */
int step_calls_load(const char *path, const struct launches_options *options, size_t step, struct step_calls *out,
	struct error *err);

#endif
