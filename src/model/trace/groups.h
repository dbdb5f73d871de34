/* groups.h: NVTX ranges in numbers. */
#ifndef DBPROF_MODEL_TRACE_GROUPS_H
#define DBPROF_MODEL_TRACE_GROUPS_H

#include <jansson.h>

struct model;

/* An entry for each name of NVTX ranges, with the device work of all of them. */
json_t *ranges_json(const struct model *model);

#endif
