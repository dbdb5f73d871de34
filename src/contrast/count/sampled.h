/* sampled.h: the sampling runs of all sides, behind those that are timed and counted. */
#ifndef DBPROF_CONTRAST_COUNT_SAMPLED_H
#define DBPROF_CONTRAST_COUNT_SAMPLED_H

#include "contrast/count/results.h"
#include "contrast/measure/measure.h"
#include "contrast/samples.h"

/* Samples at one instruction for one reason. */
struct sampled_stall {
	const char *symbol, *reason; /* names of the sampled_kernels */
	uint64_t module;             /* that the function is in: struct count_function */
	uint64_t offset;             /* of the instruction in its function (bytes) */
	uint64_t samples[2];         /* as in struct count_sample */
};

/* A kernel of a side that was to be sampled. */
struct sampled_case {
	size_t place;                     /* in samples->cases */
	const struct side_kernel *kernel; /* borrowed from the samples */
	size_t wanted, launches;          /* that were to be sampled in a process; that were, in all of them */
	struct count_samples sums;
	struct sampled_stall *stalls; /* by symbol, offset and reason, each once; owned */
	size_t nstalls, ntaken, room; /* ntaken: with those whose sums have not come yet */
	char reason[256];             /* why it was not sampled, or not wholly; "" */
};

struct sampled_side {
	struct sampled_case *cases;
	size_t n;
	uint64_t period;      /* a sample of each SM every 2^period cycles */
	struct error refusal; /* why nothing of its program can be sampled; "" */
	bool has_failed;      /* its run did not end well */
};

/* sampled_free() frees it. */
struct sampled_kernels {
	const char *status;  /* DBPROF_PASS.status; NULL: nothing was asked for */
	struct error reason; /* DBPROF_PASS.reason; "" if done */
	int64_t start, end;  /* CLOCK_REALTIME (ns) */
	struct sampled_side *sides;
	size_t nsides;
	char **names; /* of functions and reasons; owned */
	size_t nnames, names_room;
};

/* The period for kernels whose longest takes `ns`: PC_PERIOD, or longer, so that the samples of a launch fit into the
 * GPU's buffer for them. */
uint64_t sampling_period(double ns);

/* Runs each side once for PC samples of those kernels that make up the difference, and adds the runs to `measured`. As
 * count_sides() in all else. */
int sample_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct sampled_kernels *out, struct error *err);
void sampled_free(struct sampled_kernels *sampled);

#endif
