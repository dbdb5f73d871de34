/* batch.h: times a batch of launches by CUDA events, and measures the SM clock right behind it. */
#ifndef DBPROF_RECORD_PASS_BATCH_H
#define DBPROF_RECORD_PASS_BATCH_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "tools/clock-probe.h"
#include "variant.h"
#include "record/pass/gate.h"
#include "util/error.h"

/* How long a batch lasts, at least (ns): twice the shortest that counts as a sample. */
#define BATCH_NS 200e3

/* What a process times its batches with. */
struct batcher {
	cudaStream_t stream; /* the caller's stream: every launch goes there, or is forked from it and joined to it */
	cudaEvent_t begin, end;
	struct gate gate;
	struct clock_reading *clock; /* pinned */
};

/* How to launch once. */
struct batch_work {
	cudaError_t (*launch)(void *user);
	void *user;
	bool held; /* held back behind the gate until all of it is enqueued */
	bool cold; /* no untimed launch before the batch, see batch_long() */
};

struct batch_result {
	double ns;  /* of the whole batch */
	double mhz; /* SM clock right behind it; NaN if it could not be measured */
};

/* How a variant's batches may be launched. */
struct batch_limits {
	bool held;
	int launches; /* at most, in a batch */
};

/* -1 with `err` if an event, a semaphore or pinned memory cannot be had. */
int batcher_open(struct batcher *b, cudaStream_t stream, struct error *err);
void batcher_close(struct batcher *b);

/* Runs one untimed launch, which leaves the caches as the work leaves them. Then runs a batch of `launches`, and the
 * probe of the clock. Waits for all. */
cudaError_t batch_run(struct batcher *b, const struct batch_work *work, int launches, struct batch_result *out);

/* Finds by batches of growing length how many launches last at least `ns`, but no more than `most`. *length is how long
 * they last (ns). The shorter of two tries counts, because one disturbed try would make batches too short. */
cudaError_t batch_calibrate(
	struct batcher *b, const struct batch_work *work, double ns, int most, int *launches, double *length);

/* Whether a launch of `ns` is so long that the contents of the caches at its beginning, worth about 20 us, do not
 * matter. That is true of kernels of many milliseconds, and of copies over the bus, which do not read the caches. */
bool batch_long(const struct enqueued *done, double ns);

/* What `done`, counted over one launch of the variant, allows. The gate can hold launches that never make the host
 * wait, if they are few enough for the queues of streams. A library may make more calls than are counted. */
struct batch_limits batch_limits(const struct variant *variant, const struct enqueued *done);

/* Nobody knows whether a library's launch waits for the GPU. So one is held: if the gate gives up, *limits says that
 * none can be. Without it a library would be timed at the host's pace where kernels beside it are timed at the GPU's.
 */
cudaError_t batch_try_library(struct batcher *b, const struct batch_work *work, struct batch_limits *limits);

/* The gate holds both of a pair or neither: else one is measured at the GPU's pace and the other one at the host's.
 * NULL for a side that is not timed. */
void batch_hold_alike(struct batch_limits *single, struct batch_limits *dbl);

#endif
