/* pays.h: where double buffering would pay. */
#ifndef DBPROF_MODEL_TRACE_PAYS_H
#define DBPROF_MODEL_TRACE_PAYS_H

#include <jansson.h>

struct model;

/* [Y], the largest gain first; NULL with model->err where the file cannot be read. */
json_t *pays_json(const struct model *model);

#endif
