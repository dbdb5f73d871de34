/* timeline-data.c: places the rows of a timeline. */
#include "figure/timeline-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"

/* In one figure: a page of a traced program has many lanes. */
enum { MAX_SLICES = 4000 };

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
	while (panel->nlanes < nlanes && panel->nlanes < TIMELINE_MAX_LANES) {
		panel->lane[panel->nlanes] = json_array_get(json_object_get(timeline, "lanes"), panel->nlanes);
		panel->nlanes++;
	}
	snprintf(panel->title, sizeof(panel->title), "%s", title);
	layout->to = fmax(layout->to, 1.012 * span);
	layout->from = -layout->to / 100;
	layout->npanels++;
	return true;
}

bool timeline_has(const struct timeline_panel *panel, const json_t *lane_or_range)
{
	double device = tree_real(lane_or_range, "device"), process = tree_real(lane_or_range, "process");

	/* A range runs on no GPU; in files whose work names no process that is 0. */
	return !panel->parted || ((isnan(device) || device == panel->device) &&
					 (isnan(process) || panel->process == 0 || process == panel->process));
}

static double timeline_data_thread_of(const json_t *range)
{
	double thread = tree_real(range, "thread");

	return isnan(thread) ? 0 : thread;
}

/* The rows of a range's thread; NULL if it has none. */
static struct timeline_thread *find_thread(struct timeline_panel *panel, double id)
{
	for (int i = 0; i < panel->nthreads; i++) {
		if (panel->thread[i].id == id)
			return &panel->thread[i];
	}
	return NULL;
}

/* Counts the range among its thread's; threads come in the order of their first range. */
static void add_depth(struct timeline_panel *panel, const json_t *range)
{
	struct timeline_thread *thread = find_thread(panel, timeline_data_thread_of(range));
	double depth = tree_real(range, "depth");

	if (!(depth >= 0 && depth < TIMELINE_MAX_DEPTH) || (!thread && panel->nthreads == TIMELINE_MAX_DEPTH))
		return;
	if (!thread) {
		thread = &panel->thread[panel->nthreads++];
		*thread = (struct timeline_thread){.id = timeline_data_thread_of(range)};
	}
	if (depth >= thread->depths)
		thread->depths = (int)depth + 1;
}

/* Ranges around the one event of a run say no more than its title. */
static bool has_one_event(const struct timeline_panel *panel)
{
	const json_t *lane = panel->nlanes == 1 && !panel->parted ? panel->lane[0] : NULL;

	return lane && !tree_has(lane, "share") && json_array_size(json_object_get(lane, "events")) <= 1;
}

/* Gives each thread with ranges in sight its rows, as far as there is room. */
static void place_ranges(const struct timeline_layout *layout, struct timeline_panel *panel)
{
	const json_t *ranges = json_object_get(panel->timeline, "ranges");

	panel->nthreads = panel->depths = 0;
	for (size_t i = 0; i < json_array_size(ranges) && !has_one_event(panel); i++) {
		const json_t *range = json_array_get(ranges, i);

		if (tree_real(range, "end_ns") > layout->from && tree_real(range, "start_ns") < layout->to &&
			timeline_has(panel, range))
			add_depth(panel, range);
	}
	for (int i = 0; i < panel->nthreads; i++) {
		panel->thread[i].first = panel->depths;
		panel->depths += panel->thread[i].depths;
	}
	if (panel->depths > TIMELINE_MAX_DEPTH)
		panel->depths = TIMELINE_MAX_DEPTH;
}

int timeline_range_row(const struct timeline_panel *panel, const json_t *range)
{
	double depth = tree_real(range, "depth");

	for (int i = 0; i < panel->nthreads && timeline_has(panel, range); i++) {
		const struct timeline_thread *thread = &panel->thread[i];
		int row = thread->first + (int)depth;

		if (thread->id == timeline_data_thread_of(range))
			return depth >= 0 && depth < thread->depths && row < panel->depths ? row : -1;
	}
	return -1;
}

