/* pass-counters.c: hardware counters of each variant: of each kernel run alone, or of a launch with copies as a whole.
 */
#include "record/worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/launch.h"
#include "record/metric-set.h"
#include "record/nvtx.h"
#include "record/range-profiler.h"

/* Kernels that a library may launch over the one that the variant knows of. */
enum { MORE_KERNELS = 4 };

/* Metrics that are collected together. */
struct group {
	const char **metrics;
	int n;
	struct metric_plan *plan;
	double *values; /* of one kernel */
};

struct counters {
	struct cupti cupti;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	struct group groups[2]; /* what one pass collects, and the rest */
	int ngroups;
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

static void group_free(struct group *group)
{
	metric_plan_free(group->plan);
	free(group->metrics);
	free(group->values);
	*group = (struct group){0};
}

/* CUPTI stays loaded: it was started. */
void pass_counters_close(struct worker *w)
{
	struct counters *counters = w->counters;

	w->counters = NULL;
	if (counters == NULL)
		return;
	range_profiler_close(&counters->range);
	for (int i = 0; i < counters->ngroups; i++)
		group_free(&counters->groups[i]);
	profiler_close(&counters->profiler);
	metric_sets_free(counters->sets, counters->nsets);
	free(counters);
}

/* ---- what is collected together ---- */

static bool collected(const struct counters *counters, const char *metric)
{
	for (int i = 0; i < counters->ngroups; i++)
		for (int j = 0; j < counters->groups[i].n; j++)
			if (strcmp(counters->groups[i].metrics[j], metric) == 0)
				return true;
	return false;
}

/* What plans are made for. */
struct chip {
	const char *name;
	const uint8_t *availability;
};

/* The metrics of `n` sets that no group has yet, with a plan if there are any. -1 with w->skipped;
 * *group is for group_free() all the same. */
static int group_make(
	struct worker *w, const struct metric_set *sets, int n, const struct chip *chip, struct group *group)
{
	struct counters *counters = w->counters;
	int all;

	*group = (struct group){.metrics = metric_sets_metrics(sets, n, &all)};
	group->values = calloc((size_t)all + 1, sizeof *group->values);
	if (group->metrics == NULL || group->values == NULL)
		return error_set(&w->skipped, "out of memory");
	for (int i = 0; i < all; i++)
		if (!collected(counters, group->metrics[i]))
			group->metrics[group->n++] = group->metrics[i];
	if (group->n == 0)
		return 0;
	group->plan = metric_plan_new(&counters->profiler, PROFILER_RANGE, chip->name, chip->availability,
		group->metrics, group->n, &w->skipped);
	return group->plan == NULL ? -1 : 0;
}

/* Takes out of the sets what the chip does not know: once, since every metric of a set with such a one is asked for by
 * itself, which takes CUPTI some 5 ms. */
static int drop_unknown(struct worker *w, const struct chip *chip)
{
	struct counters *counters = w->counters;

	for (int i = 0; i < counters->nsets; i++) {
		struct metric_set *set = &counters->sets[i];

		if (metrics_known(&counters->profiler, PROFILER_RANGE, chip->name, chip->availability, set->metrics,
			    &set->nmetrics, &w->skipped) < 0)
			return -1;
	}
	return 0;
}

/* Keeps a group that has metrics. */
static void group_keep(struct counters *counters, struct group *group)
{
	if (group->plan != NULL)
		counters->groups[counters->ngroups++] = *group;
	else
		group_free(group);
}

/* Moves those sets to `chosen`, *n of them, that together still take one pass. */
static int choose_sets(struct worker *w, const struct chip *chip, struct metric_set *chosen, int *n)
{
	const struct counters *counters = w->counters;

	*n = 0;
	for (int i = 0; i < counters->nsets; i++) {
		struct group group;
		int made;

		chosen[*n] = counters->sets[i];
		made = group_make(w, chosen, *n + 1, chip, &group);
		if (made == 0 && group.plan != NULL && metric_plan_passes(group.plan) == 1)
			++*n;
		group_free(&group);
		if (made < 0)
			return -1;
	}
	return 0;
}

/* What fits into one pass is collected in one, so that all of it comes from the same run; the rest together, which
 * takes the fewest replays. */
static int make_groups(struct worker *w, const struct chip *chip)
{
	struct counters *counters = w->counters;
	struct metric_set *chosen = calloc((size_t)counters->nsets + 1, sizeof *chosen);
	struct group group;
	int n, result;

	if (chosen == NULL)
		return error_set(&w->skipped, "out of memory");
	result = choose_sets(w, chip, chosen, &n);
	if (result == 0) {
		result = group_make(w, chosen, n, chip, &group);
		group_keep(counters, &group);
	}
	free(chosen);
	if (result == 0) {
		result = group_make(w, counters->sets, counters->nsets, chip, &group);
		group_keep(counters, &group);
	}
	if (result < 0 || counters->ngroups > 0)
		return result;
	return error_set(&w->skipped, "none of the metrics can be counted on %s", chip->name);
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
	result = drop_unknown(w, &(struct chip){chip, availability});
	if (result == 0)
		result = make_groups(w, &(struct chip){chip, availability});
	free(availability);
	return result;
}

/* ---- one variant in one case ---- */

static void write_range(const struct launch *launch, const struct group *group, enum range_scope scope, int ord)
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

static int run(void *user)
{
	return launch_once(user, NULL);
}

/* Single ratios may have nothing to divide by; a kernel without a single value was not counted. */
static bool is_empty(const struct group *group)
{
	for (int i = 0; i < group->n; i++)
		if (!isnan(group->values[i]))
			return false;
	return true;
}

static int count_ranges(struct launch *launch, const struct group *group, enum range_scope scope, struct error *err)
{
	struct range_profiler *range = &launch->w->counters->range;
	int found = range_profiler_count(range, run, launch, err);

	for (int i = 0; i < found; i++) {
		if (range_profiler_values(range, (size_t)i, group->values, err) < 0)
			return -1;
		if (is_empty(group))
			return error_set(err, "the counters came back empty");
		write_range(launch, group, scope, i);
	}
	return found == 0 ? error_set(err, "no kernel was counted") : found;
}

static int count_launch(
	struct launch *launch, const struct group *group, enum range_scope scope, int kernels, struct error *err)
{
	int result;

