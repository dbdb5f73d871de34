/* program.h: what a recording without families shows: that of any traced program, or an export. */
#ifndef DBPROF_MODEL_TRACE_PROGRAM_H
#define DBPROF_MODEL_TRACE_PROGRAM_H

#include <jansson.h>

struct model;

/* Null for a recording of families; NULL with model->err where the file cannot be read. */
json_t *program_json(const struct model *model);

#endif
