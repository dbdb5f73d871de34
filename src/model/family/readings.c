/* readings.c: readings of the GPU's state that were taken beside blocks of samples: throttling, heat, company. */
#include "model/family/readings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/device.h"
#include "model/recording.h"
#include "model/trace/trace.h"
#include "store/rowset.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/number.h"

static int case_order(const struct gpu_reading *a, const char *family, const char *label)
{
	int order = strcmp(a->family, family);

	return order ? order : strcmp(a->label, label);
}

static int by_case_and_block(const void *left, const void *right)
{
	const struct gpu_reading *a = left, *b = right;
	int order = case_order(a, b->family, b->label);

	if (order)
		return order;
	return a->block != b->block ? int64_order(a->block, b->block) : int64_order(a->row, b->row);
}

static int64_t known_or(const struct rows *rows, size_t i, int column, int64_t otherwise)
{
	return row_null(rows, i, column) ? otherwise : row_int(rows, i, column);
}

void readings_find(struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);

	model->readings = xcalloc(rows.count, sizeof(*model->readings));
	for (size_t i = 0; i < rows.count; i++) {
		if (row_null(&rows, i, CLOCK_family) || row_null(&rows, i, CLOCK_caseLabel) ||
			row_null(&rows, i, CLOCK_block))
			continue;
		model->readings[model->nreadings++] = (struct gpu_reading){
			.family = row_text(&rows, i, CLOCK_family),
			.label = row_text(&rows, i, CLOCK_caseLabel),
			.block = row_int(&rows, i, CLOCK_block),
			.row = (int64_t)i,
			.celsius = row_real(&rows, i, CLOCK_temperatureC),
			.watts = row_real(&rows, i, CLOCK_powerMw) / 1000,
			.processes = known_or(&rows, i, CLOCK_processes, -1),
			.throttle = known_or(&rows, i, CLOCK_throttle, -1),
		};
	}
	qsort(model->readings, model->nreadings, sizeof(*model->readings), by_case_and_block);
}

const struct gpu_reading *readings_of(const struct model *model, const char *family, const char *label, size_t *n)
{
	size_t low = 0, high = model->nreadings;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (case_order(&model->readings[middle], family, label) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < model->nreadings; high++) {
		if (case_order(&model->readings[high], family, label) != 0)
			break;
	}
	*n = high - low;
	return model->readings + low;
}

bool reading_throttled(const struct gpu_reading *reading)
{
	return reading->throttle >= 0 && throttle_matters(reading->throttle);
}

bool throttled_alike(const struct gpu_reading *readings, size_t n)
{
	size_t known = 0, throttled = 0, by_power = 0;

	for (size_t i = 0; i < n; i++) {
		known += readings[i].throttle >= 0;
		throttled += reading_throttled(&readings[i]);
		by_power += readings[i].throttle >= 0 && throttle_by_power_alone(readings[i].throttle);
	}
	return throttled == by_power && known >= BLOCKS_NEEDED && (double)throttled > throttled_limit * (double)known;
}

double readings_watts(const struct gpu_reading *readings, size_t n)
{
	double *watts = xcalloc(n + 1, sizeof(*watts));
	struct summary summary;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(readings[i].watts))
			watts[known++] = readings[i].watts;
	}
	summarize(watts, known, &summary);
	free(watts);
	return summary.median;
}

bool block_set_apart(const struct gpu_reading *readings, size_t n, int64_t block)
{
	if (throttled_alike(readings, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (readings[i].block == block && reading_throttled(&readings[i]))
			return true;
	}
	return false;
}

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
