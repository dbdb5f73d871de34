/* canvas.c: see canvas.h. */
#include "figure/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/axis.h"

/* A bar is at least as long, and a line that is shorter is not drawn: so neither is taken for a dot (svg/svg.h). */
#define SHORTEST 0.3

void canvas_open(struct canvas *canvas, struct figures *figures, const char *name, struct svg_frame frame)
{
	*canvas = (struct canvas){.figure = figure_add(figures, name)};
	canvas->figure->stretches = true;
	canvas->figure->frame = frame;
	canvas->figure->width = CANVAS_WIDTH;
}

void canvas_open_fixed(struct canvas *canvas, struct figures *figures, const char *name, int width)
{
	*canvas = (struct canvas){.figure = figure_add(figures, name)};
	canvas->figure->width = width;
}

/* What is drawn first to last. Paper on top of lines makes rings of dots, of whatever colour. */
enum canvas_depth { DEPTH_AREAS, DEPTH_LINES, DEPTH_PAPER, DEPTHS };

static bool is_at_depth(const struct canvas_layer *layer, enum canvas_depth depth)
{
	if (layer->look.width == 0)
		return depth == DEPTH_AREAS;
	return depth == (layer->look.color == COLOR_PAPER ? DEPTH_PAPER : DEPTH_LINES);
}

/* "0 #D55E00 1 ", for the script. */
static void describe_layers(struct canvas *canvas, enum canvas_depth first, enum canvas_depth last)
{
	struct strbuf *arg = &canvas->figure->arg[canvas->figure->nargs++];

	for (enum canvas_depth depth = first; depth <= last; depth++) {
		for (size_t i = 0; i < canvas->nlayers; i++) {
			const struct canvas_look *look = &canvas->layer[i].look;

			if (is_at_depth(&canvas->layer[i], depth))
				strbuf_printf(arg, "%g #%08X %d ", look->width, look->color, look->dashed ? 2 : 1);
		}
	}
}

/* An empty block is none for gnuplot: each begins with a row far away. */
static void canvas_block(struct strbuf *data, const char *far, const struct strbuf *rows)
{
	strbuf_printf(data, "%s%s\n\n", data->length > 0 ? "\n\n" : "", far);
	if (rows->length > 0)
		strbuf_add(data, rows->text, rows->length);
}

static void write_layers(struct canvas *canvas)
{
	for (enum canvas_depth depth = 0; depth < DEPTHS; depth++)
		for (size_t i = 0; i < canvas->nlayers; i++)
			if (is_at_depth(&canvas->layer[i], depth))
				canvas_block(&canvas->figure->data, "-1e9 -1e9", &canvas->layer[i].data);
}

void canvas_close(struct canvas *canvas)
{
	describe_layers(canvas, DEPTH_AREAS, DEPTH_AREAS);
	describe_layers(canvas, DEPTH_LINES, DEPTH_PAPER);
	write_layers(canvas);
	for (int i = 0; i < 3; i++) {
		canvas_block(&canvas->figure->data, "-1e9 -1e9 \"\" 0", &canvas->text[i]);
		strbuf_free(&canvas->text[i]);
	}
	for (size_t i = 0; i < canvas->nlayers; i++)
		strbuf_free(&canvas->layer[i].data);
	free(canvas->layer);
}

unsigned canvas_faint(unsigned color, double share)
{
	return (unsigned)lround(255 * (1 - share)) << 24 | color;
}

static bool is_layer_of(const struct canvas_layer *layer, struct canvas_look look, bool dots, size_t still)
{
	return layer->look.width == look.width && layer->look.color == look.color &&
	       layer->look.dashed == look.dashed && layer->dots == dots && layer->still == still;
}

static struct strbuf *canvas_layer_of(struct canvas *canvas, struct canvas_look look, bool dots)
{
	size_t i = 0, still = canvas->figure->nstills;

	while (i < canvas->nlayers && !is_layer_of(&canvas->layer[i], look, dots, still))
		i++;
	if (i == canvas->nlayers) {
		xgrow(&canvas->layer, canvas->nlayers, &canvas->room, sizeof(*canvas->layer));
		canvas->layer[canvas->nlayers++] = (struct canvas_layer){.look = look, .dots = dots, .still = still};
	}
	return &canvas->layer[i].data;
}

