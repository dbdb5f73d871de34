/* pm-sampling.h: counters of the whole GPU against time, by CUPTI's PM sampling. */
#ifndef DBPROF_RECORD_CUPTI_PM_PM_SAMPLING_H
#define DBPROF_RECORD_CUPTI_PM_PM_SAMPLING_H

#include <stdbool.h>

#include "record/cupti/pm/pm-session.h"
#include "record/cupti/profiler.h"

enum { PM_MAX_METRICS = 4 };

struct pm_sample {
	int64_t start, end; /* ns, CUPTI's clock */
	double value[PM_MAX_METRICS];
};

/* PM sampling of one device; the GPU's clocks are locked from open to close. */
struct pm_sampling {
	struct pm_session session;
	const struct metric_plan *plan; /* from the last pm_sampling_configure(); borrowed */
	int nmetrics;
	struct pm_sample *samples; /* from the last pm_sampling_stop(), ordered by time; owned */
	size_t nsamples, room;
	bool overflow; /* samples were lost */
};

/* Begins. -1 with err: no permission, another tool holds the counters, not supported. */
int pm_sampling_open(struct pm_sampling *pm, const struct profiler *profiler, int device, struct error *err);
void pm_sampling_close(struct pm_sampling *pm);

/* The image of what the device can count, for metric_plan_new(). The caller frees it. Call this before
 * pm_sampling_open(). */
uint8_t *pm_sampling_availability(const struct profiler *profiler, int device, struct error *err);

/* Chooses the metrics (at most PM_MAX_METRICS, of a plan of one pass), the time between samples, and how many samples
 * have room between start and stop. */
int pm_sampling_configure(struct pm_sampling *pm, const struct metric_plan *plan, const char *const *metrics,
	int nmetrics, int64_t interval_ns, size_t samples, struct error *err);

int pm_sampling_start(struct pm_sampling *pm, struct error *err);
/* Stops and reads all samples since the start. The first one is not whole, and is left out. */
int pm_sampling_stop(struct pm_sampling *pm, struct error *err);

/* The values of samples of an image, behind those that there are in the list. */
int pm_samples_take(const struct metric_plan *plan, const struct pm_images *images, struct pm_sample **samples,
	size_t *n, size_t *room, struct error *err);

#endif
