/* timing.c: see timing.h. */
#include "model/pair/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/readings.h"
#include "model/family/times.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* The rows whose first `n` columns are these. */
static struct rows timing_rows(const struct model *model, enum table_id table, int n, const char *family,
	const char *variant, const char *label)
{
	const char *const key[] = {family, variant, label};

	return rows_find(&model->table[table], n, key);
}

static int int_order(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* How many different numbers there are. */
static size_t count_distinct(const int *x, size_t n)
{
	int *sorted = xmemdup(x, n * sizeof(*x));
	size_t count = n > 0;

	qsort(sorted, n, sizeof(*sorted), int_order);
	for (size_t i = 1; i < n; i++)
		count += sorted[i] != sorted[i - 1];
	free(sorted);
	return count;
}

/* Readings that say at which block they were made. */
static void take_readings(const struct model *model, struct timing *out)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, out->m.family, out->m.label, &n);

	out->by_block = n > 0;
	out->alike = throttled_alike(readings, n);
	out->watts = readings_watts(readings, n);
	for (size_t i = 0; i < n; i++) {
		out->readings += readings[i].throttle >= 0;
		out->throttled += reading_throttled(&readings[i]);
		if (readings[i].processes > out->processes)
			out->processes = readings[i].processes;
	}
}

/* Old recordings do not: then, those made while any case of the family was timed. */
static void take_old_readings(const struct model *model, struct timing *out)
{
	struct interval pass = time_pass(model, out->m.family);
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);

	for (size_t i = 0; i < rows.count; i++) {
		int64_t at = row_int(&rows, i, CLOCK_timestamp);

		if (row_null(&rows, i, CLOCK_throttle) || !row_null(&rows, i, CLOCK_family) || at < pass.start ||
			at > pass.end)
			continue;
		out->readings++;
		out->throttled += throttle_matters(row_int(&rows, i, CLOCK_throttle));
	}
}

void timing_take(
	const struct model *model, const char *family, const char *variant, const char *label, struct timing *out)
{
	const struct rows not_traced = {&model->table[TABLE_TRACED], 0, 0};
	struct rows verify = timing_rows(model, TABLE_VERIFY, 3, family, variant, label);

	*out = (struct timing){.m = {.family = family, .variant = variant, .label = label}, .processes = -1};
	out->m.verify = timing_rows(model, TABLE_VERIFY, 2, family, variant, label);
	out->m.samples = timing_rows(model, TABLE_SAMPLE, 3, family, variant, label);
	out->m.withheld = came_out_wrong(&verify);
	take_times(model, &out->m, &not_traced);
	take_readings(model, out);
	if (!out->by_block)
		take_old_readings(model, out);
	out->nblocks = count_distinct(out->m.block, out->m.n);
	out->nruns = count_distinct(out->m.run, out->m.n);
}

void timing_free(struct timing *timing)
{
	times_free(&timing->m);
}

bool timing_there(const struct model *model, const char *family, const char *variant, const char *label)
{
	struct rows rows = timing_rows(model, TABLE_SAMPLE, 3, family, variant, label);

	for (size_t i = 0; i < rows.count; i++) {
		if (row_real(&rows, i, SAMPLE_ns) > 0)
			return true;
	}
	return false;
}

/* 0 for a pass that is done; the more the worse. */
static int badness(const char *status)
{
	return strcmp(status, "done") == 0 ? 0 : strcmp(status, "skipped") == 0 ? 1 : 2;
}

/* Why the family's time pass gave nothing, or NULL. Each process has a row: the worst of them says. */
static const char *pass_reason(const struct model *model, const char *family)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);
	const char *reason = NULL;
	int worst = 0;

	for (size_t i = 0; i < rows.count; i++) {
		int bad = badness(row_string(&rows, i, PASS_status));

		if (bad <= worst || strcmp(row_string(&rows, i, PASS_family), family) != 0 ||
			strcmp(row_string(&rows, i, PASS_pass), "time") != 0)
			continue;
		worst = bad;
		reason = row_text(&rows, i, PASS_reason);
	}
	return reason;
}

json_t *timing_lacks(const struct model *model, const char *family, const char *variant, const char *label)
{
	struct rows unsupported = timing_rows(model, TABLE_UNSUPPORTED, 3, family, variant, label);
	struct rows verify = timing_rows(model, TABLE_VERIFY, 3, family, variant, label);

	if (unsupported.count)
		return text_json(row_text(&unsupported, 0, UNSUPPORTED_reason));
	if (came_out_wrong(&verify))
		return json_pack("{s:s}", "id", "came-out-wrong");
	return text_json(pass_reason(model, family));
}
