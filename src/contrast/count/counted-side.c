/* counted-side.c: one side: the plan of what is missing, and what its run has counted. */
#include "contrast/count/counted-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics/stats.h"
#include "contrast/count/choose.h"
#include "util/alloc.h"

/* ---- the plan ---- */

/* A group is opened in about a tenth of a second, so these take 18 seconds of a run: three rounds of six kernels that
 * an H100 counts in ten groups each. */
enum { AGAIN_MOST = 180 };

/* How often the groups of a kernel are counted in a run: each takes a launch for each pass, and one before. */
static size_t rounds_of(const struct side_counting *c, const struct counted_case *one)
{
	const struct counted_side *side = &c->out->sides[c->side];
	const struct launch_places *places = &one->kernel->kernel.places;
	uint64_t launches = 0, groups = 0;

	for (size_t i = 0; i < one->list->n; i++)
		launches += c->out->metering.groups[one->list->groups[i]].group.passes + 1;
	for (size_t i = 0; i < side->n; i++)
		groups += side->cases[i].list ? side->cases[i].list->n : 0;
	return places->end - places->first >= launches * COUNTED_ROUNDS && groups * COUNTED_ROUNDS <= AGAIN_MOST
		       ? COUNTED_ROUNDS
		       : 1;
}

/* Adds the kernel with those of its groups that are not counted, if there are any. Each comes once before any comes
 * again. */
static void plan_case(struct side_counting *c, struct counted_case *one, struct count_plan *plan)
{
	struct count_kernel planned = count_kernel_of(&one->kernel->kernel);
	size_t rounds;

	if (!one->list)
		return;
	planned.rank = one->rank;
	rounds = rounds_of(c, one);
	planned.groups = xcalloc(one->list->n * rounds + 1, sizeof(*planned.groups));
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < one->list->n; i++)
			if (!one->groups[i].values)
				planned.groups[planned.ngroups++] = one->list->groups[i];
	if (planned.ngroups == 0) {
		free(planned.groups);
		return;
	}
	plan->kernels[plan->nkernels] = planned;
	c->planned[plan->nkernels++] = one;
}

/* The plan of what is not counted yet. For free_side_plan(). */
static void make_side_plan(struct side_counting *c, struct count_plan *plan)
{
	const struct metering *metering = &c->out->metering;
	struct counted_side *side = &c->out->sides[c->side];

	*plan = (struct count_plan){.chip = metering->chip, .ngroups = metering->ngroups};
	plan->groups = xcalloc(metering->ngroups + 1, sizeof(*plan->groups));
	for (size_t i = 0; i < metering->ngroups; i++)
		plan->groups[i] = metering->groups[i].group;
	plan->kernels = xcalloc(side->n + 1, sizeof(*plan->kernels));
	c->planned = xcalloc(side->n + 1, sizeof(struct counted_case *));
	for (size_t i = 0; i < side->n; i++)
		plan_case(c, &side->cases[i], plan);
	c->nplanned = plan->nkernels;
}

static void free_side_plan(struct side_counting *c, struct count_plan *plan)
{
	for (size_t i = 0; i < plan->nkernels; i++)
		free(plan->kernels[i].groups);
	free(plan->kernels);
	free(plan->groups);
	free(c->planned);
	c->planned = NULL;
	c->nplanned = 0;
}

/* ---- what was counted ---- */

/* Which of its groups that is; list->n: none. */
static size_t place_in_list(const struct counted_case *one, size_t group)
{
	size_t i = 0;

	while (i < one->list->n && one->list->groups[i] != group)
		i++;
	return i;
}

/* NaN if none is known. */
static double median_of_rounds(const struct counted_group *counted, size_t metric)
{
	double known[COUNTED_ROUNDS];
	size_t n = 0;

	for (size_t i = 0; i < counted->n; i++)
		if (isfinite(counted->round[i][metric]))
			known[n++] = counted->round[i][metric];
	return n > 0 ? median_of(known, n) : NAN;
}

