/* cupti-activity.c: the activity records of the stand-in's CUPTI: what calls of the runtime and their work become. */
#include "cupti-records.h"

#include <pthread.h>
#include <unistd.h>

#include "cuda-parts.h"

enum { MAX_PLACES = 64 };

/* The call of the runtime that this thread is in: they do not nest. */
static _Thread_local struct {
	CUpti_CallbackId id;
	uint32_t correlation;
	uint64_t start;
} current;

static uint32_t correlations;

/* The contexts and streams that have their record. */
static struct {
	pthread_mutex_t lock;
	uint32_t contexts[MAX_PLACES], streams[MAX_PLACES];
	int ncontexts, nstreams;
} places = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what work runs on ---- */

void records_put_device(int device)
{
	device_record record = {.kind = CUPTI_ACTIVITY_KIND_DEVICE,
		.id = (uint32_t)device,
		.name = stand_in_gpu_name(device),
		.globalMemorySize = (uint64_t)stand_in()->memory << 20,
		.globalMemoryBandwidth = (uint64_t)GPU_MEMORY_KHZ * 2 * GPU_BUS_BITS / 8,
		.constantMemorySize = 65536,
		.l2CacheSize = GPU_L2,
		.numThreadsPerWarp = GPU_WARP,
		.coreClockRate = GPU_SM_KHZ,
		.numMemcpyEngines = 2,
		.numMultiprocessors = GPU_SMS,
		.maxIPC = 4,
		.maxWarpsPerMultiprocessor = GPU_THREADS_SM / GPU_WARP,
		.maxBlocksPerMultiprocessor = GPU_BLOCKS_SM,
		.maxSharedMemoryPerMultiprocessor = GPU_SMEM_SM,
		.maxRegistersPerMultiprocessor = GPU_REGISTERS,
		.maxRegistersPerBlock = GPU_REGISTERS,
		.maxSharedMemoryPerBlock = GPU_SMEM_BLOCK,
		.maxThreadsPerBlock = GPU_THREADS_BLOCK,
		.maxBlockDimX = 1024,
		.maxBlockDimY = 1024,
		.maxBlockDimZ = 64,
		.maxGridDimX = 2147483647,
		.maxGridDimY = 65535,
		.maxGridDimZ = 65535,
		.computeCapabilityMajor = (uint32_t)stand_in()->capability / 10,
		.computeCapabilityMinor = (uint32_t)stand_in()->capability % 10,
		.isCudaVisible = 1};

	record.uuid.bytes[15] = (char)(stand_in()->base + device + 1);
	records_put_on_device(&record);
}

/* True if the number was not in the list; a full list knows all. */
static bool is_new(uint32_t *list, int *n, uint32_t number)
{
	bool found = false;

	pthread_mutex_lock(&places.lock);
	for (int i = 0; i < *n && !found; i++)
		found = list[i] == number;
	found = found || *n == MAX_PLACES;
	if (!found)
		list[(*n)++] = number;
	pthread_mutex_unlock(&places.lock);
	return !found;
}

/* A context and a stream have their record before the first work on them. */
static void put_places(const struct stand_in_work *work)
{
	context_record context = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT,
		.contextId = work->context,
		.deviceId = work->device,
		.computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA,
		.nullStreamId = 7};
	stream_record stream = {.kind = CUPTI_ACTIVITY_KIND_STREAM,
		.contextId = work->context,
		.streamId = work->stream,
		.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING};

	if (records_wanted(CUPTI_ACTIVITY_KIND_CONTEXT) && is_new(places.contexts, &places.ncontexts, work->context))
		records_put_on_device(&context);
	if (records_wanted(CUPTI_ACTIVITY_KIND_STREAM) && is_new(places.streams, &places.nstreams, work->stream))
		records_put_on_device(&stream);
}

/* ---- calls of the runtime ---- */

uint32_t stand_in_call_begin(const char *call)
{
	current.id = records_call_id(call);
	current.correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
	current.start = stand_in_now();
	return current.correlation;
}

void stand_in_call_end(uint32_t correlation, int code)
{
	const call_record record = {.kind = CUPTI_ACTIVITY_KIND_RUNTIME,
		.cbid = current.id,
		.start = records_stamp(current.start),
		.end = records_stamp(stand_in_now()),
		.processId = (uint32_t)getpid(),
		.threadId = records_thread(),
		.correlationId = correlation,
		.returnValue = (uint32_t)code};

	if (correlation == current.correlation)
		records_put_on_thread(&record);
}

