/*
 * schema.h: every table of a recording, as data. The one place where a column is named.
 *
 * TABLE(enum-prefix, sql-name, X-macro of columns); COLUMN(name, type, comment), types:
 *   INT   64-bit integer          REAL  double
 *   TEXT  text stored in place    NAME  text stored once in StringIds, the column holds its id
 * Where Nsight Systems' export has the table, name, columns and meaning are the same as there (schema 3.20).
 * Times are integer nanoseconds from the session's start unless the comment says otherwise.
 */
#ifndef DBPROF_STORE_SCHEMA_H
#define DBPROF_STORE_SCHEMA_H

#define RECORDING_VERSION 2

/* clang-format off */
#define COLUMNS_KERNEL(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream") \
	COLUMN(correlationId, INT, "the API call that launched it") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(demangledName, NAME, "with parameters and template arguments") \
	COLUMN(shortName, NAME, "base name") \
	COLUMN(mangledName, NAME, "as in the object file") \
	COLUMN(launchType, INT, "ENUM_CUDA_KERNEL_LAUNCH_TYPE") \
	COLUMN(cacheConfig, INT, "ENUM_CUDA_FUNC_CACHE_CONFIG") \
	COLUMN(registersPerThread, INT, "registers per thread") \
	COLUMN(gridX, INT, "blocks") COLUMN(gridY, INT, "blocks") COLUMN(gridZ, INT, "blocks") \
	COLUMN(blockX, INT, "threads") COLUMN(blockY, INT, "threads") COLUMN(blockZ, INT, "threads") \
	COLUMN(staticSharedMemory, INT, "bytes per block") \
	COLUMN(dynamicSharedMemory, INT, "bytes per block") \
	COLUMN(localMemoryPerThread, INT, "bytes") \
	COLUMN(localMemoryTotal, INT, "bytes") \
	COLUMN(gridId, INT, "unique id of the launch") \
	COLUMN(sharedMemoryExecuted, INT, "bytes set aside by the driver") \
	COLUMN(graphNodeId, INT, "graph node, or NULL") \
	COLUMN(sharedMemoryLimitConfig, INT, "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG")

#define COLUMNS_MEMCPY(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream") \
	COLUMN(correlationId, INT, "the API call that asked for it") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(bytes, INT, "bytes moved") \
	COLUMN(copyKind, INT, "ENUM_CUDA_MEMCPY_OPER") \
	COLUMN(deprecatedSrcId, INT, "unused, NULL") \
	COLUMN(srcKind, INT, "ENUM_CUDA_MEM_KIND") \
	COLUMN(dstKind, INT, "ENUM_CUDA_MEM_KIND") \
	COLUMN(srcDeviceId, INT, "peer copies only") \
	COLUMN(srcContextId, INT, "peer copies only") \
	COLUMN(dstDeviceId, INT, "peer copies only") \
	COLUMN(dstContextId, INT, "peer copies only") \
	COLUMN(migrationCause, INT, "managed memory only") \
	COLUMN(graphNodeId, INT, "graph node, or NULL") \
	COLUMN(virtualAddress, INT, "managed memory only") \
	COLUMN(copyCount, INT, "copies in this record")

#define COLUMNS_MEMSET(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream") \
	COLUMN(correlationId, INT, "the API call that asked for it") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(value, INT, "value written") \
	COLUMN(bytes, INT, "bytes written") \
	COLUMN(graphNodeId, INT, "graph node, or NULL") \
	COLUMN(memKind, INT, "ENUM_CUDA_MEM_KIND")

#define COLUMNS_RUNTIME(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(eventClass, INT, "ENUM_NSYS_EVENT_CLASS: 0 runtime, 1 driver") \
	COLUMN(globalTid, INT, "thread") \
	COLUMN(correlationId, INT, "joins the device work that the call started") \
	COLUMN(nameId, NAME, "function") \
	COLUMN(returnValue, INT, "cudaError_t or CUresult") \
	COLUMN(callchainId, INT, "unused, NULL")

#define COLUMNS_SYNCHRONIZATION(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream, 4294967295 if none") \
	COLUMN(correlationId, INT, "the API call") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(deprecatedSyncType, INT, "unused, NULL") \
	COLUMN(syncType, INT, "ENUM_CUPTI_SYNC_TYPE") \
	COLUMN(eventId, INT, "CUDA event") \
	COLUMN(eventSyncId, INT, "joins the record of the event")

/* cudaEventRecord and its kin: which stream an event stands in. A synchronisation that waits for it names the same
 * eventSyncId. */
