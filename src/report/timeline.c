/* timeline.c: places the rows of a timeline. */
#include "report/timeline.h"

#include <math.h>
#include <string.h>

#include "report/tree.h"
#include "util/format.h"

bool timeline_add(struct timeline_layout *layout, const json_t *timeline, unsigned color, const char *title)
{
	struct timeline_panel *panel = &layout->panel[layout->npanels];
	double span = tree_real(timeline, "span_ns");
	size_t nlanes = json_array_size(json_object_get(timeline, "lanes"));

	if (layout->npanels == TIMELINE_PANELS || nlanes == 0 || !(span > 0))
		return false;
	memset(panel, 0, sizeof(*panel));
	panel->timeline = timeline;
	panel->color = color;
	panel->nlanes = nlanes < TIMELINE_MAX_LANES ? nlanes : TIMELINE_MAX_LANES;
	snprintf(panel->title, sizeof(panel->title), "%s", title);
	layout->to = fmax(layout->to, 1.012 * span);
	layout->from = -layout->to / 100;
	layout->npanels++;
	return true;
}

/* How many rows of ranges are in sight. */
static int count_depths(const struct timeline_layout *layout, const json_t *timeline)
{
	const json_t *ranges = json_object_get(timeline, "ranges");
	int depths = 0;

	for (size_t i = 0; i < json_array_size(ranges); i++) {
		const json_t *range = json_array_get(ranges, i);
		double depth = tree_real(range, "depth");

		if (tree_real(range, "end_ns") > layout->from && tree_real(range, "start_ns") < layout->to &&
			depth < TIMELINE_MAX_DEPTH && depth >= depths)
			depths = (int)depth + 1;
	}
	return depths;
}

/* The strip needs events, and says nothing where one lane is busy all the time. */
static bool wants_strip(const json_t *timeline)
{
	const json_t *lanes = json_object_get(timeline, "lanes");
	const json_t *first = json_object_get(json_array_get(lanes, 0), "events");

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		if (tree_has(json_array_get(lanes, i), "share"))
			return false;
	}
	return json_array_size(lanes) > 1 || json_array_size(first) > 1;
}

static double place_panel(const struct timeline_layout *layout, struct timeline_panel *panel, double y)
{
	panel->title_y = y;
	y += TIMELINE_TITLE_PX;
	panel->depths = count_depths(layout, panel->timeline);
	panel->ranges_y = y;
	y += panel->depths * (TIMELINE_RANGE_PX + 2);
	panel->lanes_y = y;
	y += (double)panel->nlanes * (TIMELINE_LANE_PX + TIMELINE_GAP_PX);
	panel->strip_y = wants_strip(panel->timeline) ? y : -1;
	if (panel->strip_y >= 0)
		y += TIMELINE_LANE_PX + TIMELINE_GAP_PX;
	return y;
}

/* Room at the left for the longest lane name; by the average width of a letter, since only the reader's browser knows
 * the font. */
static int left_margin(const struct timeline_layout *layout)
{
	bool narrow = layout->form == FIGURE_NARROW;
	double letter = narrow ? 7.0 : 8.0;
	int left = narrow ? 86 : 216;

	for (int p = 0; p < layout->npanels; p++) {
		const struct timeline_panel *panel = &layout->panel[p];
		const json_t *lanes = json_object_get(panel->timeline, "lanes");

		for (size_t i = 0; i < panel->nlanes; i++) {
			char name[96];
			int needed;

			timeline_lane_name(layout, json_array_get(lanes, i), name, sizeof(name));
			needed = (int)((double)strlen(name) * letter) + 16;
			if (needed > left)
				left = needed;
		}
	}
	return left;
}

