/* batch.h: times a batch of launches by CUDA events, and the SM clock right behind it. */
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
	cudaStream_t stream; /* the caller's: every launch goes there, or is forked from it and joined to it */
	cudaEvent_t begin, end;
	struct gate gate;
	struct clock_reading *clock; /* pinned */
};

/* How to launch once. */
struct batch_work {
	cudaError_t (*launch)(void *user);
	void *user;
	bool held; /* held back behind the gate until it is enqueued whole */
	bool cold; /* no untimed launch before the batch: see batch_long() */
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

/* -1 with `err` if there is no event, semaphore or pinned memory to be had. */
int batcher_open(struct batcher *b, cudaStream_t stream, struct error *err);
void batcher_close(struct batcher *b);

/* Runs one untimed launch, which leaves the caches as the work leaves them, then a batch of
 * `launches`, and the probe of the clock. Waits for all. */
cudaError_t batch_run(struct batcher *b, const struct batch_work *work, int launches, struct batch_result *out);

/* Finds by batches of growing length how many launches last `ns` at least, but `most` at most; *length is what they
 * last (ns). The shorter of two tries counts: a hiccup must not make batches too short. */
cudaError_t batch_calibrate(
	struct batcher *b, const struct batch_work *work, double ns, int most, int *launches, double *length);

/* Whether a launch that lasts `ns` is so long that what the caches hold at its begin, some 20 us' worth, is no matter:
 * to kernels of many milliseconds, and to copies over the bus, which do not read the caches. */
bool batch_long(const struct enqueued *done, double ns);

/* What `done`, counted over one launch of the variant, allows. The gate holds what is launched by the variant itself
 * and never makes the host wait, if it is little enough for the queues of streams. */
struct batch_limits batch_limits(const struct variant *variant, const struct enqueued *done);

#endif
