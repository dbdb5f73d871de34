/* csv-work.c: see csv-work.h. The calls that have work, and all ranges, are held in memory: about 50 bytes each. */
#include "export/csv-work.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
	int64_t start, end, thread;
	const char *text, *domain; /* domain NULL: the default one */
	ptrdiff_t parent;          /* the innermost range around its start, or -1 */
};

struct work_state {
	struct caller *callers; /* by process and correlation id, once sorted */
	size_t ncallers, caller_room;
	bool sorted;
	struct around *ranges; /* by thread and start, an outer one before those in it */
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
		.start = range->start,
		.end = range->end,
		.thread = range->thread,
		.text = texts_keep(state->texts, range->text),
		.domain = range->domain ? texts_keep(state->texts, range->domain) : NULL,
	};
}

static int csv_work_by_nesting(const void *left, const void *right)
{
	const struct around *a = left, *b = right;

	if (a->thread != b->thread)
		return int64_order(a->thread, b->thread);
	if (a->start != b->start)
		return int64_order(a->start, b->start);
	if (a->end != b->end)
		return int64_order(b->end, a->end);
	return strcmp(a->text, b->text);
}

/* From range `i` on outwards, the first that is open on a thread at a time; -1 if there is none. */
static ptrdiff_t open_range(const struct around *ranges, ptrdiff_t i, int64_t thread, int64_t time)
{
	while (i >= 0 && (ranges[i].thread != thread || ranges[i].end <= time))
		i = ranges[i].thread == thread ? ranges[i].parent : -1;
	return i;
}

static void csv_work_nest(struct work_state *state)
{
	struct around *ranges = state->ranges;

	if (state->nranges > 1)
		qsort(ranges, state->nranges, sizeof(*ranges), csv_work_by_nesting);
	for (size_t i = 0; i < state->nranges; i++)
		ranges[i].parent = open_range(ranges, (ptrdiff_t)i - 1, ranges[i].thread, ranges[i].start);
}

static int csv_work_begin(struct export *ex)
{
	struct work_state *state = xcalloc(1, sizeof(*state));

	ex->state = state;
	state->texts = texts_new();
	if (export_nvtx(ex, csv_work_add_range) < 0)
		return -1;
	csv_work_nest(state);
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
		const struct around *range = &state->ranges[middle];

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
	ptrdiff_t last = (ptrdiff_t)csv_work_begun(state, caller) - 1;
	ptrdiff_t found = open_range(state->ranges, last, caller->thread, caller->start);

	return found < 0 ? NULL : &state->ranges[found];
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
