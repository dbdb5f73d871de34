/* form.h: what a kernel's loop looks like, and would look like with another number of stages. Within the room. */
#ifndef DBPROF_ANALYZE_ADVISE_FORM_H
#define DBPROF_ANALYZE_ADVISE_FORM_H

#include "analyze/advise/advise.h"

enum { ADVISE_SPANS_MOST = 16 };

/* Instructions that follow each other. */
struct advise_span {
	size_t first, end;
};

struct advise_form {
	bool has_loop;       /* rounds were found */
	bool is_unrolled;    /* they follow each other without a loop */
	size_t first, last;  /* instructions of the loop, or all */
	bool has_inner;      /* a loop within the loop: how many instructions a round executes is not known */
	bool is_plain;       /* no tile comes to shared memory: loads are used from registers */
	bool is_async;       /* tiles come by asynchronous copies */
	bool is_late;        /* a tile is asked for behind the wait of a round, while the round computes */
	bool has_wgmma;      /* products of tiles in shared memory by groups of warps */
	bool goes_on;        /* one in a round, which goes on while the next tile is asked for */
	bool is_guessed;     /* tiles ahead are only those that waits let under way */
	int stages;          /* as run: tiles in the ring, in Triton those of tl.range(); 0: unknown */
	double ahead;        /* tiles under way while a round computes; NaN: unknown */
	double batch;        /* rounds whose loads a turn asks for at once, where the compiler unrolled it; 1: none */
	double tile_bytes;   /* of a block's shared memory that a stage takes; NaN: unknown */
	double instructions; /* of a round, per warp; NaN: unknown */
	double outside;      /* instructions that are not in the loop */
	struct advise_span spans[ADVISE_SPANS_MOST]; /* where rounds are */
	size_t nspans;
	/* Of tiles that come through registers, per thread and round. */
	double load_bytes;
	double narrow; /* stores to shared memory that are narrower than the widest load, as copies in their place would
			  be */
	double wide_bytes; /* of the other stores */
	double loads;      /* instructions */
	double spread; /* turns of shared memory for copies in place of loads that are narrower than the widest one */
};

/* `kernel` has instructions and code. */
void advise_form_of(const struct advise_kernel *kernel, struct advise_form *out);

/* Whether tiles are brought, waited for or used there: in the loop, in rounds that unrolling left over behind it, and
 * in Triton in any loop that loads. */
bool advise_is_round(const struct advise_kernel *kernel, const struct advise_form *form, size_t instruction);

/* Tiles ahead with so many stages: docs/machine-code.md has what Triton makes of them. */
double advise_ahead(const struct advise_kernel *kernel, const struct advise_form *form, int stages);

/* Shared memory of a block with so many stages, in bytes; NaN: unknown. */
double advise_shared(const struct advise_kernel *kernel, const struct advise_form *form, int stages);

#endif
