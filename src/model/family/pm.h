/* pm.h: counters against time. */
#ifndef DBPROF_MODEL_FAMILY_PM_H
#define DBPROF_MODEL_FAMILY_PM_H

#include <jansson.h>

struct measured;
struct model;

json_t *pm_json(const struct model *model, const struct measured *m);

#endif
