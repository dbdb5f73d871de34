/* comm.h: communication between GPUs in a traced program, and how much of it runs beside computation. */
#ifndef DBPROF_MODEL_TRACE_COMM_COMM_H
#define DBPROF_MODEL_TRACE_COMM_COMM_H

#include <jansson.h>

struct model;

/* C of docs/report-json.md; null if the recording has no communication. */
json_t *communication_json(const struct model *model);

#endif
