/*
 * scenario-sweeps.c: made-up sweeps, whose every number follows from a few lines.
 *
 * toy-tiles: loads of 100 tiles take 1000 ns (tile 16) or 1200 ns (tile 32), computing on them 50 ns times the
 * intensity. one-buffer takes both after another; two-buffers takes the longer one and 100 ns. A tile takes tile^3 *
 * intensity FMAs, at 8.192 a picosecond. Sweep "intensity-tile": 1, 4, 16, 64 by 16, 32. Sweep "occupancy": with 1, 2
 * and any number of blocks on an SM single / double is 1.5, 1.25 and 1.
 *
 * toy-stream: recorded with sweeps alone, and interrupted: of 6 points over chunk and n, 4 have times. loads 400,
 * compute 200, stores 300, single 900, double 600 at the first; the shorter of two floors 450. The fourth has samples
 * that say nothing.
 */
#include "recording-scenarios.h"

#include <math.h>
#include <stdio.h>

#include "recording-script.h"

enum { BLOCKS = 12 };

/* A B B A: variant `second` stands in the middle. `spread` moves every block by -1, 0 or 1 times it. */
static int write_times(struct recording *rec, const char *family, const char *variant, const char *label, bool second,
	double ns, double spread, struct error *err)
{
	for (int i = 0; i < 2 * BLOCKS; i++) {
		int position = second ? 1 + i % 2 : 3 * (i % 2);

		if (script_row(rec, err,
			    "SAMPLE family=%s variant=%s caseLabel=%s block=%d position=%d launches=50 ns=%.9g "
			    "smClockMhz=1000 run=0",
			    family, variant, label, i / 2, position, ns + spread * (i / 2 % 3 - 1)) != 0)
			return -1;
	}
	return 0;
}

static int write_right(
	struct recording *rec, const char *family, const char *variant, const char *label, struct error *err)
{
	return script_row(rec, err,
		"VERIFY family=%s variant=%s caseLabel=%s run=0 seed=42 elements=1024 wrong=0 maxError=0.25", family,
		variant, label);
}

/* A case with its parameters; `sweep` "" for the family's own. */
static int write_case(struct recording *rec, const char *family, const char *label, int ord, const char *sweep,
	double flops, double bytes, struct error *err)
{
	return script_row(rec, err,
		"CASE family=%s label=%s ord=%d verifyOnly=0 flops=%.9g bytes=%.9g elements=1024%s%s", family, label,
		ord, flops, bytes, *sweep ? " sweep=" : "", sweep);
}

static int write_param(struct recording *rec, const char *family, const char *label, const char *name, long value,
	const char *unit, struct error *err)
{
	return script_row(rec, err, "PARAM family=%s caseLabel=%s name=%s value=%ld unit=\"%s\" summary=\"a %s\"",
		family, label, name, value, unit, name);
}

static int write_prediction(
	struct recording *rec, const char *family, const char *label, double single, double dbl, struct error *err)
{
	return script_row(rec, err,
		"PREDICTION family=%s caseLabel=%s single=one-buffer double=two-buffers timestamp=10 ratio=%.9g "
		"singleNs=%.9g doubleNs=%.9g singleBound=latency doubleBound=memory",
		family, label, single / dbl, single, dbl);
}

static int write_lines(struct recording *rec, const char *const *lines, struct error *err)
{
	for (; *lines; lines++)
		if (script_row(rec, err, "%s", *lines) != 0)
			return -1;
	return 0;
}

/* ---- toy-tiles ---- */

