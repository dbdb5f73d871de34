/* processes.h: the processes of a recording. */
#ifndef DBPROF_MODEL_TRACE_PROCESSES_H
#define DBPROF_MODEL_TRACE_PROCESSES_H

#include <jansson.h>

struct model;

/* Puts "processes", [N], into a program; and "processes_left_out" if there are too many. */
void processes_put(const struct model *model, json_t *program);

#endif
