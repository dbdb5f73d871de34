/* counters.h: hardware counters, and what is derived from them. */
#ifndef DBPROF_MODEL_FAMILY_COUNTERS_H
#define DBPROF_MODEL_FAMILY_COUNTERS_H

#include <jansson.h>

struct measured;
struct model;

/* F."metrics": what the values derived from counters are called and mean. */
json_t *metrics_json(const struct model *model);

/* "counters" of a variant's case; NULL if nothing was counted. A new reference. */
json_t *counters_of(const struct model *model, const struct measured *m);

#endif
