/* noise.h: made-up times of two variants, taken in A B B A blocks, under noise of a known kind. */
#ifndef DBPROF_TESTS_NOISE_H
#define DBPROF_TESTS_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"

enum { NOISE_BLOCKS = 60, NOISE_SAMPLES = 2 * NOISE_BLOCKS };

struct random {
	uint64_t state;
};

double random_uniform(struct random *random); /* above 0, below 1 */
double random_normal(struct random *random);

/* What disturbs a time, as shares of it. */
struct noise {
	const char *name;
	double (*draw)(struct random *); /* of each sample; its spread is about 1 */
	double scale;                    /* of what `draw` gives */
	double linear;                   /* both variants: how far the clock drifts over all blocks */
	double sine;                     /* both variants: amplitude of a wave of 8 to 38 blocks, at any phase */
	double correlated, rho;          /* the ratio of a block: amplitude, correlation with the next block */
	double tick;                     /* step of the clock */
	double apart;                    /* ratio of a run: standard deviation */
};

double noise_normal(struct random *random);
double noise_lognormal(struct random *random);
double noise_exponential(struct random *random);
double noise_outliers(struct random *random);  /* normal; every 25th takes 5 to 35 times the spread longer */
double noise_two_modes(struct random *random); /* normal; every fourth is in a mode 3 widths away */

/* Times of both variants, two of each in a block. */
struct trial {
	double single[NOISE_SAMPLES], dbl[NOISE_SAMPLES];
	int block[NOISE_SAMPLES], run[NOISE_SAMPLES];
};

/* Fills `blocks` blocks, an equal number for each run, so that the median of single is `ratio` times that of double.
 * The drift is made for as many. */
void noise_fill(struct trial *trial, const struct noise *noise, double ratio, size_t blocks, size_t runs,
	struct random *random);

#endif
