/* sum-up.h: what sum-up.c and sum-up-kernels.c share. */
#ifndef DBPROF_CONTRAST_SUM_UP_H
#define DBPROF_CONTRAST_SUM_UP_H

#include "contrast/launches-private.h"

struct summing {
	struct gather *gather;
	struct launches *out;
	struct forms codes;       /* which machine code of which kernel was counted */
	struct forms identities;  /* by kernel: see form_identity() */
	uint32_t *kernel_of_form; /* NO_FORM: not chosen */
	uint32_t *cell_of_kernel; /* in the step that is being summed up: its cell plus one */
	double *first_ns;         /* of each kernel's first launch */
	size_t cell_room;
	uint64_t *lists; /* of each step */
};

/* Tells kernels apart: fills identities, kernel_of_form and out->nkernels. */
void kernels_number(struct summing *summing);

const char *kernel_base(const struct summing *summing, uint32_t kernel);

/* Gives each kernel names, resources and hash: those of its launches in steady steps, or else of all. */
void kernels_describe(struct summing *summing);

/* Puts them into their order. Those that no step has are dropped. */
void kernels_order(struct launches *out);

#endif
