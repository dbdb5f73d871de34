/* predict.h: how long a launch will take. This follows from what its source does and what the machine can do, before it
 * is timed. docs/prediction.md explains the model. */
#ifndef DBPROF_ANALYZE_PREDICT_H
#define DBPROF_ANALYZE_PREDICT_H

#include "analyze/machine.h"
#include "analyze/shape.h"

/* A launch of a variant. The members after `shape` describe its kernel; they are not read for a pipeline. */
struct predicted_variant {
	struct shape shape;
	double blocks;  /* of the grid */
	double threads; /* of a block */
	int resident;   /* blocks that fit on an SM at once: registers, shared memory, threads (occupancy_compute()) */
};

/* `seconds` is NaN and `bound` is "unknown" if a constant that the variant needs is NaN or 0, or if no block fits. */
struct prediction {
	double seconds; /* per launch */
	const char *
		bound; /* what takes most of the time, in a word or two: "shared memory", "load latency", "copies in" */
	/* Of a kernel's steps, in bytes that an SM loads: what its blocks have asked for and not got yet, at most; and
	 * what it needs so that memory is never idle. NaN for a kernel whose steps load nothing, and for a pipeline. */
	double under_way, needed;
};

/* Predicts one launch. */
void predict(const struct machine *m, const struct predicted_variant *v, struct prediction *out);

#endif
