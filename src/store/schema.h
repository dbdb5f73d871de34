/*
 * schema.h: every table of a recording, as data. The one place where a column is named; `make docs-tables` makes the
 * tables of docs/recording.md from it.
 *
 * TABLE(prefix, SQL name, X-macro of columns); COLUMN(prefix, name, type, meaning in Markdown), types:
 *   INT   64-bit integer          REAL  double
 *   TEXT  text stored in place    NAME  text stored once in StringIds, the column holds its id
 * Where Nsight Systems' export has the table, name, columns and meaning are the same as there (schema 3.20).
 * Times are integer nanoseconds from the session's start unless the meaning says otherwise.
 */
#ifndef DBPROF_STORE_SCHEMA_H
#define DBPROF_STORE_SCHEMA_H

#define RECORDING_VERSION 2

/* clang-format off */
#define COLUMNS_KERNEL(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream") COLUMN(T, correlationId, INT, "the API call that launched it") \
	COLUMN(T, globalPid, INT, "process") \
	COLUMN(T, demangledName, NAME, "with parameters and template arguments") \
	COLUMN(T, shortName, NAME, "base name") COLUMN(T, mangledName, NAME, "as in the object file") \
	COLUMN(T, launchType, INT, "`ENUM_CUDA_KERNEL_LAUNCH_TYPE`") \
	COLUMN(T, cacheConfig, INT, "`ENUM_CUDA_FUNC_CACHE_CONFIG`") \
	COLUMN(T, registersPerThread, INT, "registers per thread") COLUMN(T, gridX, INT, "grid size (blocks)") \
	COLUMN(T, gridY, INT, "grid size (blocks)") COLUMN(T, gridZ, INT, "grid size (blocks)") \
	COLUMN(T, blockX, INT, "block size (threads)") COLUMN(T, blockY, INT, "block size (threads)") \
	COLUMN(T, blockZ, INT, "block size (threads)") COLUMN(T, staticSharedMemory, INT, "bytes per block") \
	COLUMN(T, dynamicSharedMemory, INT, "bytes per block") COLUMN(T, localMemoryPerThread, INT, "bytes") \
	COLUMN(T, localMemoryTotal, INT, "bytes") COLUMN(T, gridId, INT, "unique id of the launch") \
	COLUMN(T, sharedMemoryExecuted, INT, "bytes set aside by the driver") \
	COLUMN(T, graphNodeId, INT, "graph node, or NULL") \
	COLUMN(T, sharedMemoryLimitConfig, INT, "`ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG`")

#define COLUMNS_MEMCPY(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream") COLUMN(T, correlationId, INT, "the API call that asked for it") \
	COLUMN(T, globalPid, INT, "process") COLUMN(T, bytes, INT, "bytes moved") \
	COLUMN(T, copyKind, INT, "`ENUM_CUDA_MEMCPY_OPER`") COLUMN(T, deprecatedSrcId, INT, "unused, NULL") \
	COLUMN(T, srcKind, INT, "`ENUM_CUDA_MEM_KIND`") COLUMN(T, dstKind, INT, "`ENUM_CUDA_MEM_KIND`") \
	COLUMN(T, srcDeviceId, INT, "peer copies only") COLUMN(T, srcContextId, INT, "peer copies only") \
	COLUMN(T, dstDeviceId, INT, "peer copies only") COLUMN(T, dstContextId, INT, "peer copies only") \
	COLUMN(T, migrationCause, INT, "managed memory only") COLUMN(T, graphNodeId, INT, "graph node, or NULL") \
	COLUMN(T, virtualAddress, INT, "managed memory only") COLUMN(T, copyCount, INT, "copies in this record")

#define COLUMNS_MEMSET(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream") COLUMN(T, correlationId, INT, "the API call that asked for it") \
	COLUMN(T, globalPid, INT, "process") COLUMN(T, value, INT, "value written") \
	COLUMN(T, bytes, INT, "bytes written") COLUMN(T, graphNodeId, INT, "graph node, or NULL") \
	COLUMN(T, memKind, INT, "`ENUM_CUDA_MEM_KIND`")

#define COLUMNS_RUNTIME(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") \
	COLUMN(T, eventClass, INT, "`ENUM_NSYS_EVENT_CLASS`: 0 runtime, 1 driver") \
	COLUMN(T, globalTid, INT, "thread") \
	COLUMN(T, correlationId, INT, "joins the device work that the call started") \
	COLUMN(T, nameId, NAME, "function") COLUMN(T, returnValue, INT, "cudaError_t or CUresult") \
	COLUMN(T, callchainId, INT, "unused, NULL")

#define COLUMNS_SYNCHRONIZATION(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream, 4294967295 if none") COLUMN(T, correlationId, INT, "the API call") \
	COLUMN(T, globalPid, INT, "process") COLUMN(T, deprecatedSyncType, INT, "unused, NULL") \
	COLUMN(T, syncType, INT, "`ENUM_CUPTI_SYNC_TYPE`") COLUMN(T, eventId, INT, "CUDA event") \
	COLUMN(T, eventSyncId, INT, "joins the record of the event")

/* cudaEventRecord and its kin: which stream an event stands in. A synchronisation that waits for it names the same
 * eventSyncId. */
#define COLUMNS_CUDAEVENT(COLUMN, T) \
	COLUMN(T, deviceId, INT, "CUDA device") COLUMN(T, contextId, INT, "CUDA context") \
	COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream that the event was recorded in") \
	COLUMN(T, correlationId, INT, "the API call") COLUMN(T, globalPid, INT, "process") \
	COLUMN(T, eventId, INT, "CUDA event") \
	COLUMN(T, eventSyncId, INT, "joins the synchronisation that waits for it")

/* One launch of a CUDA graph, where Nsight Systems traces graphs as a whole: its kernels and copies have no rows. */
#define COLUMNS_GRAPHTRACE(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, greenContextId, INT, "green context, or NULL") \
	COLUMN(T, streamId, INT, "stream") COLUMN(T, correlationId, INT, "the API call that launched it") \
	COLUMN(T, globalPid, INT, "process") COLUMN(T, graphId, INT, "graph") \
	COLUMN(T, graphExecId, INT, "executable graph")

/* Which GPU a process means by a CUDA device number. */
#define COLUMNS_CUDADEVICE(COLUMN, T) \
	COLUMN(T, gpuId, INT, "`TARGET_INFO_GPU.id`") COLUMN(T, cudaId, INT, "CUDA device of the process") \
	COLUMN(T, pid, INT, "process id")

#define COLUMNS_CONTEXT(COLUMN, T) \
	COLUMN(T, nullStreamId, INT, "stream id of the context's default stream") COLUMN(T, hwId, INT, "0") \
	COLUMN(T, vmId, INT, "0") COLUMN(T, processId, INT, "process id") COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, contextId, INT, "CUDA context") COLUMN(T, parentContextId, INT, "of a green context, else NULL") \
	COLUMN(T, isGreenContext, INT, "1 if it is one")

#define COLUMNS_STREAM(COLUMN, T) \
	COLUMN(T, streamId, INT, "stream") COLUMN(T, hwId, INT, "0") COLUMN(T, vmId, INT, "0") \
	COLUMN(T, processId, INT, "process id") COLUMN(T, contextId, INT, "CUDA context") \
	COLUMN(T, priority, INT, "lower numbers go first") \
	COLUMN(T, flag, INT, "`ENUM_CUPTI_STREAM_TYPE`: 1 blocking (waits for the default stream), 2 non-blocking, 3 default stream")

#define COLUMNS_PROCESS(COLUMN, T) \
	COLUMN(T, globalPid, INT, "process id shifted left by 24 bits") COLUMN(T, pid, INT, "process id") \
	COLUMN(T, name, TEXT, "of the executable")

#define COLUMNS_THREAD(COLUMN, T) \
	COLUMN(T, nameId, NAME, "name of the thread") COLUMN(T, priority, INT, "NULL") \
	COLUMN(T, globalTid, INT, "thread")

