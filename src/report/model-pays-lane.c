/* model-pays-lane.c: all work of one process on one GPU, with the streams and waits that put it in order. */
#include <stdlib.h>
#include <string.h>

#include "report/model-pays.h"

static int by_id(const void *left, const void *right)
{
	return int64_order(*(const int64_t *)left, *(const int64_t *)right);
}

static void ids_settle(struct ids *ids)
{
	size_t kept = 0;

	if (ids->n > 1)
		qsort(ids->id, ids->n, sizeof(*ids->id), by_id);
	for (size_t i = 0; i < ids->n; i++) {
		if (i == 0 || ids->id[i] != ids->id[kept - 1])
			ids->id[kept++] = ids->id[i];
	}
	ids->n = kept;
}

int32_t ids_find(const struct ids *ids, int64_t id)
{
	const int64_t *found = ids->n ? bsearch(&id, ids->id, ids->n, sizeof(id), by_id) : NULL;

	return found ? (int32_t)(found - ids->id) : -1;
}

/* Adds what differs from the one added last. */
static void ids_add(struct ids *ids, int64_t id)
{
	if (ids->n == 0 || ids->id[ids->n - 1] != id)
		ids->id[ids->n++] = id;
}

static int64_t issue_of(const struct activity *work)
{
	return call_known(work) ? work->called : work->start;
}

static int by_issue(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;
	int order = int64_order(issue_of(a), issue_of(b));

	return order ? order : (a > b) - (a < b);
}

/* Most often it is in order. */
static void sort_work(const struct activity **work, size_t n, int (*compare)(const void *, const void *))
{
	for (size_t i = 1; i < n; i++) {
		if (compare(&work[i - 1], &work[i]) > 0) {
			qsort(work, n, sizeof(const struct activity *), compare);
			return;
		}
	}
}

static int find_ids(struct making *making)
{
	const struct pays_work *work = making->work;

	making->streams.id = calloc(work->lane.n + 1, sizeof(int64_t));
	making->threads.id = calloc(work->lane.n + 1, sizeof(int64_t));
	if (!making->streams.id || !making->threads.id)
		return -1;
	for (size_t i = 0; i < work->lane.n; i++) {
		ids_add(&making->streams, work->work[i]->stream);
		ids_add(&making->threads, work->work[i]->thread);
	}
	ids_settle(&making->streams);
	ids_settle(&making->threads);
	return 0;
}

/* The file's own number for pageable memory, or -1. */
static int pageable_kind(const struct model *model)
{
	enum { KINDS = 32 };
	char memory[64];

	for (int kind = 0; kind < KINDS; kind++) {
		memory_words(model, kind, memory, sizeof(memory));
		if (strcmp(memory, "pageable") == 0)
			return kind;
	}
	return -1;
}

static bool is_pageable(const struct making *making, const struct activity *work)
{
	bool copy = work->cls == WORK_H2D || work->cls == WORK_D2H;

	return copy && making->pageable >= 0 && copy_memory(work) == making->pageable;
}

static int make_items(struct making *making)
{
	struct pays_work *work = making->work;
	struct pays_item *items = calloc(work->lane.n + 1, sizeof(*items));

	work->lane.item = items;
	work->call = calloc(work->lane.n + 1, sizeof(const struct copy_call *));
	if (!items || !work->call)
		return -1;
	for (size_t i = 0; i < work->lane.n; i++) {
		const struct activity *activity = work->work[i];

		if (activity->copy_kind != COPY_KIND_NONE)
			work->call[i] = copy_call_of(making->calls, activity);
		items[i] = (struct pays_item){
			.start = within_limit(activity->start),
			.end = within_limit(activity->end),
			.issue = within_limit(issue_of(activity)),
			.stream = ids_find(&making->streams, activity->stream),
			.thread = ids_find(&making->threads, activity->thread),
			.cls = (uint8_t)activity->cls,
			.known = call_known(activity),
			.pageable = is_pageable(making, activity),
			.blocking = work->call[i] && work->call[i]->blocking,
		};
	}
	return 0;
}

static int by_device(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a > b) - (a < b);
}

/* The kernels of one GPU out of a list that is sorted by device; returns where the next GPU begins. */
static size_t unite_gpu(const struct work_list *all, size_t first, struct gpu_kernels *gpu)
{
	size_t end = first;

	gpu->device = all->item[first]->device;
	for (; end < all->n && all->item[end]->device == gpu->device; end++) {
		const struct activity *work = all->item[end];

		if (work->cls == WORK_KERNEL)
			gpu->kernel[gpu->n++] = (struct interval){within_limit(work->start), within_limit(work->end)};
	}
	gpu->n = intervals_union(gpu->kernel, gpu->n);
	return end;
}

/* What runs on a GPU hides a copy, whoever asked for it: the kernels of all processes. */
static int make_kernels(struct pays_lanes *lanes, const struct work_list *all)
{
	size_t end;

	sort_work(all->item, all->n, by_device);
	lanes->kernels = calloc(all->n + 1, sizeof(*lanes->kernels));
	if (!lanes->kernels)
		return -1;
	for (size_t first = 0; first < all->n; first = end) {
		struct gpu_kernels *gpus = realloc(lanes->gpu, (lanes->ngpus + 1) * sizeof(*gpus));

		if (!gpus)
			return -1;
		lanes->gpu = gpus;
		gpus[lanes->ngpus] = (struct gpu_kernels){.kernel = lanes->kernels + first};
		end = unite_gpu(all, first, &gpus[lanes->ngpus++]);
	}
	return 0;
}

