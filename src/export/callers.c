/* callers.c: see callers.h. Work starts after the call that asked for it. So calls are read by start as the work asks
 * for them, and one waits until its work comes. What waits is as much as was queued on the GPUs. A call that has
 * several pieces of work waits to the end, since nothing tells which is the last. */
#include "export/callers.h"

#include <stdlib.h>

#include "export/around.h"
#include "export/calls.h"
#include "export/launches.h"
#include "export/state.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"

struct callers {
	struct export *ex;
	struct cursor *cursor; /* calls by start */
	struct around *around;
	struct texts *texts;
	struct caller *waiting; /* by hashing; one without a name is free */
	size_t n, room;         /* a power of two */
};

/* ---- those that wait ---- */

static size_t callers_hash(const struct caller *caller)
{
	uint64_t x = (uint64_t)caller->process * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)caller->correlation;

	x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
	return (size_t)(x ^ x >> 29);
}

static struct caller *callers_slot(const struct callers *callers, const struct caller *key)
{
	for (size_t i = callers_hash(key);; i++) {
		struct caller *slot = &callers->waiting[i & (callers->room - 1)];

		if (!slot->name || (slot->process == key->process && slot->correlation == key->correlation))
			return slot;
	}
}

static void callers_grow(struct callers *callers)
{
	struct callers larger = {.room = callers->room ? 2 * callers->room : 256};

	larger.waiting = xcalloc(larger.room, sizeof(*larger.waiting));
	for (size_t i = 0; i < callers->room; i++) {
		if (callers->waiting[i].name)
			*callers_slot(&larger, &callers->waiting[i]) = callers->waiting[i];
	}
	free(callers->waiting);
	callers->waiting = larger.waiting;
	callers->room = larger.room;
}

static void callers_add(struct callers *callers, const struct caller *caller)
{
	if (2 * (callers->n + 1) > callers->room)
		callers_grow(callers);
	*callers_slot(callers, caller) = *caller;
	callers->n++;
}

/* Whoever stands behind the gap and would be looked for from before it moves into it. */
static void callers_remove(struct callers *callers, const struct caller *slot)
{
	size_t mask = callers->room - 1, gap = (size_t)(slot - callers->waiting);

	for (size_t i = (gap + 1) & mask; callers->waiting[i].name; i = (i + 1) & mask) {
		size_t home = callers_hash(&callers->waiting[i]) & mask;

		if (((i - home) & mask) >= ((i - gap) & mask)) {
			callers->waiting[gap] = callers->waiting[i];
			gap = i;
		}
	}
	callers->waiting[gap] = (struct caller){0};
	callers->n--;
}

/* ---- reading ---- */

/* Which ids have a call: without that, work that has none would have all calls read for it. */
static int look_at_calls(struct export *ex)
{
	static const int columns[] = {RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId};
	struct cursor *cursor = store_columns(ex->store, TABLE_RUNTIME, columns, 4, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		int64_t process = process_of(cursor_int(cursor, RUNTIME_globalTid));

		if (export_usable(ex, cursor_time(cursor, RUNTIME_start), cursor_time(cursor, RUNTIME_end)))
			launches_note_call(ex->launches, export_launch_process(ex, process),
				cursor_int(cursor, RUNTIME_correlationId));
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

struct callers *callers_open(struct export *ex)
{
	struct callers *callers = xcalloc(1, sizeof(*callers));

	callers->ex = ex;
	callers->texts = texts_new();
	if (look_at_calls(ex) == 0)
		callers->around = around_open(ex, callers->texts);
	if (callers->around)
		callers->cursor = store_rows(ex->store, TABLE_RUNTIME, RUNTIME_start, ex->err);
	if (callers->cursor)
		return callers;
	callers_close(callers);
	return NULL;
}

void callers_close(struct callers *callers)
{
	if (!callers)
		return;
	cursor_close(callers->cursor);
	around_close(callers->around);
	texts_free(callers->texts);
	free(callers->waiting);
	free(callers);
}

/* The first call of an id: that of the runtime, in which the driver's lies. */
static int callers_take(struct callers *callers, const struct export_call *call)
{
	struct export *ex = callers->ex;
	const struct around_range *range;
	struct caller caller = {
		.process = export_launch_process(ex, process_of(call->thread)),
		.correlation = call->correlation,
		.start = call->start,
		.end = call->end,
		.thread = call->thread,
	};

	if (!export_times_good(call->start, call->end) ||
		!launches_take(ex->launches, caller.process, caller.correlation))
		return 0;
	if (around_find(callers->around, call->thread, call->start, &range) < 0)
		return -1;
	caller.name = texts_keep(callers->texts, call->name);
	caller.range = range ? range->text : NULL;
	caller.domain = range ? range->domain : NULL;
	callers_add(callers, &caller);
	return 0;
}

/* Reads calls until that of an id is among those that wait. */
static int read_until(struct callers *callers, const struct caller *key)
{
	struct export *ex = callers->ex;
	int got = 1;

	while (got == 1 && !launches_taken(ex->launches, key->process, key->correlation)) {
		got = cursor_next(callers->cursor, ex->err);
		if (got == 1) {
			struct export_call call = export_call_of(callers->cursor);

			if (callers_take(callers, &call) < 0 || export_step(ex) < 0)
				return -1;
		}
	}
	return got;
}

int callers_find(struct callers *callers, const struct export_work *work, struct caller *caller)
{
	struct export *ex = callers->ex;
	const struct caller key = {
		.process = export_launch_process(ex, work->process), .correlation = work->correlation};
	struct caller *found;

	if (!launches_has_call(ex->launches, key.process, key.correlation))
		return 0;
	if (read_until(callers, &key) < 0)
		return -1;
	found = callers->room ? callers_slot(callers, &key) : NULL;
	if (!found || !found->name)
		return 0;
	*caller = *found;
	if (!launches_has_several(ex->launches, key.process, key.correlation))
		callers_remove(callers, found);
	return 1;
}
