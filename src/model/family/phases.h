/* phases.h: time stamps inside a block. */
#ifndef DBPROF_MODEL_FAMILY_PHASES_H
#define DBPROF_MODEL_FAMILY_PHASES_H

#include <jansson.h>

struct measured;
struct model;

json_t *phases_json(const struct model *model, const struct measured *m);

#endif