	if (range_profiler_configure(
		    &launch->w->counters->range, group->plan, group->metrics, group->n, scope, kernels, err) < 0)
		return -1;
	nvtx_push_variant(launch->w->family, launch->variant);
	nvtx_push_iteration(PASS_COUNTERS, launch->variant, launch->size->label, 0);
	result = count_ranges(launch, group, scope, err);
	nvtx_pop();
	nvtx_pop();
	return result;
}

/* -1 ends the pass. */
static int count_variant(struct launch *launch, const struct group *group)
{
	struct enqueued done = {0};
	struct error err = {""};
	int kernels;

	worker_at(launch->w, launch->variant, launch->size);
	/* A group later the GPU is still warm. */
	if (launch_once(launch, &done) < 0 ||
		(group == launch->w->counters->groups && launch_warm_up(launch, NULL) < 0))
		return -1;
	kernels = (int)done.kernels + (launch->variant->opaque_launches ? MORE_KERNELS : 0);
	if (kernels > 0 &&
		count_launch(launch, group, done.copies > 0 ? RANGE_LAUNCH : RANGE_KERNEL, kernels, &err) < 0)
		return launch_refused(launch, &err);
	return 0;
}

/* ---- the headline case ---- */

/* The profiler is opened anew for each group: given other metrics, it was seen to count nothing (H100, CUDA 13.0). */
static int count_group(struct launch *launch, const struct group *group)
{
	struct worker *w = launch->w;
	struct counters *counters = w->counters;
	struct error err = {""};
	int result = 0;

	if (range_profiler_open(&counters->range, &counters->profiler, &err) < 0) {
		if (w->measured)
			worker_problem(w, "%s: %s", w->family->name, err.text);
		else
			w->skipped = err;
		return -1;
	}
	for (int i = 0; i < w->family->nvariants && result == 0; i++) {
		launch->variant = &w->family->variants[i];
		if (launch_wanted(w, launch->variant, launch->size))
			result = count_variant(launch, group);
	}
	range_profiler_close(&counters->range);
	worker_flush(w);
	return result;
}

static void count_groups(struct launch *launch)
{
	const struct counters *counters = launch->w->counters;
	int result = 0;

	for (int i = 0; i < counters->ngroups && result == 0; i++)
		result = count_group(launch, &counters->groups[i]);
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
