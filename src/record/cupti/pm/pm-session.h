/*
 * pm-session.h: PM sampling of one device, by CUPTI's own images. It is also compiled into a library that lives in
 * other programs: it never exits, never prints and never allocates by util/alloc.h.
 */
#ifndef DBPROF_RECORD_CUPTI_PM_PM_SESSION_H
#define DBPROF_RECORD_CUPTI_PM_PM_SESSION_H

#include <cupti_pmsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/cupti/cupti.h"

/* clang-format off */
#define PM_SESSION_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiProfilerInitialize) \
	FUNCTION(cuptiDeviceGetChipName) \
	FUNCTION(cuptiPmSamplingEnable) \
	FUNCTION(cuptiPmSamplingDisable) \
	FUNCTION(cuptiPmSamplingSetConfig) \
	FUNCTION(cuptiPmSamplingStart) \
	FUNCTION(cuptiPmSamplingStop) \
	FUNCTION(cuptiPmSamplingDecodeData) \
	FUNCTION(cuptiPmSamplingGetCounterAvailability) \
	FUNCTION(cuptiPmSamplingGetCounterDataSize) \
	FUNCTION(cuptiPmSamplingCounterDataImageInitialize) \
	FUNCTION(cuptiPmSamplingGetCounterDataInfo) \
	FUNCTION(cuptiPmSamplingCounterDataGetSampleInfo)
/* clang-format on */

/* The raw samples of a launch wait in the hardware buffer. An image takes so many of them at a time, about 9 KB each.
 */
enum { PM_IMAGE_SAMPLES = 2048 };

/* pm_session_prepare() sets it up. The GPU's clocks are locked from open to close. */
struct pm_session {
	const struct cupti *cupti;                      /* borrowed */
#define PM_SESSION_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	PM_SESSION_FUNCTIONS(PM_SESSION_MEMBER)
#undef PM_SESSION_MEMBER
	struct CUpti_PmSampling_Object *object; /* NULL: it is closed */
	uint8_t *image;                         /* counter data; owned */
	size_t image_size;
	struct pm_time *times; /* of the samples in the image; owned */
	size_t taken;          /* samples since the start, the first one too */
	bool overflow;         /* samples were lost since the start */
};

/* Of a sample: ns, CUPTI's clock. */
struct pm_time {
	int64_t start, end;
};

/* What is sampled: a plan of one pass, see metric_plan_image(). */
struct pm_settings {
	const uint8_t *config;
	size_t config_size;
	const char *const *metrics;
	size_t nmetrics;
	int64_t interval_ns; /* between samples */
	size_t samples;      /* that have room in the hardware buffer, between start and stop */
};

/* Samples number `first` to `end` - 1 of an image, and the times of all from 0 on. Lives as long as the call. */
struct pm_images {
	const uint8_t *image;
	size_t size;
	const struct pm_time *times;
	size_t first, end;
};

/* 0, or -1 with `err`: then no more is read. */
typedef int pm_taker(void *user, const struct pm_images *images, struct error *err);

/* Finds the functions. -1 with `err` if this CUPTI lacks one. */
int pm_session_prepare(struct pm_session *pm, const struct cupti *cupti, struct error *err);

/* The name of a device's chip; lives as long as CUPTI. NULL with `err`. The CUDA driver must be initialised, as for all
 * that follows. */
const char *pm_session_chip(const struct pm_session *pm, int device, struct error *err);

/* What the device can count: an image of *size bytes, for free(). NULL with `err`. Not while it is open. */
uint8_t *pm_session_availability(const struct pm_session *pm, int device, size_t *size, struct error *err);

/* Begins. -1 with `err`: no permission, another tool holds the counters, not supported; then it is closed. */
int pm_session_open(struct pm_session *pm, int device, struct error *err);
void pm_session_close(struct pm_session *pm);

/* Before the start. On an H100 with CUDA 13.0 a second start without a new opening gives no samples. */
int pm_session_configure(struct pm_session *pm, const struct pm_settings *settings, struct error *err);
int pm_session_start(struct pm_session *pm, struct error *err);

/* Stops and hands all samples since the start to `take`, in their order. The first one is not whole, and is left out.
 */
int pm_session_stop(struct pm_session *pm, pm_taker *take, void *user, struct error *err);

#endif
