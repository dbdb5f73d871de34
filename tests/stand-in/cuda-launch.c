/*
 * cuda-launch.c: kernels: those that nvcc's code registers, which do nothing, and those that the CPU runs; copies,
 * memsets and host functions.
 */
#include "cuda-parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clock-probe.h"

/* What a function of the host stands for. */
struct kernel {
	struct kernel *next;
	const void *function;
	struct stand_in_kernel how; /* without `run`: of the device */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernel *kernels;

/* ---- totals ---- */

static _Atomic uint64_t total_kernels, total_ns, total_blocks, total_threads;

void totals_add(const struct stand_in_work *work)
{
	uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];

	if (work->kind != STAND_IN_KERNEL)
		return;
	atomic_fetch_add(&total_kernels, 1);
	atomic_fetch_add(&total_ns, work->end - work->start);
	atomic_fetch_add(&total_blocks, blocks);
	atomic_fetch_add(&total_threads, blocks * work->block[0] * work->block[1] * work->block[2]);
}

void stand_in_totals(struct stand_in_totals *out)
{
	*out = (struct stand_in_totals){atomic_load(&total_kernels), atomic_load(&total_ns), atomic_load(&total_blocks),
		atomic_load(&total_threads)};
}

/* ---- the table of kernels ---- */

static struct kernel *find(const void *function)
{
	struct kernel *found;

	pthread_mutex_lock(&lock);
	for (found = kernels; found != NULL && found->function != function; found = found->next)
		;
	pthread_mutex_unlock(&lock);
	return found;
}

/* One that has the place of another takes it: that one's object was unloaded. */
void stand_in_kernel(const void *function, const struct stand_in_kernel *how)
{
	struct kernel *kernel = find(function);

	if (kernel == NULL)
		kernel = calloc(1, sizeof *kernel);
	if (kernel == NULL)
		abort();
	kernel->how = *how;
	if (kernel->function != NULL)
		return;
	kernel->function = function;
	pthread_mutex_lock(&lock);
	kernel->next = kernels;
	kernels = kernel;
	pthread_mutex_unlock(&lock);
}

/* The GPU's timer and cycle counter agree on the SM clock. */
static void run_probe(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	struct clock_reading *out = *(struct clock_reading **)arguments[0];

	(void)grid;
	(void)block;
	out->ns = STAND_IN_PROBE_NS;
	out->cycles = (unsigned long long)STAND_IN_PROBE_NS * STAND_IN_SM_MHZ / 1000;
}

static bool is_probe(const char *name)
{
	return strstr(name, "probeP13clock_reading") != NULL;
}

/* ---- what nvcc's code calls ---- */

static void *image; /* all objects share it: nothing asks for it */

void **__cudaRegisterFatBinary(void *fat);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *function, char *device_function, const char *name,
	int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(
	void **handle, char *variable, char *address, const char *name, int ext, size_t size, int constant, int global);

void **__cudaRegisterFatBinary(void *fat)
{
	(void)fat;
	return &image;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
	(void)handle;
}

