/* curves.c: see curves.h. The rows are in curves-rows.c. */
#include "contrast/pm/curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "contrast/count/choose.h"
#include "contrast/pm/curves-plan.h"
#include "contrast/pm/curves-private.h"
#include "contrast/step/step-load.h"
#include "util/alloc.h"
#include "util/clock.h"

/* Metric sets of a run at most. */
enum { CURVE_SETS = 32 };

/* Sets out->status. Returns 0. */
static int end_curves(const struct curving *c, const char *status)
{
	c->out->status = status;
	return 0;
}

/* ---- which steps ---- */

/* Another GPU than that of the steps may be busier outside of them. */
static void find_gpu_of_steps(struct curving *c, size_t side, const struct launches *launches)
{
	const struct measurement *measured = c->run.measured;
	int64_t device = c->steps[side].device;

	if (launches->gpus < 2 || device < 0 || device >= PROGRAM_GPUS)
		return;
	for (size_t i = 0; i < measured->nruns; i++)
		if (measured->runs[i].counted == launches)
			memcpy(c->gpu[side], measured->runs[i].run.gpus[device], PROGRAM_UUID);
}

static int load_steps(struct curving *c, const struct median_side sides[MEDIAN_SIDES], struct error *why)
{
	const struct launches_options how = {
		.range = c->options->range, .kernel = c->options->kernel, .any_thread = true};

	for (size_t i = 0; i < MEDIAN_SIDES; i++) {
		struct median_step step;

		if (!median_step_choose(sides[i].runs, sides[i].n, c->run.measured->measure, &step))
			return error_set(why, "%s has no steady step", sides[i].variant);
		if (step_calls_load(sides[i].runs[step.run].recording, &how, step.step, &c->steps[i], why) < 0)
			return -1;
		c->has_step[i] = true;
		find_gpu_of_steps(c, i, sides[i].runs[step.run].launches);
	}
	return 0;
}

/* ---- what can be sampled ---- */

/* A set that cannot be sampled here is told, and the others are. */
static void note_set(void *user, const char *set, const char *why)
{
	struct curves *out = user;

	if (out->reason.text[0] == '\0')
		error_set(&out->reason, "metric set %s cannot be sampled: %s", set, why);
}

static int make_curve_plans(struct curving *c)
{
	struct curves *out = c->out;

	if (pm_plans_load(&out->plans, &out->reason) < 0 || cupti_open(&out->cupti, &out->reason) < 0 ||
		profiler_open(&out->profiler, &out->cupti, &out->reason) < 0)
		return -1;
	return pm_plans_make(&out->plans, &out->profiler, c->chip, c->availability, note_set, out, &out->reason);
}

/* In a child process. */
static void try_curve_plans(void *user)
{
	(void)make_curve_plans(user);
}

static int plan_curve_sets(struct curving *c)
{
	if (inside_run_try_plan(c->options->sides[0].name, try_curve_plans, c, &c->out->reason) < 0)
		return -1;
	return make_curve_plans(c);
}

/* A run of the first side tells the chip, and what can be sampled on it. 0 if sets are known then, 1 if not:
 * out->status says so; -1 if the person has interrupted. */
static int ask_what_is_sampled(struct curving *c)
{
	struct count_plan question = {.curves = {.wanted = CURVES_ASKED}};
	const char *refusal = c->out->sides[0].refusal.text;
	int code;

	question.curves.device = c->steps[0].device < 0 ? 0 : (uint64_t)c->steps[0].device;
	question.curves.gpu = c->gpu[0];
	code = inside_run_once(&c->run, &question, curves_take_record, c);
	if (code != 0) {
		end_curves(c, "failed");
		return code;
	}
	end_curves(c, "skipped");
	if (c->chip && c->availability)
		return plan_curve_sets(c) < 0;
	error_set(&c->out->reason, "%s: %s", c->options->sides[0].name,
		*refusal != '\0' ? refusal : "no launch of a kernel was seen by CUPTI's callbacks");
	return 1;
}

