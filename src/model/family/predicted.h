/* predicted.h: what was predicted before a case was timed, how that went, and the constants it was made from. */
#ifndef DBPROF_MODEL_FAMILY_PREDICTED_H
#define DBPROF_MODEL_FAMILY_PREDICTED_H

#include <jansson.h>
#include <stddef.h>

struct model;

/* P, from DBPROF_PREDICTION; JSON null where nothing was predicted. */
json_t *predicted_json(
	const struct model *model, const char *family, const char *label, const char *single, const char *dbl);

/* F."machine": the constants of the prediction. */
json_t *machine_json(const struct model *model, const char *family);

/* S, a score, over the elements of some arrays that have "predicted", "speedup" and "verdict", but for points at which
 * nothing can overlap; JSON null if none has both a prediction and a speed-up. */
json_t *score_json(const json_t *const *lists, size_t nlists);

#endif