#define COLUMNS_CUDAEVENT(COLUMN) \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream that the event was recorded in") \
	COLUMN(correlationId, INT, "the API call") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(eventId, INT, "CUDA event") \
	COLUMN(eventSyncId, INT, "joins the synchronisation that waits for it")

/* One launch of a CUDA graph, where Nsight Systems traces graphs as a whole: its kernels and copies have no rows. */
#define COLUMNS_GRAPHTRACE(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(greenContextId, INT, "green context, or NULL") \
	COLUMN(streamId, INT, "stream") \
	COLUMN(correlationId, INT, "the API call that launched it") \
	COLUMN(globalPid, INT, "process") \
	COLUMN(graphId, INT, "graph") \
	COLUMN(graphExecId, INT, "executable graph")

/* Which GPU a process means by a CUDA device number. */
#define COLUMNS_CUDADEVICE(COLUMN) \
	COLUMN(gpuId, INT, "TARGET_INFO_GPU.id") \
	COLUMN(cudaId, INT, "CUDA device of the process") \
	COLUMN(pid, INT, "process id")

#define COLUMNS_CONTEXT(COLUMN) \
	COLUMN(nullStreamId, INT, "stream id of the context's default stream") \
	COLUMN(hwId, INT, "0") \
	COLUMN(vmId, INT, "0") \
	COLUMN(processId, INT, "process id") \
	COLUMN(deviceId, INT, "CUDA device") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(parentContextId, INT, "of a green context, else NULL") \
	COLUMN(isGreenContext, INT, "1 if it is one")

#define COLUMNS_STREAM(COLUMN) \
	COLUMN(streamId, INT, "stream") \
	COLUMN(hwId, INT, "0") \
	COLUMN(vmId, INT, "0") \
	COLUMN(processId, INT, "process id") \
	COLUMN(contextId, INT, "CUDA context") \
	COLUMN(priority, INT, "lower numbers go first") \
	COLUMN(flag, INT, "ENUM_CUPTI_STREAM_TYPE: 1 blocking (waits for the default stream), 2 non-blocking, 3 default stream")

#define COLUMNS_PROCESS(COLUMN) \
	COLUMN(globalPid, INT, "process id shifted left by 24 bits") \
	COLUMN(pid, INT, "process id") \
	COLUMN(name, TEXT, "of the executable")

#define COLUMNS_THREAD(COLUMN) \
	COLUMN(nameId, NAME, "name of the thread") \
	COLUMN(priority, INT, "NULL") \
	COLUMN(globalTid, INT, "thread")

#define COLUMNS_NVTX(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns); NULL for a mark or an open range") \
	COLUMN(eventType, INT, "ENUM_NSYS_EVENT_TYPE: 34 mark, 59 push/pop, 60 start/end, 75 domain") \
	COLUMN(rangeId, INT, "start/end ranges only") \
	COLUMN(category, INT, "user's category") \
	COLUMN(color, INT, "ARGB") \
	COLUMN(text, TEXT, "the range's text") \
	COLUMN(globalTid, INT, "thread that opened it") \
	COLUMN(endGlobalTid, INT, "thread that closed it") \
	COLUMN(textId, NAME, "registered text") \
	COLUMN(domainId, INT, "domain; its name is the row of type 75") \
	COLUMN(uint64Value, INT, "payload") \
	COLUMN(int64Value, INT, "payload") \
	COLUMN(doubleValue, REAL, "payload") \
	COLUMN(uint32Value, INT, "payload") \
	COLUMN(int32Value, INT, "payload") \
	COLUMN(floatValue, REAL, "payload") \
	COLUMN(jsonTextId, INT, "unused, NULL") \
	COLUMN(jsonText, TEXT, "unused, NULL") \
	COLUMN(binaryData, TEXT, "unused, NULL")

#define COLUMNS_OVERHEAD(COLUMN) \
	COLUMN(start, INT, "start (ns)") \
	COLUMN(end, INT, "end (ns)") \
	COLUMN(globalTid, INT, "thread") \
	COLUMN(nameId, NAME, "what the profiler was doing") \
	COLUMN(returnValue, INT, "0")

#define COLUMNS_DIAGNOSTIC(COLUMN) \
	COLUMN(timestamp, INT, "ns") \
	COLUMN(timestampType, INT, "ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE") \
	COLUMN(source, INT, "ENUM_DIAGNOSTIC_SOURCE_TYPE") \
	COLUMN(severity, INT, "ENUM_DIAGNOSTIC_SEVERITY_LEVEL: 1 info, 2 warning, 3 error") \
	COLUMN(text, TEXT, "message") \
	COLUMN(globalPid, INT, "process")

