/* extent-checks.c: see extent-checks.h. */
#include "model/family/programs/extent-checks.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/family/programs/extent.h"
#include "model/family/programs/kinds.h"
#include "model/family/programs/length.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/waits.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* ---- steps that do not count ---- */

static enum verdict verdict_of_value(double value, double band)
{
	const struct ratio ratio = {.value = value, .low = value, .high = value};

	return verdict_of(&ratio, band, true);
}

/* Of steps from begin to begin the time between two is a part, and durations tell nothing. */
static bool by_period(const struct judging *program)
{
	return step_waits_of(program).period;
}

/* Whether two ratios say nearly as much: they may differ by a part of what the first one says, or by what is the same.
 */
static bool says_as_much(double counted, double all, double band)
{
	return fabs(log(all / counted)) <= fmax(log1p(band), program_kinds_apart * fabs(log(counted)));
}

/* The same, but the second one may say more. */
static bool says_much_less(double counted, double all, double band)
{
	return !says_as_much(counted, all, band) && (all < counted) == (counted > 1);
}

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

/* What kernels need by the steps that count, and by `all`: ratios, and the verdicts that they give. */
static void put_counted_and_all(json_t *facts, const struct judging *kernels, double all)
{
	put_json(facts, "counted", real_json(kernels->ratio.value));
	put_json(facts, "all", real_json(all));
	put_json(facts, "by_counted", json_string(verdict_name(kernels->in_time)));
	put_json(facts, "by_all", json_string(verdict_name(verdict_of_value(all, kernels->band))));
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
	enum verdict by_all = verdict_of_value(kinds.mixed, kernels->band);

	if (isnan(kinds.mixed) || !kernels_have_verdict(kernels)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = kinds.mixed;
	out->ok = kernels->in_time == by_all || (verdict_is_clear(kernels->in_time) && by_all == VERDICT_SAME);
	put_counted_and_all(out->facts, kernels, kinds.mixed);
}

/* Whether what all steps take says the same as those that count, or that a difference is none. What noise makes unclear
 * may still rule out that a side is slower: then all must not say that alone. */
static bool all_bear_out(const struct judging *counted, double all, double band)
{
	enum verdict by_all = verdict_of_value(all, band);

	if (counted->in_time == VERDICT_UNCLEAR)
		return by_all != VERDICT_SLOWER || verdict_of_value(counted->ratio.value, band) == VERDICT_SLOWER;
	return counted->in_time == by_all || (verdict_is_clear(counted->in_time) && by_all == VERDICT_SAME);
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

	host.all *= program->ratio.value / (counted[0] / counted[1]);
	return host;
}

/* Steps that do not count may launch nothing, or make the host wait. */
void check_other_host(const struct judging *j, struct finding *out)
{
	struct lone_kinds host = {.all = NAN};

	if (j->measures == MEASURES_PROGRAM)
		host = all_by_host(j);
	if (isnan(host.all) || fmax(host.others, fmax(host.time[0], host.time[1])) <= program_lone_part) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = host.all;
	out->ok = all_bear_out(j, host.all, fmax(j->band, traced_program_allowance));
	put_json(out->facts, "steps", real_json(host.others));
	put_counted_and_all(out->facts, j, host.all);
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

/* ---- work outside of steps ---- */

/* A number of each run of a side that has it, into `out`, which has room for all; returns how many. */
typedef size_t numbers_of_runs(const struct judging *j, int side, double *out);

static size_t each_outside(const struct judging *j, int side, double *out)
{
	return runs_outside_ns(&j->side[side].runs, out);
}

static size_t each_copy(const struct judging *j, int side, double *out)
{
	return runs_copy_ns(&j->side[side].runs, out);
}

/* Whether the runs of one side have another number than those of the other one: in nearly all pairs of runs. A single
 * run may be held up. */
static bool lies_apart(const struct judging *j, numbers_of_runs *each)
{
	double *x[2];
	size_t n[2], more = 0;

	for (int i = 0; i < 2; i++) {
		x[i] = xcalloc(j->side[i].runs.count + 1, sizeof(*x[i]));
		n[i] = each(j, i, x[i]);
	}
	for (size_t a = 0; a < n[0]; a++)
		for (size_t b = 0; b < n[1]; b++)
			more += x[1][b] > x[0][a];
	free(x[0]);
	free(x[1]);
	return fabs((double)more / (double)(n[0] * n[1]) - 0.5) >= program_pairs_apart - 0.5;
}

/* The ratio of two times if what lies outside of steps on one side alone belonged to them. What is there on both sides
 * is none of the step's. */
static double ratio_with_outside(double single, double other, double more)
{
	return (single + fmax(-more, 0)) / (other + fmax(more, 0));
}

/* Whether what lies outside of steps on both sides is the same work: how often it lies between steps goes by where
 * these begin and end. */
static bool is_on_both(double single, double other)
{
	return fabs(other - single) <= program_kinds_apart * fmax(single, other);
}

/* What kernels outside of steps take more on the other side, for each step (ns). Little may be chance, and is 0 then:
 * one run of each does not tell. */
static double kernels_more_outside(
	const struct judging *j, const struct side_extent *single, const struct side_extent *other)
{
	if (!outside_differs(single, other) &&
		(is_of_traces(j->f) || is_on_both(single->outside_ns, other->outside_ns) ||
			!lies_apart(j, each_outside)))
		return 0;
	return other->outside_ns - single->outside_ns;
}

/* A step gets shorter if its kernels move out of it, and the program does not. So both together must not say much less
 * than the step. */
void check_kernels_outside(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;
	double more = kernels_more_outside(j, &single, &other),
	       step[] = {kernels->side[0].median, kernels->side[1].median};
	double all = kernels->ratio.value * ratio_with_outside(step[0], step[1], more) / (step[0] / step[1]);

	if (kernels->measures == MEASURES_PROGRAM || !(fabs(more) > 0) || !verdict_is_clear(kernels->in_time)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = all;
	out->ok = !says_much_less(kernels->ratio.value, all, kernels->band);
	put_json(out->facts, "step_ns", real_json(step[1] - step[0]));
	put_json(out->facts, "outside_ns", real_json(more));
	put_counted_and_all(out->facts, kernels, all);
}

/* Kernels outside of steps for each step of a run (ns). */
static double outside_for_each(const struct side_extent *extent)
{
	return extent->outside_all_ns / extent->steps;
}

/* What kernels outside of steps take more on the other side in a whole run, for each step (ns). What is done once is
 * the same in a run of more steps, and what is done beside each step is more. So it is the lesser of the two. */
static double more_in_run(const struct side_extent *single, const struct side_extent *other)
{
	double once = (other->outside_all_ns - single->outside_all_ns) / fmax(single->steps, other->steps);
	double each = outside_for_each(other) - outside_for_each(single);

	if (!(once * each > 0))
		return 0;
	return fabs(once) < fabs(each) ? once : each;
}

/* What kernels outside of steps take more for each step, in the whole run. What is the same in its steps may be loaded
 * and ended otherwise: then only what runs between the first step that counts and the last is looked at. */
static double more_elsewhere(
	const struct judging *kernels, const struct side_extent *single, const struct side_extent *other)
{
	if (kernels->in_time != VERDICT_SAME)
		return more_in_run(single, other);
	return outside_differs(single, other) ? other->outside_ns - single->outside_ns : 0;
}

/* A step gets faster if its kernels move to another process, or behind the last step. All GPU time of a run must not
 * contradict the verdict on steps. */
void check_elsewhere(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	const struct judging *kernels = j->kernels ? j->kernels : j;
	double step[] = {kernels->side[0].median, kernels->side[1].median};
	double more = more_elsewhere(kernels, &single, &other);
	double all = kernels->ratio.value * ratio_with_outside(step[0], step[1], more) / (step[0] / step[1]);

	if (kernels->measures != MEASURES_KERNELS || isnan(single.outside_all_ns) || isnan(other.outside_all_ns) ||
		!(fabs(more) > 0)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->figure = all;
	out->ok = all_bear_out(kernels, all, kernels->band);
	put_json(out->facts, "single_ns", real_json(outside_for_each(&single)));
	put_json(out->facts, "other_ns", real_json(outside_for_each(&other)));
	put_counted_and_all(out->facts, kernels, all);
}

/* By what copies outside of steps make the time between two longer on the other side (ns). That may be longer for
 * other reasons, too: so of few copies it is no more than they take, and 0 if they may differ by chance. */
static double longer_by_copies(
	const struct judging *j, const struct side_extent *single, const struct side_extent *other)
{
	double longer = other->between_ns - single->between_ns, copies = other->copy_ns - single->copy_ns;

	if (is_on_both(single->copy_ns, other->copy_ns))
		return 0;
	if (copies_differ(single, other))
		return longer;
	if (is_of_traces(j->f) || !lies_apart(j, each_copy) || (longer > 0) != (copies > 0))
		return 0;
	return fabs(longer) < fabs(copies) ? longer : copies;
}

/* Copies of a clear verdict: whether steps say much less with the time that copies moved to. */
static void hold_copies(const struct judging *j, double counted, double all, struct finding *out)
{
	out->figure = all;
	out->ok = !says_much_less(counted, all, j->band);
	put_json(out->facts, "counted", real_json(counted));
	put_json(out->facts, "all", real_json(all));
}

/* A step gets shorter if its copies move out of it, and the program does not: then more time passes between steps.
 * Copies that run while a step is open are hidden, and do not count here. Both times come from the traced runs. */
void check_copies_outside(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	double longer = longer_by_copies(j, &single, &other), shorter = single.host_ns - other.host_ns;
	bool is_clear = verdict_is_clear(j->in_time);

	if (j->measures != MEASURES_PROGRAM || by_period(j) ||
		!(fabs(longer) > 0 && (is_clear || copies_differ(&single, &other)))) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	/* Runs without CUPTI decide. Where traced ones say the contrary, they cannot tell what moved. */
	if (is_clear && (shorter > 0) != (j->in_time == VERDICT_FASTER)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	if (is_clear)
		hold_copies(j, single.host_ns / other.host_ns,
			ratio_with_outside(single.host_ns, other.host_ns, longer), out);
	else
		out->ok = j->in_time != VERDICT_SAME ||
			  fabs(longer) <= fmax(j->band, traced_program_allowance) * single.host_ns;
	put_json(out->facts, "single_ns", real_json(single.copy_ns));
	put_json(out->facts, "other_ns", real_json(other.copy_ns));
	put_json(out->facts, "between_ns", real_json(longer));
	put_json(out->facts, "step_ns", real_json(-shorter));
}

/* ---- time between steps ---- */

/* What a step takes less on the other side, and the time from its end to the begin of the next one more (ns). */
struct moved_time {
	double shorter, longer;
	bool told, pauses; /* whether it is enough to be told, and whether pauses are in it */
};

/* All time in which no step is open, pauses too. */
static struct moved_time moved_to_all_time(
	const struct judging *program, const struct side_extent *single, const struct side_extent *other)
{
	return (struct moved_time){.shorter = program->side[0].median - program->side[1].median,
		.longer = other->between_ns - single->between_ns};
}

/* What a side's steps leave to the time between two (ns). Pauses, as for a checkpoint, are none of it. */
static double time_between(const struct judging *program, int side)
{
	const struct rows *runs = &program->side[side].runs;

	return runs_median(runs, program->kind, BLOCK_periodNs) - runs_median(runs, program->kind, BLOCK_stepNs);
}

static struct moved_time moved_between_neighbours(const struct judging *program)
{
	return (struct moved_time){.shorter = program->side[0].median - program->side[1].median,
		.longer = time_between(program, 1) - time_between(program, 0)};
}

static size_t each_between(const struct judging *program, int side, double *out)
{
	return runs_differences(&program->side[side].runs, program->kind, BLOCK_periodNs, BLOCK_stepNs, out);
}

static size_t each_between_with_pauses(const struct judging *program, int side, double *out)
{
	return runs_between_ns(&program->side[side].runs, out);
}

static bool is_much(struct moved_time moved)
{
	return moved.longer / moved.shorter > program_moved_part;
}

/* Work may move to the time between any two steps, or to a rare pause. */
static struct moved_time moved_time_of(
	const struct judging *program, const struct side_extent *single, const struct side_extent *other)
{
	struct moved_time moved = moved_between_neighbours(program), all = moved_to_all_time(program, single, other);

	/* Kinds of steps that take turns have no periods. Then it is all time, for one of all steps. */
	if (fmax(single->left_steps, other->left_steps) > program_left_part) {
		all.shorter = single->host_ns - other->host_ns;
		all.told = is_much(all);
		return all;
	}
	moved.told = is_much(moved) && lies_apart(program, each_between);
	if (moved.told || !is_much(all) || !lies_apart(program, each_between_with_pauses))
		return moved;
	all.told = all.pauses = true;
	return all;
}

static size_t each_pause(const struct judging *program, int side, double *out)
{
	return runs_pauses_ns(&program->side[side].runs, out);
}

static void put_moved(json_t *facts, const struct moved_time *moved, bool period)
{
	put_json(facts, "between_ns", real_json(moved->longer));
	put_json(facts, "step_ns", real_json(-moved->shorter));
	put_json(facts, "moved", json_boolean(moved->told));
	put_json(facts, "pauses", json_boolean(moved->pauses));
	put_json(facts, "period", json_boolean(period));
}

/* Whether one side's times hold all of its loop, and those of the other one do not. */
static bool one_has_pauses(const struct side_extent *single, const struct side_extent *other)
{
	return fmin(single->pauses_ns, other->pauses_ns) <=
	       program_left_part * fmax(single->pauses_ns, other->pauses_ns);
}

/* Whether the loop as a whole says something else than its steps: that their verdict is another one, or much less. */
static bool loop_contradicts(const struct judging *program, double steps, double all)
{
	enum verdict verdict = verdict_of_value(all, fmax(program->band, traced_program_allowance));

	if (program->in_time == VERDICT_SAME)
		return verdict != VERDICT_SAME;
	return (verdict_is_clear(verdict) && verdict != program->in_time) || says_much_less(steps, all, program->band);
}

/* Whether the loop bears out what steps with pauses say, if that may differ by a part, and not in sign. */
static bool loop_bears_out(const struct judging *program, double steps, double all)
{
	bool opposite = verdict_is_clear(program->in_time) && log(steps) * log(all) < 0;

	return !opposite && fabs(log(all / steps)) <= program_kinds_apart;
}

/* From begin to begin all is in the time of a step but pauses, and steps that do not count. It is told if the loop as a
 * whole says something else than steps do. Where one side alone has pauses, a gain may have moved there. Of one run
 * each that may be a hiccup, and of the same steps there may be one more, with its pause. Where pauses count, as many
 * first steps of both sides may have others of them than their loops. */
static void check_loop(const struct judging *program, const struct side_extent *single, const struct side_extent *other,
	struct finding *out)
{
	double step[] = {program->side[0].median, program->side[1].median};
	struct moved_time moved = {
		.shorter = step[0] - step[1], .longer = other->pauses_ns - single->pauses_ns, .pauses = true};
	double all = ratio_with_outside(step[0], step[1], moved.longer);
	bool pauses = step_waits_of(program).pauses;

	if (!(fabs(moved.longer) > 0) || !verdict_is_definite(program->in_time)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	moved.told = loop_contradicts(program, step[0] / step[1], all) && lies_apart(program, each_pause);
	out->figure = moved.longer / step[0];
	out->ok = !moved.told || is_of_traces(program->f) ||
		  (pauses ? loop_bears_out(program, step[0] / step[1], all)
			  : program->in_time == VERDICT_SAME || !one_has_pauses(single, other));
	put_moved(out->facts, &moved, true);
	put_json(out->facts, "with_pauses", json_boolean(pauses));
}

/* A step gets shorter if what the host does moves out of it, and the program does not. But a step that got shorter may
 * also be waited for: the next one begins when its data come, or its frame is due. Nothing tells these apart. So it is
 * told ("moved"), and no reason for doubt. */
void check_time_between(const struct judging *j, struct finding *out)
{
	struct side_extent single = side_extent_of(j->f, j->side[0].measured->variant);
	struct side_extent other = side_extent_of(j->f, j->side[1].measured->variant);
	struct moved_time moved;

	if (j->measures == MEASURES_PROGRAM && by_period(j)) {
		check_loop(j, &single, &other, out);
		return;
	}
	if (j->measures != MEASURES_PROGRAM || !judging_has_range(j) || copies_differ(&single, &other) ||
		!verdict_is_clear(j->in_time)) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	moved = moved_time_of(j, &single, &other);
	if (isnan(moved.longer)) {
		out->missing = "no-period";
		return;
	}
	out->figure = moved.longer / moved.shorter;
	out->ok = true;
	put_moved(out->facts, &moved, false);
}

/* ---- graphs ---- */

/* A graph that was traced as a whole counts with its copies and gaps. Kernels beside it do not. */
void check_graphs(const struct judging *j, struct finding *out)
{
	struct side_graphs single = side_graphs_of(j->f, j->side[0].measured->variant);
	struct side_graphs other = side_graphs_of(j->f, j->side[1].measured->variant);
	const double counting = 1e-6; /* means of counts */

	if (j->measures == MEASURES_PROGRAM || fmax(single.number, other.number) <= 0) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	out->ok = fabs(single.number - other.number) <= counting * single.number;
	put_json(out->facts, "single", real_json(single.number));
	put_json(out->facts, "other", real_json(other.number));
}
