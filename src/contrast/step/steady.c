/* steady.c: see steady.h. */
#include "contrast/step/steady.h"

#include <stdbool.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/numbering.h"

enum { STEPS_WITH_WARM_UP = 3 };

/* The steps of one list or of one process. */
struct step_group {
	size_t first, last, n;
};

/* For free(). Steps without a kernel have no list. */
static struct step_group *group_steps(const struct step_list *steps, size_t n, bool by_list, struct numbering *places)
{
	struct step_group *groups = xcalloc(n + 1, sizeof(*groups));

	for (size_t i = 0; i < n; i++) {
		struct step_group *group;

		if (by_list && steps[i].launches == 0)
			continue;
		group = &groups[numbering_place(places, by_list ? (int64_t)steps[i].list : steps[i].process)];
		if (group->n++ == 0)
			group->first = i;
		group->last = i;
	}
	return groups;
}

/* Programs that change settle in the end, so of lists as common the last one is meant. */
static uint64_t commonest_list(const struct step_list *steps, size_t n)
{
	struct numbering lists = {0};
	struct step_group *groups = group_steps(steps, n, true, &lists), *best = &groups[0];
	uint64_t list;

	for (size_t i = 1; i < lists.n; i++) {
		if (groups[i].n > best->n || (groups[i].n == best->n && groups[i].last > best->last))
			best = &groups[i];
	}
	list = lists.n ? (uint64_t)lists.id[best - groups] : 0;
	free(groups);
	numbering_free(&lists);
	return list;
}

static void leave_out_first(const struct step_list *steps, size_t n, enum left_out *out)
{
	struct numbering processes = {0};
	struct step_group *groups = group_steps(steps, n, false, &processes);

	for (size_t i = 0; i < processes.n; i++) {
		if (groups[i].n >= STEPS_WITH_WARM_UP && out[groups[i].first] == LEFT_NOTHING)
			out[groups[i].first] = LEFT_FIRST_STEP;
	}
	free(groups);
	numbering_free(&processes);
}

void steady_steps(const struct step_list *steps, size_t n, enum left_out *out)
{
	uint64_t list = commonest_list(steps, n);
	bool some = false;

	for (size_t i = 0; i < n; i++) {
		out[i] = steps[i].launches == 0  ? LEFT_EMPTY_STEP
			 : steps[i].list == list ? LEFT_NOTHING
						 : LEFT_OTHER_STEP;
	}
	leave_out_first(steps, n, out);
	for (size_t i = 0; i < n; i++)
		some |= out[i] == LEFT_NOTHING;
	/* Only the first steps of processes have the list: then they are all there is. */
	for (size_t i = 0; i < n && !some; i++)
		out[i] = out[i] == LEFT_FIRST_STEP ? LEFT_NOTHING : out[i];
}
