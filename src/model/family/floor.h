/* floor.h: the floor of a pipeline. */
#ifndef DBPROF_MODEL_FAMILY_FLOOR_H
#define DBPROF_MODEL_FAMILY_FLOOR_H

#include <jansson.h>
#include <stddef.h>

#include "analyze/analyze.h"

struct measured;
struct model;

/* Every variant in one case. */
struct rivals {
	const struct measured *const *list;
	size_t n;
};

struct floor {
	const struct measured *schedule; /* the shortest that moves the bytes without kernels, or NULL */
	const struct measured *kernels, *loads, *stores; /* other parts of the work, or NULL */
	const struct measured *source;  /* schedule or kernels: the longer, whose time is the floor; NULL: no floor */
	const struct measured *nearest; /* the candidate with the largest share, or NULL */
	struct ratio share;             /* time of source / time of nearest */
};

/* What the parts of the work make of a case. `source` is NULL in a family without schedules. */
void floor_of(const struct model *model, const struct rivals *rivals, struct floor *out);

/* An entry of F."floors"; null if there is no floor. `single` may be NULL. */
json_t *floor_json(const struct model *model, const struct rivals *rivals, const struct floor *floor,
	const struct measured *single);

#endif
