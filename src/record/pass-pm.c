/* pass-pm.c: occupancy and traffic against time: one launch of each variant of the contrast pair per metric set, under
 * PM sampling and an activity trace of its own. */
#include "record/worker.h"

#include <stdlib.h>
#include <string.h>

#include "record/activity.h"
#include "record/clock.h"
#include "record/metric-set.h"
#include "record/nvtx.h"
#include "record/pm-sampling.h"
#include "record/select.h"

enum { MAX_WORK = 4096, MAX_SAMPLES = 4000, NAME_SIZE = 128 };

static const int64_t WARM_UP_NS = 30000000;
static const int64_t INTERVAL_MIN_NS = 1000; /* what the hardware can do */
static const int64_t LEAD_NS = 5000;         /* shown before the first work and after the last */

/* A piece of device work, from an activity record. */
struct pm_work {
	int64_t start, end; /* ns, CLOCK_REALTIME */
	const char *cls;    /* "h2d", "d2h", "kernel", "other" */
	int64_t stream;
	char name[NAME_SIZE]; /* of a kernel; "" */
};

struct pm {
	struct activity *activity;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	struct metric_plan **plans; /* one per set; NULL where the set cannot be sampled here */
	struct pm_sampling sampling;
	struct pm_work *work;
	size_t nwork;
	size_t unnoted; /* pieces of work that there was no room for */
};

/* A case that is being sampled. */
struct pm_case {
	struct worker *w;
	struct pm *pm;
	const struct size_case *size;
	void *state;
	const struct variant *variants[2];
	int n;
};

/* ---- the activity trace ---- */

static const char *class_of_copy(int64_t kind)
{
	/* ENUM_CUDA_MEMCPY_OPER: host to device and to array, and back. */
	if (kind == 1 || kind == 3)
		return "h2d";
	return kind == 2 || kind == 4 ? "d2h" : "other";
}

static void take_row(void *user, enum table_id table, const struct value *row)
{
	struct pm *pm = user;
	struct pm_work *work = &pm->work[pm->nwork];

	if (pm->nwork == MAX_WORK) {
		pm->unnoted++;
		return;
	}
	*work = (struct pm_work){.cls = "other"};
	if (table == TABLE_KERNEL) {
		*work = (struct pm_work){
			row[KERNEL_start].integer, row[KERNEL_end].integer, "kernel", row[KERNEL_streamId].integer, ""};
		snprintf(work->name, sizeof work->name, "%s", row[KERNEL_shortName].text);
	} else if (table == TABLE_MEMCPY) {
		*work = (struct pm_work){row[MEMCPY_start].integer, row[MEMCPY_end].integer,
			class_of_copy(row[MEMCPY_copyKind].integer), row[MEMCPY_streamId].integer, ""};
	} else if (table == TABLE_MEMSET) {
		*work = (struct pm_work){
			row[MEMSET_start].integer, row[MEMSET_end].integer, "other", row[MEMSET_streamId].integer, ""};
	} else {
		return;
	}
	pm->nwork++;
}

/* ---- opening and closing ---- */

bool pass_pm_open(struct worker *w)
{
	struct pm *pm = calloc(1, sizeof *pm);

	w->pm = pm;
	if (pm != NULL)
		pm->work = calloc(MAX_WORK, sizeof *pm->work);
	if (pm == NULL || pm->work == NULL) {
		error_set(&w->skipped, "out of memory");
	} else if (metric_sets_load(PASS_PM, &pm->sets, &pm->nsets, &w->skipped) == 0) {
		pm->plans = calloc((size_t)pm->nsets + 1, sizeof *pm->plans);
		pm->activity = activity_start_work(take_row, pm, w->options->device, &w->skipped);
		if (pm->plans != NULL && pm->activity != NULL &&
			profiler_open(&pm->profiler, &pm->activity->cupti, &w->skipped) == 0)
			return true;
	}
	pass_pm_close(w);
	return false;
}

void pass_pm_close(struct worker *w)
{
	struct pm *pm = w->pm;

	w->pm = NULL;
	if (pm == NULL)
		return;
	pm_sampling_close(&pm->sampling);
	for (int i = 0; pm->plans != NULL && i < pm->nsets; i++)
		metric_plan_free(pm->plans[i]);
	free(pm->plans);
	metric_sets_free(pm->sets, pm->nsets);
	profiler_close(&pm->profiler);
	activity_stop(pm->activity);
	free(pm->work);
	free(pm);
}

