/* cuda-parts.h: what the files of the stand-in's CUDA runtime share. */
#ifndef DBPROF_TESTS_STAND_IN_CUDA_PARTS_H
#define DBPROF_TESTS_STAND_IN_CUDA_PARTS_H

#include <cuda_runtime_api.h>

#include "stand-in.h"

/* What every GPU of the stand-in is. */
enum {
	GPU_SMS = 16,
	GPU_WARP = 32,
	GPU_THREADS_SM = 2048,
	GPU_BLOCKS_SM = 32,
	GPU_THREADS_BLOCK = 1024,
	GPU_REGISTERS = 65536,
	GPU_SMEM_SM = 228 * 1024,
	GPU_SMEM_BLOCK = 48 * 1024,
	GPU_SMEM_OPTIN = 227 * 1024,
	GPU_L2 = 1 << 20,
	GPU_SM_KHZ = 1000000,
	GPU_MEMORY_KHZ = 1600000,
	GPU_BUS_BITS = 4096,
	KERNEL_REGISTERS = 32,
	MAX_DEVICES = 16,
};

/* ---- errors (cuda-errors.c) ---- */

/* Counts the call, and gives the code with which it is to fail: one that STAND_IN_FAIL wants, or one that stays once it
 * has come up, as an illegal address does. */
cudaError_t cuda_refusal(const char *function, const void *caller);

/* Notes a code for cudaGetLastError(), and returns it. */
cudaError_t cuda_note(cudaError_t code);
cudaError_t cuda_last(void); /* what was noted last */

#define CUDA_CALL()                                                                                                    \
	do {                                                                                                           \
		cudaError_t refusal_ = cuda_refusal(__func__, __builtin_return_address(0));                            \
		if (refusal_ != cudaSuccess)                                                                           \
			return refusal_;                                                                               \
	} while (0)

/* ---- devices (cuda-device.c) ---- */

/* Starts CUDA for this process, once: what CUDA_INJECTION64_PATH names is loaded. An error if the driver is too old or
 * there is no device. */
cudaError_t cuda_start(void);
int cuda_device(void);          /* of this thread */
uint32_t cuda_context_id(void); /* of this thread's device */

/* ---- memory (cuda-memory.c) ---- */

/* Whether the bytes lie in memory that was allocated: on the device, or pinned on the host. */
bool memory_is_device(const void *p, size_t bytes);
bool memory_is_pinned(const void *p, size_t bytes);
void memory_add_variable(void *p, size_t bytes);

/* ---- streams: a queue of work in the order of its calls, which is done as soon as no host function that has not run
 * stands before it (cuda-queue.c) ---- */

/* What works at the same time: kernels with memsets and copies in the device, and the copies in either direction. */
enum engine { ENGINE_COMPUTE, ENGINE_IN, ENGINE_OUT, ENGINES_NUMBER };

struct CUstream_st {
	struct CUstream_st *next;
	uint32_t id, context;
	int device;
	uint64_t end;      /* when what was done of it is over, ns; 0: nothing was */
	bool is_captured;  /* what is launched into it does not run */
	cudaGraph_t graph; /* but becomes part of this; NULL: it is not captured */
};

struct CUevent_st {
	struct CUevent_st *next;
	bool timed, recorded;
	int pending;   /* records of it that wait in the queue */
	int captured;  /* graph_id() of the capture that recorded it last; 0: it was recorded for good */
	uint64_t time; /* of the last record that was done */
};

enum op_kind { OP_WORK, OP_HOST, OP_RECORD, OP_WAIT };

struct op {
	struct op *next;
	enum op_kind kind;
	cudaStream_t stream;
	uint64_t enqueued, length; /* ns */
	/* work */
	struct stand_in_work work;
	enum engine engine;
	void *to;
	const void *from;
	int byte;
	const struct kernel *kernel;
	void **arguments; /* of the kernel: copies */
	/* a host function; an event */
	cudaHostFn_t call;
	void *user;
	cudaEvent_t event;
};

/* Takes over the op, from malloc(), for the queue or for the graph that its stream is captured into. NULL:
 * cudaErrorMemoryAllocation. */
cudaError_t queue_add(struct op *op);
struct op *queue_op(enum op_kind kind, cudaStream_t stream);

/* Does all work that waits, also the host functions. */
void queue_drain(void);

/* The stream that a handle means, also a default stream; NULL if there is none. */
cudaStream_t stream_of(cudaStream_t handle);

/* Whether a stream of this thread's device is being captured; and waits for all work of that device. */
bool streams_are_captured(void);
void device_wait(void);

/* ---- graphs (cuda-graphs.c) ---- */

/* An empty one; NULL without memory. */
cudaGraph_t graph_new(cudaStream_t origin);
int graph_id(cudaGraph_t graph); /* never 0, and never another's; 0 for NULL */
void graph_add(cudaGraph_t graph, struct op *op);

/* The graph of that number if it is being captured, else NULL; and ends that capture in all of its streams. */
cudaGraph_t streams_capture(int id);
void streams_end_capture(cudaGraph_t graph);

/* Waits until the time has come. */
void wait_until(uint64_t ns);

/* Does all work that waits, waits until the time has come that `until` then gives, and tells CUPTI of the wait. */
void wait_for(uint64_t (*until)(const void *what), const void *what, uint32_t stream, int type);

/* ---- kernels (cuda-kernels.c, cuda-launch.c) ---- */

/* What a function of the host stands for. */
struct kernel {
	struct kernel *next;
	const void *function;
	struct stand_in_kernel how; /* without `run`: of the device */
	bool is_probe;              /* the kernel of clock-probe.cu */
};

/* NULL if there is none. */
struct kernel *kernel_find(const void *function);

/* Copies of what a kernel's arguments are now, in one block; NULL without memory. */
void **kernel_arguments(const struct kernel *kernel, void **arguments);

/* Runs the kernel of the op, if it is one that the CPU runs, and frees its arguments. */
void kernel_run(const struct op *op);
void totals_add(const struct stand_in_work *work);

#endif
