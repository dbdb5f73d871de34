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

/* Everything that had to be said: by the recording, and by the model, which may still add to it until this is called.
 * The model's own have an "id" and facts, of which words/diagnostics.c makes the text. */
json_t *diagnostics_json(const struct model *model);

#endif
