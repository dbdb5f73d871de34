/* under-way.c: see under-way.h. */
#include "model/sweep/under-way.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/sweep.h"
#include "analyze/thresholds.h"
#include "model/sweep/grid.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* Points of a sweep that stand one behind another: a curve. */
struct stretch {
	const json_t *points;
	size_t first, n;
};

static const json_t *point_at(const struct stretch *of, size_t i)
{
	return json_array_get(of->points, of->first + i);
}

/* Whether the work, and so its time, would be the same everywhere but for what is under way. */
static bool work_is_constant(const struct stretch *of)
{
	const json_t *first = json_object_get(point_at(of, 0), "work");

	for (size_t i = 1; i < of->n; i++)
		if (!json_equal(first, json_object_get(point_at(of, i), "work")))
			return false;
	return true;
}

static bool stretch_enough(const struct stretch *of, struct enough *out)
{
	struct supply *supplies = xcalloc(of->n, sizeof(*supplies));
	bool found;

	for (size_t i = 0; i < of->n; i++) {
		const json_t *point = point_at(of, i), *predicted = json_object_get(point, "predicted");

		supplies[i] =
			(struct supply){tree_real(predicted, "double_under_way_bytes"), tree_real(point, "double_ns")};
	}
	found = enough_find(supplies, of->n, same_band, out);
	free(supplies);
	return found;
}

static json_t *under_way_curve_json(double y, const struct enough *enough)
{
	json_t *object = json_object();

	put_json(object, "y", real_json(y));
	put_json(object, "least_bytes", real_json(enough->least));
	put_json(object, "most_bytes", real_json(enough->most));
	put_json(object, "from_bytes", real_json(enough->from));
	return object;
}

/* What memory needs at the points of the curve: they differ where the loads do. */
static void widen_needed(const struct stretch *of, double *low, double *high)
{
	for (size_t i = 0; i < of->n; i++) {
		double needed = tree_real(json_object_get(point_at(of, i), "predicted"), "double_needed_bytes");

		*low = fmin(*low, needed);
		*high = fmax(*high, needed);
	}
}

json_t *under_way_json(const struct sweep *sweep, const json_t *points)
{
	double low = INFINITY, high = -INFINITY;
	json_t *curves = json_array(), *object;
	size_t first = 0;

	for (size_t i = 1; i <= sweep->npoints; i++) {
		const struct stretch curve = {points, first, i - first};
		struct enough enough;

		if (i < sweep->npoints && sweep->points[i].y_place == sweep->points[first].y_place)
			continue;
		if (work_is_constant(&curve) && stretch_enough(&curve, &enough)) {
			append_json(curves, under_way_curve_json(sweep->points[first].y, &enough));
			widen_needed(&curve, &low, &high);
		}
		first = i;
	}
	if (json_array_size(curves) == 0 || !isfinite(low)) {
		json_decref(curves);
		return json_null();
	}
	object = json_object();
	put_json(object, "needed_low_bytes", real_json(low));
	put_json(object, "needed_high_bytes", real_json(high));
	put_json(object, "curves", curves);
	return object;
}
