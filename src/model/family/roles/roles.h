/* roles.h: how long the warps of kernels with roles wait, and how much of the loads that hides. */
#ifndef DBPROF_MODEL_FAMILY_ROLES_ROLES_H
#define DBPROF_MODEL_FAMILY_ROLES_ROLES_H

#include <jansson.h>

struct family_rows;

/* F."roles": for each case in which roles were metered, what was found of each variant; empty without any. */
json_t *roles_json(const struct family_rows *f);

#endif