static const char *const tile_lines[] = {
	"FAMILY name=toy-tiles ord=0 title=\"Made-up tiles\" question=\"When does a second tile pay in a toy?\" "
	"teaches=\"Loads can hide behind computation.\" source=\"made up for tests\" file=toy-tiles.cu throughput=GB/s "
	"boundBy=\"device memory\" single=one-buffer double=two-buffers",
	"VARIANT family=toy-tiles name=one-buffer ord=0 summary=\"load, then compute\" kind=candidate buffers=1 "
	"teachesFailure=0",
	"VARIANT family=toy-tiles name=two-buffers ord=1 summary=\"load the next\" kind=candidate buffers=2 "
	"teachesFailure=0",
	"VARIANT family=toy-tiles name=loads-only ord=2 summary=\"no computation\" kind=loads buffers=1 "
	"teachesFailure=0",
	"VARIANT family=toy-tiles name=compute-only ord=3 summary=\"no loads\" kind=compute buffers=1 teachesFailure=0",
	"SWEEP family=toy-tiles name=intensity-tile ord=0 title=\"Arithmetic intensity and tile size\" "
	"question=\"How much computation per byte does it take?\" single=one-buffer double=two-buffers x=intensity "
	"y=tile "
	"points=8",
	"SWEEP family=toy-tiles name=occupancy ord=1 title=\"Blocks on an SM\" question=\"Does it take few warps?\" "
	"single=one-buffer double=two-buffers x=blocks points=3",
	"PASS family=toy-tiles pass=time status=done start=2000 end=3000",
	"MACHINE family=toy-tiles key=sms title=\"streaming multiprocessors\" value=64 unit=\"\"",
	"MACHINE family=toy-tiles key=clock_hz title=\"SM clock\" value=1e9 unit=Hz",
	"MACHINE family=toy-tiles key=fma_lanes title=\"FMAs of an SM in a cycle\" value=128 unit=\"\"",
	"MACHINE family=toy-tiles key=dram_bytes_s title=\"device memory\" value=204.8e9 unit=\"bytes/s\"",
	"MACHINE family=toy-tiles key=event_s title=\"an event\" unit=s",
	NULL,
};

/* The pair's times and, where they are above 0, those of the parts. */
struct tile_point {
	double single, dbl, loads, compute;
};

static int write_tile_times(struct recording *rec, const char *label, const struct tile_point *p, struct error *err)
{
	if (write_times(rec, "toy-tiles", "one-buffer", label, false, p->single, 0, err) != 0 ||
		write_times(rec, "toy-tiles", "two-buffers", label, true, p->dbl, 0, err) != 0 ||
		write_right(rec, "toy-tiles", "one-buffer", label, err) != 0 ||
		write_right(rec, "toy-tiles", "two-buffers", label, err) != 0)
		return -1;
	if (p->loads <= 0)
		return 0;
	return write_times(rec, "toy-tiles", "loads-only", label, false, p->loads, 0, err) != 0
		       ? -1
		       : write_times(rec, "toy-tiles", "compute-only", label, false, p->compute, 0, err);
}

static int write_tile_point(struct recording *rec, int ord, int tile, int intensity, struct error *err)
{
	double loads = tile == 16 ? 1000 : 1200, compute = 50 * intensity, cube = tile * tile * tile;
	const struct tile_point point = {loads + compute, fmax(loads, compute) + 100, loads, compute};
	char label[64];

	snprintf(label, sizeof label, "intensity-tile-%d-%d", intensity, tile);
	if (write_case(rec, "toy-tiles", label, ord, "intensity-tile", 2 * 100 * cube * intensity,
		    100.0 * 8 * tile * tile, err) != 0 ||
		write_param(rec, "toy-tiles", label, "intensity", intensity, "passes", err) != 0 ||
		write_param(rec, "toy-tiles", label, "tile", tile, "floats", err) != 0 ||
		write_prediction(rec, "toy-tiles", label, point.single, fmax(loads, compute), err) != 0)
		return -1;
	return write_tile_times(rec, label, &point, err);
}

static int write_occupancy_point(struct recording *rec, int ord, int blocks, double ratio, struct error *err)
{
	const struct tile_point point = {1000 * ratio, 1000, 0, 0};
	char label[64];

	snprintf(label, sizeof label, "occupancy-%d", blocks);
	if (write_case(rec, "toy-tiles", label, ord, "occupancy", 1e6, 1e5, err) != 0 ||
		write_param(rec, "toy-tiles", label, "blocks", blocks, "blocks per SM", err) != 0 ||
		write_param(rec, "toy-tiles", label, "tile", 16, "floats", err) != 0)
		return -1;
	return write_tile_times(rec, label, &point, err);
}

