/* cause-parts.h: what a cause stands with in the tree; private to cause*.c. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_PARTS_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "analyze/analyze.h"

struct contrast;
struct measured;

/* The side that has more of a cause: single where double gains by it. */
const struct measured *cause_side_with_more(const struct contrast *c, const struct cause *cause);

/* What counters gave for the launch of one side, 0 or 1. */
void read_counters(const struct contrast *c, int side, struct counted *out);
/* The key of a counter in a set of states: STALL_PREFIX and a reason. */
bool is_state_key(const char *key);
enum warp_state state_of_key(const char *key);
/* The state that a cause is about; false if it is about none. */
bool state_of_cause(enum cause_id id, enum warp_state *state);

json_t *evidence_of_cause(const struct contrast *c, const struct cause *cause); /* "evidence": a list */
json_t *place_of_cause(const struct contrast *c, const struct cause *cause);    /* "where", or JSON null */
json_t *pace_json(const struct contrast *c);                                    /* "pace", or JSON null */

/* "moved": at most so many, those that changed most first: counters of kernels, times of a pipeline's trace. */
enum { MOVED = 5 };
json_t *moved_counters(const struct contrast *c);
json_t *moved_trace(const struct contrast *c);

/* A column of the counter's row in DBPROF_METRIC, or "". */
const char *counter_text(const struct contrast *c, const char *key, int column);
/* {"metric", "title", "single", "double", "unit", "pass"} of a counter. */
json_t *counter_evidence(const struct contrast *c, const char *key);

#endif
