/* inside.c: the warps of one block over cycles, single above double: load, wait, compute, store. */
#include "figure/inside-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/axis.h"
#include "util/clip.h"

enum { EDGE_PX = 4, TEXT_NARROW_PX = 12, TEXT_WIDE_PX = 14, MAX_EVENTS = 20000, MAX_SLICES = 5000 };

/* What the functions below draw into. */
struct canvas {
	const struct inside_layout *layout;
	struct inside_event *events[INSIDE_PANELS]; /* of each panel */
	size_t n[INSIDE_PANELS];
	double slice; /* cycles: shorter events are drawn as shares */
	struct strbuf *data;
};

/* y of the middle of a warp's row, and the row's height. */
static double row_middle(const struct canvas *canvas, const struct inside_panel *panel, int warp, double *height)
{
	int row = canvas->layout->row;

	*height = warp == 0 ? INSIDE_LANE_PX : row >= 8 ? row - 1 : row - 0.5;
	return warp == 0 ? panel->lane_y + INSIDE_LANE_PX / 2.0 : panel->rows_y + row * (warp - 0.5);
}

/* Events of one warp: a slice of the panel's. */
static const struct inside_event *warp_events(const struct canvas *canvas, int p, int warp, size_t *n)
{
	const struct inside_event *events = canvas->events[p];
	size_t first = 0;

	*n = 0;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): inside_events() gives a list, even of none */
	while (first < canvas->n[p] && events[first].warp < warp)
		first++;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
	while (first + *n < canvas->n[p] && events[first + *n].warp == warp)
		++*n;
	return events + first;
}

/* Lines as thick as a row, of the long events in one phase: warp 0, or the warps below it. */
static void long_events(const struct canvas *canvas, enum inside_phase phase, bool top)
{
	const struct inside_layout *layout = canvas->layout;
	double height;

	for (int p = 0; p < layout->npanels; p++) {
		for (size_t i = 0; i < canvas->n[p]; i++) {
			const struct inside_event *event = &canvas->events[p][i];
			double start = fmax(event->start, layout->from), end = fmin(event->end, layout->to);

			if (event->phase != phase || end <= start || (event->warp == 0) != top ||
				event->end - event->start < canvas->slice)
				continue;
			double y = row_middle(canvas, &layout->panel[p], event->warp, &height);
			strbuf_printf(canvas->data, "%.7g %.6g\n%.7g %.6g\n\n", start, y, end, y);
		}
	}
}

/* One warp's shares of one phase: upright lines as thick as a slice, above those of the phases before it. */
static void row_shares(const struct canvas *canvas, double (*shares)[INSIDE_PHASES], size_t slices,
	enum inside_phase phase, double y, double height)
{
	for (size_t i = 0; i < slices; i++) {
		double x = canvas->layout->from + canvas->slice * ((double)i + 0.5), below = 0;

		for (int before = 0; before < (int)phase; before++)
			below += shares[i][before];
		double low = y + height * (0.5 - below), high = y + height * (0.5 - below - shares[i][phase]);
		if (shares[i][phase] * height >= 0.05)
			strbuf_printf(canvas->data, "%.7g %.6g\n%.7g %.6g\n\n", x, low, x, high);
	}
}

/* The short events of all warps in one phase. */
static void short_events(const struct canvas *canvas, enum inside_phase phase)
{
	const struct inside_layout *layout = canvas->layout;
	size_t slices = (size_t)ceil((layout->to - layout->from) / canvas->slice), n;
	double(*shares)[INSIDE_PHASES] = xcalloc(slices, sizeof(*shares)), height;

	for (int p = 0; p < layout->npanels; p++) {
		for (int warp = 0; warp < layout->panel[p].warps; warp++) {
			const struct inside_event *events = warp_events(canvas, p, warp, &n);
			double y = row_middle(canvas, &layout->panel[p], warp, &height);

			inside_shares(
				events, n, layout->from, layout->from + canvas->slice * (double)slices, shares, slices);
			row_shares(canvas, shares, slices, phase, y, height);
		}
	}
	free(shares);
}

static void row_names(const struct canvas *canvas)
{
	const struct inside_layout *layout = canvas->layout;
	bool narrow = layout->form == FIGURE_NARROW;
	char name[64];

	for (int p = 0; p < layout->npanels; p++) {
		const struct inside_panel *panel = &layout->panel[p];
		int rows = panel->warps - 1;

		figure_label(canvas->data, 0, panel->lane_y + INSIDE_LANE_PX / 2.0, "warp 0");
		if (rows < 1)
			continue;
		if (rows == 1)
			snprintf(name, sizeof(name), "warp 1");
		else
			snprintf(name, sizeof(name), "%s1%s%d", narrow ? "" : "warps ", narrow ? "–" : " to ", rows);
		figure_label(canvas->data, 0, panel->rows_y + layout->row * rows / 2.0, name);
	}
}

/* "Load 3", or "L3" if there is less room, or nothing. */
static void phase_text(const struct canvas *canvas, const struct inside_panel *panel, const struct inside_event *event)
{
	const struct inside_layout *layout = canvas->layout;
	double start = fmax(event->start, layout->from), end = fmin(event->end, layout->to);
	double room = (end - start) / inside_pixel(layout);
	double px = layout->form == FIGURE_NARROW ? TEXT_NARROW_PX : TEXT_WIDE_PX;
	char text[64];

	for (int brief = 0; brief < 2; brief++) {
		snprintf(text, sizeof(text), "%s%s%d", inside_name(event->phase, brief), brief ? "" : " ", event->step);
		if (figure_text_width(text, px) + 2 > room)
			continue;
		figure_label(canvas->data, (start + end) / 2, panel->lane_y + INSIDE_LANE_PX / 2.0, text);
		return;
	}
}

