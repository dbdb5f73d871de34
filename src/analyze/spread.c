/* spread.c: from resampled blocks to an interval that holds the truth as often as it says. */
#include "analyze/spread.h"
#include "analyze/student.h"

#include <math.h>
#include <stdlib.h>

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

/* Sample variance. */
static double variance_of(const double *x, size_t n)
{
	double mean = mean_of(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (double)(n - 1);
}

/* Mean square of the projections on the `waves` slowest cosines, each of unit length: the variance of the series, if
 * its numbers are independent; more, if they move slowly. */
static double slow_variance(const double *series, size_t n, size_t waves)
{
	double sum = 0;

	for (size_t wave = 1; wave <= waves; wave++) {
		double along = 0;

		for (size_t i = 0; i < n; i++)
			along += series[i] * cos(M_PI * (double)wave * ((double)i + 0.5) / (double)n);
		sum += along * along * 2 / (double)n;
	}
	return sum / (double)waves;
}

static size_t waves_for(size_t n)
{
	size_t waves = n / 4;

	return waves < 3 ? (n - 1 < 3 ? n - 1 : 3) : waves > 8 ? 8 : waves;
}

double spread_widening(const double *series, size_t n)
{
	size_t waves = waves_for(n);
	double plain = variance_of(series, n), factor = student_quantile((double)(n - 1)) / NORMAL_QUANTILE, slow;

	if (!(plain > 0))
		return factor;
	slow = student_quantile((double)waves) / NORMAL_QUANTILE * sqrt(slow_variance(series, n, waves) / plain);
	return fmax(factor, slow);
}

static void widen(struct spread *out, const double *logs, size_t count, double widening)
{
	size_t tail = (count + 1) / 40;

	out->low = out->value + fmin(logs[tail - 1] - out->value, 0) * widening;
	out->high = out->value + fmax(logs[count - tail] - out->value, 0) * widening;
	out->error = (out->high - out->low) / 2 / NORMAL_QUANTILE;
}

int spread_of_blocks(const struct blocks *blocks, uint64_t seed, size_t resamples, struct spread *out)
{
	double *logs = calloc(resamples, sizeof *logs), *series = calloc(blocks->n, sizeof *series);
	int status = logs && series ? blocks_statistic(blocks, &out->value) : -1;

	if (status == 0)
		status = blocks_series(blocks, series);
	if (status == 0)
		status = blocks_resample(blocks, seed, logs, resamples);
	if (status == 0)
		widen(out, logs, resamples, spread_widening(series, blocks->n));
	free(series);
	free(logs);
	return status;
}

void spread_hold_runs(struct spread *spread, const double *runs, size_t n)
{
	double mean, half;

	if (n < 2)
		return;
	mean = mean_of(runs, n);
	half = student_quantile((double)(n - 1)) * sqrt(variance_of(runs, n) / (double)n);
	spread->low = fmin(spread->low, mean - half);
	spread->high = fmax(spread->high, mean + half);
}
