/* overlap.c: the G objects of the model: overlap of copies and kernels per GPU, and per NVTX range and GPU. */
#include "model/trace/overlap.h"

#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"

void gpu_sweeps_make(struct gpu_sweeps *sweeps, const struct trace *trace)
{
	sweeps->gpu = xcalloc(trace->ngpus + 1, sizeof(*sweeps->gpu));
}

void gpu_sweeps_free(struct gpu_sweeps *sweeps)
{
	free(sweeps->gpu);
}

/* What some threads share: each of them has some of the GPUs. */
struct sweeping {
	struct gpu_sweeps *sweeps;
	const struct trace *trace;
	size_t workers;
};

/* Threads write to memory of their own, which no other one has in its cache. */
static void sweep_some_gpus(void *user, size_t worker)
{
	const struct sweeping *sweeping = user;
	const struct trace *trace = sweeping->trace;
	struct gpu_sweep *own = xcalloc(trace->ngpus + 1, sizeof(*own));

	for (size_t i = 0; i < trace->nwork; i++) {
		uint32_t gpu = work_lane(trace, i)->gpu;

		if (gpu % sweeping->workers == worker)
			gpu_sweep_add(&own[gpu], trace, i);
	}
	for (size_t gpu = worker; gpu < trace->ngpus; gpu += sweeping->workers)
		sweeping->sweeps->gpu[gpu] = own[gpu];
	free(own);
}

void gpu_sweeps_fill(struct gpu_sweeps *sweeps, const struct trace *trace)
{
	struct sweeping sweeping = {sweeps, trace, trace_workers(trace, trace->nwork)};

	if (sweeping.workers > trace->ngpus)
		sweeping.workers = trace->ngpus ? trace->ngpus : 1;
	parallel_run(sweeping.workers, sweeping.workers, sweep_some_gpus, &sweeping);
}

json_t *gpu_sweeps_json(const struct gpu_sweeps *sweeps, const struct model *model)
{
	json_t *gpus = json_array();

	for (size_t g = 0; g < model->trace.ngpus; g++) {
		struct overlap_sweep sweep = sweeps->gpu[g].sweep;
		struct overlap overlap;

		if (sweeps->gpu[g].count == 0)
			continue;
		overlap_end(&sweep, &overlap);
		append_json(gpus, overlap_json(model, model->trace.gpus[g], &overlap));
	}
	return gpus;
}

void work_overlap(const struct trace *trace, const struct work_list *work, int device, struct overlap *out)
{
	struct overlap_sweep sweep = {0};

	for (size_t k = 0; k < work->n; k++) {
		const struct work_lane *lane = work_lane(trace, work->item[k]);

		if (lane->device == device)
			overlap_add(&sweep, &(struct device_work){trace->start[work->item[k]],
						    trace->end[work->item[k]], (enum work_class)lane->cls});
	}
	overlap_end(&sweep, out);
}

/* The name of a CUDA device. Exports number GPUs (id) and CUDA devices (cuDevice) separately. */
static json_t *device_name(const struct model *model, int device)
{
	struct rows rows = rows_all(&model->table[TABLE_GPU]);

	for (size_t i = 0; i < rows.count; i++) {
		if (row_int(&rows, i, model->trace.devices.column) == device)
			return row_json(&rows, i, GPU_name);
	}
	return json_null();
}

json_t *overlap_json(const struct model *model, int device, const struct overlap *overlap)
{
	json_t *g = json_object(), *busy = json_object();

	put_json(busy, "h2d", json_integer(overlap->busy[WORK_H2D]));
	put_json(busy, "d2h", json_integer(overlap->busy[WORK_D2H]));
	put_json(busy, "kernel", json_integer(overlap->busy[WORK_KERNEL]));
	put_json(busy, "other", json_integer(overlap->busy[WORK_OTHER]));
	put_json(busy, "copy", json_integer(overlap->busy_copy));
	put_json(busy, "all", json_integer(overlap->busy_all));
	put_json(g, "device", json_integer(device));
	put_json(g, "name", device_name(model, device));
	put_json(g, "span_ns", json_integer(overlap->span));
	put_json(g, "idle_ns", json_integer(overlap->idle));
	put_json(g, "busy_ns", busy);
	put_json(g, "overlap_ns", json_integer(overlap->overlap));
	put_json(g, "exposed_copy_ns", json_integer(overlap->exposed_copy));
	put_json(g, "exposed_h2d_ns", json_integer(overlap->exposed_h2d));
	put_json(g, "exposed_d2h_ns", json_integer(overlap->exposed_d2h));
	put_json(g, "duplex_ns", json_integer(overlap->duplex));
	put_json(g, "serial_ns", json_integer(overlap->serial));
	put_json(g, "floor_ns", json_integer(overlap->floor));
	put_json(g, "hideable_ns", json_integer(overlap->hideable));
	put_json(g, "overlap_ratio", real_json(overlap->overlap_ratio));
	put_json(g, "concurrency", real_json(overlap->concurrency));
	return g;
}
