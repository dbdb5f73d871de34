/* pass-counters.c: hardware counters of each variant: of each kernel run alone, or of a launch with copies as a whole.
 */
#include "record/worker.h"

#include <math.h>
#include <stdlib.h>

#include "record/counter-groups.h"
#include "record/launch.h"
#include "record/metric-set.h"
#include "record/nvtx.h"
#include "record/range-profiler.h"

/* Kernels that a library may launch over the one that the variant knows of. */
enum { MORE_KERNELS = 4 };

struct counters {
	struct cupti cupti;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	struct counter_groups groups;
	struct range_profiler range;
};

/* ---- opening and closing ---- */

bool pass_counters_open(struct worker *w)
{
	struct counters *counters = calloc(1, sizeof *counters);

	w->counters = counters;
	if (counters == NULL) {
		error_set(&w->skipped, "out of memory");
	} else if (metric_sets_load(PASS_COUNTERS, &counters->sets, &counters->nsets, &w->skipped) == 0 &&
		   cupti_open(&counters->cupti, &w->skipped) == 0 &&
		   profiler_open(&counters->profiler, &counters->cupti, &w->skipped) == 0) {
		return true;
	}
	pass_counters_close(w);
	return false;
}

/* CUPTI stays loaded: it was started. */
void pass_counters_close(struct worker *w)
{
	struct counters *counters = w->counters;

	w->counters = NULL;
	if (counters == NULL)
		return;
	range_profiler_close(&counters->range);
	counter_groups_free(&counters->groups);
	profiler_close(&counters->profiler);
	metric_sets_free(counters->sets, counters->nsets);
	free(counters);
}

/* Everything that needs the device. -1 with w->skipped. */
static int start(struct worker *w)
{
	struct counters *counters = w->counters;
	uint8_t *availability;
	char chip[64];
	int result;

	if (profiler_start(&counters->profiler, &w->skipped) < 0 ||
		profiler_chip(&counters->profiler, w->options->device, chip, sizeof chip, &w->skipped) < 0)
		return -1;
	availability = range_profiler_availability(&counters->profiler, &w->skipped);
	if (availability == NULL)
		return -1;
	result = counter_groups_make(&counters->groups, &counters->profiler, counters->sets, counters->nsets,
		&(struct chip){chip, availability}, &w->skipped);
	free(availability);
	return result;
}

/* ---- variants that are counted together ---- */

/* A variant, and how it is counted. */
struct item {
	const struct variant *variant;
	int kernels; /* that a launch enqueues */
	enum range_scope scope;
};

/* Items of one scope, whose launches are counted in the same runs. */
struct batch {
	struct launch *launch;
	const struct counter_group *group;
	const struct item *items;
	int n;
};

static void write_range(const struct launch *launch, const struct counter_group *group, enum range_scope scope, int ord)
{
	for (int i = 0; i < group->n; i++) {
		const struct value row[COUNTER_NUMBER] = {
			[COUNTER_family] = VALUE_OF_TEXT(launch->w->family->name),
			[COUNTER_variant] = VALUE_OF_TEXT(launch->variant->name),
			[COUNTER_caseLabel] = VALUE_OF_TEXT(launch->size->label),
			[COUNTER_scope] = VALUE_OF_TEXT(scope == RANGE_KERNEL ? "kernel" : "range"),
			[COUNTER_ord] = VALUE_OF_INT(ord),
			[COUNTER_metric] = VALUE_OF_TEXT(group->metrics[i]),
			[COUNTER_value] = worker_real(group->values[i]),
			[COUNTER_replays] = VALUE_OF_INT((int64_t)metric_plan_passes(group->plan)),
		};

		worker_row(launch->w, TABLE_COUNTER, row);
	}
}

static int run_item(void *user, int item)
{
	const struct batch *batch = user;
	struct launch *launch = batch->launch;
	int result;

	launch->variant = batch->items[item].variant;
	worker_at(launch->w, launch->variant, launch->size);
	nvtx_push_variant(launch->w->family, launch->variant);
	nvtx_push_iteration(PASS_COUNTERS, launch->variant, launch->size->label, 0);
	result = launch_once(launch, NULL);
	nvtx_pop();
	nvtx_pop();
	return result;
}

/* Ranges that the batch has: of each kernel two, of the launch whose caches it finds and of the one that counts. */
static int batch_ranges(const struct batch *batch)
{
	int ranges = 0;

	for (int i = 0; i < batch->n; i++)
		ranges += batch->items[i].scope == RANGE_KERNEL ? 2 * batch->items[i].kernels : 1;
	return ranges;
}

/* Single ratios may have nothing to divide by; a kernel without a single value was not counted. */
static bool is_empty(const struct counter_group *group)
{
	for (int i = 0; i < group->n; i++)
		if (!isnan(group->values[i]))
			return false;
	return true;
}

/* Writes `kernels` ranges of an item, from `first` on. */
static int write_item(const struct batch *batch, const struct item *item, int first, int kernels, struct error *err)
{
	const struct counter_group *group = batch->group;

	batch->launch->variant = item->variant;
	for (int i = 0; i < kernels; i++) {
		if (range_profiler_values(&batch->launch->w->counters->range, (size_t)(first + i), group->values, err) <
			0)
			return -1;
		if (is_empty(group))
			return error_set(err, "the counters came back empty");
		write_range(batch->launch, group, item->scope, i);
	}
	return 0;
}

/* How many kernels of item `i` were counted, of `found` ranges in all: what a library launches is known only then. */
static int kernels_of(const struct batch *batch, int i, int found)
{
	if (batch->items[i].scope == RANGE_LAUNCH)
		return 1;
	return batch->n == 1 ? found / 2 : batch->items[i].kernels;
}