static void add_round(struct counted_group *counted, double *values, size_t nmetrics)
{
	counted->round[counted->n++] = values;
	if (!counted->values)
		counted->values = xcalloc(nmetrics, sizeof(*counted->values));
	for (size_t i = 0; i < nmetrics; i++)
		counted->values[i] = median_of_rounds(counted, i);
}

static void take_counters(
	const struct side_counting *c, struct counted_case *one, const struct count_record *head, const char *image)
{
	const struct metered_group *group;
	struct counted_process *process = &one->reading;
	size_t place = place_in_list(one, head->group);
	double *values;
	struct error bad = {0};

	if (place == one->list->n || process->groups[place].n == COUNTED_ROUNDS)
		return;
	group = &c->out->metering.groups[head->group];
	values = xcalloc(group->group.nmetrics, sizeof(*values));
	if (metric_plan_evaluate(group->plan, (const uint8_t *)image, (size_t)head->size, 0, values, &bad) < 0) {
		snprintf(one->reason, sizeof(one->reason), "%.250s", bad.text);
		free(values);
		return;
	}
	add_round(&process->groups[place], values, group->group.nmetrics);
	process->rounds++;
	process->launches += head->launches;
	process->rank = c->rank;
}

/* ---- which process ---- */

static void counted_process_clear(const struct counted_case *one, struct counted_process *process)
{
	for (size_t i = 0; one->list && i < one->list->n; i++)
		counted_group_clear(&process->groups[i]);
	*process = (struct counted_process){.groups = process->groups};
}

/* No more results of the process come. */
static void choose_process(const struct side_counting *c)
{
	for (size_t i = 0; i < c->nplanned; i++) {
		struct counted_case *one = c->planned[i];

		if (one->reading.rounds > one->most.rounds) {
			struct counted_process less = one->most;

			one->most = one->reading;
			one->reading = less;
		}
		counted_process_clear(one, &one->reading);
	}
}

static void take_side_record(void *user, const struct count_record *head, const char *bytes)
{
	struct side_counting *c = user;
	struct counted_case *one = head->kernel < c->nplanned ? c->planned[head->kernel] : NULL;

	if (head->kind == COUNT_PROCESS) {
		choose_process(c);
		c->rank = head->group;
	}
	if (head->kind == COUNT_REFUSED)
		take_refusal(c, bytes);
	if (one && head->kind == COUNT_MISSED)
		snprintf(one->reason, sizeof(one->reason), "%.250s", bytes);
	if (one && head->kind == COUNT_COUNTED)
		take_counters(c, one, head, bytes);
}

/* The groups of the run are kept: none of them was known before. */
static void keep_process(struct counted_case *one)
{
	for (size_t i = 0; i < one->list->n; i++) {
		if (one->most.groups[i].n == 0)
			continue;
		one->groups[i] = one->most.groups[i];
		one->most.groups[i] = (struct counted_group){0};
	}
	one->launches += one->most.launches;
	one->runs++;
	one->rank = one->most.rank;
	counted_process_clear(one, &one->most);
}

/* Whether the last run has counted something. */
static bool end_run(const struct side_counting *c)
{
	bool any = false;

	choose_process(c);
	for (size_t i = 0; i < c->nplanned; i++) {
		if (c->planned[i]->most.rounds == 0)
			continue;
		keep_process(c->planned[i]);
		any = true;
	}
	return any;
}

/* ---- runs ---- */

int count_side(struct side_counting *c)
{
	struct counted_side *side = &c->out->sides[c->side];
	struct count_plan plan;
	int code = 0;

	make_side_plan(c, &plan);
	side->is_done |= plan.nkernels == 0;
	if (!side->is_done) {
		c->rank = COUNT_NO_RANK;
		code = count_once(c, &plan, take_side_record);
		side->is_done = !end_run(c) || code != 0;
		side->has_failed = code > 0;
	}
	free_side_plan(c, &plan);
	if (side->has_failed)
		end_counting(c, "failed");
	return code < 0 ? -1 : 0;
}
