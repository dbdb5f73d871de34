/* counted.h: the counting runs of all sides, behind those that are timed. */
#ifndef DBPROF_CONTRAST_COUNT_COUNTED_H
#define DBPROF_CONTRAST_COUNT_COUNTED_H

#include "contrast/count/groups.h"
#include "contrast/measure/measure.h"
#include "contrast/samples.h"

/* A group is counted so often where a run has launches enough, so that one that is not like the others does not decide.
 */
enum { COUNTED_ROUNDS = 3 };

/* What was counted of a group of metrics. */
struct counted_group {
	double *round[COUNTED_ROUNDS]; /* by metric, NaN: unknown; owned */
	size_t n;
	double *values; /* the median of each metric over the rounds; owned; NULL: not counted */
};

/* What one process of a run has counted of a kernel: its launches may do other work than those of another process, so
 * the rounds of several are not mixed. */
struct counted_process {
	struct counted_group *groups; /* by place in list->groups; owned */
	size_t rounds, launches;      /* of all groups */
	uint64_t rank;                /* COUNT_NO_RANK if it has none */
};

/* A kernel, or a CUDA graph, of a side that was to be counted. */
struct counted_case {
	size_t place;                     /* in samples->cases */
	const struct side_kernel *kernel; /* borrowed from the samples */
	const struct metered_list *list;  /* its groups; NULL: it cannot be counted */
	struct counted_group *groups;     /* by place in list->groups; owned */
	size_t launches, runs;            /* counted, and runs that they were in */
	char reason[256];                 /* why it was not counted, or not wholly; "" */
	struct counted_process reading;   /* the process whose results are being taken */
	struct counted_process most;      /* of those of the run, the one that has counted most */
	uint64_t rank;                    /* of the process in the runs before; COUNT_NO_RANK: in none, or unknown */
};

struct counted_side {
	struct counted_case *cases;
	size_t n;
	struct error refusal; /* why nothing of its program can be counted; "" */
	bool is_done;         /* another run would count nothing more */
	bool has_failed;      /* a run of it did not end well */
};

/* counted_free() frees it. */
struct counted_kernels {
	const char *status;  /* DBPROF_PASS.status; NULL: nothing was asked for */
	struct error reason; /* DBPROF_PASS.reason; "" if done */
	int64_t start, end;  /* CLOCK_REALTIME (ns) */
	struct metering metering;
	bool is_metering; /* the metering has metrics */
	struct counted_side *sides;
	size_t nsides;
};

/* Runs the sides for the counters of those kernels that make up the difference, and adds the runs to `measured`. Files
 * go to `folder`. `samples` is NULL without a whole block. 0, also where nothing could be counted: then *out says why.
 * -1 with `err` if the person has interrupted. */
int count_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, struct counted_kernels *out, struct error *err);
void counted_free(struct counted_kernels *counted);

#endif
