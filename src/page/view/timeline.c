/* timeline.c: a timeline's events and geometry for the page's script. */
#include "page/view/view.h"

#include <stdio.h>
#include <stdlib.h>

#include "tree/tree.h"

/* The number of a text in the list of distinct ones, which `known` indexes. */
static json_t *text_number(json_t *texts, json_t *known, const char *text)
{
	json_t *number = json_object_get(known, text);

	if (number)
		return json_incref(number);
	number = json_integer((json_int_t)json_array_size(texts));
	append_json(texts, view_text("%s", text));
	put_json(known, text, json_incref(number));
	return number;
}

/* [start, end, text], for each event or range; of ranges, those that have a row, which stands behind each. */
static json_t *events_view(const struct timeline_panel *panel, const json_t *events, json_t *texts, json_t *known)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);
		bool ranged = tree_has(event, "depth");
		int row = ranged ? timeline_range_row(panel, event) : 0;

		if (row < 0)
			continue;
		json_t *triple = json_array();

		append_json(triple, json_integer((json_int_t)tree_real(event, "start_ns")));
		append_json(triple, json_integer((json_int_t)tree_real(event, "end_ns")));
		append_json(triple, text_number(texts, known, tree_text(event, "text")));
		if (ranged)
			append_json(triple, json_integer(row));
		append_json(list, triple);
	}
	return list;
}

/* Shares in percent: what a pixel can show. */
static json_t *timeline_share_view(const json_t *share)
{
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(share); i++)
		append_json(list, json_integer((json_int_t)(100 * json_number_value(json_array_get(share, i)) + 0.5)));
	return list;
}

static json_t *lane_view(const struct timeline_layout *layout, const struct timeline_panel *panel, size_t i,
	json_t *texts, json_t *known)
{
	const json_t *lane = panel->lane[i];
	json_t *out = json_object();
	char name[96];

	timeline_lane_name(layout, lane, name, sizeof(name));
	put_json(out, "name", view_text("%s", name));
	put_json(out, "class", view_text("%s", tree_text(lane, "class")));
	if (tree_has(lane, "share"))
		put_json(out, "share", timeline_share_view(json_object_get(lane, "share")));
	else
		put_json(out, "events", events_view(panel, json_object_get(lane, "events"), texts, known));
	return out;
}

/* [start, end, kind] of the strip's parts; none if there is no strip. */
static json_t *strip_view(const struct timeline_panel *panel)
{
	json_t *list = json_array();
	struct strip_part *parts;
	size_t n;

	if (panel->strip_y < 0)
		return list;
	n = strip_build(panel, &parts);
	for (size_t i = 0; i < n; i++)
		append_json(list, json_pack("[I, I, i]", (json_int_t)parts[i].start, (json_int_t)parts[i].end,
					  (int)parts[i].kind));
	free(parts);
	return list;
}

static json_t *timeline_run_view(
	const struct timeline_layout *layout, const struct timeline_panel *panel, json_t *texts, json_t *known)
{
	json_t *run = json_object(), *list = json_array();

	for (size_t i = 0; i < panel->nlanes; i++)
		append_json(list, lane_view(layout, panel, i, texts, known));
	put_json(run, "span", json_integer((json_int_t)tree_real(panel->timeline, "span_ns")));
	put_json(run, "title", view_text("%s", panel->title));
	put_json(run, "color", view_text("#%06X", panel->color));
	put_json(run, "lanes", list);
	put_json(run, "strip", strip_view(panel));
	put_json(run, "ranges", events_view(panel, json_object_get(panel->timeline, "ranges"), texts, known));
	return run;
}

static json_t *panel_view(const struct timeline_panel *panel)
{
	json_t *out = json_object();

	put_json(out, "title", json_real(panel->title_y + TIMELINE_TITLE_PX / 2.0));
	put_json(out, "ranges", json_real(panel->ranges_y));
	put_json(out, "depths", json_integer(panel->depths));
	put_json(out, "lanes", json_real(panel->lanes_y));
	put_json(out, "strip", json_real(panel->strip_y));
	return out;
}

/* Where things stand in one form of the figure, in px. */
static json_t *form_view(const struct timeline_layout *layout)
{
	json_t *form = json_object(), *panels = json_array();

	for (int p = 0; p < layout->npanels; p++)
		append_json(panels, panel_view(&layout->panel[p]));
	put_json(form, "width", json_integer(layout->width));
	put_json(form, "height", json_integer(layout->height));
	put_json(form, "left", json_integer(layout->left));
	put_json(form, "right", json_integer(TIMELINE_RIGHT_PX));
	put_json(form, "top", json_integer(TIMELINE_TOP_PX));
	put_json(form, "bottom", json_integer(TIMELINE_BOTTOM_PX));
	put_json(form, "lane", json_integer(TIMELINE_LANE_PX));
	put_json(form, "pitch", json_integer(TIMELINE_LANE_PX + TIMELINE_GAP_PX));
	put_json(form, "range", json_integer(TIMELINE_RANGE_PX));
	put_json(form, "panels", panels);
	return form;
}

json_t *view_timeline(timeline_maker *make, const json_t *subject)
{
	static const char *const forms[FIGURE_FORMS] = {"wide", "narrow"};
	json_t *data = json_object(), *runs = json_array(), *texts = json_array(), *known = json_object();
	struct timeline_layout layout;

	for (enum figure_form form = FIGURE_FORMS; form-- > FIGURE_WIDE;) {
		make(&layout, subject, form);
		put_json(data, forms[form], form_view(&layout));
	}
	for (int p = 0; p < layout.npanels; p++)
		append_json(runs, timeline_run_view(&layout, &layout.panel[p], texts, known));
	put_json(data, "from", json_real(layout.from));
	put_json(data, "to", json_real(layout.to));
	put_json(data, "runs", runs);
	put_json(data, "texts", texts);
	json_decref(known);
	json_t *script = view_script_json(data);
	json_decref(data);
	return script;
}
