/* counters.c: what the counters pass gave: metrics as CUPTI names them, and the values that the metric sets derive from
 * them. */
#include "model/family/counters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/family/measured.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/formula.h"

/* A launch may have several kernels. The first one speaks for it if the variant has a kernel of its own (variant.h),
 * else the one that takes longest by this metric. */
static const char duration[] = "gpu__time_duration.sum";

static bool row_is(const struct rows *rows, size_t i, int column, const char *text)
{
	return strcmp(row_string(rows, i, column), text) == 0;
}

/* "kernel" if kernels were counted one by one, else "range". */
static const char *counters_scope_of(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (row_is(rows, i, COUNTER_scope, "kernel"))
			return "kernel";
	}
	return "range";
}

/* The number of the kernel that speaks for the launch. */
static int64_t speaker(const struct rows *rows, const char *scope, bool own)
{
	int64_t ord = -1;
	double most = -INFINITY;

	for (size_t i = 0; i < rows->count; i++) {
		if (!row_is(rows, i, COUNTER_scope, scope))
			continue;
		if (ord < 0 || (own && row_int(rows, i, COUNTER_ord) < ord))
			ord = row_int(rows, i, COUNTER_ord);
		if (!own && row_is(rows, i, COUNTER_metric, duration) && row_real(rows, i, COUNTER_value) > most) {
			most = row_real(rows, i, COUNTER_value);
			ord = row_int(rows, i, COUNTER_ord);
		}
	}
	return ord;
}

/* The metrics of one kernel or range; *replays is the most that one of them took. */
static json_t *counted_json(const struct rows *rows, const char *scope, int64_t ord, json_int_t *replays)
{
	json_t *metrics = json_object();

	*replays = 0;
	for (size_t i = 0; i < rows->count; i++) {
		const char *name = row_text(rows, i, COUNTER_metric);

		if (!name || !row_is(rows, i, COUNTER_scope, scope) || row_int(rows, i, COUNTER_ord) != ord)
			continue;
		if (row_int(rows, i, COUNTER_replays) > *replays)
			*replays = row_int(rows, i, COUNTER_replays);
		/* Two sets may count the same: the first stands. */
		if (!tree_has(metrics, name))
			put_json(metrics, name, real_json(row_real(rows, i, COUNTER_value)));
	}
	return metrics;
}

/* For formula_evaluate(): the value of a metric, NaN if it was not counted. */
static double metric_value(void *user, const char *name, size_t length)
{
	char text[256];

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	return tree_real(user, text);
}

static void note_formula(const struct model *model, const char *key, const struct error *err)
{
	json_t *note = json_object();

	put_json(note, "id", json_string("formula-unreadable"));
	put_json(note, "metric", text_json(key));
	put_json(note, "error", text_json(err->text));
	model_note_facts(model, note);
}

static json_t *counters_values_json(const struct model *model, json_t *metrics)
{
	struct rows rows = rows_all(&model->table[TABLE_METRIC]);
	json_t *values = json_object();

	for (size_t i = 0; i < rows.count; i++) {
		const char *key = row_string(&rows, i, METRIC_key);
		const char *formula = row_string(&rows, i, METRIC_formula);
		double value = NAN;
		struct error err;

		if (!row_is(&rows, i, METRIC_pass, "counters"))
			continue;
		if (formula_evaluate(formula, metric_value, metrics, &value, &err) < 0) {
			value = NAN;
			note_formula(model, key, &err);
		}
		/* Of two values of one name the chip has one. */
		if (isfinite(value) || !tree_has(values, key))
			put_json(values, key, real_json(value));
	}
	return values;
}

/* ---- the metrics ---- */

/* The names of everything that was counted, of any variant: an object. */
static json_t *counted_names(const struct model *model)
{
	struct rows rows = rows_all(&model->table[TABLE_COUNTER]);
	json_t *names = json_object();

	for (size_t i = 0; i < rows.count; i++)
		put_json(names, row_string(&rows, i, COUNTER_metric), json_integer(1));
	return names;
}

/* The names that were counted, and whether a formula asks for another one. */
struct counted_lookup {
	const json_t *names;
	bool lacks;
};

/* For formula_evaluate(): any number, since the names matter and not the values. */
static double look_for_name(void *user, const char *name, size_t length)
{
	struct counted_lookup *lookup = user;
	char text[256];

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	lookup->lacks = lookup->lacks || !json_object_get(lookup->names, text);
	return 1;
}

static bool was_counted(const json_t *metric, const json_t *names)
{
	struct counted_lookup lookup = {.names = names};
	struct error err;
	double value;

	return formula_evaluate(tree_text(metric, "formula"), look_for_name, &lookup, &value, &err) == 0 &&
	       !lookup.lacks;
}

/* A set has several formulas for one key where chips name their counters differently: the one that was counted stands,
 * or the first of them. */
static json_t *one_of_each(const json_t *all, const json_t *names)
{
	json_t *list = json_array(), *known = json_object(), *metric, *twin;
	size_t i;

	json_array_foreach(all, i, metric)
	{
		const char *key = tree_text(metric, "key");
		bool counter = strcmp(tree_text(metric, "pass"), "counters") == 0;

		twin = counter ? json_object_get(known, key) : NULL;
		if (!twin)
			append_json(list, json_incref(metric));
		else if (!was_counted(twin, names) && was_counted(metric, names))
			json_object_update(twin, metric);
		if (counter && !twin)
			put_json(known, key, json_incref(metric));
	}
	json_decref(known);
	return list;
}

json_t *metrics_json(const struct model *model)
{
	static const struct field fields[] = {
		{"key", METRIC_key},
		{"title", METRIC_title},
		{"unit", METRIC_unit},
		{"formula", METRIC_formula},
		{"meaning", METRIC_meaning},
		{"set", METRIC_setName},
		{"set_title", METRIC_setTitle},
		{"pass", METRIC_pass},
	};
	struct rows rows = rows_all(&model->table[TABLE_METRIC]);
	json_t *all = rows_list(&rows, fields, sizeof(fields) / sizeof(fields[0])), *names = counted_names(model);
	json_t *list = one_of_each(all, names);

	json_decref(names);
	json_decref(all);
	return list;
}

/* ---- what a variant counted ---- */

json_t *counters_of(const struct model *model, const struct measured *m)
{
	const char *const key[] = {m->family, m->variant, m->label};
	struct rows rows = rows_find(&model->table[TABLE_COUNTER], 3, key);
	const char *scope = counters_scope_of(&rows);
	json_t *object, *metrics;
	json_int_t replays;

	if (rows.count == 0)
		return NULL;
	metrics = counted_json(&rows, scope, speaker(&rows, scope, m->has_resources), &replays);
	object = json_object();
	put_json(object, "scope", text_json(scope));
	put_json(object, "replays", json_integer(replays));
	put_json(object, "values", counters_values_json(model, metrics));
	put_json(object, "metrics", metrics);
	return object;
}