static void layer_add_line(struct strbuf *data, double x, double y, double to_x, double to_y)
{
	strbuf_printf(data, "%.6g %.6g\n%.6g %.6g\n\n", x, y, to_x, to_y);
}

void canvas_line(struct canvas *canvas, struct canvas_look look, double x, double y, double to_x, double to_y)
{
	if (hypot(to_x - x, to_y - y) >= SHORTEST - 1e-6)
		layer_add_line(canvas_layer_of(canvas, look, false), x, y, to_x, to_y);
}

void canvas_bar(struct canvas *canvas, double left, double right, double top, double height, unsigned color)
{
	double middle = top + height / 2;

	canvas_line(
		canvas, (struct canvas_look){height, color, false}, left, middle, fmax(right, left + SHORTEST), middle);
}

void canvas_column(struct canvas *canvas, double left, double right, double top, double bottom, unsigned color)
{
	double middle = (left + right) / 2;

	canvas_line(canvas, (struct canvas_look){right - left, color, false}, middle, fmin(top, bottom - SHORTEST),
		middle, bottom);
}

void canvas_at(struct canvas *canvas, struct canvas_look look, double x, double y)
{
	strbuf_printf(canvas_layer_of(canvas, look, false), "%.6g %.6g\n", x, y);
}

void canvas_gap(struct canvas *canvas, struct canvas_look look)
{
	struct strbuf *data = canvas_layer_of(canvas, look, false);

	/* Two empty lines would end the layer. */
	if (data->length > 1 && strcmp(data->text + data->length - 2, "\n\n") != 0)
		strbuf_putc(data, '\n');
}

void canvas_dot(struct canvas *canvas, double x, double y, double size, unsigned color)
{
	layer_add_line(canvas_layer_of(canvas, (struct canvas_look){size, color, false}, true), x, y, x + SVG_DOT, y);
}

void canvas_ring(struct canvas *canvas, double x, double y, double size, unsigned color)
{
	canvas_dot(canvas, x, y, size, color);
	canvas_dot(canvas, x, y, size - 3, COLOR_PAPER);
}

void canvas_text(struct canvas *canvas, enum canvas_place place, enum canvas_pages pages, double x, double y,
	unsigned color, const char *text)
{
	static const char where[] = "%%%plrh", on[] = "awn";
	struct strbuf *out = &canvas->text[place == CANVAS_CENTER ? 1 : place == CANVAS_RIGHT ? 2 : 0];
	struct strbuf marked = {0};

	if (pages == CANVAS_NEVER || *text == '\0')
		return;
	if (place == CANVAS_NAME || place == CANVAS_BEHIND)
		x = 0;
	/* The edge is elsewhere on wide pages and on narrow ones. */
	if (place == CANVAS_EDGE && pages == CANVAS_ALL) {
		canvas_text(canvas, place, CANVAS_WIDE, x, y, color, text);
		canvas_text(canvas, place, CANVAS_NARROW, x, y, color, text);
		return;
	}
	/* What svg/svg.h says of texts in a figure that stretches. */
	if (canvas->figure->stretches)
		strbuf_printf(&marked, "%c%c", where[place], on[pages]);
	strbuf_puts(&marked, text);
	strbuf_printf(out, "%.6g %.6g ", x, y);
	figure_quote(out, marked.text);
	strbuf_printf(out, " %u\n", color);
	strbuf_free(&marked);
}

void canvas_head(struct canvas *canvas, double y, unsigned color, const char *title)
{
	canvas_text(canvas, CANVAS_EDGE, CANVAS_ALL, 0, y, color, "■");
	canvas_text(canvas, CANVAS_EDGE, CANVAS_ALL, 18, y, COLOR_INK, title);
}

enum canvas_pages canvas_fits(const struct canvas *canvas, double width, const char *text)
{
	const struct svg_frame *frame = &canvas->figure->frame;
	double needed = figure_text_width(text, CANVAS_FONT_PX) + 8, share = width / CANVAS_WIDTH;

