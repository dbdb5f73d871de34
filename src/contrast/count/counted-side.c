/* counted-side.c: one side: the plan of what is missing, and what its run has counted. */
#include "contrast/count/counted-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/count/choose.h"
#include "util/alloc.h"

/* ---- the plan ---- */

/* Adds the kernel with those of its groups that are not counted, if there are any. */
static void plan_case(struct side_counting *c, struct counted_case *one, struct count_plan *plan)
{
	struct count_kernel planned = count_kernel_of(&one->kernel->kernel);

	if (!one->list)
		return;
	planned.groups = xcalloc(one->list->n + 1, sizeof(*planned.groups));
	for (size_t i = 0; i < one->list->n; i++)
		if (!one->values[i])
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

	*plan = (struct count_plan){.ngroups = metering->ngroups};
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

/* A second process may have counted the same. */
static void take_counters(
	const struct side_counting *c, struct counted_case *one, const struct count_record *head, const char *image)
{
	const struct metered_group *group;
	size_t place = place_in_list(one, head->group);
	double *values;
	struct error bad = {0};

	if (place == one->list->n || one->values[place])
		return;
	group = &c->out->metering.groups[head->group];
	values = xcalloc(group->group.nmetrics, sizeof(*values));
	if (metric_plan_evaluate(group->plan, (const uint8_t *)image, (size_t)head->size, 0, values, &bad) < 0) {
		snprintf(one->reason, sizeof(one->reason), "%.250s", bad.text);
		free(values);
		return;
	}
	one->values[place] = values;
	one->launches += head->launches;
	one->is_new = true;
}

static void take_side_record(void *user, const struct count_record *head, const char *bytes)
{
	struct side_counting *c = user;
	struct counted_case *one = head->kernel < c->nplanned ? c->planned[head->kernel] : NULL;

	if (head->kind == COUNT_REFUSED)
		take_refusal(c, bytes);
	if (one && head->kind == COUNT_MISSED)
		snprintf(one->reason, sizeof(one->reason), "%.250s", bytes);
	if (one && head->kind == COUNT_COUNTED)
		take_counters(c, one, head, bytes);
}

/* Whether the last run has counted something. */
static bool end_run(const struct counted_side *side)
{
	bool any = false;

	for (size_t i = 0; i < side->n; i++) {
		any |= side->cases[i].is_new;
		side->cases[i].runs += side->cases[i].is_new;
		side->cases[i].is_new = false;
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
		code = count_once(c, &plan, take_side_record);
		side->is_done = !end_run(side) || code != 0;
		side->has_failed = code > 0;
	}
	free_side_plan(c, &plan);
	if (side->has_failed)
		end_counting(c, "failed");
	return code < 0 ? -1 : 0;
}