static int write_tiles(struct recording *rec, struct error *err)
{
	static const int tiles[] = {16, 32}, intensities[] = {1, 4, 16, 64}, blocks[] = {0, 1, 2};
	static const double ratios[] = {1, 1.5, 1.25};
	const struct tile_point own = {1800, 1100, 1000, 800};
	int ord = 0;

	/* The points first, as no recorder has to write them: they must not become the family's own. */
	if (write_lines(rec, tile_lines, err) != 0)
		return -1;
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < 4; i++)
			if (write_tile_point(rec, ord++, tiles[t], intensities[i], err) != 0)
				return -1;
	for (int i = 0; i < 3; i++)
		if (write_occupancy_point(rec, ord++, blocks[i], ratios[i], err) != 0)
			return -1;
	if (write_case(rec, "toy-tiles", "base", ord, "", 819200, 204800, err) != 0 ||
		write_param(rec, "toy-tiles", "base", "tile", 16, "floats", err) != 0 ||
		write_prediction(rec, "toy-tiles", "base", 1800, 1000, err) != 0)
		return -1;
	return write_tile_times(rec, "base", &own, err);
}

/* ---- toy-stream ---- */

static const char *const stream_lines[] = {
	"FAMILY name=toy-stream ord=1 title=\"A made-up stream\" question=\"How large should a chunk be in a toy?\" "
	"teaches=\"Small chunks cost launches.\" source=\"made up for tests\" file=toy-stream.cu throughput=GB/s "
	"boundBy=PCIe single=one-buffer double=two-buffers",
	"VARIANT family=toy-stream name=one-buffer ord=0 summary=\"in turn\" kind=candidate buffers=1 teachesFailure=0",
	"VARIANT family=toy-stream name=two-buffers ord=1 summary=\"two in flight\" kind=candidate buffers=2 "
	"teachesFailure=0",
	"VARIANT family=toy-stream name=floor-both ord=2 summary=\"both ways at once\" kind=floor buffers=0 "
	"teachesFailure=0",
	"VARIANT family=toy-stream name=floor-turns ord=3 summary=\"one way, then the other\" kind=floor buffers=0 "
	"teachesFailure=0",
	"VARIANT family=toy-stream name=loads ord=4 summary=\"in\" kind=loads buffers=0 teachesFailure=0",
	"VARIANT family=toy-stream name=stores ord=5 summary=\"out\" kind=stores buffers=0 teachesFailure=0",
	"VARIANT family=toy-stream name=kernels ord=6 summary=\"kernels\" kind=compute buffers=0 teachesFailure=0",
	"SWEEP family=toy-stream name=n-chunk ord=0 title=\"Chunk size and length\" question=\"Which chunk is best?\" "
	"x=chunk y=n points=6",
	"PASS family=toy-stream pass=time status=failed reason=interrupted start=3000 end=4000",
	"CASE family=toy-stream label=base ord=0 verifyOnly=0 flops=0 bytes=12000 elements=1024",
	NULL,
};

static int write_stream_parts(struct recording *rec, const char *label, struct error *err)
{
	static const struct {
		const char *variant;
		double ns;
	} parts[] = {{"floor-both", 450}, {"floor-turns", 700}, {"loads", 400}, {"stores", 300}, {"kernels", 200}};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (write_times(rec, "toy-stream", parts[i].variant, label, false, parts[i].ns, 0, err) != 0)
			return -1;
	return 0;
}

static int write_stream_point(
	struct recording *rec, int ord, long chunk, long n, double dbl, double spread, struct error *err)
{
	char label[64];

	snprintf(label, sizeof label, "n-chunk-%ld-%ld", chunk, n);
	if (write_case(rec, "toy-stream", label, ord, "n-chunk", 0, 12.0 * (double)n, err) != 0 ||
		write_param(rec, "toy-stream", label, "chunk", chunk, "elements", err) != 0 ||
		write_param(rec, "toy-stream", label, "n", n, "elements", err) != 0)
		return -1;
	if (dbl <= 0)
		return 0;
	if (write_prediction(rec, "toy-stream", label, 900, 650, err) != 0 ||
		write_stream_parts(rec, label, err) != 0 ||
		write_times(rec, "toy-stream", "one-buffer", label, false, 900, 0, err) != 0)
		return -1;
	return write_times(rec, "toy-stream", "two-buffers", label, true, dbl, spread, err);
}

