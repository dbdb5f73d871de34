/*
 * scenario-why.c: what the passes that measure why give of the two made-up families of scenario-families.c.
 *
 * toy-scan, case "eight", two-barriers and one-barrier; shares of barrier stall:
 *   counters: 440 and 310 of 1000 warp cycles: 0.44 and 0.31. Per issue 440 / 200 = 2.2 and 310 / 200 = 1.55.
 *             long scoreboard: 200 and 320 of 1000; occupancy achieved 50 % for both
 *   samples:  44 of 100 samples, and 30 of 80: 0.44 and 0.375
 *   phases:   400 and 300 of 1000 cycles: 0.4 and 0.3. Perturbation 2050 / 2000: 0.025 for both
 * Control "two-barriers-padded": single with double's shared memory (8 KiB), 2100 ns: single over control 2000 / 2100.
 *
 * toy-pipe, case "large", counters of the whole launch and PM sampling of both variants: samples of 1000 ns from 0 on.
 */
#include "recording-scenarios.h"

#include "recording-script.h"

enum { BLOCKS = 12, CONTROL_NS = 2100, SPREAD_NS = 2, SAMPLE_NS = 1000 };

#define SCAN "family=toy-scan caseLabel=eight "
#define PIPE "family=toy-pipe caseLabel=large "
#define METRIC_ROW(set, ord, title) "METRIC setName=" set " pass=counters ord=" #ord " setTitle=\"" title "\" "
#define SINGLE_SYMBOL "symbol=_Z12two_barriersPf file=toy-scan.cu "
#define DOUBLE_SYMBOL "symbol=_Z11one_barrierPf file=toy-scan.cu "

/* clang-format off */
static const char *const metric_lines[] = {
	METRIC_ROW("warps", 0, "Warps on an SM") "key=occupancy_achieved title=\"achieved occupancy\" unit=% "
	"formula=\"100 * warps.sum / (64 * cycles.sum)\" meaning=\"Warps on an SM, of the most it can hold.\"",
	METRIC_ROW("warps", 1, "Warps on an SM") "key=inst_executed title=\"instructions executed\" unit=instructions "
	"formula=inst.sum meaning=\"Of all warps together.\"",
	METRIC_ROW("stalls", 0, "What warps wait for") "key=stall_barrier title=barrier unit=% "
	"formula=\"100 * stall_barrier.sum / warps.sum\" meaning=\"The other warps of the block, at a barrier.\"",
	METRIC_ROW("stalls", 1, "What warps wait for") "key=stall_long_scoreboard title=\"long scoreboard\" unit=% "
	"formula=\"100 * stall_long.sum / warps.sum\" meaning=\"A value from global or local memory.\"",
	METRIC_ROW("stalls", 2, "What warps wait for") "key=stall_selected title=selected unit=% "
	"formula=\"100 * issued.sum / warps.sum\" meaning=\"Nothing: the warp issues.\"",
	METRIC_ROW("stalls", 3, "What warps wait for") "key=stall_sleeping title=sleeping unit=% "
	"formula=\"100 * stall_sleeping.sum / warps.sum\" meaning=\"The end of its own sleep.\"",
	METRIC_ROW("stalls", 4, "What warps wait for") "key=issue_barrier title=\"barrier per issue\" unit=warps "
	"formula=\"stall_barrier.sum / issued.sum\" meaning=\"Warps at a barrier for each instruction issued.\"",
	METRIC_ROW("memory", 0, "Memory") "key=dram_bytes title=\"device memory\" unit=bytes "
	"formula=\"dram_read.sum + dram_write.sum\" meaning=\"Bytes read and written.\"",
	METRIC_ROW("memory", 1, "Memory") "key=throughput_dram title=\"device memory, of peak\" unit=% "
	"formula=dram.pct meaning=\"Throughput.\"",
	"METRIC setName=pm-sm pass=pm ord=0 setTitle=\"SMs against time\" key=pm_occupancy title=occupancy unit=% "
	"formula=sm__warps_active.avg.pct_of_peak_sustained_elapsed meaning=\"Warps on the SMs, of the most.\"",
	"METRIC setName=pm-sm pass=pm ord=1 setTitle=\"SMs against time\" key=pm_active_sms title=\"active SMs\" "
	"unit=% formula=sm__cycles_active.avg.pct_of_peak_sustained_elapsed meaning=\"SMs with a warp on them.\"",
	NULL,
};

static const char *const control_lines[] = {
	"VARIANT family=toy-scan name=two-barriers-padded ord=3 summary=\"one array, room for two\" kind=control buffers=1 "
	"teachesFailure=0",
	"RESOURCE " SCAN "variant=two-barriers-padded symbol=_Z12two_barriersPf gridX=8 gridY=1 gridZ=1 "
	"blockX=128 blockY=1 blockZ=1 registers=32 staticSmem=8192 dynamicSmem=0 localBytes=0 blocksPerSm=11",
	"VERIFY " SCAN "variant=two-barriers-padded run=0 seed=42 elements=1024 wrong=0 maxError=0.25",
	NULL,
};

