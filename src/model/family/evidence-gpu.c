/* evidence-gpu.c: the checks of the GPU's state while the samples were taken: clock, throttling, company. */
#include "model/family/evidence-gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/checks.h"
#include "model/family/contrast.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/family/readings.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "util/format.h"

/* So many samples may stray from the median clock. */
static const double clock_strays = 0.05;

/* ---- clock ---- */

static size_t count_strays(const struct clocks *clocks, double mhz)
{
	size_t n = 0;

	for (size_t i = 0; i < clocks->n; i++)
		n += fabs(clocks->mhz[i] - mhz) > clock_tolerance * mhz;
	return n;
}

/* "; 45 to 52 °C", of what the readings beside the blocks know. */
static void heat_words(const struct model *model, const struct measured *m, char *text, size_t size)
{
	double low = NAN, high = NAN;
	size_t n;
	const struct gpu_reading *readings = readings_of(model, m->family, m->label, &n);

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, readings[i].celsius);
		high = fmax(high, readings[i].celsius);
	}
	*text = '\0';
	if (!isnan(low))
		snprintf(text, size, "; the GPU was at %.0f to %.0f °C", low, high);
}

static void compare_clocks(const struct clocks *single, const struct clocks *dbl, const char *how, struct finding *out)
{
	size_t strays = count_strays(single, single->median) + count_strays(dbl, single->median);
	size_t n = single->n + dbl->n;
	bool steady = (double)strays <= clock_strays * (double)n;

	out->figure = fabs(single->median - dbl->median) / fmax(single->median, dbl->median);
	out->limit = clock_tolerance;
	out->ok = out->figure <= clock_tolerance && steady;
	snprintf(out->text, sizeof(out->text),
		"SM clock %s: median %.0f MHz (single) and %.0f MHz (double); %zu of %zu samples more than %.0f %% "
		"away",
		how, single->median, dbl->median, strays, n, clock_tolerance * 100);
	if (out->figure > clock_tolerance)
		snprintf(out->brief, sizeof(out->brief), "clocks differ by %.1f %%", 100 * out->figure);
	else
		snprintf(out->brief, sizeof(out->brief), "the clock strays in %.0f %% of the samples",
			100 * (double)strays / (double)n);
}

int check_clock(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;
	size_t used;

	if (single->on_gpu.n && dbl->on_gpu.n)
		compare_clocks(&single->on_gpu, &dbl->on_gpu, "measured on the GPU behind each sample", out);
	else if (single->nvml.n && dbl->nvml.n)
		compare_clocks(&single->nvml, &dbl->nvml, "as the driver says", out);
	else
		return not_measured(out, "no SM clock was read beside the samples");
	used = strlen(out->text);
	heat_words(model, single, out->text + used, sizeof(out->text) - used);
	return 0;
}

/* ---- throttling ---- */

struct interval time_pass(const struct model *model, const char *family)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);

	for (size_t i = 0; i < rows.count; i++) {
		const char *of = row_text(&rows, i, PASS_family), *pass = row_text(&rows, i, PASS_pass);

		if (of && strcmp(of, family) == 0 && pass && strcmp(pass, "time") == 0 &&
			!row_null(&rows, i, PASS_start) && !row_null(&rows, i, PASS_end))
			return (struct interval){row_int(&rows, i, PASS_start), row_int(&rows, i, PASS_end)};
	}
	return (struct interval){INT64_MIN, INT64_MAX};
}

/* Readings that do not say which block they belong to: any that shows throttling spoils all. */
static int throttled_somewhere(const struct model *model, const struct contrast *contrast, struct finding *out)
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
	if (known == 0)
		return not_measured(out, "no throttle reasons were read during the time pass");
	out->figure = (double)throttled / (double)known;
	out->limit = 0;
	out->ok = throttled == 0;
	snprintf(out->text, sizeof(out->text),
		"%zu of %zu readings during the time pass show power or thermal throttling", throttled, known);
	snprintf(out->brief, sizeof(out->brief), "the GPU was throttled");
	return 0;
}

/* Readings beside blocks: those blocks are set apart, and the others must be enough. */
int check_throttling(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t n, known = 0, throttled = 0, left = contrast->ratio.blocks;
	const struct gpu_reading *readings = readings_of(model, contrast->single->family, contrast->single->label, &n);

	for (size_t i = 0; i < n; i++) {
		known += readings[i].throttle >= 0;
		throttled += reading_throttled(&readings[i]);
	}
	if (known == 0)
		return throttled_somewhere(model, contrast, out);
	out->figure = (double)throttled / (double)known;
	out->limit = throttled_limit;
	out->ok = throttled == 0 || (out->figure <= throttled_limit && left >= BLOCKS_NEEDED);
	snprintf(out->text, sizeof(out->text),
		"%zu of %zu blocks were throttled (power or heat) and set apart; %zu are left", throttled, known, left);
	snprintf(out->brief, sizeof(out->brief), "%zu of %zu blocks were throttled", throttled, known);
	return 0;
}

/* ---- neighbours ---- */

int check_neighbours(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, contrast->single->family, contrast->single->label, &n);
	int64_t most = -1;

	for (size_t i = 0; i < n; i++)
		most = readings[i].processes > most ? readings[i].processes : most;
	if (most < 0)
		return not_measured(out, "the recording does not say who else used the GPU");
	/* As in a container whose driver does not show processes: it would not show others either. */
	if (most == 0)
		return not_measured(out, "the driver shows no process on the GPU, not even this one");
	out->figure = (double)most;
	out->limit = 1;
	out->ok = most == 1;
	snprintf(out->text, sizeof(out->text),
		"at most %lld process%s on the GPU beside the samples, this one included", (long long)most,
		most == 1 ? "" : "es");
	snprintf(out->brief, sizeof(out->brief), "%lld other process%s used the GPU", (long long)most - 1,
		most == 2 ? "" : "es");
	return 0;
}

/* ---- cycles ---- */

/* A kernel's time follows the clock, so what the times say must hold in cycles too. */
int check_cycles(const struct model *model, const struct contrast *contrast, struct finding *out)
{
	const struct ratio *times = &contrast->ratio, *cycles = &contrast->cycles;
	enum verdict by_time = verdict_of(times, same_band(), true), by_cycles;
	char value[FORMAT_SIZE], range[FORMAT_SIZE];

	(void)model;
	if (!contrast->kernel_bound) {
		out->ok = CHECK_DOES_NOT_APPLY; /* copies run at the link's clock */
		return 0;
	}
	if (isnan(cycles->value))
		return not_measured(out, "no SM clock was measured on the GPU beside the samples");
	by_cycles = verdict_of(cycles, same_band(), true);
	out->figure = cycles->value;
	out->ok = verdict_confirmed(by_time, by_cycles) == by_time;
	format_ratio_within(value, sizeof(value), cycles->value, cycles->low, cycles->high);
	format_ratios(range, sizeof(range), cycles->low, cycles->high);
	snprintf(out->text, sizeof(out->text),
		"in SM cycles the speed-up is %.40s (%.80s), which says %s; the times say %s", value, range,
		verdict_name(by_cycles), verdict_name(by_time));
	snprintf(out->brief, sizeof(out->brief), "%s by time, %s by cycles", verdict_name(by_time),
		verdict_name(by_cycles));
	return 0;
}
