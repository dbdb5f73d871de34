/* family-variants.h: the cases of a family, and its variants in each of them. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_VARIANTS_H
#define DBPROF_MODEL_FAMILY_FAMILY_VARIANTS_H

#include <jansson.h>

struct family_rows;

json_t *cases_json(const struct family_rows *f);    /* F."cases" */
json_t *variants_json(const struct family_rows *f); /* F."variants" */

#endif
