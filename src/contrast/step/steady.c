/* steady.c: see steady.h. */
#include "contrast/step/steady.h"

#include <stdlib.h>

#include "analyze/thresholds.h"
#include "contrast/step/by-process.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/numbering.h"

enum { STEPS_WITH_WARM_UP = 3 };

/* Of lists that take turns, one more step is chance if both have so many. */
enum { STEPS_IN_TURNS = 4 };

/* The steps of one list in one process, or of one process. */
struct step_group {
	size_t first, last, n, process, launches;
	uint64_t list;
};

static struct step_group *step_group_of(struct step_group *groups, struct numbering *places, int64_t key, size_t step)
{
	struct step_group *group = &groups[numbering_place(places, key)];

	if (group->n++ == 0)
		group->first = step;
	group->last = step;
	return group;
}

/* For free(). Steps without a kernel have no list. The number of a process is that of its first step. */
static struct step_group *group_by_list(const struct step_list *steps, size_t n, size_t *ngroups)
{
	struct step_group *groups = xcalloc(n + 1, sizeof(*groups));
	struct numbering processes = {0}, places = {0};

	for (size_t i = 0; i < n; i++) {
		size_t process = numbering_place(&processes, steps[i].process);
		struct step_group *group;

		if (steps[i].launches == 0)
			continue;
		group = step_group_of(
			groups, &places, (int64_t)hash_bytes(steps[i].list, &process, sizeof(process)), i);
		group->process = process;
		group->list = steps[i].list;
		group->launches = steps[i].launches;
	}
	*ngroups = places.n;
	numbering_free(&processes);
	numbering_free(&places);
	return groups;
}

static bool take_turns(const struct step_group *a, const struct step_group *b)
{
	size_t fewer = a->n < b->n ? a->n : b->n, more = a->n < b->n ? b->n : a->n;

	return a->first < b->last && b->first < a->last && more - fewer <= (fewer >= STEPS_IN_TURNS);
}

/* Programs that change settle in the end, so of lists as common the last one is meant. Where two take turns, which one
 * comes last, or once more, depends on the number of steps: then what the lists are decides, and so all runs of a
 * program and of others like it decide alike. */
static bool is_commoner(const struct step_group *group, const struct step_group *best)
{
	if (best->n > 0 && take_turns(group, best))
		return group->launches != best->launches ? group->launches > best->launches : group->list > best->list;
	return group->n > best->n || (group->n == best->n && group->last > best->last);
}

/* The commonest list of each process, by its number. For free(). */
static struct step_group *commonest_lists(const struct step_list *steps, size_t n)
{
	struct step_group *best = xcalloc(n + 1, sizeof(*best)), *groups;
	size_t ngroups;

	groups = group_by_list(steps, n, &ngroups);
	for (size_t i = 0; i < ngroups; i++)
		if (is_commoner(&groups[i], &best[groups[i].process]))
			best[groups[i].process] = groups[i];
	free(groups);
	return best;
}

/* The commonest list of all steps; n is 0 without any. */
static struct step_group common_list(const struct step_list *steps, size_t n)
{
	struct step_group *groups = xcalloc(n + 1, sizeof(*groups)), best = {.n = 0};
	struct numbering lists = {0};

	for (size_t i = 0; i < n; i++) {
		struct step_group *group;

		if (steps[i].launches == 0)
			continue;
		group = step_group_of(groups, &lists, (int64_t)steps[i].list, i);
		group->list = steps[i].list;
		group->launches = steps[i].launches;
	}
	for (size_t i = 0; i < lists.n; i++)
		if (is_commoner(&groups[i], &best))
			best = groups[i];
	free(groups);
	numbering_free(&lists);
	return best;
}

/* A list that a process has but once says little: it may be a warm-up. If others have one more often, it is meant. */
static void take_common_list(const struct step_list *steps, size_t n, struct step_group *best)
{
	struct step_group common = common_list(steps, n);

	for (size_t i = 0; i < n && common.n > 1; i++)
		if (best[i].n == 1)
			best[i].list = common.list;
}

