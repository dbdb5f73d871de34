/*
 * scenario-families.c: two made-up families, with everything that dbprof records about a family.
 *
 * toy-pipe: two copies and a kernel per chunk. Case "large" (two chunks), per iteration, in ns from its first work:
 *   one-buffer:  h2d 0-1000, kernel 1000-1500, d2h 1500-2000, then the same at +2000: span 4000, overlap 0
 *   two-buffers: h2d 0-1000 and 1000-2000, kernel 1000-1500 and 2000-2500, d2h 1500-2000 and 2500-3000: span 3000,
 *                overlap 500, duplex 500, B(copy) 2500, exposed copy 2000; hideable of single 2000, hidden share 0.5
 * Case "small" (one chunk): h2d 400, kernel 200, d2h 400; two-buffers waits 100 before its d2h.
 * toy-scan: one kernel of 2000 ns in case "eight", for both; "racy" is wrong on purpose (0, 10 and 20 elements in three
 * runs) and 1500 ns long. Case "ragged" is verified only, and "one-barrier" cannot run it.
 *
 * Samples: 12 A B B A blocks around the spans above: -1, 0, +1 times a spread, by block. So the medians are the spans,
 * and single / double is 4000 / 3000 (faster), 1000 / 1100 (slower) and 2000 / 2000 (same).
 */
#include "recording-scenarios.h"

#include <string.h>

#include "recording-script.h"

enum { BLOCKS = 12, ITERATIONS = 3, SLOT_NS = 10000, RUNS = 3 };

enum work_kind { WORK_H2D, WORK_KERNEL, WORK_D2H };

struct work {
	enum work_kind kind;
	int stream, start, end; /* from the iteration's first work */
};

/* A variant in a case that is timed. */
struct timed {
	const char *label;
	int ns, spread;      /* of the samples; 0: there are none */
	struct work work[8]; /* ends with an `end` of 0 */
};

struct toy_variant {
	const char *name, *color, *symbol, *short_name;
	struct timed timed[2];
};

struct toy {
	const char *name;
	int pid;
	int start; /* of the family's trace */
	struct toy_variant variants[3];
	const char *const *lines; /* the rows that are written as they are */
};

/* clang-format off */
static const char pipe_source[] =
	"// toy-pipe.cu: a made-up family\\n"
	"// begin one-buffer, two-buffers\\n"
	"__global__ void toy_pipe(float *x, int n)\\n"
	"{\\n"
	"\tx[threadIdx.x] += n;\\n"
	"}\\n"
	"// end one-buffer, two-buffers\\n"
	"// begin one-buffer\\n"
	"cudaMemcpyAsync(a, h, n, kind, s);\\n"
	"toy_pipe<<<8, 128, 0, s>>>(a, n);\\n"
	"// end one-buffer\\n"
	"// begin two-buffers\\n"
	"cudaMemcpyAsync(a[i % 2], h, n, kind, s[i % 2]);\\n"
	"toy_pipe<<<8, 128, 0, s[i % 2]>>>(a[i % 2], n);\\n"
	"// end two-buffers\\n";

static const char scan_source[] =
	"// toy-scan.cu: a made-up family\\n"
	"// begin two-barriers\\n"
	"float t = x[i - s];\\n"
	"__syncthreads();\\n"
	"x[i] += t;\\n"
	"__syncthreads();\\n"
	"// end two-barriers\\n"
	"// begin one-barrier\\n"
	"y[i] = x[i] + x[i - s];\\n"
	"__syncthreads();\\n"
	"// end one-barrier\\n"
	"// begin racy\\n"
	"x[i] += x[i - s];\\n"
	"// end racy\\n";

#define PTX_HEAD ".version 8.0\\n.target sm_80\\n"
#define PTX_ENTRY(symbol, barrier) \
	".visible .entry " symbol "(.param .u64 p)\\n{\\n.reg .f32 %f<3>;\\n.loc 1 5 1\\nld.shared.f32 %f1, [%rd1];\\n" \
	barrier "add.f32 %f2, %f1, %f1;\\nst.shared.f32 [%rd1], %f2;\\nret;\\n}\\n"
#define PTX_BARRIER "bar.sync 0;\\n"

