/* timeline.c: a timeline's events and geometry for the page's script. */
#include "page/view/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "tree/tree.h"

/* The number of a text in the list of distinct ones, which `known` indexes. */
static json_t *text_number(struct view *view, json_t *texts, json_t *known, const char *text)
{
	json_t *number = json_object_get(known, text);

	if (number)
		return json_incref(number);
	number = json_integer((json_int_t)json_array_size(texts));
	view_append(view, texts, view_text(view, "%s", text));
	view_put(view, known, text, json_incref(number));
	return number;
}

/* [start, end, text], for each event or range; of ranges, those that have a row, which stands behind each. */
static json_t *events_view(
	struct view *view, const struct timeline_panel *panel, const json_t *events, json_t *texts, json_t *known)
{
	json_t *list = view_array(view);

	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);
		bool ranged = tree_has(event, "depth");
		int row = ranged ? timeline_range_row(panel, event) : 0;

		if (row < 0)
			continue;
		json_t *triple = view_array(view);

		view_append(view, triple, json_integer((json_int_t)tree_real(event, "start_ns")));
		view_append(view, triple, json_integer((json_int_t)tree_real(event, "end_ns")));
		view_append(view, triple, text_number(view, texts, known, tree_text(event, "text")));
		if (ranged)
			view_append(view, triple, json_integer(row));
		view_append(view, list, triple);
	}
	return list;
}

/* Shares in percent: what a pixel can show. */
static json_t *timeline_share_view(struct view *view, const json_t *share)
{
	json_t *list = view_array(view);

	for (size_t i = 0; i < json_array_size(share); i++)
		view_append(view, list,
			json_integer((json_int_t)(100 * json_number_value(json_array_get(share, i)) + 0.5)));
	return list;
}

static json_t *lane_view(struct view *view, const struct timeline_layout *layout, const struct timeline_panel *panel,
	size_t i, json_t *texts, json_t *known)
{
	const json_t *lane = panel->lane[i];
	json_t *out = view_object(view);
	char name[96];

	timeline_lane_name(layout, lane, name, sizeof(name));
	view_put(view, out, "name", view_text(view, "%s", name));
	view_put(view, out, "class", view_text(view, "%s", tree_text(lane, "class")));
	if (tree_has(lane, "share"))
		view_put(view, out, "share", timeline_share_view(view, json_object_get(lane, "share")));
	else
		view_put(view, out, "events", events_view(view, panel, json_object_get(lane, "events"), texts, known));
	return out;
}

/* [start, end, kind] of the strip's parts; none if there is no strip. */
static json_t *strip_view(struct view *view, const struct timeline_panel *panel)
{
	json_t *list = view_array(view);
	struct strip_part *parts;
	size_t n;

	if (panel->strip_y < 0)
		return list;
	if (strip_build(panel, &parts, &n) < 0) {
		view->failed = true;
		return list;
	}
	for (size_t i = 0; i < n; i++)
		view_append(view, list,
			json_pack(
				"[I, I, i]", (json_int_t)parts[i].start, (json_int_t)parts[i].end, (int)parts[i].kind));
	free(parts);
	return list;
}

static json_t *timeline_run_view(struct view *view, const struct timeline_layout *layout,
	const struct timeline_panel *panel, json_t *texts, json_t *known)
{
	json_t *run = view_object(view), *list = view_array(view);

	for (size_t i = 0; i < panel->nlanes; i++)
		view_append(view, list, lane_view(view, layout, panel, i, texts, known));
	view_put(view, run, "span", json_integer((json_int_t)tree_real(panel->timeline, "span_ns")));
	view_put(view, run, "title", view_text(view, "%s", panel->title));
	view_put(view, run, "color", view_text(view, "#%06X", panel->color));
	view_put(view, run, "lanes", list);
	view_put(view, run, "strip", strip_view(view, panel));
	view_put(view, run, "ranges",
		events_view(view, panel, json_object_get(panel->timeline, "ranges"), texts, known));
	return run;
}

static json_t *panel_view(struct view *view, const struct timeline_panel *panel)
{
	json_t *out = view_object(view);

	view_put(view, out, "title", json_real(panel->title_y + TIMELINE_TITLE_PX / 2.0));
	view_put(view, out, "ranges", json_real(panel->ranges_y));
	view_put(view, out, "depths", json_integer(panel->depths));
	view_put(view, out, "lanes", json_real(panel->lanes_y));
	view_put(view, out, "strip", json_real(panel->strip_y));
	return out;
}

/* Where things stand in one form of the figure, in px. */
static json_t *form_view(struct view *view, const struct timeline_layout *layout)
{
	json_t *form = view_object(view), *panels = view_array(view);

	for (int p = 0; p < layout->npanels; p++)
		view_append(view, panels, panel_view(view, &layout->panel[p]));
	view_put(view, form, "width", json_integer(layout->width));
	view_put(view, form, "height", json_integer(layout->height));
	view_put(view, form, "left", json_integer(layout->left));
	view_put(view, form, "right", json_integer(TIMELINE_RIGHT_PX));
	view_put(view, form, "top", json_integer(TIMELINE_TOP_PX));
	view_put(view, form, "bottom", json_integer(TIMELINE_BOTTOM_PX));
	view_put(view, form, "lane", json_integer(TIMELINE_LANE_PX));
	view_put(view, form, "pitch", json_integer(TIMELINE_LANE_PX + TIMELINE_GAP_PX));
	view_put(view, form, "range", json_integer(TIMELINE_RANGE_PX));
	view_put(view, form, "panels", panels);
	return form;
}

json_t *view_timeline(struct view *view, timeline_maker *make, const json_t *subject)
{
	static const char *const forms[FIGURE_FORMS] = {"wide", "narrow"};
	json_t *data = view_object(view), *runs = view_array(view), *texts = view_array(view),
	       *known = view_object(view);
	struct timeline_layout layout;

	for (enum figure_form form = FIGURE_FORMS; form-- > FIGURE_WIDE;) {
		make(&layout, subject, form);
		view_put(view, data, forms[form], form_view(view, &layout));
	}
	for (int p = 0; p < layout.npanels; p++)
		view_append(view, runs, timeline_run_view(view, &layout, &layout.panel[p], texts, known));
	view_put(view, data, "from", json_real(layout.from));
	view_put(view, data, "to", json_real(layout.to));
	view_put(view, data, "runs", runs);
	view_put(view, data, "texts", texts);
	json_decref(known);
	json_t *script = view_script_json(view, data);
	json_decref(data);
	return script;
}
