/* picture.c: the timeline of a family: the figure, what it says in sentences, and the events for the pointer. */
#include "page/view/view.h"

#include "tree/tree.h"

static void run_sentence(struct view *view, json_t *runs, const json_t *family, const char *role)
{
	const json_t *variant = tree_role(family, role);
	const json_t *trace = json_object_get(tree_headline_case(family, variant), "trace");
	json_t *run = view_object(view);

	view_put(view, run, "role", view_text(view, "%s", role));
	view_put(view, run, "name", view_text(view, "%s", tree_text(family, role)));
	view_put(view, run, "sentence",
		tree_has(trace, "work") ? view_work(view, json_object_get(trace, "work"))
					: view_text(view, "%s", "not traced."));
	view_append(view, runs, run);
}

static bool has_strip(const json_t *family)
{
	struct timeline_layout layout;
	bool strip = false;

	timeline_family(&layout, family, FIGURE_WIDE);
	for (int p = 0; p < layout.npanels; p++)
		strip |= layout.panel[p].strip_y >= 0;
	return strip;
}

void view_picture(struct view *view, json_t *page, const json_t *family)
{
	const char *name = tree_text(family, "name");
	json_t *picture = view_object(view), *runs = view_array(view);
	char reason[512];

	run_sentence(view, runs, family, "single");
	run_sentence(view, runs, family, "double");
	view_put(view, picture, "runs", runs);
	view_put(view, picture, "strip", json_boolean(has_strip(family)));
	view_put_figure(view, picture, "figure", name, "timeline");
	if (tree_has(picture, "figure")) {
		view_put(view, picture, "data", view_timeline(view, timeline_family, family));
		view_put(view, page, "picture", picture);
		return;
	}
	json_decref(picture);
	view_pass_reason(view, name, "trace", reason, sizeof(reason));
	view_put(view, page, "no_picture",
		view_text(view, "%s", *reason ? reason : "the trace has no device work of the pair"));
}