#define COLUMNS_GPU(COLUMN) \
	COLUMN(vmId, INT, "0") \
	COLUMN(id, INT, "device") \
	COLUMN(name, TEXT, "marketing name") \
	COLUMN(busLocation, TEXT, "PCI address") \
	COLUMN(isDiscrete, INT, "1 if not integrated") \
	COLUMN(l2CacheSize, INT, "bytes") \
	COLUMN(totalMemory, INT, "bytes") \
	COLUMN(memoryBandwidth, INT, "bytes/s, theoretical") \
	COLUMN(clockRate, INT, "SM clock limit (Hz)") \
	COLUMN(smCount, INT, "multiprocessors") \
	COLUMN(pwGpuId, INT, "NULL") \
	COLUMN(uuid, TEXT, "device UUID; dbprof leaves it out, since it names one card and recordings are passed on") \
	COLUMN(luid, INT, "NULL") \
	COLUMN(chipName, TEXT, "GH100 ..., or NULL") \
	COLUMN(cuDevice, INT, "CUDA device number") \
	COLUMN(ctxswDevPath, TEXT, "NULL") \
	COLUMN(ctrlDevPath, TEXT, "NULL") \
	COLUMN(revision, INT, "NULL") \
	COLUMN(nodeMask, INT, "NULL") \
	COLUMN(constantMemory, INT, "bytes") \
	COLUMN(maxIPC, INT, "NULL") \
	COLUMN(maxRegistersPerBlock, INT, "registers") \
	COLUMN(maxShmemPerBlock, INT, "bytes") \
	COLUMN(maxShmemPerBlockOptin, INT, "bytes") \
	COLUMN(maxShmemPerSm, INT, "bytes") \
	COLUMN(maxRegistersPerSm, INT, "registers") \
	COLUMN(threadsPerWarp, INT, "threads") \
	COLUMN(asyncEngines, INT, "copy engines") \
	COLUMN(maxWarpsPerSm, INT, "warps") \
	COLUMN(maxBlocksPerSm, INT, "blocks") \
	COLUMN(maxThreadsPerBlock, INT, "threads") \
	COLUMN(maxBlockDimX, INT, "threads") COLUMN(maxBlockDimY, INT, "threads") COLUMN(maxBlockDimZ, INT, "threads") \
	COLUMN(maxGridDimX, INT, "blocks") COLUMN(maxGridDimY, INT, "blocks") COLUMN(maxGridDimZ, INT, "blocks") \
	COLUMN(computeMajor, INT, "compute capability") COLUMN(computeMinor, INT, "compute capability") \
	COLUMN(smMajor, INT, "compute capability") COLUMN(smMinor, INT, "compute capability")

#define COLUMNS_SESSION(COLUMN) \
	COLUMN(utcEpochNs, INT, "time zero of every other table (ns since 1970, UTC)") \
	COLUMN(utcTime, TEXT, "the same, readable") \
	COLUMN(localTime, TEXT, "the same, readable")

/* One fact about the recording a row: see docs/recording.md for the keys. */
#define COLUMNS_META(COLUMN) \
	COLUMN(key, TEXT, "unique") \
	COLUMN(value, TEXT, "")

/* One process of a traced program, and what is missing of it. */
#define COLUMNS_TRACEDPROCESS(COLUMN) \
	COLUMN(pid, INT, "process id") \
	COLUMN(parent, INT, "process id of its parent") \
	COLUMN(command, TEXT, "its command line, arguments with spaces between") \
	COLUMN(start, INT, "when CUDA was first used (ns)") \
	COLUMN(end, INT, "when its last records were handed over (ns)") \
	COLUMN(finished, INT, "1 if it ended by returning or exit(): nothing is missing at its end") \
	COLUMN(dropped, INT, "records that CUPTI lost") \
	COLUMN(untimed, INT, "records without times, left out") \
	COLUMN(note, TEXT, "why it was not recorded, or not to its end, for a person; or NULL")

/* How one pass over one family went. */
#define COLUMNS_PASS(COLUMN) \
	COLUMN(family, TEXT, "") \
	COLUMN(pass, TEXT, "verify, time, trace ...") \
	COLUMN(status, TEXT, "done, skipped or failed") \
	COLUMN(reason, TEXT, "why it was skipped or failed, for a person; NULL if done") \
	COLUMN(start, INT, "ns") COLUMN(end, INT, "ns") COLUMN(run, INT, "which of the pass's processes, from 0")

