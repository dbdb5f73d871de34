/* spread.c: makes an interval from resampled blocks that holds the truth as often as it says. docs/statistics.md has
 * the alternatives and how each of them did. */
#include "analyze/statistics/spread.h"
#include "analyze/statistics/order.h"
#include "analyze/statistics/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* A number of the series that is further than so many median distances from its median is pulled in. */
static const double outlier = 3;

/* A series that swings to and fro may have no slow part at all. But its median need not be as sure as that suggests. */
static const double least_slowness = 1.0 / 5;

double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

double squares_of(const double *x, size_t n)
{
	double mean = mean_of(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

static double spread_median_of(const double *x, size_t n, double *room)
{
	memcpy(room, x, n * sizeof(*x));
	qsort(room, n, sizeof(*room), compare_doubles);
	return (room[(n - 1) / 2] + room[n / 2]) / 2;
}

/* One block that another program disturbed is not slow noise. */
static void pull_in(double *x, size_t n, double *room)
{
	double middle = spread_median_of(x, n, room), reach;

	for (size_t i = 0; i < n; i++)
		x[i] -= middle;
	for (size_t i = 0; i < n; i++)
		room[n + i] = fabs(x[i]);
	reach = outlier * spread_median_of(room + n, n, room);
	for (size_t i = 0; i < n; i++)
		x[i] = fmin(fmax(x[i], -reach), reach);
}

static size_t waves_for(size_t n)
{
	size_t waves = n / 5;

	waves = waves < 3 ? 3 : waves > 8 ? 8 : waves;
	return waves < n ? waves : n - 1;
}

double spread_student(size_t n)
{
	return student_quantile((double)waves_for(n));
}

double spread_slow_variance(const double *series, size_t n)
{
	size_t waves = waves_for(n);
	double sum = 0;

	for (size_t wave = 1; wave <= waves; wave++) {
		double along = 0;

		for (size_t i = 0; i < n; i++)
			along += series[i] * cos(M_PI * (double)wave * ((double)i + 0.5) / (double)n);
		sum += along * along * 2 / (double)n;
	}
	return sum / (double)waves;
}

double spread_slowness(const struct blocks *blocks)
{
	size_t n = blocks->n;
	double *series = xcalloc(3 * n, sizeof(*series)), variance, slowness = 1;

	blocks_series(blocks, series);
	pull_in(series, n, series + n);
	variance = squares_of(series, n) / (double)(n - 1);
	if (variance > 0)
		slowness = fmax(sqrt(spread_slow_variance(series, n) / variance), least_slowness);
	free(series);
	return slowness;
}

/* The ends of the resampled values, moved away from the value by the factor `widening`. With a coarse clock all values
 * may be equal: so no interval is narrower than the error that the clock's ticks make. */
static void spread_widen(struct spread *out, double *logs, size_t count, double widening, double resolution)
{
	size_t tail = (count + 1) / 40;
	double least = NORMAL_QUANTILE * resolution;

	qsort(logs, count, sizeof(*logs), compare_doubles);
	out->low = out->value - fmax((out->value - logs[tail - 1]) * widening, least);
	out->high = out->value + fmax((logs[count - tail] - out->value) * widening, least);
}

void spread_of_blocks(const struct blocks *blocks, uint64_t seed, size_t resamples, struct spread *out)
{
	double *logs = xcalloc(resamples, sizeof(*logs));
	double widening = spread_slowness(blocks) * spread_student(blocks->n) / NORMAL_QUANTILE;

	out->value = blocks_statistic(blocks);
	blocks_resample(blocks, seed, logs, resamples);
	spread_widen(out, logs, resamples, widening, blocks_resolution(blocks));
	free(logs);
}

void spread_hold_runs(struct spread *spread, const double *runs, size_t n)
{
	double mean, half;

	if (n < 2)
		return;
	mean = mean_of(runs, n);
	half = student_quantile((double)(n - 1)) * sqrt(squares_of(runs, n) / (double)(n - 1) / (double)n);
	spread->low = fmin(spread->low, mean - half);
	spread->high = fmax(spread->high, mean + half);
}