#define COLUMNS_NVTX(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns); NULL for a mark or an open range") \
	COLUMN(T, eventType, INT, "`ENUM_NSYS_EVENT_TYPE`: 34 mark, 59 push/pop, 60 start/end, 75 domain") \
	COLUMN(T, rangeId, INT, "start/end ranges only") COLUMN(T, category, INT, "user's category") \
	COLUMN(T, color, INT, "ARGB") COLUMN(T, text, TEXT, "the range's text") \
	COLUMN(T, globalTid, INT, "thread that opened it") COLUMN(T, endGlobalTid, INT, "thread that closed it") \
	COLUMN(T, textId, NAME, "registered text") \
	COLUMN(T, domainId, INT, "domain; its name is the row of type 75") COLUMN(T, uint64Value, INT, "payload") \
	COLUMN(T, int64Value, INT, "payload") COLUMN(T, doubleValue, REAL, "payload") \
	COLUMN(T, uint32Value, INT, "payload") COLUMN(T, int32Value, INT, "payload") \
	COLUMN(T, floatValue, REAL, "payload") COLUMN(T, jsonTextId, INT, "unused, NULL") \
	COLUMN(T, jsonText, TEXT, "unused, NULL") COLUMN(T, binaryData, TEXT, "unused, NULL")

#define COLUMNS_OVERHEAD(COLUMN, T) \
	COLUMN(T, start, INT, "start (ns)") COLUMN(T, end, INT, "end (ns)") COLUMN(T, globalTid, INT, "thread") \
	COLUMN(T, nameId, NAME, "what the profiler was doing") COLUMN(T, returnValue, INT, "0")

#define COLUMNS_DIAGNOSTIC(COLUMN, T) \
	COLUMN(T, timestamp, INT, "ns") COLUMN(T, timestampType, INT, "`ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE`") \
	COLUMN(T, source, INT, "`ENUM_DIAGNOSTIC_SOURCE_TYPE`") \
	COLUMN(T, severity, INT, "`ENUM_DIAGNOSTIC_SEVERITY_LEVEL`: 1 info, 2 warning, 3 error") \
	COLUMN(T, text, TEXT, "message") COLUMN(T, globalPid, INT, "process")

#define COLUMNS_GPU(COLUMN, T) \
	COLUMN(T, vmId, INT, "0") COLUMN(T, id, INT, "device") COLUMN(T, name, TEXT, "marketing name") \
	COLUMN(T, busLocation, TEXT, "PCI address") COLUMN(T, isDiscrete, INT, "1 if not integrated") \
	COLUMN(T, l2CacheSize, INT, "bytes") COLUMN(T, totalMemory, INT, "bytes") \
	COLUMN(T, memoryBandwidth, INT, "bytes/s, theoretical") COLUMN(T, clockRate, INT, "SM clock limit (Hz)") \
	COLUMN(T, smCount, INT, "multiprocessors") COLUMN(T, pwGpuId, INT, "NULL") \
	COLUMN(T, uuid, TEXT, "device UUID; dbprof leaves it out, since it names one card and recordings are passed on") \
	COLUMN(T, luid, INT, "NULL") COLUMN(T, chipName, TEXT, "GH100 ..., or NULL") \
	COLUMN(T, cuDevice, INT, "CUDA device number") COLUMN(T, ctxswDevPath, TEXT, "NULL") \
	COLUMN(T, ctrlDevPath, TEXT, "NULL") COLUMN(T, revision, INT, "NULL") COLUMN(T, nodeMask, INT, "NULL") \
	COLUMN(T, constantMemory, INT, "bytes") COLUMN(T, maxIPC, INT, "NULL") \
	COLUMN(T, maxRegistersPerBlock, INT, "registers") COLUMN(T, maxShmemPerBlock, INT, "bytes") \
	COLUMN(T, maxShmemPerBlockOptin, INT, "bytes") COLUMN(T, maxShmemPerSm, INT, "bytes") \
	COLUMN(T, maxRegistersPerSm, INT, "registers") COLUMN(T, threadsPerWarp, INT, "threads") \
	COLUMN(T, asyncEngines, INT, "copy engines") COLUMN(T, maxWarpsPerSm, INT, "warps") \
	COLUMN(T, maxBlocksPerSm, INT, "blocks") COLUMN(T, maxThreadsPerBlock, INT, "threads") \
	COLUMN(T, maxBlockDimX, INT, "largest block (threads)") \
	COLUMN(T, maxBlockDimY, INT, "largest block (threads)") \
	COLUMN(T, maxBlockDimZ, INT, "largest block (threads)") COLUMN(T, maxGridDimX, INT, "largest grid (blocks)") \
	COLUMN(T, maxGridDimY, INT, "largest grid (blocks)") COLUMN(T, maxGridDimZ, INT, "largest grid (blocks)") \
	COLUMN(T, computeMajor, INT, "compute capability") COLUMN(T, computeMinor, INT, "compute capability") \
	COLUMN(T, smMajor, INT, "compute capability") COLUMN(T, smMinor, INT, "compute capability")

#define COLUMNS_SESSION(COLUMN, T) \
	COLUMN(T, utcEpochNs, INT, "time zero of every other table (ns since 1970, UTC)") \
	COLUMN(T, utcTime, TEXT, "the same, readable") COLUMN(T, localTime, TEXT, "the same, readable")

/* One fact about the recording a row: see docs/recording.md for the keys. */
#define COLUMNS_META(COLUMN, T) \
	COLUMN(T, key, TEXT, "which fact; unique") \
	COLUMN(T, value, TEXT, "the fact")

/* One process of a traced program, and what is missing of it. */
#define COLUMNS_TRACEDPROCESS(COLUMN, T) \
	COLUMN(T, pid, INT, "process id") \
	COLUMN(T, parent, INT, "process id of its parent") \
	COLUMN(T, command, TEXT, "its command line, arguments with spaces between") \
	COLUMN(T, start, INT, "when CUDA was first used (ns)") \
	COLUMN(T, end, INT, "when its last records were handed over (ns)") \
	COLUMN(T, finished, INT, "1 if it ended by returning or exit(): nothing is missing at its end") \
	COLUMN(T, dropped, INT, "records that CUPTI lost") \
	COLUMN(T, untimed, INT, "records without times, left out") \
	COLUMN(T, note, TEXT, "why it was not recorded, or not to its end, for a person; or NULL") \
	COLUMN(T, wideRanges, INT, "NVTX ranges with names in wide characters (nvtxRangePushW), which are not recorded; NULL if it did not end, and in older recordings")

/* A kernel of a module that a traced program loaded: only where the machine code was asked for, as `dbprof contrast` does. */
#define COLUMNS_CODE(COLUMN, T) \
	COLUMN(T, globalPid, INT, "process") \
	COLUMN(T, module, INT, "CUPTI's number of the module; NULL: modules were loaded of which nothing is known") \
	COLUMN(T, mangledName, NAME, "name of the kernel in the binary; NULL: the module was not read, since it is damaged or too large") \
	COLUMN(T, hash, TEXT, "of its machine code before it is loaded, its constants, and what of the module all its kernels may use: functions, constants, initial values (64 bits, hexadecimal); NULL with mangledName") \
	COLUMN(T, bytes, INT, "of its machine code; of the module where that was not read")

/* A launch of a kernel with clusters of several blocks. Others have no row. */
#define COLUMNS_CLUSTER(COLUMN, T) \
	COLUMN(T, globalPid, INT, "process") COLUMN(T, correlationId, INT, "the API call that launched it") \
	COLUMN(T, graphNodeId, INT, "graph node, or NULL") \
	COLUMN(T, clusterX, INT, "cluster size (blocks)") COLUMN(T, clusterY, INT, "cluster size (blocks)") \
	COLUMN(T, clusterZ, INT, "cluster size (blocks)")

/* An instruction of a kernel of a side of a contrast, as nvdisasm prints it. Its code's hash is `DBPROF_MATCH.code`. */
#define COLUMNS_INSTRUCTION(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, symbol, NAME, "mangled name of the kernel") \
	COLUMN(T, ord, INT, "position in the kernel, from 0") \
	COLUMN(T, offset, INT, "from the kernel's begin (bytes): `DBPROF_STALL.offset`") \
	COLUMN(T, label, TEXT, "what jumps call this place; NULL: nothing jumps here") \
	COLUMN(T, text, TEXT, "the instruction, one line") \
	COLUMN(T, file, NAME, "that it was compiled from: `DBPROF_SOURCE.file`, or another's base name; NULL if unknown") \
	COLUMN(T, line, INT, "of that file; NULL if unknown")

