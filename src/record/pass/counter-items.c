/* counter-items.c: see counter-items.h. */
#include "record/pass/counter-items.h"

#include <math.h>

#include "record/worker/nvtx.h"

/* A library may launch so many kernels more than the variant knows of. */
enum { MORE_KERNELS = 4 };

/* Items that are counted together, and how it went. */
struct batch {
	struct launch *launch;
	struct range_profiler *range;
	enum range_scope scope;
	const struct counter_group *group;
	struct counter_item *items;
	int n;
	bool launch_failed; /* with a CUDA error, which is noted; launch->variant is to blame */
	struct error err;   /* else what went wrong */
};

enum range_scope counter_items_scope(const struct counter_item *items, int n)
{
	for (int i = 0; i < n; i++)
		if (items[i].done.copies > 0)
			return RANGE_LAUNCH;
	return RANGE_KERNEL;
}

/* ---- counting ---- */

static int launch_item(struct batch *batch, struct enqueued *done)
{
	struct launch *launch = batch->launch;
	int result;

	worker_at(launch->w, launch->variant, launch->size);
	nvtx_push_variant(launch->w->family, launch->variant);
	nvtx_push_iteration(PASS_COUNTERS, launch->variant, launch->size->label, 0);
	result = launch_once(launch, done);
	nvtx_pop();
	nvtx_pop();
	batch->launch_failed = result < 0;
	return result;
}

/* If a variant's launches differ, it would get the counters of others. */
static int counter_items_run_item(void *user, int i)
{
	struct batch *batch = user;
	const struct counter_item *item = &batch->items[i];
	struct enqueued done = {0};

	batch->launch->variant = item->variant;
	if (launch_item(batch, &done) < 0)
		return -1;
	if (done.kernels == item->done.kernels && (done.copies > 0) == (item->done.copies > 0))
		return 0;
	return error_set(&batch->err, "its launches differ: one has %d kernels and %d copies, one before had %d and %d",
		(int)done.kernels, (int)done.copies, (int)item->done.kernels, (int)item->done.copies);
}

/* Ranges of an item: two for each kernel, one of the launch that fills the caches and one of the launch that counts. */
static int ranges_of(const struct batch *batch, const struct counter_item *item)
{
	int kernels = (int)item->done.kernels + (item->variant->opaque_launches ? MORE_KERNELS : 0);

	return batch->scope == RANGE_KERNEL ? 2 * kernels : 1;
}

/* How many ranges were counted; -1 with batch->launch_failed or batch->err. A library may have any even number: its two
 * launches have the same arguments, and so the same kernels. Of others only the sum is known here. The trace pass
 * checks that each variant launches the kernels that it tells of. */
static int counter_items_count(struct batch *batch)
{
	const struct counter_group *group = batch->group;
	int wanted = 0, found;

	batch->launch->variant = batch->items[0].variant;
	for (int i = 0; i < batch->n; i++)
		wanted += ranges_of(batch, &batch->items[i]);
	if (range_profiler_configure(
		    batch->range, group->plan, group->metrics, group->n, batch->scope, wanted, &batch->err) < 0)
		return -1;
	found = range_profiler_count(batch->range, counter_items_run_item, batch, batch->n, &batch->err);
	if (found == 0)
		return error_set(&batch->err, "no kernel was counted");
	if (found < 0 || found == wanted || (batch->items[0].variant->opaque_launches && found % 2 == 0))
		return found;
	return error_set(&batch->err, "%d kernels or launches were counted instead of %d", found, wanted);
}

/* ---- rows ---- */

static void write_range(const struct batch *batch, const struct counter_item *item, int ord)
{
	const struct launch *launch = batch->launch;
	const struct counter_group *group = batch->group;

	for (int i = 0; i < group->n; i++) {
		const struct value row[COUNTER_NUMBER] = {
			[COUNTER_family] = VALUE_OF_TEXT(launch->w->family->name),
			[COUNTER_variant] = VALUE_OF_TEXT(item->variant->name),
			[COUNTER_caseLabel] = VALUE_OF_TEXT(launch->size->label),
			[COUNTER_scope] = VALUE_OF_TEXT(batch->scope == RANGE_KERNEL ? "kernel" : "range"),
			[COUNTER_ord] = VALUE_OF_INT(ord),
			[COUNTER_metric] = VALUE_OF_TEXT(group->metrics[i]),
			[COUNTER_value] = worker_real(group->values[i]),
			[COUNTER_replays] = VALUE_OF_INT((int64_t)metric_plan_passes(group->plan)),
		};

		worker_row(launch->w, TABLE_COUNTER, row);
	}
}

