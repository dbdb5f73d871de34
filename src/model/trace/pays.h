/* pays.h: where double buffering would pay. */
#ifndef DBPROF_MODEL_TRACE_PAYS_H
#define DBPROF_MODEL_TRACE_PAYS_H

#include <jansson.h>

struct model;

json_t *pays_json(const struct model *model); /* [Y] (model-pays.c) */

#endif
