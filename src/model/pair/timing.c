/* timing.c: gathers one recording's times of one variant in one case, and what was seen beside them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/device.h"
#include "model/family/evidence-gpu.h"
#include "model/family/measure.h"
#include "model/family/readings.h"
#include "model/family/times.h"
#include "model/pair/pair-model.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"

static struct rows timing_rows_of(const struct model *model, enum table_id table, int n, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};

	return rows_find(&model->table[table], n, key);
}

static int int_order(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* How many different numbers there are. */
static int count_distinct(const int *x, size_t n, size_t *count)
{
	int *sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return -1;
	memcpy(sorted, x, n * sizeof(*x));
	qsort(sorted, n, sizeof(*sorted), int_order);
	*count = n > 0;
	for (size_t i = 1; i < n; i++)
		*count += sorted[i] != sorted[i - 1];
	free(sorted);
	return 0;
}

/* Readings that say at which block they were made. */
static void take_readings(const struct model *model, struct timing *out)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(model, out->m.family, out->m.label, &n);

	out->by_block = n > 0;
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

int timing_take(
	const struct model *model, const char *family, const char *variant, const char *label, struct timing *out)
{
	const struct rows not_traced = {&model->table[TABLE_TRACED], 0, 0};
	struct rows verify;

	*out = (struct timing){.m = {.family = family, .variant = variant, .label = label}, .processes = -1};
	verify = timing_rows_of(model, TABLE_VERIFY, 3, &out->m);
	out->m.verify = timing_rows_of(model, TABLE_VERIFY, 2, &out->m);
	out->m.samples = timing_rows_of(model, TABLE_SAMPLE, 3, &out->m);
	out->m.withheld = came_out_wrong(&verify);
	if (take_times(model, &out->m, &not_traced) < 0)
		return -1;
	take_readings(model, out);
	if (!out->by_block)
		take_old_readings(model, out);
	return count_distinct(out->m.block, out->m.n, &out->nblocks) |
	       count_distinct(out->m.run, out->m.n, &out->nruns);
}

void timing_free(struct timing *timing)
{
	times_free(&timing->m);
}

bool timing_there(const struct model *model, const struct measured *m)
{
	struct rows rows = timing_rows_of(model, TABLE_SAMPLE, 3, m);

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

const char *timing_lacks(const struct model *model, const struct measured *m)
{
	struct rows unsupported = timing_rows_of(model, TABLE_UNSUPPORTED, 3, m);
	struct rows verify = timing_rows_of(model, TABLE_VERIFY, 3, m);

	if (unsupported.count)
		return row_text(&unsupported, 0, UNSUPPORTED_reason);
	if (came_out_wrong(&verify))
		return "came out wrong, so it was not timed";
	return pass_reason(model, m->family);
}