/* How one pass over one family went. */
#define COLUMNS_PASS(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, pass, TEXT, "verify, time, trace, pm, counters, stalls or phases; code of a contrast of programs and of an advice; machine of an advice: the constants of `DBPROF_MACHINE`") \
	COLUMN(T, status, TEXT, "done, skipped or failed") \
	COLUMN(T, reason, TEXT, "why it was skipped or failed, or what a done one lacks, for a person; else NULL") \
	COLUMN(T, start, INT, "when it began (ns)") \
	COLUMN(T, end, INT, "when it ended (ns)") \
	COLUMN(T, run, INT, "which of the processes of this pass, from 0; NULL in old recordings")

#define COLUMNS_FAMILY(COLUMN, T) \
	COLUMN(T, name, TEXT, "unique") \
	COLUMN(T, ord, INT, "position in the report") \
	COLUMN(T, title, TEXT, "headline") \
	COLUMN(T, question, TEXT, "what it asks, in two sentences at most") \
	COLUMN(T, teaches, TEXT, "what the contrast shows") \
	COLUMN(T, source, TEXT, "the text that it comes from") \
	COLUMN(T, file, TEXT, "`DBPROF_SOURCE.file`") \
	COLUMN(T, throughput, TEXT, "GFLOP/s, GB/s, Gelements/s or frames/s") \
	COLUMN(T, boundBy, TEXT, "whose bytes `DBPROF_CASE.bytes` counts") \
	COLUMN(T, single, TEXT, "contrast pair: variant") COLUMN(T, double, TEXT, "contrast pair: variant") \
	COLUMN(T, origin, TEXT, "programs: made by `dbprof contrast` of somebody's programs; traces: by `dbprof compare` of two traced runs; advice: by `dbprof advise`, of one program, which is no family to show; NULL: kernels of a family")

#define COLUMNS_VARIANT(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, name, TEXT, "unique in the family") \
	COLUMN(T, ord, INT, "position in the family") \
	COLUMN(T, summary, TEXT, "what it does differently, in one line") \
	COLUMN(T, kind, TEXT, "candidate, control, reference; or a part of the work, which is timed only: floor (the bytes of a pipeline both ways, no kernels, no dependencies), loads, stores, compute") \
	COLUMN(T, buffers, INT, "1 single, 2 double ...; 0: a reference, or one that needs none") \
	COLUMN(T, teachesFailure, INT, "1 if wrong on purpose") \
	COLUMN(T, file, TEXT, "`DBPROF_SOURCE.file` of its code; NULL: that of the family") \
	COLUMN(T, rungStep, INT, "place on the family's ladder, from 1, the lowest; NULL: not on it") \
	COLUMN(T, rungOver, TEXT, "the rung from which it differs by one thing; NULL for the lowest, and for what has nothing to do with the ladder") \
	COLUMN(T, rungChange, TEXT, "what it adds to that rung; what is taken away from it if rungStep is NULL") \
	COLUMN(T, rungAlong, TEXT, "what comes or goes with that, since it cannot be had alone, or NULL") \
	COLUMN(T, kernelName, TEXT, "of a reference: what must stand in the name of its longest kernel, parts with `|` between, one of which is enough; NULL: any name") \
	COLUMN(T, untraced, TEXT, "why the trace pass leaves it out, for a person, as its records would tell of less than it does; NULL: it does not")

/* A hazard that a variant is there to show. */
#define COLUMNS_HAZARD(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, ord, INT, "from 0") \
	COLUMN(T, tool, TEXT, "of compute-sanitizer, which finds it: memcheck, racecheck, synccheck or initcheck") \
	COLUMN(T, text, TEXT, "what is wrong, in a sentence")

#define COLUMNS_CASE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, label, TEXT, "unique in the family") \
	COLUMN(T, ord, INT, "0 is the headline") \
	COLUMN(T, verifyOnly, INT, "1 if it is never timed") \
	COLUMN(T, flops, REAL, "floating-point operations per launch") \
	COLUMN(T, bytes, REAL, "bytes that must move, per launch") \
	COLUMN(T, elements, REAL, "results made per launch") \
	COLUMN(T, sweep, TEXT, "`DBPROF_SWEEP.name` if it is a point of a sweep, else NULL") \
	COLUMN(T, measures, TEXT, "what a sample of a contrast of programs is: kernels, the GPU time of all launches of a step; kernel, of one matched kernel; graph, of the kernels of a CUDA graph in a step; program, host time of a step; NULL: a launch of the family") \
	COLUMN(T, stepTime, TEXT, "what the host time of a step is: duration, the length of its range; period, from its begin to the begin of the next one of its process, without pauses; period with pauses, the same with them; NULL of other cases, without a range, and in older recordings, which have durations")

/* A side of a contrast of programs: a variant that is a command. */
#define COLUMNS_SIDE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, command, TEXT, "its words, quoted as a shell needs them") \
	COLUMN(T, environment, TEXT, "NAME=VALUE lines that were added to the environment, or NULL") \
	COLUMN(T, exit, INT, "exit status of the run that failed, else of the first; NULL if a signal ended it, or if it was never run") \
	COLUMN(T, signal, INT, "the signal that ended the run that failed, or NULL") \
	COLUMN(T, output, TEXT, "hash of the standard output of its first run (64-bit FNV-1a, hexadecimal); NULL if it was never run") \
	COLUMN(T, outputBytes, INT, "length of that output") \
	COLUMN(T, outputCheck, TEXT, "same, differs, or failed: the output held against that of the first side; NULL if not checked") \
	COLUMN(T, vary, TEXT, "what `--vary` gives values, NULL without it") \
	COLUMN(T, value, TEXT, "its value in this command, NULL without `--vary`") \
	COLUMN(T, variation, TEXT, "alike: the same kernels, launches and resources as the first side's; differs: not the same; NULL of the first side, and where nothing was traced") \
	COLUMN(T, ended, TEXT, "of the run that failed, where it did not end by itself: not-started, the program could not be started (`exit` is then a shell's 127); else dbprof ended it: timeout, after `--timeout`; output, for what it printed; stopped, as it was stopped and did not go on; NULL of all others, and in older recordings")

