/* code.h: the source code of variants. */
#ifndef DBPROF_MODEL_FAMILY_CODE_H
#define DBPROF_MODEL_FAMILY_CODE_H

#include <jansson.h>

struct model;

/* A variant's code out of the family's file; JSON null if it is not there. */
json_t *code_json(const struct model *model, const char *file, const char *variant);

/* The codes of two variants line by line side by side; JSON null unless there are both. */
json_t *code_pair_json(const struct model *model, const char *file, const char *single, const char *dbl);

#endif
