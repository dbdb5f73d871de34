/* predicted.c: see predicted.h. */
#include "model/family/predicted.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/sweep.h"
#include "analyze/thresholds.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

json_t *predicted_json(
	const struct model *model, const char *family, const char *label, const char *single, const char *dbl)
{
	static const struct field fields[] = {
		{"ratio", PREDICTION_ratio},
		{"single_ns", PREDICTION_singleNs},
		{"double_ns", PREDICTION_doubleNs},
		{"single_bound", PREDICTION_singleBound},
		{"double_bound", PREDICTION_doubleBound},
		{"single_under_way_bytes", PREDICTION_singleUnderWay},
		{"double_under_way_bytes", PREDICTION_doubleUnderWay},
		{"single_needed_bytes", PREDICTION_singleNeeded},
		{"double_needed_bytes", PREDICTION_doubleNeeded},
	};
	const char *const key[] = {family, label};
	struct rows rows = rows_find(&model->table[TABLE_PREDICTION], 2, key);

	for (size_t i = 0; i < rows.count; i++) {
		json_t *object;

		if (strcmp(row_string(&rows, i, PREDICTION_single), single) != 0 ||
			strcmp(row_string(&rows, i, PREDICTION_double), dbl) != 0)
			continue;
		object = json_object();
		put_fields(object, &rows, i, fields, sizeof(fields) / sizeof(fields[0]));
		return object;
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

static struct predicted_point point_of(const json_t *entry)
{
	return (struct predicted_point){
		.predicted = tree_real(json_object_get(entry, "predicted"), "ratio"),
		.measured = tree_real(json_object_get(entry, "speedup"), "value"),
		.verdict = verdict_named(tree_text(entry, "verdict")),
	};
}

/* Where the second buffer has nothing to do there is nothing to predict. Contrasts do not say: they can. */
static bool can_overlap(const json_t *entry)
{
	return !json_is_false(json_object_get(entry, "overlappable"));
}

static void score_lists(const json_t *const *lists, size_t nlists, struct prediction_score *score)
{
	struct predicted_point *points;
	size_t room = 0, n = 0;

	for (size_t k = 0; k < nlists; k++)
		room += json_array_size(lists[k]);
	points = xcalloc(room, sizeof(*points));
	for (size_t k = 0; k < nlists; k++) {
		for (size_t i = 0; i < json_array_size(lists[k]); i++) {
			const json_t *entry = json_array_get(lists[k], i);

			if (can_overlap(entry))
				points[n++] = point_of(entry);
		}
	}
	prediction_score(points, n, same_band, score);
	free(points);
}

static json_t *constant_json(const struct constant_answer *constant)
{
	json_t *object = json_object();

	put_json(object, "answer", json_string(verdict_name(constant->answer)));
	put_json(object, "right", json_integer((json_int_t)constant->right));
	return object;
}

json_t *score_json(const json_t *const *lists, size_t nlists)
{
	struct prediction_score score;
	json_t *object;

	score_lists(lists, nlists, &score);
	if (score.points == 0)
		return json_null();
	object = json_object();
	put_json(object, "points", json_integer((json_int_t)score.points));
	put_json(object, "outside", json_integer((json_int_t)score.outside));
	put_json(object, "right_sign", json_integer((json_int_t)score.right_sign));
	put_json(object, "best_sign", constant_json(&score.best_sign));
	put_json(object, "clear", json_integer((json_int_t)score.clear));
	put_json(object, "right_verdict", json_integer((json_int_t)score.right_verdict));
	put_json(object, "best_verdict", constant_json(&score.best_verdict));
	put_json(object, "median_error", real_json(score.median_error));
	return object;
}
