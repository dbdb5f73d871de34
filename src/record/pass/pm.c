/* pm.c: occupancy and traffic against time: one launch of each variant of the contrast pair per metric set, under
 * PM sampling and an activity trace of its own. */
#include "record/pass/pm.h"
#include "record/pass/steps.h"
#include "record/worker/worker.h"

#include <stdlib.h>
#include <string.h>

#include "record/worker/nvtx.h"
#include "record/worker/select.h"
#include "util/alloc.h"

enum { MAX_WORK = 4096, MAX_SAMPLES = 4000, TRIES = 2 };

static const int64_t INTERVAL_MIN_NS = 1000; /* what the hardware can do */

/* ---- the activity trace ---- */

static const char *pm_class_of_copy(int64_t kind)
{
	/* ENUM_CUDA_MEMCPY_OPER: host to device and to array, and back. */
	if (kind == 1 || kind == 3)
		return "h2d";
	return kind == 2 || kind == 4 ? "d2h" : "other";
}

static void take_row(void *user, enum table_id table, const struct value *row)
{
	struct pm *pm = user;
	struct pm_work work;

	if (table == TABLE_KERNEL) {
		work = (struct pm_work){
			row[KERNEL_start].integer, row[KERNEL_end].integer, "kernel", row[KERNEL_streamId].integer, ""};
		snprintf(work.name, sizeof(work.name), "%s", row[KERNEL_shortName].text);
	} else if (table == TABLE_MEMCPY) {
		work = (struct pm_work){row[MEMCPY_start].integer, row[MEMCPY_end].integer,
			pm_class_of_copy(row[MEMCPY_copyKind].integer), row[MEMCPY_streamId].integer, ""};
	} else if (table == TABLE_MEMSET) {
		work = (struct pm_work){
			row[MEMSET_start].integer, row[MEMSET_end].integer, "other", row[MEMSET_streamId].integer, ""};
	} else {
		return;
	}
	if (work.start < pm->from)
		return;
	if (pm->nwork < MAX_WORK)
		pm->work[pm->nwork++] = work;
	else
		pm->unnoted++;
}

/* ---- opening and closing ---- */

static void pass_pm_close(struct worker *w)
{
	struct pm *pm = w->pm;

	w->pm = NULL;
	if (!pm)
		return;
	pm_sampling_close(&pm->sampling);
	pm_plans_free(&pm->plans);
	profiler_close(&pm->profiler);
	activity_stop(pm->activity);
	free(pm->work);
	free(pm);
}

static bool pass_pm_open(struct worker *w)
{
	struct pm *pm = xcalloc(1, sizeof(*pm));

	w->pm = pm;
	pm->work = xcalloc(MAX_WORK, sizeof(*pm->work));
	if (pm_plans_load(&pm->plans, &w->skipped) == 0) {
		pm->activity = activity_start_work(take_row, pm, w->options->device, &w->skipped);
		if (pm->activity && profiler_open(&pm->profiler, &pm->activity->cupti, &w->skipped) == 0)
			return true;
	}
	pass_pm_close(w);
	return false;
}

static void note_unsampled_set(void *user, const char *set, const char *why)
{
	worker_note(user, SEVERITY_WARNING, "metric set %s cannot be sampled: %s", set, why);
}

/* Everything that needs the device. -1 with w->skipped. */
static int pm_start(struct worker *w)
{
	struct pm *pm = w->pm;
	uint8_t *availability;
	char chip[64];
	int result;

	if (profiler_start(&pm->profiler, &w->skipped) < 0 ||
		profiler_chip(&pm->profiler, w->options->device, chip, sizeof(chip), &w->skipped) < 0)
		return -1;
	availability = pm_sampling_availability(&pm->profiler, w->options->device, &w->skipped);
	if (!availability)
		return -1;
	result = pm_plans_make(&pm->plans, &pm->profiler, chip, availability, note_unsampled_set, w, &w->skipped);
	free(availability);
	return result;
}

/* ---- one launch ---- */

/* Takes what CUPTI lost since the last call. -1 with `err` if it lost anything. */
static int check_losses(struct pm *pm, struct error *err)
{
	struct tally tally;
	struct losses losses;
	size_t lost;

	activity_take(pm->activity, &tally, &losses);
	lost = losses.dropped + losses.damaged + losses.untimed + losses.unnoted + tally.short_of_memory;
	tally_clear(&tally);
	return lost == 0 ? 0 : error_set(err, "%zu record%s of device work lost", lost, lost == 1 ? " was" : "s were");
}

/* Runs the variant once under PM sampling; its work is in pm->work then. A launch before it makes CUPTI allocate the
 * buffer for its records. Otherwise that holds the host up for 0.1 ms in the middle of the sampled launch. */
static int sample_launch(const struct launch *launch, struct error *err)
{
	struct pm *pm = launch->w->pm;
	struct error after = {0}; /* of a failed launch */
	int ran, stopped;

	/* Takes the records of the warm-up first. */
	if (activity_flush(pm->activity, err) < 0 || launch_once(launch, NULL) < 0)
		return -1;
	(void)check_losses(pm, err);
	pm->nwork = pm->unnoted = 0;
	pm->from = activity_now(pm->activity);
	if (pm_sampling_start(&pm->sampling, err) < 0)
		return -1;
	nvtx_push_variant(launch->w->family, launch->variant);
	nvtx_push_iteration(PASS_PM, launch->variant, launch->size->label, 0);
	ran = launch_once(launch, NULL);
	nvtx_pop();
	nvtx_pop();
	stopped = pm_sampling_stop(&pm->sampling, ran < 0 ? &after : err);
	return ran < 0 || stopped < 0 || activity_flush(pm->activity, err) < 0 ? -1 : check_losses(pm, err);
}

