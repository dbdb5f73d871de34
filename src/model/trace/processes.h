/* processes.h: the processes of a recording. */
#ifndef DBPROF_MODEL_TRACE_PROCESSES_H
#define DBPROF_MODEL_TRACE_PROCESSES_H

#include <jansson.h>

struct model;

/* [N]. */
json_t *processes_json(const struct model *model);

#endif
