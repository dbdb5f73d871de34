/* times.h: samples, clocks, and what tracing costs. */
#ifndef DBPROF_MODEL_FAMILY_TIMES_H
#define DBPROF_MODEL_FAMILY_TIMES_H

struct measured;
struct model;
struct rows;

/* Fills the times, the clocks and what tracing costs, from m->samples and the rows of DBPROF_TRACED. For times_free().
 */
void take_times(const struct model *model, struct measured *m, const struct rows *traced);

void times_free(struct measured *m);

#endif
