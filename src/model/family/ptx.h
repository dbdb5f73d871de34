/* ptx.h: the PTX of kernels. */
#ifndef DBPROF_MODEL_FAMILY_PTX_H
#define DBPROF_MODEL_FAMILY_PTX_H

#include <jansson.h>

struct model;

json_t *ptx_json(const struct model *model, const char *file, const char *symbol); /* model-ptx.c */

/* Barriers in the PTX of a kernel, into *count; 0 if it is not there. */
int ptx_barriers(const struct model *model, const char *file, const char *symbol, int *count);

#endif
