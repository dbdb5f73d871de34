/*
 * timeline.h: where everything stands in a drawn timeline. figure-timeline.c draws by it, and view-timeline.c hands it
 * to the page, so that a pixel under the pointer and a moment of the recording are the same thing to both.
 */
#ifndef DBPROF_REPORT_TIMELINE_H
#define DBPROF_REPORT_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/figure.h"

enum { TIMELINE_PANELS = 2, TIMELINE_MAX_LANES = 32, TIMELINE_MAX_DEPTH = 4 };

/* One run: its title, NVTX ranges, lanes, and the strip that sums up the GPU, from top to bottom. All y in px from the
 * top of the plot, heights in TIMELINE_*_PX. */
struct timeline_panel {
	const json_t *timeline; /* T */
	char title[200];
	unsigned color; /* of the swatch before the title */
	double title_y;
	int depths; /* rows of NVTX ranges */
	double ranges_y;
	size_t nlanes; /* shown: at most TIMELINE_MAX_LANES */
	double lanes_y;
	double strip_y; /* -1 if there is no strip */
};

enum {
	TIMELINE_TITLE_PX = 26,
	TIMELINE_RANGE_PX = 20,
	TIMELINE_LANE_PX = 22,
	TIMELINE_GAP_PX = 5,    /* under each row */
	TIMELINE_SPACE_PX = 14, /* between panels */
	/* Margins of the plot, the same in plots/timeline.gp. */
	TIMELINE_TOP_PX = 4,
	TIMELINE_RIGHT_PX = 14,
	TIMELINE_BOTTOM_PX = 48,
};

struct timeline_layout {
	enum figure_form form;
	struct timeline_panel panel[TIMELINE_PANELS];
	int npanels;
	int width, height, left; /* px */
	double from, to;         /* ns at the left and right edge of the plot */
};

/* Adds a run below the ones that are there; false if it has nothing to draw. */
bool timeline_add(struct timeline_layout *layout, const json_t *timeline, unsigned color, const char *title);

/* Places everything. */
void timeline_place(struct timeline_layout *layout, enum figure_form form);

/* The layout of a family's headline contrast, or of whichever of the pair was traced; false if neither was. */
bool timeline_family(struct timeline_layout *layout, const json_t *family, enum figure_form form);

/* The layout of a whole program. */
bool timeline_program(struct timeline_layout *layout, const json_t *program, enum figure_form form);

/* y of lane `i` of a panel. */
double timeline_lane_y(const struct timeline_panel *panel, size_t i);

/* ns per px. */
double timeline_pixel(const struct timeline_layout *layout);

/* What a lane is called at the left edge. */
void timeline_lane_name(const struct timeline_layout *layout, const json_t *lane, char *text, size_t size);

/* ---- the strip: what the whole GPU does at each moment ---- */

enum strip_kind { STRIP_IDLE, STRIP_KERNEL, STRIP_H2D, STRIP_D2H, STRIP_OTHER };

struct strip_part {
	int64_t start, end;
	enum strip_kind kind; /* a kernel hides what runs beside it; then come copies, which are exposed */
};

/* The parts of [0, span) in order, touching; *parts is for free(). None if a lane has busy shares instead of events. */
int strip_build(const json_t *timeline, struct strip_part **parts, size_t *n);

#endif
