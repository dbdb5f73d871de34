/* overlap.h: device work in numbers, per GPU. */
#ifndef DBPROF_MODEL_TRACE_OVERLAP_H
#define DBPROF_MODEL_TRACE_OVERLAP_H

#include <jansson.h>

#include "analyze/analyze.h"

struct model;
struct work_list;

/* The most G objects in a list of ranges or processes. Each takes kilobytes, and a recording may name any number of
 * GPUs. */
enum { GPUS_TOLD = 10000 };

/* Of the work on one device. */
void work_overlap(const struct work_list *work, int device, struct overlap *out);

json_t *overlap_json(const struct model *model, int device, const struct overlap *overlap); /* G */

json_t *gpus_json(const struct model *model, const struct work_list *work); /* [G], one per device */

json_t *all_gpus_json(const struct model *model);

/* All device work; out->item is for free(). */
void work_all(const struct model *model, struct work_list *out);

#endif