	if (!canvas->figure->stretches)
		return needed <= width ? CANVAS_ALL : CANVAS_NEVER;
	if (needed <= share * (CANVAS_NARROW_PX - frame->narrow_left - frame->narrow_right))
		return CANVAS_ALL;
	return needed <= share * (CANVAS_WIDE_PX - frame->left - frame->right) ? CANVAS_WIDE : CANVAS_NEVER;
}

void canvas_mark(struct canvas *canvas, double left, double top, double right, double bottom, bool in_words,
	const char *format, ...)
{
	struct figure *figure = canvas->figure;
	va_list args;

	xgrow(&figure->mark, figure->nmarks, &figure->marks_room, sizeof(*figure->mark));
	va_start(args, format);
	figure->mark[figure->nmarks++] =
		(struct svg_mark){left, top, right, bottom, xvasprintf(format, args), in_words};
	va_end(args);
}

void canvas_still(struct canvas *canvas, double left, double top, double right, double bottom)
{
	struct figure *figure = canvas->figure;

	xgrow(&figure->still, figure->nstills, &figure->stills_room, sizeof(*figure->still));
	figure->still[figure->nstills++] = (struct svg_still){left, top, right, bottom};
}

/* ---- the axis ---- */

/* Into how many parts a step of a narrow page is divided on a wide one, so that its numbers stay round. */
static int divide_step(double step, double span)
{
	static const struct {
		double leading;
		int parts[3];
	} divisions[] = {{1, {5, 2, 1}}, {2, {4, 2, 1}}, {2.5, {5, 1, 1}}, {5, {5, 2, 1}}, {10, {5, 2, 1}}};
	double leading = step / pow(10, floor(log10(step) + 1e-9));
	size_t i = 0, k = 0;

	while (i < 4 && leading > divisions[i].leading * 1.01)
		i++;
	while (k < 2 && span / step * divisions[i].parts[k] > 10)
		k++;
	return divisions[i].parts[k];
}

static void write_tick(struct canvas *canvas, const struct canvas_axis *axis, double value, bool fine)
{
	double x = CANVAS_WIDTH * (value - axis->from) / (axis->to - axis->from);
	char text[32];

	canvas_line(canvas, (struct canvas_look){0.75, COLOR_GRID, false}, x, axis->top, x, axis->bottom + 4);
	snprintf(text, sizeof(text), "%.6g", value);
	canvas_text(canvas, CANVAS_CENTER, fine ? CANVAS_WIDE : CANVAS_ALL, x, axis->bottom + 14, COLOR_INK_2, text);
}

void canvas_axis(struct canvas *canvas, const struct canvas_axis *axis)
{
	const double middle = CANVAS_WIDTH / 2.0, y = axis->bottom + 36;
	double span = axis->to - axis->from, step = axis_step(span, 4);
	int parts, first;

	step = axis->whole ? ceil(fmax(1, step)) : step;
	parts = divide_step(step, span);
	if (axis->whole && fmod(step, parts) != 0)
		parts = 1;
	first = (int)ceil(axis->from / step * parts - 1e-6);
	/* Counted, so that it ends also where a step is too small to change the number. */
	for (int i = 0; i <= 60 && (first + i) * step / parts <= axis->to + span * 1e-6; i++)
		write_tick(canvas, axis, (first + i) * step / parts, (first + i) % parts != 0);
	canvas_line(canvas, (struct canvas_look){1, COLOR_INK_2, false}, 0, axis->bottom, CANVAS_WIDTH, axis->bottom);
	if (strcmp(axis->title, axis->brief) == 0) {
		canvas_text(canvas, CANVAS_CENTER, CANVAS_ALL, middle, y, COLOR_INK_2, axis->title);
		return;
	}
	canvas_text(canvas, CANVAS_CENTER, CANVAS_WIDE, middle, y, COLOR_INK_2, axis->title);
	canvas_text(canvas, CANVAS_CENTER, CANVAS_NARROW, middle, y, COLOR_INK_2, axis->brief);
}
