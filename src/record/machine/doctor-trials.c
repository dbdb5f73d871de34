/* doctor-trials.c: what each pass needs, tried on a kernel of some 20 us. See doctor.h. */
#include "record/machine/doctor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "tools/clock-probe.h"
#include "record/cupti/activity.h"
#include "record/cupti/cuda-error.h"
#include "record/cupti/metric-set.h"
#include "record/cupti/pc/pc-sampling.h"
#include "record/cupti/pm/pm-sampling.h"
#include "record/cupti/range-profiler.h"

enum { PM_INTERVAL_NS = 10000, PM_US = 2000 };

/* ---- the device and the kernel ---- */

/* The kernel, and where its error goes. */
struct work {
	struct clock_reading *reading; /* pinned */
	struct error *err;
};

/* Makes a CUDA context and what the kernel needs. False, with *out filled, if there is no device that can be used. */
static bool use_device(int device, struct work *work, struct trial *out)
{
	enum device_state state = device_probe(device, &out->text);
	cudaError_t code;

	*work = (struct work){NULL, &out->text};
	if (state != DEVICE_OK) {
		out->end = state == DEVICE_NONE ? TRIAL_NO_DEVICE : TRIAL_BROKEN;
		return false;
	}
	code = cudaSetDevice(device);
	if (code == cudaSuccess)
		code = cudaMallocHost((void **)&work->reading, sizeof(*work->reading));
	if (code == cudaSuccess)
		return true;
	out->end = TRIAL_BROKEN;
	cuda_error(&out->text, code, "the GPU cannot be used");
	return false;
}

static int run_kernel(const struct work *work)
{
	cudaError_t code = clock_probe(work->reading, NULL);

	if (code == cudaSuccess)
		code = cudaDeviceSynchronize();
	return code == cudaSuccess ? 0 : cuda_error(work->err, code, "a kernel does not run");
}

static void works(struct trial *out, const char *with)
{
	out->end = TRIAL_WORKS;
	error_set(&out->text, "%s", with);
}

void trial_kernel(int device, struct trial *out)
{
	struct work work;

	if (use_device(device, &work, out) && run_kernel(&work) == 0)
		works(out, "a kernel ran");
}

/* ---- trace ---- */

static void count_kernel(void *user, enum table_id table, const struct value *row)
{
	(void)row;
	if (table == TABLE_KERNEL)
		atomic_fetch_add((atomic_int *)user, 1);
}

void trial_activity(int device, struct trial *out)
{
	atomic_int kernels = 0;
	struct work work;
	struct activity *activity = activity_start_work(count_kernel, &kernels, device, &out->text);

	out->end = TRIAL_REFUSED;
	if (!activity || !use_device(device, &work, out) || run_kernel(&work) < 0 ||
		activity_flush(activity, &out->text) < 0)
		return;
	if (kernels == 1)
		works(out, "a kernel was recorded");
	else
		error_set(&out->text, "CUPTI recorded %d kernels of one", (int)kernels);
}

/* ---- pm and counters ---- */

/* What both need. Nothing is freed: the process ends after the trial. */
struct profiling {
	struct work work;
	struct cupti cupti;
	struct profiler profiler;
	char chip[64];
	struct metric_set *sets;
	int nsets, usable;
	const struct metric_set *best; /* the usable one that takes the fewest replays */
	struct metric_plan *plan;      /* of that one */
};

/* False, with *out filled, if there is no profiler. */
static bool open_profiler(struct profiling *p, enum pass pass, int device, struct trial *out)
{
	out->end = TRIAL_REFUSED;
	if (metric_sets_load(pass, &p->sets, &p->nsets, &out->text) < 0 || cupti_open(&p->cupti, &out->text) < 0 ||
		profiler_open(&p->profiler, &p->cupti, &out->text) < 0 || !use_device(device, &p->work, out))
		return false;
	out->end = TRIAL_REFUSED;
	return profiler_start(&p->profiler, &out->text) == 0 &&
	       profiler_chip(&p->profiler, device, p->chip, sizeof(p->chip), &out->text) == 0;
}

static void plan_set(struct profiling *p, enum profiler_kind kind, struct metric_set *set, const uint8_t *availability,
	struct error *err)
{
	struct metric_plan *plan;

