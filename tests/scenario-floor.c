/*
 * scenario-floor.c: the two made-up families of scenario-families.c as they are recorded since verdicts rest on runs,
 * clocks and a floor. What it adds, in ns:
 *
 * toy-pipe, case "large", which copies 8000 bytes in and 8000 out: schedules in-turn 3000 and both-at-once 2100;
 * only-in 2000, only-out 1000; only-kernels 1000. The floor is both-at-once: 2100 / 3000 = 0.7 of two-buffers, 0.525 of
 * one-buffer. Alone, the longer direction takes 2000.
 * Case "small", 4000 bytes each way: in-turn 800, both-at-once 700, only-kernels 950: the floor is the kernels, 0.95 of
 * one-buffer.
 * Traced, one-buffer takes 4080 (2 % more) and two-buffers 3300 (10 % more) in case "large".
 * toy-scan: case "eight" has two processes on the GPU beside one block, so its verdict is unclear.
 */
#include "recording-scenarios.h"

#include "recording-script.h"

enum { BLOCKS = 12 };

struct part {
	const char *name, *kind, *summary;
	int large, small; /* ns; 0: not in that case */
};

static const struct part parts[] = {
	{"in-turn", "floor", "the same bytes, one direction after the other", 3000, 800},
	{"both-at-once", "floor", "the same bytes, both directions at once", 2100, 700},
	{"only-in", "loads", "what comes in", 2000, 0},
	{"only-out", "stores", "what goes out", 1000, 0},
	{"only-kernels", "compute", "the kernels", 1000, 950},
};

static int write_times(
	struct recording *rec, const char *part, int position, const char *label, int ns, struct error *err)
{
	for (int block = 0; block < BLOCKS && ns > 0; block++)
		if (script_row(rec, err,
			    "SAMPLE family=toy-pipe variant=%s caseLabel=%s block=%d position=%d launches=50 ns=%d "
			    "smClockMhz=1000 run=0 measuredMhz=1000",
			    part, label, block, position, ns) != 0)
			return -1;
	return 0;
}

static int write_parts(struct recording *rec, struct error *err)
{
	for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++) {
		const struct part *p = &parts[i];

		if (script_row(rec, err,
			    "VARIANT family=toy-pipe name=%s ord=%d summary=\"%s\" kind=%s buffers=0 teachesFailure=0",
			    p->name, 2 + i, p->summary, p->kind) != 0 ||
			write_times(rec, p->name, 4 + i, "large", p->large, err) != 0 ||
			write_times(rec, p->name, 4 + i, "small", p->small, err) != 0)
			return -1;
	}
	return 0;
}

static int write_traced(struct recording *rec, struct error *err)
{
	for (int i = -1; i <= 1; i++)
		if (script_row(rec, err, "TRACED family=toy-pipe variant=one-buffer caseLabel=large launches=50 ns=%d",
			    4080 + 20 * i) != 0 ||
			script_row(rec, err,
				"TRACED family=toy-pipe variant=two-buffers caseLabel=large launches=50 ns=%d",
				3300 + 20 * i) != 0)
			return -1;
	return 0;
}

/* What was read after each block of the headline cases. */
static int write_readings(struct recording *rec, struct error *err)
{
	for (int block = 0; block < BLOCKS; block++)
		if (script_row(rec, err,
			    "CLOCK timestamp=%d deviceId=0 smMhz=1000 memMhz=800 temperatureC=%d powerMw=100000 "
			    "throttle=0 family=toy-pipe caseLabel=large block=%d processes=1",
			    2500 + block, 40 + block, block) != 0 ||
			script_row(rec, err,
				"CLOCK timestamp=%d deviceId=0 smMhz=1000 memMhz=800 temperatureC=%d powerMw=100000 "
				"throttle=0 family=toy-scan caseLabel=eight block=%d processes=%d",
				5500 + block, 50 + block, block, block == 5 ? 2 : 1) != 0)
			return -1;
	return 0;
}

int scenario_floor(struct recording *rec, struct error *err)
{
	if (scenario_families(rec, err) != 0 || write_parts(rec, err) != 0 || write_traced(rec, err) != 0 ||
		write_readings(rec, err) != 0)
		return -1;
	return script_row(rec, err,
		"MACHINE family=toy-pipe key=launch_s title=\"from one kernel to the next\" value=2.5e-6 unit=s");
}
