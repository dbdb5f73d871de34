/* items.c: see items.h. */
#include "record/pass/items.h"

#include <stdlib.h>

#include "record/worker/nvtx.h"
#include "util/alloc.h"
#include "util/clock.h"

/* Items that a percentile of a case, and at a point of a sweep, should rest on; most of a launch that are written. */
enum { ITEMS_WANTED = 512, POINT_ITEMS_WANTED = 192, ITEMS_OF_LAUNCH = 4096 };

/* No round begins later than this: items that come slowly are few (ns). */
static const int64_t ITEMS_BUDGET_NS = 1000000000;

static void items_write(struct timing *t, const struct variant *variant, int launch, int ord, const struct item *item)
{
	const struct value row[ITEM_NUMBER] = {
		[ITEM_family] = VALUE_OF_TEXT(t->w->family->name),
		[ITEM_variant] = VALUE_OF_TEXT(variant->name),
		[ITEM_caseLabel] = VALUE_OF_TEXT(t->size->label),
		[ITEM_run] = VALUE_OF_INT(t->w->options->run),
		[ITEM_launch] = VALUE_OF_INT(launch),
		[ITEM_ord] = VALUE_OF_INT(ord),
		[ITEM_arrivedNs] = VALUE_OF_INT(item->arrived),
		[ITEM_takenNs] = VALUE_OF_INT(item->taken),
		[ITEM_doneNs] = VALUE_OF_INT(item->done),
		[ITEM_workNs] = worker_real(item->work),
		[ITEM_heldBack] = VALUE_OF_INT(item->held_back),
	};
	worker_row(t->w, TABLE_ITEM, row);
}

/* Launches once and waits; how many items there are (at most ITEMS_OF_LAUNCH in `items`), or -1. */
static int items_launch(struct timing *t, const struct variant *variant, int launch, struct item *items)
{
	struct enqueued done = {0};
	cudaError_t code;
	int n;

	nvtx_push_variant(t->w->family, variant);
	nvtx_push_iteration(PASS_TIME, variant, t->size->label, launch);
	code = variant->launch(t->state, t->w->stream, &done);
	if (code == cudaSuccess)
		code = cudaStreamSynchronize(t->w->stream);
	nvtx_pop();
	nvtx_pop();
	if (code != cudaSuccess)
		return worker_cuda_problem(t->w, variant, t->size, code);
	n = variant->items(t->state, items, ITEMS_OF_LAUNCH);
	if (n < 0) {
		worker_problem(t->w, "%s/%s, case %s: items() tells of %d items", t->w->family->name, variant->name,
			t->size->label, n);
		return -1;
	}
	return n < ITEMS_OF_LAUNCH ? n : ITEMS_OF_LAUNCH;
}

/* Launches so that each variant has its share of the items that are wanted of all runs. */
static int rounds_needed(const struct timing *t, int items)
{
	const int wanted = (t->size->sweep ? POINT_ITEMS_WANTED : ITEMS_WANTED) / t->w->options->runs;

	return items > 0 ? (wanted + items - 1) / items : 1;
}

/* One launch of each variant. The most items that a launch had, or -1. */
static int items_round(struct timing *t, int launch, struct item *items)
{
	int most = 0;

	for (int i = 0; i < t->n; i++) {
		const struct variant *variant = t->timed[i].variant;
		int n;

		if (!variant->items)
			continue;
		n = items_launch(t, variant, launch, items);
		if (n < 0)
			return -1;
		for (int k = 0; k < n; k++)
			items_write(t, variant, launch, k, &items[k]);
		most = n > most ? n : most;
	}
	return most;
}

int items_measure(struct timing *t)
{
	struct item *items = xcalloc(ITEMS_OF_LAUNCH, sizeof(*items));
	const int64_t until = clock_monotonic() + ITEMS_BUDGET_NS;
	int rounds = 1, most = 0;

	for (int launch = 0; launch < rounds && most >= 0 && (launch == 0 || clock_monotonic() < until); launch++) {
		most = items_round(t, launch, items);
		if (launch == 0)
			rounds = rounds_needed(t, most);
	}
	free(items);
	return most < 0 ? -1 : 0;
}
