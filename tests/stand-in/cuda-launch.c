/* cuda-launch.c: launches of kernels and of host functions. */
#include "cuda-parts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cupti-records.h"

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

/* ---- launches ---- */

void **kernel_arguments(const struct kernel *kernel, void **arguments)
{
	const struct stand_in_kernel *how = &kernel->how;
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

	op->length = kernel->is_probe ? STAND_IN_PROBE_NS : STAND_IN_KERNEL_NS + threads / STAND_IN_THREADS_NS;
	op->engine = ENGINE_COMPUTE;
	op->work.kind = STAND_IN_KERNEL;
	op->work.name = kernel->how.name;
	op->work.code = kernel->how.code;
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

/* How it is launched. */
struct way {
	unsigned cluster; /* blocks; 0: none was asked for */
	bool cooperative;
};

static cudaError_t launch_kernel(struct kernel *kernel, dim3 grid, dim3 block, void **arguments, size_t smem,
	cudaStream_t handle, struct way way, uint32_t correlation)
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
	op->work.cluster = way.cluster;
	op->work.cooperative = way.cooperative;
	op->arguments = kernel_arguments(kernel, arguments);
	describe(op, kernel, grid, block, smem);
	return queue_add(op);
}

/* The runtime's launch calls the driver's. */
static cudaError_t launch(struct kernel *kernel, dim3 grid, dim3 block, void **arguments, size_t smem,
	cudaStream_t handle, uint32_t correlation)
{
	const cuLaunchKernel_params params = {.gridDimX = grid.x,
		.gridDimY = grid.y,
		.gridDimZ = grid.z,
		.blockDimX = block.x,
		.blockDimY = block.y,
		.blockDimZ = block.z,
		.sharedMemBytes = (unsigned)smem,
		.hStream = (CUstream)handle,
		.kernelParams = arguments};
	const char *symbol = kernel == NULL ? NULL : kernel->how.name;
	CUresult result;
	cudaError_t code = cuda_start();

	if (code != cudaSuccess)
		return cuda_note(code);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", &params, symbol, NULL);
	code = launch_kernel(kernel, grid, block, arguments, smem, handle, (struct way){0}, correlation);
	result = (CUresult)code;
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", &params, symbol, &result);
	return code;
}

static struct way way_of(const CUlaunchConfig *config)
{
	struct way way = {0};

	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			way.cluster = attribute->value.clusterDim.x * attribute->value.clusterDim.y *
				      attribute->value.clusterDim.z;
		if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			way.cooperative = attribute->value.cooperative != 0;
	}
	return way;
}

/* The runtime's attributes are the driver's. */
static cudaError_t launch_configured(
	struct kernel *kernel, const cudaLaunchConfig_t *how, void **arguments, uint32_t id)
{
	const CUlaunchConfig config = {.gridDimX = how->gridDim.x,
		.gridDimY = how->gridDim.y,
		.gridDimZ = how->gridDim.z,
		.blockDimX = how->blockDim.x,
		.blockDimY = how->blockDim.y,
		.blockDimZ = how->blockDim.z,
		.sharedMemBytes = (unsigned)how->dynamicSmemBytes,
		.hStream = (CUstream)how->stream,
		.attrs = (CUlaunchAttribute *)how->attrs,
		.numAttrs = how->numAttrs};
	const cuLaunchKernelEx_params params = {.config = &config, .kernelParams = arguments};
	const char *symbol = kernel == NULL ? NULL : kernel->how.name;
	cudaError_t code = cuda_start();
	CUresult result;

	if (code != cudaSuccess)
		return cuda_note(code);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx", &params, symbol, NULL);
	code = launch_kernel(kernel, how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, how->stream,
		way_of(&config), id);
	result = (CUresult)code;
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx", &params, symbol, &result);
	return code;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin("cudaLaunchKernelExC");
	code = launch_configured(kernel_find(function), config, arguments, id);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaLaunchKernel(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin("cudaLaunchKernel");
	code = launch(kernel_find(function), grid, block, arguments, smem, stream, id);
	stand_in_call_end(id, (int)code);
	return code;
}

/* The device cannot: cudaDeviceProp.cooperativeLaunch is 0. */
cudaError_t cudaLaunchCooperativeKernel(
	const void *function, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream)
{
	(void)function, (void)grid, (void)block, (void)arguments, (void)smem, (void)stream;
	CUDA_CALL();
	return cuda_note(cudaErrorNotSupported);
}

/* From 13.0 on, launches that are written with <<<>>> come with a handle. */
cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function);
cudaError_t __cudaLaunchKernel(
	cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t smem, cudaStream_t stream);

cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *function)
{
	CUDA_CALL();
	*out = (cudaKernel_t)kernel_find(function);
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
