/* turns.c: see turns.h. */
#include "record/pass/turns.h"

#include "analyze/analyze.h"
#include "record/machine/environment.h"

enum {
	TURNS = 11,      /* pairs of batches */
	MAX_BATCH = 100, /* launches */
};

static cudaError_t turns_batch(struct turns *t, cudaError_t (*launch)(void *user), int launches, double *ns)
{
	const struct batch_work work = {launch, t->user, !environment_launches_block(), false};
	struct batch_result result;
	cudaError_t code = batch_run(t->batcher, &work, launches, &result);

	*ns = result.ns / launches;
	return code;
}

cudaError_t turns_take(struct turns *t)
{
	double plain[TURNS], other[TURNS], ns = 0;
	cudaError_t code = turns_batch(t, t->plain, 1, &ns);
	int launches = ns > 0 ? (int)(BATCH_NS / ns) + 1 : 1;

	if (launches > MAX_BATCH)
		launches = MAX_BATCH;
	for (int i = 0; i < TURNS && code == cudaSuccess; i++) {
		bool plain_first = i % 2 == 0;

		code = turns_batch(t, plain_first ? t->plain : t->other, launches, plain_first ? &plain[i] : &other[i]);
		if (code == cudaSuccess)
			code = turns_batch(
				t, plain_first ? t->other : t->plain, launches, plain_first ? &other[i] : &plain[i]);
	}
	if (code != cudaSuccess)
		return code;
	t->plain_ns = median_of(plain, TURNS);
	t->other_ns = median_of(other, TURNS);
	return code;
}
