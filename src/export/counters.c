/* counters.c: see counters.h. Readings of the GPU's state, and PM sampling with its work. */
#include "export/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/state.h"
#include "store/rowset.h"
#include "util/alloc.h"
#include "util/formula.h"
#include "util/number.h"

enum { MAX_METRICS = PMSAMPLE_NUMBER - PMSAMPLE_v0 };

/* ---- readings of clocks, temperature and power ---- */

static void give_reading(struct export *ex, const struct cursor *row)
{
	static const struct {
		int column;
		const char *name, *unit;
		double scale;
	} readings[] = {
		{CLOCK_smMhz, "SM clock", "MHz", 1},
		{CLOCK_memMhz, "memory clock", "MHz", 1},
		{CLOCK_temperatureC, "temperature", "degrees C", 1},
		{CLOCK_powerMw, "power", "W", 1e-3},
	};
	int64_t time = cursor_time(row, CLOCK_timestamp);

	if (!export_usable(ex, time, time))
		return;
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		struct export_counter counter = {
			.start = time,
			.end = time,
			.device = cursor_int(row, CLOCK_deviceId),
			.name = readings[i].name,
			.unit = readings[i].unit,
			.value = readings[i].scale * (double)cursor_int(row, readings[i].column),
		};

		if (!cursor_null(row, readings[i].column))
			ex->hooks->counter(ex, &counter);
	}
}

static int walk_readings(struct export *ex)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_CLOCK, CLOCK_timestamp, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		give_reading(ex, cursor);
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

/* ---- PM sampling ---- */

struct sampling {
	struct rowset runs, metrics;
	int64_t device;
};

/* A sample, for formula_evaluate(). */
struct sample {
	const char *names; /* of v0, v1 ..., with spaces between */
	const struct cursor *row;
};

/* The length of the name at *names, which is moved there; 0 at the end. */
static size_t next_name(const char **names)
{
	*names += strspn(*names, " ");
	return strcspn(*names, " ");
}

static double sample_value(void *user, const char *name, size_t length)
{
	const struct sample *sample = user;
	const char *at = sample->names;

	for (int v = 0; v < MAX_METRICS; v++) {
		size_t size = next_name(&at);

		if (size == length && memcmp(at, name, length) == 0)
			return cursor_null(sample->row, PMSAMPLE_v0 + v) ? NAN
									 : cursor_real(sample->row, PMSAMPLE_v0 + v);
		at += size;
	}
	return NAN;
}

/* A derived metric of the sample. Bytes in an interval of ns are GB/s when divided by its length. */
static void give_metric(
	struct export *ex, const struct rows *metrics, size_t i, struct sample *sample, struct export_counter *counter)
{
	bool bytes = strcmp(row_string(metrics, i, METRIC_unit), "bytes") == 0;
	struct error ignored;

	if (formula_evaluate(row_string(metrics, i, METRIC_formula), sample_value, sample, &counter->value, &ignored) <
		0)
		return;
	if (bytes)
		counter->value /= (double)(counter->end - counter->start);
	counter->name = row_string(metrics, i, METRIC_title);
	counter->unit = bytes ? "GB/s" : row_string(metrics, i, METRIC_unit);
	if (isfinite(counter->value))
		ex->hooks->counter(ex, counter);
}

/* What is `ns` after the start of a run; -1, which is no usable time, if it does not fit. */
static int64_t counters_time_in(const struct rows *runs, int64_t ns)
{
	int64_t time;

	return __builtin_add_overflow(row_int(runs, 0, PMRUN_start), ns, &time) ? -1 : time;
}

