/*
 * make-spools.c: writes the spools that processes of a traced program would leave, where the library in them would put
 * them. To be run under `dbprof trace`. usage: make-spools PROCESSES PAIRS [late]
 *
 * Each process has one GPU, which it calls device 0, and launches PAIRS kernels: for each there is an API call, for
 * every hundredth a range and a copy. With "late" the GPU tells about itself after half of the kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/store.h"
#include "trace/inject/inject.h"

enum { BATCH = 500, NAMES = 20 }; /* rows of one kind in a row, as CUPTI's buffers bring them */

static struct error err;

static void put(struct spool *spool, enum table_id table, const struct value *row)
{
	if (spool_row(spool, table, row, &err) == 0)
		return;
	fprintf(stderr, "make-spools: %s\n", err.text);
	exit(1);
}

static void put_process(struct spool *spool, int process, bool finished)
{
	const struct value row[TRACEDPROCESS_NUMBER] = {
		[TRACEDPROCESS_pid] = VALUE_OF_INT(1000 + process),
		[TRACEDPROCESS_parent] = VALUE_OF_INT(1),
		[TRACEDPROCESS_command] = VALUE_OF_TEXT("make-spools"),
		[TRACEDPROCESS_start] = VALUE_OF_INT(2000000000000000000),
		[TRACEDPROCESS_end] = VALUE_OF_INT(2000000001000000000),
		[TRACEDPROCESS_finished] = VALUE_OF_INT(finished),
	};

	put(spool, TABLE_TRACEDPROCESS, row);
}

static void put_gpu(struct spool *spool, int process)
{
	char uuid[32];
	const struct value row[GPU_NUMBER] = {
		[GPU_id] = VALUE_OF_INT(0),
		[GPU_cuDevice] = VALUE_OF_INT(0),
		[GPU_name] = VALUE_OF_TEXT("NVIDIA H100 80GB HBM3"),
		[GPU_uuid] = VALUE_OF_TEXT(uuid),
		[GPU_smCount] = VALUE_OF_INT(132),
	};

	snprintf(uuid, sizeof(uuid), "GPU-%d", process);
	put(spool, TABLE_GPU, row);
}

static int64_t time_of(long i)
{
	return 2000000000000000000 + i * 5000;
}

static void put_kernel(struct spool *spool, int process, long i)
{
	static char names[NAMES][64];
	const struct value row[KERNEL_NUMBER] = {
		[KERNEL_start] = VALUE_OF_INT(time_of(i) + 3000 + i * 7919 % 500),
		[KERNEL_end] = VALUE_OF_INT(time_of(i) + 6000 + i * 104729 % 1500),
		[KERNEL_deviceId] = VALUE_OF_INT(0),
		[KERNEL_contextId] = VALUE_OF_INT(1),
		[KERNEL_streamId] = VALUE_OF_INT(7 + i % 3),
		[KERNEL_correlationId] = VALUE_OF_INT(i + 1),
		[KERNEL_globalPid] = VALUE_OF_INT((int64_t)(1000 + process) << 24),
		[KERNEL_mangledName] = VALUE_OF_TEXT(names[i % NAMES]),
		[KERNEL_launchType] = VALUE_OF_INT(1),
		[KERNEL_cacheConfig] = VALUE_OF_INT(0),
		[KERNEL_registersPerThread] = VALUE_OF_INT(32 + i % NAMES),
		[KERNEL_gridX] = VALUE_OF_INT(1024),
		[KERNEL_gridY] = VALUE_OF_INT(1),
		[KERNEL_gridZ] = VALUE_OF_INT(1),
		[KERNEL_blockX] = VALUE_OF_INT(256),
		[KERNEL_blockY] = VALUE_OF_INT(1),
		[KERNEL_blockZ] = VALUE_OF_INT(1),
		[KERNEL_staticSharedMemory] = VALUE_OF_INT(i % NAMES * 1024),
		[KERNEL_dynamicSharedMemory] = VALUE_OF_INT(0),
		[KERNEL_localMemoryPerThread] = VALUE_OF_INT(0),
		[KERNEL_localMemoryTotal] = VALUE_OF_INT(155713536),
		[KERNEL_gridId] = VALUE_OF_INT(i + 1),
		[KERNEL_sharedMemoryExecuted] = VALUE_OF_INT(16384),
		[KERNEL_sharedMemoryLimitConfig] = VALUE_OF_INT(0),
	};

	if (names[i % NAMES][0] == '\0')
		snprintf(names[i % NAMES], sizeof(names[0]), "_Z%zukernel_%02ldILi%ldEEvPKfPf", strlen("kernel_00"),
			i % NAMES, i % NAMES);
	put(spool, TABLE_KERNEL, row);
}

