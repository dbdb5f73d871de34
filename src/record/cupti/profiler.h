/* profiler.h: CUPTI's profiler host interface: which counters a list of metrics needs on a chip, in how many passes,
 * and which values follow from the collected counters. Works without a GPU. */
#ifndef DBPROF_RECORD_CUPTI_PROFILER_H
#define DBPROF_RECORD_CUPTI_PROFILER_H

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/cupti/cupti.h"

/* clang-format off */
/* What of the range profiler counts around one range, also inside other programs. */
#define RANGE_PROFILER_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiProfilerInitialize) \
	FUNCTION(cuptiDeviceGetChipName) \
	FUNCTION(cuptiProfilerGetCounterAvailability) \
	FUNCTION(cuptiRangeProfilerEnable) \
	FUNCTION(cuptiRangeProfilerDisable) \
	FUNCTION(cuptiRangeProfilerSetConfig) \
	FUNCTION(cuptiRangeProfilerStart) \
	FUNCTION(cuptiRangeProfilerStop) \
	FUNCTION(cuptiRangeProfilerPushRange) \
	FUNCTION(cuptiRangeProfilerPopRange) \
	FUNCTION(cuptiRangeProfilerDecodeData) \
	FUNCTION(cuptiRangeProfilerGetCounterDataSize) \
	FUNCTION(cuptiRangeProfilerCounterDataImageInitialize)

/* The functions of the range profiler that dbprof calls. Each becomes a member of struct profiler. Those of PM sampling are in pm/, and those of the host interface in profiler.c, because only that file can include their header (see there). */
#define PROFILER_FUNCTIONS(FUNCTION) \
	RANGE_PROFILER_FUNCTIONS(FUNCTION) \
	FUNCTION(cuptiProfilerDeInitialize) \
	FUNCTION(cuptiRangeProfilerGetCounterDataInfo)
/* clang-format on */

struct profiler_host; /* functions of the host interface */

struct profiler {
	const struct cupti *cupti; /* borrowed */
	struct profiler_host *host;
#define PROFILER_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): a declarator */
	PROFILER_FUNCTIONS(PROFILER_MEMBER)
#undef PROFILER_MEMBER
};

/* Finds the functions in a loaded CUPTI. -1 if one is missing. */
int profiler_open(struct profiler *profiler, const struct cupti *cupti, struct error *err);
void profiler_close(struct profiler *profiler);

/* Initialises the profiler on the device side. The CUDA driver must be initialised. */
int profiler_start(const struct profiler *profiler, struct error *err);

/* "GH100". Needs a device. */
int profiler_chip(const struct profiler *profiler, int device, char *name, size_t size, struct error *err);

/* The chips that this CUPTI knows; the list lives as long as CUPTI. Works without a GPU. */
int profiler_chips(const struct profiler *profiler, const char *const **names, size_t *n, struct error *err);

/* Room for the image of what a device can count (bytes). It takes 9184 on an H100 with CUDA 13.0. CUPTI could tell the
 * size, but takes 0.07 s for that, and as much again for the image. */
enum { PROFILER_AVAILABILITY_SIZE = 1 << 20 };

enum profiler_kind { PROFILER_RANGE, PROFILER_PM };

/* Removes the metrics that the chip does not know from the array of *n. -1 if CUPTI knows no counters of the chip. */
int metrics_known(const struct profiler *profiler, enum profiler_kind kind, const char *chip,
	const uint8_t *availability, const char **metrics, int *n, struct error *err);

/* Metrics that are ready to be collected on a chip. */
struct metric_plan;

/* `metrics` is borrowed for the life of the plan. `availability` is the image of what this device can count, or NULL to
 * plan for any device with that chip. NULL with `err` if they cannot be collected, for example because the chip does
 * not know one of them. */
struct metric_plan *metric_plan_new(const struct profiler *profiler, enum profiler_kind kind, const char *chip,
	const uint8_t *availability, const char *const *metrics, int n, struct error *err);
void metric_plan_free(struct metric_plan *plan);

/* How often the work must run to collect all metrics. */
size_t metric_plan_passes(const struct metric_plan *plan);
/* The configuration image, for cuptiRangeProfilerSetConfig() and cuptiPmSamplingSetConfig(). */
const uint8_t *metric_plan_image(const struct metric_plan *plan, size_t *size);
/* Values of all metrics in range or sample `index` of a counter data image, in the order of the plan. */
int metric_plan_evaluate(const struct metric_plan *plan, const uint8_t *counters, size_t size, size_t index,
	double *values, struct error *err);

#endif