static void phase_texts(const struct canvas *canvas)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		for (size_t i = 0; i < canvas->n[p] && canvas->events[p][i].warp == 0; i++)
			phase_text(canvas, &canvas->layout->panel[p], &canvas->events[p][i]);
	}
}

/* A swatch in the run's colour, or the text after it. */
static void inside_titles(const struct canvas *canvas, bool swatches)
{
	const struct inside_layout *layout = canvas->layout;
	double pixel = inside_pixel(layout), x = layout->from;

	for (int p = 0; p < layout->npanels; p++) {
		double y = layout->panel[p].title_y + INSIDE_TITLE_PX / 2.0;

		if (swatches)
			strbuf_printf(canvas->data, "0 0 %.7g %.7g %.6g %.6g %u\n", x, x + 12 * pixel, y - 6, y + 6,
				layout->panel[p].color);
		else
			figure_label(canvas->data, x + 18 * pixel, y, layout->panel[p].title);
	}
}

/* The blocks in the order of plots/inside.gp. */
static void inside_write_data(const struct canvas *canvas)
{
	for (enum inside_phase phase = INSIDE_LOAD; phase < INSIDE_PHASES; phase++) {
		figure_block(canvas->data, 2); /* 0, 3, 6, 9: the rows */
		strbuf_putc(canvas->data, '\n');
		long_events(canvas, phase, false);
		figure_block(canvas->data, 2); /* 1, 4, 7, 10: warp 0 */
		strbuf_putc(canvas->data, '\n');
		long_events(canvas, phase, true);
		figure_block(canvas->data, 2); /* 2, 5, 8, 11: shares of what is shorter than a slice */
		strbuf_putc(canvas->data, '\n');
		short_events(canvas, phase);
	}
	figure_block(canvas->data, 7); /* 12 */
	inside_titles(canvas, true);
	figure_block(canvas->data, 3); /* 13 */
	row_names(canvas);
	figure_block(canvas->data, 3); /* 14: on colour */
	phase_texts(canvas);
	figure_block(canvas->data, 3); /* 15: on paper */
	inside_titles(canvas, false);
}

/* As wide as can be told apart; wider where there are so many events that slices are fewer. */
static double slice_cycles(const struct canvas *canvas)
{
	const struct inside_layout *layout = canvas->layout;
	double px = layout->width - layout->left - INSIDE_RIGHT_PX, warps = 0, slice = INSIDE_SLICE_PX;
	size_t events = 0;

	for (int p = 0; p < layout->npanels; p++) {
		warps += layout->panel[p].warps;
		events += canvas->n[p];
	}
	if (events > MAX_EVENTS)
		slice = fmax(slice, px * warps / MAX_SLICES);
	return slice * inside_pixel(layout);
}

static void inside_describe(struct figure *figure, const struct inside_layout *layout)
{
	if (layout->steps > 0)
		snprintf(figure->title, sizeof(figure->title), "Inside one block: its warps over cycles, first steps");
	else
		snprintf(figure->title, sizeof(figure->title), "Inside one block: its warps over cycles");
	for (int p = 0; p < layout->npanels; p++)
		clip_append(figure->desc, sizeof(figure->desc), "%s%s", p > 0 ? "; " : "", layout->panel[p].title);
}

static void arguments(struct figure *figure, const struct canvas *canvas)
{
	const struct inside_layout *layout = canvas->layout;
	double height;

	row_middle(canvas, &layout->panel[0], 1, &height);
	figure->script = "inside.gp";
	figure->height = layout->height;
	figure_arg(figure, "%d", layout->left);
	figure_arg(figure, "%.3f", layout->to); /* gnuplot takes no "2e+09" as a number */
	figure_arg(figure, "%.3f", axis_step(layout->to, layout->form == FIGURE_NARROW ? 4 : 9));
	figure_arg(figure, "%g", height);
	figure_arg(figure, "%g", canvas->slice / inside_pixel(layout));
}

static void inside_figure(struct figures *figures, const char *name, const struct inside_layout *layout)
{
	struct figure *figure = figure_add(figures, name, layout->form);
	struct canvas canvas = {.layout = layout, .data = &figure->data};

	for (int p = 0; p < layout->npanels; p++)
		canvas.n[p] = inside_events(layout->panel[p].phases, &canvas.events[p]);
	canvas.slice = slice_cycles(&canvas);
	arguments(figure, &canvas);
	inside_describe(figure, layout);
	inside_write_data(&canvas);
	for (int p = 0; p < layout->npanels; p++)
		free(canvas.events[p]);
}

void figure_inside(const struct figure_family *in)
{
	static const char *const whats[] = {"inside", "inside-zoom"};
	struct inside_layout layout;
	char name[FIGURE_NAME_SIZE];

	for (int zoomed = 0; zoomed < 2; zoomed++) {
		figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), whats[zoomed]);
		for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++) {
			if (inside_family(&layout, in->family, form, zoomed))
				inside_figure(in->figures, name, &layout);
		}
	}
}