#define COLUMNS_FAMILY(COLUMN) \
	COLUMN(name, TEXT, "") COLUMN(ord, INT, "position in the report") \
	COLUMN(title, TEXT, "") COLUMN(question, TEXT, "") COLUMN(teaches, TEXT, "") COLUMN(source, TEXT, "") \
	COLUMN(file, TEXT, "DBPROF_SOURCE.file") COLUMN(throughput, TEXT, "GFLOP/s, GB/s or Gelements/s") \
	COLUMN(boundBy, TEXT, "whose bytes DBPROF_CASE.bytes counts") \
	COLUMN(single, TEXT, "contrast pair: variant") COLUMN(double, TEXT, "contrast pair: variant")

#define COLUMNS_VARIANT(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(name, TEXT, "") COLUMN(ord, INT, "position in the family") \
	COLUMN(summary, TEXT, "") COLUMN(kind, TEXT, "candidate, control, reference; or a part: floor, loads, stores, compute") \
	COLUMN(buffers, INT, "1 single, 2 double ...; 0 reference") COLUMN(teachesFailure, INT, "1 if wrong on purpose")

/* A hazard that a variant is there to show. */
#define COLUMNS_HAZARD(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(ord, INT, "from 0") \
	COLUMN(tool, TEXT, "of compute-sanitizer, which finds it: memcheck, racecheck, synccheck or initcheck") \
	COLUMN(text, TEXT, "what is wrong, in a sentence")

#define COLUMNS_CASE(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(label, TEXT, "") COLUMN(ord, INT, "0 is the headline") \
	COLUMN(verifyOnly, INT, "1 if it is never timed") \
	COLUMN(flops, REAL, "per launch") COLUMN(bytes, REAL, "per launch") COLUMN(elements, REAL, "per launch") \
	COLUMN(sweep, TEXT, "DBPROF_SWEEP.name if it is a point of a sweep, else NULL")

/* A grid of cases; the parameters of its points are in DBPROF_PARAM. */
#define COLUMNS_SWEEP(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(name, TEXT, "DBPROF_CASE.sweep") COLUMN(ord, INT, "") \
	COLUMN(title, TEXT, "") COLUMN(question, TEXT, "") \
	COLUMN(single, TEXT, "the pair compared: variant") COLUMN(double, TEXT, "the pair compared: variant") \
	COLUMN(x, TEXT, "parameter along the curve") COLUMN(y, TEXT, "second parameter, NULL if there is none") \
	COLUMN(points, INT, "of the whole grid; fewer have samples if it was interrupted")

#define COLUMNS_PARAM(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(caseLabel, TEXT, "") COLUMN(name, TEXT, "") COLUMN(value, INT, "") \
	COLUMN(unit, TEXT, "") COLUMN(summary, TEXT, "")

/* A variant that cannot run here, with the reason. */
#define COLUMNS_UNSUPPORTED(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") COLUMN(reason, TEXT, "")

/* Resources of a variant's kernel in one case. */
#define COLUMNS_RESOURCE(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(symbol, TEXT, "mangled name") \
	COLUMN(gridX, INT, "blocks") COLUMN(gridY, INT, "blocks") COLUMN(gridZ, INT, "blocks") \
	COLUMN(blockX, INT, "threads") COLUMN(blockY, INT, "threads") COLUMN(blockZ, INT, "threads") \
	COLUMN(registers, INT, "per thread") COLUMN(staticSmem, INT, "bytes per block") \
	COLUMN(dynamicSmem, INT, "bytes per block") COLUMN(localBytes, INT, "per thread") \
	COLUMN(blocksPerSm, INT, "resident blocks, as the CUDA runtime says")

#define COLUMNS_VERIFY(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") COLUMN(run, INT, "from 0") \
	COLUMN(seed, INT, "of the inputs") COLUMN(elements, INT, "compared") COLUMN(wrong, INT, "of them wrong") \
	COLUMN(firstWrong, INT, "index, NULL if none") COLUMN(got, REAL, "") COLUMN(want, REAL, "") \
	COLUMN(maxError, REAL, "largest error over its tolerance")