static int write_stream(struct recording *rec, struct error *err)
{
	static const struct {
		long chunk, n;
		double dbl, spread;
	} points[] = {{16384, 1048576, 600, 0}, {65536, 1048576, 900, 0}, {262144, 1048576, 1000, 0},
		{16384, 4194304, 900, 90}, {65536, 4194304, 0, 0}, {262144, 4194304, 0, 0}};

	if (write_lines(rec, stream_lines, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		if (write_stream_point(
			    rec, (int)i + 1, points[i].chunk, points[i].n, points[i].dbl, points[i].spread, err) != 0)
			return -1;
	/* Verified at the first point only. */
	return write_right(rec, "toy-stream", "one-buffer", "n-chunk-16384-1048576", err) != 0
		       ? -1
		       : write_right(rec, "toy-stream", "two-buffers", "n-chunk-16384-1048576", err);
}

int scenario_sweeps(struct recording *rec, struct error *err)
{
	if (scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0)
		return -1;
	return write_tiles(rec, err) != 0 ? -1 : write_stream(rec, err);
}

/* ---- a large grid ---- */

static const char *const grid_lines[] = {
	"FAMILY name=toy-grid ord=0 title=\"A made-up grid\" question=\"How long must an array be in a toy?\" "
	"teaches=\"Launches hide small gains.\" source=\"made up for tests\" file=toy-grid.cu throughput=GB/s "
	"boundBy=\"device memory\" single=one-buffer double=two-buffers",
	"VARIANT family=toy-grid name=one-buffer ord=0 summary=\"one\" kind=candidate buffers=1 teachesFailure=0",
	"VARIANT family=toy-grid name=two-buffers ord=1 summary=\"two\" kind=candidate buffers=2 teachesFailure=0",
	"SWEEP family=toy-grid name=n-block ord=0 title=\"Array length and block size\" question=\"From which length "
	"on?\" "
	"x=n y=block points=85",
	"PASS family=toy-grid pass=time status=done start=3000 end=4000",
	NULL,
};

/* 17 lengths by 5 block sizes: the gain grows with the length, and more so for small blocks, which lose at first. */
static int write_grid_point(struct recording *rec, int ord, int exponent, int block, struct error *err)
{
	double share = (exponent - 12) / 16.0, small = 1024.0 / block;
	double ratio = 1.15 + 0.35 * share - (1 - share) * 0.03 * small + 0.02 * sin(exponent);
	double single = 2000 + ldexp(1, exponent - 10) * 5, dbl = single / ratio;
	char label[64];

	snprintf(label, sizeof label, "n-block-%ld-%d", 1L << exponent, block);
	if (write_case(rec, "toy-grid", label, ord, "n-block", 0, ldexp(8, exponent), err) != 0 ||
		write_param(rec, "toy-grid", label, "n", 1L << exponent, "elements", err) != 0 ||
		write_param(rec, "toy-grid", label, "block", block, "threads", err) != 0 ||
		write_prediction(rec, "toy-grid", label, single, single / (1.1 + 0.3 * share), err) != 0 ||
		write_right(rec, "toy-grid", "one-buffer", label, err) != 0 ||
		write_right(rec, "toy-grid", "two-buffers", label, err) != 0)
		return -1;
	return write_times(rec, "toy-grid", "one-buffer", label, false, single, single * 0.01, err) != 0
		       ? -1
		       : write_times(rec, "toy-grid", "two-buffers", label, true, dbl, dbl * 0.004, err);
}

int scenario_sweep_grid(struct recording *rec, struct error *err)
{
	int ord = 0;

	if (scenario_facts(rec, err) != 0 || scenario_gpu(rec, 0, err) != 0 || write_lines(rec, grid_lines, err) != 0)
		return -1;
	for (int block = 64; block <= 1024; block *= 2)
		for (int exponent = 12; exponent <= 28; exponent++)
			if (write_grid_point(rec, ord++, exponent, block, err) != 0)
				return -1;
	return 0;
}
