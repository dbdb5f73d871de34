/* step-checks.c: the checks of extent-checks.h that look at steps that do not count. */
#include "model/family/programs/extent/extent-checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/statistics/stats.h"
#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/family/programs/extent/extent.h"
#include "model/family/programs/extent/held.h"
#include "model/family/programs/extent/kinds.h"
#include "model/family/programs/length.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* ---- steps that do not count ---- */

static double traced_steps_ratio(const struct judging *program)
{
	return runs_median(&program->side[0].runs, "traced", BLOCK_stepNs) /
	       runs_median(&program->side[1].runs, "traced", BLOCK_stepNs);
}

/* Whether host times of all steps, in traced runs, bear out those of the steps that count. Tracing makes any difference
 * smaller, so that how much less they say goes by the steps that count in the same runs. Where both sides leave the
 * same (`diluted`), all steps say less in any case, and equal programs may have one such step more. */
static bool host_bears_out(const struct judging *program, double all, bool diluted)
{
	double band = fmax(program->band, traced_program_allowance);
	double counted = program->ratio.value, put_right = counted * all / traced_steps_ratio(program);

	if (isnan(all) || by_period(program) || !verdict_is_definite(program->in_time))
		return true;
	if (program->in_time == VERDICT_SAME)
		return diluted || verdict_of_value(all, band) == VERDICT_SAME;
	return (program->in_time == VERDICT_FASTER) == (all > 1) &&
	       (diluted || isnan(put_right) || !says_much_less(counted, put_right, band));
}

/* Kernel time of steps that do not count, for each step of all (ns). */
static double left_of_each(const struct side_extent *extent)
{
	return extent->left_ns * extent->kernels_ns;
}

/* What one such step makes of that. */
static double left_of_one(const struct side_extent *extent)
{
	return left_of_each(extent) / (extent->left_steps * extent->steps);
}

/* Whether both sides have steps that do not count, and the same: validation in every tenth step makes no doubt. One
 * more or less of them goes by the number of steps. */
static bool leave_the_same(const struct side_extent *single, const struct side_extent *other)
{
	double least = fmin(single->left_steps, other->left_steps), steps = fmin(single->steps, other->steps);
	double apart = fabs(other->left_steps - single->left_steps);

	return least > 0 && apart <= program_steps_apart / steps &&
	       fabs(left_of_each(other) - left_of_each(single)) <=
		       program_steps_apart * fmax(left_of_one(single), left_of_one(other));
}

/* The ratio of all steps, but for the kernel time that both leave out. */
static double ratio_of_all_steps(const struct side_extent *single, const struct side_extent *other)
{
	double both = fmin(left_of_each(single), left_of_each(other));

	return (single->kernels_ns - both) / (other->kernels_ns - both);
}

/* Whether kernels of all steps do. */
static bool kernels_bear_out(const struct judging *kernels, double all)
{
	if (!verdict_is_definite(kernels->in_time))
		return true;
	return verdict_of_value(all, kernels->band) == kernels->in_time &&
	       (kernels->in_time == VERDICT_SAME || !says_much_less(kernels->ratio.value, all, kernels->band));
}

static bool kernels_have_verdict(const struct judging *kernels)
{
	return kernels->measures == MEASURES_KERNELS && verdict_is_definite(kernels->in_time);
}

/* Where few steps count, most may lie before the first of them: then all are held against them. */
static bool few_steps_count(
	const struct main_kinds *kinds, const struct side_extent *single, const struct side_extent *other)
{
	return kinds->rest > program_rest_part && kinds->rest > fmax(single->left_steps, other->left_steps);
}

/* Which steps count goes by their commonest list of kernels. Where one side spreads its work otherwise over them, that
 * list is not what its steps have on average. */