/* One timed batch. */
#define COLUMNS_SAMPLE(COLUMN) \
	COLUMN(family, NAME, "") COLUMN(variant, NAME, "") COLUMN(caseLabel, NAME, "") \
	COLUMN(block, INT, "A B B A block, from 0") COLUMN(position, INT, "position in the block, from 0") \
	COLUMN(launches, INT, "in the batch") COLUMN(ns, REAL, "per launch: batch time over launches") \
	COLUMN(smClockMhz, INT, "as NVML says right after the batch, NULL if unknown") \
	COLUMN(run, INT, "process that took it, from 0; block numbers go on from one to the next") \
	COLUMN(measuredMhz, REAL, "SM clock measured on the GPU right behind the batch: cycles over nanoseconds; NULL if unknown")

/* A batch timed by CUDA events while activity records are on: against DBPROF_SAMPLE, what tracing costs. */
#define COLUMNS_TRACED(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(launches, INT, "in the batch") COLUMN(ns, REAL, "per launch")

/* What the machine can do at best, measured before the first sample of a family. */
#define COLUMNS_MACHINE(COLUMN) \
	COLUMN(family, TEXT, "whose time pass measured it") COLUMN(key, TEXT, "member of struct machine: analyze/machine.h") \
	COLUMN(title, TEXT, "") COLUMN(value, REAL, "NULL if it could not be measured") COLUMN(unit, TEXT, "")

/* What was predicted, before the first sample of the case. */
#define COLUMNS_PREDICTION(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(caseLabel, TEXT, "") COLUMN(single, TEXT, "variant") COLUMN(double, TEXT, "variant") \
	COLUMN(timestamp, INT, "ns") COLUMN(ratio, REAL, "time of single over time of double") \
	COLUMN(singleNs, REAL, "per launch") COLUMN(doubleNs, REAL, "per launch") \
	COLUMN(singleBound, TEXT, "what limits it, in a word") COLUMN(doubleBound, TEXT, "what limits it, in a word")

/* Launches and copies: counted on the host, and found in the records, over a variant's traced iterations. */
#define COLUMNS_COUNT(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(iterations, INT, "traced") COLUMN(what, TEXT, "kernels, copies or memsets") COLUMN(host, INT, "") \
	COLUMN(recorded, INT, "") COLUMN(lowerBound, INT, "1 if host is a lower bound: a library launches")

#define COLUMNS_CLOCK(COLUMN) \
	COLUMN(timestamp, INT, "ns") COLUMN(deviceId, INT, "") COLUMN(smMhz, INT, "") COLUMN(memMhz, INT, "") \
	COLUMN(temperatureC, INT, "") COLUMN(powerMw, INT, "") COLUMN(throttle, INT, "NVML's bit mask, NULL if unknown") \
	COLUMN(family, NAME, "") COLUMN(caseLabel, NAME, "") COLUMN(block, INT, "DBPROF_SAMPLE.block that it was read after") \
	COLUMN(processes, INT, "that compute on the GPU, this one included; NULL if unknown")

#define COLUMNS_SOURCE(COLUMN) \
	COLUMN(file, TEXT, "") COLUMN(text, TEXT, "the file as it was compiled")

#define COLUMNS_PTX(COLUMN) \
	COLUMN(file, TEXT, "source file") COLUMN(arch, TEXT, "compute_90 ...") COLUMN(text, TEXT, "with .loc line table")

#define COLUMNS_STEP(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(row, INT, "0 is the input") COLUMN(stride, INT, "") \
	COLUMN(element, INT, "") COLUMN(value, REAL, "") COLUMN(racy, INT, "1 if computed from a value that may change meanwhile")

/* A value that a metric set derives from counters: what it is called, how it is worked out, what it tells. */
#define COLUMNS_METRIC(COLUMN) \
	COLUMN(setName, TEXT, "metric set: metrics/NAME.set") COLUMN(ord, INT, "position in the set") \
	COLUMN(pass, TEXT, "counters or pm") COLUMN(setTitle, TEXT, "") \
	COLUMN(key, TEXT, "unique among the sets of the pass") COLUMN(title, TEXT, "a few words") \
	COLUMN(unit, TEXT, "%, bytes, instructions ...") COLUMN(formula, TEXT, "of names of metrics") \
	COLUMN(meaning, TEXT, "one sentence")

/* A metric as the range profiler gave it, of one kernel of a launch, or of all of a launch's work together. */
#define COLUMNS_COUNTER(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(scope, TEXT, "kernel: one kernel, run alone; range: a whole launch, with its concurrency") \
	COLUMN(ord, INT, "kernel of the launch, from 0; 0 for a range") COLUMN(metric, NAME, "CUPTI's name") \
	COLUMN(value, REAL, "NULL if not available") COLUMN(replays, INT, "replays that it took to get all metrics that were collected with it; in each the work ran twice, and the second time counts")

