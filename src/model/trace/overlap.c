/* overlap.c: the G objects of the model: overlap of copies and kernels per GPU, and per NVTX range and GPU. */
#include "model/trace/overlap.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "tree/json.h"

/* The trace stands by start, so the address of a piece of work gives its place. */
static int overlap_by_place(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	return (a > b) - (a < b);
}

/* The work by start: the list itself, or a copy that *copy owns. NULL without memory. */
static const struct activity *const *trace_overlap_in_order(const struct work_list *work, const struct activity ***copy)
{
	*copy = NULL;
	for (size_t i = 1; i < work->n; i++) {
		if (work->item[i] > work->item[i - 1])
			continue;
		*copy = malloc(work->n * sizeof(**copy));
		if (!*copy)
			return NULL;
		memcpy(*copy, work->item, work->n * sizeof(**copy));
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

/* Of the work on each of `n` devices, which are sorted, into out[]. Work on others is left out. */
static int overlap_on(const struct work_list *work, const int *devices, size_t n, struct overlap *out)
{
	struct overlap_sweep *sweeps = calloc(n + 1, sizeof(*sweeps));
	const struct activity **copy = NULL;
	const struct activity *const *items = trace_overlap_in_order(work, &copy);
	const int *device = devices;
	int result = sweeps && (items || work->n == 0) ? 0 : -1;

	for (size_t i = 0; i < work->n && result == 0; i++) {
		const struct activity *item = items[i];

		if (!device || *device != item->device)
			/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): where work is, is its device */
			device = bsearch(&item->device, devices, n, sizeof(*devices), overlap_by_number);
		if (device)
			overlap_add(
				&sweeps[device - devices], &(struct device_work){item->start, item->end, item->cls});
	}
	for (size_t k = 0; k < n && result == 0; k++)
		overlap_end(&sweeps[k], &out[k]);
	free(copy);
	free(sweeps);
	return result;
}

int work_overlap(const struct work_list *work, int device, struct overlap *out)
{
	return overlap_on(work, &device, 1, out);
}

/* Name of a CUDA device: exports number GPUs (id) and CUDA devices (cuDevice) separately. */
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
	int bad = 0;

	bad |= put_json(busy, "h2d", json_integer(overlap->busy[WORK_H2D]));
	bad |= put_json(busy, "d2h", json_integer(overlap->busy[WORK_D2H]));
	bad |= put_json(busy, "kernel", json_integer(overlap->busy[WORK_KERNEL]));
	bad |= put_json(busy, "other", json_integer(overlap->busy[WORK_OTHER]));
	bad |= put_json(busy, "copy", json_integer(overlap->busy_copy));
	bad |= put_json(busy, "all", json_integer(overlap->busy_all));
	bad |= put_json(g, "device", json_integer(device));
	bad |= put_json(g, "name", device_name(model, device));
	bad |= put_json(g, "span_ns", json_integer(overlap->span));
	bad |= put_json(g, "idle_ns", json_integer(overlap->idle));
	bad |= put_json(g, "busy_ns", busy);
	bad |= put_json(g, "overlap_ns", json_integer(overlap->overlap));
	bad |= put_json(g, "exposed_copy_ns", json_integer(overlap->exposed_copy));
	bad |= put_json(g, "exposed_h2d_ns", json_integer(overlap->exposed_h2d));
	bad |= put_json(g, "exposed_d2h_ns", json_integer(overlap->exposed_d2h));
	bad |= put_json(g, "duplex_ns", json_integer(overlap->duplex));
	bad |= put_json(g, "serial_ns", json_integer(overlap->serial));
	bad |= put_json(g, "floor_ns", json_integer(overlap->floor));
	bad |= put_json(g, "hideable_ns", json_integer(overlap->hideable));
	bad |= put_json(g, "overlap_ratio", real_json(overlap->overlap_ratio));
	bad |= put_json(g, "concurrency", real_json(overlap->concurrency));
	return built_json(g, bad);
}

/* The distinct devices of some work, ascending, into *out, which the caller frees. Work comes in runs of one device. */
static int devices_of(const struct work_list *work, int **out, size_t *count)
{
	size_t runs = work->n > 0, distinct = 0;
	int *devices;

	for (size_t i = 1; i < work->n; i++)
		runs += work->item[i]->device != work->item[i - 1]->device;
	devices = *out = malloc((runs + 1) * sizeof(*devices));
	if (!devices)
		return -1;
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
	return 0;
}

json_t *gpus_json(const struct model *model, const struct work_list *work)
{
	struct overlap *overlaps = NULL;
	int *devices = NULL;
	size_t n = 0;
	json_t *gpus = json_array();
	int bad = devices_of(work, &devices, &n);

	if (!bad) {
		overlaps = calloc(n + 1, sizeof(*overlaps));
		bad = overlaps ? overlap_on(work, devices, n, overlaps) : -1;
	}
	for (size_t i = 0; i < n && !bad; i++)
		bad |= append_json(gpus, overlap_json(model, devices[i], &overlaps[i]));
	free(devices);
	free(overlaps);
	return built_json(gpus, bad);
}

int work_all(const struct model *model, struct work_list *out)
{
	const struct trace *trace = &model->trace;

	*out = (struct work_list){.item = calloc(trace->nwork + 1, sizeof(*out->item))};
	if (!out->item)
		return -1;
	for (size_t i = 0; i < trace->nwork; i++)
		out->item[out->n++] = &trace->work[i];
	return 0;
}

json_t *all_gpus_json(const struct model *model)
{
	struct work_list work;
	json_t *gpus;

	if (work_all(model, &work) < 0)
		return NULL;
	gpus = gpus_json(model, &work);
	free(work.item);
	return gpus;
}
