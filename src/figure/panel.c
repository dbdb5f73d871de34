/* panel.c: see panel.h. */
#include "figure/panel.h"

#include <math.h>

#include "tree/tree.h"
#include "util/format.h"

/* Share of the plot that is kept free at each side. */
#define EDGE 0.02

/* Where a value stands: by its logarithm. What has none is a step before the smallest; no limit, behind the largest. */
static double panel_place(const struct panel *p, double x)
{
	if (grid_unlimited(p->sweep, "x", x))
		return p->no_limit;
	return x > 0 ? log2(x) : p->from;
}

static void place_axis(struct panel *p)
{
	size_t n = grid_count(p->sweep, "x");
	bool zero = false, unlimited = false;

	p->from = INFINITY;
	p->to = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		double x = grid_value(p->sweep, "x", i);

		if (grid_unlimited(p->sweep, "x", x))
			unlimited = true;
		else if (x > 0) {
			p->from = fmin(p->from, log2(x));
			p->to = fmax(p->to, log2(x));
		} else
			zero = true;
	}
	if (p->from > p->to)
		p->from = p->to = 0;
	p->from -= zero;
	p->no_limit = p->to + 1;
	p->to += unlimited;
	if (p->to - p->from <= 0)
		p->to = p->from + 1;
}

double panel_x(const struct panel *p, double x)
{
	return CANVAS_WIDTH * (EDGE + (1 - 2 * EDGE) * (panel_place(p, x) - p->from) / (p->to - p->from));
}

double panel_y(const struct panel *p, double ratio)
{
	return p->bottom - (ratio - p->low) / (p->high - p->low) * (p->bottom - PANEL_TOP_PX);
}

/* What was predicted far off does not press what was measured flat. */
static void scale_ratio(struct panel *p)
{
	const json_t *points = json_object_get(p->sweep, "points");
	double low = 1, high = 1, far_low = 1, far_high = 1, margin;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i), *speedup = json_object_get(point, "speedup");
		double predicted = tree_real(json_object_get(point, "predicted"), "ratio");

		low = fmin(low, fmin(tree_real(speedup, "value"), tree_real(speedup, "low")));
		high = fmax(high, fmax(tree_real(speedup, "value"), tree_real(speedup, "high")));
		if (isfinite(tree_real(speedup, "value"))) {
			far_low = fmin(far_low, predicted);
			far_high = fmax(far_high, predicted);
		}
	}
	margin = fmax(0.02, 0.06 * (high - low));
	p->low = fmax(fmin(low, far_low), low - (high - low) / 2 - margin) - margin;
	p->high = fmin(fmax(high, far_high), high + (high - low) / 2 + margin) + margin;
}

void panel_lay_out(struct panel *p)
{
	p->bottom = PANEL_HEIGHT_PX - CANVAS_AXIS_PX;
	place_axis(p);
	scale_ratio(p);
}
