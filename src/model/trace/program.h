/* program.h: a recording of any program. */
#ifndef DBPROF_MODEL_TRACE_PROGRAM_H
#define DBPROF_MODEL_TRACE_PROGRAM_H

#include <jansson.h>

struct model;

json_t *program_json(const struct model *model); /* model-program.c */

#endif
