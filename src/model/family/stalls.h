/* stalls.h: PC samples by source line. */
#ifndef DBPROF_MODEL_FAMILY_STALLS_H
#define DBPROF_MODEL_FAMILY_STALLS_H

#include <jansson.h>

struct measured;
struct model;

/* Of a variant's case; JSON null where the recording has nothing of it. */
json_t *stalls_json(const struct model *model, const struct measured *m);

#endif
