/* groups.c: see groups.h. */
#include "contrast/count/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

int metering_open(struct metering *metering, const char *chip,
	uint8_t *availability, /* NOLINT(readability-non-const-parameter): it is freed */
	struct error *err)
{
	*metering = (struct metering){.availability = availability};
	snprintf(metering->chip, sizeof(metering->chip), "%s", chip);
	if (metric_sets_load(PASS_COUNTERS, &metering->sets, &metering->nsets, err) < 0 ||
		cupti_open(&metering->cupti, err) < 0 || profiler_open(&metering->profiler, &metering->cupti, err) < 0)
		return -1;
	return counter_groups_make(&metering->base, &metering->profiler, metering->sets, metering->nsets,
		&(struct chip){metering->chip, availability}, err);
}

static void metered_group_free(struct metered_group *group)
{
	metric_plan_free(group->plan);
	free(group->group.metrics);
}

void metering_close(struct metering *metering)
{
	for (size_t i = 0; i < metering->ngroups; i++)
		metered_group_free(&metering->groups[i]);
	for (size_t i = 0; i < PASSES_OF_A_GROUP; i++)
		free(metering->lists[i].groups);
	free(metering->groups);
	free(metering->availability);
	counter_groups_free(&metering->base);
	if (metering->profiler.cupti)
		profiler_close(&metering->profiler);
	metric_sets_free(metering->sets, metering->nsets);
	if (metering->cupti.handle)
		cupti_close(&metering->cupti);
	*metering = (struct metering){0};
}

/* ---- groups ---- */

static bool is_control(const char *metric)
{
	return strcmp(metric, COUNT_INSTRUCTIONS) == 0 || strcmp(metric, COUNT_CYCLES) == 0;
}

/* The metrics and the controls. False if they cannot be collected together. */
static bool metered_group_make(
	const struct metering *metering, const char *const *metrics, size_t n, struct metered_group *out)
{
	struct error unknown = {0};
	struct count_group *group = &out->group;

	*out = (struct metered_group){.group.metrics = xcalloc(n + COUNT_CONTROLS, sizeof(*group->metrics))};
	group->metrics[group->nmetrics++] = COUNT_INSTRUCTIONS;
	group->metrics[group->nmetrics++] = COUNT_CYCLES;
	for (size_t i = 0; i < n; i++)
		if (!is_control(metrics[i]))
			group->metrics[group->nmetrics++] = metrics[i];
	out->plan = metric_plan_new(&metering->profiler, PROFILER_RANGE, metering->chip, metering->availability,
		group->metrics, (int)group->nmetrics, &unknown);
	if (!out->plan)
		return false;
	group->passes = metric_plan_passes(out->plan);
	group->image = metric_plan_image(out->plan, &group->image_size);
	return true;
}

static void add_metered_group(struct metering *metering, struct metered_list *list, const struct metered_group *group)
{
	xgrow(&metering->groups, metering->ngroups, &metering->room, sizeof(*metering->groups));
	list->groups = xreallocarray(list->groups, list->n + 1, sizeof(*list->groups));
	list->groups[list->n++] = metering->ngroups;
	metering->groups[metering->ngroups++] = *group;
}

/* Whether a group of `n` metrics may be one. A kernel with many launches may have enough for a metric that takes more
 * passes than a group should have. */
static bool is_short_enough(const struct metered_list *list, const struct metered_group *group, size_t n)
{
	return group->group.passes <= list->passes || (n == 1 && list->passes == PASSES_OF_A_GROUP);
}

/* Metrics that take too many passes together are halved until they do not. */
static void add_halves(struct metering *metering, struct metered_list *list, const char *const *metrics, size_t n)
{
	struct metered_group group;

	if (n == 0)
		return;
	if (metered_group_make(metering, metrics, n, &group) && is_short_enough(list, &group, n)) {
		add_metered_group(metering, list, &group);
		return;
	}
	metered_group_free(&group);
	if (n == 1) {
		list->lost++;
		return;
	}
	add_halves(metering, list, metrics, n / 2);
	add_halves(metering, list, metrics + n / 2, n - n / 2);
}

const struct metered_list *metering_list(struct metering *metering, size_t launches)
{
	size_t passes = launches < PASSES_OF_A_GROUP ? launches : PASSES_OF_A_GROUP;
	struct metered_list *list = &metering->lists[passes - 1];

	if (list->passes > 0)
		return list;
	list->passes = passes;
	for (int i = 0; i < metering->base.n; i++)
		add_halves(metering, list, metering->base.all[i].metrics, (size_t)metering->base.all[i].n);
	return list;
}