/* A set that takes more than one pass cannot be sampled; the others can. */
static int make_plans(struct worker *w, struct pm *pm, const char *chip, const uint8_t *availability)
{
	int usable = 0;

	for (int i = 0; i < pm->nsets; i++) {
		const struct metric_set *set = &pm->sets[i];
		struct error err = {""};

		if (set->nmetrics <= PM_MAX_METRICS)
			pm->plans[i] = metric_plan_new(
				&pm->profiler, PROFILER_PM, chip, availability, set->metrics, set->nmetrics, &err);
		else
			error_set(&err, "it has more than %d metrics", PM_MAX_METRICS);
		if (pm->plans[i] != NULL && metric_plan_passes(pm->plans[i]) != 1) {
			metric_plan_free(pm->plans[i]);
			pm->plans[i] = NULL;
			error_set(&err, "it takes more than one pass on %s", chip);
		}
		usable += pm->plans[i] != NULL;
		if (pm->plans[i] == NULL)
			worker_note(w, SEVERITY_WARNING, "metric set %s cannot be sampled: %s", set->name, err.text);
	}
	return usable > 0 ? 0 : error_set(&w->skipped, "no metric set can be sampled on %s", chip);
}

/* Everything that needs the device. -1 with w->skipped. */
static int start(struct worker *w)
{
	struct pm *pm = w->pm;
	uint8_t *availability;
	char chip[64];
	int result;

	if (profiler_start(&pm->profiler, &w->skipped) < 0 ||
		profiler_chip(&pm->profiler, w->options->device, chip, sizeof chip, &w->skipped) < 0)
		return -1;
	availability = pm_sampling_availability(&pm->profiler, w->options->device, &w->skipped);
	if (availability == NULL)
		return -1;
	result = make_plans(w, pm, chip, availability);
	free(availability);
	return result < 0 ? -1 : pm_sampling_open(&pm->sampling, &pm->profiler, w->options->device, &w->skipped);
}

/* ---- one launch ---- */

static cudaError_t run_once(struct pm_case *c, const struct variant *variant)
{
	struct enqueued done = {0};
	cudaError_t code = variant->launch(c->state, c->w->stream, &done);

	return code == cudaSuccess ? cudaStreamSynchronize(c->w->stream) : code;
}

/* Runs the variant for a while and gives the shortest time that a launch took on the host. */
static int warm_up(struct pm_case *c, const struct variant *variant, int64_t *shortest)
{
	int64_t until = clock_monotonic() + WARM_UP_NS;

	*shortest = INT64_MAX;
	do {
		int64_t begin = clock_monotonic(), ns;
		cudaError_t code = run_once(c, variant);

		if (code != cudaSuccess)
			return worker_cuda_problem(c->w, variant, c->size, code);
		ns = clock_monotonic() - begin;
		if (ns < *shortest)
			*shortest = ns;
	} while (clock_monotonic() < until);
	return 0;
}

/* Runs the variant once under PM sampling; its work is in pm->work then. */
static int sample_launch(struct pm_case *c, const struct variant *variant, struct error *err)
{
	struct pm *pm = c->pm;
	cudaError_t code;
	int stopped;

	/* Records of the warm-up go first. */
	if (activity_flush(pm->activity, err) < 0)
		return -1;
	pm->nwork = pm->unnoted = 0;
	if (pm_sampling_start(&pm->sampling, err) < 0)
		return -1;
	nvtx_push_variant(c->w->family, variant);
	nvtx_push_iteration(PASS_PM, variant, c->size->label, 0);
	code = run_once(c, variant);
	nvtx_pop();
	nvtx_pop();
	stopped = pm_sampling_stop(&pm->sampling, err);
	if (code != cudaSuccess)
		return worker_cuda_problem(c->w, variant, c->size, code);
	return stopped < 0 ? -1 : activity_flush(pm->activity, err);
}

/* ---- rows ---- */

static void write_samples(const struct pm_case *c, int64_t run, int64_t start, int64_t end)
{
	const struct pm_sampling *s = &c->pm->sampling;

	for (size_t i = 0; i < s->nsamples; i++) {
		int64_t from = s->samples[i].start + c->pm->activity->offset;
		int64_t to = s->samples[i].end + c->pm->activity->offset;
		struct value row[PMSAMPLE_NUMBER] = {
			[PMSAMPLE_run] = VALUE_OF_INT(run),
			[PMSAMPLE_fromNs] = VALUE_OF_INT(from - start),
			[PMSAMPLE_toNs] = VALUE_OF_INT(to - start),
		};

		for (int m = 0; m < s->nmetrics; m++)
			row[PMSAMPLE_v0 + m] = worker_real(s->samples[i].value[m]);
		if (to > start - LEAD_NS && from < end + LEAD_NS)
			worker_row(c->w, TABLE_PMSAMPLE, row);
	}
}

