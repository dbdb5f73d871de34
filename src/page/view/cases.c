/* cases.c: the contrast in every case of a family: does the conclusion hold at other sizes? */
#include "page/view/view.h"

#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* "n = 16,777,216 elements, block = 1,024 threads" */
static json_t *parameters(const json_t *kase)
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
	return view_text("%s", text);
}

static json_t *cases_row_view(const json_t *family, const json_t *kase)
{
	const char *label = tree_text(kase, "label");
	const json_t *contrast = tree_find(json_object_get(family, "contrasts"), "case", label);
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", label));
	put_json(row, "parameters", parameters(kase));
	put_json(row, "headline", json_boolean(tree_true(kase, "headline")));
	put_json(row, "verify_only", json_boolean(tree_true(kase, "verify_only")));
	view_put_verdict(row, contrast);
	view_put_speedup(row, contrast);
	put_json(row, "single", view_time(tree_real(contrast, "single_ns")));
	put_json(row, "double", view_time(tree_real(contrast, "double_ns")));
	return row;
}

void view_cases(json_t *page, const json_t *family)
{
	static const struct view_column columns[] = {{"case", "name"}, {"single", "single"}, {"double", "double"},
		{"single / double", "speedup.value"}, {"95 % interval", "speedup.interval"}, {"sign", "verdict.sign"},
		{"verdict", "verdict.word"}, {"of", "parameters"}};
	const json_t *cases = json_object_get(family, "cases");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(cases); i++)
		append_json(rows, cases_row_view(family, json_array_get(cases, i)));
	put_json(page, "cases_text", view_columns_of(rows, columns, sizeof(columns) / sizeof(columns[0])));
	view_put_list(page, "cases", rows);
	put_json(page, "parameters", parameters(tree_headline(family)));
}
