/* grid.c: see grid.h. */
#include "model/sweep/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

struct rows param_row(const struct model *model, const char *family, const char *label, const char *param)
{
	const char *const key[] = {family, label};
	struct rows rows = rows_find(&model->table[TABLE_PARAM], 2, key);

	for (size_t i = 0; i < rows.count; i++) {
		if (strcmp(row_string(&rows, i, PARAM_name), param) == 0)
			return (struct rows){rows.set, rows.first + i, 1};
	}
	return (struct rows){rows.set, rows.first, 0};
}

double param_value(const struct sweep *s, const char *label, const char *param)
{
	struct rows row = param_row(s->model, s->family, label, param);

	return row.count ? row_real(&row, 0, PARAM_value) : NAN;
}

/* Where a value stands on the axis of a parameter. */
static double param_place(const char *param, double value)
{
	return value == 0 && strcmp(param, PARAM_BLOCKS) == 0 ? INFINITY : value;
}

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

/* Adds row `i` of the family's cases if it is a point of the sweep. */
static void grid_add(struct sweep *s, const struct rows *cases, size_t i)
{
	const char *label = row_string(cases, i, CASE_label), *of = row_text(cases, i, CASE_sweep);
	struct sweep_point point = {.row = {cases->set, cases->first + i, 1}, .label = label, .y = NAN, .chunks = NAN};

	if (!of || strcmp(of, s->name) != 0)
		return;
	point.x = param_value(s, label, s->x);
	if (*s->y)
		point.y = param_value(s, label, s->y);
	if (isnan(point.x) || (*s->y && isnan(point.y)))
		return;
	point.x_place = param_place(s->x, point.x);
	point.y_place = *s->y ? param_place(s->y, point.y) : 0;
	s->points[s->npoints++] = point;
}

static void points_read(struct sweep *s)
{
	const char *const key[] = {s->family};
	struct rows cases = rows_find(&s->model->table[TABLE_CASE], 1, key);

	s->points = xcalloc(cases.count, sizeof(*s->points));
	for (size_t i = 0; i < cases.count; i++)
		grid_add(s, &cases, i);
	qsort(s->points, s->npoints, sizeof(*s->points), sweep_by_place);
}

static int64_t sweep_buffers_of(const struct rows *variants, const char *name)
{
	for (size_t v = 0; v < variants->count; v++) {
		if (strcmp(row_string(variants, v, VARIANT_name), name) == 0)
			return row_int(variants, v, VARIANT_buffers);
	}
	return 0;
}

/* A reference, such as a library's routine, has no number of buffers: what beats it need not do so by its buffers. */
static bool is_about_buffers(const struct rows *variants, const char *single, const char *dbl)
{
	int64_t buffers = sweep_buffers_of(variants, single);

	return buffers > 0 && sweep_buffers_of(variants, dbl) > buffers;
}

void grid_read(
	const struct model *model, const struct rows *family, const struct rows *sweeps, size_t i, struct sweep *out)
{
	const char *const name[] = {row_string(family, 0, FAMILY_name)};
	const char *single = row_text(sweeps, i, SWEEP_single), *dbl = row_text(sweeps, i, SWEEP_double);

	*out = (struct sweep){
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
	out->buffering = is_about_buffers(&out->variants, out->single, out->dbl);
	points_read(out);
}

bool point_overlappable(const struct sweep *sweep, const struct sweep_point *point)
{
	return !sweep->buffering || point->chunks != 1;
}

void grid_free(struct sweep *sweep)
{
	free(sweep->points);
}
