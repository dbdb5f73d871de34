/* around.c: see around.h. Each thread has a stack of its ranges, the one that began last on top. What has ended is
 * taken from the top when somebody looks, and from between the others when the stack would have to grow. */
#include "export/around.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "export/nvtx.h"
#include "export/state.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

struct around_stack {
	int64_t thread;
	bool used;
	struct around_range *ranges;
	size_t n, room;
};

/* A range that begins. */
struct around_begin {
	int64_t thread, start;
	size_t order; /* among those that begin with it */
	struct around_range range;
};

struct around {
	struct nvtx_rows *rows;
	struct texts *texts;
	struct export_range next; /* read, but not begun */
	bool is_over;
	struct around_stack *stacks; /* by hashing */
	size_t nstacks, stack_room;  /* a power of two */
	struct around_begin *begins; /* of one time */
	size_t nbegins, begin_room;
};

/* ---- the stack of a thread ---- */

static struct around_stack *stack_slot(const struct around *around, int64_t thread)
{
	uint64_t hash = (uint64_t)thread * UINT64_C(0x9E3779B97F4A7C15);

	for (size_t i = (size_t)(hash ^ hash >> 32);; i++) {
		struct around_stack *stack = &around->stacks[i & (around->stack_room - 1)];

		if (!stack->used || stack->thread == thread)
			return stack;
	}
}

static void stacks_grow(struct around *around)
{
	struct around larger = {.stack_room = around->stack_room ? 2 * around->stack_room : 16};

	larger.stacks = xcalloc(larger.stack_room, sizeof(*larger.stacks));
	for (size_t i = 0; i < around->stack_room; i++) {
		if (around->stacks[i].used)
			*stack_slot(&larger, around->stacks[i].thread) = around->stacks[i];
	}
	free(around->stacks);
	around->stacks = larger.stacks;
	around->stack_room = larger.stack_room;
}

static struct around_stack *stack_of(struct around *around, int64_t thread)
{
	struct around_stack *stack;

	if (2 * (around->nstacks + 1) > around->stack_room)
		stacks_grow(around);
	stack = stack_slot(around, thread);
	if (!stack->used) {
		*stack = (struct around_stack){.thread = thread, .used = true};
		around->nstacks++;
	}
	return stack;
}

/* Takes out what has ended. */
static void stack_tidy(struct around_stack *stack, int64_t time)
{
	size_t n = 0;

	for (size_t i = 0; i < stack->n; i++) {
		if (stack->ranges[i].end > time)
			stack->ranges[n++] = stack->ranges[i];
	}
	stack->n = n;
}

/* Half of it is free afterwards, so that this is done seldom. */
static void stack_make_room(struct around_stack *stack, int64_t time)
{
	stack_tidy(stack, time);
	if (2 * stack->n < stack->room)
		return;
	stack->room = stack->room ? 2 * stack->room : 8;
	stack->ranges = xreallocarray(stack->ranges, stack->room, sizeof(*stack->ranges));
}

static void stack_push(struct around_stack *stack, int64_t start, const struct around_range *range)
{
	if (stack->n == stack->room)
		stack_make_room(stack, start);
	stack->ranges[stack->n++] = *range;
}

/* ---- ranges as they begin ---- */

/* An outer one before those in it. */
static int around_by_nesting(const void *left, const void *right)
{
	const struct around_begin *a = left, *b = right;
	int by_text;

	if (a->thread != b->thread)
		return int64_order(a->thread, b->thread);
	if (a->range.end != b->range.end)
		return int64_order(b->range.end, a->range.end);
	by_text = strcmp(a->range.text, b->range.text);
	return by_text != 0 ? by_text : a->order < b->order ? -1 : a->order > b->order;
}

static void begin_all(struct around *around)
{
	if (around->nbegins > 1)
		qsort(around->begins, around->nbegins, sizeof(*around->begins), around_by_nesting);
	for (size_t i = 0; i < around->nbegins; i++) {
		const struct around_begin *begin = &around->begins[i];

		stack_push(stack_of(around, begin->thread), begin->start, &begin->range);
	}
	around->nbegins = 0;
}

/* Marks, and ranges that end where they begin, are around nothing. */
static void keep_next(struct around *around)
{
	const struct export_range *next = &around->next;

	if (next->kind == EXPORT_MARK || !export_times_good(next->start, next->end) || next->end == next->start)
		return;
	if (around->nbegins > 0 && around->begins[0].start != next->start)
		begin_all(around);
	xgrow(&around->begins, around->nbegins, &around->begin_room, sizeof(*around->begins));
	around->begins[around->nbegins] = (struct around_begin){
		.thread = next->thread,
		.start = next->start,
		.order = around->nbegins,
		.range = {next->end, texts_keep(around->texts, next->text),
			next->domain ? texts_keep(around->texts, next->domain) : NULL},
	};
	around->nbegins++;
}

static int read_next(struct around *around)
{
	int got = nvtx_rows_next(around->rows, &around->next);

	around->is_over = got == 0;
	return got < 0 ? -1 : 0;
}

struct around *around_open(struct export *ex, struct texts *texts)
{
	struct around *around = xcalloc(1, sizeof(*around));

	around->texts = texts;
	around->rows = nvtx_rows_open(ex);
	if (around->rows && read_next(around) == 0)
		return around;
	around_close(around);
	return NULL;
}

void around_close(struct around *around)
{
	if (!around)
		return;
	nvtx_rows_close(around->rows);
	for (size_t i = 0; i < around->stack_room; i++)
		free(around->stacks[i].ranges);
	free(around->stacks);
	free(around->begins);
	free(around);
}

int around_find(struct around *around, int64_t thread, int64_t time, const struct around_range **range)
{
	struct around_stack *stack;

	while (!around->is_over && around->next.start <= time) {
		keep_next(around);
		if (read_next(around) < 0)
			return -1;
	}
	begin_all(around);
	stack = stack_of(around, thread);
	while (stack->n > 0 && stack->ranges[stack->n - 1].end <= time)
		stack->n--;
	*range = stack->n > 0 ? &stack->ranges[stack->n - 1] : NULL;
	return 0;
}