/* Sampling is opened anew for each launch: when it is started a second time, it gives no samples (H100, CUDA 13.0). In
 * the time that this takes the GPU slows down; hence the warm-up. */
static int sample_once(const struct launch *launch, int set, int64_t interval, size_t room, struct error *err)
{
	struct pm *pm = launch->w->pm;
	const struct metric_set *what = &pm->plans.sets[set];

	pm_sampling_close(&pm->sampling);
	if (pm_sampling_open(&pm->sampling, &pm->profiler, launch->w->options->device, err) < 0 ||
		pm_sampling_configure(
			&pm->sampling, pm->plans.plans[set], what->metrics, what->nmetrics, interval, room, err) < 0 ||
		launch_warm_up(launch, NULL) < 0 || sample_launch(launch, err) < 0)
		return -1;
	return pm->nwork == 0 ? error_set(err, "no device work was recorded") : 0;
}

/* The first launch after the clocks are locked may take four times as long, and then there is no room for all samples.
 * In that case it is tried once more, with as much room as possible. `usual`: the shortest time of a launch on the host
 * (ns). */
static int sample_well(const struct launch *launch, int set, int64_t interval, int64_t usual, struct error *err)
{
	const struct pm *pm = launch->w->pm;
	size_t room = (size_t)(usual / interval);
	int64_t start;

	for (int i = 0; i < TRIES; i++) {
		if (sample_once(launch, set, interval, i == 0 ? room : SIZE_MAX, err) < 0)
			return -1;
		if (pm->sampling.nsamples > 0 && !pm->sampling.overflow && 2 * pm_span(pm, &start) < 3 * usual)
			return 0;
	}
	if (pm->sampling.nsamples == 0)
		return error_set(err, "there are no samples");
	if (2 * pm_span(pm, &start) >= 3 * usual)
		worker_note(launch->w, SEVERITY_INFO,
			"%s/%s, metric set %s: under PM sampling a launch takes %.1f times as long",
			launch->w->family->name, launch->variant->name, pm->plans.sets[set].name,
			(double)pm_span(pm, &start) / (double)usual);
	return 0;
}

/* ---- variants and sets ---- */

/* -1 ends the pass. */
static int sample_set(const struct launch *launch, int set, int64_t interval, int64_t usual)
{
	struct worker *w = launch->w;
	struct pm *pm = w->pm;
	struct error err = {0};
	int result;

	worker_at(w, launch->variant, launch->size);
	result = sample_well(launch, set, interval, usual, &err);
	if (result == 0) {
		pm_write_run(launch, &pm->plans.sets[set], interval);
		if (pm->unnoted > 0)
			worker_note(w, SEVERITY_WARNING,
				"%s/%s: %zu pieces of device work are not shown beside PM samples", w->family->name,
				launch->variant->name, pm->unnoted);
	}
	pm_sampling_close(&pm->sampling);
	return result == 0 ? 0 : launch_refused(launch, &err);
}

static int pm_sample_variant(const struct launch *launch)
{
	const struct pm *pm = launch->w->pm;
	int64_t ns, interval;

	if (launch_warm_up(launch, &ns) < 0)
		return -1;
	interval = ns / MAX_SAMPLES;
	interval = interval < INTERVAL_MIN_NS ? INTERVAL_MIN_NS : (interval + 999) / 1000 * 1000;
	for (int set = 0; set < pm->plans.nsets; set++)
		if (pm->plans.plans[set] && sample_set(launch, set, interval, ns) < 0)
			return -1;
	worker_flush(launch->w);
	return 0;
}

static int sample_pair(struct launch *launch, const struct variant *const *variants, int n)
{
	int result = 0;

	if (worker_set_up(launch->w, launch->size, &launch->state) < 0)
		return -1;
	for (int i = 0; i < n && result == 0; i++) {
		launch->variant = variants[i];
		result = pm_sample_variant(launch);
	}
	launch->w->family->tear_down(launch->state);
	return result;
}

static void pass_pm_run(struct worker *w)
{
	const struct family *f = w->family;
	const struct variant *const pair[] = {variant_find(f, f->single), variant_find(f, f->double_)};
	const struct variant *variants[2];
	struct launch launch = {.w = w, .size = &w->cases[0]};
	int n = 0;

	for (int i = 0; i < 2; i++)
		if (launch_wanted(w, pair[i], launch.size))
			variants[n++] = pair[i];
	if (n == 0)
		error_set(&w->skipped,
			"nothing to sample: no variant of the contrast is chosen, supported here and right");
	if (n == 0 || pm_start(w) < 0)
		return;
	worker_at(w, NULL, launch.size);
	(void)sample_pair(&launch, variants, n);
}

const struct pass_steps pass_pm = {pass_pm_open, pass_pm_run, pass_pm_close};
