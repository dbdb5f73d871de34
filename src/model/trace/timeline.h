/* timeline.h: device work drawn against time. */
#ifndef DBPROF_MODEL_TRACE_TIMELINE_H
#define DBPROF_MODEL_TRACE_TIMELINE_H

#include <jansson.h>
#include <stddef.h>

struct model;
struct range;
struct work_list;

/* T of some work, with `ranges` above it. Sorts `ranges`. */
json_t *timeline_json(
	const struct model *model, const struct work_list *work, const struct range **ranges, size_t nranges);

#endif
