/* panel.h: one picture of a sweep's curves: where values and ratios stand on its canvas. */
#ifndef DBPROF_FIGURE_PANEL_H
#define DBPROF_FIGURE_PANEL_H

#include "figure/canvas.h"
#include "figure/grid.h"

enum { PANEL_TOP_PX = 24, PANEL_HEIGHT_PX = 340 };

/* One picture: as many curves as it holds, from `first` on. */
struct panel {
	struct canvas canvas;
	const json_t *sweep;
	size_t first, n;           /* of the curves */
	double bottom;             /* of the plot; its top is PANEL_TOP_PX */
	double low, high;          /* of the ratio */
	double from, to, no_limit; /* of the place on the x axis */
};

/* Sets everything behind `n`. All pictures of a sweep get one scale of ratios. */
void panel_lay_out(struct panel *panel);

/* Of a value of x, and of a ratio. */
double panel_x(const struct panel *panel, double x);
double panel_y(const struct panel *panel, double ratio);

/* "block 256": the name of curve `k`. `text` has FORMAT_SIZE bytes. */
char *panel_curve_name(const struct panel *panel, size_t k, char *text);

#endif
