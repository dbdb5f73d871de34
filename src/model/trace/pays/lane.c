/* lane.c: all work of one process on one GPU, with the streams and waits that put it in order. */
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/recording.h"
#include "model/trace/comm/comm.h"
#include "model/trace/overlap.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "util/alloc.h"
#include "analyze/sort.h"
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

int64_t pays_issue(const struct trace *trace, size_t i)
{
	return call_known(trace, i) ? trace->called[i] : trace->start[i];
}

/* A piece of work and when the host asked for it. */
struct issued {
	int64_t issue;
	uint32_t work;
};

static int by_issue(const void *left, const void *right)
{
	const struct issued *a = left, *b = right;
	int order = int64_order(a->issue, b->issue);

	return order ? order : (a->work > b->work) - (a->work < b->work);
}

/* Puts work in the order of issue. */
static void order_by_issue(const struct trace *trace, uint32_t *work, size_t n)
{
	struct issued *issued = xreallocarray(NULL, n + 1, sizeof(*issued));
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		issued[i] = (struct issued){pays_issue(trace, work[i]), work[i]};
		sorted = sorted && (i == 0 || by_issue(&issued[i - 1], &issued[i]) < 0);
	}
	if (!sorted)
		sort_runs(issued, n, sizeof(*issued), by_issue);
	for (size_t i = 0; i < n; i++)
		work[i] = issued[i].work;
	free(issued);
}

static void find_ids(struct making *making)
{
	const struct pays_work *work = making->work;

	making->streams.id = xcalloc(work->lane.n + 1, sizeof(int64_t));
	making->threads.id = xcalloc(work->lane.n + 1, sizeof(int64_t));
	for (size_t i = 0; i < work->lane.n; i++) {
		ids_add(&making->streams, work_lane(making->trace, work->work[i])->stream);
		ids_add(&making->threads, work_thread(making->trace, work->work[i]));
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

static bool is_pageable(const struct making *making, size_t i)
{
	const struct work_copy *copy = work_copy(making->trace, i);
	uint8_t cls = work_lane(making->trace, i)->cls;

	return (cls == WORK_H2D || cls == WORK_D2H) && making->pageable >= 0 &&
	       copy_memory_kind(copy->kind, copy->source, copy->target) == making->pageable;
}

static struct pays_item make_item(const struct making *making, size_t k)
{
	const struct trace *trace = making->trace;
	const struct work_copy *call = call_of_item(making->work, k);
	size_t i = making->work->work[k];
	int kind = work_copy_kind(trace, i);

	return (struct pays_item){
		.start = within_limit(trace->start[i]),
		.end = within_limit(trace->end[i]),
		.issue = within_limit(pays_issue(trace, i)),
		.stream = ids_find(&making->streams, work_lane(trace, i)->stream),
		.thread = (uint32_t)ids_find(&making->threads, work_thread(trace, i)) & 0xFFFFFF,
		.cls = work_lane(trace, i)->cls,
		.known = call_known(trace, i),
		.managed = kind == MIGRATION_IN || kind == MIGRATION_OUT,
		.pageable = is_pageable(making, i),
		.blocking = call && call->blocking,
	};
}

static void make_items(struct making *making)
{
	struct pays_work *work = making->work;
	struct pays_item *items = xcalloc(work->lane.n + 1, sizeof(*items));

	work->lane.item = items;
	for (size_t k = 0; k < work->lane.n; k++)
		items[k] = make_item(making, k);
}

static int64_t bytes_of_item(const struct pays_work *work, size_t i)
{
	const struct work_copy *copy = work_copy(work->trace, work->work[i]);

	return copy ? copy->bytes : -1;
}

static void pays_lane_find_reasons(struct pays_work *work)
{
	size_t n = work->lane.n;
	int64_t *size = xcalloc(n + 1, sizeof(*size)), *lost = xcalloc(n + 1, sizeof(*lost));

	for (size_t i = 0; i < n; i++)
		size[i] = bytes_of_item(work, i);
	work->duplex_rate = pays_duplex_rate(work->lane.item, size, n);
	work->reasons = xcalloc(n + 1, sizeof(*work->reasons));
	pays_reasons(&work->lane, work->reasons, lost);
	free(size);
	free(lost);
}

/* ---- kernels of the GPUs ---- */

/* What is known of names: most kernels have one of a few. */
struct known_kernels {
	struct {
		uint32_t name; /* 0: nothing is known here */
		bool communicates;
	} known[256];
};

static bool known_to_communicate(struct known_kernels *names, const struct trace *trace, uint32_t name)
{
	size_t at = name % (sizeof(names->known) / sizeof(names->known[0]));

	if (names->known[at].name != name) {
		names->known[at].name = name;
		names->known[at].communicates = kernel_communicates(texts_text(trace->texts, name));
	}
	return names->known[at].communicates;
}

void pays_kernels_make(struct pays_kernels *kernels, const struct trace *trace, const struct pays_stretch *stretch)
{
	struct known_kernels names = {{{0, false}}};

	*kernels =
		(struct pays_kernels){.gpu = xcalloc(trace->ngpus + 1, sizeof(*kernels->gpu)), .ngpus = trace->ngpus};
	for (size_t i = trace_first_from(trace, stretch->from); i < trace->nwork && trace->start[i] <= stretch->to;
		i++) {
		const struct work_lane *lane = work_lane(trace, i);
		struct kernel_times *times = &kernels->gpu[lane->gpu];

		if (lane->cls != WORK_KERNEL || known_to_communicate(&names, trace, trace->what[i]))
			continue;
		xgrow(&times->time, times->n, &times->room, sizeof(*times->time));
		times->time[times->n++] = (struct interval){within_limit(trace->start[i]), within_limit(trace->end[i])};
	}
	for (size_t g = 0; g < kernels->ngpus; g++)
		kernels->gpu[g].n = intervals_union(kernels->gpu[g].time, kernels->gpu[g].n);
}

void pays_kernels_free(struct pays_kernels *kernels)
{
	for (size_t g = 0; g < kernels->ngpus; g++)
		free(kernels->gpu[g].time);
	free(kernels->gpu);
}

void pays_work_make(struct pays_work *work, const struct model *model, const struct pays_calls *calls,
	const struct pays_stretch *stretch, const struct pays_kernels *kernels, const uint32_t *items, size_t n)
{
	const struct trace *trace = &model->trace;
	const struct kernel_times *times = &kernels->gpu[work_lane(trace, items[0])->gpu];
	struct making making = {.model = model,
		.trace = trace,
		.calls = calls,
		.work = work,
		.stretch = stretch,
		.pageable = pageable_kind()};

	*work = (struct pays_work){
		.trace = trace,
		.process = work_lane(trace, items[0])->process,
		.device = work_lane(trace, items[0])->device,
		.lane = {.n = n, .kernels = times->time, .nkernels = times->n},
		.work = xmemdup(items, n * sizeof(*items)),
	};
	order_by_issue(trace, work->work, n);
	find_ids(&making);
	make_items(&making);
	make_streams(&making);
	make_waits(&making);
	make_joins(&making);
	free(making.streams.id);
	free(making.threads.id);
	pays_lane_find_reasons(work);
}

void pays_work_free(struct pays_work *work)
{
	free(work->work);
	free(work->reasons);
	free((void *)work->lane.item);
	free((void *)work->lane.stream);
	free((void *)work->lane.wait);
	free((void *)work->lane.join);
}