/* Some ratios may have nothing to divide by, but a kernel without a single value was not counted. */
static bool is_empty(const struct counter_group *group)
{
	for (int i = 0; i < group->n; i++)
		if (!isnan(group->values[i]))
			return false;
	return true;
}

/* Writes `n` ranges of the only item, from `first` on. -1 with one->err. */
static int write_item(struct batch *one, int first, int n)
{
	for (int i = 0; i < n; i++) {
		size_t range = (size_t)first + (size_t)i;

		if (range_profiler_values(one->range, range, one->group->values, &one->err) < 0)
			return -1;
		if (is_empty(one->group))
			return error_set(&one->err, "the counters came back empty");
		write_range(one, &one->items[0], i);
	}
	return 0;
}

/* ---- what fails ---- */

/* Call it if the only item could not be counted. -1 after a CUDA error, which is noted. */
static int refuse(const struct batch *one)
{
	if (one->launch_failed)
		return -1;
	one->items[0].refusal = one->err;
	return 0;
}

/* Counts each item by itself, so that an error costs only the item that it is about. */
static void write_batch(const struct batch *batch, int found)
{
	int first = 0;

	for (int i = 0; i < batch->n; i++) {
		struct batch one = {
			batch->launch, batch->range, batch->scope, batch->group, &batch->items[i], 1, false, {0}};
		int ranges = one.items[0].variant->opaque_launches ? found : ranges_of(batch, &one.items[0]);
		int skipped = batch->scope == RANGE_KERNEL ? ranges / 2 : 0;

		if (write_item(&one, first + skipped, ranges - skipped) < 0)
			(void)refuse(&one);
		first += ranges;
	}
}

static int count_alone(const struct batch *failed, int i)
{
	struct batch one = {
		failed->launch, failed->range, failed->scope, failed->group, &failed->items[i], 1, false, {0}};
	int found = counter_items_count(&one);

	if (found <= 0)
		return refuse(&one);
	write_batch(&one, found);
	return 0;
}

static int count_each(const struct batch *failed)
{
	int result = 0;

	for (int i = 0; i < failed->n && result == 0; i++)
		result = count_alone(failed, i);
	return result;
}

static int count_together(struct batch *batch)
{
	int found = counter_items_count(batch);

	if (found > 0) {
		write_batch(batch, found);
		return 0;
	}
	if (!batch->launch_failed)
		return batch->n == 1 ? refuse(batch) : count_each(batch);
	/* That item runs no more, but those before it do. */
	for (int i = 0; i < batch->n; i++)
		if (batch->items[i].variant == batch->launch->variant)
			batch->n = i;
	if (worker_alive(batch->launch->w))
		(void)count_each(batch);
	return -1;
}

/* ---- all ---- */

static int end_of_batch(const struct counter_item *items, int begin, int n)
{
	int end = begin + 1;

	while (end < n && !items[begin].variant->opaque_launches && !items[end].variant->opaque_launches)
		end++;
	return end;
}

/* If others are counted, an item that was refused has a problem of its own. */
static int tell_refusals(struct launch *launch, const struct counter_item *items, int n, int result)
{
	struct worker *w = launch->w;

	for (int i = 0; i < n; i++) {
		if (items[i].refusal.text[0] == '\0')
			continue;
		if (result == 0 && !w->measured) {
			w->skipped = items[i].refusal;
			return -1;
		}
		launch->variant = items[i].variant;
		launch_problem(launch, &items[i].refusal);
	}
	return result;
}

int counter_items(struct launch *launch, struct range_profiler *range, enum range_scope scope,
	const struct counter_group *group, struct counter_item *items, int n)
{
	int result = 0;

	for (int begin = 0, end; begin < n && result == 0; begin = end) {
		struct batch part = {launch, range, scope, group, &items[begin], 0, false, {0}};

		end = end_of_batch(items, begin, n);
		part.n = end - begin;
		result = count_together(&part);
	}
	return tell_refusals(launch, items, n, result);
}
