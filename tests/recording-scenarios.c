/* recording-scenarios.c: the smaller scenarios; each row is a line as in recording-script.h. */
#include "recording-scenarios.h"

#include <stdio.h>
#include <string.h>

#include "recording-script.h"

/* Process 4242 and its main thread as Nsight Systems numbers them: pid << 24, and the thread id below. */
#define PROCESS "71168950272"
#define THREAD "71168954514"

static int write_lines(struct recording *rec, const char *const *lines, struct error *err)
{
	for (; *lines != NULL; lines++)
		if (script_row(rec, err, "%s", *lines) != 0)
			return -1;
	return 0;
}

int scenario_facts(struct recording *rec, struct error *err)
{
	static const char *const lines[] = {
		"META key=dbprof value=0.0.0-test",
		"META key=created value=2030-01-01T00:00:00Z",
		"META key=command value=\"dbprof record --made-up\"",
		"META key=seed value=42",
		"META key=device value=0",
		"META key=cuda_runtime value=13.0",
		"META key=cuda_driver value=13.0",
		"META key=driver value=580.0",
		"META key=cupti value=130001",
		NULL,
	};

	return write_lines(rec, lines, err);
}

int scenario_gpu(struct recording *rec, int id, struct error *err)
{
	return script_row(rec, err,
		"GPU vmId=0 id=%d name=\"Made-up GPU %d\" busLocation=0000:0%d:00.0 isDiscrete=1 "
		"l2CacheSize=1048576 totalMemory=1073741824 memoryBandwidth=100000000000 clockRate=1000000000 "
		"smCount=4 uuid=00000000-0000-0000-0000-00000000000%d cuDevice=%d maxRegistersPerBlock=65536 "
		"maxShmemPerBlock=49152 maxShmemPerBlockOptin=101376 maxShmemPerSm=102400 maxRegistersPerSm=65536 "
		"threadsPerWarp=32 asyncEngines=2 maxWarpsPerSm=48 maxBlocksPerSm=16 maxThreadsPerBlock=1024 "
		"computeMajor=8 computeMinor=6 smMajor=8 smMinor=6",
		id, id, id + 1, id, id);
}

/* One kernel and nothing else. */
static int minimal(struct recording *rec, struct error *err)
{
	static const char *const lines[] = {
		"KERNEL start=1000 end=3000 deviceId=0 contextId=1 streamId=7 correlationId=1 globalPid=" PROCESS
		" demangledName=\"lonely(int *)\" shortName=lonely mangledName=_Z6lonelyPi launchType=1 cacheConfig=0"
		" registersPerThread=16 gridX=1 gridY=1 gridZ=1 blockX=32 blockY=1 blockZ=1 staticSharedMemory=0"
		" dynamicSharedMemory=0 localMemoryPerThread=0 localMemoryTotal=0 gridId=1",
		"RUNTIME start=500 end=700 eventClass=0 globalTid=" THREAD
		" correlationId=1 nameId=cudaLaunchKernel_v7000 returnValue=0",
		NULL,
	};

	return scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0 ? -1 : write_lines(rec, lines, err);
}

static int no_events(struct recording *rec, struct error *err)
{
	return scenario_facts(rec, err) != 0 ? -1 : scenario_gpu(rec, 0, err);
}

static int newer_version(struct recording *rec, struct error *err)
{
	char version[32];

	snprintf(version, sizeof version, "%d", RECORDING_VERSION + 1);
	return minimal(rec, err) != 0 ? -1 : recording_meta(rec, "version", version, err);
}

/* A piece of device work and the call that asked for it, 20 ns long. */
struct piece {
	const char *what; /* h2d, d2h, d2d, kernel or memset */
	int device, stream, call, start, end;
};

