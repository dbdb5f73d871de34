/* pm.c: what PM sampling saw over time under the work that ran, single above double. */
#include "figure/pm-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"

/* Of a lane with more events than this, the figure draws busy shares. */
enum { MAX_EVENTS = 400 };

/* What the functions below draw into. */
struct canvas {
	const struct pm_layout *layout;
	struct strbuf *data;
	double scale; /* ns per unit of the axis */
};

static unsigned lane_color(int lane)
{
	static const unsigned colors[PM_LANES] = {COLOR_H2D, COLOR_KERNEL, COLOR_D2H, COLOR_INK_2};

	return colors[lane];
}

static size_t plot_px(const struct pm_layout *layout)
{
	return (size_t)(layout->width - layout->left - PM_RIGHT_PX);
}

/* A row for boxxyerror: [start, end) ns, from y down to y + h px. */
static void pm_box(const struct canvas *canvas, double start, double end, double y, double h, unsigned color)
{
	start = fmax(start, canvas->layout->from);
	end = fmin(end, canvas->layout->to);
	if (end > start)
		strbuf_printf(canvas->data, "0 0 %.7g %.7g %.6g %.6g %u\n", start / canvas->scale, end / canvas->scale,
			y, y + h, color);
}

/* ---- paths ---- */

/* A curve being written, as levels with upright lines between them. */
struct path {
	const struct canvas *canvas;
	double zero, height, top; /* y of zero, px above it, and the value there */
	bool filled;              /* is an area: begins and ends at zero */
	bool open;
	double y, end; /* of the last level */
};

static void pm_point(const struct path *path, double t, double y)
{
	strbuf_printf(path->canvas->data, "%.7g %.6g\n", t / path->canvas->scale, y);
}

static void path_close(struct path *path)
{
	if (!path->open)
		return;
	pm_point(path, path->end, path->y);
	if (path->filled)
		pm_point(path, path->end, path->zero);
	strbuf_putc(path->canvas->data, '\n');
	path->open = false;
}

/* Goes on at `start`, until the next level or the end. A level as high as the last only makes that longer. */
static void path_level(struct path *path, double start, double end, double value)
{
	const struct pm_layout *layout = path->canvas->layout;
	double y = round(10 * (path->zero - path->height * fmin(1, fmax(0, value / path->top)))) / 10;

	start = fmax(start, layout->from);
	end = fmin(end, layout->to);
	if (!(end > start))
		return;
	if (path->open && start > path->end + 1)
		path_close(path);
	if (!path->open && path->filled)
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

/* Per px the share of time in which the lane is busy, as the height of an area. */
static void lane_shares(const struct canvas *canvas, const struct value_sample *busy, size_t n, double y)
{
	const struct pm_layout *layout = canvas->layout;
	size_t bins = plot_px(layout);
	double pixel = pm_pixel(layout), *share = xcalloc(bins, sizeof(*share)), idle_from = layout->from;
	struct value_sample *all = xcalloc(2 * n + 1, sizeof(*all));
	struct path path = {.canvas = canvas, .zero = y + PM_LANE_PX, .height = PM_LANE_PX, .top = 1, .filled = true};

	for (size_t i = 0; i < n; i++) {
		all[2 * i] = (struct value_sample){idle_from, busy[i].start, 0};
		all[2 * i + 1] = busy[i];
		idle_from = busy[i].end;
	}
	all[2 * n] = (struct value_sample){idle_from, layout->to, 0};
	samples_mean(all, 2 * n + 1, layout->from, layout->to, share, bins);
	for (size_t i = 0; i < bins; i++)
		path_level(&path, layout->from + pixel * (double)i, layout->from + pixel * (double)(i + 1), share[i]);
	path_close(&path);
	free(all);
	free(share);
}

/* The work of one class in one run: in the block of shares if it is much, else in that of boxes. */
static void lane_work(const struct canvas *canvas, const struct pm_panel *panel, int lane, bool shares)
{
	struct value_sample *busy;
	size_t n = lane_busy_times(pm_work(panel->sets), lane, &busy);
	double y = panel->lane_y[lane];

	if (n > MAX_EVENTS && shares)
		lane_shares(canvas, busy, n, y);
	for (size_t i = 0; n <= MAX_EVENTS && !shares && i < n; i++)
		pm_box(canvas, busy[i].start, busy[i].end, y, PM_LANE_PX, lane_color(lane));
	if (!shares)
		pm_box(canvas, canvas->layout->from, canvas->layout->to, y + PM_LANE_PX, 1, COLOR_GRID);
	free(busy);
}

static void lane_in_all_runs(const struct canvas *canvas, int lane, bool shares)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		if (canvas->layout->panel[p].lane[lane])
			lane_work(canvas, &canvas->layout->panel[p], lane, shares);
	}
}