/* The strip needs events, and says nothing where one lane is busy all the time. */
static bool wants_strip(const struct timeline_panel *panel)
{
	const json_t *lanes = json_object_get(panel->timeline, "lanes");
	size_t n = 0, nevents = 0;

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		const json_t *lane = json_array_get(lanes, i);

		if (!timeline_has(panel, lane))
			continue;
		if (tree_has(lane, "share"))
			return false;
		n++;
		nevents += json_array_size(json_object_get(lane, "events"));
	}
	return n > 1 || nevents > 1;
}

static double timeline_data_place_panel(const struct timeline_layout *layout, struct timeline_panel *panel, double y)
{
	panel->title_y = y;
	y += TIMELINE_TITLE_PX;
	place_ranges(layout, panel);
	panel->ranges_y = y;
	y += panel->depths * (TIMELINE_RANGE_PX + 2);
	panel->lanes_y = y;
	y += (double)panel->nlanes * (TIMELINE_LANE_PX + TIMELINE_GAP_PX);
	panel->strip_y = wants_strip(panel) ? y : -1;
	if (panel->strip_y >= 0)
		y += TIMELINE_LANE_PX + TIMELINE_GAP_PX;
	return y;
}

/* Room at the left for the longest lane name; by the average width of a letter, since only the reader's browser knows
 * the font. */
static int left_margin(const struct timeline_layout *layout, bool brief)
{
	enum { LEAST_PX = 132, LEAST_BRIEF_PX = 72, STRIP_BRIEF_PX = 80 /* "whole GPU" */ };
	double most = brief ? LEAST_BRIEF_PX : LEAST_PX;

	for (int p = 0; p < layout->npanels; p++) {
		const struct timeline_panel *panel = &layout->panel[p];

		if (brief && wants_strip(panel))
			most = fmax(most, STRIP_BRIEF_PX);
		for (size_t i = 0; i < panel->nlanes; i++) {
			char name[96];

			timeline_lane_name(panel->lane[i], brief, name, sizeof(name));
			most = fmax(most, 7 * (double)strlen(name) + 12);
		}
	}
	return (int)fmin(most, brief ? 120 : 264);
}

void timeline_place(struct timeline_layout *layout)
{
	double y = 0;

	layout->frame = (struct svg_frame){
		left_margin(layout, false), left_margin(layout, true), TIMELINE_RIGHT_PX, TIMELINE_RIGHT_PX};
	for (int i = 0; i < layout->npanels; i++)
		y = timeline_data_place_panel(layout, &layout->panel[i], i > 0 ? y + TIMELINE_SPACE_PX : y);
	layout->bottom = (int)y + 2;
	layout->height = layout->bottom + CANVAS_AXIS_PX;
}

/* What the length of a step's timeline is, behind it. `window` "" is of older recordings. */
static const char *length_words(const char *window)
{
	if (strcmp(window, "period") == 0 || strcmp(window, "kernels") == 0)
		return " from step to step";
	if (strcmp(window, "work") == 0)
		return " of a step's work";
	return *window ? "" : " with all its work";
}

/* Older recordings have the work of the step alone. Without a range it is all work. */
static void timeline_data_add_step(struct timeline_layout *layout, const json_t *family, const char *role,
	const json_t *timeline, const char *time, unsigned color)
{
	const json_t *sides = json_object_get(family, "sides");
	const json_t *step = json_object_get(tree_find(sides, "name", tree_text(family, role)), "median_step");
	const char *window = tree_text(step, "window");
	bool alone = *window == '\0' && tree_has(step, "step");
	int first = layout->npanels;
	char title[FORMAT_SIZE + 200];

	clip_print(title, sizeof(title), "%.80s, %s%s", tree_side_called(family, role), time,
		*window || alone ? length_words(window) : "");
	timeline_step(layout, timeline, color, title);
	for (int p = first; p < layout->npanels; p++)
		layout->panel[p].alone = alone;
	if (first < layout->npanels)
		++*(strcmp(window, "work") == 0          ? &layout->from_work
			: strcmp(window, "kernels") == 0 ? &layout->from_kernel
							 : &layout->from_step);
}

