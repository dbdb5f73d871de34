/* groups.h: NVTX ranges in numbers. */
#ifndef DBPROF_MODEL_TRACE_GROUPS_H
#define DBPROF_MODEL_TRACE_GROUPS_H

#include <jansson.h>

struct model;

/* Puts "ranges" into R, an entry for each name of NVTX ranges, with the device work of all of them; and
 * "ranges_left_out" if there are too many. */
void ranges_put(const struct model *model, json_t *recording);

#endif
