/* pm.c: what PM sampling saw over time under the work that ran, single above double. */
#include "figure/pm-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"

/* Of a lane with more events than this, the figure draws busy shares. A bar that is wider than so many px leaves one
 * to the next. */
enum { MAX_EVENTS = 300, SEAM_LEAST_PX = 3 };

/* What the functions below draw into. */
struct drawing {
	struct canvas canvas;
	const struct pm_layout *layout;
};

static unsigned lane_color(int lane)
{
	static const unsigned colors[PM_LANES] = {COLOR_H2D, COLOR_KERNEL, COLOR_D2H, COLOR_INK_2};

	return colors[lane];
}

static double pm_x(const struct pm_layout *layout, double ns)
{
	ns = fmin(fmax(ns, layout->from), layout->to);
	/* Whole units, a px on the widest page, take few characters. */
	return round(CANVAS_WIDTH * (ns - layout->from) / (layout->to - layout->from));
}

/* ---- paths ---- */

/* A curve being written, as levels with upright lines between them. */
struct path {
	struct drawing *d;
	struct canvas_look look;  /* an area begins and ends at zero */
	double zero, height, top; /* y of zero, px above it, and the value there */
	bool open;
	double y, end; /* of the last level */
};

static void pm_point(const struct path *path, double t, double y)
{
	canvas_at(&path->d->canvas, path->look, pm_x(path->d->layout, t), y);
}

static void path_close(struct path *path)
{
	if (!path->open)
		return;
	pm_point(path, path->end, path->y);
	if (path->look.width == 0)
		pm_point(path, path->end, path->zero);
	canvas_gap(&path->d->canvas, path->look);
	path->open = false;
}

/* Goes on at `start`, until the next level or the end. A level as high as the last only makes that longer. */
static void path_level(struct path *path, double start, double end, double value)
{
	const struct pm_layout *layout = path->d->layout;
	double y = path->zero - round(path->height * fmin(1, fmax(0, value / path->top)));

	start = fmax(start, layout->from);
	end = fmin(end, layout->to);
	if (!(end > start))
		return;
	if (path->open && start > path->end + 1)
		path_close(path);
	if (!path->open && path->look.width == 0)
		pm_point(path, start, path->zero);
	if (path->open && y != path->y)
		pm_point(path, start, path->y);
	if (!path->open || y != path->y)
		pm_point(path, start, y);
	path->open = true;
	path->y = y;
	path->end = end;
}

/* ---- lanes ---- */

/* When one class is busy, in the order of time; *list is for free(). */
static size_t lane_busy_times(const json_t *work, int lane, struct value_sample **list)
{
	size_t n = 0;

	*list = xcalloc(json_array_size(work), sizeof(**list));
	for (size_t i = 0; i < json_array_size(work); i++) {
		const json_t *event = json_array_get(work, i);
		double start = tree_real(event, "start"), end = tree_real(event, "end");

		if (strcmp(tree_text(event, "class"), pm_lane_key(lane)) == 0 && end > start)
			(*list)[n++] = (struct value_sample){start, end, 1};
	}
	return samples_join(*list, n);
}

/* The share of time in which the lane is busy, as the height of an area. */
static void lane_shares(struct drawing *d, const struct value_sample *busy, size_t n, double y, unsigned color)
{
	const struct pm_layout *layout = d->layout;
	double share[PM_BINS], bin = (layout->to - layout->from) / PM_BINS, idle_from = layout->from;
	struct value_sample *all = xcalloc(2 * n + 1, sizeof(*all));
	struct path path = {.d = d, .look = {0, color, false}, .zero = y + PM_LANE_PX, .height = PM_LANE_PX, .top = 1};

	for (size_t i = 0; i < n; i++) {
		all[2 * i] = (struct value_sample){idle_from, busy[i].start, 0};
		all[2 * i + 1] = busy[i];
		idle_from = busy[i].end;
	}
	all[2 * n] = (struct value_sample){idle_from, layout->to, 0};
	samples_mean(all, 2 * n + 1, layout->from, layout->to, share, PM_BINS);
	for (int i = 0; i < PM_BINS; i++)
		path_level(&path, layout->from + bin * i, layout->from + bin * (i + 1), share[i]);
	path_close(&path);
	free(all);
}

/* A short pause may fall between two px, or not: it is seen in any case, so that kernels do not look longer by chance.
 */
static void lane_event(struct drawing *d, const struct value_sample *busy, bool has_next, double y, unsigned color)
{
	double from = pm_x(d->layout, busy->start), to = pm_x(d->layout, busy->end);

	if (has_next && to - from > SEAM_LEAST_PX && pm_x(d->layout, busy[1].start) <= to)
		to--;
	canvas_bar(&d->canvas, from, to, y, PM_LANE_PX, color);
}

/* The work of one class in one run: as shares if it is much, else event by event. */
static void lane_work(struct drawing *d, const struct pm_panel *panel, int lane)
{
	const struct pm_layout *layout = d->layout;
	struct value_sample *busy;
	size_t n = lane_busy_times(pm_work(panel->sets), lane, &busy);
	double y = panel->lane_y[lane];

	canvas_line(&d->canvas, (struct canvas_look){1, COLOR_GRID, false}, 0, y + PM_LANE_PX + 0.5, CANVAS_WIDTH,
		y + PM_LANE_PX + 0.5);
	for (int brief = 0; brief < 2; brief++)
		canvas_text(&d->canvas, CANVAS_NAME, brief ? CANVAS_NARROW : CANVAS_WIDE, 0, y + PM_LANE_PX / 2.0,
			COLOR_INK, pm_lane_name(lane, brief));
	if (n > MAX_EVENTS)
		lane_shares(d, busy, n, y, lane_color(lane));
	for (size_t i = 0; n <= MAX_EVENTS && i < n; i++) {
		if (busy[i].end > layout->from && busy[i].start < layout->to)
			lane_event(d, &busy[i], i + 1 < n, y, lane_color(lane));
	}
	free(busy);
}