static void leave_out_other_lists(const struct step_list *steps, size_t n, enum left_out *out)
{
	struct step_group *best = commonest_lists(steps, n);
	struct numbering processes = {0};

	take_common_list(steps, n, best);
	for (size_t i = 0; i < n; i++) {
		size_t process = numbering_place(&processes, steps[i].process);

		out[i] = steps[i].launches == 0                ? LEFT_EMPTY_STEP
			 : steps[i].list == best[process].list ? LEFT_NOTHING
							       : LEFT_OTHER_STEP;
	}
	numbering_free(&processes);
	free(best);
}

/* Only first steps of a process may have its list: then they are all there is of it. */
static void leave_out_first(const struct step_list *steps, size_t n, enum left_out *out)
{
	struct step_group *groups = xcalloc(n + 1, sizeof(*groups));
	struct numbering processes = {0};
	size_t *steady = xcalloc(n + 1, sizeof(*steady));

	for (size_t i = 0; i < n; i++) {
		(void)step_group_of(groups, &processes, steps[i].process, i);
		steady[numbering_place(&processes, steps[i].process)] += out[i] == LEFT_NOTHING;
	}
	for (size_t i = 0; i < processes.n; i++)
		if (groups[i].n >= STEPS_WITH_WARM_UP && out[groups[i].first] == LEFT_NOTHING && steady[i] > 1)
			out[groups[i].first] = LEFT_FIRST_STEP;
	free(steady);
	free(groups);
	numbering_free(&processes);
}

static void leave_out_empty(const struct step_list *steps, size_t n, enum left_out *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = steps[i].launches == 0 ? LEFT_EMPTY_STEP : LEFT_NOTHING;
}

void steady_steps(const struct step_list *steps, size_t n, bool any_list, enum left_out *out)
{
	if (any_list)
		leave_out_empty(steps, n, out);
	else
		leave_out_other_lists(steps, n, out);
	leave_out_first(steps, n, out);
}

/* ---- warm-up ---- */

static int64_t process_of_list(const void *steps, size_t i)
{
	return ((const struct step_list *)steps)[i].process;
}

/* Whether so many of a process's steps, which are its first ones, are few enough for a warm-up. */
static bool are_few(size_t first, size_t all)
{
	return (double)first <= program_left_part * (double)all || (first <= WARM_UP_STEPS && first < all - first);
}

/* Of a process's first `n` steps, whose places are given: where the commonest list begins. */
static size_t begin_of_phase(const struct step_list *steps, const size_t *place, size_t n)
{
	struct step_group *groups = xcalloc(n + 1, sizeof(*groups)), best = {.n = 0};
	struct numbering lists = {0};

	for (size_t i = 0; i < n; i++)
		if (steps[place[i]].launches > 0)
			(void)step_group_of(groups, &lists, (int64_t)steps[place[i]].list, i);
	for (size_t i = 0; i < lists.n; i++)
		if (groups[i].n > best.n)
			best = groups[i];
	free(groups);
	numbering_free(&lists);
	return best.first;
}

/* How many of a process's steps, whose places are given, are warm-up. */
static size_t length_of_warm_up(const struct step_list *steps, const enum left_out *why, const size_t *place, size_t n)
{
	size_t first = 0, begin;

	while (first < n && why[place[first]] != LEFT_NOTHING)
		first++;
	if (first <= 1 || first == n || are_few(first, n))
		return first;
	begin = begin_of_phase(steps, place, first);
	return begin > 1 ? begin : 1;
}

void steps_of_warm_up(const struct step_list *steps, size_t n, const enum left_out *why, bool *warm_up)
{
	struct steps_by_process all = steps_by_process(steps, n, process_of_list);

	for (size_t p = 0; p < all.n; p++) {
		const size_t *place = all.step + all.first[p], count = all.first[p + 1] - all.first[p];
		size_t length = length_of_warm_up(steps, why, place, count);

		for (size_t i = 0; i < count; i++)
			warm_up[place[i]] = i < length;
	}
	steps_by_process_free(&all);
}
