/* prediction.h: how predictions did, over all families. */
#ifndef DBPROF_MODEL_SWEEP_PREDICTION_H
#define DBPROF_MODEL_SWEEP_PREDICTION_H

#include <jansson.h>

/* R."prediction", from R."families". */
json_t *prediction_json(const json_t *families);

#endif