static const char *const pipe_lines[] = {
	"FAMILY name=toy-pipe ord=0 title=\"A made-up pipeline\" question=\"Does a second buffer pay in a toy?\" "
	"teaches=\"Copies and kernels can run at the same time.\" source=\"made up for tests\" file=toy-pipe.cu "
	"throughput=GB/s boundBy=PCIe single=one-buffer double=two-buffers",
	"VARIANT family=toy-pipe name=one-buffer ord=0 summary=\"one after the other\" kind=candidate buffers=1 "
	"teachesFailure=0",
	"VARIANT family=toy-pipe name=two-buffers ord=1 summary=\"two in flight\" kind=candidate buffers=2 "
	"teachesFailure=0",
	"CASE family=toy-pipe label=large ord=0 verifyOnly=0 flops=0 bytes=12000 elements=1024",
	"CASE family=toy-pipe label=small ord=1 verifyOnly=0 flops=0 bytes=4400 elements=128",
	"PARAM family=toy-pipe caseLabel=large name=n value=1024 unit=elements summary=\"length of the vectors\"",
	"PARAM family=toy-pipe caseLabel=small name=n value=128 unit=elements summary=\"length of the vectors\"",
	"PASS family=toy-pipe pass=verify status=done start=1000 end=2000",
	"PASS family=toy-pipe pass=time status=done start=2000 end=3000",
	"PASS family=toy-pipe pass=trace status=done start=3000 end=1000000",
	"PTX file=toy-pipe.cu arch=compute_80 text=\"" PTX_HEAD PTX_ENTRY("_Z8toy_pipePfi", "") "\"",
	NULL,
};

static const char *const scan_lines[] = {
	"FAMILY name=toy-scan ord=1 title=\"A made-up scan\" question=\"Does one barrier beat two in a toy?\" "
	"teaches=\"A barrier can be saved.\" source=\"made up for tests\" file=toy-scan.cu throughput=Gelements/s "
	"boundBy=\"device memory\" single=two-barriers double=one-barrier",
	"VARIANT family=toy-scan name=two-barriers ord=0 summary=\"one array\" kind=candidate buffers=1 "
	"teachesFailure=0",
	"VARIANT family=toy-scan name=one-barrier ord=1 summary=\"two arrays\" kind=candidate buffers=2 "
	"teachesFailure=0",
	"VARIANT family=toy-scan name=racy ord=2 summary=\"one array, no barrier\" kind=candidate buffers=1 "
	"teachesFailure=1",
	"HAZARD family=toy-scan variant=racy ord=0 tool=racecheck text=\"Neighbours read & write at once.\"",
	"CASE family=toy-scan label=eight ord=0 verifyOnly=0 flops=0 bytes=0 elements=2000",
	"CASE family=toy-scan label=ragged ord=1 verifyOnly=1 flops=0 bytes=0 elements=7",
	"PARAM family=toy-scan caseLabel=eight name=n value=8 unit=elements summary=\"length of the scan\"",
	"PARAM family=toy-scan caseLabel=ragged name=n value=7 unit=elements summary=\"length of the scan\"",
	"UNSUPPORTED family=toy-scan variant=one-barrier caseLabel=ragged "
	"reason=\"toys with two arrays come in eights\"",
	"PASS family=toy-scan pass=verify status=done start=4000 end=5000",
	"PASS family=toy-scan pass=time status=done start=5000 end=6000",
	"PASS family=toy-scan pass=trace status=done start=1000000 end=2000000",
	"PASS family=toy-scan pass=pm status=skipped reason=\"toys are not sampled\"",
	"PTX file=toy-scan.cu arch=compute_80 text=\"" PTX_HEAD
	PTX_ENTRY("_Z12two_barriersPf", PTX_BARRIER PTX_BARRIER) PTX_ENTRY("_Z11one_barrierPf", PTX_BARRIER)
	PTX_ENTRY("_Z4racyPf", "") "\"",
	"RESOURCE family=toy-scan variant=two-barriers caseLabel=eight symbol=_Z12two_barriersPf gridX=8 gridY=1 gridZ=1 "
	"blockX=128 blockY=1 blockZ=1 registers=32 staticSmem=4096 dynamicSmem=0 localBytes=0 blocksPerSm=12",
	"RESOURCE family=toy-scan variant=one-barrier caseLabel=eight symbol=_Z11one_barrierPf gridX=8 gridY=1 gridZ=1 "
	"blockX=128 blockY=1 blockZ=1 registers=32 staticSmem=8192 dynamicSmem=0 localBytes=0 blocksPerSm=11",
	NULL,
};

