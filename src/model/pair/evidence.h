/* evidence.h: the checks that a comparison's verdict has to pass. */
#ifndef DBPROF_MODEL_PAIR_EVIDENCE_H
#define DBPROF_MODEL_PAIR_EVIDENCE_H

#include "model/pair/compared.h"

/* Of the recordings as wholes. Fills in->comparable and in->shared_failed. */
json_t *shared_evidence_json(struct comparing *in);

/* Of one comparison. Appends the names of checks that failed. */
json_t *pair_evidence_json(const struct compared *compared, json_t *failed);

#endif
