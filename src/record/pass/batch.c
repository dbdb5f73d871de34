/* batch.c: see batch.h. */
#include "record/pass/batch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "record/cupti/cuda-error.h"
#include "record/machine/environment.h"

enum {
	MAX_LAUNCHES = 1000,
	MAX_HELD = 500,    /* calls that are enqueued behind the gate; a stream's queue is finite */
	LIBRARY_CALLS = 8, /* at most, for each one of a library's that is counted */
};

static const double LONG_NS = 10e6, LONG_COPIES_NS = 500e3;

static cudaError_t make_events(struct batcher *b)
{
	cudaError_t code = cudaEventCreate(&b->begin);

	if (code == cudaSuccess)
		code = cudaEventCreate(&b->end);
	return code == cudaSuccess ? cudaMallocHost((void **)&b->clock, sizeof(*b->clock)) : code;
}

/* The first launch loads the kernel, and that must not happen behind the gate. */
static cudaError_t load_probe(struct batcher *b)
{
	cudaError_t code = clock_probe(b->clock, b->stream);

	return code == cudaSuccess ? cudaStreamSynchronize(b->stream) : code;
}

int batcher_open(struct batcher *b, cudaStream_t stream, struct error *err)
{
	cudaError_t code;

	*b = (struct batcher){.stream = stream};
	if (gate_init(&b->gate) < 0)
		return error_set(err, "no semaphore can be made: %s", strerror(errno));
	code = make_events(b);
	if (code == cudaSuccess)
		code = load_probe(b);
	if (code == cudaSuccess)
		return 0;
	batcher_close(b);
	return cuda_error(err, code, "no CUDA event or pinned memory can be had");
}

/* If the context is lost these calls fail. That was told when it was lost. */
void batcher_close(struct batcher *b)
{
	if (b->begin)
		(void)cudaEventDestroy(b->begin);
	if (b->end)
		(void)cudaEventDestroy(b->end);
	(void)cudaFreeHost(b->clock);
	(void)cudaGetLastError();
	gate_destroy(&b->gate);
}

/* Without a launch before the batch, the probe keeps the GPU busy while the host enqueues the beginning of the batch.
 */
static cudaError_t enqueue(struct batcher *b, const struct batch_work *work, int launches)
{
	cudaError_t code = work->cold ? clock_probe(b->clock, b->stream) : work->launch(work->user);

	if (code == cudaSuccess)
		code = cudaEventRecord(b->begin, b->stream);
	for (int i = 0; i < launches && code == cudaSuccess; i++)
		code = work->launch(work->user);
	if (code == cudaSuccess)
		code = cudaEventRecord(b->end, b->stream);
	return code == cudaSuccess ? clock_probe(b->clock, b->stream) : code;
}

static double probed_mhz(const struct clock_reading *clock)
{
	return clock->ns == 0 ? NAN : 1e3 * (double)clock->cycles / (double)clock->ns;
}

cudaError_t batch_run(struct batcher *b, const struct batch_work *work, int launches, struct batch_result *out)
{
	float ms = 0;
	cudaError_t code = work->held ? gate_close(&b->gate, b->stream) : cudaSuccess;
	bool closed = work->held && code == cudaSuccess;

	*b->clock = (struct clock_reading){0, 0};
	if (code == cudaSuccess)
		code = enqueue(b, work, launches);
	if (closed)
		gate_open(&b->gate);
	if (code == cudaSuccess)
		code = cudaStreamSynchronize(b->stream);
	if (code == cudaSuccess)
		code = cudaEventElapsedTime(&ms, b->begin, b->end);
	*out = (struct batch_result){(double)ms * 1e6, probed_mhz(b->clock)};
	return code;
}

cudaError_t batch_calibrate(
	struct batcher *b, const struct batch_work *work, double ns, int most, int *launches, double *length)
{
	for (*launches = 1;; *launches *= 2) {
		struct batch_result first = {NAN, NAN}, second = first;
		cudaError_t code;

		if (*launches > most)
			*launches = most;
		code = batch_run(b, work, *launches, &first);
		if (code == cudaSuccess)
			code = batch_run(b, work, *launches, &second);
		*length = first.ns < second.ns ? first.ns : second.ns;
		if (code != cudaSuccess || *launches == most || *length >= ns)
			return code;
	}
}

bool batch_long(const struct enqueued *done, double ns)
{
	return ns >= (done->copies > 0 ? LONG_COPIES_NS : LONG_NS);
}

static const struct batch_limits unheld = {false, MAX_LAUNCHES};

struct batch_limits batch_limits(const struct variant *variant, const struct enqueued *done)
{
	/* Copies come with events: about as many as there are other calls. */
	int64_t copies = done->copies + done->memsets;
	int64_t calls =
		(done->kernels + copies) * (copies > 0 ? 3 : 1) * (variant->opaque_launches ? LIBRARY_CALLS : 1);
	bool held = calls > 0 && calls <= MAX_HELD / 2 && !variant->blocks_host && !environment_launches_block();

	return held ? (struct batch_limits){true, MAX_HELD / (int)calls - 1} : unheld;
}

/* A launch that waits for what the gate holds goes on when the gate gives up. */
cudaError_t batch_try_library(struct batcher *b, const struct batch_work *work, struct batch_limits *limits)
{
	const struct batch_work held = {work->launch, work->user, true, false};
	struct batch_result result;
	cudaError_t code;

	if (!limits->held)
		return cudaSuccess;
	code = batch_run(b, &held, 1, &result);
	if (gate_gave_up(&b->gate))
		*limits = unheld;
	return code;
}

void batch_hold_alike(struct batch_limits *single, struct batch_limits *dbl)
{
	if (single && dbl && single->held != dbl->held)
		*single = *dbl = unheld;
}
