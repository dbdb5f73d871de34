/* part-json.h: what of a recording was read, in its tree. */
#ifndef DBPROF_MODEL_PART_PART_JSON_H
#define DBPROF_MODEL_PART_PART_JSON_H

#include <jansson.h>

#include "model/part/wish.h"

struct store;

/* The facts of a part of the store: "part" of R; NULL if all was read. */
json_t *json_of_part(const struct part *part, const struct store *store);

/* A diagnostic: work of other threads was left out. NULL if none was. */
json_t *other_threads_json(const struct part *part, const struct store *store);

#endif
