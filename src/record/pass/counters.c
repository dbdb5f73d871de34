/* counters.c: hardware counters of each variant: of each kernel run alone, or, if one of the variants copies, of each
 * launch as a whole. */
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <stdlib.h>

#include "record/cupti/metric-set.h"
#include "record/pass/counter-items.h"
#include "record/pass/launch.h"
#include "util/alloc.h"

struct counters {
	struct cupti cupti;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	struct counter_groups groups;
	struct range_profiler range;
	enum range_scope scope; /* of all groups */
	bool *refused;          /* of each variant: it could not be counted */
};

/* ---- opening and closing ---- */

/* CUPTI was started, so it stays loaded. */
static void pass_counters_close(struct worker *w)
{
	struct counters *counters = w->counters;

	w->counters = NULL;
	if (!counters)
		return;
	range_profiler_close(&counters->range);
	counter_groups_free(&counters->groups);
	free(counters->refused);
	profiler_close(&counters->profiler);
	metric_sets_free(counters->sets, counters->nsets);
	free(counters);
}

static bool pass_counters_open(struct worker *w)
{
	struct counters *counters = xcalloc(1, sizeof(*counters));

	w->counters = counters;
	counters->refused = xcalloc((size_t)w->family->nvariants, sizeof(*counters->refused));
	if (metric_sets_load(PASS_COUNTERS, &counters->sets, &counters->nsets, &w->skipped) == 0 &&
		cupti_open(&counters->cupti, &w->skipped) == 0 &&
		profiler_open(&counters->profiler, &counters->cupti, &w->skipped) == 0)
		return true;
	pass_counters_close(w);
	return false;
}

/* Everything that needs the device. -1 with w->skipped. */
static int counters_start(struct worker *w)
{
	struct counters *counters = w->counters;
	uint8_t *availability;
	char chip[64];
	int result;

	if (profiler_start(&counters->profiler, &w->skipped) < 0 ||
		profiler_chip(&counters->profiler, w->options->device, chip, sizeof(chip), &w->skipped) < 0)
		return -1;
	availability = range_profiler_availability(&counters->profiler, &w->skipped);
	if (!availability)
		return -1;
	result = counter_groups_make(&counters->groups, &counters->profiler, counters->sets, counters->nsets,
		&(struct chip){chip, availability}, &w->skipped);
	free(availability);
	return result;
}

/* ---- the headline case ---- */

/* A variant that only copies has nothing to count. Says so: its counters would be missing without a word. */
static void note_no_kernel(const struct launch *launch)
{
	worker_note(launch->w, SEVERITY_INFO, "%s/%s, case %s: not counted, since it launches no kernel",
		launch->w->family->name, launch->variant->name, launch->size->label);
}

/* Finds out what the variant launches, and warms the GPU up; it is still warm when the next group comes. 1; 0 if there
 * is nothing to count; -1 ends the pass. */
static int counters_prepare(struct launch *launch, const struct counter_group *group, struct counter_item *item)
{
	const bool first = group == launch->w->counters->groups.all;
	struct enqueued done = {0};

	worker_at(launch->w, launch->variant, launch->size);
	if (launch_once(launch, &done) < 0 || (first && launch_warm_up(launch, NULL) < 0))
		return -1;
	*item = (struct counter_item){launch->variant, done, {0}};
	if (done.kernels > 0 || launch->variant->opaque_launches)
		return 1;
	if (first)
		note_no_kernel(launch);
	return 0;
}

/* Prepares all variants and returns how many are to be counted. Those of a library come last, since they cannot share
 * replays with others. *failed: a CUDA error came in between. */
static int prepare_all(
	struct launch *launch, const struct counter_group *group, struct counter_item *items, bool *failed)
{
	const struct family *family = launch->w->family;
	int n = 0;

	for (int opaque = 0; opaque <= 1 && !*failed; opaque++)
		for (int i = 0; i < family->nvariants && !*failed; i++) {
			int prepared = 0;

			launch->variant = &family->variants[i];
			if (launch->variant->opaque_launches == (opaque == 1) && !launch->w->counters->refused[i] &&
				launch_wanted(launch->w, launch->variant, launch->size))
				prepared = counters_prepare(launch, group, &items[n]);
			*failed = prepared < 0;
			n += prepared > 0;
		}
	return n;
}

/* `items` has room for all variants. Those prepared before a CUDA error are still counted, unless CUDA is dead. */
static int count_variants(struct launch *launch, const struct counter_group *group, struct counter_item *items)
{
	struct counters *counters = launch->w->counters;
	bool failed = false;
	int n = prepare_all(launch, group, items, &failed), result = 0;

	if (group == counters->groups.all)
		counters->scope = counter_items_scope(items, n);
	if (!failed || worker_alive(launch->w))
		result = counter_items(launch, &counters->range, counters->scope, group, items, n);
	for (int i = 0; i < n; i++)
		if (items[i].refusal.text[0] != '\0')
			counters->refused[items[i].variant - launch->w->family->variants] = true;
	return failed ? -1 : result;
}

/* The profiler is opened anew for each group: an open one counts nothing when it gets other metrics (H100, CUDA 13.0).
 */
static int count_group(struct launch *launch, const struct counter_group *group)
{
	struct worker *w = launch->w;
	struct counters *counters = w->counters;
	struct counter_item *items = xcalloc((size_t)w->family->nvariants, sizeof(*items));
	struct error err = {0};
	int result = -1;

	if (range_profiler_open(&counters->range, &counters->profiler, &err) == 0)
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

/* The family's memory is allocated before the profiler's. So it has the same addresses as in the other passes. */
static void pass_counters_run(struct worker *w)
{
	struct launch launch = {.w = w, .size = &w->cases[0]};

	worker_at(w, NULL, launch.size);
	if (worker_set_up(w, launch.size, &launch.state) < 0)
		return;
	if (counters_start(w) == 0) {
		count_groups(&launch);
		if (!w->measured && w->problem.text[0] == '\0' && w->skipped.text[0] == '\0')
			error_set(&w->skipped, "nothing to count: no variant is chosen, supported here and right");
	}
	w->family->tear_down(launch.state);
}

const struct pass_steps pass_counters = {pass_counters_open, pass_counters_run, pass_counters_close};
