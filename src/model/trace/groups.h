/* groups.h: NVTX ranges in numbers. */
#ifndef DBPROF_MODEL_TRACE_GROUPS_H
#define DBPROF_MODEL_TRACE_GROUPS_H

#include <jansson.h>

struct model;

json_t *ranges_json(const struct model *model); /* model-groups.c */

#endif
