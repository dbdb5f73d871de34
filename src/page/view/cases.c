/* cases.c: the contrast in every case of a family: does the conclusion hold at other sizes? */
#include "page/view/view.h"

#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* "n = 16,777,216 elements, block = 1,024 threads" */
static json_t *parameters(struct view *view, const json_t *kase)
{
	const json_t *params = json_object_get(kase, "params");
	char text[1024] = "", count[FORMAT_SIZE];

	for (size_t i = 0; i < json_array_size(params); i++) {
		const json_t *param = json_array_get(params, i);
		const char *name = tree_text(param, "name"), *unit = tree_text(param, "unit");

		if (strcmp(unit, name) == 0)
			unit = "";
		format_count(count, sizeof(count), tree_real(param, "value"));
		clip_append(
			text, sizeof(text), "%s%s = %s%s%s", i > 0 ? ", " : "", name, count, *unit ? " " : "", unit);
	}
	return view_text(view, "%s", text);
}

static json_t *cases_row_view(struct view *view, const json_t *family, const json_t *kase)
{
	const char *label = tree_text(kase, "label");
	const json_t *contrast = tree_find(json_object_get(family, "contrasts"), "case", label);
	json_t *row = view_object(view);

	view_put(view, row, "name", view_text(view, "%s", label));
	view_put(view, row, "parameters", parameters(view, kase));
	view_put(view, row, "headline", json_boolean(tree_true(kase, "headline")));
	view_put(view, row, "verify_only", json_boolean(tree_true(kase, "verify_only")));
	view_put_verdict(view, row, contrast);
	view_put_speedup(view, row, contrast);
	view_put(view, row, "single", view_time(view, tree_real(contrast, "single_ns")));
	view_put(view, row, "double", view_time(view, tree_real(contrast, "double_ns")));
	return row;
}

void view_cases(struct view *view, json_t *page, const json_t *family)
{
	const json_t *cases = json_object_get(family, "cases");
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(cases); i++)
		view_append(view, rows, cases_row_view(view, family, json_array_get(cases, i)));
	view_put_list(view, page, "cases", rows);
	view_put(view, page, "parameters", parameters(view, tree_headline(family)));
	view_put_figure(view, page, "case_figure", tree_text(family, "name"), "cases");
}
