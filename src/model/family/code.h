/* code.h: the source code of variants. */
#ifndef DBPROF_MODEL_FAMILY_CODE_H
#define DBPROF_MODEL_FAMILY_CODE_H

#include <jansson.h>

struct model;

json_t *code_json(const struct model *model, const char *file, const char *variant); /* model-code.c */

json_t *code_pair_json(const struct model *model, const char *file, const char *single, const char *dbl);

#endif
