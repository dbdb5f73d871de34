/* evidence-gpu.c: the checks of the GPU's state while the samples were taken: clock, throttling, company. */
#include <math.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/device.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/finding.h"
#include "model/family/measured.h"
#include "model/family/readings.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- clock ---- */

static size_t count_strays(const struct clocks *clocks, double mhz)
{
	size_t n = 0;

	for (size_t i = 0; i < clocks->n; i++)
		n += fabs(clocks->mhz[i] - mhz) > clock_tolerance * mhz;
	return n;
}

/* How warm the GPU was, by the readings beside the blocks. */
static void put_heat(json_t *facts, const struct model *model, const struct measured *m)
{
	double low = NAN, high = NAN;
	size_t n;
	const struct gpu_reading *readings = readings_of(model, m->family, m->label, &n);

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, readings[i].celsius);
		high = fmax(high, readings[i].celsius);
	}
	put_json(facts, "low_celsius", real_json(low));
	put_json(facts, "high_celsius", real_json(high));
}

static void compare_clocks(const struct clocks *single, const struct clocks *dbl, struct finding *out)
{
	size_t strays = count_strays(single, single->median) + count_strays(dbl, single->median);
	size_t n = single->n + dbl->n;
	bool steady = (double)strays <= clock_stray_limit * (double)n;

	out->figure = fabs(single->median - dbl->median) / fmax(single->median, dbl->median);
	out->limit = clock_tolerance;
	out->ok = out->figure <= clock_tolerance && steady;
	put_json(out->facts, "single_mhz", real_json(single->median));
	put_json(out->facts, "double_mhz", real_json(dbl->median));
	put_json(out->facts, "samples", json_integer((json_int_t)n));
	put_json(out->facts, "strays", json_integer((json_int_t)strays));
	put_json(out->facts, "stray_share", real_json((double)strays / (double)n));
}

void check_clock(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;
	size_t n;
	const struct gpu_reading *readings = readings_of(model, single->family, single->label, &n);
	bool on_gpu = single->on_gpu.n && dbl->on_gpu.n;

	if (!on_gpu && !(single->nvml.n && dbl->nvml.n)) {
		out->missing = "no-clock";
		return;
	}
	put_json(out->facts, "source", json_string(on_gpu ? "gpu" : "nvml"));
	compare_clocks(on_gpu ? &single->on_gpu : &single->nvml, on_gpu ? &dbl->on_gpu : &dbl->nvml, out);
	put_heat(out->facts, model, single);
	if (throttled_alike(readings, n))
		out->ok = CHECK_DOES_NOT_APPLY; /* the power limit rules the clock: cycles say whether that matters */
}

/* ---- throttling ---- */

static void put_throttled(struct finding *out, const char *of, size_t throttled, size_t known)
{
	out->figure = (double)throttled / (double)known;
	put_json(out->facts, "of", json_string(of));
	put_json(out->facts, "throttled", json_integer((json_int_t)throttled));
	put_json(out->facts, "known", json_integer((json_int_t)known));
}

/* For readings that do not say which block they belong to: any that shows throttling spoils all. */
static void throttled_somewhere(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	struct interval pass = time_pass(model, contrast->single->family);
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);
	size_t known = 0, throttled = 0;

	for (size_t i = 0; i < rows.count; i++) {
		int64_t at = row_int(&rows, i, CLOCK_timestamp);

		if (row_null(&rows, i, CLOCK_throttle) || at < pass.start || at > pass.end)
			continue;
		known++;
		throttled += throttle_matters(row_int(&rows, i, CLOCK_throttle));
	}
	if (known == 0) {
		out->missing = "no-readings";
		return;
	}
	put_throttled(out, "readings", throttled, known);
	out->limit = 0;
	out->ok = throttled == 0;
}

/* At the power limit both sides take turns. Their clocks may differ, so a kernel needs times in cycles too. */
static void at_power_limit(
	const struct gpu_reading *readings, size_t n, const struct contrast *contrast, struct finding *out)
{
	put_json(out->facts, "power_w", real_json(readings_watts(readings, n)));
	put_json(out->facts, "single_mhz", real_json(contrast->kernel_bound ? contrast->single->on_gpu.median : NAN));
	put_json(out->facts, "double_mhz", real_json(contrast->kernel_bound ? contrast->dbl->on_gpu.median : NAN));
	out->limit = 1;
	out->ok = !contrast->kernel_bound || !isnan(contrast->cycles.value);
}

/* Blocks whose reading shows throttling are set apart, and the others must be enough. */
void check_throttling(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t n, known = 0, throttled = 0, left = contrast->ratio.blocks;
	const struct gpu_reading *readings = readings_of(model, contrast->single->family, contrast->single->label, &n);

	for (size_t i = 0; i < n; i++) {
		known += readings[i].throttle >= 0;
		throttled += reading_throttled(&readings[i]);
	}
	if (known == 0) {
		throttled_somewhere(model, contrast, out);
		return;
	}
	put_throttled(out, "blocks", throttled, known);
	put_json(out->facts, "left", json_integer((json_int_t)left));
	put_json(out->facts, "alike", json_boolean(throttled_alike(readings, n)));
	if (throttled_alike(readings, n)) {
		at_power_limit(readings, n, contrast, out);
		return;
	}
	out->limit = throttled_limit;
	out->ok = throttled == 0 || (out->figure <= throttled_limit && left >= BLOCKS_NEEDED);
}

/* ---- neighbours ---- */

/* A driver that shows no process at all, as in a container, would not show others either. */
void check_neighbours(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, contrast->single->family, contrast->single->label, &n);
	int64_t most = -1;

	for (size_t i = 0; i < n; i++)
		most = readings[i].processes > most ? readings[i].processes : most;
	if (most <= 0) {
		out->missing = most < 0 ? "not-recorded" : "no-process-shown";
		return;
	}
	out->figure = (double)most;
	out->limit = 1;
	out->ok = most == 1;
	put_json(out->facts, "processes", json_integer(most));
	put_json(out->facts, "others", json_integer(most - 1));
}

/* ---- cycles ---- */

/* A kernel's time follows the clock, so what the times say must hold in cycles too. Copies run at the link's clock. */
void check_cycles(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, contrast->single->family, contrast->single->label, &n);
	const struct ratio *cycles = &contrast->cycles;
	enum verdict by_time = verdict_of(&contrast->ratio, same_band, true), by_cycles;

	if (!contrast->kernel_bound) {
		out->ok = CHECK_DOES_NOT_APPLY;
		return;
	}
	if (isnan(cycles->value)) {
		out->missing = "no-clock";
		return;
	}
	by_cycles = verdict_of(cycles, same_band, true);
	out->figure = cycles->value;
	out->ok = verdict_holds(by_time, by_cycles, throttled_alike(readings, n));
	put_json(out->facts, "low", real_json(cycles->low));
	put_json(out->facts, "high", real_json(cycles->high));
	put_json(out->facts, "by_time", json_string(verdict_name(by_time)));
	put_json(out->facts, "by_cycles", json_string(verdict_name(by_cycles)));
}
