/* measure.h: the runs of all sides, block by block, within the budget. */
#ifndef DBPROF_CONTRAST_MEASURE_H
#define DBPROF_CONTRAST_MEASURE_H

#include "contrast/measure/measured.h"

/* Runs everything; files go to `folder`. A side that is alone runs as it is, with our output, and then traced: twice if
 * that does not take long. Its traced runs are one block. Sides that go well unless they are traced are traced in part,
 * or not. 0, also where a side failed: then `err` says how, and in how many of its runs if others went well. -1 with
 * `err` if the person has interrupted, or if nothing can be run at all. measure_free() in any case. */
int measure_sides(
	const struct contrast_options *options, const char *folder, struct measurement *out, struct error *err);
void measure_free(struct measurement *measured);

/* Whether the sides' kernels can be looked at in further runs, which take CUPTI for themselves. `any`: there is a whole
 * block. False with `why`. */
bool measure_allows_more(const struct measurement *measured, bool any, struct error *why);

/* Adds a run, which is all zeros but for its number. Valid until the next one is added. */
struct measured_run *measure_next_run(struct measurement *out);

#endif