/* What is wrong with one item costs that one. -1 ends the pass. */
static int write_batch(const struct batch *batch, int found)
{
	struct error err = {""};
	int first = 0;

	for (int i = 0; i < batch->n; i++) {
		int kernels = kernels_of(batch, i, found);

		first += batch->items[i].scope == RANGE_KERNEL ? kernels : 0;
		if (write_item(batch, &batch->items[i], first, kernels, &err) < 0 &&
			launch_refused(batch->launch, &err) < 0)
			return -1;
		first += kernels;
	}
	return 0;
}

/* Returns how many ranges were counted, -1 with `err`, which is empty if a launch failed. */
static int count_batch(struct batch *batch, struct error *err)
{
	const struct counter_group *group = batch->group;
	struct range_profiler *range = &batch->launch->w->counters->range;
	int wanted = batch_ranges(batch), found;

	batch->launch->variant = batch->items[0].variant;
	if (range_profiler_configure(range, group->plan, group->metrics, group->n, batch->items[0].scope, wanted, err) <
		0)
		return -1;
	found = range_profiler_count(range, run_item, batch, batch->n, err);
	if (found == 0)
		return error_set(err, "no kernel was counted");
	if (found > 0 && found != wanted && (batch->n > 1 || found % 2 != 0))
		return error_set(err, "%d kernels and launches were counted instead of %d", found, wanted);
	return found < 0 ? -1 : found;
}

/* What fails together is tried alone, so that it costs the one that it is about; but not what cannot be counted at all,
 * nor after a CUDA error. -1 ends the pass. */
static int count_together(struct launch *launch, const struct counter_group *group, const struct item *items, int n)
{
	struct batch batch = {launch, group, items, n};
	struct error err = {""};
	int found = count_batch(&batch, &err), result = 0;

	if (found > 0)
		return write_batch(&batch, found);
	if (n == 1 || !launch->w->measured || launch->w->problem.text[0] != '\0')
		return launch_refused(launch, &err);
	for (int i = 0; i < n && result == 0; i++)
		result = count_together(launch, group, &items[i], 1);
	return result;
}

/* Items of a scope that follow each other together. */
static int count_items(struct launch *launch, const struct counter_group *group, const struct item *items, int n)
{
	int result = 0;

	for (int begin = 0, end; begin < n && result == 0; begin = end) {
		for (end = begin + 1; end < n && items[end].scope == items[begin].scope;)
			end++;
		result = count_together(launch, group, &items[begin], end - begin);
	}
	return result;
}

/* ---- the headline case ---- */

/* What the variant launches, and the GPU warm from it; a group later it still is. 1; 0: there is nothing to count;
 * -1 ends the pass. */
static int prepare(struct launch *launch, const struct counter_group *group, struct item *item)
{
	struct enqueued done = {0};

	worker_at(launch->w, launch->variant, launch->size);
	if (launch_once(launch, &done) < 0 ||
		(group == launch->w->counters->groups.all && launch_warm_up(launch, NULL) < 0))
		return -1;
	*item = (struct item){.variant = launch->variant,
		.kernels = (int)done.kernels + (launch->variant->opaque_launches ? MORE_KERNELS : 0),
		.scope = done.copies > 0 ? RANGE_LAUNCH : RANGE_KERNEL};
	return item->kernels > 0;
}

/* `items` has room for all variants. */
static int count_variants(struct launch *launch, const struct counter_group *group, struct item *items)
{
	const struct family *family = launch->w->family;
	int n = 0, result = 0;

	for (int i = 0; i < family->nvariants && result >= 0; i++) {
		launch->variant = &family->variants[i];
		if (!launch_wanted(launch->w, launch->variant, launch->size))
			continue;
		result = prepare(launch, group, &items[n]);
		/* Only the number of its own kernels is known of a library. */
		if (result > 0 && launch->variant->opaque_launches)
			result = count_together(launch, group, &items[n], 1);
		else if (result > 0)
			n++;
	}
	return result < 0 ? -1 : count_items(launch, group, items, n);
}

/* The profiler is opened anew for each group: given other metrics, it was seen to count nothing (H100, CUDA 13.0). */
static int count_group(struct launch *launch, const struct counter_group *group)
{
	struct worker *w = launch->w;
	struct counters *counters = w->counters;
	struct item *items = calloc((size_t)w->family->nvariants, sizeof *items);
	struct error err = {""};
	int result = -1;

	if (items == NULL)
		error_set(&err, "out of memory");
	else if (range_profiler_open(&counters->range, &counters->profiler, &err) == 0)
		result = count_variants(launch, group, items);
	if (err.text[0] != '\0' && w->measured)
		worker_problem(w, "%s: %s", w->family->name, err.text);
	else if (err.text[0] != '\0')
		w->skipped = err;
	free(items);
	range_profiler_close(&counters->range);
	worker_flush(w);
	return result;
}

static void count_groups(struct launch *launch)
{
	const struct counters *counters = launch->w->counters;
	int result = 0;

	for (int i = 0; i < counters->groups.n && result == 0; i++)
		result = count_group(launch, &counters->groups.all[i]);
}

/* The family's memory comes before the profiler's, so that it lies where it lies in the other passes. */
void pass_counters(struct worker *w)
{
	struct launch launch = {.w = w, .size = &w->cases[0]};

	worker_at(w, NULL, launch.size);
	if (worker_set_up(w, launch.size, &launch.state) < 0)
		return;
	if (start(w) == 0) {
		count_groups(&launch);
		if (!w->measured && w->problem.text[0] == '\0' && w->skipped.text[0] == '\0')
			error_set(&w->skipped, "nothing to count: no variant is chosen, supported here and right");
	}
	w->family->tear_down(launch.state);
}
