/* plan.c: see plan.h. */
#include "contrast/measure/plan.h"

#include "analyze/statistics/random.h"
#include "util/hash.h"

static void shuffled(uint64_t *state, size_t n, size_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t other = random_below(state, i), last = out[i - 1];

		out[i - 1] = out[other];
		out[other] = last;
	}
}

/* A row of a Latin square: rows are blocks, columns are places. Its entry is (row + column) mod n, with rows, columns
 * and sides in a drawn order. */
struct plan_half plan_half_of(uint64_t seed, size_t nsides, size_t block, bool traced)
{
	const uint64_t square[] = {block / nsides, traced};
	uint64_t state = hash_bytes(seed, square, sizeof(square));
	size_t rows[PLAN_MOST_SIDES], places[PLAN_MOST_SIDES], sides[PLAN_MOST_SIDES];
	struct plan_half half = {.nsides = nsides};

	shuffled(&state, nsides, rows);
	shuffled(&state, nsides, places);
	shuffled(&state, nsides, sides);
	for (size_t i = 0; i < nsides; i++)
		half.order[i] = sides[(rows[block % nsides] + places[i]) % nsides];
	return half;
}

size_t plan_side_at(const struct plan_half *half, size_t position)
{
	return half->order[position < half->nsides ? position : 2 * half->nsides - 1 - position];
}

size_t plan_blocks(int64_t left_ns, int64_t block_ns)
{
	int64_t blocks = block_ns > 0 ? left_ns / block_ns : PLAN_MOST_BLOCKS;

	if (blocks < 0)
		return 0;
	return blocks > PLAN_MOST_BLOCKS ? PLAN_MOST_BLOCKS : (size_t)blocks;
}
