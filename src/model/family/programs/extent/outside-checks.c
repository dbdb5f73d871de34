/* outside-checks.c: the checks of extent-checks.h that look at what runs outside of steps, and at whole graphs. */
#include "model/family/programs/extent/extent-checks.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/measured.h"
#include "model/family/programs/extent/between.h"
#include "model/family/programs/extent/extent.h"
#include "model/family/programs/extent/held.h"
#include "model/family/programs/runs.h"
#include "model/family/programs/waits.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

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

/* Whether the runs of one side have another number than those of the other one. */
static bool lies_apart(const struct judging *j, numbers_of_runs *each)
{
	double *x[2];
	size_t n[2];
	bool apart;

	for (int i = 0; i < 2; i++) {
		x[i] = xcalloc(j->side[i].runs.count + 1, sizeof(*x[i]));
		n[i] = each(j, i, x[i]);
	}
	apart = numbers_lie_apart(x[0], n[0], x[1], n[1]);
	free(x[0]);
	free(x[1]);
	return apart;
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

static size_t each_between(const struct judging *program, int side, double *out)
{
	return runs_neighbours_ns(&program->side[side].runs, program->kind, out);
}

/* What a side's steps leave to the time between two (ns). */
static double time_between(const struct judging *program, int side)
{
	double *x = xcalloc(program->side[side].runs.count + 1, sizeof(*x)), median;
	size_t n = each_between(program, side, x);

	median = n ? median_of(x, n) : NAN;
	free(x);
	return median;
}

static struct moved_time moved_between_neighbours(const struct judging *program)
{
	return (struct moved_time){.shorter = program->side[0].median - program->side[1].median,
		.longer = time_between(program, 1) - time_between(program, 0)};
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
