/* turns.h: what another version of a kernel costs: its time against that of the plain one. */
#ifndef DBPROF_RECORD_PASS_TURNS_H
#define DBPROF_RECORD_PASS_TURNS_H

#include "record/pass/batch.h"

struct turns {
	struct batcher *batcher;
	cudaError_t (*plain)(void *user), (*other)(void *user); /* launch once */
	void *user;
	double plain_ns, other_ns; /* out: medians, per launch */
};

/* Times both in batches by turns: plain, other, other, plain ... so that drift hits both alike. */
cudaError_t turns_take(struct turns *t);

#endif