/* A run of a side: a process of its own. Runs of a block stand in an order such as A B B A. */
#define COLUMNS_BLOCK(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, kind, TEXT, "warm-up, plain, host (NVTX alone, no CUPTI), traced, counted (hardware counters), sampled (PC samples), pm (occupancy and traffic over time), or code (traced, to keep its machine code)") \
	COLUMN(T, block, INT, "`DBPROF_SAMPLE.block`; NULL for a warm-up and for the four kinds of runs behind the blocks") \
	COLUMN(T, position, INT, "`DBPROF_SAMPLE.position`; NULL for a warm-up and for the four kinds of runs behind the blocks") \
	COLUMN(T, start, INT, "when the process was started (ns)") \
	COLUMN(T, end, INT, "when it had ended (ns)") \
	COLUMN(T, steps, INT, "steady steps; NULL if none were looked for. Samples are of as many first ones in all runs") \
	COLUMN(T, stepNs, REAL, "mean host time of a steady step (ns), of as many first ones of each process in all runs, as `DBPROF_CASE.stepTime` says, traced runs too; NULL without a range") \
	COLUMN(T, smMhz, REAL, "mean SM clock while steady steps ran (MHz); without a range: while the GPU had work; NULL if unknown") \
	COLUMN(T, powerMw, REAL, "mean power at these times (mW), each reading NVML's mean of the second before; NULL if unknown") \
	COLUMN(T, throttle, INT, "NVML's bit mask: all reasons to throttle that were seen at these times; NULL if unknown") \
	COLUMN(T, readings, INT, "readings of clock and power that the means are of") \
	COLUMN(T, gpu, INT, "`TARGET_INFO_GPU.id` of the GPU whose clock was read: a traced run's own, else that of the side's last traced run; NULL if unknown") \
	COLUMN(T, gpus, INT, "GPUs that kernels of a traced run ran on; NULL of other runs") \
	COLUMN(T, launches, INT, "kernels that a traced run launched, also those that do not count; NULL of other runs") \
	COLUMN(T, gpuNs, INT, "GPU time of all of them (ns)") \
	COLUMN(T, waits, INT, "1: each steady step of a traced run ends in a synchronisation, before another one of its process begins; 0: not each; NULL of other runs and without a range") \
	COLUMN(T, incomplete, INT, "1: records of a traced run are missing or have no times; 2: with a range, a process lost as many as it has steady steps, or more; 3: the export says that some may be, and not how many; 0: none is known to be; NULL of other runs") \
	COLUMN(T, firstSteps, INT, "how many of its steady steps the kernel times of a traced run's samples are of: as many first ones of each process in all runs; NULL if all are, of other runs and without a range") \
	COLUMN(T, beginShare, REAL, "of the steps that a run's samples are of, the share that is the first step of a process: of a traced run those of its kernels' times, else those of its host times; NULL without a range, and in older recordings") \
	COLUMN(T, kernelSumNs, REAL, "time of the kernels that count in a steady step of a traced run, mean over all of these (ns); NULL of other runs") \
	COLUMN(T, kernelBusyNs, REAL, "the same, but moments in which several run on a GPU count once (ns); NULL of other runs") \
	COLUMN(T, kernelSpanNs, INT, "of a traced run: from the begin of its first kernel to the end of its last (ns); NULL of other runs") \
	COLUMN(T, lagShare, REAL, "how far the periods of a traced run may be off: the change of the GPU's lag behind the host, as a share of them; NULL of other runs, without a range, and without two neighbouring steady steps") \
	COLUMN(T, periodNs, REAL, "mean time from the begin of a steady step to that of the next one (ns), traced runs too; without pauses, unless `DBPROF_CASE.stepTime` has them; NULL without a range, and without two neighbouring steady steps") \
	COLUMN(T, placedNs, REAL, "of a traced run: what stepNs would be if other traced runs of the side told which of its steps count, as they do of runs without CUPTI (ns); NULL of other runs, without a range, and if that is not known") \
	COLUMN(T, graphs, REAL, "CUDA graphs that a steady step of a traced run launches and that were traced as a whole, mean; NULL of other runs") \
	COLUMN(T, graphNs, REAL, "their GPU time, with all that is in them (ns)") \
	COLUMN(T, allSteps, INT, "steps of a traced run, also those that do not count; NULL of other runs and without a range, as are all columns that follow") \
	COLUMN(T, processes, INT, "processes that have steps") \
	COLUMN(T, leftKernels, TEXT, "hash of the kernels that do not count, the first step's aside: names, shapes, resources and machine code (64 bits, hexadecimal)") \
	COLUMN(T, spanSteps, INT, "steps that begin from the start of a process's first steady step to that of its last one; of a process with one steady step that one; if steps follow the last one whose list of kernels also lies between steady ones, to the end of the last of these") \
	COLUMN(T, spanLeftSteps, INT, "those of them that do not count: with other kernels than most, or none") \
	COLUMN(T, spanNs, REAL, "GPU time of the kernels that these steps launch (ns); with `--kernel` of the chosen ones") \
	COLUMN(T, spanLeftNs, REAL, "that of those in steps that do not count (ns)") \
	COLUMN(T, spanOutsideNs, REAL, "that of those that are launched in that time outside of steps, also by processes that have none (ns)") \
	COLUMN(T, spanHostNs, REAL, "host times of these steps together (ns)") \
	COLUMN(T, spanBetweenNs, REAL, "time in which no step is open then (ns); behind a last step it is taken to be as long as by mean, as it is for spanOutsideNs and spanCopyNs") \
	COLUMN(T, spanCopyNs, REAL, "of the copies between host and device that are asked for in that time, and by no step: how long they run while no step is open (ns)") \
	COLUMN(T, spanLoopNs, REAL, "how long that time is, of all processes together, pauses included (ns); behind a last step as spanBetweenNs") \
	COLUMN(T, outsideNs, REAL, "GPU time of all kernels that the run launches outside of steps (ns); with `--kernel` of the chosen ones") \
	COLUMN(T, emptySteps, INT, "steps that launch no such kernel, but for warm-up") \
	COLUMN(T, emptyHostNs, REAL, "host times of these together (ns)") \
	COLUMN(T, h2dNs, INT, "of the host time of a steady step of a traced run, as stepNs has it, mean (ns): with copies host to device, on the GPU whose kernels take the most of it; NULL of other runs and without a range, as are all columns that follow") \
	COLUMN(T, d2hNs, INT, "with copies device to host (ns)") \
	COLUMN(T, kernelNs, INT, "with kernels (ns)") \
	COLUMN(T, otherNs, INT, "with memsets, other copies and kernels that communicate (ns)") \
	COLUMN(T, copyNs, INT, "with copies in any of the two directions (ns)") \
	COLUMN(T, busyNs, INT, "with anything (ns)") \
	COLUMN(T, overlapNs, INT, "with copies and kernels at once (ns)") \
	COLUMN(T, exposedH2dNs, INT, "with copies host to device and no kernel (ns)") \
	COLUMN(T, exposedD2hNs, INT, "with copies device to host and no kernel (ns)") \
	COLUMN(T, duplexNs, INT, "with copies in both directions at once (ns)") \
	COLUMN(T, copies, REAL, "copies between host and device that a steady step asks for") \
	COLUMN(T, copyBytes, REAL, "bytes of them") \
	COLUMN(T, pageable, INT, "1 if some of them are to or from pageable memory") \
	COLUMN(T, elsewhereNs, INT, "of the host time: with nothing on that GPU, and work on another one that the same process uses (ns); kernels that communicate are no such work") \
	COLUMN(T, communicationNs, INT, "of otherNs: with kernels that communicate (NCCL, NVSHMEM) (ns); NULL in older recordings")

/* A kind of steps of a traced run: those with the same list of kernels, and once more those that have the same grids and
 * blocks as well. The ten kinds of each with the most steps are kept. */
#define COLUMNS_STEPKIND(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, block, INT, "`DBPROF_BLOCK.block`") \
	COLUMN(T, position, INT, "`DBPROF_BLOCK.position`") \
	COLUMN(T, list, TEXT, "hash of the base names of the kernels that each step launches (64 bits, hexadecimal)") \
	COLUMN(T, shape, TEXT, "hash of these with grid, block and number of launches; NULL: steps of the list, whatever these are") \
	COLUMN(T, name, TEXT, "base name of the kernel that takes the most time in the first of its steps") \
	COLUMN(T, names, TEXT, "hash of the base names of `list`, each once") \
	COLUMN(T, launches, INT, "kernels that a step launches") \
	COLUMN(T, steps, INT, "its steps") \
	COLUMN(T, steady, INT, "those that count") \
	COLUMN(T, later, INT, "its steps but for warm-up (`docs/contrast.md`)") \
	COLUMN(T, ns, REAL, "GPU time of the kernels of these (ns)") \
	COLUMN(T, hostNs, REAL, "host times of these together (ns)") \
	COLUMN(T, allSteps, INT, "steps of the run with a kernel, of all kinds")

/* What of a traced run does not count, and why. Reasons that a run does not have are left out. */
#define COLUMNS_LEFTOUT(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, block, INT, "`DBPROF_BLOCK.block`") \
	COLUMN(T, position, INT, "`DBPROF_BLOCK.position`") \
	COLUMN(T, reason, TEXT, "first-step, other-step (its kernels are not those of most steps), empty-step, first-launch (of a kernel in a process, without a range), outside (no step was open), other-thread, no-call (it is not known who launched it), not-chosen (in a step, but not by `--kernel`)") \
	COLUMN(T, steps, INT, "steps") \
	COLUMN(T, launches, INT, "launches of kernels") \
	COLUMN(T, ns, INT, "their GPU time (ns)")

/* The steady step that stands for those of a side: its kernels take nearest to the median of all. What runs
 * in a window of time, its calls and ranges are in the tables of a trace, at times of their own: two windows do not
 * overlap. Work that is not the step's has no call. */
#define COLUMNS_MEDIANSTEP(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label` of the case of all kernels") \
	COLUMN(T, block, INT, "`DBPROF_BLOCK.block` of its run; NULL of two traces") \
	COLUMN(T, position, INT, "`DBPROF_BLOCK.position` of its run; NULL of two traces") \
	COLUMN(T, step, INT, "which step of its run it is, from 1; NULL without a range: the run") \
	COLUMN(T, steps, INT, "steps of its run; NULL without a range") \
	COLUMN(T, steady, INT, "steady steps that the median is of, in all traced runs of the side") \
	COLUMN(T, ns, REAL, "GPU time of its kernels (ns)") \
	COLUMN(T, medianNs, REAL, "median of that over these steps (ns)") \
	COLUMN(T, pieces, INT, "kernels, graphs, copies and memsets of the step, also outside of the window") \
	COLUMN(T, start, INT, "begin of the window (ns); in older recordings of the range, or of the first work if that comes before it") \
	COLUMN(T, end, INT, "end of the window (ns); in older recordings of the range, or of the last work if that comes behind it") \
	COLUMN(T, kept, INT, "1: its work is in the recording; 0: there is too much of it") \
	COLUMN(T, window, TEXT, "what time of the run is kept: duration, the step's range; period, from its begin to the begin of the next one of its process; kernels, as long, from the begin of its first kernel; work, from the begin of its first work to the end of its last; run, all; NULL in older recordings") \
	COLUMN(T, inside, INT, "pieces of the step in the window; NULL if they are not kept, and in older recordings") \
	COLUMN(T, others, INT, "pieces in the window that are not the step's; NULL likewise, older recordings have none") \
	COLUMN(T, behindNs, INT, "how far behind the window the last work of the step ends (ns); NULL if it does not")

