/* sampler.c: see sampler.h. */
#include "contrast/pm/sampler.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/count/counting.h"
#include "contrast/count/results.h"
#include "contrast/pm/sampler-work.h"
#include "record/cupti/pm/pm-session.h"
#include "util/clock.h"

/* A step may take longer than it did when it was traced: so many times as many samples have room. Beyond two images
 * nothing is read. */
enum { ROOM_FOR_LATE = 2, IMAGES_MOST = 2 };

enum sampler_state {
	SAMPLER_OVER,    /* nothing more is done */
	SAMPLER_WAITS,   /* for the step before which sampling is set up */
	SAMPLER_IS_OPEN, /* set up; steps are left out */
	SAMPLER_SAMPLES, /* a step is sampled */
	SAMPLER_IS_STALE /* a sampled step could not be ended: what was set up is of no use */
};

static struct {
	const struct count_plan *plan;
	struct pm_session pm;
	atomic_int device; /* CUDA's number of the GPU that is sampled, in this process */
	void (*at_exit)(void);
	atomic_uint_least64_t *launched; /* without a range: launches of each kernel of the plan */
	atomic_size_t unlaunched;        /* kernels that have not had all the launches of a traced run */
	atomic_int state;
	atomic_bool is_used;       /* the process has launched on the GPU */
	atomic_uint_least64_t due; /* number of the step in which something is to be done */
	atomic_int_least64_t mark; /* of the step that is sampled */
	atomic_int_least64_t
		late_mark; /* of the step that began before the process had used the GPU; 0: there is none */
	uint64_t late_number;
	atomic_bool is_prepared;
	size_t group;                  /* that is sampled next */
	unsigned tries;                /* of it */
	int64_t start_ns;              /* of the step that is sampled: CLOCK_REALTIME */
	atomic_int_least64_t until_ns; /* without a range: CLOCK_MONOTONIC */
	CUcontext context;             /* without a range: of the first launch */
	uint64_t step;
	unsigned images;
	const char *missed; /* what was told last */
} sampler;

static int state_now(void)
{
	return atomic_load(&sampler.state);
}

static bool has_steps(void)
{
	return sampler.plan->curves.nsteps > 0;
}

/* ---- what is told ---- */

static void tell_of_group(enum count_result kind, uint32_t launches, const void *bytes, size_t size)
{
	const struct count_record head = {.magic = COUNT_RECORD_MAGIC,
		.kind = kind,
		.group = (uint32_t)sampler.group,
		.launches = launches,
		.size = size};

	count_results_append(&head, bytes);
}

/* `why` is a constant. */
static void sampler_miss(const char *why)
{
	if (sampler.missed != why)
		tell_of_group(COUNT_MISSED, 0, why, strlen(why));
	sampler.missed = why;
}

/* The program runs on as ever. */
static void sampler_end(void)
{
	if (state_now() == SAMPLER_OVER)
		return;
	atomic_store(&sampler.state, SAMPLER_OVER);
	pm_session_close(&sampler.pm);
	sampler_work_stop();
}

static void sampler_refuse(const struct error *why)
{
	sampler_end();
	counting_refuse(why);
}

/* ---- begin ---- */

/* The step before which the group is set up; there may be none before. */
static uint64_t step_of_setting_up(void)
{
	const struct count_curves *curves = &sampler.plan->curves;
	uint64_t step = has_steps() ? curves->steps[sampler.group] : 0;

	return step < curves->warm ? 0 : step - curves->warm;
}

int sampler_prepare(const struct cupti *cupti, void (*at_exit)(void), struct error *err)
{
	const struct count_plan *plan = counting_plan();

	sampler.plan = plan;
	if (plan->curves.wanted == CURVES_NONE)
		return 0;
	sampler.at_exit = at_exit;
	atomic_store(&sampler.device, (int)plan->curves.device);
	sampler.launched = calloc(plan->nkernels + 1, sizeof(*sampler.launched));
	atomic_store(&sampler.unlaunched, plan->nkernels);
	if (!sampler.launched)
		return error_system(err, "the program has no memory left for PM samples");
	if (pm_session_prepare(&sampler.pm, cupti, err) < 0)
		return -1;
	if (plan->curves.wanted == CURVES_SAMPLED && sampler_work_start(err) < 0)
		return -1;
	atomic_store(&sampler.due, step_of_setting_up());
	atomic_store(&sampler.state, SAMPLER_WAITS);
	atomic_store(&sampler.is_prepared, true);
	return 0;
}

