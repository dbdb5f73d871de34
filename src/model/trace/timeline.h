/* timeline.h: device work drawn against time. */
#ifndef DBPROF_MODEL_TRACE_TIMELINE_H
#define DBPROF_MODEL_TRACE_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;
struct range;
struct work_list;

/* A stretch of time. */
struct stretch {
	int64_t from, to;
	bool whole;      /* the timeline begins and ends with it, not with the work in it */
	bool has_others; /* work whose call is not known is not the step's own */
};

/* T of some work, with `ranges` above it; of all work and all ranges if both are NULL. Work that reaches out of
 * `stretch` is cut; NULL cuts nothing. */
json_t *timeline_json(const struct model *model, const struct work_list *work, const struct stretch *stretch,
	const struct range *const *ranges, size_t nranges);

#endif
