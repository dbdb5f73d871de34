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

/* The trace stands by start, so the address of a piece of work gives its place. */
static int overlap_by_place(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	return (a > b) - (a < b);
}

/* The work by start: the list itself, or a copy that *copy owns. */
static const struct activity *const *trace_overlap_in_order(const struct work_list *work, const struct activity ***copy)
{
	*copy = NULL;
	for (size_t i = 1; i < work->n; i++) {
		if (work->item[i] > work->item[i - 1])
			continue;
		*copy = xmemdup(work->item, work->n * sizeof(**copy));
		qsort(*copy, work->n, sizeof(**copy), overlap_by_place);
		return *copy;
	}
	return work->item;
}

static int overlap_by_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* Fills out[] for each of `n` devices, which are sorted. Leaves out work on other devices. */
static void overlap_on(const struct work_list *work, const int *devices, size_t n, struct overlap *out)
{
	struct overlap_sweep *sweeps = xcalloc(n + 1, sizeof(*sweeps));
	const struct activity **copy = NULL;
	const struct activity *const *items = trace_overlap_in_order(work, &copy);
	const int *device = devices;

	for (size_t i = 0; i < work->n; i++) {
		const struct activity *item = items[i];

		if (!device || *device != item->device)
			/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): where work is, is its device */
			device = bsearch(&item->device, devices, n, sizeof(*devices), overlap_by_number);
		if (device)
			overlap_add(
				&sweeps[device - devices], &(struct device_work){item->start, item->end, item->cls});
	}
	for (size_t k = 0; k < n; k++)
		overlap_end(&sweeps[k], &out[k]);
	free(copy);
	free(sweeps);
}

void work_overlap(const struct work_list *work, int device, struct overlap *out)
{
	overlap_on(work, &device, 1, out);
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

/* The distinct devices of some work, ascending, for free(). Counts runs of work on one device to find the room. */
static int *devices_of(const struct work_list *work, size_t *count)
{
	size_t runs = work->n > 0, distinct = 0;
	int *devices;

	for (size_t i = 1; i < work->n; i++)
		runs += work->item[i]->device != work->item[i - 1]->device;
	devices = xcalloc(runs + 1, sizeof(*devices));
	runs = 0;
	for (size_t i = 0; i < work->n; i++) {
		if (i == 0 || work->item[i]->device != work->item[i - 1]->device)
			devices[runs++] = work->item[i]->device;
	}
	if (runs > 1)
		qsort(devices, runs, sizeof(*devices), overlap_by_number);
	for (size_t i = 0; i < runs; i++) {
		if (distinct == 0 || devices[distinct - 1] != devices[i])
			devices[distinct++] = devices[i];
	}
	*count = distinct;
	return devices;
}

json_t *gpus_json(const struct model *model, const struct work_list *work)
{
	size_t n;
	int *devices = devices_of(work, &n);
	struct overlap *overlaps = xcalloc(n + 1, sizeof(*overlaps));
	json_t *gpus = json_array();

	overlap_on(work, devices, n, overlaps);
	for (size_t i = 0; i < n; i++)
		append_json(gpus, overlap_json(model, devices[i], &overlaps[i]));
	free(devices);
	free(overlaps);
	return gpus;
}

void work_all(const struct model *model, struct work_list *out)
{
	const struct trace *trace = &model->trace;

	*out = (struct work_list){.item = xcalloc(trace->nwork + 1, sizeof(*out->item))};
	for (size_t i = 0; i < trace->nwork; i++)
		out->item[out->n++] = &trace->work[i];
}

json_t *all_gpus_json(const struct model *model)
{
	struct work_list work;
	json_t *gpus;

	work_all(model, &work);
	gpus = gpus_json(model, &work);
	free(work.item);
	return gpus;
}