	if (metrics_known(&p->profiler, kind, p->chip, availability, set->metrics, &set->nmetrics, err) < 0 ||
		set->nmetrics == 0)
		return;
	plan = metric_plan_new(&p->profiler, kind, p->chip, availability, set->metrics, set->nmetrics, err);
	if (!plan || (kind == PROFILER_PM && metric_plan_passes(plan) > 1))
		return;
	p->usable++;
	if (!p->plan || metric_plan_passes(plan) < metric_plan_passes(p->plan)) {
		p->best = set;
		p->plan = plan;
	}
}

/* -1, with `err`, if the chip cannot count any set. */
static int plan_sets(struct profiling *p, enum profiler_kind kind, const uint8_t *availability, struct error *err)
{
	for (int i = 0; availability && i < p->nsets; i++)
		plan_set(p, kind, &p->sets[i], availability, err);
	if (!availability || p->usable > 0)
		return p->usable > 0 ? 0 : -1;
	return err->text[0] == '\0' ? error_set(err, "no metric set is for the chip %s", p->chip)
				    : error_prefix(err, "no metric set can be used on the chip %s", p->chip);
}

static void tell_sets(const struct profiling *p, const char *what, struct trial *out)
{
	out->end = TRIAL_WORKS;
	error_set(&out->text, "%s; %d metric sets for the chip %s", what, p->usable, p->chip);
}

void trial_pm(int device, struct trial *out)
{
	struct profiling p = {.usable = 0};
	struct pm_sampling pm;

	if (!open_profiler(&p, PASS_PM, device, out) ||
		plan_sets(&p, PROFILER_PM, pm_sampling_availability(&p.profiler, device, &out->text), &out->text) < 0 ||
		pm_sampling_open(&pm, &p.profiler, device, &out->text) < 0 ||
		pm_sampling_configure(&pm, p.plan, p.best->metrics, p.best->nmetrics, PM_INTERVAL_NS,
			1000 * PM_US / PM_INTERVAL_NS, &out->text) < 0 ||
		run_kernel(&p.work) < 0 || pm_sampling_start(&pm, &out->text) < 0)
		return;
	usleep(PM_US);
	if (pm_sampling_stop(&pm, &out->text) < 0)
		return;
	if (pm.nsamples > 0)
		tell_sets(&p, "samples arrive", out);
	else
		error_set(&out->text, "PM sampling gives no samples");
	pm_sampling_close(&pm);
}

/* For range_profiler_count(). */
static int run_trial_item(void *user, int item)
{
	(void)item;
	return run_kernel(user);
}

void trial_counters(int device, struct trial *out)
{
	struct profiling p = {.usable = 0};
	struct range_profiler range;
	int counted;

	if (!open_profiler(&p, PASS_COUNTERS, device, out) ||
		plan_sets(&p, PROFILER_RANGE, range_profiler_availability(&p.profiler, &out->text), &out->text) < 0 ||
		run_kernel(&p.work) < 0 || range_profiler_open(&range, &p.profiler, &out->text) < 0 ||
		range_profiler_configure(
			&range, p.plan, p.best->metrics, p.best->nmetrics, RANGE_KERNEL, 2, &out->text) < 0)
		return;
	counted = range_profiler_count(&range, run_trial_item, &p.work, 1, &out->text);
	if (counted == 2)
		tell_sets(&p, "a kernel was counted", out);
	else if (counted >= 0)
		error_set(&out->text, "the range profiler counted %d kernels of two", counted);
	range_profiler_close(&range);
}

/* ---- stalls ---- */

void trial_stalls(int device, struct trial *out)
{
	struct cupti cupti;
	struct pc_sampling pc;
	struct work work;

	out->end = TRIAL_REFUSED;
	if (cupti_open(&cupti, &out->text) < 0 || pc_sampling_open(&pc, &cupti, &out->text) < 0 ||
		!use_device(device, &work, out))
		return;
	if (pc_sampling_enable(&pc, PC_PERIOD, &out->text) < 0 || run_kernel(&work) < 0 ||
		pc_sampling_start(&pc, &out->text) < 0 || run_kernel(&work) < 0 ||
		pc_sampling_stop(&pc, &out->text) < 0)
		return;
	if (pc.session.total > 0)
		works(out, "a kernel was sampled");
	else
		error_set(&out->text, "PC sampling gives no samples");
	pc_sampling_close(&pc);
}