/* PM sampling of one launch: the counters of one single-pass set against time. */
#define COLUMNS_PMRUN(COLUMN) \
	COLUMN(id, INT, "DBPROF_PM_SAMPLE.run and DBPROF_PM_WORK.run") \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") COLUMN(setName, TEXT, "metric set") \
	COLUMN(metrics, TEXT, "names of v0, v1 ..., with spaces between") \
	COLUMN(start, INT, "first device work of the launch (ns)") COLUMN(end, INT, "last end of its device work (ns)") \
	COLUMN(interval, INT, "ns between samples, as asked for") COLUMN(overflow, INT, "1 if samples were lost")

#define COLUMNS_PMSAMPLE(COLUMN) \
	COLUMN(run, INT, "DBPROF_PM_RUN.id") COLUMN(fromNs, INT, "after the run's start") \
	COLUMN(toNs, INT, "after the run's start") \
	COLUMN(v0, REAL, "") COLUMN(v1, REAL, "") COLUMN(v2, REAL, "") COLUMN(v3, REAL, "")

/* Device work while PM sampling ran: clocks are locked then, so it feeds no duration and no overlap. */
#define COLUMNS_PMWORK(COLUMN) \
	COLUMN(run, INT, "DBPROF_PM_RUN.id") COLUMN(fromNs, INT, "after the run's start") \
	COLUMN(toNs, INT, "after the run's start") COLUMN(class, TEXT, "h2d, d2h, kernel or other") \
	COLUMN(streamId, INT, "") COLUMN(name, NAME, "kernel's short name; NULL for the rest")

/* PC sampling of a variant's kernels, all its launches together. */
#define COLUMNS_STALLRUN(COLUMN) \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(launches, INT, "sampled") COLUMN(period, INT, "cycles between the samples of an SM") \
	COLUMN(total, INT, "samples, also those without a row in DBPROF_STALL") \
	COLUMN(dropped, INT, "of them lost by the hardware") COLUMN(foreign, INT, "of them in kernels that are not the program's")

#define COLUMNS_STALL(COLUMN) \
	COLUMN(family, NAME, "") COLUMN(variant, NAME, "") COLUMN(caseLabel, NAME, "") \
	COLUMN(symbol, NAME, "mangled name of the kernel") COLUMN(offset, INT, "of the SASS instruction to be issued next (bytes)") \
	COLUMN(file, NAME, "DBPROF_SOURCE.file, or another's base name; NULL if unknown") COLUMN(line, INT, "for a barrier its own; NULL if unknown") \
	COLUMN(reason, NAME, "barrier, long_scoreboard ...: CUPTI's name without its prefix") \
	COLUMN(samples, INT, "warps found at this instruction for this reason") \
	COLUMN(notIssued, INT, "of them in cycles in which the scheduler issued no instruction")

/* Time stamps inside a variant's kernel. */
#define COLUMNS_PHASERUN(COLUMN) \
	COLUMN(id, INT, "DBPROF_PHASE.run and DBPROF_PHASE_SUM.run") \
	COLUMN(family, TEXT, "") COLUMN(variant, TEXT, "") COLUMN(caseLabel, TEXT, "") \
	COLUMN(block, INT, "whose warps are in DBPROF_PHASE, in the headline case (index in the grid)") COLUMN(warps, INT, "of a block") \
	COLUMN(blocks, INT, "stamped blocks, all in DBPROF_PHASE_SUM") COLUMN(gridBlocks, INT, "blocks of the launch") \
	COLUMN(plainNs, REAL, "median time of the plain kernel") COLUMN(stampedNs, REAL, "median time of the instrumented one") \
	COLUMN(plainCycles, REAL, "median life of blocks that only take the times of their begin and end") \
	COLUMN(stampedCycles, REAL, "median life of stamped blocks of the same launches") \
	COLUMN(plainRegisters, INT, "per thread") COLUMN(stampedRegisters, INT, "per thread")

#define COLUMNS_PHASE(COLUMN) \
	COLUMN(run, INT, "DBPROF_PHASE_RUN.id") COLUMN(warp, INT, "in the block") COLUMN(step, INT, "tile or step, from 0") \
	COLUMN(phase, NAME, "load, wait, compute or store") COLUMN(fromCycle, INT, "SM cycles after the block's first stamp") \
	COLUMN(toCycle, INT, "SM cycles after the block's first stamp")

