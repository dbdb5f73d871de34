/* head.h: the head of a recording's tree: what it says of itself. */
#ifndef DBPROF_MODEL_HEAD_H
#define DBPROF_MODEL_HEAD_H

#include <jansson.h>

struct model;

/* When it was made; null if it does not say. */
json_t *created_json(const struct model *model);

json_t *versions_json(const struct model *model);

/* How each pass went, in the order of the recording. */
json_t *passes_json(const struct model *model);

/* The diagnostics of the recording, then those of the model. The model's have an "id" and facts: words/diagnostics.c
 * makes their text. To be called last, since building other parts of the tree may add some. */
json_t *diagnostics_json(const struct model *model);

#endif
