/* pays-lane.c: all work of one process on one GPU, with the streams and waits that put it in order. */
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/overlap.h"
#include "model/trace/pays-parts.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "util/alloc.h"
#include "util/number.h"

static int pays_lane_by_id(const void *left, const void *right)
{
	return int64_order(*(const int64_t *)left, *(const int64_t *)right);
}

static void ids_settle(struct ids *ids)
{
	size_t kept = 0;

	if (ids->n > 1)
		qsort(ids->id, ids->n, sizeof(*ids->id), pays_lane_by_id);
	for (size_t i = 0; i < ids->n; i++) {
		if (i == 0 || ids->id[i] != ids->id[kept - 1])
			ids->id[kept++] = ids->id[i];
	}
	ids->n = kept;
}

int32_t ids_find(const struct ids *ids, int64_t id)
{
	const int64_t *found = ids->n ? bsearch(&id, ids->id, ids->n, sizeof(id), pays_lane_by_id) : NULL;

	return found ? (int32_t)(found - ids->id) : -1;
}

/* Adds a number, unless it was also the last one. */
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
static void pays_lane_sort_work(const struct activity **work, size_t n, int (*compare)(const void *, const void *))
{
	for (size_t i = 1; i < n; i++) {
		if (compare(&work[i - 1], &work[i]) > 0) {
			qsort(work, n, sizeof(const struct activity *), compare);
			return;
		}
	}
}

static void find_ids(struct making *making)
{
	const struct pays_work *work = making->work;

	making->streams.id = xcalloc(work->lane.n + 1, sizeof(int64_t));
	making->threads.id = xcalloc(work->lane.n + 1, sizeof(int64_t));
	for (size_t i = 0; i < work->lane.n; i++) {
		ids_add(&making->streams, work->work[i]->stream);
		ids_add(&making->threads, work->work[i]->thread);
	}
	ids_settle(&making->streams);
	ids_settle(&making->threads);
}

/* The number of pageable memory among the memory kinds, or -1. */
static int pageable_kind(void)
{
	enum { KINDS = 32 };
	char memory[64];

	for (int kind = 0; kind < KINDS; kind++) {
		memory_words(kind, memory, sizeof(memory));
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

static void make_items(struct making *making)
{
	struct pays_work *work = making->work;
	struct pays_item *items = xcalloc(work->lane.n + 1, sizeof(*items));

	work->lane.item = items;
	work->call = xcalloc(work->lane.n + 1, sizeof(*work->call));
	for (size_t i = 0; i < work->lane.n; i++) {
		const struct activity *activity = work->work[i];
		const struct copy_call *call = NULL;

		if (activity->copy_kind != COPY_KIND_NONE)
			call = copy_call_of(making->calls, activity);
		if (call)
			work->call[i] = (uint32_t)(call - making->calls->copy) + 1;
		items[i] = (struct pays_item){
			.start = within_limit(activity->start),
			.end = within_limit(activity->end),
			.issue = within_limit(issue_of(activity)),
			.stream = ids_find(&making->streams, activity->stream),
			.thread = (uint32_t)ids_find(&making->threads, activity->thread) & 0xFFFFFF,
			.cls = activity->cls,
			.known = call_known(activity),
			.managed = activity->copy_kind == MIGRATION_IN || activity->copy_kind == MIGRATION_OUT,
			.pageable = is_pageable(making, activity),
			.blocking = call && call->blocking,
		};
	}
}

/* Work that is free as it is. */
static void find_free(struct pays_work *work, const int64_t *lost)
{
	for (size_t i = 0; i < work->lane.n; i++) {
		const struct pays_item *item = &work->lane.item[i];

		work->free_as_is[i] = is_copy_item(item) &&
				      (lost[i] * 2 <= item->end - item->start || work->reasons[i] == 1U << PAYS_NONE);
	}
}

static void pays_lane_find_reasons(struct pays_work *work)
{
	size_t n = work->lane.n;
	int64_t *size = xcalloc(n + 1, sizeof(*size)), *lost = xcalloc(n + 1, sizeof(*lost));

	for (size_t i = 0; i < n; i++)
		size[i] = work->work[i]->bytes;
	work->duplex_rate = pays_duplex_rate(work->lane.item, size, n);
	work->reasons = xcalloc(n + 1, sizeof(*work->reasons));
	work->free_as_is = xcalloc(n + 1, sizeof(*work->free_as_is));
	pays_reasons(&work->lane, work->reasons, lost);
	find_free(work, lost);
	free(size);
	free(lost);
}

static void make_lane(struct making *making)
{
	struct pays_work *work = making->work;

	pays_lane_sort_work(work->work, work->lane.n, by_issue);
	find_ids(making);
	make_items(making);
	make_streams(making);
	make_waits(making);
	make_joins(making);
	free(making->streams.id);
	free(making->threads.id);
	pays_lane_find_reasons(work);
}

/* By GPU first: what runs on a GPU hides a copy, whoever asked for it. */
static int pays_lane_by_lane(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->process != b->process)
		return int64_order(a->process, b->process);
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

void pays_lanes_make(struct pays_lanes *lanes, const struct model *model)
{
	*lanes = (struct pays_lanes){0};
	work_all(model, &lanes->all);
	pays_lane_sort_work(lanes->all.item, lanes->all.n, pays_lane_by_lane);
}

void pays_lanes_free(struct pays_lanes *lanes)
{
	free(lanes->all.item);
	free(lanes->kernels);
}

/* The kernels of the GPU whose work begins at lanes->next. */
static void find_kernels(struct pays_lanes *lanes)
{
	const struct work_list *all = &lanes->all;
	size_t end = lanes->next, n = 0;

	for (; end < all->n && all->item[end]->device == all->item[lanes->next]->device; end++)
		n += all->item[end]->cls == WORK_KERNEL;
	lanes->gpu_end = end;
	free(lanes->kernels);
	lanes->kernels = xcalloc(n + 1, sizeof(*lanes->kernels));
	n = 0;
	for (size_t i = lanes->next; i < end; i++) {
		const struct activity *work = all->item[i];

		if (work->cls == WORK_KERNEL)
			lanes->kernels[n++] = (struct interval){within_limit(work->start), within_limit(work->end)};
	}
	lanes->nkernels = intervals_union(lanes->kernels, n);
}

bool pays_lanes_next(
	struct pays_lanes *lanes, const struct model *model, const struct pays_calls *calls, struct pays_work *work)
{
	struct making making = {.model = model, .calls = calls, .work = work, .pageable = pageable_kind()};
	const struct work_list *all = &lanes->all;

	*work = (struct pays_work){.calls = calls};
	while (lanes->next < all->n) {
		size_t first = lanes->next, end = first;

		if (first == lanes->gpu_end)
			find_kernels(lanes);
		while (end < all->n && same_lane(all->item[first], all->item[end]))
			end++;
		lanes->next = end;
		if (!has_both(all->item + first, end - first))
			continue;
		work->process = all->item[first]->process;
		work->device = all->item[first]->device;
		work->work = all->item + first;
		work->lane =
			(struct pays_lane){.n = end - first, .kernels = lanes->kernels, .nkernels = lanes->nkernels};
		make_lane(&making);
		return true;
	}
	return false;
}

void pays_work_free(struct pays_work *work)
{
	free(work->call);
	free(work->reasons);
	free(work->free_as_is);
	free((void *)work->lane.item);
	free((void *)work->lane.stream);
	free((void *)work->lane.wait);
	free((void *)work->lane.join);
}
