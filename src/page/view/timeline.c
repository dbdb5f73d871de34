/*
 * timeline.c: a timeline's events and geometry for the page's script, which names what is under the pointer, zooms and
 * sums up:
 *
 * - place: height, bottom (the axis); panels, each with y of its title's middle, of the first row of NVTX ranges and
 * how many rows there are (depths), of the first lane, of the strip (-1: none); lane and range are heights, pitch is
 * from lane to lane. All in px from the top of the picture, whose width is the plot's.
 * - from, to: ns at the left and right edge.
 * - runs: one for each panel: title, span; lanes with name, class and events [start, end, text], of work of other steps
 *   [start, end, text, 1], or shares in %, with others: 1 where all of the lane is theirs;
 *   ranges [start, end, text, row, color]; strip [start, end, work], work being 1 (kernel) + 2 (to the device) + 4 (to
 * the host) + 8 (other), 0: idle; incomplete where lanes do not tell every event, so that they cannot be summed up.
 * - texts: what `text` and `color` count in.
 *
 * A timeline with very many events gets those that are near to each other as one, so that its size is bounded.
 */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tree/tree.h"
#include "util/palette.h"

enum { MAX_EVENTS = 1200 };

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

static json_t *span_view(double start, double end, json_t *text)
{
	json_t *triple = json_array();

	append_json(triple, json_integer((json_int_t)start));
	append_json(triple, json_integer((json_int_t)end));
	append_json(triple, text);
	return triple;
}

/* [start, end, text] for each event, with 1 behind it if it is of another step; those that are too near to each other
 * are one. */
static json_t *events_view(const json_t *lane, double slice, json_t *texts, json_t *known)
{
	struct timeline_slice *slices;
	size_t n = timeline_slices(lane, slice, &slices);
	json_t *list = json_array();
	char several[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(several, sizeof(several), "%zu events", slices[i].events);
		json_t *span = span_view(slices[i].start, slices[i].end,
			text_number(texts, known, slices[i].events > 1 ? several : tree_text(slices[i].first, "text")));
		if (slices[i].others)
			append_json(span, json_integer(1));
		append_json(list, span);
	}
	free(slices);
	return list;
}

/* As the figure has it, in which an ink stands for its colours in light and dark. */
static json_t *range_color_number(const json_t *range, json_t *texts, json_t *known)
{
	unsigned color = timeline_range_color(range);
	char text[16];

	snprintf(text, sizeof(text), "#%06X", color);
	return text_number(texts, known, color == COLOR_INK_2 ? "var(--ink-2)" : text);
}

/* [start, end, text, row, color] for each range that has a row. */
static json_t *ranges_view(const struct timeline_panel *panel, json_t *texts, json_t *known)
{
	const json_t *ranges = json_object_get(panel->timeline, "ranges");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(ranges); i++) {
		const json_t *range = json_array_get(ranges, i);
		int row = timeline_range_row(panel, range);
		json_t *span;

		if (row < 0)
			continue;
		span = span_view(tree_real(range, "start_ns"), tree_real(range, "end_ns"),
			text_number(texts, known, tree_text(range, "text")));
		append_json(span, json_integer(row));
		append_json(span, range_color_number(range, texts, known));
		append_json(list, span);
	}
	return list;
}

/* How long events are at least that have a place of their own: so long that there are not too many. */
static double events_slice(const struct timeline_layout *layout)
{
	double slice = 0;
	size_t n = MAX_EVENTS + 1;

	for (int tries = 0; n > MAX_EVENTS && tries < 12; tries++) {
		n = 0;
		for (int p = 0; p < layout->npanels; p++) {
			for (size_t i = 0; i < layout->panel[p].nlanes; i++) {
				struct timeline_slice *slices;

				n += timeline_slices(layout->panel[p].lane[i], slice, &slices);
				free(slices);
			}
		}
		if (n > MAX_EVENTS)
			slice = slice > 0 ? 2 * slice : timeline_slice(layout);
	}
	return slice;
}

