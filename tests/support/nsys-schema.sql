-- nsys-schema.sql: tables that a recording shares with an SQLite export of Nsight Systems 2025.3 (schema 3.20.3):
-- their columns, types and order, as found in real exports. unit-store-schema.c holds recordings against it.
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT ("deviceId" INTEGER, "contextId" INTEGER, "greenContextId" INTEGER,
	"streamId" INTEGER, "correlationId" INTEGER, "globalPid" INTEGER, "eventId" INTEGER, "eventSyncId" INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL ("start" INTEGER, "end" INTEGER, "deviceId" INTEGER, "contextId" INTEGER,
	"greenContextId" INTEGER, "streamId" INTEGER, "correlationId" INTEGER, "globalPid" INTEGER, "demangledName" INTEGER,
	"shortName" INTEGER, "mangledName" INTEGER, "launchType" INTEGER, "cacheConfig" INTEGER, "registersPerThread"
	INTEGER, "gridX" INTEGER, "gridY" INTEGER, "gridZ" INTEGER, "blockX" INTEGER, "blockY" INTEGER, "blockZ" INTEGER,
	"staticSharedMemory" INTEGER, "dynamicSharedMemory" INTEGER, "localMemoryPerThread" INTEGER, "localMemoryTotal"
	INTEGER, "gridId" INTEGER, "sharedMemoryExecuted" INTEGER, "graphNodeId" INTEGER, "sharedMemoryLimitConfig" INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY ("start" INTEGER, "end" INTEGER, "deviceId" INTEGER, "contextId" INTEGER,
	"greenContextId" INTEGER, "streamId" INTEGER, "correlationId" INTEGER, "globalPid" INTEGER, "bytes" INTEGER,
	"copyKind" INTEGER, "deprecatedSrcId" INTEGER, "srcKind" INTEGER, "dstKind" INTEGER, "srcDeviceId" INTEGER,
	"srcContextId" INTEGER, "dstDeviceId" INTEGER, "dstContextId" INTEGER, "migrationCause" INTEGER, "graphNodeId"
	INTEGER, "virtualAddress" INTEGER, "copyCount" INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME ("start" INTEGER, "end" INTEGER, "eventClass" INTEGER, "globalTid" INTEGER,
	"correlationId" INTEGER, "nameId" INTEGER, "returnValue" INTEGER, "callchainId" INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ("start" INTEGER, "end" INTEGER, "deviceId" INTEGER, "contextId"
	INTEGER, "greenContextId" INTEGER, "streamId" INTEGER, "correlationId" INTEGER, "globalPid" INTEGER,
	"deprecatedSyncType" INTEGER, "syncType" INTEGER, "eventId" INTEGER, "eventSyncId" INTEGER);
CREATE TABLE DIAGNOSTIC_EVENT ("timestamp" INTEGER, "timestampType" INTEGER, "source" INTEGER, "severity" INTEGER,
	"text" TEXT, "globalPid" INTEGER);
CREATE TABLE ENUM_CUDA_FUNC_CACHE_CONFIG ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUDA_KERNEL_LAUNCH_TYPE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUDA_MEMCPY_OPER ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUDA_MEM_KIND ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUDA_UNIF_MEM_MIGRATION ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUPTI_STREAM_TYPE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_CUPTI_SYNC_TYPE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_DIAGNOSTIC_SEVERITY_LEVEL ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_DIAGNOSTIC_SOURCE_TYPE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_NSYS_EVENT_CLASS ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE ENUM_NSYS_EVENT_TYPE ("id" INTEGER, "name" TEXT, "label" TEXT);
CREATE TABLE META_DATA_CAPTURE ("name" TEXT, "value" TEXT);
CREATE TABLE META_DATA_EXPORT ("name" TEXT, "value" TEXT);
CREATE TABLE NVTX_EVENTS ("start" INTEGER, "end" INTEGER, "eventType" INTEGER, "rangeId" INTEGER, "category" INTEGER,
	"color" INTEGER, "text" TEXT, "globalTid" INTEGER, "endGlobalTid" INTEGER, "textId" INTEGER, "domainId" INTEGER,
	"uint64Value" INTEGER, "int64Value" INTEGER, "doubleValue" REAL, "uint32Value" INTEGER, "int32Value" INTEGER,
	"floatValue" REAL, "jsonTextId" INTEGER, "jsonText" TEXT, "binaryData" TEXT);
CREATE TABLE PROCESSES ("globalPid" INTEGER, "pid" INTEGER, "name" TEXT);
CREATE TABLE PROFILER_OVERHEAD ("start" INTEGER, "end" INTEGER, "globalTid" INTEGER, "nameId" INTEGER, "returnValue"
	INTEGER);
CREATE TABLE StringIds ("id" INTEGER, "value" TEXT);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO ("nullStreamId" INTEGER, "hwId" INTEGER, "vmId" INTEGER, "processId" INTEGER,
	"deviceId" INTEGER, "contextId" INTEGER, "parentContextId" INTEGER, "isGreenContext" INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE ("gpuId" INTEGER, "cudaId" INTEGER, "pid" INTEGER);
CREATE TABLE TARGET_INFO_CUDA_STREAM ("streamId" INTEGER, "hwId" INTEGER, "vmId" INTEGER, "processId" INTEGER,
	"contextId" INTEGER, "priority" INTEGER, "flag" INTEGER);
CREATE TABLE TARGET_INFO_GPU ("vmId" INTEGER, "id" INTEGER, "name" TEXT, "busLocation" TEXT, "isDiscrete" INTEGER,
	"l2CacheSize" INTEGER, "totalMemory" INTEGER, "memoryBandwidth" INTEGER, "clockRate" INTEGER, "smCount" INTEGER,
	"pwGpuId" INTEGER, "uuid" TEXT, "luid" INTEGER, "chipName" TEXT, "cuDevice" INTEGER, "ctxswDevPath" TEXT,
	"ctrlDevPath" TEXT, "revision" INTEGER, "nodeMask" INTEGER, "constantMemory" INTEGER, "maxIPC" INTEGER,
	"maxRegistersPerBlock" INTEGER, "maxShmemPerBlock" INTEGER, "maxShmemPerBlockOptin" INTEGER, "maxShmemPerSm" INTEGER,
	"maxRegistersPerSm" INTEGER, "threadsPerWarp" INTEGER, "asyncEngines" INTEGER, "maxWarpsPerSm" INTEGER,
	"maxBlocksPerSm" INTEGER, "maxThreadsPerBlock" INTEGER, "maxBlockDimX" INTEGER, "maxBlockDimY" INTEGER,
	"maxBlockDimZ" INTEGER, "maxGridDimX" INTEGER, "maxGridDimY" INTEGER, "maxGridDimZ" INTEGER, "computeMajor" INTEGER,
	"computeMinor" INTEGER, "smMajor" INTEGER, "smMinor" INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME ("utcEpochNs" INTEGER, "utcTime" TEXT, "localTime" TEXT);
CREATE TABLE TARGET_INFO_SYSTEM_ENV ("globalVid" INTEGER, "devStateName" TEXT, "name" TEXT, "nameEnum" INTEGER,
	"value" TEXT);
CREATE TABLE ThreadNames ("nameId" INTEGER, "priority" INTEGER, "globalTid" INTEGER);
