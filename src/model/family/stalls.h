/* stalls.h: PC samples by source line. */
#ifndef DBPROF_MODEL_FAMILY_STALLS_H
#define DBPROF_MODEL_FAMILY_STALLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyze/analyze.h"

struct measured;
struct model;

/* Of a variant's case; JSON null where the recording has nothing of it. */
json_t *stalls_json(const struct model *model, const struct measured *m);

/* The source line with most samples in a warp state. False without any; *file is borrowed. */
bool stalls_line_of(
	const struct model *model, const struct measured *m, enum warp_state state, const char **file, int64_t *line);

#endif