/* ---- work ---- */

static kernel_record kernel_of(const struct stand_in_work *work)
{
	return (kernel_record){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		.name = work->name,
		.start = records_stamp(work->start),
		.end = records_stamp(work->end),
		.deviceId = work->device,
		.contextId = work->context,
		.streamId = work->stream,
		.correlationId = work->correlation,
		.gridId = work->correlation,
		.gridX = (int32_t)work->grid[0],
		.gridY = (int32_t)work->grid[1],
		.gridZ = (int32_t)work->grid[2],
		.blockX = (int32_t)work->block[0],
		.blockY = (int32_t)work->block[1],
		.blockZ = (int32_t)work->block[2],
		.registersPerThread = (uint16_t)work->registers,
		.staticSharedMemory = (int32_t)work->static_smem,
		.dynamicSharedMemory = (int32_t)work->dynamic_smem,
		.clusterX = work->cluster,
		.clusterY = work->cluster > 0,
		.clusterZ = work->cluster > 0,
		.launchType = work->cooperative ? CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE
						: CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR,
		.graphNodeId = work->node};
}

static CUpti_ActivityMemcpyKind copy_kind(int kind)
{
	switch (kind) {
	case cudaMemcpyHostToHost:
		return CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
	case cudaMemcpyHostToDevice:
		return CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
	case cudaMemcpyDeviceToHost:
		return CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
	case cudaMemcpyDeviceToDevice:
		return CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
	default:
		return CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN;
	}
}

static void put_copy(const struct stand_in_work *work)
{
	int host = work->pageable ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
	bool from_host = work->copy_kind == cudaMemcpyHostToDevice || work->copy_kind == cudaMemcpyHostToHost;
	bool to_host = work->copy_kind == cudaMemcpyDeviceToHost || work->copy_kind == cudaMemcpyHostToHost;
	const copy_record record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
		.copyKind = (uint8_t)copy_kind(work->copy_kind),
		.srcKind = (uint8_t)(from_host ? host : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE),
		.dstKind = (uint8_t)(to_host ? host : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE),
		.bytes = work->bytes,
		.start = records_stamp(work->start),
		.end = records_stamp(work->end),
		.deviceId = work->device,
		.contextId = work->context,
		.streamId = work->stream,
		.correlationId = work->correlation,
		.graphNodeId = work->node,
		.copyCount = 1};

	records_put_on_device(&record);
}

static void put_memset(const struct stand_in_work *work)
{
	const memset_record record = {.kind = CUPTI_ACTIVITY_KIND_MEMSET,
		.bytes = work->bytes,
		.start = records_stamp(work->start),
		.end = records_stamp(work->end),
		.deviceId = work->device,
		.contextId = work->context,
		.streamId = work->stream,
		.correlationId = work->correlation,
		.graphNodeId = work->node,
		.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE};

	records_put_on_device(&record);
}

void stand_in_work_done(const struct stand_in_work *work)
{
	kernel_record kernel = kernel_of(work);

	put_places(work);
	if (work->kind == STAND_IN_KERNEL)
		(void)source_load(work->name, work->code);
	if (work->kind == STAND_IN_KERNEL)
		records_put_on_device(&kernel);
	else if (work->kind == STAND_IN_COPY)
		put_copy(work);
	else
		put_memset(work);
	range_profiler_work(work);
	pm_sampling_work(work);
	pc_sampling_work(work);
}

void stand_in_waited(uint32_t context, uint32_t stream, int type, uint64_t start, uint64_t end)
{
	const wait_record record = {.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
		.type = (CUpti_ActivitySynchronizationType)type,
		.start = records_stamp(start),
		.end = records_stamp(end),
		.correlationId = current.correlation,
		.contextId = context,
		.streamId = stream,
		.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE,
		.cudaEventSyncId = UINT64_MAX};

	records_put_on_thread(&record);
}

/* ---- work that a test makes up ---- */

void stand_in_launch(const char *name, bool ends)
{
	uint32_t correlation = stand_in_call_begin("cudaLaunchKernel");
	struct stand_in_work work = {.kind = STAND_IN_KERNEL,
		.name = name,
		.start = current.start + 100,
		.end = current.start + 1100,
		.context = 1,
		.stream = 7,
		.correlation = correlation,
		.grid = {1, 1, 1},
		.block = {32, 1, 1}};
	kernel_record kernel = kernel_of(&work);

	if (ends)
		stand_in_work_done(&work);
	else
		records_put_unended(&kernel);
	stand_in_call_end(correlation, 0);
}