static const char *const stall_lines[] = {
	"STALLRUN " SCAN "variant=two-barriers launches=10 period=2048 total=110 dropped=6 foreign=4",
	"STALL " SCAN "variant=two-barriers " SINGLE_SYMBOL "offset=16 line=3 reason=long_scoreboard samples=26 notIssued=20",
	"STALL " SCAN "variant=two-barriers " SINGLE_SYMBOL "offset=32 line=4 reason=barrier samples=30 notIssued=18",
	"STALL " SCAN "variant=two-barriers " SINGLE_SYMBOL "offset=64 line=6 reason=barrier samples=14 notIssued=9",
	"STALL " SCAN "variant=two-barriers " SINGLE_SYMBOL "offset=48 line=5 reason=short_scoreboard samples=15 notIssued=5",
	"STALL " SCAN "variant=two-barriers " SINGLE_SYMBOL "offset=48 line=5 reason=selected samples=10 notIssued=0",
	"STALL " SCAN "variant=two-barriers symbol=_Z12two_barriersPf offset=80 reason=wait samples=5 notIssued=3",
	"STALLRUN " SCAN "variant=one-barrier launches=10 period=2048 total=80 dropped=0 foreign=0",
	"STALL " SCAN "variant=one-barrier " DOUBLE_SYMBOL "offset=16 line=9 reason=long_scoreboard samples=40 notIssued=31",
	"STALL " SCAN "variant=one-barrier " DOUBLE_SYMBOL "offset=32 line=9 reason=selected samples=10 notIssued=0",
	"STALL " SCAN "variant=one-barrier " DOUBLE_SYMBOL "offset=48 line=10 reason=barrier samples=30 notIssued=17",
	NULL,
};

#define STAMPED \
	"block=3 warps=2 blocks=4 gridBlocks=8 plainNs=2000 stampedNs=2050 " \
	"plainCycles=500 stampedCycles=510 plainRegisters=32 stampedRegisters=40"
static const char *const phase_lines[] = {
	"PHASERUN id=1 " SCAN "variant=two-barriers " STAMPED,
	"PHASERUN id=2 " SCAN "variant=one-barrier " STAMPED,
	"PHASESUM run=1 step=0 phase=load cycles=100", "PHASESUM run=1 step=0 phase=wait cycles=200",
	"PHASESUM run=1 step=0 phase=compute cycles=100", "PHASESUM run=1 step=1 phase=load cycles=100",
	"PHASESUM run=1 step=1 phase=wait cycles=200", "PHASESUM run=1 step=1 phase=compute cycles=200",
	"PHASESUM run=1 step=1 phase=store cycles=100",
	"PHASESUM run=2 step=0 phase=load cycles=200", "PHASESUM run=2 step=0 phase=wait cycles=100",
	"PHASESUM run=2 step=0 phase=compute cycles=100", "PHASESUM run=2 step=1 phase=load cycles=200",
	"PHASESUM run=2 step=1 phase=wait cycles=200", "PHASESUM run=2 step=1 phase=compute cycles=100",
	"PHASESUM run=2 step=1 phase=store cycles=100",
	NULL,
};

/* Of one warp: from, to and phase of its steps; the other follows 10 cycles behind. */
static const struct event {
	int run, step, from, to;
	const char *phase;
} events[] = {
	{1, 0, 0, 25, "load"}, {1, 0, 25, 75, "wait"}, {1, 0, 75, 100, "compute"},
	{1, 1, 100, 125, "load"}, {1, 1, 125, 175, "wait"}, {1, 1, 175, 225, "compute"}, {1, 1, 225, 250, "store"},
	{2, 0, 0, 50, "load"}, {2, 0, 50, 75, "wait"}, {2, 0, 75, 100, "compute"},
	{2, 1, 100, 150, "load"}, {2, 1, 150, 200, "wait"}, {2, 1, 200, 225, "compute"}, {2, 1, 225, 250, "store"},
};

static const char *const pm_lines[] = {
	"PMRUN id=1 " PIPE "variant=one-buffer setName=pm-sm metrics=\"sm__warps_active.avg.pct_of_peak_sustained_elapsed "
	"sm__cycles_active.avg.pct_of_peak_sustained_elapsed\" start=5000000 end=5004000 interval=1000 overflow=0",
	"PMRUN id=2 " PIPE "variant=two-buffers setName=pm-sm metrics=\"sm__warps_active.avg.pct_of_peak_sustained_elapsed "
	"sm__cycles_active.avg.pct_of_peak_sustained_elapsed\" start=6000000 end=6003000 interval=1000 overflow=1",
	"PMWORK run=1 fromNs=0 toNs=1000 class=h2d streamId=13", "PMWORK run=1 fromNs=1000 toNs=1500 class=kernel streamId=13 "
	"name=toy_pipe", "PMWORK run=1 fromNs=1500 toNs=2000 class=d2h streamId=13",
	"PMWORK run=1 fromNs=2000 toNs=3000 class=h2d streamId=13", "PMWORK run=1 fromNs=3000 toNs=3500 class=kernel streamId=13 "
	"name=toy_pipe", "PMWORK run=1 fromNs=3500 toNs=4000 class=d2h streamId=13",
	"PMWORK run=2 fromNs=0 toNs=1000 class=h2d streamId=14", "PMWORK run=2 fromNs=1000 toNs=2000 class=h2d streamId=15",
	"PMWORK run=2 fromNs=1000 toNs=1500 class=kernel streamId=14 name=toy_pipe",
	"PMWORK run=2 fromNs=1500 toNs=2000 class=d2h streamId=14",
	"PMWORK run=2 fromNs=2000 toNs=2500 class=kernel streamId=15 name=toy_pipe",
	"PMWORK run=2 fromNs=2500 toNs=3000 class=d2h streamId=15",
	NULL,
};

