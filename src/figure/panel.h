/* panel.h: the picture of a sweep's curve: where values and ratios stand on its canvas. */
#ifndef DBPROF_FIGURE_PANEL_H
#define DBPROF_FIGURE_PANEL_H

#include "figure/canvas.h"
#include "figure/grid.h"

enum { PANEL_TOP_PX = 24, PANEL_HEIGHT_PX = 340 };

struct panel {
	struct canvas canvas;
	const json_t *sweep;
	double bottom;             /* of the plot; its top is PANEL_TOP_PX */
	double low, high;          /* of the ratio */
	double from, to, no_limit; /* of the place on the x axis */
};

/* Sets everything behind `sweep`. */
void panel_lay_out(struct panel *panel);

/* Of a value of x, and of a ratio. */
double panel_x(const struct panel *panel, double x);
double panel_y(const struct panel *panel, double ratio);

#endif
