/* prediction.c: what was predicted before a case was timed, how that went, and the constants it was made from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"

json_t *predicted_json(
	const struct model *model, const char *family, const char *label, const char *single, const char *dbl)
{
	static const struct field fields[] = {
		{"ratio", PREDICTION_ratio},
		{"single_ns", PREDICTION_singleNs},
		{"double_ns", PREDICTION_doubleNs},
		{"single_bound", PREDICTION_singleBound},
		{"double_bound", PREDICTION_doubleBound},
	};
	const char *const key[] = {family, label};
	struct rows rows = rows_find(&model->table[TABLE_PREDICTION], 2, key);

	for (size_t i = 0; i < rows.count; i++) {
		json_t *object;

		if (strcmp(row_string(&rows, i, PREDICTION_single), single) != 0 ||
			strcmp(row_string(&rows, i, PREDICTION_double), dbl) != 0)
			continue;
		object = json_object();
		return built_json(object, put_fields(object, &rows, i, fields, sizeof(fields) / sizeof(fields[0])));
	}
	return json_null();
}

json_t *machine_json(const struct model *model, const char *family)
{
	static const struct field fields[] = {
		{"key", MACHINE_key},
		{"title", MACHINE_title},
		{"value", MACHINE_value},
		{"unit", MACHINE_unit},
	};
	const char *const key[] = {family};
	struct rows rows = rows_find(&model->table[TABLE_MACHINE], 1, key);

	return rows_list(&rows, fields, sizeof(fields) / sizeof(fields[0]));
}

/* ---- scores ---- */

static int score_lists(const json_t *const *lists, size_t nlists, struct prediction_score *score)
{
	struct predicted_point *points;
	size_t room = 0, n = 0;
	int result;

	for (size_t k = 0; k < nlists; k++)
		room += json_array_size(lists[k]);
	points = calloc(room + 1, sizeof(*points));
	if (!points)
		return -1;
	for (size_t k = 0; k < nlists; k++) {
		for (size_t i = 0; i < json_array_size(lists[k]); i++) {
			const json_t *p = json_array_get(lists[k], i);

			points[n++] = (struct predicted_point){tree_real(json_object_get(p, "predicted"), "ratio"),
				tree_real(json_object_get(p, "speedup"), "value"),
				verdict_named(tree_text(p, "verdict"))};
		}
	}
	result = prediction_score(points, n, same_band(), score);
	free(points);
	return result;
}

static json_t *constant_json(const struct constant_answer *constant)
{
	json_t *object = json_object();
	int bad = put_json(object, "answer", json_string(verdict_name(constant->answer)));

	bad |= put_json(object, "right", json_integer((json_int_t)constant->right));
	return built_json(object, bad);
}

json_t *score_json(const json_t *const *lists, size_t nlists)
{
	struct prediction_score score;
	json_t *object;
	int bad = 0;

	if (score_lists(lists, nlists, &score) < 0)
		return NULL;
	if (score.points == 0)
		return json_null();
	object = json_object();
	bad |= put_json(object, "points", json_integer((json_int_t)score.points));
	bad |= put_json(object, "outside", json_integer((json_int_t)score.outside));
	bad |= put_json(object, "right_sign", json_integer((json_int_t)score.right_sign));
	bad |= put_json(object, "best_sign", constant_json(&score.best_sign));
	bad |= put_json(object, "clear", json_integer((json_int_t)score.clear));
	bad |= put_json(object, "right_verdict", json_integer((json_int_t)score.right_verdict));
	bad |= put_json(object, "best_verdict", constant_json(&score.best_verdict));
	bad |= put_json(object, "median_error", real_json(score.median_error));
	return built_json(object, bad);
}

/* The points of every sweep of every family into `lists`; returns how many lists. */
static size_t all_points(const json_t *families, const json_t **lists, size_t room)
{
	size_t n = 0;

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *sweeps = json_object_get(json_array_get(families, f), "sweeps");

		for (size_t i = 0; i < json_array_size(sweeps) && n < room; i++)
			lists[n++] = json_object_get(json_array_get(sweeps, i), "points");
	}
	return n;
}

static size_t count_sweeps(const json_t *families)
{
	size_t n = 0;

	for (size_t f = 0; f < json_array_size(families); f++)
		n += json_array_size(json_object_get(json_array_get(families, f), "sweeps"));
	return n;
}

json_t *prediction_json(const json_t *families)
{
	size_t nsweeps = count_sweeps(families), nfamilies = json_array_size(families);
	const json_t **lists = calloc(nsweeps + nfamilies + 1, sizeof(*lists));
	json_t *object;
	int bad = 0;

	if (!lists)
		return NULL;
	all_points(families, lists, nsweeps);
	for (size_t f = 0; f < nfamilies; f++)
		lists[nsweeps + f] = json_object_get(json_array_get(families, f), "contrasts");
	object = json_object();
	bad |= put_json(object, "sweeps", score_json(lists, nsweeps));
	bad |= put_json(object, "cases", score_json(lists + nsweeps, nfamilies));
	bad |= put_json(object, "all", score_json(lists, nsweeps + nfamilies));
	free(lists);
	if (json_is_null(json_object_get(object, "all"))) {
		json_decref(object);
		return json_null();
	}
	return built_json(object, bad);
}
