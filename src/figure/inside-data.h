/*
 * inside-data.h: the inside of a kernel as time stamps saw it: where the warps of a block stand in the figure, and what
 * a picture of limited width can show of them.
 */
#ifndef DBPROF_FIGURE_INSIDE_DATA_H
#define DBPROF_FIGURE_INSIDE_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "figure/figure.h"

enum inside_phase { INSIDE_LOAD, INSIDE_WAIT, INSIDE_COMPUTE, INSIDE_STORE, INSIDE_PHASES };

/* One phase of one warp, in cycles after the block's first stamp. */
struct inside_event {
	int warp, step;
	enum inside_phase phase;
	double start, end;
};

/* The events of a variant's "phases", by warp and start; *list is for free(). Rows that make no sense are left out.
 * Returns how many there are. */
size_t inside_events(const json_t *phases, struct inside_event **list);

/* The key of a phase in the model ("wait"), and its name in a figure, brief or not: "Wait", "W". */
const char *inside_key(enum inside_phase phase);
const char *inside_name(enum inside_phase phase, bool brief);
unsigned inside_color(enum inside_phase phase);

/*
 * Shares of the phases in each of `slices` equal slices of [from, to), for the events (of one warp) shorter than a
 * slice; longer ones are to be drawn as they are. A share is of what the longer events leave of the slice, so where
 * both stand in one slice, each is drawn in its place. out[slice][phase] in 0..1.
 */
void inside_shares(const struct inside_event *events, size_t n, double from, double to, double (*out)[INSIDE_PHASES],
	size_t slices);

/* A run in the figure: its title, warp 0 as a lane with texts, and below it a row for each of the others. y in px from
 * the top of the plot. */
struct inside_panel {
	const json_t *phases;
	char title[256];
	unsigned color; /* of the swatch before the title */
	int warps;      /* in the figure */
	double title_y, lane_y, rows_y;
};

enum {
	INSIDE_PANELS = 2,
	INSIDE_MAX_WARPS = 64, /* a block of today's GPUs has half as many at most */
	INSIDE_TITLE_PX = 26,
	INSIDE_LANE_PX = 22,
	INSIDE_SPACE_PX = 14, /* between panels */
	INSIDE_LEFT_PX = 120,
	INSIDE_NARROW_LEFT_PX = 60,
	INSIDE_RIGHT_PX = 24,
};

struct inside_layout {
	struct inside_panel panel[INSIDE_PANELS];
	int npanels;
	int height, bottom; /* px: of the figure, and where the axis is */
	int row;            /* px from one warp to the next */
	double from, to;    /* cycles at the left and right edge of the plot */
	int steps;          /* from the first on, that are in the picture; 0: all */
};

/* The layout of a family's headline contrast, or of whichever of the pair has stamps; false if neither does. `zoomed`
 * shows only as many steps as leave room for their names; false too if that is most of them. */
bool inside_family(struct inside_layout *layout, const json_t *family, bool zoomed);

/* "phases" of the family's single or double in the headline case, or NULL. */
const json_t *inside_phases(const json_t *family, const char *role);

/* ---- the share of waiting, step by step ---- */

/* Steps [first, last] taken together: waiting and all cycles of the warps. */
struct wait_step {
	double first, last;
	double wait, all;
};

/* The steps of a variant's "phases", `group` at a time; *list is for free(). Returns how many there are. */
size_t wait_steps(const json_t *phases, size_t group, struct wait_step **list);

/* How many steps go together, in single and double alike, so that there are at most `most` groups. */
size_t wait_group(const json_t *family, size_t most);

/* wait / all, or NaN. */
double wait_share(const struct wait_step *step);

#endif
