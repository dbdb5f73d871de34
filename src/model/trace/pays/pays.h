/* pays.h: where double buffering would pay. */
#ifndef DBPROF_MODEL_TRACE_PAYS_H
#define DBPROF_MODEL_TRACE_PAYS_H

#include <jansson.h>

struct model;

/* Adds "pays" and what belongs to it (docs/report-json.md) to a program: 0; -1 with model->err where the file cannot be
 * read. */
int pays_put(const struct model *model, json_t *program);

#endif
