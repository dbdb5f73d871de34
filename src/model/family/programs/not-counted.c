/* not-counted.c: see not-counted.h. */
#include "model/family/programs/not-counted.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/programs/runs.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* The rows of a side, and in how many runs they were looked for. */
struct not_counted {
	struct rows rows;
	size_t runs;
	double *x; /* room for a number of each run */
};

/* Traced runs that tell how many launches they have. */
static bool tells_launches(const struct rows *runs, size_t i)
{
	return strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 && !row_null(runs, i, BLOCK_launches);
}

static double median_of_traced(const struct rows *runs, int column, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (tells_launches(runs, i))
			x[n++] = row_real(runs, i, column);
	return median_of(x, n);
}

/* The median of a column over all runs: those without the reason have nothing of it. */
static double median_of_reason(const struct not_counted *of, const char *reason, int column)
{
	size_t n = 0;

	for (size_t i = 0; i < of->rows.count && n < of->runs; i++)
		if (strcmp(row_string(&of->rows, i, LEFTOUT_reason), reason) == 0)
			of->x[n++] = (double)row_int(&of->rows, i, column);
	while (n < of->runs)
		of->x[n++] = 0;
	return median_of(of->x, n);
}

static json_t *left_reasons_json(const struct not_counted *of, double whole_ns)
{
	static const char *const reasons[] = {"first-step", "other-step", "empty-step", "first-launch", "outside",
		"other-thread", "no-call", "not-chosen"};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		double steps = median_of_reason(of, reasons[i], LEFTOUT_steps);
		double launches = median_of_reason(of, reasons[i], LEFTOUT_launches);
		double ns = median_of_reason(of, reasons[i], LEFTOUT_ns);
		json_t *item;

		if (!(steps > 0) && !(launches > 0))
			continue;
		item = json_object();
		put_json(item, "reason", json_string(reasons[i]));
		put_json(item, "steps", real_json(steps));
		put_json(item, "launches", real_json(launches));
		put_json(item, "ns", real_json(ns));
		put_json(item, "share", real_json(ns / whole_ns));
		append_json(list, item);
	}
	return list;
}

json_t *not_counted_json(const struct family_rows *f, const char *variant)
{
	const char *const key[] = {f->name, variant};
	struct rows runs = side_runs(f, variant);
	struct not_counted of = {.rows = rows_find(&f->model->table[TABLE_LEFTOUT], 2, key)};
	json_t *object = json_null();

	for (size_t i = 0; i < runs.count; i++)
		of.runs += tells_launches(&runs, i);
	of.x = xcalloc(of.runs, sizeof(*of.x));
	if (of.runs > 0) {
		double ns = median_of_traced(&runs, BLOCK_gpuNs, of.x);

		object = json_object();
		put_json(object, "launches", real_json(median_of_traced(&runs, BLOCK_launches, of.x)));
		put_json(object, "ns", real_json(ns));
		put_json(object, "reasons", left_reasons_json(&of, ns));
	}
	free(of.x);
	return object;
}