#define CHUNK(stream, at, copy_ns, kernel_ns) \
	{WORK_H2D, stream, at, (at) + (copy_ns)}, {WORK_KERNEL, stream, (at) + (copy_ns), (at) + (copy_ns) + (kernel_ns)}

static const struct toy toys[] = {
	{"toy-pipe", 100, 3000, {
		{"one-buffer", "0xffd55e00", "_Z8toy_pipePfi", "toy_pipe", {
			{"large", 4000, 10, {
				CHUNK(13, 0, 1000, 500), {WORK_D2H, 13, 1500, 2000},
				CHUNK(13, 2000, 1000, 500), {WORK_D2H, 13, 3500, 4000}}},
			{"small", 1000, 2, {CHUNK(13, 0, 400, 200), {WORK_D2H, 13, 600, 1000}}}}},
		{"two-buffers", "0xff0072b2", "_Z8toy_pipePfi", "toy_pipe", {
			{"large", 3000, 10, {
				CHUNK(14, 0, 1000, 500), {WORK_D2H, 14, 1500, 2000},
				CHUNK(15, 1000, 1000, 500), {WORK_D2H, 15, 2500, 3000}}},
			{"small", 1100, 2, {CHUNK(14, 0, 400, 200), {WORK_D2H, 14, 700, 1100}}}}}},
		pipe_lines},
	{"toy-scan", 200, 1000000, {
		{"two-barriers", "0xffd55e00", "_Z12two_barriersPf", "two_barriers", {
			{"eight", 2000, 2, {{WORK_KERNEL, 7, 0, 2000}}}}},
		{"one-barrier", "0xff0072b2", "_Z11one_barrierPf", "one_barrier", {
			{"eight", 2000, 2, {{WORK_KERNEL, 7, 0, 2000}}}}},
		{"racy", "0xffd55e00", "_Z4racyPf", "racy", {
			{"eight", 0, 0, {{WORK_KERNEL, 7, 0, 1500}}}}}},
		scan_lines},
};
/* clang-format on */

static long long process_of(const struct toy *toy)
{
	return (long long)toy->pid << 24;
}

static long long thread_of(const struct toy *toy)
{
	return process_of(toy) + toy->pid;
}

/* What is being traced. */
struct tracing {
	struct recording *rec;
	const struct toy *toy;
	const struct toy_variant *variant;
	const struct timed *timed;
	int correlation; /* the last one given */
	struct error *err;
};

static int write_work(const struct tracing *t, const struct work *w, int zero)
{
	static const char *const copies[] = {
		[WORK_H2D] = "copyKind=1 srcKind=1 dstKind=2", [WORK_D2H] = "copyKind=2 srcKind=2 dstKind=1"};

	if (w->kind == WORK_KERNEL)
		return script_row(t->rec, t->err,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=%d correlationId=%d globalPid=%lld "
			"demangledName=\"%s(float *)\" shortName=%s mangledName=%s launchType=1 cacheConfig=0 "
			"registersPerThread=32 gridX=8 gridY=1 gridZ=1 blockX=128 blockY=1 blockZ=1 "
			"dynamicSharedMemory=0 "
			"staticSharedMemory=4096 localMemoryPerThread=0 localMemoryTotal=0 gridId=%d",
			zero + w->start, zero + w->end, w->stream, t->correlation, process_of(t->toy),
			t->variant->short_name, t->variant->short_name, t->variant->symbol, t->correlation);
	return script_row(t->rec, t->err,
		"MEMCPY start=%d end=%d deviceId=0 contextId=1 streamId=%d correlationId=%d globalPid=%lld "
		"bytes=4000 copyCount=1 %s",
		zero + w->start, zero + w->end, w->stream, t->correlation, process_of(t->toy), copies[w->kind]);
}