static int write_piece(struct recording *rec, const struct piece *p, int correlation, struct error *err)
{
	static const struct {
		const char *what, *call, *row;
	} kinds[] = {
		{"h2d", "cudaMemcpyAsync_v3020", "MEMCPY copyKind=1 srcKind=1 dstKind=2 copyCount=1 bytes=4096"},
		{"d2h", "cudaMemcpyAsync_v3020", "MEMCPY copyKind=2 srcKind=2 dstKind=1 copyCount=1 bytes=2048"},
		{"d2d", "cudaMemcpyAsync_v3020", "MEMCPY copyKind=8 srcKind=2 dstKind=2 copyCount=1 bytes=1024"},
		{"memset", "cudaMemsetAsync_v3020", "MEMSET value=0 bytes=512 memKind=2"},
		{"kernel", "cudaLaunchKernel_v7000",
			"KERNEL demangledName=\"work<(int)2>(float *)\" shortName=work mangledName=_Z4workILi2EEvPf "
			"launchType=1 "
			"cacheConfig=0 registersPerThread=20 gridX=8 gridY=1 gridZ=1 blockX=128 blockY=1 blockZ=1 "
			"staticSharedMemory=1024 dynamicSharedMemory=0 localMemoryPerThread=0 localMemoryTotal=0 "
			"gridId=1"},
	};
	size_t kind = 0;

	while (kind + 1 < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].what, p->what) != 0)
		kind++;
	if (script_row(rec, err,
		    "%s start=%d end=%d deviceId=%d contextId=%d streamId=%d correlationId=%d globalPid=" PROCESS,
		    kinds[kind].row, p->start, p->end, p->device, p->device + 1, p->stream, correlation) != 0)
		return -1;
	return script_row(rec, err,
		"RUNTIME start=%d end=%d eventClass=0 globalTid=" THREAD " correlationId=%d nameId=%s "
		"returnValue=0",
		p->call, p->call + 20, correlation, kinds[kind].call);
}

/*
 * A program with two ranges and two GPUs. In ns:
 *   GPU 0, range "load":    h2d 1000-2000 (stream 13), kernel 1500-2500 (14), d2h 2200-3000 (13), memset 3100-3200 (13)
 *   GPU 0, range "compute": kernel 5000-6000 (14), kernel 5500-6500 (13), d2d 6400-6600 (14)
 *   GPU 1, range "compute": h2d 5000-5400 (13), kernel 5600-5800 (13)
 * GPU 0 in "load": busy h2d 1000, kernel 1000, d2h 800, copy 1800, all 2100; span 2200, idle 100; overlap of copies and
 * kernels 500 + 300 = 800, exposed copy 1000; duplex 0.
 */
static int program(struct recording *rec, struct error *err)
{
	static const char *const ranges[] = {
		"NVTX start=0 eventType=75 text=toy globalTid=" THREAD " domainId=1",
		"NVTX start=100 end=900 eventType=59 color=0xffd55e00 text=load globalTid=" THREAD
		" domainId=1 uint64Value=7",
		"NVTX start=1000 end=1900 eventType=59 color=0xff0072b2 textId=compute globalTid=" THREAD " domainId=1",
		"NVTX start=950 eventType=34 text=halfway globalTid=" THREAD " domainId=1",
		"SYNCHRONIZATION start=2000 end=6600 deviceId=0 contextId=1 streamId=4294967295 correlationId=50 "
		"globalPid=" PROCESS " syncType=4 eventId=4294967295",
		"RUNTIME start=2000 end=6620 eventClass=0 globalTid=" THREAD
		" correlationId=50 nameId=cudaDeviceSynchronize_v3020 returnValue=0",
		"OVERHEAD start=10 end=60 globalTid=" THREAD " nameId=\"CUPTI Instrumentation\" returnValue=0",
		"DIAGNOSTIC timestamp=0 timestampType=1 source=1 severity=1 text=\"a made-up program\" "
		"globalPid=" PROCESS,
		NULL,
	};
	static const struct piece pieces[] = {
		{"h2d", 0, 13, 200, 1000, 2000},
		{"kernel", 0, 14, 300, 1500, 2500},
		{"d2h", 0, 13, 400, 2200, 3000},
		{"memset", 0, 13, 500, 3100, 3200},
		{"kernel", 0, 14, 1100, 5000, 6000},
		{"kernel", 0, 13, 1200, 5500, 6500},
		{"d2d", 0, 14, 1300, 6400, 6600},
		{"h2d", 1, 13, 1400, 5000, 5400},
		{"kernel", 1, 13, 1500, 5600, 5800},
	};

	if (scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0 || scenario_gpu(rec, 1, err) != 0 ||
		write_lines(rec, ranges, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		if (write_piece(rec, &pieces[i], (int)i + 1, err) != 0)
			return -1;
	return 0;
}

const struct scenario scenarios[] = {
	{"minimal", "one kernel", minimal},
	{"no-events", "a GPU, but nothing that happened on it", no_events},
	{"newer-version", "written by a dbprof of the future", newer_version},
	{"program", "NVTX ranges, copies and kernels on two GPUs", program},
	{"traced", "a traced program: two processes, two GPUs, copies that wait and copies that do not",
		scenario_traced},
	{"families", "two families with everything that dbprof records", scenario_families},
	{"sweeps", "sweeps with parts of the work and predictions, one of them interrupted", scenario_sweeps},
	{"sweep-grid", "a sweep over 17 lengths and 5 block sizes", scenario_sweep_grid},
	{"floor", "these families with a floor, runs, clocks and company", scenario_floor},
	{NULL, NULL, NULL},
};
