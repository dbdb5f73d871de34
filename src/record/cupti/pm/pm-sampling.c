/* pm-sampling.c: see pm-sampling.h. */
#include "record/cupti/pm/pm-sampling.h"

#include <stdlib.h>

#include "util/alloc.h"

uint8_t *pm_sampling_availability(const struct profiler *profiler, int device, struct error *err)
{
	struct pm_session session;
	size_t size;

	return pm_session_prepare(&session, profiler->cupti, err) < 0
		       ? NULL
		       : pm_session_availability(&session, device, &size, err);
}

int pm_sampling_open(struct pm_sampling *pm, const struct profiler *profiler, int device, struct error *err)
{
	*pm = (struct pm_sampling){0};
	return pm_session_prepare(&pm->session, profiler->cupti, err) < 0 ? -1
									  : pm_session_open(&pm->session, device, err);
}

void pm_sampling_close(struct pm_sampling *pm)
{
	pm_session_close(&pm->session);
	free(pm->samples);
	*pm = (struct pm_sampling){0};
}

int pm_sampling_configure(struct pm_sampling *pm, const struct metric_plan *plan, const char *const *metrics,
	int nmetrics, int64_t interval_ns, size_t samples, struct error *err)
{
	struct pm_settings settings = {
		.metrics = metrics, .nmetrics = (size_t)nmetrics, .interval_ns = interval_ns, .samples = samples};

	pm->plan = plan;
	pm->nmetrics = nmetrics;
	settings.config = metric_plan_image(plan, &settings.config_size);
	return pm_session_configure(&pm->session, &settings, err);
}

int pm_sampling_start(struct pm_sampling *pm, struct error *err)
{
	return pm_session_start(&pm->session, err);
}

int pm_samples_take(const struct metric_plan *plan, const struct pm_images *images, struct pm_sample **samples,
	size_t *n, size_t *room, struct error *err)
{
	for (size_t i = images->first; i < images->end; i++) {
		struct pm_sample *sample;

		xgrow(samples, *n, room, sizeof(**samples));
		sample = &(*samples)[*n];
		*sample = (struct pm_sample){images->times[i].start, images->times[i].end, {0}};
		if (metric_plan_evaluate(plan, images->image, images->size, i, sample->value, err) < 0)
			return -1;
		(*n)++;
	}
	return 0;
}

static int take_images(void *user, const struct pm_images *images, struct error *err)
{
	struct pm_sampling *pm = user;

	return pm_samples_take(pm->plan, images, &pm->samples, &pm->nsamples, &pm->room, err);
}

int pm_sampling_stop(struct pm_sampling *pm, struct error *err)
{
	int code;

	pm->nsamples = 0;
	code = pm_session_stop(&pm->session, take_images, pm, err);
	pm->overflow = pm->session.overflow;
	return code;
}