/* A kernel of a side, and the case that it is matched in. */
#define COLUMNS_MATCH(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`, the same for all kernels that match each other; those with a small part of the time have no such case; NULL: no kernel of another side matches") \
	COLUMN(T, ord, INT, "position in a step, from 0") \
	COLUMN(T, name, NAME, "with parameters and template arguments") \
	COLUMN(T, shortName, NAME, "base name") \
	COLUMN(T, how, TEXT, "grid: by base name, order and grid; name: by base name and order; sum: all kernels of a base name, launched as often in all, whose grids differ; place: by the place in steps that are else alike, under different names; NULL if not matched") \
	COLUMN(T, gridX, INT, "grid size (blocks); NULL, as of the block, where several are one kernel") COLUMN(T, gridY, INT, "grid size (blocks)") \
	COLUMN(T, gridZ, INT, "grid size (blocks)") \
	COLUMN(T, blockX, INT, "block size (threads)") COLUMN(T, blockY, INT, "block size (threads)") \
	COLUMN(T, blockZ, INT, "block size (threads)") \
	COLUMN(T, registers, INT, "registers per thread; NULL if unknown, as in the next three columns") \
	COLUMN(T, staticSmem, INT, "bytes per block") COLUMN(T, dynamicSmem, INT, "bytes per block") \
	COLUMN(T, localBytes, INT, "bytes of local memory per thread") \
	COLUMN(T, launches, REAL, "launches in a step, mean over runs and steps") \
	COLUMN(T, ns, REAL, "GPU time in a step (ns), median over runs") \
	COLUMN(T, share, REAL, "its part of all kernels' time in a step, 0 to 1") \
	COLUMN(T, code, TEXT, "hash of its machine code in all runs: `DBPROF_CODE.hash`, or a hash of those of all its template instances; NULL if unknown, or not the same in all launches") \
	COLUMN(T, codes, INT, "1: one machine code in all runs; 2: other code came under its name, within a run or from run to run; NULL: unknown") \
	COLUMN(T, elsewhere, INT, "of a kernel without a match. 1: a side that it was to match runs its base name in other steps, outside of steps, or on threads whose step is not known; 0: it does not; NULL of other kernels") \
	COLUMN(T, inGraphs, INT, "1: nodes of CUDA graphs are some of its launches in a step; 0: none is") \
	COLUMN(T, clusterX, INT, "cluster size (blocks) of its first launch, 1 without clusters") \
	COLUMN(T, clusterY, INT, "cluster size (blocks)") COLUMN(T, clusterZ, INT, "cluster size (blocks)") \
	COLUMN(T, cooperative, INT, "1: its first launch is cooperative; 0: it is not; NULL if unknown")

/* A grid of cases; the parameters of its points are in DBPROF_PARAM. */
#define COLUMNS_SWEEP(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, name, TEXT, "`DBPROF_CASE.sweep`") \
	COLUMN(T, ord, INT, "position in the family") \
	COLUMN(T, title, TEXT, "title") \
	COLUMN(T, question, TEXT, "one sentence") \
	COLUMN(T, single, TEXT, "the pair compared: `DBPROF_VARIANT.name`") \
	COLUMN(T, double, TEXT, "the pair compared: `DBPROF_VARIANT.name`") \
	COLUMN(T, x, TEXT, "parameter along the curve") \
	COLUMN(T, y, TEXT, "second parameter, NULL if there is none") \
	COLUMN(T, points, INT, "of the whole grid; fewer have samples if it was interrupted")

#define COLUMNS_PARAM(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, name, TEXT, "as in `--set NAME=VALUE`") \
	COLUMN(T, value, INT, "its value in this case") \
	COLUMN(T, unit, TEXT, "elements, threads ...") \
	COLUMN(T, summary, TEXT, "what it is")

/* A variant that cannot run here, with the reason. */
#define COLUMNS_UNSUPPORTED(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, reason, TEXT, "for a person")

/* Of a variant whose number of buffers is not the same in all cases and on all devices. */
#define COLUMNS_BUFFERS(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, buffers, INT, "those that it used in this case; without such a row: `DBPROF_VARIANT.buffers`")

/* Resources of a variant's kernel in one case. */
#define COLUMNS_RESOURCE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, symbol, TEXT, "mangled name of the kernel") \
	COLUMN(T, gridX, INT, "grid size (blocks)") COLUMN(T, gridY, INT, "grid size (blocks)") \
	COLUMN(T, gridZ, INT, "grid size (blocks)") \
	COLUMN(T, blockX, INT, "block size (threads)") COLUMN(T, blockY, INT, "block size (threads)") \
	COLUMN(T, blockZ, INT, "block size (threads)") \
	COLUMN(T, registers, INT, "registers per thread") \
	COLUMN(T, staticSmem, INT, "bytes per block") COLUMN(T, dynamicSmem, INT, "bytes per block") \
	COLUMN(T, localBytes, INT, "bytes of local memory per thread") \
	COLUMN(T, blocksPerSm, INT, "resident blocks, as the CUDA runtime says; of a contrast of programs computed from the limits of the GPU, NULL if unknown")

#define COLUMNS_VERIFY(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, run, INT, "number of the run, from 0") \
	COLUMN(T, seed, INT, "of the random inputs") \
	COLUMN(T, elements, INT, "elements compared") \
	COLUMN(T, wrong, INT, "how many of them were wrong") \
	COLUMN(T, firstWrong, INT, "index of the first wrong one, NULL if none") \
	COLUMN(T, got, REAL, "its value; NULL if it was never written") \
	COLUMN(T, want, REAL, "its reference") \
	COLUMN(T, maxError, REAL, "largest error over its tolerance: above 1 is wrong")

/* One timed batch. */
#define COLUMNS_SAMPLE(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, block, INT, "number of the A B B A block, from 0") \
	COLUMN(T, position, INT, "position in the block, from 0") \
	COLUMN(T, launches, INT, "launches in the batch") \
	COLUMN(T, ns, REAL, "time per launch (ns): that of the batch over its launches") \
	COLUMN(T, smClockMhz, INT, "SM clock as NVML says right after the batch (MHz), NULL if unknown") \
	COLUMN(T, run, INT, "process that took the sample, from 0; block numbers go on from one to the next") \
	COLUMN(T, measuredMhz, REAL, "SM clock measured on the GPU right behind the batch: cycles over nanoseconds (MHz); NULL if unknown")

/* A batch timed by CUDA events while activity records are on: against DBPROF_SAMPLE, what tracing costs. */
#define COLUMNS_TRACED(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, launches, INT, "launches in the batch") \
	COLUMN(T, ns, REAL, "time per launch (ns)")

/* An item of a launch, such as a frame of a camera: when it came and when it had gone through. Times are the host's. */
#define COLUMNS_ITEM(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, run, INT, "process that launched it, from 0") \
	COLUMN(T, launch, INT, "number of the launch in its process, from 0") \
	COLUMN(T, ord, INT, "position in the launch, from 0") \
	COLUMN(T, arrivedNs, INT, "when it was due, or could have been taken: after the launch began") \
	COLUMN(T, takenNs, INT, "when it had a buffer and its work was about to be enqueued") \
	COLUMN(T, doneNs, INT, "when the host saw that its result was there") \
	COLUMN(T, workNs, REAL, "from when a stream reached its first work to the end of its last, by CUDA events; NULL if unknown") \
	COLUMN(T, heldBack, INT, "1: when its turn came, no place was free: as many were under way as may be")