void check_coverage(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	struct main_kinds kinds = main_kinds_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;
	double steps = fmax(single.left_steps, other.left_steps), ns = fmax(single.left_ns, other.left_ns);
	double all = single.kernels_ns / other.kernels_ns, held = ratio_of_all_steps(&single, &other);
	bool same = leave_the_same(&single, &other);

	if (few_steps_count(&kinds, &single, &other)) {
		steps = kinds.rest;
		all = held = kinds.all;
		same = false;
	}
	if (isnan(all) || kernels->measures == MEASURES_PROGRAM || fmax(steps, ns) <= program_left_part) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = fmax(steps, ns);
	out->ok = (same || kernels_bear_out(kernels, held)) &&
		  (j->measures != MEASURES_PROGRAM || host_bears_out(j, single.host_ns / other.host_ns, same));
	put_json(out->facts, "steps", real_json(steps));
	put_json(out->facts, "kernel_time", real_json(ns));
	put_counted_and_all(out->facts, kernels, all);
	put_json(out->facts, "host",
		j->measures == MEASURES_PROGRAM ? real_json(single.host_ns / other.host_ns) : json_null());
}

/* ---- kinds of steps ---- */

static void put_step_launches(json_t *facts, const char *key, const struct step_launches *launches)
{
	put_json(facts, key, json_pack("{s:f, s:f}", "fewest", launches->fewest, "most", launches->most));
}

/* A benchmark that runs for a fixed time inside of a step launches a faster kernel more often, and not as often in each
 * step or run. Then the time of a step says nothing. Fewer launches of larger grids are no less work. */
void check_launches(const struct judging *j, struct finding *out)
{
	const char *first = j->side[0].measured->variant, *second = j->side[1].measured->variant;
	struct step_launches single = step_launches_of(j->f, first), other = step_launches_of(j->f, second);
	struct run_lengths lengths = run_lengths_of(j->f, first, second, j->band);
	double launches = fabs(lengths.matched.launches - 1), threads = fabs(lengths.matched.threads - 1);

	if (isnan(launches) || isnan(single.fewest) || isnan(other.fewest) ||
		fmax(single.most / single.fewest, other.most / other.fewest) <= 1 + j->band) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = launches;
	out->limit = j->band;
	out->ok = launches <= j->band || threads <= j->band;
	put_step_launches(out->facts, "single", &single);
	put_step_launches(out->facts, "other", &other);
	put_json(out->facts, "factor", real_json(lengths.matched.launches));
	put_json(out->facts, "threads", real_json(lengths.matched.threads));
}

static void put_main_kind(json_t *facts, const char *key, const struct main_kind *kind)
{
	json_t *object = json_object();

	put_json(object, "kernel", text_json(kind->name));
	put_json(object, "launches", real_json(kind->launches));
	put_json(object, "single", real_json(kind->share[0]));
	put_json(object, "other", real_json(kind->share[1]));
	put_json(facts, key, object);
}

/* Runs without CUPTI are told by traced ones which of their steps count. Where these differ in it, as in loops that run
 * for a fixed time, that may be wrong. How far it changes the time of a step is known of traced runs. */
void check_places(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	double put_right = j->ratio.value * other.placed / single.placed;

	if (j->measures != MEASURES_PROGRAM || isnan(put_right) || !verdict_is_definite(j->in_time) ||
		fabs(log(put_right / j->ratio.value)) < program_places_apart) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = put_right;
	out->ok =
		verdict_of_value(put_right, j->band) == j->in_time && says_as_much(j->ratio.value, put_right, j->band);
	put_counted_and_all(out->facts, j, put_right);
}

/* A program whose steps are of several kinds, such as training and validation, gives samples of the commonest one. If
 * that is another one on the other side, two kinds may be compared and not two programs. Then the steps that count must
 * say as much as all from the first of them on: which kind belongs to which cannot be known from kernels' names. But
 * where several kinds of a side have together the kernels of one step of the other side, such a step is a part. */
