/* evidence.h: the checks of the evidence of a contrast. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_EVIDENCE_H
#define DBPROF_MODEL_FAMILY_CONTRAST_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>

struct contrast;
struct model;

/* [E], without the sentences. Fills *ok: no check failed. */
json_t *evidence_json(const struct model *model, const struct contrast *contrast, bool *ok);

#endif
