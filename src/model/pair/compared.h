/* compared.h: one variant in one case, in both recordings. */
#ifndef DBPROF_MODEL_PAIR_COMPARED_H
#define DBPROF_MODEL_PAIR_COMPARED_H

#include "model/pair/comparing.h"
#include "model/pair/timing.h"

struct compared {
	const struct comparing *in;
	const char *family, *variant, *label; /* borrowed */
	struct timing side[SIDES];
	struct between ratio;
	struct between cycles; /* the same in SM cycles; NaN if not kernel-bound, or not measured on both sides */
	bool kernel_bound;
	const char *single, *dbl; /* the family's contrast pair; borrowed */
	const char *kind, *sweep; /* sweep NULL if the case is no point of one; borrowed */
	bool headline;
};

#endif
