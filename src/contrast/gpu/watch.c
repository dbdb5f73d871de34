/* watch.c: see watch.h. */
#include "contrast/gpu/watch.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"
#include "util/clock.h"
#include "util/machine/ticker.h"

enum { PERIOD_NS = 50000000 };

struct watch {
	const struct nvml *gpu;
	struct ticker *ticker;
	int64_t offset_ns; /* of CLOCK_REALTIME to CLOCK_MONOTONIC, at the start */
	int64_t next_ns;
	struct side_reading *read;
	size_t n, room;
};

static int64_t watch_read(void *user)
{
	struct watch *watch = user;
	struct nvml_clocks clocks;

	nvml_read(watch->gpu, &clocks);
	xgrow(&watch->read, watch->n, &watch->room, sizeof(*watch->read));
	watch->read[watch->n++] = (struct side_reading){
		clock_monotonic() + watch->offset_ns, clocks.sm_mhz, clocks.power_mw, clocks.throttle};
	return watch->next_ns += PERIOD_NS;
}

struct watch *watch_start(const struct nvml *gpu)
{
	struct watch *watch;

	if (!gpu)
		return NULL;
	watch = xcalloc(1, sizeof(*watch));
	watch->gpu = gpu;
	watch->next_ns = clock_monotonic();
	watch->offset_ns = clock_realtime() - watch->next_ns;
	watch->ticker = ticker_start(watch_read, watch);
	if (watch->ticker)
		return watch;
	free(watch);
	return NULL;
}

struct side_reading *watch_end(struct watch *watch, size_t *n)
{
	struct side_reading *read;

	*n = 0;
	if (!watch)
		return NULL;
	ticker_end(watch->ticker);
	read = watch->read;
	*n = watch->n;
	free(watch);
	return read;
}

/* ---- means ---- */

/* Those that are negative are unknown. */
struct sum {
	double sum;
	int n;
};

static void sum_add(struct sum *sum, long long value)
{
	sum->sum += value < 0 ? 0 : (double)value;
	sum->n += value >= 0;
}

static double sum_mean(const struct sum *sum)
{
	return sum->n > 0 ? sum->sum / sum->n : NAN;
}

struct sums {
	struct sum mhz, mw;
	long long throttle; /* of all; -1 if unknown */
};

static void sums_add(struct sums *sums, const struct side_reading *read)
{
	sum_add(&sums->mhz, read->sm_mhz);
	sum_add(&sums->mw, read->power_mw);
	if (read->throttle >= 0)
		sums->throttle = read->throttle | (sums->throttle < 0 ? 0 : sums->throttle);
}

static struct side_readings sums_readings(const struct sums *sums)
{
	return (struct side_readings){sum_mean(&sums->mhz), sum_mean(&sums->mw), sums->throttle, sums->mhz.n};
}

static bool reading_is_idle(const struct side_reading *read)
{
	return read->throttle >= 0 && read->throttle & NVML_IDLE;
}

/* Goes through spans by their starts, asked for later and later times. */
struct span_cursor {
	const struct side_span *spans;
	size_t n, begun;
	int64_t margin, end; /* end: of all spans that have begun */
};

/* Whether the time lies in a span, or within the margin of one. */
static bool span_has(struct span_cursor *cursor, int64_t at)
{
	for (; cursor->begun < cursor->n && cursor->spans[cursor->begun].start_ns - cursor->margin <= at;
		cursor->begun++) {
		int64_t end = cursor->spans[cursor->begun].end_ns;

		cursor->end = end > cursor->end ? end : cursor->end;
	}
	return cursor->begun > 0 && at <= cursor->end + cursor->margin;
}

struct side_readings side_readings_during(
	const struct side_reading *read, size_t n, const struct side_span *spans, size_t nspans)
{
	struct span_cursor in = {spans, nspans, 0, 0, INT64_MIN}, near = {spans, nspans, 0, PERIOD_NS / 2, INT64_MIN};
	struct sums sums = {.throttle = -1};

	for (size_t i = 0; i < n; i++) {
		bool is_in = span_has(&in, read[i].at_ns), is_near = span_has(&near, read[i].at_ns);

		if (is_in || (is_near && !reading_is_idle(&read[i])))
			sums_add(&sums, &read[i]);
	}
	return sums_readings(&sums);
}

struct side_readings side_readings_busy(const struct side_reading *read, size_t n)
{
	struct sums sums = {.throttle = -1};

	for (size_t i = 0; i < n; i++)
		if (!reading_is_idle(&read[i]))
			sums_add(&sums, &read[i]);
	return sums_readings(&sums);
}