/* ---- a run ---- */

static bool is_missing(const struct curving *c, int set)
{
	return c->out->plans.plans[set] && !c->out->sides[c->at].sets[set].is_sampled;
}

static void group_of_set(const struct curves *out, size_t set, struct count_group *group)
{
	*group = (struct count_group){.metrics = out->plans.sets[set].metrics,
		.nmetrics = (size_t)out->plans.sets[set].nmetrics,
		.passes = 1};
	group->image = metric_plan_image(out->plans.plans[set], &group->image_size);
}

/* Without a range sampling begins with the first launch of one of these, or with any if none can be known. */
static size_t chosen_kernels(const struct curving *c, struct count_kernel *kernels)
{
	size_t chosen[CHOSEN_KERNELS_MOST], n = count_choose(c->options, c->samples, chosen), known = 0;

	for (size_t i = 0; i < n; i++) {
		const struct side_kernel *kernel = c->samples->cases[chosen[i]].sides[c->run.side].kernel;

		if (kernel && kernel->kernel.places.symbol && kernel->kernel.places.end > 0)
			kernels[known++] = count_kernel_of(&kernel->kernel);
	}
	return known;
}

/* What a plan for a run points into. */
struct planned_curves {
	size_t sets[CURVE_SETS]; /* places of the sets that are missing */
	struct count_group groups[CURVE_SETS];
	struct count_kernel kernels[CHOSEN_KERNELS_MOST];
	uint64_t steps[CURVE_SETS];
};

/* The sets that the side lacks, as many as one run has room for. */
static struct count_plan plan_curves(struct curving *c, struct planned_curves *planned)
{
	struct curves *out = c->out;
	struct count_plan plan = {.chip = c->chip,
		.groups = planned->groups,
		.kernels = planned->kernels,
		.curves = {.wanted = CURVES_SAMPLED, .steps = planned->steps, .gpu = c->gpu[c->at]}};

	for (int i = 0; i < out->plans.nsets && plan.ngroups < CURVE_SETS; i++)
		if (is_missing(c, i))
			planned->sets[plan.ngroups++] = (size_t)i;
	curves_plan(&c->steps[c->at], out->has_range, plan.ngroups, &plan.curves);
	if (out->has_range)
		plan.ngroups = (size_t)plan.curves.nsteps;
	else if (plan.ngroups > 1)
		plan.ngroups = 1;
	for (size_t i = 0; i < plan.ngroups; i++)
		group_of_set(out, planned->sets[i], &planned->groups[i]);
	plan.nkernels = out->has_range ? 0 : chosen_kernels(c, planned->kernels);
	return plan;
}

/* As inside_run_once(). */
static int run_for_curves(struct curving *c)
{
	struct planned_curves planned = {.sets = {0}};
	const struct count_plan plan = plan_curves(c, &planned);
	int code;

	c->out->sides[c->at].interval_ns = (int64_t)plan.curves.interval_ns;
	c->planned = planned.sets;
	c->nplanned = plan.ngroups;
	c->taken = 0;
	code = inside_run_once(&c->run, &plan, curves_take_record, c);
	told_curve_free(&c->told);
	c->planned = NULL;
	c->nplanned = 0;
	return code;
}

/* As many runs as it takes, while each gives something. -1 if the person has interrupted. */
static int curve_side(struct curving *c)
{
	struct curved_side *side = &c->out->sides[c->at];
	int left = 0;

	for (int i = 0; i < c->out->plans.nsets; i++)
		left += is_missing(c, i);
	for (int done; left > 0; left -= done) {
		int code = run_for_curves(c);

		done = (int)c->taken;
		if (code < 0)
			return -1;
		side->has_failed = code > 0;
		if (code > 0 || done == 0)
			break;
	}
	if (side->has_failed)
		end_curves(c, "failed");
	return 0;
}

/* ---- what is told ---- */