/* ---- curves ---- */

/* Samples as they are, or where there are more than pixels their means; time without samples is a hole. */
static void pm_write_samples(struct path *path, const struct value_sample *s, size_t n)
{
	const struct pm_layout *layout = path->canvas->layout;
	size_t bins = plot_px(layout);
	double pixel = pm_pixel(layout), *mean = n > bins ? xcalloc(bins, sizeof(*mean)) : NULL;

	if (mean)
		samples_mean(s, n, layout->from, layout->to, mean, bins);
	for (size_t i = 0; mean && i < bins; i++) {
		double start = layout->from + pixel * (double)i;

		if (isfinite(mean[i]))
			path_level(path, start, start + pixel, mean[i]);
	}
	for (size_t i = 0; !mean && i < n; i++)
		path_level(path, s[i].start, s[i].end, s[i].value);
	path_close(path);
	free(mean);
}

/* One of a graph's curves in one run. */
static void curve(const struct canvas *canvas, const struct pm_panel *panel, int graph, int number)
{
	struct path path = {.canvas = canvas,
		.zero = panel->graph_y[graph] + PM_HEAD_PX + PM_GRAPH_PX,
		.height = PM_GRAPH_PX,
		.top = canvas->layout->top[graph],
		.filled = number == 0};
	struct value_sample *samples;
	size_t n;

	if (!canvas->layout->graph[graph])
		return;
	n = pm_samples(canvas->layout->metrics, panel->sets, &pm_graph(graph)->curve[number], &samples);
	pm_write_samples(&path, samples, n);
	free(samples);
}

/* The filled curves of the runs in one colour, or with color 0 the lines of all. */
static void curves(const struct canvas *canvas, unsigned color)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct pm_panel *panel = &canvas->layout->panel[p];

		for (int graph = 0; graph < PM_GRAPHS; graph++) {
			if (color == panel->color || color == 0)
				curve(canvas, panel, graph, color == 0);
		}
	}
}

/* ---- lines and texts ---- */

/* Zero and top of each graph. */
static void graph_frames(const struct canvas *canvas)
{
	const struct pm_layout *layout = canvas->layout;

	for (int p = 0; p < layout->npanels; p++) {
		for (int g = 0; g < PM_GRAPHS; g++) {
			double top = layout->panel[p].graph_y[g] + PM_HEAD_PX;

			for (int end = 0; layout->graph[g] && end < 2; end++)
				strbuf_printf(canvas->data, "%.7g %.6g\n%.7g %.6g\n\n", layout->from / canvas->scale,
					top + end * PM_GRAPH_PX, layout->to / canvas->scale, top + end * PM_GRAPH_PX);
		}
	}
}

/* What stands at the left edge: lanes, and the ends of the graphs' axes. */
static void edge_names(const struct canvas *canvas)
{
	const struct pm_layout *layout = canvas->layout;
	char text[64];

	for (int p = 0; p < layout->npanels; p++) {
		const struct pm_panel *panel = &layout->panel[p];

		for (int lane = 0; lane < PM_LANES; lane++) {
			if (panel->lane[lane])
				figure_label(canvas->data, 0, panel->lane_y[lane] + PM_LANE_PX / 2.0,
					pm_lane_name(lane, layout->form == FIGURE_NARROW));
		}
		for (int g = 0; g < PM_GRAPHS; g++) {
			double top = panel->graph_y[g] + PM_HEAD_PX;

			if (!layout->graph[g])
				continue;
			snprintf(text, sizeof(text), "%g %s", layout->top[g], pm_graph(g)->unit);
			figure_label(canvas->data, 0, top, text);
			figure_label(canvas->data, 0, top + PM_GRAPH_PX, "0");
		}
	}
}