static int write_call(const struct tracing *t, enum work_kind kind, int start)
{
	return script_row(t->rec, t->err,
		"RUNTIME start=%d end=%d eventClass=0 globalTid=%lld correlationId=%d nameId=%s returnValue=0", start,
		start + 50, thread_of(t->toy), t->correlation,
		kind == WORK_KERNEL ? "cudaLaunchKernel_v7000" : "cudaMemcpyAsync_v3020");
}

/* The range of an iteration, its calls (50 ns each, every 100 ns) and, from 1000 ns on, the work that they ask for. */
static int write_iteration(struct tracing *t, int number, int at)
{
	int call = at;

	if (script_row(t->rec, t->err,
		    "NVTX start=%d end=%d eventType=59 color=%s text=\"trace %s %d\" globalTid=%lld domainId=1 "
		    "uint64Value=%d",
		    at, at + SLOT_NS / 2, t->variant->color, t->timed->label, number, thread_of(t->toy), number) != 0)
		return -1;
	for (const struct work *w = t->timed->work; w->end > 0; w++) {
		call += 100;
		t->correlation++;
		if (write_call(t, w->kind, call) != 0 || write_work(t, w, at + 1000) != 0)
			return -1;
	}
	return 0;
}

/* The range of a variant, or of the family where `variant` is empty. */
static int write_range(const struct tracing *t, const char *variant, const char *color, int from, int to)
{
	return script_row(t->rec, t->err,
		"NVTX start=%d end=%d eventType=59 color=%s text=%s%s%s globalTid=%lld domainId=1", from, to, color,
		t->toy->name, *variant == '\0' ? "" : "/", variant, thread_of(t->toy));
}

static int write_counts(const struct tracing *t)
{
	static const char *const what[] = {"kernels", "copies", "memsets"};
	int n[] = {0, 0, 0};

	for (const struct work *w = t->timed->work; w->end > 0; w++)
		n[w->kind == WORK_KERNEL ? 0 : 1] += ITERATIONS;
	for (int i = 0; i < 3; i++)
		if (script_row(t->rec, t->err,
			    "COUNT family=%s variant=%s caseLabel=%s iterations=%d what=%s host=%d recorded=%d "
			    "lowerBound=0",
			    t->toy->name, t->variant->name, t->timed->label, ITERATIONS, what[i], n[i], n[i]) != 0)
			return -1;
	return 0;
}

/* Traces t->variant from *at on, which is moved behind it. */
static int write_variant_trace(struct tracing *t, int *at)
{
	int from = *at;

	for (t->timed = t->variant->timed; t->timed < t->variant->timed + 2 && t->timed->label != NULL; t->timed++) {
		for (int i = 0; i < ITERATIONS; i++, *at += SLOT_NS)
			if (write_iteration(t, i, *at + 10) != 0)
				return -1;
		if (write_counts(t) != 0)
			return -1;
	}
	return write_range(t, t->variant->name, t->variant->color, from + 5, *at);
}

static int write_trace(struct recording *rec, const struct toy *toy, struct error *err)
{
	struct tracing t = {.rec = rec, .toy = toy, .err = err};
	int at = toy->start;

	if (script_row(rec, err, "NVTX start=%d eventType=75 text=dbprof globalTid=%lld domainId=1", at,
		    thread_of(toy)) != 0)
		return -1;
	for (t.variant = toy->variants; t.variant < toy->variants + 3 && t.variant->name != NULL; t.variant++)
		if (write_variant_trace(&t, &at) != 0)
			return -1;
	return write_range(&t, "", "0xff808080", toy->start + 1, at + 10);
}

/* Variant 0 is A and variant 1 is B: positions 0 and 3, and 1 and 2, of each block. */
static int write_samples(
	struct recording *rec, const struct toy *toy, int variant, const struct timed *t, struct error *err)
{
	for (int block = 0; block < BLOCKS; block++)
		for (int half = 0; half < 2; half++) {
			int position = variant == 0 ? half * 3 : 1 + half;
			int ns = t->ns + t->spread * (block % 3 - 1);

			if (script_row(rec, err,
				    "SAMPLE family=%s variant=%s caseLabel=%s block=%d position=%d launches=50 ns=%d "
				    "smClockMhz=1000",
				    toy->name, toy->variants[variant].name, t->label, block, position, ns) != 0)
				return -1;
		}
	return 0;
}