/* What the machine can do at best, measured before the first sample of a family. */
#define COLUMNS_MACHINE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`: whose time pass measured it") \
	COLUMN(T, key, TEXT, "member of `struct machine` (`analyze/machine.h`)") \
	COLUMN(T, title, TEXT, "in a few words") \
	COLUMN(T, value, REAL, "NULL if it could not be measured") \
	COLUMN(T, unit, TEXT, "unit")

/* What was predicted, before the first sample of the case. */
#define COLUMNS_PREDICTION(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, single, TEXT, "`DBPROF_VARIANT.name`") COLUMN(T, double, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, timestamp, INT, "when (ns)") \
	COLUMN(T, ratio, REAL, "time of single over time of double") \
	COLUMN(T, singleNs, REAL, "time per launch (ns)") COLUMN(T, doubleNs, REAL, "time per launch (ns)") \
	COLUMN(T, singleBound, TEXT, "what limits it, in a word") \
	COLUMN(T, doubleBound, TEXT, "what limits it, in a word") \
	COLUMN(T, singleUnderWay, REAL, "bytes that an SM's blocks have asked for and not got yet, at most; NULL: their steps load nothing") \
	COLUMN(T, doubleUnderWay, REAL, "the same of double") \
	COLUMN(T, singleNeeded, REAL, "bytes that an SM needs under way so that memory is never idle; NULL as before") \
	COLUMN(T, doubleNeeded, REAL, "the same of double")

/* What was judged of a kernel while recording: would more tiles in flight make it faster? */
#define COLUMNS_ADVICE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`: the kernel") \
	COLUMN(T, ord, INT, "from 0, by its part of the kernels' time") \
	COLUMN(T, timestamp, INT, "when it was judged (ns)") \
	COLUMN(T, launchNs, REAL, "a launch in the traced runs (ns)") \
	COLUMN(T, verdict, TEXT, "pays, does-not, too-close or unknown") \
	COLUMN(T, now, INT, "stages in flight as it runs: tiles ahead and one more; NULL if unknown") \
	COLUMN(T, stages, INT, "to take; as `now` if no other number is better; NULL if unknown") \
	COLUMN(T, isTriton, INT, "1: its source is Python, so that stages are those of `tl.range(num_stages=)`") \
	COLUMN(T, way, TEXT, "how tiles come to shared memory: none, registers, ldgsts, ublkcp or utmaldg; NULL if unknown") \
	COLUMN(T, lacking, TEXT, "what was not measured and would be needed, or why the kernel was not judged; NULL: nothing") \
	COLUMN(T, file, TEXT, "of the instruction that brings tiles: `DBPROF_SOURCE.file`, or another's base name; NULL if unknown") \
	COLUMN(T, line, INT, "its line, from 1; NULL if unknown") \
	COLUMN(T, loopFirst, INT, "offset of the loop's first instruction (bytes); NULL if there is none, or it is unknown") \
	COLUMN(T, loopLast, INT, "offset of its last instruction (bytes)")

/* Time as run over time with a change, less 1. */
#define COLUMNS_ADVICEGAIN(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, way, TEXT, "stages: as many, as tiles come now; copies: by asynchronous copies; registers: by loads ahead into registers") \
	COLUMN(T, stages, INT, "in flight") \
	COLUMN(T, low, REAL, "end of an interval that is likely to hold the truth; NULL: it does not fit, or is unknown") \
	COLUMN(T, mid, REAL, "time as it runs over time then, less 1") \
	COLUMN(T, high, REAL, "the other end")

#define COLUMNS_ADVICECAUSE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, ord, INT, "from 0, the largest first") \
	COLUMN(T, id, TEXT, "see docs/causes.md") \
	COLUMN(T, ns, REAL, "part of a launch's time that it is about; NULL: none") \
	COLUMN(T, low, REAL, "its interval (ns)") COLUMN(T, high, REAL, "its interval (ns)")

#define COLUMNS_ADVICEEVIDENCE(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, cause, INT, "`DBPROF_ADVICE_CAUSE.ord`") \
	COLUMN(T, ord, INT, "from 0") \
	COLUMN(T, metric, TEXT, "`DBPROF_METRIC.key`, or a term of the model") \
	COLUMN(T, value, REAL, "value") COLUMN(T, unit, TEXT, "unit")

/* Launches and copies: counted on the host, and found in the records, over a variant's traced iterations. */
#define COLUMNS_COUNT(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, iterations, INT, "iterations traced") \
	COLUMN(T, what, TEXT, "kernels, copies or memsets") \
	COLUMN(T, host, INT, "counted on the host") \
	COLUMN(T, recorded, INT, "found in the records") \
	COLUMN(T, lowerBound, INT, "1 if `host` is a lower bound, for a library launches as well")

#define COLUMNS_CLOCK(COLUMN, T) \
	COLUMN(T, timestamp, INT, "when (ns)") \
	COLUMN(T, deviceId, INT, "CUDA device") \
	COLUMN(T, smMhz, INT, "SM clock (MHz)") \
	COLUMN(T, memMhz, INT, "memory clock (MHz)") \
	COLUMN(T, temperatureC, INT, "temperature (°C)") \
	COLUMN(T, powerMw, INT, "power (mW)") \
	COLUMN(T, throttle, INT, "NVML's bit mask of reasons to throttle, NULL if unknown") \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, block, INT, "the `DBPROF_SAMPLE.block` that it was read after") \
	COLUMN(T, processes, INT, "that compute on the GPU, this one included; NULL if unknown")

#define COLUMNS_SOURCE(COLUMN, T) \
	COLUMN(T, file, TEXT, "its name, as in `DBPROF_FAMILY.file`; of a contrast of programs the base name, of another file with the same one `NAME (2)`") \
	COLUMN(T, text, TEXT, "the file as it was compiled")

#define COLUMNS_PTX(COLUMN, T) \
	COLUMN(T, file, TEXT, "`DBPROF_SOURCE.file`") \
	COLUMN(T, arch, TEXT, "compute_90 ...") \
	COLUMN(T, text, TEXT, "the PTX, with its `.loc` line table")

#define COLUMNS_STEP(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, row, INT, "number of the step; 0 is the input") \
	COLUMN(T, stride, INT, "distance of the second operand") \
	COLUMN(T, element, INT, "from 0") \
	COLUMN(T, value, REAL, "its value after the step") \
	COLUMN(T, racy, INT, "1 if computed from a value that may change meanwhile")

/* A value that a metric set derives from counters: what it is called, how it is worked out, what it tells. */
#define COLUMNS_METRIC(COLUMN, T) \
	COLUMN(T, setName, TEXT, "metric set: metrics/NAME.set") \
	COLUMN(T, ord, INT, "position in the set") \
	COLUMN(T, pass, TEXT, "counters or pm") \
	COLUMN(T, setTitle, TEXT, "what the set is called in the report") \
	COLUMN(T, key, TEXT, "unique among the sets of the pass") \
	COLUMN(T, title, TEXT, "a few words") \
	COLUMN(T, unit, TEXT, "%, bytes, instructions ...") \
	COLUMN(T, formula, TEXT, "of names of metrics") \
	COLUMN(T, meaning, TEXT, "one sentence")

/* A metric as the range profiler gave it, of one kernel of a launch, or of all of a launch's work together. */
#define COLUMNS_COUNTER(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, scope, TEXT, "kernel: one kernel, run alone; range: a whole launch, with its concurrency") \
	COLUMN(T, ord, INT, "kernel of the launch, from 0; 0 for a range") \
	COLUMN(T, metric, NAME, "CUPTI's name") \
	COLUMN(T, value, REAL, "NULL if not available") \
	COLUMN(T, replays, INT, "replays that it took to get all metrics that were collected with it; in each the work ran twice, and the second time counts. In a contrast of programs: launches, of which each ran once")

/* How a kernel of a contrast of programs was counted: each hardware pass took another launch of it. */
#define COLUMNS_COUNTERRUN(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`: the kernel or graph") \
	COLUMN(T, launches, INT, "launches counted, one for each pass and group of metrics; 0 if it was not counted") \
	COLUMN(T, runs, INT, "runs of the program that they were in") \
	COLUMN(T, reason, TEXT, "why it was not counted, or not wholly, for a person; NULL if all went well") \
	COLUMN(T, instructionsLow, REAL, "instructions executed, least of the groups of launches that tell it; NULL if none does") \
	COLUMN(T, instructionsMedian, REAL, "the same, median") \
	COLUMN(T, instructionsHigh, REAL, "the same, most") \
	COLUMN(T, cyclesLow, REAL, "cycles in which an SM was active, mean over SMs, least of the groups of launches") \
	COLUMN(T, cyclesMedian, REAL, "the same, median") \
	COLUMN(T, cyclesHigh, REAL, "the same, most") \
	COLUMN(T, graphLaunches, REAL, "of a CUDA graph, which is counted as a whole: its launches in a steady step, mean; NULL of a kernel")