static void put_call(struct spool *spool, int process, long i)
{
	const struct value row[RUNTIME_NUMBER] = {
		[RUNTIME_start] = VALUE_OF_INT(time_of(i)),
		[RUNTIME_end] = VALUE_OF_INT(time_of(i) + 1500 + i * 7919 % 700),
		[RUNTIME_eventClass] = VALUE_OF_INT(0),
		[RUNTIME_globalTid] = VALUE_OF_INT((int64_t)(1000 + process) << 24 | (1000 + process)),
		[RUNTIME_correlationId] = VALUE_OF_INT(i + 1),
		[RUNTIME_nameId] = VALUE_OF_TEXT("cudaLaunchKernel_v7000"),
		[RUNTIME_returnValue] = VALUE_OF_INT(0),
	};

	put(spool, TABLE_RUNTIME, row);
}

static void put_range(struct spool *spool, int process, long i)
{
	char text[32];
	const struct value range[NVTX_NUMBER] = {
		[NVTX_start] = VALUE_OF_INT(time_of(i)),
		[NVTX_end] = VALUE_OF_INT(time_of(i + 99)),
		[NVTX_eventType] = VALUE_OF_INT(59),
		[NVTX_text] = VALUE_OF_TEXT(text),
		[NVTX_globalTid] = VALUE_OF_INT((int64_t)(1000 + process) << 24 | (1000 + process)),
		[NVTX_domainId] = VALUE_OF_INT(0),
	};
	const struct value copy[MEMCPY_NUMBER] = {
		[MEMCPY_start] = VALUE_OF_INT(time_of(i) + 2000),
		[MEMCPY_end] = VALUE_OF_INT(time_of(i) + 4000),
		[MEMCPY_deviceId] = VALUE_OF_INT(0),
		[MEMCPY_contextId] = VALUE_OF_INT(1),
		[MEMCPY_streamId] = VALUE_OF_INT(13),
		[MEMCPY_correlationId] = VALUE_OF_INT(i + 1),
		[MEMCPY_globalPid] = VALUE_OF_INT((int64_t)(1000 + process) << 24),
		[MEMCPY_bytes] = VALUE_OF_INT(1 << 20),
		[MEMCPY_copyKind] = VALUE_OF_INT(1),
		[MEMCPY_srcKind] = VALUE_OF_INT(1),
		[MEMCPY_dstKind] = VALUE_OF_INT(2),
		[MEMCPY_copyCount] = VALUE_OF_INT(1),
	};

	snprintf(text, sizeof(text), "step %ld", i / 100);
	put(spool, TABLE_NVTX, range);
	put(spool, TABLE_MEMCPY, copy);
}

static void put_rows(struct spool *spool, int process, long pairs, long late)
{
	for (long i = 0; i < pairs; i += BATCH) {
		if (i <= late && late < i + BATCH)
			put_gpu(spool, process);
		for (long k = i; k < i + BATCH && k < pairs; k++)
			put_call(spool, process, k);
		for (long k = i; k < i + BATCH && k < pairs; k++) {
			put_kernel(spool, process, k);
			if (k % 100 == 0)
				put_range(spool, process, k);
		}
	}
}

static void write_spool(const char *folder, int process, long pairs, bool late)
{
	char path[4400];
	struct spool *spool;

	snprintf(path, sizeof(path), "%s/%d-%d" INJECT_SUFFIX, folder, (int)getpid(), process);
	spool = spool_create(path, &err);
	if (!spool) {
		fprintf(stderr, "make-spools: %s\n", err.text);
		exit(1);
	}
	put_process(spool, process, false);
	put_rows(spool, process, pairs, late ? pairs / 2 : 0);
	put_process(spool, process, true);
	spool_close(spool, &err);
}

int main(int argc, char **argv)
{
	const char *folder = getenv(INJECT_FOLDER);

	if (argc < 3 || argc > 4 || !folder) {
		fputs("usage: dbprof trace -- make-spools PROCESSES PAIRS [late]\n", stderr);
		return 2;
	}
	for (int i = 0; i < atoi(argv[1]); i++)
		write_spool(folder, i, atol(argv[2]), argc == 4);
	return 0;
}