static int write_verify(struct recording *rec, const struct toy *toy, const char *variant, const char *label,
	bool wrong, struct error *err)
{
	for (int run = 0; run < RUNS; run++)
		if (script_row(rec, err,
			    "VERIFY family=%s variant=%s caseLabel=%s run=%d seed=%d elements=1024 wrong=%d "
			    "maxError=%s%s",
			    toy->name, variant, label, run, 42 + run, wrong ? 10 * run : 0,
			    wrong && run > 0 ? "3.5" : "0.25",
			    wrong && run > 0 ? " firstWrong=5 got=4 want=6" : "") != 0)
			return -1;
	return 0;
}

static int write_measured(struct recording *rec, const struct toy *toy, struct error *err)
{
	for (int i = 0; i < 3 && toy->variants[i].name != NULL; i++) {
		const struct toy_variant *v = &toy->variants[i];

		for (const struct timed *t = v->timed; t < v->timed + 2 && t->label != NULL; t++)
			if (write_verify(rec, toy, v->name, t->label, t->ns == 0, err) != 0 ||
				(t->ns > 0 && write_samples(rec, toy, i, t, err) != 0))
				return -1;
	}
	return 0;
}

static int write_toy(struct recording *rec, const struct toy *toy, struct error *err)
{
	for (const char *const *line = toy->lines; *line != NULL; line++)
		if (script_row(rec, err, "%s", *line) != 0)
			return -1;
	return write_measured(rec, toy, err) != 0 ? -1 : write_trace(rec, toy, err);
}

/* An inclusive scan of eight ones by doubling strides: after stride s, element i holds min(i + 1, 2 s). */
static int write_steps(struct recording *rec, const char *variant, bool racy, struct error *err)
{
	for (int row = 0; row < 4; row++)
		for (int i = 0; i < 8; i++) {
			int stride = row == 0 ? 0 : 1 << (row - 1);
			int reach = row == 0 ? 1 : 2 * stride;

			if (script_row(rec, err,
				    "STEP family=toy-scan variant=%s row=%d stride=%d element=%d value=%d racy=%d",
				    variant, row, stride, i, i + 1 < reach ? i + 1 : reach,
				    racy && row > 0 && i >= stride) != 0)
				return -1;
		}
	return 0;
}

static int write_pipe_resources(struct recording *rec, struct error *err)
{
	for (int i = 0; i < 4; i++)
		if (script_row(rec, err,
			    "RESOURCE family=toy-pipe variant=%s caseLabel=%s symbol=_Z8toy_pipePfi gridX=8 gridY=1 "
			    "gridZ=1 blockX=128 blockY=1 blockZ=1 registers=16 staticSmem=0 dynamicSmem=0 localBytes=0 "
			    "blocksPerSm=12",
			    i < 2 ? "one-buffer" : "two-buffers", i % 2 == 0 ? "large" : "small") != 0)
			return -1;
	return 0;
}

static int write_clocks(struct recording *rec, struct error *err)
{
	for (int i = 0; i < 5; i++)
		if (script_row(rec, err,
			    "CLOCK timestamp=%d deviceId=0 smMhz=%d memMhz=800 temperatureC=%d powerMw=100000 "
			    "throttle=0",
			    2000 + 100 * i, 990 + 5 * i, 40 + i) != 0)
			return -1;
	return 0;
}

int scenario_families(struct recording *rec, struct error *err)
{
	if (scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof toys / sizeof *toys; i++)
		if (write_toy(rec, &toys[i], err) != 0)
			return -1;
	if (script_row(rec, err, "SOURCE file=toy-pipe.cu text=\"%s\"", pipe_source) != 0 ||
		script_row(rec, err, "SOURCE file=toy-scan.cu text=\"%s\"", scan_source) != 0 ||
		write_pipe_resources(rec, err) != 0 || write_clocks(rec, err) != 0 ||
		write_verify(rec, &toys[1], "two-barriers", "ragged", false, err) != 0)
		return -1;
	if (write_steps(rec, "two-barriers", false, err) != 0 || write_steps(rec, "one-barrier", false, err) != 0)
		return -1;
	return write_steps(rec, "racy", true, err) != 0 ? -1 : scenario_why(rec, err);
}
