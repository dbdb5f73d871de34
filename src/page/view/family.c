/* family.c: one family: its line in the overview and on its fold, and the parts of the evidence. */
#include "page/view/view.h"

#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* Why there is no verdict, if there is none. */
static void put_unmeasured(struct view *view, json_t *page, const json_t *family)
{
	char reason[512];

	put_json(page, "unmeasured", json_null());
	if (tree_has(view_headline(family), "verdict") || view_only_sweeps(family))
		return;
	view_pass_reason(view, tree_text(family, "name"), "time", reason, sizeof(reason));
	put_json(page, "unmeasured", view_text("%s", *reason ? reason : "one of the pair has no time"));
}

/* "n = 4,000,000, chunk = 1,048,576": the first two sizes of a case; "m = n = k = 1,024" is one. Its label where it has
 * none. */
static json_t *sizes_view(const json_t *one)
{
	enum { SIZES = 2 };
	const json_t *params = json_object_get(one, "params");
	char words[256] = "", count[FORMAT_SIZE];
	int sizes = 0;

	for (size_t i = 0; i < json_array_size(params) && sizes < SIZES; i++) {
		const json_t *param = json_array_get(params, i), *next = json_array_get(params, i + 1);
		double value = tree_real(param, "value");

		if (!(value > 0))
			continue;
		clip_append(words, sizeof(words), "%.40s\u00a0=\u00a0", tree_text(param, "name"));
		if (tree_real(next, "value") == value)
			continue;
		clip_append(words, sizeof(words), "%s, ", format_count(count, sizeof(count), value));
		sizes++;
	}
	if (sizes == 0)
		return *tree_text(one, "label") ? view_text("%s", tree_text(one, "label")) : json_null();
	return view_text("%.*s", (int)strlen(words) - 2, words);
}

static void put_names(struct view *view, json_t *page, const json_t *family)
{
	static const char *const texts[] = {
		"name", "title", "question", "teaches", "source", "file", "single", "double"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		view_put_text(page, texts[i], tree_text(family, texts[i]));
	if (!tree_has(page, "title"))
		put_json(page, "title", view_text("%s", tree_text(family, "name")));
	put_json(page, "fid", view_id(view, tree_text(family, "name")));
	put_json(page, "buffering", json_boolean(tree_true(family, "buffering")));
	view_put_text(page, "stands_in", tree_text(family, "stands_in_text"));
	view_put_text(page, "case", tree_text(tree_headline(family), "label"));
	put_json(page, "sizes", sizes_view(tree_headline(family)));
}

static json_t *family_family_view(struct view *view, const json_t *family)
{
	const json_t *contrast = view_headline(family);
	json_t *page = json_object();

	put_names(view, page, family);
	view_put_verdict(page, contrast);
	view_put_speedup(page, contrast);
	put_unmeasured(view, page, family);
	view_row(view, page, family);
	view_picture(view, page, family);
	view_steps(view, page, family);
	view_why(view, page, family);
	view_cost(page, family);
	view_variants(view, page, family);
	view_floor(page, family);
	view_climb(view, page, family);
	view_roles(page, family);
	view_items(view, page, family);
	view_changed(page, family);
	view_cases(page, family);
	view_sweeps(view, page, family);
	view_balance(page, family);
	view_inside(view, page, family);
	view_pm(view, page, family);
	view_code(view, page, family);
	view_ptx(page, family);
	view_evidence(view, page, family);
	return page;
}

void view_families(struct view *view, json_t *page)
{
	json_t *families = tree_by_gain(json_object_get(view->recording, "families"));
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *one = json_array_get(families, i);
		bool programs = view_is_of_programs(one);
		json_t *family = programs ? view_contrast(view, one) : family_family_view(view, one);

		if (!programs) {
			put_json(family, "programs", json_false());
			put_json(family, "open", json_boolean(view->number == 0 && i == 0));
		}
		append_json(list, family);
	}
	json_decref(families);
	view_put_list(page, "families", list);
}
