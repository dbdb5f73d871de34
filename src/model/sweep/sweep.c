/* sweep.c: F."sweeps": each grid with its points, crossovers, tally and score of the prediction. */
#include "model/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/sweep.h"
#include "analyze/thresholds.h"
#include "model/family/predicted.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "model/sweep/balance.h"
#include "model/sweep/chunks.h"
#include "model/sweep/derived.h"
#include "model/sweep/grid.h"
#include "model/sweep/point.h"
#include "model/sweep/sustained.h"
#include "model/sweep/under-way.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* ---- axes ---- */

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The distinct values of an axis, in its order. */
static json_t *sweep_values_json(const struct sweep *s, bool y)
{
	double *place = xcalloc(s->npoints, sizeof(*place));
	json_t *values = json_array();

	for (size_t i = 0; i < s->npoints; i++)
		place[i] = y ? s->points[i].y_place : s->points[i].x_place;
	qsort(place, s->npoints, sizeof(*place), by_value);
	for (size_t i = 0; i < s->npoints; i++) {
		if (i == 0 || place[i] != place[i - 1])
			append_json(values, real_json(isinf(place[i]) ? 0 : place[i]));
	}
	free(place);
	return values;
}

static json_t *axis_json(const struct sweep *s, const char *param, bool y)
{
	static const struct field fields[] = {{"unit", PARAM_unit}, {"summary", PARAM_summary}};
	struct rows row = {0};
	json_t *axis;

	if (!*param)
		return json_null();
	axis = json_object();
	put_json(axis, "param", text_json(param));
	if (s->npoints)
		row = param_row(s->model, s->family, s->points[0].label, param);
	if (row.count)
		put_fields(axis, &row, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(axis, "values", sweep_values_json(s, y));
	return axis;
}

/* ---- points ---- */

/* Measures them: all below reads what that fills in. */
static void put_points(json_t *tree, const struct sweep *s)
{
	json_t *points = json_array();
	json_int_t measured = 0;

	for (size_t i = 0; i < s->npoints; i++) {
		json_t *point = sweep_point_json(s, &s->points[i]);

		measured += tree_true(point, "measured");
		append_json(points, point);
	}
	put_json(tree, "points", points);
	put_json(tree, "measured", json_integer(measured));
}

/* How many points have each verdict, and the extremes. Points where nothing can overlap are counted apart. */
struct tally {
	size_t compared, nothing, count[VERDICT_UNCLEAR + 1];
	const struct sweep_point *best, *worst; /* the largest gain and loss; NULL without one */
};

static void tally_add(struct tally *tally, const struct sweep *s, const struct sweep_point *p)
{
	if (isnan(p->ratio.value))
		return;
	if (!point_overlappable(s, p)) {
		tally->nothing++;
		return;
	}
	tally->compared++;
	tally->count[p->verdict]++;
	if (p->verdict == VERDICT_FASTER && (!tally->best || p->ratio.value > tally->best->ratio.value))
		tally->best = p;
	if (p->verdict == VERDICT_SLOWER && (!tally->worst || p->ratio.value < tally->worst->ratio.value))
		tally->worst = p;
}

static json_t *tally_json(const struct sweep *s)
{
	struct tally tally = {0};
	json_t *object = json_object();

	for (size_t i = 0; i < s->npoints; i++)
		tally_add(&tally, s, &s->points[i]);
	put_json(object, "compared", json_integer((json_int_t)tally.compared));
	for (enum verdict v = VERDICT_FASTER; v <= VERDICT_UNCLEAR; v++)
		put_json(object, verdict_name(v), json_integer((json_int_t)tally.count[v]));
	put_json(object, "nothing", json_integer((json_int_t)tally.nothing));
	put_json(object, "best", text_json(tally.best ? tally.best->label : NULL));
	put_json(object, "worst", text_json(tally.worst ? tally.worst->label : NULL));
	return object;
}

/* ---- crossovers ---- */

static json_t *crossover_json(const struct sweep_point *curve, const struct crossover *crossover)
{
	const struct sweep_point *before = &curve[crossover->before], *after = &curve[crossover->after];
	json_t *object = json_object();

	put_json(object, "y", real_json(before->y));
	put_json(object, "from", real_json(before->x));
	put_json(object, "to", real_json(after->x));
	put_json(object, "gap", json_boolean(crossover->after > crossover->before + 1));
	put_json(object, "x", real_json(crossover->x));
	put_json(object, "level", real_json(crossover->level));
	put_json(object, "before", json_string(verdict_name(before->verdict)));
	put_json(object, "after", json_string(verdict_name(after->verdict)));
	return object;
}

/* Of the curve of n points that starts at `first`. */
static void sweep_add_crossovers(json_t *list, const struct sweep *s, size_t first, size_t n)
{
	struct curve_point *curve = xcalloc(n, sizeof(*curve));
	struct crossover *found = xcalloc(n, sizeof(*found));
	size_t nfound;

	for (size_t i = 0; i < n; i++) {
		const struct sweep_point *p = &s->points[first + i];

		curve[i] = (struct curve_point){p->x_place, p->ratio.value, p->verdict};
	}
	nfound = crossovers_find(curve, n, same_band, found);
	for (size_t i = 0; i < nfound; i++)
		append_json(list, crossover_json(s->points + first, &found[i]));
	free(curve);
	free(found);
}

static json_t *crossovers_json(const struct sweep *s)
{
	json_t *list = json_array();
	size_t first = 0;

	for (size_t i = 1; i <= s->npoints; i++) {
		if (i < s->npoints && s->points[i].y_place == s->points[first].y_place)
			continue;
		sweep_add_crossovers(list, s, first, i - first);
		first = i;
	}
	return list;
}

/* ---- the sweep ---- */

static json_t *sweep_tree(const struct sweep *s)
{
	static const struct field fields[] = {
		{"name", SWEEP_name}, {"title", SWEEP_title}, {"question", SWEEP_question}, {"planned", SWEEP_points}};
	json_t *tree = json_object();
	const json_t *points;

	put_fields(tree, &s->row, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(tree, "single", text_json(s->single));
	put_json(tree, "double", text_json(s->dbl));
	put_json(tree, "buffering", json_boolean(s->buffering));
	put_json(tree, "band", json_real(same_band));
	put_json(tree, "x", axis_json(s, s->x, false));
	put_json(tree, "y", axis_json(s, s->y, true));
	put_points(tree, s);
	put_json(tree, "tally", tally_json(s));
	put_json(tree, "crossovers", crossovers_json(s));
	derived_put(tree, s);
	points = json_object_get(tree, "points");
	put_json(tree, "prediction", score_json(&points, 1));
	put_json(tree, "under_way", under_way_json(s, points));
	put_json(tree, "sustained", sustained_json(tree));
	return tree;
}

static json_t *sweeps_json(const struct model *model, const struct rows *family)
{
	const char *const key[] = {row_string(family, 0, FAMILY_name)};
	struct rows rows = rows_find(&model->table[TABLE_SWEEP], 1, key);
	json_t *list = json_array();

	for (size_t i = 0; i < rows.count; i++) {
		struct sweep sweep;

		grid_read(model, family, &rows, i, &sweep);
		chunks_find(&sweep);
		append_json(list, sweep_tree(&sweep));
		grid_free(&sweep);
	}
	return list;
}

/* The smallest speed-up of the points of a sweep where it costs time, or of `least`. */
static double sweep_worst(const json_t *sweep, double least)
{
	const json_t *points = json_object_get(sweep, "points");

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);

		if (strcmp(tree_text(point, "verdict"), "slower") == 0)
			least = fmin(least, tree_real(json_object_get(point, "speedup"), "value"));
	}
	return least;
}

