/* calibrate.cu: the constants of the prediction, and the memory, streams and events that measuring them takes. */
#include "tools/calibrate.h"

#include "tools/calibrate-bench.h"

static void calibrate_clear(struct machine *out)
{
	for (int i = 0; i < (int)(sizeof(*out) / sizeof(double)); i++)
		((double *)out)[i] = NAN;
}

static cudaEvent_t timing_event(struct bench *b)
{
	cudaEvent_t event = NULL;

	if (resources_usable(&b->resources))
		bench_note(b, cudaEventCreate(&event));
	return event ? (cudaEvent_t)resources_add(&b->resources, event, RESOURCE_EVENT) : NULL;
}

/* Memory that the calibration can do without: NULL if there is none. */
static char *calibrate_optional(struct bench *b, enum resource_kind kind, size_t bytes)
{
	void *p = NULL;
	const cudaError_t error = kind == RESOURCE_PINNED ? cudaMallocHost(&p, bytes) : cudaMalloc(&p, bytes);

	if (error != cudaSuccess) {
		(void)cudaGetLastError();
		return NULL;
	}
	return (char *)resources_add(&b->resources, p, kind);
}

/* A quarter of what is free is left alone. */
static void allocate_arrays(struct bench *b)
{
	size_t free_bytes = 0, total = 0;

	b->array_bytes = PINNED_BYTES > 4 * b->l2_bytes ? PINNED_BYTES : 4 * b->l2_bytes;
	if (bench_ok(b))
		bench_note(b, cudaMemGetInfo(&free_bytes, &total));
	if (!bench_ok(b) || free_bytes / 8 * 3 < b->array_bytes)
		return;
	for (int i = 0; i < 2; i++)
		b->array[i] = calibrate_optional(b, RESOURCE_DEVICE, b->array_bytes);
}

static void calibrate_set_up(struct bench *b, int device, cudaStream_t stream)
{
	int l2 = 0;

	b->stream = stream;
	b->device = device;
	bench_note(b, cudaSetDevice(device));
	bench_note(b, cudaDeviceGetAttribute(&b->sms, cudaDevAttrMultiProcessorCount, device));
	bench_note(b, cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
	b->l2_bytes = (size_t)l2;
	b->other = resources_stream(&b->resources, 0);
	b->begin = timing_event(b);
	b->end = timing_event(b);
	for (int i = 0; i < 2; i++)
		b->order[i] = resources_event(&b->resources);
	b->stamp = (long long *)resources_memory(&b->resources, RESOURCE_DEVICE, STAMPS * sizeof(*b->stamp));
	b->sink = (unsigned *)resources_memory(&b->resources, RESOURCE_DEVICE, sizeof(*b->sink));
	allocate_arrays(b);
	if (bench_ok(b))
		b->pinned = calibrate_optional(b, RESOURCE_PINNED, PINNED_BYTES);
}

extern "C" cudaError_t calibrate(int device, cudaStream_t stream, struct machine *out)
{
	struct bench b = {};

	calibrate_clear(out);
	calibrate_set_up(&b, device, stream);
	if (bench_ok(&b)) {
		out->sms = b.sms;
		calibrate_sm(&b, out);
		calibrate_shared(&b, out);
		calibrate_memory(&b, out);
		calibrate_transfers(&b, out);
	}
	bench_note(&b, cudaStreamSynchronize(stream));
	if (!bench_ok(&b))
		calibrate_clear(out);
	resources_free(&b.resources);
	return b.resources.error;
}