static void write_work(const struct pm_case *c, int64_t run, int64_t start)
{
	for (size_t i = 0; i < c->pm->nwork; i++) {
		const struct pm_work *work = &c->pm->work[i];
		const struct value row[PMWORK_NUMBER] = {
			[PMWORK_run] = VALUE_OF_INT(run),
			[PMWORK_fromNs] = VALUE_OF_INT(work->start - start),
			[PMWORK_toNs] = VALUE_OF_INT(work->end - start),
			[PMWORK_class] = VALUE_OF_TEXT(work->cls),
			[PMWORK_streamId] = VALUE_OF_INT(work->stream),
			[PMWORK_name] = VALUE_OF_TEXT(work->name[0] == '\0' ? NULL : work->name),
		};

		worker_row(c->w, TABLE_PMWORK, row);
	}
}

/* "a b c" */
static void join_metrics(const struct metric_set *set, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < set->nmetrics && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : " ", set->metrics[i]);
}

static void write_run(struct pm_case *c, const struct variant *variant, const struct metric_set *set, int64_t interval)
{
	const struct pm *pm = c->pm;
	int64_t start = INT64_MAX, end = INT64_MIN, run = worker_next_id(c->w);
	char metrics[512];

	for (size_t i = 0; i < pm->nwork; i++) {
		start = pm->work[i].start < start ? pm->work[i].start : start;
		end = pm->work[i].end > end ? pm->work[i].end : end;
	}
	join_metrics(set, metrics, sizeof metrics);
	const struct value row[PMRUN_NUMBER] = {
		[PMRUN_id] = VALUE_OF_INT(run),
		[PMRUN_family] = VALUE_OF_TEXT(c->w->family->name),
		[PMRUN_variant] = VALUE_OF_TEXT(variant->name),
		[PMRUN_caseLabel] = VALUE_OF_TEXT(c->size->label),
		[PMRUN_setName] = VALUE_OF_TEXT(set->name),
		[PMRUN_metrics] = VALUE_OF_TEXT(metrics),
		[PMRUN_start] = VALUE_OF_INT(start),
		[PMRUN_end] = VALUE_OF_INT(end),
		[PMRUN_interval] = VALUE_OF_INT(interval),
		[PMRUN_overflow] = VALUE_OF_INT(pm->sampling.overflow),
	};
	worker_row(c->w, TABLE_PMRUN, row);
	write_work(c, run, start);
	write_samples(c, run, start, end);
}

/* ---- variants and sets ---- */

/* -1 if CUDA failed, which ends the pass. What PM sampling refuses only costs this set. */
static int sample_set(struct pm_case *c, const struct variant *variant, int set, int64_t interval)
{
	struct pm *pm = c->pm;
	const struct metric_set *what = &pm->sets[set];
	struct error err = {""};

	worker_at(c->w, variant, c->size);
	if (pm_sampling_configure(&pm->sampling, pm->plans[set], what->metrics, what->nmetrics, interval, &err) == 0 &&
		sample_launch(c, variant, &err) == 0 && pm->nwork > 0) {
		write_run(c, variant, what, interval);
		if (pm->unnoted > 0)
			worker_note(c->w, SEVERITY_WARNING,
				"%s/%s: %zu pieces of device work are not shown beside PM samples", c->w->family->name,
				variant->name, pm->unnoted);
		return 0;
	}
	if (c->w->problem.text[0] != '\0')
		return -1;
	worker_problem(c->w, "%s/%s, metric set %s: %s", c->w->family->name, variant->name, what->name,
		err.text[0] == '\0' ? "no device work was recorded" : err.text);
	return 0;
}

static int sample_variant(struct pm_case *c, const struct variant *variant)
{
	int64_t ns, interval;

	if (warm_up(c, variant, &ns) < 0)
		return -1;
	interval = ns / MAX_SAMPLES;
	interval = interval < INTERVAL_MIN_NS ? INTERVAL_MIN_NS : (interval + 999) / 1000 * 1000;
	for (int set = 0; set < c->pm->nsets; set++)
		if (c->pm->plans[set] != NULL && sample_set(c, variant, set, interval) < 0)
			return -1;
	worker_flush(c->w);
	return 0;
}

static void choose(struct pm_case *c)
{
	const struct family *f = c->w->family;
	const char *const pair[] = {f->single, f->double_};

	for (int i = 0; i < 2; i++) {
		const struct variant *variant = variant_find(f, pair[i]);

		if (worker_wants(c->w, variant, c->size) &&
			!select_skipped(c->w->options, f->name, variant->name, c->size->label))
			c->variants[c->n++] = variant;
	}
}

void pass_pm(struct worker *w)
{
	struct pm_case c = {.w = w, .pm = w->pm, .size = &w->cases[0]};
	int result = 0;

	choose(&c);
	if (c.n == 0)
		error_set(&w->skipped,
			"nothing to sample: no variant of the contrast is chosen, supported here and right");
	if (c.n == 0 || start(w) < 0)
		return;
	worker_at(w, NULL, c.size);
	if (worker_set_up(w, c.size, &c.state) < 0)
		return;
	for (int i = 0; i < c.n && result == 0; i++)
		result = sample_variant(&c, c.variants[i]);
	w->family->tear_down(c.state);
}