/* "PCIe: read (filled), written (line)" */
static void graph_names(const struct canvas *canvas)
{
	const struct pm_layout *layout = canvas->layout;
	bool narrow = layout->form == FIGURE_NARROW;
	char text[128];

	for (int p = 0; p < layout->npanels; p++) {
		for (int g = 0; g < PM_GRAPHS; g++) {
			const struct pm_graph *graph = pm_graph(g);
			const struct pm_curve *filled = &graph->curve[0], *line = &graph->curve[1];

			if (!layout->graph[g])
				continue;
			snprintf(text, sizeof(text), "%s: %s (filled), %s (line)", narrow ? graph->brief : graph->words,
				narrow ? filled->brief : filled->words, narrow ? line->brief : line->words);
			figure_label(canvas->data, (layout->from + 4 * pm_pixel(layout)) / canvas->scale,
				layout->panel[p].graph_y[g] + PM_HEAD_PX / 2.0, text);
		}
	}
}

/* A swatch in the run's colour, or the text after it. */
static void pm_titles(const struct canvas *canvas, bool swatches)
{
	const struct pm_layout *layout = canvas->layout;
	double pixel = pm_pixel(layout), from = layout->from;

	for (int p = 0; p < layout->npanels; p++) {
		double y = layout->panel[p].title_y + PM_TITLE_PX / 2.0;

		if (swatches)
			pm_box(canvas, from, from + 12 * pixel, y - 6, 12, layout->panel[p].color);
		else
			figure_label(canvas->data, (from + 18 * pixel) / canvas->scale, y, layout->panel[p].title);
	}
}

/* A blank line keeps the paths apart from the far row. */
static void path_block(const struct canvas *canvas)
{
	figure_block(canvas->data, 2);
	strbuf_putc(canvas->data, '\n');
}

/* The blocks in the order of plots/pm.gp. */
static void pm_write_data(const struct canvas *canvas)
{
	figure_block(canvas->data, 7); /* 0 */
	for (int lane = 0; lane < PM_LANES; lane++)
		lane_in_all_runs(canvas, lane, false);
	pm_titles(canvas, true);
	for (int lane = 0; lane < PM_LANES; lane++) {
		path_block(canvas); /* 1 to 4 */
		lane_in_all_runs(canvas, lane, true);
	}
	path_block(canvas); /* 5 */
	curves(canvas, COLOR_SINGLE);
	path_block(canvas); /* 6 */
	curves(canvas, COLOR_DOUBLE);
	path_block(canvas); /* 7 */
	curves(canvas, 0);
	path_block(canvas); /* 8 */
	graph_frames(canvas);
	figure_block(canvas->data, 3); /* 9: at the left edge */
	edge_names(canvas);
	figure_block(canvas->data, 3); /* 10: over the graphs */
	graph_names(canvas);
	figure_block(canvas->data, 3); /* 11 */
	pm_titles(canvas, false);
}

static void pm_figure(struct figures *figures, const char *name, const struct pm_layout *layout)
{
	struct figure *figure = figure_add(figures, name, layout->form);
	struct canvas canvas = {.layout = layout, .data = &figure->data};

	figure->script = "pm.gp";
	figure->height = layout->height;
	figure_arg(figure, "%d", layout->left);
	canvas.scale = figure_time_axis(figure, layout->from, layout->to, layout->form);
	snprintf(figure->title, sizeof(figure->title), "Occupancy and traffic over time");
	snprintf(figure->desc, sizeof(figure->desc),
		"Curves under the work that ran; the table below the figure has their means and peaks.");
	pm_write_data(&canvas);
}

void figure_pm(const struct figure_family *in)
{
	struct pm_layout layout;
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "pm");
	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++) {
		if (pm_family(&layout, in->family, form))
			pm_figure(in->figures, name, &layout);
	}
}
