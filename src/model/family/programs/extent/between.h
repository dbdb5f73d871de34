/* between.h: the time from a step's end to the begin of the next one. Private to the folder of programs. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_BETWEEN_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_EXTENT_BETWEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "store/rowset.h"

struct family_rows;

/* That time of each of the runs of a kind that tells it (ns, mean over neighbours), into `out`, which has room for all
 * runs; returns how many. Pauses, as for a checkpoint, are none of it. */
size_t runs_neighbours_ns(const struct rows *runs, const char *kind, double *out);

/* Whether nearly all numbers of one side are larger than those of the other: a single run may be held up. */
bool numbers_lie_apart(const double *a, size_t na, const double *b, size_t nb);

/* Whether two sides of a contrast, whose steps are timed by their duration, differ clearly in that time. ns: medians of
 * both. */
bool neighbours_differ(const struct family_rows *f, const char *single, const char *other, double ns[2]);

#endif