/* Shares in percent, of slices as long as those of the figure. */
static json_t *timeline_share_view(const json_t *share, double span, double slice)
{
	size_t n = json_array_size(share), group = n > 0 ? (size_t)fmax(1, ceil(slice / (span / (double)n))) : 1;
	json_t *list = json_array();

	for (size_t i = 0; i < n; i += group) {
		size_t end = i + group < n ? i + group : n;
		double sum = 0;

		for (size_t k = i; k < end; k++)
			sum += json_number_value(json_array_get(share, k));
		append_json(list, json_integer((json_int_t)(100 * sum / (double)(end - i) + 0.5)));
	}
	return list;
}

/* What all lanes of a timeline share. */
struct lanes {
	const struct timeline_layout *layout;
	double slice; /* ns: shorter events are put together */
	json_t *texts, *known;
};

static json_t *lane_view(const struct lanes *lanes, const struct timeline_panel *panel, size_t i)
{
	const json_t *lane = panel->lane[i];
	json_t *out = json_object();
	char name[96];

	timeline_lane_name(lane, false, name, sizeof(name));
	put_json(out, "name", view_text("%s", name));
	put_json(out, "class", view_text("%s", tree_text(lane, "class")));
	if (tree_has(lane, "share") && timeline_all_others(lane))
		put_json(out, "others", json_integer(1));
	if (tree_has(lane, "share"))
		put_json(out, "share",
			timeline_share_view(json_object_get(lane, "share"), tree_real(panel->timeline, "span_ns"),
				timeline_slice(lanes->layout)));
	else
		put_json(out, "events", events_view(lane, lanes->slice, lanes->texts, lanes->known));
	return out;
}

/* [start, end, work] of the strip's parts, `work` as in enum strip_work; none if there is no strip. */
static json_t *strip_view(const struct timeline_layout *layout, const struct timeline_panel *panel)
{
	json_t *list = json_array();
	struct strip_part *parts;
	size_t n;

	if (panel->strip_y < 0)
		return list;
	n = strip_build(panel, &parts);
	n = strip_thin(parts, n, timeline_slice(layout));
	for (size_t i = 0; i < n; i++)
		append_json(list, json_pack("[I, I, i]", (json_int_t)parts[i].start, (json_int_t)parts[i].end,
					  (int)parts[i].work));
	free(parts);
	return list;
}

static json_t *timeline_run_view(const struct lanes *lanes, const struct timeline_panel *panel)
{
	json_t *run = json_object(), *list = json_array();

	for (size_t i = 0; i < panel->nlanes; i++)
		append_json(list, lane_view(lanes, panel, i));
	put_json(run, "span", json_integer((json_int_t)tree_real(panel->timeline, "span_ns")));
	put_json(run, "title", view_text("%s", panel->title));
	put_json(run, "lanes", list);
	put_json(run, "strip", strip_view(lanes->layout, panel));
	if (lanes->slice > 0 || lanes->layout->lanes_left_out > 0)
		put_json(run, "incomplete", json_true());
	put_json(run, "ranges", ranges_view(panel, lanes->texts, lanes->known));
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

/* Where things stand, in px from the top. From left to right the plot is as wide as its picture. */
static json_t *place_view(const struct timeline_layout *layout)
{
	json_t *place = json_object(), *panels = json_array();

	for (int p = 0; p < layout->npanels; p++)
		append_json(panels, panel_view(&layout->panel[p]));
	put_json(place, "height", json_integer(layout->height));
	put_json(place, "bottom", json_integer(layout->bottom));
	put_json(place, "lane", json_integer(TIMELINE_LANE_PX));
	put_json(place, "pitch", json_integer(TIMELINE_LANE_PX + TIMELINE_GAP_PX));
	put_json(place, "range", json_integer(TIMELINE_RANGE_PX));
	put_json(place, "panels", panels);
	return place;
}

json_t *view_timeline(timeline_maker *make, const json_t *subject)
{
	json_t *data = json_object(), *runs = json_array(), *texts = json_array(), *known = json_object();
	struct timeline_layout layout;

	make(&layout, subject);
	const struct lanes lanes = {&layout, events_slice(&layout), texts, known};
	for (int p = 0; p < layout.npanels; p++)
		append_json(runs, timeline_run_view(&lanes, &layout.panel[p]));
	put_json(data, "place", place_view(&layout));
	put_json(data, "from", json_real(layout.from));
	put_json(data, "to", json_real(layout.to));
	put_json(data, "runs", runs);
	put_json(data, "texts", texts);
	json_decref(known);
	json_t *script = view_script_json(data);
	json_decref(data);
	return script;
}