static void give_sample(struct export *ex, const struct sampling *sampling, const struct cursor *row)
{
	struct rows runs = rows_numbered(&sampling->runs, PMRUN_id, cursor_int(row, PMSAMPLE_run));
	struct rows metrics = rows_all(&sampling->metrics);
	struct export_counter counter = {.device = sampling->device};

	if (runs.count == 0)
		return;
	struct sample sample = {row_string(&runs, 0, PMRUN_metrics), row};
	counter.start = counters_time_in(&runs, cursor_int(row, PMSAMPLE_fromNs));
	counter.end = counters_time_in(&runs, cursor_int(row, PMSAMPLE_toNs));
	if (!export_usable(ex, counter.start, counter.end) || counter.end == counter.start)
		return;
	for (size_t i = 0; i < metrics.count; i++) {
		if (strcmp(row_string(&metrics, i, METRIC_pass), "pm") == 0 &&
			strcmp(row_string(&metrics, i, METRIC_setName), row_string(&runs, 0, PMRUN_setName)) == 0)
			give_metric(ex, &metrics, i, &sample, &counter);
	}
}

static int walk_samples(struct export *ex, const struct sampling *sampling)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_PMSAMPLE, PMSAMPLE_run, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		give_sample(ex, sampling, cursor);
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

/* ---- the work beside the samples ---- */

/* False if a row belongs to no run, or has no usable times. */
static bool read_sampled(struct export *ex, const struct sampling *sampling, const struct rows *all, size_t i,
	struct export_sampled *work)
{
	struct rows runs = rows_numbered(&sampling->runs, PMRUN_id, row_int(all, i, PMWORK_run));
	const char *class = row_text(all, i, PMWORK_class);

	if (runs.count == 0)
		return false;
	*work = (struct export_sampled){
		.start = counters_time_in(&runs, row_int(all, i, PMWORK_fromNs)),
		.end = counters_time_in(&runs, row_int(all, i, PMWORK_toNs)),
		.device = sampling->device,
		.stream = row_int(all, i, PMWORK_streamId),
		.class = class ? class : "other",
		.name = row_text(all, i, PMWORK_name),
	};
	return export_usable(ex, work->start, work->end);
}

static int counters_by_start(const void *left, const void *right)
{
	const struct export_sampled *a = left, *b = right;

	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(b->end, a->end);
}

/* Sorted here: the times in the rows count from the start of each run. There are few. */
static int give_sampled(struct export *ex, const struct sampling *sampling, const struct rows *all)
{
	struct export_sampled *work = xcalloc(all->count, sizeof(*work));
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < all->count; i++)
		n += read_sampled(ex, sampling, all, i, &work[n]);
	qsort(work, n, sizeof(*work), counters_by_start);
	for (size_t i = 0; i < n && rc == 0; i++) {
		ex->hooks->sampled(ex, &work[i]);
		rc = export_step(ex);
	}
	free(work);
	return rc;
}

static int walk_sampled(struct export *ex, const struct sampling *sampling)
{
	struct rowset set = {0};
	int rc = rowset_load(&set, ex->store, TABLE_PMWORK, 0, -1, ex->err);

	if (rc == 0) {
		struct rows all = rows_all(&set);

		rc = give_sampled(ex, sampling, &all);
	}
	rowset_free(&set);
	return rc;
}

int export_counters(struct export *ex)
{
	const char *device = store_meta(ex->store, "device");
	struct sampling sampling = {.device = device ? strtol(device, NULL, 10) : 0};
	int rc = rowset_load(&sampling.runs, ex->store, TABLE_PMRUN, 0, PMRUN_id, ex->err);

	if (rc == 0)
		rc = rowset_load(&sampling.metrics, ex->store, TABLE_METRIC, 0, METRIC_ord, ex->err);
	if (rc == 0 && ex->hooks->counter)
		rc = walk_readings(ex);
	if (rc == 0 && ex->hooks->counter)
		rc = walk_samples(ex, &sampling);
	if (rc == 0 && ex->hooks->sampled)
		rc = walk_sampled(ex, &sampling);
	rowset_free(&sampling.runs);
	rowset_free(&sampling.metrics);
	return rc;
}
