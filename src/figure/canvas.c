/* canvas.c: see canvas.h. */
#include "figure/canvas.h"

/* How many numbers a row of each layer has. */
static const int columns[CANVAS_LAYERS] = {7, 6, 5, 5, 3, 3, 3, 3, 3, 4, 4, 4};

void canvas_open(struct canvas *canvas, struct figures *figures, const char *name, enum figure_form form)
{
	*canvas = (struct canvas){.font = form == FIGURE_NARROW ? 12 : 14};
	canvas->figure = figure_add(figures, name, form);
	canvas->figure->script = "canvas.gp";
}

void canvas_close(struct canvas *canvas)
{
	struct strbuf *data = &canvas->figure->data;

	for (int i = 0; i < CANVAS_LAYERS; i++) {
		figure_block(data, columns[i]);
		/* A path's first corner must not be joined to the row that opens the block. */
		strbuf_putc(data, '\n');
		strbuf_add(data, canvas->layer[i].text, canvas->layer[i].length);
		strbuf_free(&canvas->layer[i]);
	}
}

void canvas_rect(struct canvas *canvas, enum canvas_layer layer, double left, double top, double right, double bottom,
	unsigned color)
{
	strbuf_printf(&canvas->layer[layer], "%.6g %.6g %.6g %.6g %.6g %.6g", (left + right) / 2, (top + bottom) / 2,
		left, right, top, bottom);
	if (layer == CANVAS_FILL)
		strbuf_printf(&canvas->layer[layer], " %u", color);
	strbuf_putc(&canvas->layer[layer], '\n');
}

void canvas_line(
	struct canvas *canvas, enum canvas_layer layer, double x, double y, double to_x, double to_y, unsigned color)
{
	strbuf_printf(&canvas->layer[layer], "%.6g %.6g %.6g %.6g %u\n", x, y, to_x - x, to_y - y, color);
}

void canvas_at(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color)
{
	strbuf_printf(&canvas->layer[layer], "%.6g %.6g %u\n", x, y, color);
}

void canvas_gap(struct canvas *canvas, enum canvas_layer layer)
{
	/* Not an empty line: two gaps in a row would then end the layer. */
	strbuf_puts(&canvas->layer[layer], "NaN NaN 0\n");
}

void canvas_text(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color, const char *text)
{
	struct strbuf *out = &canvas->layer[layer];

	strbuf_printf(out, "%.6g %.6g ", x, y);
	figure_quote(out, text);
	strbuf_printf(out, " %u\n", color);
}
