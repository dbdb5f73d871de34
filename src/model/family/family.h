/* family.h: the families of a recording. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_H
#define DBPROF_MODEL_FAMILY_FAMILY_H

#include <jansson.h>

struct model;

json_t *families_json(const struct model *model); /* model-family.c */

#endif