/* PM sampling of one launch, or of a step of a program: the counters of one single-pass set against time. */
#define COLUMNS_PMRUN(COLUMN, T) \
	COLUMN(T, id, INT, "`DBPROF_PM_SAMPLE.run` and `DBPROF_PM_WORK.run`") \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, setName, TEXT, "metric set") \
	COLUMN(T, metrics, TEXT, "names of v0, v1 ..., with spaces between") \
	COLUMN(T, start, INT, "first device work of the launch; of a contrast with a range, the step's begin (ns)") \
	COLUMN(T, end, INT, "last end of its device work; of a contrast with a range, not before the step's end (ns)") \
	COLUMN(T, interval, INT, "ns between samples, as asked for") \
	COLUMN(T, overflow, INT, "1 if samples were lost") \
	COLUMN(T, step, INT, "of a contrast: number of the step in its process, from 1; NULL without a range")

#define COLUMNS_PMSAMPLE(COLUMN, T) \
	COLUMN(T, run, INT, "`DBPROF_PM_RUN.id`") \
	COLUMN(T, fromNs, INT, "after the run's start") COLUMN(T, toNs, INT, "after the run's start") \
	COLUMN(T, v0, REAL, "value of the first metric") \
	COLUMN(T, v1, REAL, "of the second, NULL if there is none") \
	COLUMN(T, v2, REAL, "of the third") \
	COLUMN(T, v3, REAL, "of the fourth")

/* Device work while PM sampling ran: clocks are locked then, so it feeds no duration and no overlap. */
#define COLUMNS_PMWORK(COLUMN, T) \
	COLUMN(T, run, INT, "`DBPROF_PM_RUN.id`") \
	COLUMN(T, fromNs, INT, "after the run's start") COLUMN(T, toNs, INT, "after the run's start") \
	COLUMN(T, class, TEXT, "h2d, d2h, kernel or other") \
	COLUMN(T, streamId, INT, "stream") \
	COLUMN(T, name, NAME, "kernel's short name; NULL for the rest")

/* PC sampling of a variant's kernels, all its launches together. */
#define COLUMNS_STALLRUN(COLUMN, T) \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, launches, INT, "sampled") \
	COLUMN(T, period, INT, "cycles between the samples of an SM") \
	COLUMN(T, total, INT, "samples, also those without a row in DBPROF_STALL") \
	COLUMN(T, dropped, INT, "of them lost by the hardware") \
	COLUMN(T, foreign, INT, "of them in kernels that are not the program's") \
	COLUMN(T, reason, TEXT, "of a contrast: why the kernel was not sampled, or not wholly; NULL if it was")

#define COLUMNS_STALL(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, symbol, NAME, "mangled name of the kernel") \
	COLUMN(T, offset, INT, "of the SASS instruction to be issued next (bytes)") \
	COLUMN(T, file, NAME, "`DBPROF_SOURCE.file`, or another's base name; NULL if unknown") \
	COLUMN(T, line, INT, "for a barrier its own; NULL if unknown") \
	COLUMN(T, reason, NAME, "barrier, long_scoreboard ...: CUPTI's name without its prefix") \
	COLUMN(T, samples, INT, "warps found at this instruction for this reason") \
	COLUMN(T, notIssued, INT, "of them in cycles in which the scheduler issued no instruction")

/* Time stamps inside a variant's kernel. */
#define COLUMNS_PHASERUN(COLUMN, T) \
	COLUMN(T, id, INT, "`DBPROF_PHASE.run` and `DBPROF_PHASE_SUM.run`") \
	COLUMN(T, family, TEXT, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, TEXT, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, TEXT, "`DBPROF_CASE.label`") \
	COLUMN(T, block, INT, "whose warps are in DBPROF_PHASE, in the headline case (index in the grid); NULL: those of the mean block") \
	COLUMN(T, warps, INT, "of a block") \
	COLUMN(T, blocks, INT, "stamped blocks, all in DBPROF_PHASE_SUM; with segments those of all launches, of which the mean block is made") \
	COLUMN(T, gridBlocks, INT, "blocks of the launch") \
	COLUMN(T, plainNs, REAL, "median time of the plain kernel") \
	COLUMN(T, stampedNs, REAL, "median time of the instrumented one") \
	COLUMN(T, plainCycles, REAL, "median life of blocks that only take the times of their begin and end") \
	COLUMN(T, stampedCycles, REAL, "median life of stamped blocks of the same launches") \
	COLUMN(T, plainRegisters, INT, "per thread") COLUMN(T, stampedRegisters, INT, "per thread") \
	COLUMN(T, segments, INT, "of a block's life, each from other stamped blocks, of which a mean block is put together (`docs/phases.md`); NULL: each stamped block took all stamps, also in old recordings") \
	COLUMN(T, barrierCycles, INT, "SM cycles that a barrier takes of a warp that waits for nobody: where a block takes all stamps, a barrier opens so long after the last warp has come; NULL with segments, and in older recordings, where a wait ended when the warp's own clock said so") \
	COLUMN(T, leaveCycles, INT, "SM cycles that the load behind a barrier adds, of a warp that waits for nobody: with segments, taken off when a barrier's opening is told from the first clock behind it; NULL without segments") \
	COLUMN(T, cutPhases, INT, "phases of warps that would end before they begin and have no length, of the mean block, or of all stamped blocks where each took all stamps") \
	COLUMN(T, leftOut, INT, "stamped blocks that were held up and are left out; NULL without segments")

#define COLUMNS_PHASE(COLUMN, T) \
	COLUMN(T, run, INT, "`DBPROF_PHASE_RUN.id`") \
	COLUMN(T, warp, INT, "in the block") \
	COLUMN(T, step, INT, "tile or step, from 0") \
	COLUMN(T, phase, NAME, "load, wait, compute or store") \
	COLUMN(T, fromCycle, INT, "SM cycles after the block's first stamp") \
	COLUMN(T, toCycle, INT, "SM cycles after the block's first stamp")

/* Cycles of all warps of all stamped blocks; with segments those of as many mean blocks. */
#define COLUMNS_PHASESUM(COLUMN, T) \
	COLUMN(T, run, INT, "`DBPROF_PHASE_RUN.id`") \
	COLUMN(T, step, INT, "tile or step, from 0") \
	COLUMN(T, phase, NAME, "load, wait, compute or store") \
	COLUMN(T, cycles, INT, "sum over warps")

/* A metered launch of a kernel whose warps have roles. */
#define COLUMNS_ROLERUN(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, exposedVariant, NAME, "the variant of the same tile, clusters and warps that loads nothing ahead: itself or another one; NULL if there is none") \
	COLUMN(T, stageBytes, INT, "bytes that come into a block's shared memory for one wait of a consumer") \
	COLUMN(T, blocks, INT, "of the launch, all of them metered") \
	COLUMN(T, plainNs, REAL, "median time of the plain kernel") \
	COLUMN(T, meteredNs, REAL, "median time of the metered one") \
	COLUMN(T, plainRegisters, INT, "per thread") COLUMN(T, meteredRegisters, INT, "per thread")

#define COLUMNS_ROLE(COLUMN, T) \
	COLUMN(T, family, NAME, "`DBPROF_FAMILY.name`") \
	COLUMN(T, variant, NAME, "`DBPROF_VARIANT.name`") \
	COLUMN(T, caseLabel, NAME, "`DBPROF_CASE.label`") \
	COLUMN(T, launch, INT, "number of the metered launch, from 0") \
	COLUMN(T, role, NAME, "consumer or producer") \
	COLUMN(T, warps, INT, "that have this role, in all blocks of the launch") \
	COLUMN(T, waits, INT, "sum over warps: of consumers at full barriers, of producers at empty ones") \
	COLUMN(T, timedWaits, INT, "of these, those that were timed") \
	COLUMN(T, waitCycles, INT, "of the timed waits") \
	COLUMN(T, loads, INT, "timed loads of stages, where nothing is loaded ahead; else 0") \
	COLUMN(T, loadCycles, INT, "of these, each from the first copy's issue until the stage was full") \
	COLUMN(T, lifeCycles, INT, "sum over warps, from the begin of the block until the warp had done its part")