/* The answer to a plan that asks what can be sampled. */
static void sampler_answer(void)
{
	const int device = atomic_load(&sampler.device);
	struct error err = {0};
	const char *chip = pm_session_chip(&sampler.pm, device, &err);
	size_t size;
	uint8_t *available = chip ? pm_session_availability(&sampler.pm, device, &size, &err) : NULL;

	if (!available) {
		sampler_refuse(&err);
		return;
	}
	tell_of_group(COUNT_CHIP, 0, chip, strlen(chip));
	tell_of_group(COUNT_AVAILABLE, 0, available, size);
	free(available);
	sampler_end();
}

/* ---- setting up ---- */

static void wait_for_next_group(void)
{
	atomic_store(&sampler.due, step_of_setting_up());
	atomic_store(&sampler.state, SAMPLER_WAITS);
}

static int set_up(struct error *err)
{
	const struct count_curves *curves = &sampler.plan->curves;
	const struct count_group *group = &sampler.plan->groups[sampler.group];
	const struct pm_settings settings = {.config = group->image,
		.config_size = group->image_size,
		.metrics = group->metrics,
		.nmetrics = group->nmetrics,
		.interval_ns = (int64_t)curves->interval_ns,
		.samples = (size_t)curves->samples * ROOM_FOR_LATE};

	const int device = atomic_load(&sampler.device);

	if (counting_check_chip(pm_session_chip(&sampler.pm, device, err), err) < 0 ||
		pm_session_open(&sampler.pm, device, err) < 0)
		return -1;
	return pm_session_configure(&sampler.pm, &settings, err);
}

/* What CUPTI has loaded until now must still be there when the program ends: who comes last goes first. */
static void go_first_at_exit(void)
{
	(void)atexit(sampler.at_exit);
}

/* False if sampling ends, or another process has its turn. */
static bool open_sampler(uint64_t number)
{
	const struct count_curves *curves = &sampler.plan->curves;
	/* Each try waits for one step more: what spoils steps may come at regular times. */
	uint64_t first = number + curves->warm + sampler.tries;
	uint64_t step = has_steps() ? curves->steps[sampler.group] : 0;
	struct error err = {0};

	if (!counting_take_turn()) {
		sampler_miss("another process of the program was being sampled");
		return false;
	}
	if (set_up(&err) < 0) {
		sampler_refuse(&err);
		return false;
	}
	go_first_at_exit();
	atomic_store(&sampler.due, first > step ? first : step);
	atomic_store(&sampler.state, SAMPLER_IS_OPEN);
	return true;
}

/* ---- a step ---- */

/* It is not whole, and is left out: the step begins behind it. */
static void let_first_sample_pass(void)
{
	int64_t until = clock_monotonic() + (int64_t)sampler.plan->curves.interval_ns;

	while (clock_monotonic() < until)
		;
}

static bool begin_sampling(void)
{
	struct error err = {0};

	sampler.images = 0;
	sampler_work_begin(atomic_load(&sampler.device));
	if (pm_session_start(&sampler.pm, &err) < 0) {
		sampler_refuse(&err);
		return false;
	}
	go_first_at_exit();
	let_first_sample_pass();
	sampler.start_ns = sampler_work_now();
	atomic_store(&sampler.state, SAMPLER_SAMPLES);
	return true;
}

static int tell_images(void *user, const struct pm_images *images, struct error *err)
{
	(void)user;
	(void)err;
	if (sampler.images == IMAGES_MOST) {
		sampler.pm.overflow = true;
		return 0;
	}
	sampler.images++;
	tell_of_group(COUNT_CURVE_TIMES, (uint32_t)images->first, images->times, images->end * sizeof(*images->times));
	tell_of_group(COUNT_CURVE_IMAGE, 0, images->image, images->size);
	return 0;
}

/* Waits for the work of the step: it may go on behind its end. There may be no current context, and nothing to wait
 * for. */