void timeline_place(struct timeline_layout *layout, enum figure_form form)
{
	double y = 0;

	layout->form = form;
	layout->width = form == FIGURE_NARROW ? FIGURE_NARROW_PX : FIGURE_WIDE_PX;
	layout->left = left_margin(layout);
	for (int i = 0; i < layout->npanels; i++)
		y = place_panel(layout, &layout->panel[i], i > 0 ? y + TIMELINE_SPACE_PX : y);
	layout->height = (int)y + TIMELINE_TOP_PX + TIMELINE_BOTTOM_PX;
}

static bool add_role(struct timeline_layout *layout, const json_t *family, const char *role, unsigned color)
{
	const json_t *variant = tree_role(family, role);
	const json_t *measured = tree_headline_case(family, variant);
	const json_t *timeline = json_object_get(json_object_get(measured, "trace"), "timeline");
	char time[FORMAT_SIZE], title[FORMAT_SIZE + 200];

	snprintf(title, sizeof(title), "%s: %s, %s", role, tree_text(variant, "name"),
		format_time_ns(time, sizeof(time), tree_real(timeline, "span_ns")));
	return timeline_add(layout, timeline, color, title);
}

bool timeline_family(struct timeline_layout *layout, const json_t *family, enum figure_form form)
{
	*layout = (struct timeline_layout){0};
	add_role(layout, family, "single", COLOR_SINGLE);
	add_role(layout, family, "double", COLOR_DOUBLE);
	timeline_place(layout, form);
	return layout->npanels > 0;
}

bool timeline_program(struct timeline_layout *layout, const json_t *program, enum figure_form form)
{
	const json_t *timeline = json_object_get(program, "timeline");
	char time[FORMAT_SIZE], title[FORMAT_SIZE + 64];

	*layout = (struct timeline_layout){0};
	snprintf(title, sizeof(title), "all device work, %s",
		format_time_ns(time, sizeof(time), tree_real(timeline, "span_ns")));
	timeline_add(layout, timeline, COLOR_INK_2, title);
	timeline_place(layout, form);
	return layout->npanels > 0;
}

double timeline_lane_y(const struct timeline_panel *panel, size_t i)
{
	return panel->lanes_y + (double)i * (TIMELINE_LANE_PX + TIMELINE_GAP_PX);
}

double timeline_pixel(const struct timeline_layout *layout)
{
	return (layout->to - layout->from) / (layout->width - layout->left - TIMELINE_RIGHT_PX);
}

/* Whether the lanes are of more than one device, so that names must say which. */
static bool several_devices(const struct timeline_layout *layout)
{
	const json_t *first = NULL;

	for (int p = 0; p < layout->npanels; p++) {
		const json_t *lanes = json_object_get(layout->panel[p].timeline, "lanes");

		for (size_t i = 0; i < json_array_size(lanes); i++) {
			const json_t *device = json_object_get(json_array_get(lanes, i), "device");

			if (first && !json_equal(first, device))
				return true;
			first = device;
		}
	}
	return false;
}

void timeline_lane_name(const struct timeline_layout *layout, const json_t *lane, char *text, size_t size)
{
	static const struct {
		const char *key, *words, *brief;
	} classes[] = {{"h2d", "host to device", "H2D"}, {"kernel", "kernel", "kernel"},
		{"d2h", "device to host", "D2H"}, {"other", "other work", "other"}};
	const char *key = tree_text(lane, "class");
	bool devices = several_devices(layout);
	double stream = tree_real(lane, "stream"), device = tree_real(lane, "device");
	size_t i = 0;

	while (i < 3 && strcmp(classes[i].key, key) != 0)
		i++;
	if (layout->form == FIGURE_NARROW && devices)
		snprintf(text, size, "%s %.0f/%.0f", classes[i].brief, device, stream);
	else if (layout->form == FIGURE_NARROW)
		snprintf(text, size, "%s %.0f", classes[i].brief, stream);
	else if (devices)
		snprintf(text, size, "%s, GPU %.0f stream %.0f", classes[i].words, device, stream);
	else
		snprintf(text, size, "%s, stream %.0f", classes[i].words, stream);
}
