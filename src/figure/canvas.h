/*
 * canvas.h: what figures are drawn on: places in, shapes and texts out, drawn by plots/canvas.gp. Colours are as in
 * figure.h, with an opacity in front where one is wanted: canvas_faint().
 *
 * There are two kinds of canvas. One stretches to the width of the page: x goes from 0 to CANVAS_WIDTH over its plot,
 * whatever that measures, y is in px from the top, and texts, strokes and dots keep their size. So one drawing serves
 * wide and narrow pages; texts may be for one of the two. The other keeps its shape: x and y are in px.
 */
#ifndef DBPROF_FIGURE_CANVAS_H
#define DBPROF_FIGURE_CANVAS_H

#include "figure/figure.h"

enum {
	CANVAS_WIDTH = 1000,
	CANVAS_FONT_PX = 13,
	CANVAS_AXIS_PX = 48, /* what an axis takes below the plot */
	/* What a page has for a figure at least: narrow ones, and those that are wide (templates/style/figures.css). */
	CANVAS_NARROW_PX = 288,
	CANVAS_WIDE_PX = 620,
	CANVAS_WIDEST_PX = 1100, /* for how many pixels there should be shapes */
};

/* What a line or an area looks like. Shapes of one look are drawn together, looks in the order of their first use;
 * areas lie below all lines, lines of paper above all others. */
struct canvas_look {
	double width; /* px; an area has 0 */
	unsigned color;
	bool dashed;
};

enum canvas_place {
	CANVAS_LEFT, /* the text begins at x, is centred there, or ends there */
	CANVAS_CENTER,
	CANVAS_RIGHT,
	CANVAS_PX,     /* begins x px right of the plot's left edge */
	CANVAS_NAME,   /* ends left of the plot; x is not used */
	CANVAS_BEHIND, /* begins right of the plot; x is not used */
	CANVAS_EDGE,   /* begins x px right of the figure's left edge */
};

/* On which pages a text stands. */
enum canvas_pages { CANVAS_ALL, CANVAS_WIDE, CANVAS_NARROW, CANVAS_NEVER };

struct canvas {
	struct figure *figure; /* its title, desc and height are the caller's; owned by the list of figures */
	struct canvas_layer {
		struct canvas_look look;
		bool dots;    /* they alone have round ends: lines of their look have a layer of their own */
		size_t still; /* stills have layers of their own: no path is in two */
		struct strbuf data;
	} * layer;
	size_t nlayers, room;
	struct strbuf text[3]; /* left, centred, right */
};

/* Starts a figure that stretches, with so much room in px beside the plot on wide and on narrow pages. Ends with
 * canvas_close(). */
void canvas_open(struct canvas *canvas, struct figures *figures, const char *name, struct svg_frame frame);

/* Starts a figure that keeps its shape. Where it has to be legible on narrow pages, at most CANVAS_FIXED_PX. */
enum { CANVAS_FIXED_PX = 340 };
void canvas_open_fixed(struct canvas *canvas, struct figures *figures, const char *name, int width);

/* Writes all into the figure. */
void canvas_close(struct canvas *canvas);

/* A colour through which its ground is seen: `share` of it is opaque. */
unsigned canvas_faint(unsigned color, double share);

/* A filled bar from `left` to `right`, `height` px high from `top` down. */
void canvas_bar(struct canvas *canvas, double left, double right, double top, double height, unsigned color);

/* The same, upright: from `bottom` up to `top`. */
void canvas_column(struct canvas *canvas, double left, double right, double top, double bottom, unsigned color);

/* A straight line. Nothing where it has no length that is seen. */
void canvas_line(struct canvas *canvas, struct canvas_look look, double x, double y, double to_x, double to_y);

/* The next corner of a path, or of an area's edge; canvas_gap() ends it. */
void canvas_at(struct canvas *canvas, struct canvas_look look, double x, double y);
void canvas_gap(struct canvas *canvas, struct canvas_look look);

/* A dot `size` px across. A ring is a dot with one of paper on it. */
void canvas_dot(struct canvas *canvas, double x, double y, double size, unsigned color);
void canvas_ring(struct canvas *canvas, double x, double y, double size, unsigned color);

/* One line of text, its middle at y. Nothing on CANVAS_NEVER. */
void canvas_text(struct canvas *canvas, enum canvas_place place, enum canvas_pages pages, double x, double y,
	unsigned color, const char *text);

/* The title of a panel, from the left edge of the figure on, behind a square of its colour. */
void canvas_head(struct canvas *canvas, double y, unsigned color, const char *title);

/* On which pages a text has room in so much of the plot's width. */
enum canvas_pages canvas_fits(const struct canvas *canvas, double width, const char *text);

/* A place with a value: its text is shown where a pointer is on it. `in_words` where a text of the figure has the
 * value, too: it then takes less room (svg/svg.h). */
void canvas_mark(struct canvas *canvas, double left, double top, double right, double bottom, bool in_words,
	const char *format, ...) __attribute__((format(printf, 7, 8)));

/* What is drawn until the next one belongs to a still inside these edges (px), on a canvas that keeps its shape. */
void canvas_still(struct canvas *canvas, double left, double top, double right, double bottom);

/* An axis below the plot, whose bottom is at `bottom`: lines up to `top`, numbers, a title. */
struct canvas_axis {
	double from, to; /* at 0 and at CANVAS_WIDTH, in units of the axis */
	double top, bottom;
	const char *title, *brief; /* on wide and on narrow pages */
	bool whole;                /* only whole numbers */
};

void canvas_axis(struct canvas *canvas, const struct canvas_axis *axis);

#endif
