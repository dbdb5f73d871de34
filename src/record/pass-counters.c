/* pass-counters.c: hardware counters of each variant: of each kernel run alone, or of a launch with copies as a whole.
 */
#include "record/worker.h"

#include <stdlib.h>

#include "record/launch.h"
#include "record/metric-set.h"
#include "record/nvtx.h"
#include "record/range-profiler.h"
#include "record/select.h"

/* Kernels that a library may launch over the one that the variant knows of. */
enum { MORE_KERNELS = 4 };

struct counters {
	struct cupti cupti;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	const char **metrics; /* of all sets, collected together */
	int nmetrics;
	struct metric_plan *plan;
	double *values; /* of one kernel */
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
		counters->metrics = metric_sets_metrics(counters->sets, counters->nsets, &counters->nmetrics);
		counters->values = calloc((size_t)counters->nmetrics + 1, sizeof *counters->values);
		if (counters->metrics != NULL && counters->values != NULL)
			return true;
		error_set(&w->skipped, "out of memory");
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
	metric_plan_free(counters->plan);
	profiler_close(&counters->profiler);
	free(counters->metrics);
	free(counters->values);
	metric_sets_free(counters->sets, counters->nsets);
	free(counters);
}

/* A chip that lacks some metrics has the others counted. */
static int make_plan(struct worker *w, struct counters *counters, const char *chip, const uint8_t *availability)
{
	int wanted = counters->nmetrics;

	if (metrics_known(&counters->profiler, PROFILER_RANGE, chip, availability, counters->metrics,
		    &counters->nmetrics, &w->skipped) < 0)
		return -1;
	if (counters->nmetrics == 0)
		return error_set(&w->skipped, "none of the metrics can be counted on %s", chip);
	if (counters->nmetrics < wanted)
		worker_note(w, SEVERITY_INFO, "%s lacks %d of %d metrics of the counters pass", chip,
			wanted - counters->nmetrics, wanted);
	counters->plan = metric_plan_new(&counters->profiler, PROFILER_RANGE, chip, availability, counters->metrics,
		counters->nmetrics, &w->skipped);
	return counters->plan == NULL ? -1 : 0;
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
	result = make_plan(w, counters, chip, availability);
	free(availability);
	return result < 0 ? -1 : range_profiler_open(&counters->range, &counters->profiler, &w->skipped);
}

/* ---- one variant in one case ---- */

static void write_range(const struct launch *launch, enum range_scope scope, int ord)
{
	const struct counters *counters = launch->w->counters;

	for (int i = 0; i < counters->nmetrics; i++) {
		const struct value row[COUNTER_NUMBER] = {
			[COUNTER_family] = VALUE_OF_TEXT(launch->w->family->name),
			[COUNTER_variant] = VALUE_OF_TEXT(launch->variant->name),
			[COUNTER_caseLabel] = VALUE_OF_TEXT(launch->size->label),
			[COUNTER_scope] = VALUE_OF_TEXT(scope == RANGE_KERNEL ? "kernel" : "range"),
			[COUNTER_ord] = VALUE_OF_INT(ord),
			[COUNTER_metric] = VALUE_OF_TEXT(counters->metrics[i]),
			[COUNTER_value] = worker_real(counters->values[i]),
			[COUNTER_replays] = VALUE_OF_INT((int64_t)metric_plan_passes(counters->plan)),
		};

		worker_row(launch->w, TABLE_COUNTER, row);
	}
}

static int run(void *user)
{
	return launch_once(user, NULL);
}

static int count_ranges(struct launch *launch, enum range_scope scope, int kernels, struct error *err)
{
	struct counters *counters = launch->w->counters;
	struct range_profiler *range = &counters->range;
	int found;

	if (range_profiler_configure(
		    range, counters->plan, counters->metrics, counters->nmetrics, scope, kernels, err) < 0)
		return -1;
	nvtx_push_variant(launch->w->family, launch->variant);
	nvtx_push_iteration(PASS_COUNTERS, launch->variant, launch->size->label, 0);
	found = range_profiler_count(range, run, launch, err);
	nvtx_pop();
	nvtx_pop();
	for (int i = 0; i < found; i++) {
		if (range_profiler_values(range, (size_t)i, counters->values, err) < 0)
			return -1;
		write_range(launch, scope, i);
	}
	return found == 0 ? error_set(err, "no kernel was counted") : found;
}

/* -1 ends the pass. */
static int count_variant(struct launch *launch)
{
	struct enqueued done = {0};
	struct error err = {""};
	enum range_scope scope;
	int kernels;

	worker_at(launch->w, launch->variant, launch->size);
	if (launch_once(launch, &done) < 0 || launch_warm_up(launch, NULL) < 0)
		return -1;
	scope = done.copies > 0 ? RANGE_LAUNCH : RANGE_KERNEL;
	kernels = (int)done.kernels + (launch->variant->opaque_launches ? MORE_KERNELS : 0);
	if (kernels == 0)
		return 0;
	if (count_ranges(launch, scope, kernels, &err) < 0 && launch_refused(launch, &err) < 0)
		return -1;
	worker_flush(launch->w);
	return 0;
}

/* ---- the headline case ---- */

static void count_variants(struct launch *launch)
{
	const struct family *f = launch->w->family;
	int result = 0;

	for (int i = 0; i < f->nvariants && result == 0; i++) {
		launch->variant = &f->variants[i];
		if (launch_wanted(launch->w, launch->variant, launch->size))
			result = count_variant(launch);
	}
}

/* The family's memory comes before the profiler's, so that it lies where it lies in the other passes. */
void pass_counters(struct worker *w)
{
	struct launch launch = {.w = w, .size = &w->cases[0]};

	worker_at(w, NULL, launch.size);
	if (worker_set_up(w, launch.size, &launch.state) < 0)
		return;
	if (start(w) == 0) {
		count_variants(&launch);
		if (!w->measured && w->problem.text[0] == '\0' && w->skipped.text[0] == '\0')
			error_set(&w->skipped, "nothing to count: no variant is chosen, supported here and right");
	}
	w->family->tear_down(launch.state);
}
