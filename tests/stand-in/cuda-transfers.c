/* cuda-transfers.c: copies and memsets. */
#include "cuda-parts.h"

#include <stdlib.h>

static bool is_on_device(const void *p, size_t bytes, bool *pageable)
{
	bool device = memory_is_device(p, bytes);

	if (!device && !memory_is_pinned(p, bytes))
		*pageable = true;
	return device;
}

/* The direction that `kind` says, or the pointers if it is cudaMemcpyDefault; cudaErrorInvalidValue if they disagree.
 */
static cudaError_t find_kind(struct op *op, enum cudaMemcpyKind kind)
{
	bool to = is_on_device(op->to, op->work.bytes, &op->work.pageable);
	bool from = is_on_device(op->from, op->work.bytes, &op->work.pageable);
	enum cudaMemcpyKind seen = to     ? from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice
				   : from ? cudaMemcpyDeviceToHost
					  : cudaMemcpyHostToHost;

	op->work.copy_kind = (int)seen;
	return kind == cudaMemcpyDefault || kind == seen ? cudaSuccess : cudaErrorInvalidValue;
}

static void set_length(struct op *op)
{
	bool inside = op->work.kind == STAND_IN_MEMSET || op->work.copy_kind == cudaMemcpyDeviceToDevice;

	op->engine = inside ? ENGINE_COMPUTE : op->work.copy_kind == cudaMemcpyDeviceToHost ? ENGINE_OUT : ENGINE_IN;
	op->length = inside ? STAND_IN_FILL_NS + op->work.bytes / STAND_IN_FILL_BYTES_NS
			    : STAND_IN_COPY_NS + op->work.bytes / STAND_IN_COPY_BYTES_NS;
}

/* NULL, with the code noted: there is no such stream, or no memory. */
static struct op *new_op(enum stand_in_work_kind kind, cudaStream_t handle, size_t bytes, uint32_t id)
{
	cudaStream_t stream = stream_of(handle);
	struct op *op = stream == NULL ? NULL : queue_op(OP_WORK, stream);

	if (op == NULL) {
		cuda_note(stream == NULL ? cudaErrorInvalidResourceHandle : cudaErrorMemoryAllocation);
		return NULL;
	}
	op->work.kind = kind;
	op->work.bytes = bytes;
	op->work.correlation = id;
	return op;
}

/* Copies from and to pageable memory are over when the call returns, and so is cudaMemcpy(). */
static cudaError_t copy(
	void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream, uint32_t id, bool wait)
{
	struct op *op = new_op(STAND_IN_COPY, stream, bytes, id);
	cudaError_t code;

	if (op == NULL)
		return cuda_last();
	op->to = to;
	op->from = from;
	code = find_kind(op, kind);
	if (code != cudaSuccess) {
		free(op);
		return cuda_note(code);
	}
	set_length(op);
	wait = wait || op->work.pageable;
	code = queue_add(op);
	if (wait && code == cudaSuccess) {
		queue_drain();
		wait_until(stream_of(stream)->end);
	}
	return code;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = copy(to, from, bytes, kind, NULL, id, true);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = copy(to, from, bytes, kind, stream, id, false);
	stand_in_call_end(id, (int)code);
	return code;
}

static cudaError_t fill(void *to, int byte, size_t bytes, cudaStream_t stream, uint32_t id)
{
	struct op *op;

	if (!memory_is_device(to, bytes) && !memory_is_pinned(to, bytes))
		return cuda_note(cudaErrorInvalidValue);
	op = new_op(STAND_IN_MEMSET, stream, bytes, id);
	if (op == NULL)
		return cuda_last();
	op->to = to;
	op->byte = byte;
	set_length(op);
	return queue_add(op);
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = fill(to, byte, bytes, NULL, id);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = fill(to, byte, bytes, stream, id);
	stand_in_call_end(id, (int)code);
	return code;
}