/* Cycles of all warps of all stamped blocks. */
#define COLUMNS_PHASESUM(COLUMN) \
	COLUMN(run, INT, "DBPROF_PHASE_RUN.id") COLUMN(step, INT, "tile or step, from 0") \
	COLUMN(phase, NAME, "load, wait, compute or store") COLUMN(cycles, INT, "sum over warps")

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
	TABLE(PASS, "DBPROF_PASS", COLUMNS_PASS) \
	TABLE(FAMILY, "DBPROF_FAMILY", COLUMNS_FAMILY) \
	TABLE(VARIANT, "DBPROF_VARIANT", COLUMNS_VARIANT) \
	TABLE(HAZARD, "DBPROF_HAZARD", COLUMNS_HAZARD) \
	TABLE(CASE, "DBPROF_CASE", COLUMNS_CASE) \
	TABLE(PARAM, "DBPROF_PARAM", COLUMNS_PARAM) \
	TABLE(SWEEP, "DBPROF_SWEEP", COLUMNS_SWEEP) \
	TABLE(UNSUPPORTED, "DBPROF_UNSUPPORTED", COLUMNS_UNSUPPORTED) \
	TABLE(RESOURCE, "DBPROF_RESOURCE", COLUMNS_RESOURCE) \
	TABLE(VERIFY, "DBPROF_VERIFY", COLUMNS_VERIFY) \
	TABLE(SAMPLE, "DBPROF_SAMPLE", COLUMNS_SAMPLE) \
	TABLE(TRACED, "DBPROF_TRACED", COLUMNS_TRACED) \
	TABLE(MACHINE, "DBPROF_MACHINE", COLUMNS_MACHINE) \
	TABLE(PREDICTION, "DBPROF_PREDICTION", COLUMNS_PREDICTION) \
	TABLE(COUNT, "DBPROF_COUNT", COLUMNS_COUNT) \
	TABLE(CLOCK, "DBPROF_CLOCK", COLUMNS_CLOCK) \
	TABLE(SOURCE, "DBPROF_SOURCE", COLUMNS_SOURCE) \
	TABLE(PTX, "DBPROF_PTX", COLUMNS_PTX) \
	TABLE(STEP, "DBPROF_STEP", COLUMNS_STEP) \
	TABLE(METRIC, "DBPROF_METRIC", COLUMNS_METRIC) \
	TABLE(COUNTER, "DBPROF_COUNTER", COLUMNS_COUNTER) \
	TABLE(PMRUN, "DBPROF_PM_RUN", COLUMNS_PMRUN) \
	TABLE(PMSAMPLE, "DBPROF_PM_SAMPLE", COLUMNS_PMSAMPLE) \
	TABLE(PMWORK, "DBPROF_PM_WORK", COLUMNS_PMWORK) \
	TABLE(STALLRUN, "DBPROF_STALL_RUN", COLUMNS_STALLRUN) \
	TABLE(STALL, "DBPROF_STALL", COLUMNS_STALL) \
	TABLE(PHASERUN, "DBPROF_PHASE_RUN", COLUMNS_PHASERUN) \
	TABLE(PHASE, "DBPROF_PHASE", COLUMNS_PHASE) \
	TABLE(PHASESUM, "DBPROF_PHASE_SUM", COLUMNS_PHASESUM)
/* clang-format on */

enum column_type { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_NAME };

struct column {
	const char *name;
	enum column_type type;
	const char *comment;
};

/* A table of the recording; `columns` in the order of the enum PREFIX_column. */
struct table {
	const char *name; /* SQL name */
	const struct column *columns;
	int ncolumns;
};

enum { TABLE_MAX_COLUMNS = 48 };

/* enum table_id { TABLE_KERNEL, ... TABLE_COUNT_ } */
enum table_id {
#define TABLE(id, sql, columns) TABLE_##id,
	TABLES(TABLE)
#undef TABLE
		TABLES_NUMBER
};

