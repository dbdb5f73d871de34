/* enums.c: the rows of the ENUM_* tables, numbered and named as Nsight Systems does. */
#include "store/enums.h"

#include <stddef.h>

static const struct enum_row cuda_memcpy_oper[] = {
	{0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"},
	{1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
	{2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"},
	{3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array"},
	{4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host"},
	{5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array"},
	{6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device"},
	{7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array"},
	{8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"},
	{9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
	{10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"},
	{11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"},
	{12, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host"},
	{13, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device"},
};

static const struct enum_row cuda_mem_kind[] = {
	{0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
	{1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"},
	{2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
	{3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array"},
	{4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
	{5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static"},
	{6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static"},
	{7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown"},
};

static const struct enum_row cuda_unif_mem_migration[] = {
	{0, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_UNKNOWN", "Unknown"},
	{1, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_USER", "User prefetch"},
	{2, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE", "Page fault"},
	{3, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH", "Speculative prefetch"},
	{4, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION", "Eviction"},
	{5, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_ACCESS_COUNTERS", "Access counters"},
};

static const struct enum_row cupti_sync_type[] = {
	{0, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN", "Unknown"},
	{1, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync"},
	{2, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", "Stream wait sync"},
	{3, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync"},
	{4, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"},
};

static const struct enum_row cupti_stream_type[] = {
	{0, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN", "Unknown stream type"},
	{1, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT", "Default stream"},
	{2, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING", "Non-blocking stream"},
	{3, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL", "Null stream"},
};

static const struct enum_row cuda_kernel_launch_type[] = {
	{LAUNCH_UNKNOWN, "CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN", "Unknown"},
	{LAUNCH_REGULAR, "CUDA_KERNEL_LAUNCH_TYPE_REGULAR", "Regular"},
	{LAUNCH_COOPERATIVE, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE", "Coop Single Device"},
	{LAUNCH_COOPERATIVE_DEVICES, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE", "Coop Multi Device"},
};

static const struct enum_row cuda_func_cache_config[] = {
	{0, "CU_FUNC_CACHE_PREFER_NONE", "None"},
	{1, "CU_FUNC_CACHE_PREFER_SHARED", "Shared"},
	{2, "CU_FUNC_CACHE_PREFER_L1", "L1"},
	{3, "CU_FUNC_CACHE_PREFER_EQUAL", "Equal"},
};

static const struct enum_row cuda_shared_mem_limit_config[] = {
	{0, "CUDA_SHARED_MEM_LIMIT_DEFAULT", "Default"},
	{1, "CUDA_SHARED_MEM_LIMIT_OPTIN", "Opt in"},
};

static const struct enum_row diagnostic_severity_level[] = {
	{0, "UnknownLevel", "Unknown"},
	{1, "Info", "Info"},
	{2, "Warning", "Warning"},
	{3, "Error", "Error"},
	{4, "Verbose", "Verbose"},
};

static const struct enum_row diagnostic_source_type[] = {
	{0, "UnknownSource", "Unknown source"},
	{1, "Injection", "Injection"},
	{2, "Daemon", "Daemon"},
	{3, "Analysis", "Analysis"},
};

static const struct enum_row diagnostic_timestamp_source[] = {
	{0, "UnknownTimestamp", "Unknown timestamp"},
	{1, "TargetTimestamp", "Target timestamp"},
	{2, "HostTimestamp", "Host timestamp"},
};

static const struct enum_row nsys_event_class[] = {
	{0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME", "CUDA runtime"},
	{1, "TRACE_PROCESS_EVENT_CUDA_DRIVER", "CUDA driver"},
	{6, "TRACE_PROCESS_EVENT_NVTX_START", "NVTX start"},
	{7, "TRACE_PROCESS_EVENT_NVTX_FINISH", "NVTX finish"},
	{10, "TRACE_PROCESS_EVENT_CUDA_START", "CUDA start"},
	{11, "TRACE_PROCESS_EVENT_CUDA_FINISH", "CUDA finish"},
	{12, "TRACE_PROCESS_EVENT_CUDA_INIT_ERROR", "CUDA init error"},
	{13, "TRACE_PROCESS_EVENT_CUDA_EGL_DRIVER", "CUDA EGL driver"},
	{26, "TRACE_PROCESS_EVENT_CUDA_API", "CUDA API"},
	{67, "TRACE_PROCESS_EVENT_CUDABACKTRACE", "CUDA backtrace"},
	{68, "TRACE_PROCESS_EVENT_CUDABACKTRACE_START", "CUDA backtrace start"},
	{69, "TRACE_PROCESS_EVENT_CUDABACKTRACE_FINISH", "CUDA backtrace finish"},
	{77, "TRACE_PROCESS_EVENT_CUDA_GRAPH_NODE_CREATION", "CUDA graph node creation"},
	{94, "TRACE_PROCESS_EVENT_CUDA_GRAPHEXEC_CREATION", "CUDA graph exec creation"},
	{95, "TRACE_PROCESS_EVENT_CUDA_GRAPH_CREATION", "CUDA graph creation"},
	{96, "TRACE_PROCESS_EVENT_CUDA_GRAPH_CLONE", "CUDA graph clone"},
};

static const struct enum_row nsys_event_type[] = {
	{0, "Unknown", "Unknown"},
	{32, "NvtxEvents", "NvtxEvents"},
	{33, "NvtxCategory", "NvtxCategory"},
	{34, "NvtxMark", "NvtxMark"},
	{35, "NvtxPushRange", "NvtxPushRange"},
	{36, "NvtxPopRange", "NvtxPopRange"},
	{37, "NvtxStartRange", "NvtxStartRange"},
	{38, "NvtxEndRange", "NvtxEndRange"},
	{39, "NvtxThread", "NvtxThread"},
	{45, "Cuda", "Cuda"},
	{46, "CudaDevice", "CudaDevice"},
	{59, "NvtxPushPopRange", "NvtxPushPopRange"},
	{60, "NvtxStartEndRange", "NvtxStartEndRange"},
	{64, "NvtxtCategory", "NvtxtCategory"},
	{65, "NvtxtMark", "NvtxtMark"},
	{66, "NvtxtPushRange", "NvtxtPushRange"},
	{67, "NvtxtPopRange", "NvtxtPopRange"},
	{68, "NvtxtStartRange", "NvtxtStartRange"},
	{69, "NvtxtEndRange", "NvtxtEndRange"},
	{70, "NvtxtPushPopRange", "NvtxtPushPopRange"},
	{71, "NvtxtStartEndRange", "NvtxtStartEndRange"},
	{72, "NvtxtMetaThread", "NvtxtMetaThread"},
	{73, "NvtxtMetaProcess", "NvtxtMetaProcess"},
	{74, "NvtxtMetaFileDisplay", "NvtxtMetaFileDisplay"},
	{75, "NvtxDomainCreate", "NvtxDomainCreate"},
	{76, "NvtxDomainDestroy", "NvtxDomainDestroy"},
	{79, "CudaDeviceKernel", "CudaDeviceKernel"},
	{80, "CudaDeviceMemory", "CudaDeviceMemory"},
	{97, "NvtxNameCudaDevice", "NvtxNameCudaDevice"},
	{98, "NvtxNameCudaContext", "NvtxNameCudaContext"},
	{99, "NvtxNameCudaStream", "NvtxNameCudaStream"},
	{106, "CudaSyncEvent", "CudaSyncEvent"},
	{108, "CudaBacktrace", "CudaBacktrace"},
	{113, "CudaGraphNodeCreation", "CudaGraphNodeCreation"},
	{117, "CudaDeviceMemoryUsage", "CudaDeviceMemoryUsage"},
	{119, "CudaUvmCpuPageFaultEvent", "CudaUvmCpuPageFaultEvent"},
	{120, "CudaUvmGpuPageFaultEvent", "CudaUvmGpuPageFaultEvent"},
	{127, "CudaEventRecord", "CudaEventRecord"},
	{129, "CudaDeviceMemoryPool", "CudaDeviceMemoryPool"},
	{130, "CudaDeviceGraph", "CudaDeviceGraph"},
	{131, "CudaGraphExecCreation", "CudaGraphExecCreation"},
	{132, "CudaGraphCreation", "CudaGraphCreation"},
	{133, "CudaGraphClone", "CudaGraphClone"},
	{142, "CudaDeviceMemcpy", "CudaDeviceMemcpy"},
	{148, "CudaConfidentialComputeKeyRotation", "CudaConfidentialComputeKeyRotation"},
	{149, "CudaGraphExecNodeSetParams", "CudaGraphExecNodeSetParams"},
};

/* clang-format off */
#define ENUM_TABLE(name, rows) {name, rows, sizeof(rows) / sizeof((rows)[0])}
/* clang-format on */

const struct enum_table enum_tables[] = {
	ENUM_TABLE("ENUM_CUDA_MEMCPY_OPER", cuda_memcpy_oper),
	ENUM_TABLE("ENUM_CUDA_MEM_KIND", cuda_mem_kind),
	ENUM_TABLE("ENUM_CUDA_UNIF_MEM_MIGRATION", cuda_unif_mem_migration),
	ENUM_TABLE("ENUM_CUPTI_SYNC_TYPE", cupti_sync_type),
	ENUM_TABLE("ENUM_CUPTI_STREAM_TYPE", cupti_stream_type),
	ENUM_TABLE("ENUM_CUDA_KERNEL_LAUNCH_TYPE", cuda_kernel_launch_type),
	ENUM_TABLE("ENUM_CUDA_FUNC_CACHE_CONFIG", cuda_func_cache_config),
	ENUM_TABLE("ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG", cuda_shared_mem_limit_config),
	ENUM_TABLE("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", diagnostic_severity_level),
	ENUM_TABLE("ENUM_DIAGNOSTIC_SOURCE_TYPE", diagnostic_source_type),
	ENUM_TABLE("ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE", diagnostic_timestamp_source),
	ENUM_TABLE("ENUM_NSYS_EVENT_CLASS", nsys_event_class),
	ENUM_TABLE("ENUM_NSYS_EVENT_TYPE", nsys_event_type),
};

const size_t enum_tables_count = sizeof(enum_tables) / sizeof(enum_tables[0]);
