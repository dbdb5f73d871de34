/* bootstrap.c: how sure a speed-up is, by resampling the blocks in which it was measured. */
#include "analyze/analyze.h"
#include "analyze/order.h"

#include <math.h>
#include <stdlib.h>

/* (RESAMPLES + 1) * 2.5 % is a whole number, so both ends of the interval are resampled values, not interpolated, and
 * swapping the two variants gives exactly the reciprocal interval. */
enum { RESAMPLES = 9999, TAIL = 250 };

struct sample {
	double ns;
	size_t block; /* index into the common blocks */
};

/* The samples of one variant that lie in common blocks, sorted by time. */
struct pool {
	struct sample *samples;
	size_t n;
};

static int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

static int compare_samples(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;

	return compare_doubles(&a->ns, &b->ns);
}

/* Sorted numbers of the blocks, each once; the caller frees. NULL without memory. */
static int *distinct_blocks(const struct blocked_samples *of, size_t *n)
{
	int *blocks = calloc(of->n + 1, sizeof *blocks);

	*n = 0;
	if (blocks == NULL)
		return NULL;
	for (size_t i = 0; i < of->n; i++)
		blocks[i] = of->block[i];
	qsort(blocks, of->n, sizeof *blocks, compare_ints);
	for (size_t i = 0; i < of->n; i++)
		if (i == 0 || blocks[i] != blocks[*n - 1])
			blocks[(*n)++] = blocks[i];
	return blocks;
}

/* Leaves in `a` what is also in `b`; returns how many. */
static size_t intersect(int *a, size_t na, const int *b, size_t nb)
{
	size_t kept = 0;

	for (size_t i = 0; i < na; i++)
		if (bsearch(&a[i], b, nb, sizeof *b, compare_ints) != NULL)
			a[kept++] = a[i];
	return kept;
}

static int fill_pool(struct pool *pool, const struct blocked_samples *from, const int *blocks, size_t nblocks)
{
	pool->n = 0;
	pool->samples = calloc(from->n + 1, sizeof *pool->samples);
	if (pool->samples == NULL)
		return -1;
	for (size_t i = 0; i < from->n; i++) {
		const int *block = bsearch(&from->block[i], blocks, nblocks, sizeof *blocks, compare_ints);

		if (block != NULL)
			pool->samples[pool->n++] = (struct sample){from->ns[i], (size_t)(block - blocks)};
	}
	qsort(pool->samples, pool->n, sizeof *pool->samples, compare_samples);
	return 0;
}