void __cudaRegisterFunction(void **handle, const char *function, char *device_function, const char *name,
	int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp)
{
	struct stand_in_kernel how = {.name = name, .registers = KERNEL_REGISTERS};

	(void)handle, (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid;
	(void)warp;
	if (is_probe(name)) {
		how.run = run_probe;
		how.argument[0] = sizeof(void *);
	}
	stand_in_kernel(function, &how);
}

/* A variable of the device is where the host's shadow of it is. */
void __cudaRegisterVar(
	void **handle, char *variable, char *address, const char *name, int ext, size_t size, int constant, int global)
{
	(void)handle, (void)address, (void)name, (void)ext, (void)constant, (void)global;
	memory_add_variable(variable, size);
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
	CUDA_CALL();
	*out = (void *)(uintptr_t)symbol;
	return cuda_start();
}

/* ---- what a kernel is ---- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
	const struct kernel *kernel = find(function);

	CUDA_CALL();
	memset(out, 0, sizeof *out);
	if (kernel == NULL)
		return cuda_note(cudaErrorInvalidDeviceFunction);
	out->numRegs = kernel->how.registers;
	out->sharedSizeBytes = (size_t)kernel->how.static_smem;
	out->maxThreadsPerBlock = GPU_THREADS_BLOCK;
	out->binaryVersion = out->ptxVersion = GPU_MAJOR * 10 + GPU_MINOR;
	out->maxDynamicSharedSizeBytes = GPU_SMEM_BLOCK;
	return cuda_start();
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
	(void)attribute;
	(void)value;
	CUDA_CALL();
	return find(function) == NULL ? cuda_note(cudaErrorInvalidDeviceFunction) : cuda_start();
}

cudaError_t cudaFuncGetName(const char **out, const void *function)
{
	const struct kernel *kernel = find(function);

	CUDA_CALL();
	if (kernel == NULL)
		return cuda_note(cudaErrorInvalidDeviceFunction);
	*out = kernel->how.name;
	return cuda_start();
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *out, const void *function, int threads, size_t dynamic_smem)
{
	const struct kernel *kernel = find(function);
	size_t smem;

	CUDA_CALL();
	if (kernel == NULL)
		return cuda_note(cudaErrorInvalidDeviceFunction);
	if (threads <= 0 || threads > GPU_THREADS_BLOCK)
		return cuda_note(cudaErrorInvalidValue);
	smem = dynamic_smem + (size_t)kernel->how.static_smem + 1024;
	*out = least(GPU_BLOCKS_SM, GPU_THREADS_SM / threads);
	*out = least(*out, GPU_REGISTERS / (threads * (kernel->how.registers == 0 ? 1 : kernel->how.registers)));
	*out = least(*out, (int)(GPU_SMEM_SM / smem));
	return cuda_start();
}

/* ---- launches ---- */

/* Copies of what the arguments are now, in one block. */
static void **copy_arguments(const struct stand_in_kernel *how, void **arguments)
{
	size_t size = 0;
	void **copies;
	char *p;

	for (int i = 0; i < STAND_IN_ARGUMENTS && how->argument[i] != 0; i++)
		size += (how->argument[i] + 15) / 16 * 16;
	copies = malloc(sizeof *copies * STAND_IN_ARGUMENTS + size);
	if (copies == NULL)
		return NULL;
	p = (char *)(copies + STAND_IN_ARGUMENTS);
	for (int i = 0; i < STAND_IN_ARGUMENTS && how->argument[i] != 0; i++) {
		copies[i] = memcpy(p, arguments[i], how->argument[i]);
		p += (how->argument[i] + 15) / 16 * 16;
	}
	return copies;
}

void kernel_run(const struct op *op)
{
	const struct kernel *kernel = op->kernel;

	if (kernel->how.run != NULL)
		kernel->how.run(op->work.grid, op->work.block, op->arguments);
	free(op->arguments);
}

static void describe(struct op *op, const struct kernel *kernel, dim3 grid, dim3 block, size_t smem)
{
	uint64_t threads = (uint64_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;

	op->length =
		kernel->how.run == run_probe ? STAND_IN_PROBE_NS : STAND_IN_KERNEL_NS + threads / STAND_IN_THREADS_NS;
	op->engine = ENGINE_COMPUTE;
	op->work.kind = STAND_IN_KERNEL;
	op->work.name = kernel->how.name;
	memcpy(op->work.grid, (unsigned[]){grid.x, grid.y, grid.z}, sizeof op->work.grid);
	memcpy(op->work.block, (unsigned[]){block.x, block.y, block.z}, sizeof op->work.block);
	op->work.registers = (unsigned)kernel->how.registers;
	op->work.static_smem = (unsigned)kernel->how.static_smem;
	op->work.dynamic_smem = (unsigned)smem;
}

static cudaError_t refuse_shape(dim3 grid, dim3 block, size_t smem)
{
	uint64_t threads = (uint64_t)block.x * block.y * block.z;

	if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || threads > GPU_THREADS_BLOCK)
		return cudaErrorInvalidConfiguration;
	return smem > GPU_SMEM_OPTIN ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t launch(struct kernel *kernel, dim3 grid, dim3 block, void **arguments, size_t smem,
	cudaStream_t handle, uint32_t correlation)
{
	cudaStream_t stream = stream_of(handle);
	cudaError_t code = cuda_start();
	struct op *op;

	if (code == cudaSuccess && kernel == NULL)
		code = cudaErrorInvalidDeviceFunction;
	if (code == cudaSuccess && stream == NULL)
		code = cudaErrorInvalidResourceHandle;
	if (code == cudaSuccess)
		code = refuse_shape(grid, block, smem);
	if (code != cudaSuccess)
		return cuda_note(code);
	op = queue_op(OP_WORK, stream);
	if (op == NULL)
		return cuda_note(cudaErrorMemoryAllocation);
	op->kernel = kernel;
	op->work.correlation = correlation;
	op->arguments = copy_arguments(&kernel->how, arguments);
	describe(op, kernel, grid, block, smem);
	return queue_add(op);
}

cudaError_t cudaLaunchKernel(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin("cudaLaunchKernel");
	code = launch(find(function), grid, block, arguments, smem, stream, id);
	stand_in_call_end(id, (int)code);
	return code;
}

/* From 13.0 on, launches that are written with <<<>>> come with a handle. */
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function);
cudaError_t __cudaLaunchKernel(
	cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream);

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function)
{
	CUDA_CALL();
	*out = (cudaKernel_t)find(function);
	return *out == NULL ? cuda_note(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}

cudaError_t __cudaLaunchKernel(
	cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin("cudaLaunchKernel");
	code = launch((struct kernel *)kernel, grid, block, arguments, smem, stream, id);
	stand_in_call_end(id, (int)code);
	return code;
}

static _Thread_local struct {
	dim3 grid, block;
	size_t smem;
	cudaStream_t stream;
} pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, struct CUstream_st *stream)
{
	STAND_IN_CALL(unsigned);
	pushed.grid = grid;
	pushed.block = block;
	pushed.smem = smem;
	pushed.stream = stream;
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream)
{
	CUDA_CALL();
	*grid = pushed.grid;
	*block = pushed.block;
	*smem = pushed.smem;
	*(cudaStream_t *)stream = pushed.stream;
	return cudaSuccess;
}

static cudaError_t enqueue_call(cudaStream_t handle, cudaHostFn_t call, void *user)
{
	cudaStream_t stream = stream_of(handle);
	struct op *op;

	if (stream == NULL)
		return cuda_note(cudaErrorInvalidResourceHandle);
	op = queue_op(OP_HOST, stream);
	if (op != NULL) {
		op->call = call;
		op->user = user;
	}
	return queue_add(op);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *user)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = enqueue_call(stream, call, user);
	stand_in_call_end(id, (int)code);
	return code;
}
