/* noise.c: made-up times of two variants under noise of a known kind. */
#include <math.h>

#include "noise.h"

/* SplitMix64 (Steele, Lea and Flood, 2014). */
double random_uniform(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller's. */
double random_normal(struct random *random)
{
	double radius = sqrt(-2 * log(random_uniform(random)));

	return radius * cos(2 * M_PI * random_uniform(random));
}

double noise_normal(struct random *random)
{
	return random_normal(random);
}

/* The median of each of these is 0, so that the truth is known; of the last two, nearly, and the same for both. */
double noise_lognormal(struct random *random)
{
	return exp(random_normal(random)) - 1;
}

double noise_exponential(struct random *random)
{
	return -log(random_uniform(random)) - M_LN2;
}

double noise_outliers(struct random *random)
{
	double late = random_uniform(random) < 0.04 ? 5 + 30 * random_uniform(random) : 0;

	return random_normal(random) + late;
}

double noise_two_modes(struct random *random)
{
	return random_normal(random) / 2 + (random_uniform(random) < 0.25 ? 1.5 : 0);
}

/* Where the trial is. */
struct weather {
	double phase, period, correlated, apart;
};

static double common(const struct noise *noise, const struct weather *weather, double at, size_t blocks)
{
	return noise->linear * at / (double)blocks +
	       noise->sine * sin(weather->phase + 2 * M_PI * at / weather->period);
}

static double disturbed(const struct noise *noise, double level, double share, double offset, struct random *random)
{
	double time = level * (1 + share + noise->scale * noise->draw(random));

	/* Where the median lies between two ticks is another accident for each variant. */
	return noise->tick > 0 ? noise->tick * (floor(time / noise->tick + offset) + 0.5 - offset) : time;
}

static void fill_block(struct trial *trial, const struct noise *noise, const struct weather *weather, double ratio,
	size_t block, size_t blocks, const double offset[2], struct random *random)
{
	double single = ratio * exp(noise->correlated * weather->correlated + noise->apart * weather->apart);

	for (size_t k = 0; k < 4; k++) {
		size_t i = 2 * block + k / 2;
		double share = common(noise, weather, (double)block + (double)k / 4, blocks);

		if (k == 0 || k == 3)
			trial->single[i] = disturbed(noise, single, share, offset[0], random);
		else
			trial->dbl[i] = disturbed(noise, 1, share, offset[1], random);
		trial->block[i] = (int)block;
	}
}

void noise_fill(
	struct trial *trial, const struct noise *noise, double ratio, size_t blocks, size_t runs, struct random *random)
{
	struct weather weather = {2 * M_PI * random_uniform(random), 8 + 30 * random_uniform(random), 0, 0};
	double offset[2] = {random_uniform(random), random_uniform(random)};
	size_t of_run = blocks / runs;

	for (size_t b = 0; b < of_run * runs; b++) {
		if (b % of_run == 0) {
			weather.apart = random_normal(random);
			weather.correlated = random_normal(random);
		}
		fill_block(trial, noise, &weather, ratio, b, blocks, offset, random);
		trial->run[2 * b] = trial->run[2 * b + 1] = (int)(b / of_run);
		weather.correlated =
			noise->rho * weather.correlated + sqrt(1 - noise->rho * noise->rho) * random_normal(random);
	}
}
