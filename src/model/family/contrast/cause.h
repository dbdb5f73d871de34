/* cause.h: what makes the difference between single and double. docs/causes.md. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H

#include <jansson.h>

#include "analyze/analyze.h"

struct contrast;
struct measured;
struct timed_side;

/* A side of a family's pair: every launch of it is one of its own kernel, as the trace tells how often. */
struct timed_side timed_side_of(const struct measured *measured);

/* Fills contrast->sides and ->causes; the times, the ratio and the verdict must be there. */
void contrast_find_causes(struct contrast *contrast);

/* Adds "size", "time", "causes", "explained", "first_cause", "order", "pace" and "moved" to the contrast's object. */
void contrast_put_causes(json_t *object, const struct contrast *contrast);

/* The numbers of a cause: "id", "ns", "low", "high", "share", "named". */
void put_cause_part(json_t *object, const struct cause *cause, const struct causes *of);

/* Adds "explained", "first_cause" and "order". */
void put_cause_judgement(json_t *object, const struct causes *causes);

#endif
