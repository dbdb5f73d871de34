/* judge.h: what was measured of kernels goes to the model (analyze/advise/advise.h), and what it says becomes rows. */
#ifndef DBPROF_CONTRAST_ADVISE_JUDGE_H
#define DBPROF_CONTRAST_ADVISE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/advise/advise.h"
#include "contrast/found.h"

/* A kernel that was judged. Texts are borrowed from what was measured. */
struct advised_kernel {
	size_t place; /* in samples->cases */
	double ns;    /* of a launch; NaN if unknown */
	bool is_triton;
	bool has_code; /* `code` says something */
	struct asm_kernel code;
	uint64_t loop[2]; /* offsets of the loop's first and last instruction; only if there is one */
	const char *file; /* of the instruction that brings tiles; NULL: unknown */
	int64_t line;
	const char *refusal; /* why it was not measured; NULL: it was */
	struct advise_result result;
};

/* advised_free() frees it. */
struct advised {
	struct advised_kernel *kernels; /* by their share of the time */
	size_t n;
	int64_t at; /* CLOCK_REALTIME (ns) */
};

/* Judges the kernels that count_choose() takes. */
void advise_kernels(const struct contrast_options *options, const struct contrast_found *found,
	const struct machine *machine, struct advised *out);
void advised_free(struct advised *advised);

/* Writes DBPROF_ADVICE and the tables beside it. */
int rows_of_advice(struct recording *rec, const struct contrast_samples *samples, const struct advised *advised,
	struct error *err);

#endif