static bool wait_for_step(struct error *err)
{
	CUresult code = counting_synchronize();

	if (code == CUDA_SUCCESS || code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED)
		return true;
	error_set(err, "a CUDA error of the program came while the GPU was sampled");
	return false;
}

/* *why: why the step gives nothing; NULL: it is told. */
static int read_samples(const char **why, struct error *err)
{
	struct count_curve curve = {.start = sampler.start_ns, .step = sampler.step, .end = sampler_work_now()};

	if (!wait_for_step(err) || pm_session_stop(&sampler.pm, tell_images, NULL, err) < 0 ||
		sampler_work_end((uint32_t)sampler.group, &curve.unnoted, why, err) < 0)
		return -1;
	if (sampler.images == 0)
		*why = "PM sampling gave no samples";
	if (*why)
		return 0;
	curve.offset = sampler_work_offset();
	curve.overflow = sampler.pm.overflow;
	tell_of_group(COUNT_CURVE, 0, &curve, sizeof(curve));
	return 0;
}

/* Another try, or the next group. */
static void end_try(bool worked)
{
	if (!worked && ++sampler.tries < CURVE_TRIES)
		return;
	sampler.group++;
	sampler.tries = 0;
}

/* Sampling is set up anew for each group: started a second time, it gives no samples (H100, CUDA 13.0). */
static void end_group_of_curves(void)
{
	struct error err = {0};
	const char *why;

	if (read_samples(&why, &err) < 0) {
		sampler_refuse(&err);
		return;
	}
	pm_session_close(&sampler.pm);
	if (why)
		sampler_miss(why);
	end_try(!why);
	if (sampler.group == sampler.plan->ngroups)
		sampler_end();
	else
		wait_for_next_group();
}

static bool is_due(uint64_t number)
{
	int state = state_now();

	return state == SAMPLER_IS_STALE ||
	       ((state == SAMPLER_WAITS || state == SAMPLER_IS_OPEN) && number >= atomic_load(&sampler.due));
}

bool sampler_wants_begin(uint64_t number, int64_t mark)
{
	if (atomic_load(&sampler.is_prepared))
		return is_due(number);
	/* Its first launch is met when the library is ready. */
	sampler.late_number = number;
	atomic_store(&sampler.late_mark, mark);
	return false;
}

void sampler_step_begins(uint64_t number, int64_t mark, bool capturing)
{
	if (!is_due(number))
		return;
	if (capturing) {
		sampler_miss("a stream was being captured where a step began");
		return;
	}
	if (!atomic_load(&sampler.is_used)) {
		sampler.late_number = number;
		atomic_store(&sampler.late_mark, mark);
		return;
	}
	if (state_now() == SAMPLER_IS_STALE) {
		pm_session_close(&sampler.pm);
		end_try(false);
		if (sampler.group == sampler.plan->ngroups) {
			sampler_end();
			return;
		}
		wait_for_next_group();
	}
	if (state_now() == SAMPLER_WAITS && !open_sampler(number))
		return;
	if (number < atomic_load(&sampler.due))
		return;
	sampler.step = number;
	atomic_store(&sampler.mark, mark);
	(void)begin_sampling();
}

bool sampler_wants_end(int64_t mark)
{
	if (mark == atomic_load(&sampler.late_mark))
		atomic_store(&sampler.late_mark, 0);
	return state_now() == SAMPLER_SAMPLES && mark == atomic_load(&sampler.mark);
}

void sampler_step_ends(bool capturing)
{
	if (state_now() != SAMPLER_SAMPLES)
		return;
	if (!capturing) {
		end_group_of_curves();
		return;
	}
	/* Nothing may wait for the GPU now. */
	sampler_miss("a stream was being captured where a step ended");
	sampler_work_drop();
	atomic_store(&sampler.state, SAMPLER_IS_STALE);
}

void sampler_step_lost(void)
{
	int samples = SAMPLER_SAMPLES;

	if (!atomic_compare_exchange_strong(&sampler.state, &samples, SAMPLER_IS_STALE))
		return;
	sampler_work_drop();
	sampler_miss("launches of other threads did not come to an end");
}

/* ---- launches ---- */

