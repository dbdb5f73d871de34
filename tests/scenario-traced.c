/*
 * scenario-traced.c: what `dbprof trace` leaves of a made-up program: a process on GPU 0 that copies and computes in
 * one stream, then in two, then with pageable memory, then behind an event; and its child on GPU 1, which was killed.
 */
#include "recording-scenarios.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "recording-script.h"

enum {
	PARENT = 5001,
	CHILD = 5002,
	NULL_STREAM = 7,
	STEPS = 32,
	COPY_IN = 400000,
	KERNEL = 300000,
	COPY_OUT = 100000,
	CALL = 2000,
};

/* One process: where its next call and its next device work stand, in ns. */
struct program {
	struct recording *rec;
	struct error *err;
	int pid, device, correlation, event;
	long long host;
	bool bad;
};

static void row(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void row(struct program *p, const char *format, ...)
{
	va_list args;
	char *line = NULL;

	va_start(args, format);
	p->bad |= vasprintf(&line, format, args) < 0 || script_row(p->rec, p->err, "%s", line) != 0;
	va_end(args);
	free(line);
}

static long long process(const struct program *p)
{
	return (long long)p->pid << 24;
}

/* Its only thread has the process's number. */
static long long thread(const struct program *p)
{
	return process(p) | p->pid;
}

/* A call that takes until `end`, or CALL ns if that is longer. */
static void call(struct program *p, const char *name, long long end)
{
	end = end > p->host + CALL ? end : p->host + CALL;
	row(p, "RUNTIME start=%lld end=%lld eventClass=0 globalTid=%lld correlationId=%d nameId=%s returnValue=0",
		p->host, end, thread(p), ++p->correlation, name);
	p->host = end;
}

static long long later(long long a, long long b)
{
	return a > b ? a : b;
}

/* A copy of `ns` at 50 bytes/ns behind `after`; returns its end. Memory kinds as Nsight Systems numbers them. */
static long long copy(struct program *p, const char *name, int stream, bool in, bool pageable, long long after, int ns)
{
	long long start = later(after, p->host + CALL), end = start + ns;
	int host = pageable ? 0 : 1;

	row(p,
		"MEMCPY start=%lld end=%lld deviceId=%d contextId=1 streamId=%d correlationId=%d globalPid=%lld "
		"bytes=%lld "
		"copyKind=%d srcKind=%d dstKind=%d copyCount=1",
		start, end, p->device, stream, p->correlation + 1, process(p), 50LL * ns, in ? 1 : 2, in ? host : 2,
		in ? 2 : host);
	call(p, name, pageable ? end : 0);
	return end;
}

static long long kernel(struct program *p, int stream, long long after, int ns)
{
	long long start = later(after, p->host + CALL);

	row(p,
		"KERNEL start=%lld end=%lld deviceId=%d contextId=1 streamId=%d correlationId=%d globalPid=%lld "
		"demangledName=\"void gemm<float, (int)128>(const float *, float *)\" shortName=\"gemm<float, "
		"(int)128>\" "
		"mangledName=_Z4gemmIfLi128EEvPKfPf launchType=1 cacheConfig=0 registersPerThread=64 gridX=132 gridY=1 "
		"gridZ=1 blockX=256 blockY=1 blockZ=1 staticSharedMemory=32768 dynamicSharedMemory=0 "
		"localMemoryPerThread=0 localMemoryTotal=0 gridId=1",
		start, start + ns, p->device, stream, p->correlation + 1, process(p));
	call(p, "cudaLaunchKernel_v7000", 0);
	return start + ns;
}

/* The host waits for a stream until `end`. */
static void wait_for_stream(struct program *p, int stream, long long end)
{
	end = later(end, p->host + CALL);
	row(p,
		"SYNCHRONIZATION start=%lld end=%lld deviceId=%d contextId=1 streamId=%d correlationId=%d "
		"globalPid=%lld "
		"syncType=3 eventId=4294967295",
		p->host, end, p->device, stream, p->correlation + 1, process(p));
	call(p, "cudaStreamSynchronize_v3020", end);
}

/* An event in stream `from`, for which stream `to` waits. */
static void order(struct program *p, int from, int to)
{
	row(p,
		"CUDAEVENT deviceId=%d contextId=1 streamId=%d correlationId=%d globalPid=%lld eventId=%d "
		"eventSyncId=%d",
		p->device, from, p->correlation + 1, process(p), from, ++p->event);
	call(p, "cudaEventRecord_v3020", 0);
	row(p,
		"SYNCHRONIZATION start=%lld end=%lld deviceId=%d contextId=1 streamId=%d correlationId=%d "
		"globalPid=%lld "
		"syncType=2 eventId=%d eventSyncId=%d",
		p->host, p->host + CALL, p->device, to, p->correlation + 1, process(p), from, p->event);
	call(p, "cudaStreamWaitEvent_v3020", 0);
}

static void range(struct program *p, long long start, const char *text, const char *color)
{
	row(p, "NVTX start=%lld end=%lld eventType=59 color=%s text=\"%s\" globalTid=%lld domainId=0", start, p->host,
		color, text, thread(p));
}

/* Copy in, compute, copy out, in turn. */
static void one_stream(struct program *p, const char *name)
{
	long long start = p->host, done = start;

	for (int i = 0; i < STEPS; i++) {
		long long step = p->host;

		done = copy(p, "cudaMemcpyAsync_v3020", 13, true, false, done, COPY_IN);
		done = kernel(p, 13, done, KERNEL);
		done = copy(p, "cudaMemcpyAsync_v3020", 13, false, false, done, COPY_OUT);
		range(p, step, "step", "0xff0072b2");
	}
	wait_for_stream(p, 13, done);
	range(p, start, name, "0xffd55e00");
}

/* The same in two streams in turn: each copy engine and the SMs take one piece at a time. */
static void two_streams(struct program *p)
{
	long long start = p->host, in = start, computed = start, out = start, stream[2] = {start, start};

	for (int i = 0; i < STEPS; i++) {
		int s = i % 2;
		long long step = p->host;

		in = copy(p, "cudaMemcpyAsync_v3020", 13 + s, true, false, later(in, stream[s]), COPY_IN);
		computed = kernel(p, 13 + s, later(in, computed), KERNEL);
		out = copy(p, "cudaMemcpyAsync_v3020", 13 + s, false, false, later(computed, out), COPY_OUT);
		stream[s] = out;
		range(p, step, "step", "0xff0072b2");
	}
	wait_for_stream(p, 13, stream[0]);
	wait_for_stream(p, 14, stream[1]);
	range(p, start, "two streams", "0xff009e73");
}

/* Copies from memory that is not pinned, with a call that returns when they are done, in the default stream. */
static void pageable(struct program *p)
{
	long long start = p->host, done = start;

	for (int i = 0; i < STEPS / 2; i++) {
		done = copy(p, "cudaMemcpy_v3020", NULL_STREAM, true, true, done, COPY_IN / 2);
		done = kernel(p, NULL_STREAM, done, KERNEL);
	}
	wait_for_stream(p, NULL_STREAM, done);
	range(p, start, "evaluate", "0xffcc79a7");
}

/* Copies in a stream of their own that wait for the kernels all the same. */
static void behind_events(struct program *p)
{
	long long start = p->host, done = start;

	for (int i = 0; i < STEPS / 2; i++) {
		done = copy(p, "cudaMemcpyAsync_v3020", 15, true, false, done, COPY_IN / 4);
		order(p, 15, 13);
		done = kernel(p, 13, done, KERNEL);
		order(p, 13, 15);
	}
	wait_for_stream(p, 13, done);
	range(p, start, "prefetch", "0xff56b4e9");
}

static void identity(struct program *p, const char *command, const char *rest)
{
	row(p, "PROCESS globalPid=%lld pid=%d name=python3", process(p), p->pid);
	row(p, "THREAD nameId=python3 globalTid=%lld", thread(p));
	row(p, "TRACEDPROCESS pid=%d command=\"%s\" start=1000 end=%lld %s", p->pid, command, p->host, rest);
	row(p, "CONTEXT nullStreamId=%d hwId=0 vmId=0 processId=%d deviceId=%d contextId=1 isGreenContext=0",
		NULL_STREAM, p->pid, p->device);
	for (int stream = 13; stream <= 15; stream++)
		row(p, "STREAM streamId=%d hwId=0 vmId=0 processId=%d contextId=1 priority=0 flag=2", stream, p->pid);
	row(p, "STREAM streamId=%d hwId=0 vmId=0 processId=%d contextId=1 priority=0 flag=3", NULL_STREAM, p->pid);
}

int scenario_traced(struct recording *rec, struct error *err)
{
	struct program parent = {.rec = rec, .err = err, .pid = PARENT, .host = 1000000};
	struct program child = {.rec = rec, .err = err, .pid = CHILD, .device = 1, .host = 5000000};

	if (scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0 || scenario_gpu(rec, 1, err) != 0)
		return -1;
	one_stream(&parent, "one stream");
	two_streams(&parent);
	pageable(&parent);
	behind_events(&parent);
	range(&parent, 1000000, "train", "0xff59626e");
	identity(&parent, "python3 train.py --note=<b>&amp;", "parent=5000 finished=1 dropped=0 untimed=0");
	one_stream(&child, "worker\302\233<script>alert(1)</script> \\\"load\\\"");
	identity(&child, "python3 train.py --worker",
		"parent=5001 finished=0 dropped=12 untimed=3 note=\"it was killed by signal 9; records of its last "
		"moments are "
		"missing\"");
	return parent.bad || child.bad ? -1 : 0;
}