void check_kinds(const struct judging *j, struct finding *out)
{
	struct main_kinds kinds = main_kinds_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;

	if (kinds.alike || !kernels_have_verdict(kernels) || (kinds.later[0] == 0 && kinds.later[1] == 0)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = kinds.all;
	out->ok = kinds.parts == 0 && says_as_much(kernels->ratio.value, kinds.all, kernels->band);
	put_main_kind(out->facts, "single", &kinds.of[0]);
	put_main_kind(out->facts, "other", &kinds.of[1]);
	put_counted_and_all(out->facts, kernels, kinds.all);
	put_json(out->facts, "parts", kinds.parts ? json_integer((json_int_t)kinds.parts) : json_null());
}

/* Of a kind that both sides have, and that does not count, the time tells whether the verdict holds for it, too. */
void check_other_kinds(const struct judging *j, struct finding *out)
{
	struct main_kinds kinds = main_kinds_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;

	if (isnan(kinds.mixed) || !kernels_have_verdict(kernels)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = kinds.mixed;
	out->ok = all_bear_out(kernels, kinds.mixed, kernels->band);
	put_counted_and_all(out->facts, kernels, kinds.mixed);
}

/* Whether another check already holds all steps of a side against those that count. */
static bool all_steps_are_held(const struct judging *j)
{
	const char *first = j->side[0].measured->variant, *second = j->side[1].measured->variant;
	struct main_kinds kinds = main_kinds_of(j->f, first, second);
	struct side_extent single = side_extent_of(j->f, first), other = side_extent_of(j->f, second);

	return few_steps_count(&kinds, &single, &other) || (!kinds.alike && (kinds.later[0] > 0 || kinds.later[1] > 0));
}

/* A kind that one side alone has is compared with nothing: a phase, or a kernel that got another name. */
void check_lone_kinds(const struct judging *j, struct finding *out)
{
	struct lone_kinds lone = lone_kinds_of(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;
	double steps = fmax(lone.steps[0], lone.steps[1]), time = fmax(lone.time[0], lone.time[1]);

	if (isnan(lone.all) || fmax(steps, time) <= program_lone_part || kernels->measures != MEASURES_KERNELS ||
		all_steps_are_held(j)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = lone.all;
	out->ok = all_bear_out(kernels, lone.all, kernels->band);
	put_json(out->facts, "steps", real_json(steps));
	put_json(out->facts, "kernel_time", real_json(time));
	put_counted_and_all(out->facts, kernels, lone.all);
}

/* All steps by host times of traced runs. Tracing makes differences smaller: so what they say goes by those that count
 * in the same runs. */
static struct lone_kinds all_by_host(const struct judging *program)
{
	const double counted[] = {runs_median(&program->side[0].runs, "traced", BLOCK_stepNs),
		runs_median(&program->side[1].runs, "traced", BLOCK_stepNs)};
	struct lone_kinds host = host_of_kinds(program->f, program->side[0].measured->variant,
		program->side[1].measured->variant, by_period(program) ? counted : NULL);

	host.all *= program->ratio.value / traced_steps_ratio(program);
	return host;
}

/* Steps that do not count may launch nothing, or make the host wait. */
void check_other_host(const struct judging *j, struct finding *out)
{
	struct lone_kinds host = {.all = NAN};

	if (j->measures == MEASURES_PROGRAM)
		host = all_by_host(j);
	if (isnan(host.all) ||
		fmax(fmax(host.others, host.others_time), fmax(host.time[0], host.time[1])) <= program_lone_part) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = host.all;
	out->ok = all_bear_out(j, host.all, fmax(j->band, traced_program_allowance));
	put_json(out->facts, "steps", real_json(host.others));
	put_json(out->facts, "host_time", real_json(host.others > program_lone_part ? NAN : host.others_time));
	put_counted_and_all(out->facts, j, host.all);
}

/* Of how many steps of a traced run the kernels' times are: median over the runs of a side. */
static double first_steps_of(const struct judging *j, int side)
{
	const struct rows *runs = &j->side[side].runs;
	double *x = xcalloc(runs->count + 1, sizeof(*x)), median;
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 && !row_null(runs, i, BLOCK_steps))
			x[n++] =
				row_real(runs, i, row_null(runs, i, BLOCK_firstSteps) ? BLOCK_steps : BLOCK_firstSteps);
	median = n ? median_of(x, n) : NAN;
	free(x);
	return median;
}

/* Kernels are held against each other over as many first steps. Where steps grow, a run of more steps may make a
 * program that is faster in each of them slower as a whole, and the other way round. Nobody knows which one is meant.
 */
void check_first_steps(const struct judging *j, struct finding *out)
{
	double steps[2], all[2], first[2];
	enum verdict by_all;

	for (int i = 0; i < 2; i++) {
		steps[i] = runs_median(&j->side[i].runs, "traced", BLOCK_steps);
		all[i] = runs_median(&j->side[i].runs, "traced", BLOCK_kernelSumNs);
		first[i] = first_steps_of(j, i);
	}
	if (j->measures != MEASURES_KERNELS || isnan(all[0] / all[1]) ||
		!(first[0] < steps[0] || first[1] < steps[1])) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	by_all = verdict_of_value(all[0] / all[1], j->band);
	out->figure = all[0] / all[1];
	out->ok = !verdict_is_clear(j->in_time) || !verdict_is_clear(by_all) || j->in_time == by_all;
	put_json(out->facts, "single", real_json(steps[0]));
	put_json(out->facts, "other", real_json(steps[1]));
	put_json(out->facts, "first", real_json(fmin(first[0], first[1])));
	put_counted_and_all(out->facts, j, all[0] / all[1]);
}

/* Of each run of a side that tells it: the share of its samples that are the first step of a process. For free(). */
static double *begin_shares(const struct judging *j, int side, size_t *n)
{
	const struct rows *runs = &j->side[side].runs;
	const char *kind = j->measures == MEASURES_PROGRAM ? j->kind : "traced";
	double *share = xcalloc(runs->count + 1, sizeof(*share));

	*n = 0;
	for (size_t i = 0; i < runs->count; i++)
		if (strcmp(row_string(runs, i, BLOCK_kind), kind) == 0 && !row_null(runs, i, BLOCK_beginShare))
			share[(*n)++] = row_real(runs, i, BLOCK_beginShare);
	return share;
}

/* In how many more pairs of a run of each side the first has the larger share than in how many the other has:
 * share of all pairs. */
static double pairs_apart(const double *single, size_t n, const double *other, size_t m)
{
	double more = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			more += (single[i] > other[k]) - (single[i] < other[k]);
	return more / (double)n / (double)m;
}

/* A process with three steps or more leaves its first one out as warm-up, and one with fewer does not. Where the sides
 * differ in that, a slow begin of the same program is a difference. */
void check_begins(const struct judging *j, struct finding *out)
{
	size_t n, m;
	double *single = begin_shares(j, 0, &n), *other = begin_shares(j, 1, &m);
	double apart = n > 0 && m > 0 ? pairs_apart(single, n, other, m) : 0;

	out->ok = CHECK_DOES_NOT_APPLY;
	if (fabs(apart) > 0) {
		out->figure = fabs(apart);
		out->limit = program_begins_apart;
		out->ok = fabs(apart) <= program_begins_apart;
		put_json(out->facts, "single", real_json(median_of(single, n)));
		put_json(out->facts, "other", real_json(median_of(other, m)));
		put_json(out->facts, "more", json_string(apart > 0 ? "single" : "other"));
	}
	free(single);
	free(other);
}

/* Steps that count may be small and large ones. If a side has more of the small ones, its mean says nothing of either.
 */
void check_shapes(const struct judging *j, struct finding *out)
{
	double ratio = shapes_ratio(j->f, j->side[0].measured->variant, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;
	enum verdict by_all = verdict_of_value(ratio, kernels->band);

	if (isnan(ratio) || !kernels_have_verdict(kernels)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = ratio;
	out->ok = kernels->in_time == by_all;
	put_counted_and_all(out->facts, kernels, ratio);
}