static void find_kernels(const struct pays_lanes *lanes, struct pays_work *work)
{
	size_t low = 0, high = lanes->ngpus;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lanes->gpu[middle].device < work->device)
			low = middle + 1;
		else
			high = middle;
	}
	work->lane.kernels = lanes->gpu[low].kernel;
	work->lane.nkernels = lanes->gpu[low].n;
}

static int find_reasons(struct pays_work *work)
{
	int64_t *size = calloc(work->lane.n + 1, sizeof(*size));
	int result = -1;

	work->reasons = calloc(work->lane.n + 1, sizeof(*work->reasons));
	work->lost = calloc(work->lane.n + 1, sizeof(*work->lost));
	work->node = calloc(work->lane.n + 1, sizeof(*work->node));
	if (size && work->reasons && work->lost && work->node) {
		for (size_t i = 0; i < work->lane.n; i++)
			size[i] = work->work[i]->bytes;
		result = pays_duplex_rate(work->lane.item, size, work->lane.n, &work->duplex_rate);
		result |= pays_reasons(&work->lane, work->reasons, work->lost);
	}
	free(size);
	return result;
}

static int make_lane(struct making *making)
{
	struct pays_work *work = making->work;
	int result;

	sort_work(work->work, work->lane.n, by_issue);
	result = find_ids(making);
	if (result == 0)
		result = make_items(making);
	if (result == 0)
		result = make_streams(making);
	if (result == 0)
		result = make_waits(making);
	if (result == 0)
		result = make_joins(making);
	free(making->streams.id);
	free(making->threads.id);
	return result == 0 ? find_reasons(work) : -1;
}

static int by_lane(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a > b) - (a < b);
}

static bool same_lane(const struct activity *a, const struct activity *b)
{
	return a->process == b->process && a->device == b->device;
}

/* Copies and kernels both: else there is nothing to overlap. */
static bool has_both(const struct activity *const *work, size_t n)
{
	bool copies = false, kernels = false;

	for (size_t i = 0; i < n && !(copies && kernels); i++) {
		copies = copies || work[i]->cls == WORK_H2D || work[i]->cls == WORK_D2H;
		kernels = kernels || work[i]->cls == WORK_KERNEL;
	}
	return copies && kernels;
}

static struct pays_work *add_lane(struct pays_lanes *lanes, const struct activity **work, size_t count)
{
	struct pays_work *lane;

	if (lanes->n == lanes->room) {
		size_t more = lanes->room ? lanes->room * 2 : 8;
		struct pays_work *grown = realloc(lanes->item, more * sizeof(*grown));

		if (!grown)
			return NULL;
		lanes->item = grown;
		lanes->room = more;
	}
	lane = &lanes->item[lanes->n++];
	*lane = (struct pays_work){.process = work[0]->process, .device = work[0]->device, .lane.n = count};
	lane->work = calloc(count + 1, sizeof(const struct activity *));
	if (!lane->work)
		return NULL;
	memcpy(lane->work, work, count * sizeof(const struct activity *));
	find_kernels(lanes, lane);
	return lane;
}

/* `all` is sorted by lane. */
static int make_lanes(
	struct pays_lanes *lanes, const struct model *model, const struct pays_calls *calls, struct work_list *all)
{
	int pageable = pageable_kind(model), result = 0;

	for (size_t first = 0, end; first < all->n && result == 0; first = end) {
		struct making making = {.model = model, .calls = calls, .pageable = pageable};

		for (end = first + 1; end < all->n && same_lane(all->item[first], all->item[end]); end++)
			continue;
		if (!has_both(all->item + first, end - first))
			continue;
		making.work = add_lane(lanes, all->item + first, end - first);
		result = making.work ? make_lane(&making) : -1;
	}
	return result;
}

int pays_lanes_make(struct pays_lanes *lanes, const struct model *model, const struct pays_calls *calls)
{
	struct work_list all;
	int result;

	*lanes = (struct pays_lanes){0};
	if (work_all(model, &all) < 0)
		return -1;
	result = make_kernels(lanes, &all);
	if (result == 0) {
		sort_work(all.item, all.n, by_lane);
		result = make_lanes(lanes, model, calls, &all);
	}
	free(all.item);
	return result;
}

void pays_lanes_free(struct pays_lanes *lanes)
{
	for (size_t i = 0; i < lanes->n; i++) {
		struct pays_work *work = &lanes->item[i];

		free(work->work);
		free(work->call);
		free(work->node);
		free(work->reasons);
		free(work->lost);
		free((void *)work->lane.item);
		free((void *)work->lane.stream);
		free((void *)work->lane.wait);
		free((void *)work->lane.join);
	}
	free(lanes->item);
	free(lanes->gpu);
	free(lanes->kernels);
}
