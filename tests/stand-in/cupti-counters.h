/*
 * cupti-counters.h: what the profiling interfaces of the stand-in share: their images, and what a metric is worth.
 *
 * A kernel's metric, with w = 1 + (the sum of the characters of its name) % 5:
 *   gpu__time_duration.sum      the time of the kernels (ns)
 *   another that ends in .sum   w times the threads of the kernels
 *   one with "pct" in its name  w (%)
 *   any other                   w / 10; this and the one before are NaN where no kernel ran
 * A metric of a PM sample:
 *   one with "pct" in its name  the share of the sample's time in which a kernel ran (%)
 *   one with "read" in it       the bytes copied to the device in that time, each copy's spread evenly over its own
 *   one with "write" in it      the bytes copied from the device, in the same way
 *   any other                   the time in which a kernel ran (ns)
 */
#ifndef DBPROF_TESTS_CUPTI_COUNTERS_H
#define DBPROF_TESTS_CUPTI_COUNTERS_H

#include <cupti_pmsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "cupti-records.h"

/* A struct of arguments must have exactly the size that the header gives it. */
#define IS_SIZED(params, type) ((params) != NULL && (params)->structSize == type##_STRUCT_SIZE)

/* What one pass can collect. */
enum { METRICS_OF_A_PASS = 8 };

enum {
	CONFIG_MAGIC = 0x53494366,
	COUNTERS_MAGIC = 0x53494364,
	AVAILABILITY_MAGIC = 0x53494361,
	FOREIGN_MAGIC = 0x5349436f
};

/* A configuration image. */
struct config_image {
	uint32_t magic, passes, nmetrics;
};

/* An image of what can be counted. */
struct availability_image {
	uint32_t magic, device;
};

/* What was counted in a range, or in a sample. */
struct counted {
	uint64_t start, end; /* of a sample: ns */
	uint64_t kernels, kernel_ns, threads;
	double read, written; /* bytes */
};

/* A counter data image. */
struct counter_image {
	uint32_t magic;
	uint32_t is_sampled;
	uint64_t room, n;
	struct counted all[];
};

/* The images of a caller, or NULL if they are none. */
const struct config_image *config_image_of(const uint8_t *image, size_t size);
struct counter_image *counter_image_of(const uint8_t *image, size_t size);

/* Bytes of a counter data image, and how it is made ready. */
size_t counter_image_size(size_t room);
CUptiResult counter_image_initialize(uint8_t *image, size_t size, bool is_sampled);

/* Fills in an image of what can be counted: with none, *size is set. */
CUptiResult availability_image_fill(uint8_t *image, size_t *size, size_t device);

/* True if the chip has the metric. */
bool counter_is_known(const char *metric);
double counter_value(const char *metric, const struct counted *c, bool is_sampled);

/* The profiling interfaces exclude each other: CUPTI_ERROR_HARDWARE_BUSY if another one has begun, and
 * CUPTI_ERROR_INSUFFICIENT_PRIVILEGES without the permission. */
CUptiResult counters_take(void);
void counters_release(void);

#endif