static void timeline_data_add_role(
	struct timeline_layout *layout, const json_t *family, const char *role, unsigned color)
{
	const json_t *variant = tree_role(family, role);
	const json_t *measured = tree_headline_case(family, variant);
	const json_t *timeline = json_object_get(json_object_get(measured, "trace"), "timeline");
	char time[FORMAT_SIZE], title[FORMAT_SIZE + 200];

	format_time_ns(time, sizeof(time), tree_real(timeline, "span_ns"));
	if (layout->of_steps) {
		timeline_data_add_step(layout, family, role, timeline, time, color);
	} else {
		snprintf(title, sizeof(title), "%s: %s, %s", role, tree_text(variant, "name"), time);
		timeline_add(layout, timeline, color, title);
	}
}

bool timeline_family(struct timeline_layout *layout, const json_t *family)
{
	*layout = (struct timeline_layout){.of_steps = *tree_text(family, "origin") != '\0'};
	timeline_data_add_role(layout, family, "single", COLOR_SINGLE);
	timeline_data_add_role(layout, family, "double", COLOR_DOUBLE);
	timeline_place(layout);
	return layout->npanels > 0;
}

double timeline_lane_y(const struct timeline_panel *panel, size_t i)
{
	return panel->lanes_y + (double)i * (TIMELINE_LANE_PX + TIMELINE_GAP_PX);
}

unsigned timeline_range_color(const json_t *range)
{
	const char *text = tree_text(range, "color");

	return *text == '#' ? (unsigned)strtoul(text + 1, NULL, 16) & 0xFFFFFF : COLOR_INK_2;
}

double timeline_slice(const struct timeline_layout *layout)
{
	double slices = CANVAS_WIDEST_PX;
	size_t lanes = 0;

	for (int p = 0; p < layout->npanels; p++)
		lanes += layout->panel[p].nlanes;
	if ((double)lanes * slices > MAX_SLICES)
		slices = MAX_SLICES / (double)lanes;
	return (layout->to - layout->from) / slices;
}

/* Whether an event is to be one with the slice before it: both are short, and next to nothing is between them. */
static bool timeline_data_joins(const struct timeline_slice *last, double start, double end, double slice)
{
	return start - last->end < slice && end - start < slice &&
	       (last->events > 1 || last->end - last->start < slice) && end - last->start < 2 * slice;
}

size_t timeline_slices(const json_t *lane, double slice, struct timeline_slice **list)
{
	const json_t *events = json_object_get(lane, "events");
	size_t n = 0;

	*list = xcalloc(json_array_size(events), sizeof(**list));
	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);
		double start = tree_real(event, "start_ns"), end = tree_real(event, "end_ns");
		bool others = json_is_false(json_object_get(event, "own"));

		if (n > 0 && timeline_data_joins(&(*list)[n - 1], start, end, slice)) {
			(*list)[n - 1].end = fmax((*list)[n - 1].end, end);
			(*list)[n - 1].events++;
			(*list)[n - 1].others &= others;
		} else if (isfinite(start) && isfinite(end)) {
			(*list)[n++] = (struct timeline_slice){start, end, event, 1, others};
		}
	}
	return n;
}

bool timeline_all_others(const json_t *lane)
{
	return tree_has(lane, "others") && tree_real(lane, "others") >= tree_real(lane, "count");
}

void timeline_lane_name(const json_t *lane, bool brief, char *text, size_t size)
{
	static const struct {
		const char *key, *words, *brief;
	} classes[] = {{"h2d", "host to device", "H2D"}, {"kernel", "kernel", "kernel"},
		{"d2h", "device to host", "D2H"}, {"other", "other work", "other"}};
	const char *key = tree_text(lane, "class");
	const char *standard = tree_true(lane, "default_stream") ? "default " : "";
	double stream = tree_real(lane, "stream");
	size_t i = 0;

	while (i < 3 && strcmp(classes[i].key, key) != 0)
		i++;
	if (brief)
		snprintf(text, size, "%s %s%.0f", classes[i].brief, *standard ? "def. " : "", stream);
	else
		snprintf(text, size, "%s, %sstream %.0f", classes[i].words, standard, stream);
}