bool sampler_follows_launches(void)
{
	return state_now() != SAMPLER_OVER && (!has_steps() || !atomic_load(&sampler.is_used));
}

/* Where several GPUs are at work, their UUIDs tell them apart: a process may see some of them only. */
static bool is_on_gpu(void)
{
	const struct count_curves *curves = &sampler.plan->curves;
	CUdevice device;

	if (counting_device(&device) != CUDA_SUCCESS)
		return false;
	if (*curves->gpu == '\0')
		return device == (CUdevice)curves->device;
	if (!counting_is_gpu(device, curves->gpu))
		return false;
	atomic_store(&sampler.device, device);
	return true;
}

/* Whether a program without a range is to be sampled from this launch on; counts it. */
static bool is_chosen_launch(const struct launch_key *key)
{
	for (size_t i = 0; key && i < sampler.plan->nkernels; i++) {
		if (!launch_key_is(key, &sampler.plan->kernels[i]))
			continue;
		if (atomic_fetch_add(&sampler.launched[i], 1) + 1 == sampler.plan->kernels[i].end)
			atomic_fetch_sub(&sampler.unlaunched, 1);
		return true;
	}
	return sampler.plan->nkernels == 0;
}

static bool is_long_enough(void)
{
	return clock_monotonic() > atomic_load(&sampler.until_ns);
}

bool sampler_wants_launch(const struct launch_key *key)
{
	bool chosen = is_chosen_launch(key);

	if (!atomic_load(&sampler.is_used) && is_on_gpu())
		atomic_store(&sampler.is_used, true);
	if (sampler.plan->curves.wanted == CURVES_ASKED)
		return *sampler.plan->curves.gpu == '\0' || atomic_load(&sampler.is_used);
	if (!atomic_load(&sampler.is_used))
		return false;
	if (has_steps())
		return atomic_load(&sampler.late_mark) != 0;
	if (state_now() == SAMPLER_SAMPLES)
		return is_long_enough();
	return state_now() == SAMPLER_WAITS && chosen && is_on_gpu();
}

static void begin_with_launch(CUcontext context)
{
	if (!open_sampler(0) || !begin_sampling())
		return;
	sampler.context = context;
	atomic_store(&sampler.until_ns, clock_monotonic() + (int64_t)sampler.plan->curves.most_ns);
}

/* Another thread may have done what this launch came for. */
void sampler_launch(CUcontext context, bool capturing)
{
	int64_t late = atomic_exchange(&sampler.late_mark, 0);

	if (state_now() == SAMPLER_OVER)
		return;
	if (sampler.plan->curves.wanted == CURVES_ASKED)
		sampler_answer();
	else if (has_steps() && late != 0)
		sampler_step_begins(sampler.late_number, late, capturing);
	else if (capturing)
		sampler_miss("a stream was being captured where a kernel was launched");
	else if (!has_steps() && state_now() == SAMPLER_SAMPLES && is_long_enough())
		end_group_of_curves();
	else if (!has_steps() && state_now() == SAMPLER_WAITS)
		begin_with_launch(context);
}

/* ---- waits ---- */

bool sampler_follows_waits(void)
{
	const struct count_plan *plan = counting_plan();

	return plan->curves.wanted == CURVES_SAMPLED && plan->curves.nsteps == 0 && plan->nkernels > 0;
}

bool sampler_wants_wait(void)
{
	return state_now() == SAMPLER_SAMPLES && !has_steps() && sampler.plan->nkernels > 0 &&
	       atomic_load(&sampler.unlaunched) == 0;
}

/* All launches that were chosen are done: what comes behind is no part of the run that is shown. */
void sampler_waited(bool capturing)
{
	if (sampler_wants_wait() && !capturing)
		end_group_of_curves();
}

/* ---- the ends ---- */

void sampler_leave(CUcontext context)
{
	if (state_now() == SAMPLER_OVER || (context && sampler.context && context != sampler.context))
		return;
	if (state_now() == SAMPLER_SAMPLES && !has_steps())
		end_group_of_curves();
	else if (!context)
		sampler_end();
}

void sampler_forget(void)
{
	atomic_store(&sampler.state, SAMPLER_OVER);
	sampler_work_forget();
}
