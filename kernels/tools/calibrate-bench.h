/* calibrate-bench.h: what the parts of the calibration share: memory, streams, and how a stretch of work is timed. */
#ifndef DBPROF_KERNELS_CALIBRATE_BENCH_H
#define DBPROF_KERNELS_CALIBRATE_BENCH_H

#include <math.h>

#include "analyze/machine.h"
#include "resources.h"

enum { REPETITIONS = 3 };

/* The first failure sticks in `resources.error`, and nothing is done after it. */
struct bench {
	struct resources resources;
	cudaStream_t stream, other; /* the caller's; one of our own */
	cudaEvent_t begin, end;     /* with time stamps */
	cudaEvent_t order[2];       /* without */
	int device, sms;
	size_t l2_bytes;
	size_t array_bytes; /* of each of the two below, at least four times the L2 cache if memory allows */
	char *array[2];     /* device memory; NULL if there is too little */
	char *pinned;       /* PINNED_BYTES of host memory; NULL if there is none */
	long long *stamp;   /* device memory for STAMPS results of a kernel */
	unsigned *sink;     /* device memory where kernels leave what they computed */
};

static const size_t PINNED_BYTES = (size_t)64 << 20;
enum { STAMPS = 4096 };

static inline bool bench_ok(const struct bench *b)
{
	return b->resources.error == cudaSuccess;
}

static inline void bench_note(struct bench *b, cudaError_t error)
{
	resources_check(&b->resources, error, "calibration");
}

/* The smaller of two times; `best` may still be NaN. */
static inline double smaller(double best, double x)
{
	return isnan(best) || x < best ? x : best;
}

/* A difference of two measured times, of which noise may have made the smaller one the larger; NaN stays NaN. */
static inline double at_least_zero(double x)
{
	return isnan(x) ? x : fmax(x, 0);
}

/* Starts and ends the clock in bench.stream; NaN after a failure. */
static inline void bench_begin(struct bench *b)
{
	if (bench_ok(b))
		bench_note(b, cudaEventRecord(b->begin, b->stream));
}

static inline void bench_end(struct bench *b)
{
	if (bench_ok(b))
		bench_note(b, cudaEventRecord(b->end, b->stream));
}

/* Waits for the end; seconds since the beginning. */
static inline double bench_seconds(struct bench *b)
{
	float ms = NAN;

	if (bench_ok(b))
		bench_note(b, cudaEventSynchronize(b->end));
	if (bench_ok(b))
		bench_note(b, cudaEventElapsedTime(&ms, b->begin, b->end));
	return bench_ok(b) ? ms * 1e-3 : NAN;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Each fills its members of *out; they rely on the members that the ones before them fill. */
void calibrate_sm(struct bench *b, struct machine *out);        /* clock, units of an SM */
void calibrate_shared(struct bench *b, struct machine *out);    /* what goes through the queue of shared memory */
void calibrate_memory(struct bench *b, struct machine *out);    /* device memory and L2 cache */
void calibrate_transfers(struct bench *b, struct machine *out); /* launches, copies, events, host */

#ifdef __cplusplus
}
#endif

#endif
