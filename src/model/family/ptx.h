/* ptx.h: the PTX of kernels. */
#ifndef DBPROF_MODEL_FAMILY_PTX_H
#define DBPROF_MODEL_FAMILY_PTX_H

#include <jansson.h>

struct model;

/* The PTX of a kernel of the family's file, counted by kind; JSON null if it is not there. */
json_t *ptx_json(const struct model *model, const char *file, const char *symbol);

/* Barriers in the PTX of a kernel; 0 if it is not there. */
int ptx_barriers(const struct model *model, const char *file, const char *symbol);

#endif
