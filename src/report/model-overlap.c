/* model-overlap.c: the G objects of the model: overlap of copies and kernels per GPU, and per NVTX range and GPU. */
#include <stdlib.h>

#include "report/model.h"

int work_overlap(const struct work_list *work, int device, struct overlap *out)
{
	struct device_work *part = calloc(work->n + 1, sizeof(*part));
	size_t n = 0;
	int result;

	if (!part)
		return -1;
	for (size_t i = 0; i < work->n; i++) {
		const struct activity *item = work->item[i];

		if (item->device == device)
			part[n++] = (struct device_work){item->start, item->end, item->cls};
	}
	result = overlap_compute(part, n, out);
	free(part);
	return result;
}

/* Name of a CUDA device: exports number GPUs (id) and CUDA devices (cuDevice) separately. */
static json_t *device_name(const struct model *model, int device)
{
	struct rows rows = rows_all(&model->table[TABLE_GPU]);

	for (size_t i = 0; i < rows.count; i++) {
		int column = row_null(&rows, i, GPU_cuDevice) ? GPU_id : GPU_cuDevice;

		if (row_int(&rows, i, column) == device)
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
	bad |= put_json(g, "hideable_ns", json_integer(overlap->hideable));
	bad |= put_json(g, "overlap_ratio", real_json(overlap->overlap_ratio));
	bad |= put_json(g, "concurrency", real_json(overlap->concurrency));
	return built_json(g, bad);
}

static int by_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* The distinct devices of some work, ascending; `devices` has room for work->n. Work comes in runs of one device. */
static size_t devices_of(const struct work_list *work, int *devices)
{
	size_t n = 0, distinct = 0;

	for (size_t i = 0; i < work->n; i++) {
		if (n == 0 || devices[n - 1] != work->item[i]->device)
			devices[n++] = work->item[i]->device;
	}
	if (n > 1)
		qsort(devices, n, sizeof(*devices), by_number);
	for (size_t i = 0; i < n; i++) {
		if (distinct == 0 || devices[distinct - 1] != devices[i])
			devices[distinct++] = devices[i];
	}
	return distinct;
}

json_t *gpus_json(const struct model *model, const struct work_list *work)
{
	int *devices = calloc(work->n + 1, sizeof(*devices));
	json_t *gpus = json_array();
	int bad = !devices;
	size_t n = devices ? devices_of(work, devices) : 0;

	for (size_t i = 0; i < n && !bad; i++) {
		struct overlap overlap;

		bad |= work_overlap(work, devices[i], &overlap);
		if (!bad)
			bad |= append_json(gpus, overlap_json(model, devices[i], &overlap));
	}
	free(devices);
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
