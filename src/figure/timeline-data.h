/*
 * timeline-data.h: where everything stands in a drawn timeline. timeline.c draws by it. The page gets it too, so that
 * its script knows which moment is under the pointer.
 */
#ifndef DBPROF_FIGURE_TIMELINE_DATA_H
#define DBPROF_FIGURE_TIMELINE_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "figure/figure.h"

enum { TIMELINE_PANELS = 8, TIMELINE_MAX_LANES = 32, TIMELINE_MAX_DEPTH = 4 };

/* NVTX ranges nest within a thread: each thread has rows of its own, as many as its ranges are deep. */
struct timeline_thread {
	double id;         /* 0 where the model names none */
	int first, depths; /* rows */
};

/* One run, or the work of one process on one GPU: its title, NVTX ranges, lanes, and the strip that sums up the GPU,
 * from top to bottom. All y in px from the top of the plot, heights in TIMELINE_*_PX. */
struct timeline_panel {
	const json_t *timeline; /* T */
	bool parted;            /* of the timeline, only what `process` did on `device` */
	double device, process;
	bool shared; /* others use that device too: the strip is not the whole GPU */
	bool alone;  /* the work of other steps is not known: the strip is that of the step */
	bool whole;  /* the strip begins and ends with the timeline, else with the first and last work */
	char title[200];
	unsigned color; /* of the swatch before the title */
	double title_y;
	int depths; /* rows of NVTX ranges */
	struct timeline_thread thread[TIMELINE_MAX_DEPTH];
	int nthreads; /* that have rows */
	double ranges_y;
	const json_t *lane[TIMELINE_MAX_LANES]; /* those shown, in the order of the timeline */
	size_t nlanes;
	double lanes_y;
	double strip_y; /* -1 if there is no strip */
};

enum {
	TIMELINE_TITLE_PX = 26,
	TIMELINE_RANGE_PX = 20,
	TIMELINE_LANE_PX = 22,
	TIMELINE_GAP_PX = 5,    /* under each row */
	TIMELINE_SPACE_PX = 14, /* between panels */
	TIMELINE_RIGHT_PX = 24,
};

struct timeline_layout {
	struct timeline_panel panel[TIMELINE_PANELS];
	int npanels;
	struct svg_frame frame;                 /* room for the names of lanes */
	int height, bottom;                     /* px: of the figure, and where the axis is */
	double from, to;                        /* ns at the left and right edge of the plot */
	size_t lanes_left_out, panels_left_out; /* for want of room */
	bool of_steps;                          /* the runs are steps of programs, or whole programs */
	int from_step, from_work, from_kernel;  /* how many sides begin with the step, its first work, its first kernel
						 */
};

/* Adds a run below the ones that are there; false if it has nothing to draw. */
bool timeline_add(struct timeline_layout *layout, const json_t *timeline, unsigned color, const char *title);

/* Places everything. */
void timeline_place(struct timeline_layout *layout);

/* A function that makes the layout of something: a family, a program, a place. */
typedef bool timeline_maker(struct timeline_layout *layout, const json_t *subject);

/* The layout of a family's headline contrast, or of whichever of the pair was traced; false if neither was. */
bool timeline_family(struct timeline_layout *layout, const json_t *family);

/* The layout of a whole program: a panel for each process on each GPU, in it the busiest streams (timeline-program.c).
 * GPUs that differ from the others come first.
 * Streams and panels for which there is no room are counted in *layout. */
bool timeline_program(struct timeline_layout *layout, const json_t *program);

/* Adds a step of a program of which another side is shown, too: a panel for each process on each GPU, headed by the
 * side, if there are several. */
void timeline_step(struct timeline_layout *layout, const json_t *timeline, unsigned color, const char *side);

/* The layout of a close-up of one place where double buffering would pay: Y of the model. False if it has none. */
bool timeline_close(struct timeline_layout *layout, const json_t *pay);

/* Whether a lane, or an NVTX range, of the panel's timeline belongs to the panel. */
bool timeline_has(const struct timeline_panel *panel, const json_t *lane_or_range);

/* y of lane `i` of a panel. */
double timeline_lane_y(const struct timeline_panel *panel, size_t i);

/* The row of an NVTX range, from 0, or -1 if it has none: not of the panel, too deep, of a thread too many. */
int timeline_range_row(const struct timeline_panel *panel, const json_t *range);

/* The colour that the program gave to an NVTX range, else COLOR_INK_2. */
unsigned timeline_range_color(const json_t *range);

/* ns per px of the widest page; more where there are so many lanes that the figure would get too large. Of what is
 * shorter and near to each other, one slice is drawn. */
double timeline_slice(const struct timeline_layout *layout);

/* An event, or several that are too short and too near to each other to be told apart. */
struct timeline_slice {
	double start, end;   /* ns */
	const json_t *first; /* of the events */
	size_t events;
	bool others; /* none of them is of the step that is shown */
};

/* How much of its colour an NVTX range has, and work of other steps: as in templates/script/timelines.js. */
#define TIMELINE_PALE 0.3

/* The events of a lane, which come in order, as slices; *list is for free(). Returns how many there are. */
size_t timeline_slices(const json_t *lane, double slice, struct timeline_slice **list);

/* Whether nothing in the lane is of the step that is shown. */
bool timeline_all_others(const json_t *lane);

/* What a lane is called at the left edge, in full or in brief; its GPU and process stand in the panel's title, if there
 * are several. */
void timeline_lane_name(const json_t *lane, bool brief, char *text, size_t size);

/* ---- the strip: what the whole GPU does at each moment ---- */

/* The kinds of work that run, added up; none is idle time. */
enum strip_work { STRIP_KERNEL = 1, STRIP_H2D = 2, STRIP_D2H = 4, STRIP_OTHER = 8 };

struct strip_part {
	int64_t start, end;
	unsigned work;
};

/* "copies both ways" */
const char *strip_words(unsigned work);

/* The parts in order, touching, of the work of a panel, hidden lanes included; *parts is for free(). Returns how many
 * there are: none if a lane has busy shares instead of events. */
size_t strip_build(const struct timeline_panel *panel, struct strip_part **parts);

/* Of parts that are too short and too many to be told apart, leaves in each slice the work that takes most of it.
 * Returns how many are left. */
size_t strip_thin(struct strip_part *parts, size_t n, double slice);

#endif