static const char *why_no_curve(const struct curved_side *side, const struct curve *curve)
{
	if (side->refusal.text[0] != '\0')
		return side->refusal.text;
	return curve->reason[0] != '\0' ? curve->reason : "no step was sampled, or its samples could not be written";
}

/* What is to be told of a set. */
static void tell_curve(const struct curving *c, size_t s, int set)
{
	const struct curve *curve = &c->out->sides[s].sets[set];
	const char *name = c->options->sides[c->out->sides[s].side].name;

	if (!curve->is_sampled && c->out->plans.plans[set])
		error_set(&c->out->reason, "%s: %s", name, why_no_curve(&c->out->sides[s], curve));
	else if (curve->unnoted > 0)
		error_set(&c->out->reason, "%s: %llu pieces of work are not shown beside the curves", name,
			(unsigned long long)curve->unnoted);
}

/* The first reason stands for all. True if a set was sampled. */
static bool tell_curves(const struct curving *c)
{
	bool any = false;

	for (size_t s = 0; s < MEDIAN_SIDES; s++)
		for (int i = 0; i < c->out->plans.nsets; i++) {
			any |= c->out->sides[s].sets[i].is_sampled;
			if (c->out->reason.text[0] == '\0')
				tell_curve(c, s, i);
		}
	return any;
}

/* ---- all of it ---- */

static int curve_all(struct curving *c)
{
	bool any;

	end_curves(c, "done");
	for (size_t s = 0; s < MEDIAN_SIDES; s++)
		c->out->sides[s].sets = xcalloc((size_t)c->out->plans.nsets + 1, sizeof(*c->out->sides[s].sets));
	for (c->at = 0; c->at < MEDIAN_SIDES; c->at++) {
		c->run.side = c->out->sides[c->at].side;
		if (curve_side(c) < 0)
			return -1;
	}
	any = tell_curves(c);
	if (!any && strcmp(c->out->status, "done") == 0)
		end_curves(c, "skipped");
	return 0;
}

static int choose_and_curve(struct curving *c, const struct median_side sides[MEDIAN_SIDES])
{
	int asked;

	end_curves(c, "skipped");
	if (!measure_allows_more(c->run.measured, c->samples, &c->out->reason) ||
		load_steps(c, sides, &c->out->reason) < 0)
		return 0;
	asked = ask_what_is_sampled(c);
	return asked == 0 ? curve_all(c) : asked < 0 ? -1 : 0;
}

int curve_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, const struct median_side sides[MEDIAN_SIDES], struct curves *out,
	struct error *err)
{
	struct curving c = {.options = options,
		.samples = samples,
		.out = out,
		.run = {.options = options,
			.folder = folder,
			.measured = measured,
			.kind = SIDE_PM,
			.reason = &out->reason,
			.err = err}};
	int code;

	*out = (struct curves){.start = clock_realtime(), .has_range = options->range != NULL};
	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		out->sides[i].side = sides[i].side;
	if (!options->wants_curves)
		return 0;
	code = choose_and_curve(&c, sides);
	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		if (c.has_step[i])
			step_calls_free(&c.steps[i]);
	kernel_names_free(&c.kernels);
	told_curve_free(&c.told);
	free(c.chip);
	free(c.availability);
	out->end = clock_realtime();
	return code;
}

void curves_release(struct curves *curves)
{
	for (size_t s = 0; s < MEDIAN_SIDES; s++) {
		for (int i = 0; curves->sides[s].sets && i < curves->plans.nsets; i++) {
			free(curves->sides[s].sets[i].samples);
			free(curves->sides[s].sets[i].work);
		}
		free(curves->sides[s].sets);
	}
	pm_plans_free(&curves->plans);
	if (curves->profiler.cupti)
		profiler_close(&curves->profiler);
	if (curves->cupti.handle)
		cupti_close(&curves->cupti);
	for (size_t i = 0; i < curves->nnames; i++)
		free(curves->names[i]);
	free(curves->names);
	*curves = (struct curves){0};
}
