/* grid.c: see grid.h. */
#include "figure/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

size_t grid_count(const json_t *sweep, const char *axis)
{
	const json_t *of = json_object_get(sweep, axis);

	return json_is_object(of) ? json_array_size(json_object_get(of, "values")) : 1;
}

double grid_value(const json_t *sweep, const char *axis, size_t i)
{
	const json_t *value = json_array_get(json_object_get(json_object_get(sweep, axis), "values"), i);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *grid_param(const json_t *sweep, const char *axis)
{
	return tree_text(json_object_get(sweep, axis), "param");
}

bool grid_unlimited(const json_t *sweep, const char *axis, double value)
{
	return value == 0 && strcmp(grid_param(sweep, axis), "blocks") == 0;
}

static bool grid_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

const json_t *grid_point(const json_t *sweep, size_t i, size_t k)
{
	const json_t *points = json_object_get(sweep, "points");
	double x = grid_value(sweep, "x", i), y = grid_value(sweep, "y", k);

	for (size_t n = 0; n < json_array_size(points); n++) {
		const json_t *point = json_array_get(points, n);

		if (tree_real(point, "x") == x && grid_same(tree_real(point, "y"), y))
			return point;
	}
	return NULL;
}

char *grid_words(const json_t *sweep, const char *axis, double value, char *text)
{
	if (grid_unlimited(sweep, axis, value))
		snprintf(text, FORMAT_SIZE, "no limit");
	else
		format_count(text, FORMAT_SIZE, value);
	return text;
}

char *grid_label(const json_t *sweep, const char *axis, double value, char *text)
{
	static const struct {
		double unit;
		const char *prefix;
	} prefixes[] = {{1 << 30, "Gi"}, {1 << 20, "Mi"}, {1 << 10, "Ki"}};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		double scaled = value / prefixes[i].unit;

		if (scaled >= 1 && scaled == floor(scaled)) {
			snprintf(text, FORMAT_SIZE, "%.0f %s", scaled, prefixes[i].prefix);
			return text;
		}
	}
	return grid_words(sweep, axis, value, text);
}

char *grid_title(const json_t *sweep, const char *axis, char *text)
{
	const json_t *of = json_object_get(sweep, axis);
	const char *param = tree_text(of, "param"), *unit = tree_text(of, "unit");
	bool says_more = *unit && strcmp(unit, param) != 0;

	snprintf(text, FORMAT_SIZE, says_more ? "%.100s (%.100s)" : "%.100s", param, unit);
	return text;
}
