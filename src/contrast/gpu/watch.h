/* watch.h: a thread that reads the GPU's clock and power while a program runs. */
#ifndef DBPROF_CONTRAST_GPU_WATCH_H
#define DBPROF_CONTRAST_GPU_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include "record/cupti/nvml.h"

/* Clock and power of the GPU at a time: CLOCK_REALTIME at the start, from where it goes on without a jump. NVML's power
 * is the mean of the second before. Negative values are unknown. */
struct side_reading {
	int64_t at_ns;
	long long sm_mhz, power_mw;
	long long throttle; /* NVML's bit mask of reasons */
};

/* Many of them. */
struct side_readings {
	double sm_mhz, power_mw; /* means; NAN if unknown */
	int64_t throttle;        /* all reasons that were seen; -1 if unknown */
	int n;                   /* readings of the clock */
};

/* One watch. Must not move in memory while it goes. */
struct watch;

/* Starts to read, 20 times a second. NULL if there is nothing to read (`gpu` NULL), or no thread can be had: then
 * nothing is known. */
struct watch *watch_start(const struct nvml *gpu);

/* Ends it. The readings, for free(), and their number. NULL is allowed. */
struct side_reading *watch_end(struct watch *watch, size_t *n);

/* CLOCK_REALTIME. */
struct side_span {
	int64_t start_ns, end_ns;
};

/* Sums up those of the spans, which stand by their starts and may overlap. Each reading stands for half a period before
 * and behind it, so that steps of a few milliseconds have one as well; one beside a span does not if the GPU is idle.
 */
struct side_readings side_readings_during(
	const struct side_reading *read, size_t n, const struct side_span *spans, size_t nspans);

/* Sums up all that were read while the GPU had work: an idle one is slow. */
struct side_readings side_readings_busy(const struct side_reading *read, size_t n);

#endif
