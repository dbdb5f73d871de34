/* picture.c: the timeline of a family: the figure, what it says in sentences, and the events for the pointer. */
#include "page/view/view.h"

#include "tree/tree.h"

static void run_sentence(json_t *runs, const json_t *family, const char *role)
{
	const json_t *variant = tree_role(family, role);
	const json_t *trace = json_object_get(tree_headline_case(family, variant), "trace");
	json_t *run = json_object();

	put_json(run, "role", view_text("%s", role));
	put_json(run, "name", view_text("%s", tree_text(family, role)));
	put_json(run, "sentence",
		tree_has(trace, "work") ? view_work(json_object_get(trace, "work")) : view_text("%s", "not traced."));
	append_json(runs, run);
}

static bool has_strip(const json_t *family)
{
	struct timeline_layout layout;
	bool strip = false;

	timeline_family(&layout, family);
	for (int p = 0; p < layout.npanels; p++)
		strip |= layout.panel[p].strip_y >= 0;
	return strip;
}

void view_picture(struct view *view, json_t *page, const json_t *family)
{
	const char *name = tree_text(family, "name");
	json_t *picture = json_object(), *runs = json_array();
	char reason[512];

	run_sentence(runs, family, "single");
	run_sentence(runs, family, "double");
	put_json(picture, "runs", runs);
	put_json(picture, "strip", json_boolean(has_strip(family)));
	view_put_figure(view, picture, "figure", name, "timeline");
	if (tree_has(picture, "figure")) {
		put_json(picture, "data", view_timeline(timeline_family, family));
		put_json(page, "picture", picture);
		return;
	}
	json_decref(picture);
	view_pass_reason(view, name, "trace", reason, sizeof(reason));
	put_json(page, "no_picture", view_text("%s", *reason ? reason : "the trace has no device work of the pair"));
}
