/* activity-rows.c: turns CUPTI's activity records into rows of the tables that Nsight Systems has for them. */
#include "record/cupti/activity-private.h"

#include <stdlib.h>

#include "record/cupti/enums.h"

/* CUPTI appends members to its records from version to version, and then gives the record a new name. These are the
 * oldest ones that have all members that are read here. So this compiles with CUDA 12.8 and with newer ones. */
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy6 copy_record;
typedef CUpti_ActivityMemcpyPtoP3 peer_copy_record;
typedef CUpti_ActivityMemset3 memset_record;
typedef CUpti_ActivityAPI call_record;
typedef CUpti_ActivitySynchronization2 sync_record;
typedef CUpti_ActivityCudaEvent2 event_record;
typedef CUpti_ActivityOverhead3 overhead_record;

static int64_t at(const struct activity *a, uint64_t stamp)
{
	return (int64_t)stamp + a->offset;
}

static int64_t activity_rows_thread_of(uint64_t process, uint64_t thread)
{
	return (int64_t)(process << 24 | (thread & 0xffffff));
}

static void activity_rows_count_work(struct activity *a, uint32_t correlation, enum counted what, int64_t n)
{
	a->work++;
	if (!a->foreign && !a->untallied)
		tally_work(&a->tally, correlation, what, n);
}

/* NULL for 0: the work was not part of a graph. */
static struct value node(uint64_t id)
{
	if (id == 0)
		return (struct value){.kind = VALUE_NULL};
	return VALUE_OF_INT(id);
}

/* CUPTI gives zeros where it could not measure: such work would seem to run in 1970. The length of a record that ends
 * before it begins means nothing. */
static bool activity_rows_timed(struct activity *a, uint64_t start, uint64_t end)
{
	if (start != 0 && end >= start)
		return true;
	a->losses.untimed++;
	return false;
}

static void cluster_row(struct activity *a, const kernel_record *r)
{
	const struct value row[CLUSTER_NUMBER] = {
		[CLUSTER_globalPid] = VALUE_OF_INT(a->pid << 24),
		[CLUSTER_correlationId] = VALUE_OF_INT(r->correlationId),
		[CLUSTER_graphNodeId] = node(r->graphNodeId),
		[CLUSTER_clusterX] = VALUE_OF_INT(r->clusterX),
		[CLUSTER_clusterY] = VALUE_OF_INT(r->clusterY),
		[CLUSTER_clusterZ] = VALUE_OF_INT(r->clusterZ),
	};

	/* Without clusters there are zeros or ones. */
	if (r->clusterX > 1 || r->clusterY > 1 || r->clusterZ > 1)
		activity_row(a, TABLE_CLUSTER, row);
}

