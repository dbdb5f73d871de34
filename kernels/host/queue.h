/*
 * queue.h: enqueues device work and counts it. The first failure sticks and stops the rest, so that a launch reads like
 * the textbook and returns `queue.error` at its end.
 */
#ifndef DBPROF_KERNELS_QUEUE_H
#define DBPROF_KERNELS_QUEUE_H

#include "variant.h"

struct queue {
	struct enqueued *done;
	cudaError_t error;
};

static inline void queue_note(struct queue *q, cudaError_t error)
{
	if (error == cudaSuccess || q->error != cudaSuccess)
		return;
	(void)cudaGetLastError(); /* reported here, so it must not surface in a later call */
	q->error = error;
}

/* Launches a kernel; `arguments` points to each parameter, at least as many as the kernel has. */
static inline void queue_kernel(struct queue *q, const struct kernel_config *k, void **arguments, cudaStream_t stream)
{
	const dim3 grid = {k->grid[0], k->grid[1], k->grid[2]}, block = {k->block[0], k->block[1], k->block[2]};

	if (q->error != cudaSuccess)
		return;
	queue_note(q, cudaLaunchKernel(k->function, grid, block, arguments, k->dynamic_smem, stream));
	q->done->kernels += q->error == cudaSuccess;
}

/* The same for a kernel of which all blocks run at once. It fails if they do not find room. */
static inline void queue_cooperative(
	struct queue *q, const struct kernel_config *k, void **arguments, cudaStream_t stream)
{
	const dim3 grid = {k->grid[0], k->grid[1], k->grid[2]}, block = {k->block[0], k->block[1], k->block[2]};

	if (q->error != cudaSuccess)
		return;
	queue_note(q, cudaLaunchCooperativeKernel(k->function, grid, block, arguments, k->dynamic_smem, stream));
	q->done->kernels += q->error == cudaSuccess;
}

static inline void queue_copy(
	struct queue *q, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	if (q->error != cudaSuccess)
		return;
	queue_note(q, cudaMemcpyAsync(to, from, bytes, kind, stream));
	q->done->copies += q->error == cudaSuccess;
}

/* Marks a point of `stream` that other streams can wait for. */
static inline void queue_record(struct queue *q, cudaEvent_t event, cudaStream_t stream)
{
	if (q->error == cudaSuccess)
		queue_note(q, cudaEventRecord(event, stream));
}

/* Later work in `stream` waits for `event`. */
static inline void queue_wait(struct queue *q, cudaStream_t stream, cudaEvent_t event)
{
	if (q->error == cudaSuccess)
		queue_note(q, cudaStreamWaitEvent(stream, event, 0));
}

/* A one-dimensional launch of enough blocks for `n` elements. */
static inline struct kernel_config config_linear(const void *function, int64_t n, unsigned block)
{
	const struct kernel_config config = {
		.function = function,
		.grid = {(unsigned)((n + block - 1) / block), 1, 1},
		.block = {block, 1, 1},
		.dynamic_smem = 0,
	};

	return config;
}

#endif
