/* pm.c: the "pm" of a variant's case: counters against time, and the device work beside them. */
#include "model/family/pm.h"

#include <stdlib.h>
#include <string.h>

#include "model/family/measured.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* The columns v0, v1 ... of a sample. */
enum { MAX_METRICS = PMSAMPLE_NUMBER - PMSAMPLE_v0 };

/* The names of a list with spaces between them. Samples hold the first few: *n is how many are taken. */
static json_t *names_json(const char *names, int *n)
{
	json_t *list = json_array();

	*n = 0;
	while (names && *n < MAX_METRICS && *(names += strspn(names, " "))) {
		size_t length = strcspn(names, " ");
		char *name;

		name = xstrndup(names, length);
		append_json(list, text_json(name));
		free(name);
		names += length;
		(*n)++;
	}
	return list;
}

static json_t *sample_json(const struct rows *rows, size_t i, int nmetrics)
{
	json_t *sample = json_array();

	append_json(sample, row_json(rows, i, PMSAMPLE_fromNs));
	append_json(sample, row_json(rows, i, PMSAMPLE_toNs));
	for (int v = 0; v < nmetrics; v++)
		append_json(sample, real_json(row_real(rows, i, PMSAMPLE_v0 + v)));
	return sample;
}

static json_t *samples_json(const struct rows *rows, int nmetrics)
{
	json_t *list = json_array();

	for (size_t i = 0; i < rows->count; i++)
		append_json(list, sample_json(rows, i, nmetrics));
	return list;
}

static json_t *work_json(const struct rows *rows)
{
	static const struct field fields[] = {
		{"class", PMWORK_class},
		{"stream", PMWORK_streamId},
		{"start", PMWORK_fromNs},
		{"end", PMWORK_toNs},
		{"name", PMWORK_name},
	};

	return rows_list(rows, fields, sizeof(fields) / sizeof(fields[0]));
}

/* What a metric set is called, or NULL. */
static const char *set_title(const struct model *model, const char *set)
{
	struct rows rows = rows_all(&model->table[TABLE_METRIC]);

	for (size_t i = 0; set && i < rows.count; i++) {
		const char *name = row_text(&rows, i, METRIC_setName), *pass = row_text(&rows, i, METRIC_pass);

		if (name && pass && strcmp(name, set) == 0 && strcmp(pass, "pm") == 0)
			return row_text(&rows, i, METRIC_setTitle);
	}
	return NULL;
}

static json_t *pm_run_json(const struct model *model, const struct rows *runs, size_t run)
{
	int64_t id = row_int(runs, run, PMRUN_id);
	struct rows samples = rows_numbered(&model->table[TABLE_PMSAMPLE], PMSAMPLE_run, id);
	struct rows work = rows_numbered(&model->table[TABLE_PMWORK], PMWORK_run, id);
	double duration = row_real(runs, run, PMRUN_end) - row_real(runs, run, PMRUN_start);
	json_t *object = json_object();
	int nmetrics;

	put_json(object, "set", row_json(runs, run, PMRUN_setName));
	put_json(object, "title", text_json(set_title(model, row_text(runs, run, PMRUN_setName))));
	put_json(object, "interval_ns", row_json(runs, run, PMRUN_interval));
	put_json(object, "overflow", json_boolean(row_int(runs, run, PMRUN_overflow) != 0));
	put_json(object, "duration_ns", real_json(duration));
	if (!row_null(runs, run, PMRUN_step))
		put_json(object, "step", row_json(runs, run, PMRUN_step));
	put_json(object, "metrics", names_json(row_text(runs, run, PMRUN_metrics), &nmetrics));
	put_json(object, "samples", samples_json(&samples, nmetrics));
	put_json(object, "work", work_json(&work));
	return object;
}

json_t *pm_json(const struct model *model, const struct measured *m)
{
	struct rows runs = rows_all(&model->table[TABLE_PMRUN]);
	json_t *list = json_array();

	for (size_t i = 0; m->pair && i < runs.count; i++) {
		if (measured_in_row(m, &runs, i, PMRUN_family))
			append_json(list, pm_run_json(model, &runs, i));
	}
	if (json_array_size(list) > 0)
		return list;
	json_decref(list);
	return json_null();
}
