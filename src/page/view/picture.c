/* picture.c: the picture of a family: where the time went, the pipeline in still frames, and the timeline with the
 * events for the pointer. */
#include "page/view/view.h"

#include <string.h>

#include "tree/tree.h"

static bool has_strip(const struct timeline_layout *layout)
{
	for (int p = 0; p < layout->npanels; p++)
		if (layout->panel[p].strip_y >= 0)
			return true;
	return false;
}

void view_put_timeline(struct view *view, json_t *page, const json_t *family)
{
	struct timeline_layout layout;
	json_t *picture = json_object();

	put_json(page, "picture", json_null());
	view_put_figure(view, picture, "figure", tree_text(family, "name"), "timeline");
	if (tree_has(picture, "figure")) {
		timeline_family(&layout, family);
		put_json(picture, "strip", json_boolean(has_strip(&layout)));
		put_json(picture, "data", view_timeline(timeline_family, family));
		put_json(page, "picture", json_incref(picture));
	}
	json_decref(picture);
}

void view_picture(struct view *view, json_t *page, const json_t *family)
{
	const char *name = tree_text(family, "name");
	char reason[512];

	view_put_figure(view, page, "time_figure", name, "time");
	put_json(page, "of_kernel",
		json_boolean(strcmp(tree_text(json_object_get(view_headline(family), "time"), "kind"), "kernel") == 0));
	put_json(page, "splits", json_boolean(view_splits_time(family)));
	view_put_figure(view, page, "frames", name, "frames");
	view_put_timeline(view, page, family);
	/* One small picture leaves room for the reason beside it. */
	put_json(page, "still",
		json_boolean(tree_has(page, "time_figure") && !tree_has(page, "picture") && !tree_has(page, "frames")));
	if (tree_has(page, "picture") || tree_has(page, "time_figure"))
		return;
	view_pass_reason(view, name, "trace", reason, sizeof(reason));
	put_json(page, "no_picture", view_text("%s", *reason ? reason : "the trace has no device work of the pair"));
}