/* Median of the samples, each as often as its block was drawn. No sort: the samples are in order already. */
static double median_of_draw(const struct pool *pool, const unsigned *drawn)
{
	size_t total = 0, seen = 0, i = 0;
	double lower;

	for (size_t k = 0; k < pool->n; k++)
		total += drawn[pool->samples[k].block];
	for (; seen <= (total - 1) / 2; i++)
		seen += drawn[pool->samples[i].block];
	lower = pool->samples[i - 1].ns;
	for (; seen <= total / 2; i++)
		seen += drawn[pool->samples[i].block];
	return (lower + pool->samples[i - 1].ns) / 2;
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void draw_blocks(unsigned *drawn, size_t nblocks, uint64_t *state)
{
	for (size_t i = 0; i < nblocks; i++)
		drawn[i] = 0;
	for (size_t i = 0; i < nblocks; i++)
		drawn[random_next(state) % nblocks]++;
}

static int resample(const struct pool *single, const struct pool *dbl, size_t nblocks, uint64_t seed, struct ratio *out)
{
	unsigned *drawn = calloc(nblocks, sizeof *drawn);
	double *ratios = calloc(RESAMPLES, sizeof *ratios);
	int status = -1;

	if (drawn != NULL && ratios != NULL) {
		for (size_t i = 0; i < nblocks; i++)
			drawn[i] = 1;
		out->value = median_of_draw(single, drawn) / median_of_draw(dbl, drawn);
		for (int r = 0; r < RESAMPLES; r++) {
			draw_blocks(drawn, nblocks, &seed);
			ratios[r] = median_of_draw(single, drawn) / median_of_draw(dbl, drawn);
		}
		qsort(ratios, RESAMPLES, sizeof *ratios, compare_doubles);
		out->low = ratios[TAIL - 1];
		out->high = ratios[RESAMPLES - TAIL];
		status = 0;
	}
	free(ratios);
	free(drawn);
	return status;
}

static int compare_pools(const struct blocked_samples *single, const struct blocked_samples *dbl, const int *blocks,
	size_t nblocks, uint64_t seed, struct ratio *out)
{
	struct pool a = {NULL, 0}, b = {NULL, 0};
	int status = -1;

	if (fill_pool(&a, single, blocks, nblocks) == 0 && fill_pool(&b, dbl, blocks, nblocks) == 0)
		status = resample(&a, &b, nblocks, seed, out);
	free(a.samples);
	free(b.samples);
	return status;
}

/* Fills low and high with the 95 % ends of the median over resampled blocks. */
static int resample_median(const struct pool *pool, size_t nblocks, uint64_t seed, double *low, double *high)
{
	unsigned *drawn = calloc(nblocks, sizeof *drawn);
	double *medians = calloc(RESAMPLES, sizeof *medians);
	int status = -1;

	if (drawn != NULL && medians != NULL) {
		for (int r = 0; r < RESAMPLES; r++) {
			draw_blocks(drawn, nblocks, &seed);
			medians[r] = median_of_draw(pool, drawn);
		}
		qsort(medians, RESAMPLES, sizeof *medians, compare_doubles);
		*low = medians[TAIL - 1];
		*high = medians[RESAMPLES - TAIL];
		status = 0;
	}
	free(medians);
	free(drawn);
	return status;
}

static bool all_positive(const struct blocked_samples *of)
{
	for (size_t i = 0; i < of->n; i++)
		if (!(of->ns[i] > 0) || !isfinite(of->ns[i]))
			return false;
	return true;
}

int ratio_bootstrap(
	const struct blocked_samples *single, const struct blocked_samples *dbl, uint64_t seed, struct ratio *out)
{
	size_t nsingle, ndouble;
	int *blocks = distinct_blocks(single, &nsingle);
	int *others = distinct_blocks(dbl, &ndouble);
	int status = -1;

	*out = (struct ratio){NAN, NAN, NAN, 0};
	if (blocks != NULL && others != NULL) {
		out->blocks = intersect(blocks, nsingle, others, ndouble);
		status = 0;
		if (out->blocks >= 2 && all_positive(single) && all_positive(dbl))
			status = compare_pools(single, dbl, blocks, out->blocks, seed, out);
	}
	free(others);
	free(blocks);
	return status;
}

int median_bootstrap(const struct blocked_samples *samples, uint64_t seed, double *low, double *high)
{
	struct pool pool = {NULL, 0};
	size_t nblocks;
	int *blocks = distinct_blocks(samples, &nblocks);
	int status = blocks == NULL ? -1 : 0;

	*low = *high = NAN;
	if (status == 0 && nblocks >= 2 && all_positive(samples)) {
		status = fill_pool(&pool, samples, blocks, nblocks);
		if (status == 0)
			status = resample_median(&pool, nblocks, seed, low, high);
	}
	free(pool.samples);
	free(blocks);
	return status;
}

/* Mean of the samples of each block, as logarithm. */
static void block_means(const struct pool *pool, size_t nblocks, double *mean, size_t *count)
{
	for (size_t i = 0; i < nblocks; i++) {
		mean[i] = 0;
		count[i] = 0;
	}
	for (size_t k = 0; k < pool->n; k++) {
		mean[pool->samples[k].block] += pool->samples[k].ns;
		count[pool->samples[k].block]++;
	}
	for (size_t i = 0; i < nblocks; i++)
		mean[i] = log(mean[i] / (double)count[i]);
}

/* Logarithms that differ by less are equal but for rounding. */
static const double rounding = 1e-12;

/* Correlation of each value with the next; NaN if all are equal. */
static double lag_one(const double *x, size_t n)
{
	double mean = 0, with_next = 0, with_itself = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		with_itself += (x[i] - mean) * (x[i] - mean);
		if (i + 1 < n)
			with_next += (x[i] - mean) * (x[i + 1] - mean);
	}
	return with_itself > (double)n * rounding * rounding ? with_next / with_itself : NAN;
}

static double ratio_lag_one(const struct pool *single, const struct pool *dbl, size_t nblocks)
{
	double *a = calloc(nblocks, sizeof *a), *b = calloc(nblocks, sizeof *b), result = NAN;
	size_t *count = calloc(nblocks, sizeof *count);

	if (a != NULL && b != NULL && count != NULL) {
		block_means(single, nblocks, a, count);
		block_means(dbl, nblocks, b, count);
		for (size_t i = 0; i < nblocks; i++)
			a[i] -= b[i];
		result = lag_one(a, nblocks);
	}
	free(count);
	free(b);
	free(a);
	return result;
}

int ratio_drift(const struct blocked_samples *single, const struct blocked_samples *dbl, double *lag)
{
	struct pool a = {NULL, 0}, b = {NULL, 0};
	size_t nsingle, ndouble, n;
	int *blocks = distinct_blocks(single, &nsingle), *others = distinct_blocks(dbl, &ndouble);
	int status = blocks == NULL || others == NULL ? -1 : 0;

	*lag = NAN;
	if (status == 0) {
		n = intersect(blocks, nsingle, others, ndouble);
		if (n >= 3 && all_positive(single) && all_positive(dbl)) {
			status = fill_pool(&a, single, blocks, n) < 0 || fill_pool(&b, dbl, blocks, n) < 0 ? -1 : 0;
			if (status == 0)
				*lag = ratio_lag_one(&a, &b, n);
		}
	}
	free(a.samples);
	free(b.samples);
	free(others);
	free(blocks);
	return status;
}
