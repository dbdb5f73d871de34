/* picture.c: the picture of a family: where the time went, the pipeline in still frames, and the timeline with the
 * events for the pointer. */
#include "page/view/view.h"

#include <string.h>

#include "tree/tree.h"

/* What the last rows of all runs say: of the whole GPU, or only of a process, or of a step. */
static void put_strip(json_t *picture, const struct timeline_layout *layout)
{
	bool strip = false, alone = false, shared = false;

	for (int p = 0; p < layout->npanels; p++) {
		if (layout->panel[p].strip_y < 0)
			continue;
		strip = true;
		alone |= layout->panel[p].alone;
		shared |= layout->panel[p].shared;
	}
	put_json(picture, "strip", json_boolean(strip && !alone && !shared));
	put_json(picture, "strip_of_step", json_boolean(strip && alone));
	put_json(picture, "strip_of_process", json_boolean(strip && shared && !alone));
}

/* Whether work of other steps is told apart, and whether some lane cannot. */
static void put_others(json_t *picture, const struct timeline_layout *layout)
{
	bool others = false, mixed = false;

	for (int p = 0; p < layout->npanels; p++) {
		for (size_t i = 0; i < layout->panel[p].nlanes; i++) {
			const json_t *lane = layout->panel[p].lane[i];
			bool here = tree_has(lane, "others"), whole = timeline_all_others(lane);

			others |= here;
			mixed |= here && !whole && tree_has(lane, "share");
		}
	}
	put_json(picture, "others", json_boolean(others));
	put_json(picture, "mixed", json_boolean(mixed));
}

void view_put_timeline(struct view *view, json_t *page, const json_t *family)
{
	struct timeline_layout layout;
	json_t *picture = json_object();

	put_json(page, "picture", json_null());
	view_put_figure(view, picture, "figure", tree_text(family, "name"), "timeline");
	if (tree_has(picture, "figure")) {
		timeline_family(&layout, family);
		put_strip(picture, &layout);
		put_others(picture, &layout);
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