#define TABLES(TABLE) \
	TABLE(KERNEL, "CUPTI_ACTIVITY_KIND_KERNEL", COLUMNS_KERNEL) \
	TABLE(MEMCPY, "CUPTI_ACTIVITY_KIND_MEMCPY", COLUMNS_MEMCPY) \
	TABLE(MEMSET, "CUPTI_ACTIVITY_KIND_MEMSET", COLUMNS_MEMSET) \
	TABLE(RUNTIME, "CUPTI_ACTIVITY_KIND_RUNTIME", COLUMNS_RUNTIME) \
	TABLE(SYNCHRONIZATION, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", COLUMNS_SYNCHRONIZATION) \
	TABLE(CUDAEVENT, "CUPTI_ACTIVITY_KIND_CUDA_EVENT", COLUMNS_CUDAEVENT) \
	TABLE(GRAPHTRACE, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", COLUMNS_GRAPHTRACE) \
	TABLE(NVTX, "NVTX_EVENTS", COLUMNS_NVTX) \
	TABLE(OVERHEAD, "PROFILER_OVERHEAD", COLUMNS_OVERHEAD) \
	TABLE(DIAGNOSTIC, "DIAGNOSTIC_EVENT", COLUMNS_DIAGNOSTIC) \
	TABLE(GPU, "TARGET_INFO_GPU", COLUMNS_GPU) \
	TABLE(CUDADEVICE, "TARGET_INFO_CUDA_DEVICE", COLUMNS_CUDADEVICE) \
	TABLE(CONTEXT, "TARGET_INFO_CUDA_CONTEXT_INFO", COLUMNS_CONTEXT) \
	TABLE(STREAM, "TARGET_INFO_CUDA_STREAM", COLUMNS_STREAM) \
	TABLE(PROCESS, "PROCESSES", COLUMNS_PROCESS) \
	TABLE(THREAD, "ThreadNames", COLUMNS_THREAD) \
	TABLE(SESSION, "TARGET_INFO_SESSION_START_TIME", COLUMNS_SESSION) \
	TABLE(META, "DBPROF_META", COLUMNS_META) \
	TABLE(TRACEDPROCESS, "DBPROF_PROCESS", COLUMNS_TRACEDPROCESS) \
	TABLE(CODE, "DBPROF_CODE", COLUMNS_CODE) \
	TABLE(CLUSTER, "DBPROF_CLUSTER", COLUMNS_CLUSTER) \
	TABLE(INSTRUCTION, "DBPROF_INSTRUCTION", COLUMNS_INSTRUCTION) \
	TABLE(PASS, "DBPROF_PASS", COLUMNS_PASS) \
	TABLE(FAMILY, "DBPROF_FAMILY", COLUMNS_FAMILY) \
	TABLE(VARIANT, "DBPROF_VARIANT", COLUMNS_VARIANT) \
	TABLE(HAZARD, "DBPROF_HAZARD", COLUMNS_HAZARD) \
	TABLE(CASE, "DBPROF_CASE", COLUMNS_CASE) \
	TABLE(SIDE, "DBPROF_SIDE", COLUMNS_SIDE) \
	TABLE(BLOCK, "DBPROF_BLOCK", COLUMNS_BLOCK) \
	TABLE(LEFTOUT, "DBPROF_LEFT_OUT", COLUMNS_LEFTOUT) \
	TABLE(STEPKIND, "DBPROF_STEP_KIND", COLUMNS_STEPKIND) \
	TABLE(MEDIANSTEP, "DBPROF_MEDIAN_STEP", COLUMNS_MEDIANSTEP) \
	TABLE(MATCH, "DBPROF_MATCH", COLUMNS_MATCH) \
	TABLE(PARAM, "DBPROF_PARAM", COLUMNS_PARAM) \
	TABLE(SWEEP, "DBPROF_SWEEP", COLUMNS_SWEEP) \
	TABLE(UNSUPPORTED, "DBPROF_UNSUPPORTED", COLUMNS_UNSUPPORTED) \
	TABLE(BUFFERS, "DBPROF_BUFFERS", COLUMNS_BUFFERS) \
	TABLE(RESOURCE, "DBPROF_RESOURCE", COLUMNS_RESOURCE) \
	TABLE(VERIFY, "DBPROF_VERIFY", COLUMNS_VERIFY) \
	TABLE(SAMPLE, "DBPROF_SAMPLE", COLUMNS_SAMPLE) \
	TABLE(TRACED, "DBPROF_TRACED", COLUMNS_TRACED) \
	TABLE(ITEM, "DBPROF_ITEM", COLUMNS_ITEM) \
	TABLE(MACHINE, "DBPROF_MACHINE", COLUMNS_MACHINE) \
	TABLE(PREDICTION, "DBPROF_PREDICTION", COLUMNS_PREDICTION) \
	TABLE(ADVICE, "DBPROF_ADVICE", COLUMNS_ADVICE) \
	TABLE(ADVICEGAIN, "DBPROF_ADVICE_GAIN", COLUMNS_ADVICEGAIN) \
	TABLE(ADVICECAUSE, "DBPROF_ADVICE_CAUSE", COLUMNS_ADVICECAUSE) \
	TABLE(ADVICEEVIDENCE, "DBPROF_ADVICE_EVIDENCE", COLUMNS_ADVICEEVIDENCE) \
	TABLE(COUNT, "DBPROF_COUNT", COLUMNS_COUNT) \
	TABLE(CLOCK, "DBPROF_CLOCK", COLUMNS_CLOCK) \
	TABLE(SOURCE, "DBPROF_SOURCE", COLUMNS_SOURCE) \
	TABLE(PTX, "DBPROF_PTX", COLUMNS_PTX) \
	TABLE(STEP, "DBPROF_STEP", COLUMNS_STEP) \
	TABLE(METRIC, "DBPROF_METRIC", COLUMNS_METRIC) \
	TABLE(COUNTER, "DBPROF_COUNTER", COLUMNS_COUNTER) \
	TABLE(COUNTERRUN, "DBPROF_COUNTER_RUN", COLUMNS_COUNTERRUN) \
	TABLE(PMRUN, "DBPROF_PM_RUN", COLUMNS_PMRUN) \
	TABLE(PMSAMPLE, "DBPROF_PM_SAMPLE", COLUMNS_PMSAMPLE) \
	TABLE(PMWORK, "DBPROF_PM_WORK", COLUMNS_PMWORK) \
	TABLE(STALLRUN, "DBPROF_STALL_RUN", COLUMNS_STALLRUN) \
	TABLE(STALL, "DBPROF_STALL", COLUMNS_STALL) \
	TABLE(PHASERUN, "DBPROF_PHASE_RUN", COLUMNS_PHASERUN) \
	TABLE(PHASE, "DBPROF_PHASE", COLUMNS_PHASE) \
	TABLE(PHASESUM, "DBPROF_PHASE_SUM", COLUMNS_PHASESUM) \
	TABLE(ROLERUN, "DBPROF_ROLE_RUN", COLUMNS_ROLERUN) \
	TABLE(ROLE, "DBPROF_ROLE", COLUMNS_ROLE)
/* clang-format on */

enum column_type { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_NAME };

struct column {
	const char *name;
	enum column_type type;
	const char *meaning; /* Markdown */
};

/* A table of the recording; `columns` in the order of the enum PREFIX_column. */
struct table {
	const char *name; /* SQL name */
	const struct column *columns;
	int ncolumns;
};

enum { TABLE_MAX_COLUMNS = 62 };

/* enum table_id { TABLE_KERNEL, ... TABLES_NUMBER } */
enum table_id {
#define TABLE(id, sql, columns) TABLE_##id,
	TABLES(TABLE)
#undef TABLE
		TABLES_NUMBER
};

/* KERNEL_start, KERNEL_end ... : index of a column in its table; KERNEL_NUMBER of them. */
#define SCHEMA_COLUMN(table, name, type, meaning) table##_##name,
#define TABLE(id, sql, columns) enum id##_columns{columns(SCHEMA_COLUMN, id) id##_NUMBER};
TABLES(TABLE)
#undef TABLE
#undef SCHEMA_COLUMN

/* The description of a table; never NULL for a valid id. */
const struct table *schema_table(enum table_id id);

#endif
