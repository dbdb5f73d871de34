/* counter-groups.c: see counter-groups.h. */
#include "record/cupti/counter-groups.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* What groups are made of. */
struct maker {
	const struct profiler *profiler;
	struct metric_set *sets;
	int nsets;
	const struct chip *chip;
	struct counter_groups *groups;
};

static void counter_group_free(struct counter_group *group)
{
	metric_plan_free(group->plan);
	free(group->metrics);
	free(group->values);
	*group = (struct counter_group){0};
}

void counter_groups_free(struct counter_groups *groups)
{
	for (int i = 0; i < groups->n; i++)
		counter_group_free(&groups->all[i]);
	groups->n = 0;
}

static bool is_collected(const struct counter_groups *groups, const char *metric)
{
	for (int i = 0; i < groups->n; i++)
		for (int j = 0; j < groups->all[i].n; j++)
			if (strcmp(groups->all[i].metrics[j], metric) == 0)
				return true;
	return false;
}

/* The metrics of `n` sets that no group has yet, with a plan if there are any. -1 with `err`; then *group is for
 * group_free() as well. */
static int group_make(
	const struct maker *m, const struct metric_set *sets, int n, struct counter_group *group, struct error *err)
{
	int all;

	*group = (struct counter_group){.metrics = metric_sets_metrics(sets, n, &all)};
	group->values = xcalloc((size_t)all, sizeof(*group->values));
	for (int i = 0; i < all; i++)
		if (!is_collected(m->groups, group->metrics[i]))
			group->metrics[group->n++] = group->metrics[i];
	if (group->n == 0)
		return 0;
	group->plan = metric_plan_new(
		m->profiler, PROFILER_RANGE, m->chip->name, m->chip->availability, group->metrics, group->n, err);
	return !group->plan ? -1 : 0;
}

/* Asks for all sets at once first. Each question takes CUPTI about 5 ms, and a set with a metric that the chip does not
 * know takes one for each of its metrics. */
static int drop_unknown(const struct maker *m, struct error *err)
{
	struct counter_group every;
	bool known = group_make(m, m->sets, m->nsets, &every, &(struct error){0}) == 0;

	counter_group_free(&every);
	for (int i = 0; !known && i < m->nsets; i++)
		if (metrics_known(m->profiler, PROFILER_RANGE, m->chip->name, m->chip->availability, m->sets[i].metrics,
			    &m->sets[i].nmetrics, err) < 0)
			return -1;
	return 0;
}

/* Keeps a group if it has metrics. */
static void group_keep(struct counter_groups *groups, struct counter_group *group)
{
	if (group->plan)
		groups->all[groups->n++] = *group;
	else
		counter_group_free(group);
}

/* Moves sets to `chosen`, *n of them, as long as all of these together take one pass. */
static int choose_sets(const struct maker *m, struct metric_set *chosen, int *n, struct error *err)
{
	*n = 0;
	for (int i = 0; i < m->nsets; i++) {
		struct counter_group group;
		int made;

		chosen[*n] = m->sets[i];
		made = group_make(m, chosen, *n + 1, &group, err);
		if (made == 0 && group.plan && metric_plan_passes(group.plan) == 1)
			++*n;
		counter_group_free(&group);
		if (made < 0)
			return -1;
	}
	return 0;
}

/* Makes a group of those metrics of `n` sets that no group has yet. */
static int add_group(const struct maker *m, const struct metric_set *sets, int n, struct error *err)
{
	struct counter_group group;

	if (group_make(m, sets, n, &group, err) < 0) {
		counter_group_free(&group);
		return -1;
	}
	group_keep(m->groups, &group);
	return 0;
}

int counter_groups_make(struct counter_groups *groups, const struct profiler *profiler, struct metric_set *sets,
	int nsets, const struct chip *chip, struct error *err)
{
	const struct maker m = {profiler, sets, nsets, chip, groups};
	struct metric_set *chosen = xcalloc((size_t)nsets + 1, sizeof(*chosen));
	int n, result;

	*groups = (struct counter_groups){.n = 0};
	result = drop_unknown(&m, err);
	if (result == 0)
		result = choose_sets(&m, chosen, &n, err);
	if (result == 0)
		result = add_group(&m, chosen, n, err);
	free(chosen);
	if (result == 0)
		result = add_group(&m, sets, nsets, err);
	if (result < 0 || groups->n > 0)
		return result;
	return error_set(err, "none of the metrics can be counted on %s", chip->name);
}
