/* overlap.h: device work in numbers, per GPU. */
#ifndef DBPROF_MODEL_TRACE_OVERLAP_H
#define DBPROF_MODEL_TRACE_OVERLAP_H

#include <jansson.h>

#include "analyze/analyze.h"
#include "model/trace/trace.h"

struct model;
struct work_list;

/* The most G objects in a list of ranges or processes. Each takes kilobytes, and a recording may name any number of
 * GPUs. */
enum { GPUS_TOLD = 10000 };

/* Of the work on one device. */
void work_overlap(const struct trace *trace, const struct work_list *work, int device, struct overlap *out);

json_t *overlap_json(const struct model *model, int device, const struct overlap *overlap); /* G */

/* A sweep over work of one GPU. */
struct gpu_sweep {
	struct overlap_sweep sweep;
	size_t count; /* of pieces */
};

/* One for each GPU. */
struct gpu_sweeps {
	struct gpu_sweep *gpu; /* by place in trace.gpus; owned */
};

void gpu_sweeps_make(struct gpu_sweeps *sweeps, const struct trace *trace);
void gpu_sweeps_free(struct gpu_sweeps *sweeps);

/* Adds piece `i`, which is on the GPU. Pieces come in order. */
static inline void gpu_sweep_add(struct gpu_sweep *sweep, const struct trace *trace, size_t i)
{
	sweep->count++;
	overlap_add(&sweep->sweep,
		&(struct device_work){trace->start[i], trace->end[i], (enum work_class)work_lane(trace, i)->cls});
}

/* Fills it with all work. */
void gpu_sweeps_fill(struct gpu_sweeps *sweeps, const struct trace *trace);

json_t *gpu_sweeps_json(const struct gpu_sweeps *sweeps, const struct model *model); /* [G], one per device seen */

#endif