/* KERNEL_start, KERNEL_end ... : index of a column in its table. */
#define COLUMN_ENUM_BEGIN(id) enum id##_columns
#define SCHEMA_COLUMN_KERNEL(name, type, comment) KERNEL_##name,
#define SCHEMA_COLUMN_MEMCPY(name, type, comment) MEMCPY_##name,
#define SCHEMA_COLUMN_MEMSET(name, type, comment) MEMSET_##name,
#define SCHEMA_COLUMN_RUNTIME(name, type, comment) RUNTIME_##name,
#define SCHEMA_COLUMN_SYNCHRONIZATION(name, type, comment) SYNCHRONIZATION_##name,
#define SCHEMA_COLUMN_CUDAEVENT(name, type, comment) CUDAEVENT_##name,
#define SCHEMA_COLUMN_GRAPHTRACE(name, type, comment) GRAPHTRACE_##name,
#define SCHEMA_COLUMN_CUDADEVICE(name, type, comment) CUDADEVICE_##name,
#define SCHEMA_COLUMN_CONTEXT(name, type, comment) CONTEXT_##name,
#define SCHEMA_COLUMN_STREAM(name, type, comment) STREAM_##name,
#define SCHEMA_COLUMN_PROCESS(name, type, comment) PROCESS_##name,
#define SCHEMA_COLUMN_THREAD(name, type, comment) THREAD_##name,
#define SCHEMA_COLUMN_TRACEDPROCESS(name, type, comment) TRACEDPROCESS_##name,
#define SCHEMA_COLUMN_NVTX(name, type, comment) NVTX_##name,
#define SCHEMA_COLUMN_OVERHEAD(name, type, comment) OVERHEAD_##name,
#define SCHEMA_COLUMN_DIAGNOSTIC(name, type, comment) DIAGNOSTIC_##name,
#define SCHEMA_COLUMN_GPU(name, type, comment) GPU_##name,
#define SCHEMA_COLUMN_SESSION(name, type, comment) SESSION_##name,
#define SCHEMA_COLUMN_META(name, type, comment) META_##name,
#define SCHEMA_COLUMN_PASS(name, type, comment) PASS_##name,
#define SCHEMA_COLUMN_FAMILY(name, type, comment) FAMILY_##name,
#define SCHEMA_COLUMN_VARIANT(name, type, comment) VARIANT_##name,
#define SCHEMA_COLUMN_HAZARD(name, type, comment) HAZARD_##name,
#define SCHEMA_COLUMN_CASE(name, type, comment) CASE_##name,
#define SCHEMA_COLUMN_PARAM(name, type, comment) PARAM_##name,
#define SCHEMA_COLUMN_UNSUPPORTED(name, type, comment) UNSUPPORTED_##name,
#define SCHEMA_COLUMN_RESOURCE(name, type, comment) RESOURCE_##name,
#define SCHEMA_COLUMN_VERIFY(name, type, comment) VERIFY_##name,
#define SCHEMA_COLUMN_SAMPLE(name, type, comment) SAMPLE_##name,
#define SCHEMA_COLUMN_SWEEP(name, type, comment) SWEEP_##name,
#define SCHEMA_COLUMN_TRACED(name, type, comment) TRACED_##name,
#define SCHEMA_COLUMN_MACHINE(name, type, comment) MACHINE_##name,
#define SCHEMA_COLUMN_PREDICTION(name, type, comment) PREDICTION_##name,
#define SCHEMA_COLUMN_COUNT(name, type, comment) COUNT_##name,
#define SCHEMA_COLUMN_CLOCK(name, type, comment) CLOCK_##name,
#define SCHEMA_COLUMN_SOURCE(name, type, comment) SOURCE_##name,
#define SCHEMA_COLUMN_PTX(name, type, comment) PTX_##name,
#define SCHEMA_COLUMN_STEP(name, type, comment) STEP_##name,
#define SCHEMA_COLUMN_METRIC(name, type, comment) METRIC_##name,
#define SCHEMA_COLUMN_COUNTER(name, type, comment) COUNTER_##name,
#define SCHEMA_COLUMN_PMRUN(name, type, comment) PMRUN_##name,
#define SCHEMA_COLUMN_PMSAMPLE(name, type, comment) PMSAMPLE_##name,
#define SCHEMA_COLUMN_PMWORK(name, type, comment) PMWORK_##name,
#define SCHEMA_COLUMN_STALLRUN(name, type, comment) STALLRUN_##name,
#define SCHEMA_COLUMN_STALL(name, type, comment) STALL_##name,
#define SCHEMA_COLUMN_PHASERUN(name, type, comment) PHASERUN_##name,
#define SCHEMA_COLUMN_PHASE(name, type, comment) PHASE_##name,
#define SCHEMA_COLUMN_PHASESUM(name, type, comment) PHASESUM_##name,
#define TABLE(id, sql, columns) enum id##_columns{columns(SCHEMA_COLUMN_##id) id##_NUMBER};
TABLES(TABLE)
#undef TABLE
#undef COLUMN_ENUM_BEGIN

/* The description of a table; never NULL for a valid id. */
const struct table *schema_table(enum table_id id);

#endif
