/* canvas.c: see canvas.h. */
#include "figure/canvas.h"
#include "util/memory-stream.h"

#include <stdlib.h>
#include <string.h>

/* How many numbers a row of each layer has. */
static const int columns[CANVAS_LAYERS] = {7, 6, 5, 5, 3, 3, 3, 3, 3, 4, 4, 4};

int canvas_open(
	struct canvas *canvas, struct figures *figures, const char *name, enum figure_form form, struct error *err)
{
	bool bad = false;

	*canvas = (struct canvas){.font = form == FIGURE_NARROW ? 12 : 14};
	canvas->figure = figure_open(figures, name, form, &canvas->data, err);
	if (!canvas->figure)
		return -1;
	canvas->figure->script = "canvas.gp";
	for (int i = 0; i < CANVAS_LAYERS; i++) {
		canvas->layer[i] = memory_stream(&canvas->text[i], &canvas->size[i]);
		bad |= !canvas->layer[i];
	}
	if (!bad)
		return 0;
	canvas_close(canvas, err);
	return error_set(err, "not enough memory for the figures");
}

int canvas_close(struct canvas *canvas, struct error *err)
{
	bool bad = false;

	for (int i = 0; i < CANVAS_LAYERS; i++) {
		FILE *layer = canvas->layer[i];

		bad |= !layer || ferror(layer);
		bad |= layer && fclose(layer) != 0;
		figure_block(canvas->data, columns[i]);
		/* A path's first corner must not be joined to the row that opens the block. */
		fputc('\n', canvas->data);
		if (!bad)
			fwrite(canvas->text[i], 1, canvas->size[i], canvas->data);
		free(canvas->text[i]);
	}
	if (figure_close(canvas->data, err) < 0)
		return -1;
	return bad ? error_set(err, "not enough memory for the figures") : 0;
}

void canvas_rect(struct canvas *canvas, enum canvas_layer layer, double left, double top, double right, double bottom,
	unsigned color)
{
	fprintf(canvas->layer[layer], "%.6g %.6g %.6g %.6g %.6g %.6g", (left + right) / 2, (top + bottom) / 2, left,
		right, top, bottom);
	if (layer == CANVAS_FILL)
		fprintf(canvas->layer[layer], " %u", color);
	fputc('\n', canvas->layer[layer]);
}

void canvas_line(
	struct canvas *canvas, enum canvas_layer layer, double x, double y, double to_x, double to_y, unsigned color)
{
	fprintf(canvas->layer[layer], "%.6g %.6g %.6g %.6g %u\n", x, y, to_x - x, to_y - y, color);
}

void canvas_at(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color)
{
	fprintf(canvas->layer[layer], "%.6g %.6g %u\n", x, y, color);
}

void canvas_gap(struct canvas *canvas, enum canvas_layer layer)
{
	/* Not an empty line: two gaps in a row would then end the layer. */
	fputs("NaN NaN 0\n", canvas->layer[layer]);
}

void canvas_text(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color, const char *text)
{
	FILE *out = canvas->layer[layer];

	fprintf(out, "%.6g %.6g \"", x, y);
	/* Nothing that would end the string or the line. */
	for (; *text; text++)
		fputc(*text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? '\'' : *text, out);
	fprintf(out, "\" %u\n", color);
}
