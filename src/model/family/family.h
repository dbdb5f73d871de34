/* family.h: the families of a recording. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_H
#define DBPROF_MODEL_FAMILY_FAMILY_H

#include <jansson.h>

struct model;

/* R."families", in the order of DBPROF_FAMILY, without the sweeps, which model/sweep adds. */
json_t *families_json(const struct model *model);

#endif
