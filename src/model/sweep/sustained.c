/* sustained.c: see sustained.h. */
#include "model/sweep/sustained.h"

#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "tree/json.h"
#include "tree/tree.h"

/* "frames/s" */
static bool is_rate(const json_t *axis)
{
	const char *unit = tree_text(axis, "unit"), *slash = strrchr(unit, '/');

	return slash && strcmp(slash, "/s") == 0;
}

/* What is known of a side's items at a point; NULL where nothing is, or they arrive at no rate. */
static const json_t *items_at_a_rate(const json_t *point, const char *side)
{
	const json_t *items = json_object_get(json_object_get(point, "items"), side);

	return tree_real(point, "x") > 0 && tree_real(items, "n") > 0 ? items : NULL;
}

/* The lowest rate at which too many wait; infinity without one. */
static double lowest_missed(const json_t *points, const char *side)
{
	double lowest = INFINITY;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i), *items = items_at_a_rate(point, side);

		if (items && tree_real(items, "held_back") > waits_most * tree_real(items, "n"))
			lowest = fmin(lowest, tree_real(point, "x"));
	}
	return lowest;
}

/* The highest rate below `missed`; 0 without one. */
static double highest_below(const json_t *points, const char *side, double missed)
{
	double highest = 0;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);

		if (items_at_a_rate(point, side) && tree_real(point, "x") < missed)
			highest = fmax(highest, tree_real(point, "x"));
	}
	return highest;
}

/* JSON null of a side of which nothing is known. */
static json_t *sustained_side_json(const json_t *points, const char *side)
{
	const double missed = lowest_missed(points, side), rate = highest_below(points, side, missed);
	json_t *object;

	if (!isfinite(missed) && rate == 0)
		return json_null();
	object = json_object();
	put_json(object, "rate", real_json(rate > 0 ? rate : NAN));
	put_json(object, "next", real_json(isfinite(missed) ? missed : NAN));
	return object;
}

json_t *sustained_json(const json_t *sweep)
{
	const json_t *points = json_object_get(sweep, "points");
	json_t *single, *dbl, *object;

	if (!is_rate(json_object_get(sweep, "x")) || tree_has(sweep, "y"))
		return json_null();
	single = sustained_side_json(points, "single");
	dbl = sustained_side_json(points, "double");
	if (json_is_null(single) || json_is_null(dbl)) {
		json_decref(single);
		json_decref(dbl);
		return json_null();
	}
	object = json_object();
	put_json(object, "single", single);
	put_json(object, "double", dbl);
	return object;
}
