/* barrier.h: barrier stall, each way it is measured. */
#ifndef DBPROF_MODEL_FAMILY_BARRIER_H
#define DBPROF_MODEL_FAMILY_BARRIER_H

#include <jansson.h>

struct barrier;
struct measured;
struct model;

/* After counters_of(). */
void barrier_of(const struct model *model, const struct measured *m, struct barrier *out);

json_t *barrier_json(const struct barrier *barrier);

#endif