static void kernel_row(struct activity *a, const kernel_record *r)
{
	struct kernel_name plain = {.mangled = (char *)(!r->name ? "unknown" : r->name)};
	const struct kernel_name *name = &plain;

	if (!activity_rows_timed(a, r->start, r->end))
		return;
	if (a->name_kernel)
		name = a->name_kernel(&a->names, plain.mangled);
	activity_rows_count_work(a, r->correlationId, COUNTED_KERNELS, 1);
	const struct value row[KERNEL_NUMBER] = {
		[KERNEL_start] = VALUE_OF_INT(at(a, r->start)),
		[KERNEL_end] = VALUE_OF_INT(at(a, r->end)),
		[KERNEL_deviceId] = VALUE_OF_INT(r->deviceId),
		[KERNEL_contextId] = VALUE_OF_INT(r->contextId),
		[KERNEL_streamId] = VALUE_OF_INT(r->streamId),
		[KERNEL_correlationId] = VALUE_OF_INT(r->correlationId),
		[KERNEL_globalPid] = VALUE_OF_INT(a->pid << 24),
		[KERNEL_demangledName] = VALUE_OF_TEXT(name->demangled),
		[KERNEL_shortName] = VALUE_OF_TEXT(name->short_),
		[KERNEL_mangledName] = VALUE_OF_TEXT(name->mangled),
		[KERNEL_launchType] = VALUE_OF_INT(enum_launch_type(r->launchType)),
		[KERNEL_cacheConfig] = VALUE_OF_INT(r->cacheConfig.config.requested),
		[KERNEL_registersPerThread] = VALUE_OF_INT(r->registersPerThread),
		[KERNEL_gridX] = VALUE_OF_INT(r->gridX),
		[KERNEL_gridY] = VALUE_OF_INT(r->gridY),
		[KERNEL_gridZ] = VALUE_OF_INT(r->gridZ),
		[KERNEL_blockX] = VALUE_OF_INT(r->blockX),
		[KERNEL_blockY] = VALUE_OF_INT(r->blockY),
		[KERNEL_blockZ] = VALUE_OF_INT(r->blockZ),
		[KERNEL_staticSharedMemory] = VALUE_OF_INT(r->staticSharedMemory),
		[KERNEL_dynamicSharedMemory] = VALUE_OF_INT(r->dynamicSharedMemory),
		[KERNEL_localMemoryPerThread] = VALUE_OF_INT(r->localMemoryPerThread),
		[KERNEL_localMemoryTotal] = VALUE_OF_INT(r->localMemoryTotal_v2),
		[KERNEL_gridId] = VALUE_OF_INT(r->gridId),
		[KERNEL_sharedMemoryExecuted] = VALUE_OF_INT(r->sharedMemoryExecuted),
		[KERNEL_graphNodeId] = node(r->graphNodeId),
		[KERNEL_sharedMemoryLimitConfig] = VALUE_OF_INT(r->shmemLimitConfig),
	};
	activity_row(a, TABLE_KERNEL, row);
	cluster_row(a, r);
}

static void copy_row(struct activity *a, const copy_record *r)
{
	/* One record for several copies: a batch. */
	int64_t copies = r->copyCount == 0 ? 1 : (int64_t)r->copyCount;

	if (!activity_rows_timed(a, r->start, r->end))
		return;
	activity_rows_count_work(a, r->correlationId, COUNTED_COPIES, copies);
	const struct value row[MEMCPY_NUMBER] = {
		[MEMCPY_start] = VALUE_OF_INT(at(a, r->start)),
		[MEMCPY_end] = VALUE_OF_INT(at(a, r->end)),
		[MEMCPY_deviceId] = VALUE_OF_INT(r->deviceId),
		[MEMCPY_contextId] = VALUE_OF_INT(r->contextId),
		[MEMCPY_streamId] = VALUE_OF_INT(r->streamId),
		[MEMCPY_correlationId] = VALUE_OF_INT(r->correlationId),
		[MEMCPY_globalPid] = VALUE_OF_INT(a->pid << 24),
		[MEMCPY_bytes] = VALUE_OF_INT(r->bytes),
		[MEMCPY_copyKind] = VALUE_OF_INT(enum_copy_kind(r->copyKind)),
		[MEMCPY_srcKind] = VALUE_OF_INT(enum_memory_kind(r->srcKind)),
		[MEMCPY_dstKind] = VALUE_OF_INT(enum_memory_kind(r->dstKind)),
		[MEMCPY_graphNodeId] = node(r->graphNodeId),
		[MEMCPY_copyCount] = VALUE_OF_INT(copies),
	};
	activity_row(a, TABLE_MEMCPY, row);
}

