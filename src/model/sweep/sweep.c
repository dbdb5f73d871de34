/* sweep.c: F."sweeps": each grid with its points, crossovers, finding and score of the prediction. */
#include "model/sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"
#include "tree/tree.h"

/* The row of a parameter in a case: an empty slice if the recording lacks it. */
static struct rows param_row(const struct model *model, const char *family, const char *label, const char *param)
{
	const char *const key[] = {family, label};
	struct rows rows = rows_find(&model->table[TABLE_PARAM], 2, key);

	for (size_t i = 0; i < rows.count; i++) {
		if (strcmp(row_string(&rows, i, PARAM_name), param) == 0)
			return (struct rows){rows.set, rows.first + i, 1};
	}
	return (struct rows){rows.set, rows.first, 0};
}

double param_value(const struct model *model, const char *family, const char *label, const char *param)
{
	struct rows row = param_row(model, family, label, param);

	return row.count ? row_real(&row, 0, PARAM_value) : NAN;
}

double param_place(const char *param, double value)
{
	return value == 0 && strcmp(param, PARAM_BLOCKS) == 0 ? INFINITY : value;
}

/* ---- points ---- */

static int order_of(double a, double b)
{
	return (a > b) - (a < b);
}

/* Curve by curve, each along x. */
static int sweep_by_place(const void *left, const void *right)
{
	const struct sweep_point *a = left, *b = right;
	int order = order_of(a->y_place, b->y_place);

	if (order == 0)
		order = order_of(a->x_place, b->x_place);
	return order ? order : strcmp(a->label, b->label);
}

static int points_read(struct sweep *s)
{
	const char *const key[] = {s->family};
	struct rows cases = rows_find(&s->model->table[TABLE_CASE], 1, key);

	s->points = calloc(cases.count + 1, sizeof(*s->points));
	if (!s->points)
		return -1;
	for (size_t i = 0; i < cases.count; i++) {
		const char *label = row_string(&cases, i, CASE_label), *of = row_text(&cases, i, CASE_sweep);
		struct sweep_point point = {.row = {cases.set, cases.first + i, 1}, .label = label};

		if (!of || strcmp(of, s->name) != 0)
			continue;
		point.x = param_value(s->model, s->family, label, s->x);
		point.y = *s->y ? param_value(s->model, s->family, label, s->y) : NAN;
		if (isnan(point.x) || (*s->y && isnan(point.y)))
			continue; /* no place in the grid */
		point.x_place = param_place(s->x, point.x);
		point.y_place = *s->y ? param_place(s->y, point.y) : 0;
		s->points[s->npoints++] = point;
	}
	qsort(s->points, s->npoints, sizeof(*s->points), sweep_by_place);
	return 0;
}

static json_t *points_json(const struct sweep *s)
{
	json_t *points = json_array();
	int bad = 0;

	for (size_t i = 0; i < s->npoints && !bad; i++)
		bad |= append_json(points, sweep_point_json(s, &s->points[i]));
	return built_json(points, bad);
}

/* ---- axes ---- */

static int by_value(const void *left, const void *right)
{
	return order_of(*(const double *)left, *(const double *)right);
}

/* The distinct values of an axis, in its order. */
static json_t *sweep_values_json(const struct sweep *s, bool y)
{
	double *place = calloc(s->npoints + 1, sizeof(*place));
	json_t *values = json_array();
	int bad = place ? 0 : -1;

	for (size_t i = 0; i < s->npoints && place; i++)
		place[i] = y ? s->points[i].y_place : s->points[i].x_place;
	if (place)
		qsort(place, s->npoints, sizeof(*place), by_value);
	for (size_t i = 0; i < s->npoints && place; i++) {
		if (i == 0 || place[i] != place[i - 1])
			bad |= append_json(values, real_json(isinf(place[i]) ? 0 : place[i]));
	}
	free(place);
	return built_json(values, bad);
}

static json_t *axis_json(const struct sweep *s, const char *param, bool y)
{
	static const struct field fields[] = {{"unit", PARAM_unit}, {"summary", PARAM_summary}};
	struct rows row = {0};
	json_t *axis;
	int bad;

	if (!*param)
		return json_null();
	axis = json_object();
	bad = put_json(axis, "param", text_json(param));
	if (s->npoints)
		row = param_row(s->model, s->family, s->points[0].label, param);
	if (row.count)
		bad |= put_fields(axis, &row, 0, fields, sizeof(fields) / sizeof(fields[0]));
	bad |= put_json(axis, "values", sweep_values_json(s, y));
	return built_json(axis, bad);
}

/* ---- crossovers ---- */

static json_t *crossover_json(const struct sweep *s, const struct sweep_point *curve, const struct crossover *crossover)
{
	const struct sweep_point *before = &curve[crossover->before], *after = &curve[crossover->after];
	json_t *object = json_object();
	char text[512];
	int bad = 0;

	crossover_words(s, curve, crossover, text, sizeof(text));
	bad |= put_json(object, "y", real_json(before->y));
	bad |= put_json(object, "from", real_json(before->x));
	bad |= put_json(object, "to", real_json(after->x));
	bad |= put_json(object, "gap", json_boolean(crossover->after > crossover->before + 1));
	bad |= put_json(object, "x", real_json(crossover->x));
	bad |= put_json(object, "level", real_json(crossover->level));
	bad |= put_json(object, "before", json_string(verdict_name(before->verdict)));
	bad |= put_json(object, "after", json_string(verdict_name(after->verdict)));
	bad |= put_json(object, "text", text_json(text));
	return built_json(object, bad);
}