/* ---- curves ---- */

/* Time without samples is a hole. */
static void pm_write_samples(struct path *path, const struct value_sample *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		path_level(path, s[i].start, s[i].end, s[i].value);
	path_close(path);
}

/* One of a graph's curves in one run: the first is filled, the second a line. */
static void pm_curve(struct drawing *d, const struct pm_panel *panel, int graph, int number)
{
	struct path path = {.d = d,
		.look = number == 0 ? (struct canvas_look){0, canvas_faint(panel->color, 0.55), false}
				    : (struct canvas_look){1.4, COLOR_INK, false},
		.zero = panel->graph_y[graph] + PM_HEAD_PX + PM_GRAPH_PX,
		.height = PM_GRAPH_PX,
		.top = d->layout->top[graph]};
	struct value_sample *samples;
	size_t n = pm_samples(d->layout->metrics, panel->sets, &pm_graph(graph)->curve[number], &samples);

	pm_write_samples(&path, samples, pm_drawn(d->layout, samples, n));
	free(samples);
}

/* "PCIe: read by the GPU (filled), written by the GPU (line)" */
static void graph_name(struct drawing *d, const struct pm_graph *graph, double y)
{
	const struct pm_curve *filled = &graph->curve[0], *line = &graph->curve[1];
	char text[128];

	snprintf(text, sizeof(text), "%s: %s (filled), %s (line)", graph->words, filled->words, line->words);
	canvas_text(&d->canvas, CANVAS_PX, CANVAS_WIDE, 4, y, COLOR_INK_2, text);
	snprintf(text, sizeof(text), "%s: %s, %s (line)", graph->brief, filled->brief, line->brief);
	canvas_text(&d->canvas, CANVAS_PX, CANVAS_NARROW, 4, y, COLOR_INK_2, text);
}

/* A graph with its name, zero and top, and both curves. */
static void pm_graph_draw(struct drawing *d, const struct pm_panel *panel, int g)
{
	const struct pm_graph *graph = pm_graph(g);
	double top = panel->graph_y[g] + PM_HEAD_PX;
	char text[64];

	snprintf(text, sizeof(text), "%g %s", d->layout->top[g], graph->unit);
	for (int end = 0; end < 2; end++) {
		canvas_line(&d->canvas, (struct canvas_look){0.75, COLOR_GRID, false}, 0, top + end * PM_GRAPH_PX,
			CANVAS_WIDTH, top + end * PM_GRAPH_PX);
		canvas_text(&d->canvas, CANVAS_NAME, CANVAS_ALL, 0, top + end * PM_GRAPH_PX, COLOR_INK,
			end == 0 ? text : "0");
	}
	graph_name(d, graph, panel->graph_y[g] + PM_HEAD_PX / 2.0);
	for (int number = 0; number < PM_CURVES; number++)
		pm_curve(d, panel, g, number);
}

static void pm_draw_axis(struct drawing *d)
{
	const struct pm_layout *layout = d->layout;
	char title[64], brief[32];
	double scale;
	const char *unit = figure_time_unit(layout->to, &scale);

	snprintf(title, sizeof(title), "time since the %s began (%s)", layout->steps ? "step" : "first device work",
		unit);
	snprintf(brief, sizeof(brief), "time (%s)", unit);
	canvas_axis(&d->canvas, &(struct canvas_axis){layout->from / scale, layout->to / scale, PM_TITLE_PX,
					layout->bottom, title, brief, false});
}

static void pm_panel_draw(struct drawing *d, const struct pm_panel *panel)
{
	canvas_head(&d->canvas, panel->title_y + PM_TITLE_PX / 2.0, panel->color, panel->title);
	for (int lane = 0; lane < PM_LANES; lane++) {
		if (panel->lane[lane])
			lane_work(d, panel, lane);
	}
	for (int g = 0; g < PM_GRAPHS; g++) {
		if (d->layout->graph[g])
			pm_graph_draw(d, panel, g);
	}
}

static void pm_figure(struct figures *figures, const char *name, const struct pm_layout *layout)
{
	struct drawing d = {.layout = layout};

	canvas_open(
		&d.canvas, figures, name, (struct svg_frame){PM_LEFT_PX, PM_NARROW_LEFT_PX, PM_RIGHT_PX, PM_RIGHT_PX});
	d.canvas.figure->height = layout->height;
	snprintf(d.canvas.figure->title, sizeof(d.canvas.figure->title), "Occupancy and traffic over time");
	snprintf(d.canvas.figure->desc, sizeof(d.canvas.figure->desc),
		"Curves under the work that ran; the table below the figure has their means and peaks.");
	pm_draw_axis(&d);
	for (int p = 0; p < layout->npanels; p++)
		pm_panel_draw(&d, &layout->panel[p]);
	canvas_close(&d.canvas);
}

void figure_pm(const struct figure_family *in)
{
	struct pm_layout layout;
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "pm");
	if (pm_family(&layout, in->family))
		pm_figure(in->figures, name, &layout);
}
