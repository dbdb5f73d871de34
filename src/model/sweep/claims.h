/* claims.h: what a tutorial says about when double buffering helps, answered from the sweeps. */
#ifndef DBPROF_MODEL_SWEEP_CLAIMS_H
#define DBPROF_MODEL_SWEEP_CLAIMS_H

#include <jansson.h>

/* R."claims", from R."families". */
json_t *claims_json(const json_t *families);

#endif