/* Of the curve of n points that starts at `first`. */
static int sweep_add_crossovers(json_t *list, const struct sweep *s, size_t first, size_t n)
{
	struct curve_point *curve = calloc(n + 1, sizeof(*curve));
	struct crossover *found = calloc(n + 1, sizeof(*found));
	int bad = curve && found ? 0 : -1;
	size_t nfound;

	for (size_t i = 0; i < n && !bad; i++) {
		const struct sweep_point *p = &s->points[first + i];

		curve[i] = (struct curve_point){p->x_place, p->ratio.value, p->verdict};
	}
	nfound = bad ? 0 : crossovers_find(curve, n, same_band(), found);
	for (size_t i = 0; i < nfound; i++)
		bad |= append_json(list, crossover_json(s, s->points + first, &found[i]));
	free(curve);
	free(found);
	return bad;
}

static json_t *crossovers_json(const struct sweep *s)
{
	json_t *list = json_array();
	size_t first = 0;
	int bad = 0;

	for (size_t i = 1; i <= s->npoints; i++) {
		if (i < s->npoints && s->points[i].y_place == s->points[first].y_place)
			continue;
		bad |= sweep_add_crossovers(list, s, first, i - first);
		first = i;
	}
	return built_json(list, bad);
}

/* ---- the sweep ---- */

static int put_points(json_t *tree, const struct sweep *s)
{
	json_t *points = points_json(s);
	json_int_t measured = 0;
	int bad = put_json(tree, "points", points);

	for (size_t i = 0; i < json_array_size(points); i++)
		measured += tree_true(json_array_get(points, i), "measured");
	bad |= put_json(tree, "measured", json_integer(measured));
	return bad;
}

static json_t *sweep_tree(const struct sweep *s)
{
	static const struct field fields[] = {
		{"name", SWEEP_name}, {"title", SWEEP_title}, {"question", SWEEP_question}, {"planned", SWEEP_points}};
	json_t *tree = json_object();
	int bad = put_fields(tree, &s->row, 0, fields, sizeof(fields) / sizeof(fields[0]));
	const json_t *points;
	char finding[1024];

	bad |= put_json(tree, "single", text_json(s->single));
	bad |= put_json(tree, "double", text_json(s->dbl));
	bad |= put_json(tree, "buffering", json_boolean(s->buffering));
	bad |= put_json(tree, "band", json_real(same_band()));
	bad |= put_json(tree, "x", axis_json(s, s->x, false));
	bad |= put_json(tree, "y", axis_json(s, s->y, true));
	bad |= put_points(tree, s); /* measures: all below reads it */
	if (bad)
		return built_json(tree, bad);
	points = json_object_get(tree, "points");
	bad |= put_json(tree, "crossovers", crossovers_json(s));
	finding_words(s, tree, finding, sizeof(finding));
	bad |= put_json(tree, "finding", text_json(finding));
	bad |= put_json(tree, "prediction", score_json(&points, 1));
	return built_json(tree, bad);
}

static int64_t sweep_buffers_of(const struct rows *variants, const char *name)
{
	for (size_t v = 0; v < variants->count; v++) {
		if (strcmp(row_string(variants, v, VARIANT_name), name) == 0)
			return row_int(variants, v, VARIANT_buffers);
	}
	return 0;
}

static json_t *sweep_json(const struct model *model, const struct rows *family, const struct rows *sweeps, size_t i)
{
	const char *const name[] = {row_string(family, 0, FAMILY_name)};
	const char *single = row_text(sweeps, i, SWEEP_single), *dbl = row_text(sweeps, i, SWEEP_double);
	struct sweep s = {
		.model = model,
		.row = {sweeps->set, sweeps->first + i, 1},
		.variants = rows_find(&model->table[TABLE_VARIANT], 1, name),
		.family = name[0],
		.name = row_string(sweeps, i, SWEEP_name),
		.single = single ? single : row_string(family, 0, FAMILY_single),
		.dbl = dbl ? dbl : row_string(family, 0, FAMILY_double),
		.x = row_string(sweeps, i, SWEEP_x),
		.y = row_string(sweeps, i, SWEEP_y),
		.kernel_bound = strcmp(row_string(family, 0, FAMILY_boundBy), "PCIe") != 0,
	};
	json_t *tree = NULL;

	s.buffering = sweep_buffers_of(&s.variants, s.dbl) > sweep_buffers_of(&s.variants, s.single);
	if (points_read(&s) == 0)
		tree = sweep_tree(&s);
	free(s.points);
	return tree;
}

json_t *sweeps_json(const struct model *model, const struct rows *family)
{
	const char *const key[] = {row_string(family, 0, FAMILY_name)};
	struct rows sweeps = rows_find(&model->table[TABLE_SWEEP], 1, key);
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < sweeps.count && !bad; i++)
		bad |= append_json(list, sweep_json(model, family, &sweeps, i));
	return built_json(list, bad);
}