/* Counters of one kernel or range; of each two sides of a pair. */
static const struct counter {
	const char *of, *scope, *variants[2], *metric;
	double values[2];
} counters[] = {
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "gpu__time_duration.sum", {2000, 2000}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "warps.sum", {1000, 1000}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "cycles.sum", {31.25, 31.25}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "inst.sum", {200000, 190000}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "issued.sum", {200, 200}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "stall_barrier.sum", {440, 310}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "stall_long.sum", {200, 320}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "stall_sleeping.sum", {1, 2}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "dram_read.sum", {8000, 8000}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "dram_write.sum", {8000, 8000}},
	{SCAN, "kernel", {"two-barriers", "one-barrier"}, "dram.pct", {12.5, 12.5}},
	{PIPE, "range", {"one-buffer", "two-buffers"}, "warps.sum", {640, 960}},
	{PIPE, "range", {"one-buffer", "two-buffers"}, "cycles.sum", {40, 30}},
	{PIPE, "range", {"one-buffer", "two-buffers"}, "inst.sum", {5000, 5000}},
	{PIPE, "range", {"one-buffer", "two-buffers"}, "dram_read.sum", {8000, 8000}},
	{PIPE, "range", {"one-buffer", "two-buffers"}, "dram_write.sum", {4000, 4000}},
};
/* clang-format on */

static int write_lines(struct recording *rec, const char *const *lines, struct error *err)
{
	for (; *lines != NULL; lines++)
		if (script_row(rec, err, "%s", *lines) != 0)
			return -1;
	return 0;
}

static int write_counters(struct recording *rec, struct error *err)
{
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		for (int side = 0; side < 2; side++)
			if (script_row(rec, err, "COUNTER %svariant=%s scope=%s ord=0 metric=%s value=%g replays=3",
				    counters[i].of, counters[i].variants[side], counters[i].scope, counters[i].metric,
				    counters[i].values[side]) != 0)
				return -1;
	return 0;
}

/* Behind the contrast pair in each block. */
static int write_control(struct recording *rec, struct error *err)
{
	for (int block = 0; block < BLOCKS; block++)
		for (int half = 0; half < 2; half++)
			if (script_row(rec, err,
				    "SAMPLE " SCAN "variant=two-barriers-padded block=%d position=%d launches=50 ns=%d "
				    "smClockMhz=1000",
				    block, 4 + half, CONTROL_NS + SPREAD_NS * (block % 3 - 1)) != 0)
				return -1;
	return write_lines(rec, control_lines, err);
}

static int write_events(struct recording *rec, struct error *err)
{
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		for (int warp = 0; warp < 2; warp++)
			if (script_row(rec, err, "PHASE run=%d warp=%d step=%d phase=%s fromCycle=%d toCycle=%d",
				    events[i].run, warp, events[i].step, events[i].phase, events[i].from + 10 * warp,
				    events[i].to + 10 * warp) != 0)
				return -1;
	return 0;
}

/* Every second sample of run 1 is idle, none of run 2 but the first. */
static int write_pm_samples(struct recording *rec, struct error *err)
{
	for (int run = 1; run <= 2; run++)
		for (int i = 0; i < 5 - run; i++) {
			bool busy = run == 1 ? i % 2 == 1 : i > 0;

			if (script_row(rec, err, "PMSAMPLE run=%d fromNs=%d toNs=%d v0=%d v1=%d", run, i * SAMPLE_NS,
				    (i + 1) * SAMPLE_NS, busy ? 40 : 0, busy ? 80 : 0) != 0)
				return -1;
		}
	return 0;
}

int scenario_why(struct recording *rec, struct error *err)
{
	static const char *const passes[] = {"counters", "stalls", "phases"};

	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if (script_row(rec, err, "PASS family=toy-scan pass=%s status=done start=2000000 end=3000000",
			    passes[i]) != 0)
			return -1;
	if (write_lines(rec, metric_lines, err) != 0 || write_counters(rec, err) != 0 || write_control(rec, err) != 0)
		return -1;
	if (write_lines(rec, stall_lines, err) != 0 || write_lines(rec, phase_lines, err) != 0 ||
		write_events(rec, err) != 0)
		return -1;
	return write_lines(rec, pm_lines, err) != 0 ? -1 : write_pm_samples(rec, err);
}
