/* instrumented.h: another version of a variant's kernel, which looks at itself: whether it does the same work, and what
 * that costs beside the plain one. */
#ifndef DBPROF_RECORD_PASS_INSTRUMENTED_H
#define DBPROF_RECORD_PASS_INSTRUMENTED_H

#include "record/pass/batch.h"
#include "record/pass/launch.h"

struct instrumented {
	struct launch launch; /* of the plain version */
	struct batcher *batcher;
	const char *how;                                         /* words for its problems: "metered" */
	cudaError_t (*other)(void *user);                        /* launches the instrumented version once */
	void *user;                                              /* for other() */
	const struct kernel_config *plain_config, *other_config; /* the latter is known behind a launch */
	double plain_ns, instrumented_ns;                        /* out: medians, per launch */
};

/* The instrumented version must have the grid and the blocks of the plain one, since room for what it writes is made
 * for these, and compute what the variant's family checks. Its first launch loads it, too, which must not happen behind
 * the gate. -1 with the problem noted. */
int instrumented_check(const struct instrumented *kernel);

/* Warms up the GPU, and times both versions in batches by turns: plain, other, other, plain ... so that drift hits both
 * alike. Fills plain_ns and instrumented_ns. -1 with the problem noted. */
int instrumented_time(struct instrumented *kernel);

/* 0, or -1 with CUDA's error noted. */
int instrumented_problem(const struct instrumented *kernel, cudaError_t code);

/* Notes what is wrong with the instrumented version. Always -1. */
int instrumented_wrong(const struct instrumented *kernel, const char *what);

/* Registers of a thread of one version's function; 0 if CUDA does not tell. */
int instrumented_registers(const struct instrumented *kernel, const void *function);

#endif