/* At how many points a second buffer pays, of those where something can overlap, over all sweeps that are about it; of
 * a family that is not about buffers, its own pair. JSON null without any. */
static json_t *holds_json(const json_t *family, const json_t *sweeps)
{
	json_int_t pays = 0, of = 0;
	double worst = NAN;
	json_t *object;

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i), *tally = json_object_get(sweep, "tally");

		if (tree_true(family, "buffering") && !tree_true(sweep, "buffering"))
			continue;
		worst = sweep_worst(sweep, worst);
		pays += json_integer_value(json_object_get(tally, "faster"));
		of += json_integer_value(json_object_get(tally, "compared"));
	}
	if (of == 0)
		return json_null();
	object = json_object();
	put_json(object, "pays", json_integer(pays));
	put_json(object, "of", json_integer(of));
	put_json(object, "worst", real_json(worst));
	return object;
}

void sweeps_put(const struct model *model, json_t *families)
{
	struct rows rows = rows_all(&model->table[TABLE_FAMILY]);
	size_t n = 0;

	for (size_t i = 0; i < rows.count; i++) {
		const struct rows family = {rows.set, rows.first + i, 1};
		json_t *tree, *sweeps;

		if (is_of_advice(&rows, i))
			continue;
		tree = json_array_get(families, n++);
		sweeps = sweeps_json(model, &family);
		put_json(tree, "balance", balance_json(sweeps, json_object_get(tree, "machine")));
		put_json(tree, "holds", holds_json(tree, sweeps));
		put_json(tree, "sweeps", sweeps);
	}
}
