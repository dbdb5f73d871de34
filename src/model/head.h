/* head.h: what a recording says of itself. */
#ifndef DBPROF_MODEL_HEAD_H
#define DBPROF_MODEL_HEAD_H

#include <jansson.h>

struct model;

json_t *created_json(const struct model *model); /* model-head.c */

json_t *versions_json(const struct model *model);

json_t *passes_json(const struct model *model);

json_t *diagnostics_json(const struct model *model);

#endif
