/* counters.h: hardware counters, and what is derived from them. */
#ifndef DBPROF_MODEL_FAMILY_COUNTERS_H
#define DBPROF_MODEL_FAMILY_COUNTERS_H

#include <jansson.h>

struct measured;
struct model;

/* F."metrics": what the values derived from counters are called and mean. */
json_t *metrics_json(const struct model *model);

/* "counters" of a variant's case into *out; NULL there if nothing was counted. */
int counters_of(const struct model *model, const struct measured *m, json_t **out);

/* A derived value, or NaN. */
double counter_value(const struct measured *m, const char *key);

#endif
