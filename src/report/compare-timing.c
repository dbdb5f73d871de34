/* compare-timing.c: gathers one recording's times of one variant in one case, and what was seen beside them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare-model.h"

static struct rows rows_of(const struct model *model, enum table_id table, int n, const char *family,
	const char *variant, const char *label)
{
	const char *const key[] = {family, variant, label};

	return rows_find(&model->table[table], n, key);
}

/* The samples that are times; a reading that is none (0, NULL) is no sample. */
static int take_samples(const struct rows *rows, struct timing *out)
{
	out->ns = calloc(rows->count + 1, sizeof(*out->ns));
	out->block = calloc(rows->count + 1, sizeof(*out->block));
	out->run = calloc(rows->count + 1, sizeof(*out->run));
	if (!out->ns || !out->block || !out->run)
		return -1;
	for (size_t i = 0; i < rows->count && !out->withheld; i++) {
		double ns = row_real(rows, i, SAMPLE_ns);

		if (!(ns > 0) || isinf(ns))
			continue;
		out->ns[out->n] = ns;
		out->block[out->n] = (int)row_int(rows, i, SAMPLE_block);
		out->run[out->n++] = (int)row_int(rows, i, SAMPLE_run);
	}
	return summarize(out->ns, out->n, &out->time);
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

/* Median of a column of readings, NaN if it has none. */
static int take_clock(const struct rows *rows, int column, double *median)
{
	double *x = calloc(rows->count + 1, sizeof(*x));
	struct summary summary;
	size_t n = 0;
	int bad;

	if (!x)
		return -1;
	for (size_t i = 0; i < rows->count; i++) {
		if (row_real(rows, i, column) > 0)
			x[n++] = row_real(rows, i, column);
	}
	bad = summarize(x, n, &summary);
	*median = summary.median;
	free(x);
	return bad;
}

/* Whether a clock reading was made while the case was timed. Old recordings do not say at which block: then, while any
 * case of the family was. */
static bool read_beside(
	const struct rows *rows, size_t i, const char *family, const char *label, const struct interval *pass)
{
	int64_t at = row_int(rows, i, CLOCK_timestamp);

	if (row_null(rows, i, CLOCK_family))
		return at >= pass->start && at <= pass->end;
	return strcmp(row_string(rows, i, CLOCK_family), family) == 0 &&
	       strcmp(row_string(rows, i, CLOCK_caseLabel), label) == 0;
}

static void take_readings(const struct model *model, const char *family, const char *label, struct timing *out)
{
	struct interval pass = time_pass(model, family);
	struct rows rows = rows_all(&model->table[TABLE_CLOCK]);

	for (size_t i = 0; i < rows.count; i++) {
		int64_t processes = row_int(&rows, i, CLOCK_processes);

		if (!read_beside(&rows, i, family, label, &pass))
			continue;
		out->readings += !row_null(&rows, i, CLOCK_throttle);
		out->throttled += throttle_matters(row_int(&rows, i, CLOCK_throttle));
		if (processes > (int64_t)out->processes)
			out->processes = (size_t)processes;
	}
}

int timing_take(
	const struct model *model, const char *family, const char *variant, const char *label, struct timing *out)
{
	struct rows samples = rows_of(model, TABLE_SAMPLE, 3, family, variant, label);
	struct rows verify = rows_of(model, TABLE_VERIFY, 3, family, variant, label);

	*out = (struct timing){
		.verify = rows_of(model, TABLE_VERIFY, 2, family, variant, NULL),
		.withheld = came_out_wrong(&verify),
	};
	take_readings(model, family, label, out);
	if (take_samples(&samples, out) < 0 || count_distinct(out->block, out->n, &out->nblocks) < 0 ||
		count_distinct(out->run, out->n, &out->nruns) < 0)
		return -1;
	if (take_clock(&samples, SAMPLE_measuredMhz, &out->measured_mhz) < 0)
		return -1;
	return take_clock(&samples, SAMPLE_smClockMhz, &out->reported_mhz);
}

void timing_free(struct timing *timing)
{
	free(timing->ns);
	free(timing->block);
	free(timing->run);
}

struct blocked_samples timing_samples(const struct timing *timing)
{
	return (struct blocked_samples){timing->ns, timing->block, timing->n, timing->run};
}

bool timing_there(const struct model *model, const char *family, const char *variant, const char *label)
{
	struct rows rows = rows_of(model, TABLE_SAMPLE, 3, family, variant, label);

	for (size_t i = 0; i < rows.count; i++) {
		if (row_real(&rows, i, SAMPLE_ns) > 0)
			return true;
	}
	return false;
}

/* Why the family's time pass gave nothing, or NULL. */
static const char *pass_reason(const struct model *model, const char *family)
{
	struct rows rows = rows_all(&model->table[TABLE_PASS]);

	for (size_t i = 0; i < rows.count; i++) {
		if (strcmp(row_string(&rows, i, PASS_family), family) == 0 &&
			strcmp(row_string(&rows, i, PASS_pass), "time") == 0 &&
			strcmp(row_string(&rows, i, PASS_status), "done") != 0)
			return row_text(&rows, i, PASS_reason);
	}
	return NULL;
}

const char *timing_lacks(const struct model *model, const char *family, const char *variant, const char *label)
{
	struct rows unsupported = rows_of(model, TABLE_UNSUPPORTED, 3, family, variant, label);
	struct rows verify = rows_of(model, TABLE_VERIFY, 3, family, variant, label);

	if (unsupported.count)
		return row_text(&unsupported, 0, UNSUPPORTED_reason);
	if (came_out_wrong(&verify))
		return "came out wrong, so it was not timed";
	return pass_reason(model, family);
}
