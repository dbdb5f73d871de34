/* fastest.h: the fastest with one buffer against the fastest with several. */
#ifndef DBPROF_MODEL_FAMILY_FASTEST_H
#define DBPROF_MODEL_FAMILY_FASTEST_H

#include <jansson.h>

struct measured;
struct model;
struct rivals;

/* F."fastest" of a case: the fastest variant with one buffer against the fastest with several, and the fastest
 * reference against the family's double (may be NULL); JSON null unless there are the first two. */
json_t *fastest_json(const struct model *model, const struct rivals *rivals, const struct measured *dbl);

/* The fastest reference that computes, such as a library; NULL if there is none. */
const struct measured *reference_fastest(const struct rivals *rivals);

/* The line that a ladder climbs to: the same, or the fastest copy of a family that has no other reference. */
const struct measured *reference_of_ladder(const struct rivals *rivals);

#endif
