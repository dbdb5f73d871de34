/* contrast-values.c: the values that a contrast of programs varies: what each takes, and which is the best. */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "figure/figure.h"
#include "tree/tree.h"

static json_t *value_ratio_view(const json_t *ratio)
{
	if (!tree_has(ratio, "value"))
		return json_null();
	return view_ratio_within(tree_real(ratio, "value"), tree_real(ratio, "low"), tree_real(ratio, "high"), 0);
}

static json_t *value_interval_view(const json_t *ratio)
{
	return isfinite(tree_real(ratio, "low")) ? view_interval(tree_real(ratio, "low"), tree_real(ratio, "high"), 0)
						 : json_null();
}

/* "single", "best", "smallest within 2 %": what the value is known as. */
static json_t *value_role_view(const json_t *family, const json_t *curve, const char *variant)
{
	double within = 100 * tree_real(curve, "within");

	if (strcmp(variant, tree_text(curve, "best")) == 0)
		return json_string("best");
	if (strcmp(variant, tree_text(curve, "smallest_within")) == 0)
		return view_text("%s within %g\u00a0%%", tree_true(curve, "numeric") ? "smallest" : "first", within);
	return strcmp(variant, tree_text(family, "single")) == 0 ? json_string("single") : json_null();
}

static json_t *varied_value_view(const json_t *family, const json_t *curve, const json_t *point)
{
	const json_t *ratio = json_object_get(point, "ratio"), *to_best = json_object_get(point, "to_best");
	const char *variant = tree_text(point, "variant");
	json_t *row = json_object();

	put_json(row, "value", view_text("%s", tree_has(point, "value") ? tree_text(point, "value") : variant));
	put_json(row, "role", value_role_view(family, curve, variant));
	put_json(row, "kernels", view_time(tree_real(point, "kernels_ns")));
	put_json(row, "program", view_time(tree_real(point, "program_ns")));
	put_json(row, "verdict", json_null());
	if (tree_has(point, "verdict"))
		view_put_verdict(row, point);
	put_json(row, "ratio", value_ratio_view(ratio));
	put_json(row, "interval", value_interval_view(ratio));
	put_json(row, "to_best", value_ratio_view(to_best));
	put_json(row, "to_best_interval", value_interval_view(to_best));
	return row;
}

void view_put_values(struct view *view, json_t *page, const json_t *family)
{
	const json_t *curve = json_object_get(family, "curve"), *points = json_object_get(curve, "points");
	json_t *values = json_array();
	bool range = false;
	char axes[160];

	for (size_t i = 0; i < json_array_size(points); i++) {
		append_json(values, varied_value_view(family, curve, json_array_get(points, i)));
		range |= tree_has(json_array_get(points, i), "program_ns");
	}
	view_put_text(page, "varied", tree_text(curve, "name"));
	put_json(page, "best_value", view_quoted(tree_text(curve, "text")));
	put_json(page, "values_have_program", json_boolean(range));
	put_json(page, "values_have_best", json_boolean(tree_has(curve, "best")));
	put_json(page, "values_by",
		json_string(strcmp(tree_text(curve, "basis"), "range") == 0 ? "program" : "kernels"));
	figure_values_axes(family, axes, sizeof(axes));
	view_put_text(page, "values_axes", axes);
	view_put_figure(view, page, "values_figure", tree_text(family, "name"), "values");
	view_put_list(page, "values", values);
}
