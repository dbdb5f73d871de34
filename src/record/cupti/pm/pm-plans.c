/* pm-plans.c: see pm-plans.h. */
#include "record/cupti/pm/pm-plans.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/cupti/pm/pm-sampling.h"
#include "util/alloc.h"

int pm_plans_load(struct pm_plans *plans, struct error *err)
{
	*plans = (struct pm_plans){0};
	if (metric_sets_load(PASS_PM, &plans->sets, &plans->nsets, err) < 0)
		return -1;
	plans->plans = xcalloc((size_t)plans->nsets + 1, sizeof(struct metric_plan *));
	return 0;
}

/* A set that takes more than one pass cannot be sampled. NULL with `err`. `err` is empty if the chip has none of its
 * metrics: then another set is for this chip. */
static struct metric_plan *make_plan(const struct profiler *profiler, struct metric_set *set, const char *chip,
	const uint8_t *availability, struct error *err)
{
	struct metric_plan *plan;

	if (metrics_known(profiler, PROFILER_PM, chip, availability, set->metrics, &set->nmetrics, err) < 0 ||
		set->nmetrics == 0)
		return NULL;
	if (set->nmetrics > PM_MAX_METRICS) {
		error_set(err, "it has more than %d metrics", PM_MAX_METRICS);
		return NULL;
	}
	plan = metric_plan_new(profiler, PROFILER_PM, chip, availability, set->metrics, set->nmetrics, err);
	if (!plan || metric_plan_passes(plan) == 1)
		return plan;
	error_set(err, "it takes %zu passes on %s", metric_plan_passes(plan), chip);
	metric_plan_free(plan);
	return NULL;
}

int pm_plans_make(struct pm_plans *plans, const struct profiler *profiler, const char *chip,
	const uint8_t *availability, void (*note)(void *user, const char *set, const char *why), void *user,
	struct error *err)
{
	struct error why = {0};
	int usable = 0;

	for (int i = 0; i < plans->nsets; i++) {
		why.text[0] = '\0';
		plans->plans[i] = make_plan(profiler, &plans->sets[i], chip, availability, &why);
		usable += plans->plans[i] != NULL;
		if (why.text[0] != '\0')
			note(user, plans->sets[i].name, why.text);
	}
	if (usable > 0)
		return 0;
	return error_set(
		err, "no metric set can be sampled on %s%s%s", chip, why.text[0] == '\0' ? "" : ": ", why.text);
}

void pm_plans_free(struct pm_plans *plans)
{
	for (int i = 0; plans->plans && i < plans->nsets; i++)
		metric_plan_free(plans->plans[i]);
	free(plans->plans);
	metric_sets_free(plans->sets, plans->nsets);
	*plans = (struct pm_plans){0};
}

void pm_metrics_text(const struct metric_set *set, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < set->nmetrics && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : " ", set->metrics[i]);
}