static void peer_copy_row(struct activity *a, const peer_copy_record *r)
{
	if (!activity_rows_timed(a, r->start, r->end))
		return;
	activity_rows_count_work(a, r->correlationId, COUNTED_COPIES, 1);
	const struct value row[MEMCPY_NUMBER] = {
		[MEMCPY_start] = VALUE_OF_INT(at(a, r->start)),
		[MEMCPY_end] = VALUE_OF_INT(at(a, r->end)),
		[MEMCPY_deviceId] = VALUE_OF_INT(r->deviceId),
		[MEMCPY_contextId] = VALUE_OF_INT(r->contextId),
		[MEMCPY_streamId] = VALUE_OF_INT(r->streamId),
		[MEMCPY_correlationId] = VALUE_OF_INT(r->correlationId),
		[MEMCPY_globalPid] = VALUE_OF_INT(a->pid << 24),
		[MEMCPY_bytes] = VALUE_OF_INT(r->bytes),
		[MEMCPY_copyKind] = VALUE_OF_INT(enum_copy_kind(r->copyKind)),
		[MEMCPY_srcKind] = VALUE_OF_INT(enum_memory_kind(r->srcKind)),
		[MEMCPY_dstKind] = VALUE_OF_INT(enum_memory_kind(r->dstKind)),
		[MEMCPY_srcDeviceId] = VALUE_OF_INT(r->srcDeviceId),
		[MEMCPY_srcContextId] = VALUE_OF_INT(r->srcContextId),
		[MEMCPY_dstDeviceId] = VALUE_OF_INT(r->dstDeviceId),
		[MEMCPY_dstContextId] = VALUE_OF_INT(r->dstContextId),
		[MEMCPY_graphNodeId] = node(r->graphNodeId),
		[MEMCPY_copyCount] = VALUE_OF_INT(1),
	};
	activity_row(a, TABLE_MEMCPY, row);
}

static void memset_row(struct activity *a, const memset_record *r)
{
	if (!activity_rows_timed(a, r->start, r->end))
		return;
	activity_rows_count_work(a, r->correlationId, COUNTED_MEMSETS, 1);
	const struct value row[MEMSET_NUMBER] = {
		[MEMSET_start] = VALUE_OF_INT(at(a, r->start)),
		[MEMSET_end] = VALUE_OF_INT(at(a, r->end)),
		[MEMSET_deviceId] = VALUE_OF_INT(r->deviceId),
		[MEMSET_contextId] = VALUE_OF_INT(r->contextId),
		[MEMSET_streamId] = VALUE_OF_INT(r->streamId),
		[MEMSET_correlationId] = VALUE_OF_INT(r->correlationId),
		[MEMSET_globalPid] = VALUE_OF_INT(a->pid << 24),
		[MEMSET_value] = VALUE_OF_INT(r->value),
		[MEMSET_bytes] = VALUE_OF_INT(r->bytes),
		[MEMSET_graphNodeId] = node(r->graphNodeId),
		[MEMSET_memKind] = VALUE_OF_INT(enum_memory_kind(r->memoryKind)),
	};
	activity_row(a, TABLE_MEMSET, row);
}

static void call_row(struct activity *a, const call_record *r)
{
	bool runtime = r->kind == CUPTI_ACTIVITY_KIND_RUNTIME;
	CUpti_CallbackDomain domain = runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
	const char *name = NULL;

	if (!activity_rows_timed(a, r->start, r->end))
		return;
	if (a->foreign)
		place_thread(a, r->threadId);
	else
		tally_call(&a->tally, r->correlationId, at(a, r->start));
	if (a->cupti.cuptiGetCallbackName(domain, r->cbid, &name) != CUPTI_SUCCESS || !name)
		name = "unknown";
	const struct value row[RUNTIME_NUMBER] = {
		[RUNTIME_start] = VALUE_OF_INT(at(a, r->start)),
		[RUNTIME_end] = VALUE_OF_INT(at(a, r->end)),
		[RUNTIME_eventClass] = VALUE_OF_INT(runtime ? 0 : 1),
		[RUNTIME_globalTid] = VALUE_OF_INT(activity_rows_thread_of(r->processId, r->threadId)),
		[RUNTIME_correlationId] = VALUE_OF_INT(r->correlationId),
		[RUNTIME_nameId] = VALUE_OF_TEXT(name),
		[RUNTIME_returnValue] = VALUE_OF_INT(r->returnValue),
	};
	activity_row(a, TABLE_RUNTIME, row);
}

