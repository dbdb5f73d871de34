/* overview.c: one row per family: verdict, speed-up, cause. */
#include "page/view/view.h"

#include <math.h>

#include "tree/tree.h"

/* Of the headline's verdict; where only sweeps were measured, what the first of them found. */
static const char *cause(const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps) && view_only_sweeps(family); i++) {
		if (tree_real(json_array_get(sweeps, i), "measured") > 0)
			return tree_text(json_array_get(sweeps, i), "finding");
	}
	return tree_text(view_headline(family), "cause");
}

static json_t *overview_row_view(struct view *view, const json_t *family)
{
	const json_t *contrast = view_headline(family);
	const char *name = tree_text(family, "name");
	json_t *row = json_object();

	put_json(row, "id", view_id(view, name));
	put_json(row, "title", view_text("%s", tree_text(family, "title")));
	put_json(row, "single", view_text("%s", tree_text(family, "single")));
	put_json(row, "double", view_text("%s", tree_text(family, "double")));
	view_put_verdict(row, contrast);
	view_put_speedup(row, contrast);
	view_put_sentence(row, "cause", cause(family));
	put_json(row, "only_sweeps", json_boolean(view_only_sweeps(family)));
	view_put_figure(view, row, "whisker", name, "speedup");
	return row;
}

/* Of the first family that was compared; null if none was. */
static json_t *band_view(const json_t *families)
{
	for (size_t i = 0; i < json_array_size(families); i++) {
		double band = tree_real(view_headline(json_array_get(families, i)), "band");

		if (isfinite(band))
			return view_text("%g", band);
	}
	return json_null();
}

void view_overview(struct view *view, json_t *page)
{
	const json_t *families = json_object_get(view->recording, "families");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(families); i++)
		append_json(rows, overview_row_view(view, json_array_get(families, i)));
	view_put_list(page, "overview", rows);
	put_json(page, "band", band_view(families));
}
