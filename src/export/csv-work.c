/* csv-work.c: see csv-work.h. The calls that have work, and all ranges, are held in memory: about 50 bytes each. */
#include "export/csv-work.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "export/cells.h"
#include "export/launches.h"
#include "export/nvtx.h"
#include "export/state.h"
#include "store/copies.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

/* A call that asked for work. */
struct caller {
	int64_t process, correlation, start, end, thread;
	const char *name;
};

/* An NVTX range. */
struct around {
	struct host_range place;
	const char *text, *domain; /* domain NULL: the default one */
};

struct work_state {
	struct caller *callers; /* by process and correlation id, once sorted */
	size_t ncallers, caller_room;
	bool sorted;
	struct around *ranges; /* by thread and start, an outer one before those in it */
	int *parent;           /* of each range: the index of the innermost around its start, or -1 */
	size_t nranges, range_room;
	struct texts *texts; /* owns all names */
};

/* ---- ranges ---- */

static void csv_work_add_range(struct export *ex, const struct export_range *range)
{
	struct work_state *state = ex->state;

	if (range->kind == EXPORT_MARK || !export_times_good(range->start, range->end))
		return;
	xgrow(&state->ranges, state->nranges, &state->range_room, sizeof(*state->ranges));
	state->ranges[state->nranges++] = (struct around){
		.place = {range->start, range->end, range->thread},
		.text = texts_keep(state->texts, range->text),
		.domain = range->domain ? texts_keep(state->texts, range->domain) : NULL,
	};
}

static int csv_work_by_nesting(const void *left, const void *right)
{
	const struct around *a = left, *b = right;

	if (a->place.thread != b->place.thread)
		return int64_order(a->place.thread, b->place.thread);
	if (a->place.start != b->place.start)
		return int64_order(a->place.start, b->place.start);
	if (a->place.end != b->place.end)
		return int64_order(b->place.end, a->place.end);
	return strcmp(a->text, b->text);
}

static int csv_work_nest(struct export *ex, struct work_state *state)
{
	struct host_range *places = xcalloc(state->nranges, sizeof(*places));
	int rc;

	if (state->nranges > 1)
		qsort(state->ranges, state->nranges, sizeof(*state->ranges), csv_work_by_nesting);
	for (size_t i = 0; i < state->nranges; i++)
		places[i] = state->ranges[i].place;
	state->parent = xcalloc(state->nranges, sizeof(*state->parent));
	rc = ranges_parents(places, state->nranges, state->parent);
	free(places);
	return rc == 0 ? 0 : error_system(ex->err, "%s has too many NVTX ranges", ex->options->file);
}

static int csv_work_begin(struct export *ex)
{
	struct work_state *state = xcalloc(1, sizeof(*state));

	ex->state = state;
	state->texts = texts_new();
	if (export_nvtx(ex, csv_work_add_range) < 0 || csv_work_nest(ex, state) < 0)
		return -1;
	csv_header(ex, "start_ns,end_ns,duration_ns,device,context,process,stream,class,name,bytes,src,dst,correlation,"
		       "thread,call,call_start_ns,call_end_ns,range,domain");
	return 0;
}

/* How many ranges of the thread and those before it begin no later than the call. */
static size_t csv_work_begun(const struct work_state *state, const struct caller *caller)
{
	size_t low = 0, high = state->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct host_range *range = &state->ranges[middle].place;

		if (range->thread < caller->thread ||
			(range->thread == caller->thread && range->start <= caller->start))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The innermost range around a call, or NULL. */
static const struct around *range_around(const struct work_state *state, const struct caller *caller)
{
	size_t begun = csv_work_begun(state, caller);

	if (begun == 0 || state->ranges[begun - 1].place.thread != caller->thread)
		return NULL;
	for (int i = (int)begun - 1; i >= 0; i = state->parent[i]) {
		if (state->ranges[i].place.end > caller->start)
			return &state->ranges[i];
	}
	return NULL;
}

/* ---- calls ---- */

static void csv_work_call(struct export *ex, const struct export_call *call)
{
	struct work_state *state = ex->state;
	int64_t process = export_launch_process(ex, process_of(call->thread));

	/* The first call of an id: that of the runtime, in which the driver's lies. */
	if (!launches_take(ex->launches, process, call->correlation))
		return;
	xgrow(&state->callers, state->ncallers, &state->caller_room, sizeof(*state->callers));
	state->callers[state->ncallers++] = (struct caller){
		process, call->correlation, call->start, call->end, call->thread, texts_keep(state->texts, call->name)};
}

static int csv_work_by_id(const void *left, const void *right)
{
	const struct caller *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process)
					: int64_order(a->correlation, b->correlation);
}

static const struct caller *caller_of(struct export *ex, const struct export_work *work)
{
	struct work_state *state = ex->state;
	const struct caller key = {
		.process = export_launch_process(ex, work->process), .correlation = work->correlation};

	if (state->ncallers == 0)
		return NULL;
	if (!state->sorted)
		qsort(state->callers, state->ncallers, sizeof(*state->callers), csv_work_by_id);
	state->sorted = true;
	return bsearch(&key, state->callers, state->ncallers, sizeof(key), csv_work_by_id);
}

/* ---- rows ---- */

static const char *class_cell(const struct export_work *work)
{
	static const char *const ways[] = {[COPY_IN] = "h2d", [COPY_OUT] = "d2h", [COPY_ELSEWHERE] = "other"};

	if (work->table == TABLE_KERNEL)
		return "kernel";
	return work->table == TABLE_MEMCPY ? ways[copy_way(work->copy_kind)] : "other";
}

static void memory_cell(struct export *ex, int kind)
{
	char words[64] = "";

	if (kind >= 0)
		memory_words(kind, words, sizeof(words));
	csv_text(ex, words);
}

static void caller_cells(struct export *ex, const struct caller *caller)
{
	const struct around *range = caller ? range_around(ex->state, caller) : NULL;

	if (caller) {
		csv_int(ex, tid_of(caller->thread));
		csv_text(ex, caller->name);
		csv_int(ex, caller->start);
		csv_int(ex, caller->end);
	} else {
		for (int i = 0; i < 4; i++)
			csv_text(ex, NULL);
	}
	csv_text(ex, range ? range->text : NULL);
	csv_text(ex, range ? range->domain : NULL);
}

static void csv_work_row(struct export *ex, const struct export_work *work)
{
	csv_times(ex, work->start, work->end);
	csv_int(ex, work->device);
	csv_int(ex, work->context);
	csv_int(ex, pid_of(work->process));
	csv_int(ex, work->stream);
	csv_text(ex, class_cell(work));
	csv_text(ex, work->name);
	if (work->bytes < 0)
		csv_text(ex, NULL);
	else
		csv_int(ex, work->bytes);
	memory_cell(ex, work->src_kind);
	memory_cell(ex, work->dst_kind);
	csv_int(ex, work->correlation);
	caller_cells(ex, caller_of(ex, work));
	csv_end(ex);
}

static void csv_work_free_state(struct export *ex)
{
	struct work_state *state = ex->state;

	if (state) {
		free(state->ranges);
		free(state->parent);
		free(state->callers);
		texts_free(state->texts);
	}
	free(state);
}

const struct export_hooks csv_work_hooks = {.begin = csv_work_begin,
	.call = csv_work_call,
	.work = csv_work_row,
	.free = csv_work_free_state,
	.joins = true};
