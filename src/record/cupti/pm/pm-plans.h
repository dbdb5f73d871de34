/* pm-plans.h: which metric sets PM sampling can take on a chip, and how. */
#ifndef DBPROF_RECORD_CUPTI_PM_PM_PLANS_H
#define DBPROF_RECORD_CUPTI_PM_PM_PLANS_H

#include "record/cupti/metric-set.h"
#include "record/cupti/profiler.h"

/* Begins as {0}; pm_plans_free() frees it. */
struct pm_plans {
	struct metric_set *sets; /* after pm_plans_make() they hold only metrics that the chip has */
	int nsets;
	struct metric_plan **plans; /* one per set; NULL where the set cannot be sampled */
};

/* Reads the sets. -1 with `err`. */
int pm_plans_load(struct pm_plans *plans, struct error *err);

/* Plans each set; `note` gets the name of one that cannot be sampled, and why. A set of which the chip has no metric is
 * for other chips, and no note is made. -1 with `err` if no set can be sampled. */
int pm_plans_make(struct pm_plans *plans, const struct profiler *profiler, const char *chip,
	const uint8_t *availability, void (*note)(void *user, const char *set, const char *why), void *user,
	struct error *err);
void pm_plans_free(struct pm_plans *plans);

/* "a b c": the names of the set's metrics, as in DBPROF_PM_RUN.metrics. */
void pm_metrics_text(const struct metric_set *set, char *text, size_t size);

#endif
