/* overlap.h: device work in numbers, per GPU. */
#ifndef DBPROF_MODEL_TRACE_OVERLAP_H
#define DBPROF_MODEL_TRACE_OVERLAP_H

#include <jansson.h>

#include "analyze/analyze.h"

struct model;
struct trace;
struct work_list;

/* The most G objects in a list of ranges or processes. Each takes kilobytes, and a recording may name any number of
 * GPUs. */
enum { GPUS_TOLD = 10000 };

/* Of the work on one device. */
void work_overlap(const struct trace *trace, const struct work_list *work, int device, struct overlap *out);

json_t *overlap_json(const struct model *model, int device, const struct overlap *overlap); /* G */

/* A sweep over the work of each GPU. */
struct gpu_sweeps {
	struct overlap_sweep *sweep; /* by place in trace.gpus; owned */
	size_t *count;               /* likewise: how many pieces it has */
};

void gpu_sweeps_make(struct gpu_sweeps *sweeps, const struct trace *trace);
void gpu_sweeps_free(struct gpu_sweeps *sweeps);

/* Adds piece `i`. Pieces come in order. */
void gpu_sweeps_add(struct gpu_sweeps *sweeps, const struct trace *trace, size_t i);

/* Adds all work. */
void gpu_sweeps_add_all(struct gpu_sweeps *sweeps, const struct trace *trace);

json_t *gpu_sweeps_json(const struct gpu_sweeps *sweeps, const struct model *model); /* [G], one per device seen */

#endif