static void sync_row(struct activity *a, const sync_record *r)
{
	if (!activity_rows_timed(a, r->start, r->end))
		return;
	const struct value row[SYNCHRONIZATION_NUMBER] = {
		[SYNCHRONIZATION_start] = VALUE_OF_INT(at(a, r->start)),
		[SYNCHRONIZATION_end] = VALUE_OF_INT(at(a, r->end)),
		[SYNCHRONIZATION_deviceId] = VALUE_OF_INT(place_of_context(a, r->contextId)),
		[SYNCHRONIZATION_contextId] = VALUE_OF_INT(r->contextId),
		[SYNCHRONIZATION_streamId] = VALUE_OF_INT(r->streamId),
		[SYNCHRONIZATION_correlationId] = VALUE_OF_INT(r->correlationId),
		[SYNCHRONIZATION_globalPid] = VALUE_OF_INT(a->pid << 24),
		[SYNCHRONIZATION_syncType] = VALUE_OF_INT(enum_sync_type((int)r->type)),
		[SYNCHRONIZATION_eventId] = VALUE_OF_INT(r->cudaEventId),
		/* "None" is all ones of 32 bits in the table, as in Nsight Systems' export. */
		[SYNCHRONIZATION_eventSyncId] =
			VALUE_OF_INT(r->cudaEventSyncId == UINT64_MAX ? UINT32_MAX : r->cudaEventSyncId),
	};
	activity_row(a, TABLE_SYNCHRONIZATION, row);
}

static void event_row(struct activity *a, const event_record *r)
{
	const struct value row[CUDAEVENT_NUMBER] = {
		[CUDAEVENT_deviceId] = VALUE_OF_INT(r->deviceId),
		[CUDAEVENT_contextId] = VALUE_OF_INT(r->contextId),
		[CUDAEVENT_streamId] = VALUE_OF_INT(r->streamId),
		[CUDAEVENT_correlationId] = VALUE_OF_INT(r->correlationId),
		[CUDAEVENT_globalPid] = VALUE_OF_INT(a->pid << 24),
		[CUDAEVENT_eventId] = VALUE_OF_INT(r->eventId),
		[CUDAEVENT_eventSyncId] = VALUE_OF_INT(r->cudaEventSyncId),
	};
	activity_row(a, TABLE_CUDAEVENT, row);
}

static void overhead_row(struct activity *a, const overhead_record *r)
{
	int64_t tid = a->pid << 24;

	if (r->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
		tid = activity_rows_thread_of(r->objectId.pt.processId, r->objectId.pt.threadId);
	const struct value row[OVERHEAD_NUMBER] = {
		[OVERHEAD_start] = VALUE_OF_INT(at(a, r->start)),
		[OVERHEAD_end] = VALUE_OF_INT(at(a, r->end)),
		[OVERHEAD_globalTid] = VALUE_OF_INT(tid),
		[OVERHEAD_nameId] = VALUE_OF_TEXT(enum_overhead_name((int)r->overheadKind)),
		[OVERHEAD_returnValue] = VALUE_OF_INT(0),
	};
	if (activity_rows_timed(a, r->start, r->end))
		activity_row(a, TABLE_OVERHEAD, row);
	/* The client frees the details of this kind. */
	if (r->overheadKind == CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL)
		free(r->overheadData);
}

void activity_record(struct activity *a, const CUpti_Activity *record)
{
	switch ((int)record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		kernel_row(a, (const kernel_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		copy_row(a, (const copy_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		peer_copy_row(a, (const peer_copy_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		memset_row(a, (const memset_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_RUNTIME:
	case CUPTI_ACTIVITY_KIND_DRIVER:
		call_row(a, (const call_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		sync_row(a, (const sync_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		event_row(a, (const event_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		overhead_row(a, (const overhead_record *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MARKER:
		markers_record(a, (const CUpti_ActivityMarker2 *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MARKER_DATA:
		markers_data(a, (const CUpti_ActivityMarkerData *)record);
		break;
	default:
		place_record(a, record);
	}
}
