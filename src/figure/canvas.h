/*
 * canvas.h: a figure that is laid out in pixels, x and y from its top left, and drawn by plots/canvas.gp: for grids
 * whose cells and texts have to fit. Colours are as in figure.h.
 */
#ifndef DBPROF_FIGURE_CANVAS_H
#define DBPROF_FIGURE_CANVAS_H

#include "figure/figure.h"

/* In the order in which they are drawn, which is that of plots/canvas.gp. */
enum canvas_layer {
	CANVAS_FILL,
	CANVAS_HATCH,
	CANVAS_THIN, /* straight lines */
	CANVAS_THICK,
	CANVAS_DASHED, /* paths */
	CANVAS_CURVE,
	CANVAS_POINT,
	CANVAS_RING,
	CANVAS_DIAMOND,
	CANVAS_LEFT, /* texts: the place is their left end, middle or right end */
	CANVAS_CENTER,
	CANVAS_RIGHT,
	CANVAS_LAYERS
};

struct canvas {
	struct figure *figure; /* its title, desc and height are the caller's; owned by the list of figures */
	struct strbuf layer[CANVAS_LAYERS];
	double font; /* px */
};

/* Starts a figure in the list. Ends with canvas_close(). */
void canvas_open(struct canvas *canvas, struct figures *figures, const char *name, enum figure_form form);

/* Writes the layers into the figure. */
void canvas_close(struct canvas *canvas);

/* A filled rectangle; with CANVAS_HATCH, a hatched one, whose colour is fixed. */
void canvas_rect(struct canvas *canvas, enum canvas_layer layer, double left, double top, double right, double bottom,
	unsigned color);

/* A straight line, of layer CANVAS_THIN or CANVAS_THICK. */
void canvas_line(
	struct canvas *canvas, enum canvas_layer layer, double x, double y, double to_x, double to_y, unsigned color);

/* The next corner of a path, or a point. */
void canvas_at(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color);

/* Ends a path: the next corner starts another one. */
void canvas_gap(struct canvas *canvas, enum canvas_layer layer);

/* One line of text, its middle at y. */
void canvas_text(struct canvas *canvas, enum canvas_layer layer, double x, double y, unsigned color, const char *text);

#endif
