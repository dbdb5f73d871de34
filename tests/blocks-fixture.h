/* blocks-fixture.h: samples in blocks, for the tests of statistics. Include after <cmocka.h>. */
#ifndef DBPROF_TESTS_BLOCKS_FIXTURE_H
#define DBPROF_TESTS_BLOCKS_FIXTURE_H

#include <stdlib.h>

#include "analyze/analyze.h"

enum { BLOCKS = 12, SAMPLES = 2 * BLOCKS };

/* Times around `level`, two in each block; 2^-20 steps keep doubling and halving exact. */
static inline void noisy(double *ns, int *block, double level, unsigned seed)
{
	srand(seed);
	for (int i = 0; i < SAMPLES; i++) {
		ns[i] = level * (1 + (rand() % 1024 - 512) / 16384.0);
		block[i] = i / 2;
	}
}

static inline struct ratio bootstrap(const struct blocked_samples *a, const struct blocked_samples *b, uint64_t seed)
{
	struct ratio out;

	assert_int_equal(ratio_bootstrap(a, b, seed, &out), 0);
	return out;
}

#endif
