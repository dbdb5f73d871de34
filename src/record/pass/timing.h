/* timing.h: what the files of the time pass share. */
#ifndef DBPROF_RECORD_PASS_TIMING_H
#define DBPROF_RECORD_PASS_TIMING_H

#include "record/pass/batch.h"
#include "record/worker/worker.h"

struct nvml;
struct forecast;

/* Samples of one variant of the pair, for the rule that says when to stop. */
struct kept_samples {
	double *ns;
	int *block;
	size_t n;
};

/* A variant that is timed. */
struct timed {
	const struct variant *variant;
	struct timing *timing;
	struct batch_limits limits;
	struct enqueued done;      /* by all of its launches */
	int64_t took;              /* by a single launch, on the host (ns) */
	int launches;              /* in a batch */
	bool is_long;              /* batch_long() */
	int samples;               /* taken */
	struct kept_samples *kept; /* NULL if the variant is not one of the pair */
};

struct timing {
	struct worker *w;
	const struct size_case *size;
	void *state;
	struct nvml *nvml; /* NULL without NVML */
	struct batcher batcher;
	struct timed *timed; /* n of them */
	int n;
	bool cold; /* batches have no untimed launch before them, which would take as long as they do */
	struct kept_samples pair[2]; /* single, double: room for all blocks of a case */
	struct forecast *forecast;   /* NULL: another run makes the predictions */
	int cases;                   /* that had something to time */
};

/* Blocks of a run are numbered from options->run times this. */
enum { BLOCKS_MAX = 60 };

/* Times the variants of the case that is set up: warm-up, length of batches, samples. -1 with the problem noted. */
int time_variants(struct timing *t);

/* Writes a sample, and the GPU's clocks after a block. */
void timing_write_sample(
	struct timing *t, const struct timed *v, int block, int position, const struct batch_result *result);
void timing_write_clocks(struct timing *t, int block);

/* How many blocks of samples a run of the time pass takes of a case. */
struct block_plan {
	int least, most; /* that a verdict needs of this run, and that there may be */
	int64_t budget;  /* beyond `least` none begins later (ns) */
	int64_t longest; /* up to `least` none begins that will not be over by then, but for the first (ns) */
};

/* Whether a block follows on so many, which took `elapsed` ns. Launches of seconds, such as those that wait for a
 * camera, are too long for the blocks of a verdict: it is not known then, and the pass ends in time. */
bool timing_block_follows(const struct block_plan *plan, int blocks, int64_t elapsed);

#endif
