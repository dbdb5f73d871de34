/*
 * pm-data.h: what PM sampling says about a launch, as curves over time: which there are, their samples, and where they
 * stand in the figure.
 */
#ifndef DBPROF_FIGURE_PM_DATA_H
#define DBPROF_FIGURE_PM_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "figure/figure.h"
#include "figure/samples.h"

enum { PM_GRAPHS = 3, PM_CURVES = 2 };

/* A graph with its two curves: the first is drawn filled, the second as a line. */
struct pm_graph {
	const char *words, *brief; /* "SMs" */
	const char *unit;          /* "%" or "GB/s" */
	struct pm_curve {
		const char *key; /* of the derived metric */
		const char *words, *brief;
	} curve[PM_CURVES];
};

const struct pm_graph *pm_graph(int graph);

/* The sets of the family's single or double in the headline case; NULL if there are none. */
const json_t *pm_sets(const json_t *family, const char *role);

/* The samples of a curve from whichever set has it, in its graph's unit, in the order of time; *list is for free().
 * `metrics` are the family's, with the formulas. Returns how many there are: none if no set has the curve. */
size_t pm_samples(const json_t *metrics, const json_t *sets, const struct pm_curve *curve, struct value_sample **list);

/* The longest of the sets' runs (ns); 0 without sets. */
double pm_duration(const json_t *sets);

/* Whether the sets are steps of a program: time then begins where the step does, else with the first work. */
bool pm_are_steps(const json_t *sets);

/* The work beside the samples: that of the first set which has some. */
const json_t *pm_work(const json_t *sets);

enum { PM_PANELS = 2, PM_LANES = 4 };

/* One run: title, a lane per class of work, graphs. y in px from the top of the plot. */
struct pm_panel {
	const json_t *sets;
	char title[256];
	unsigned color;
	double title_y;
	bool lane[PM_LANES]; /* there is work of the class */
	double lane_y[PM_LANES];
	double graph_y[PM_GRAPHS]; /* of its head */
};

enum {
	PM_TITLE_PX = 26,
	PM_LANE_PX = 16,
	PM_GAP_PX = 4,
	PM_HEAD_PX = 24, /* over each graph: what it shows */
	PM_GRAPH_PX = 64,
	PM_SPACE_PX = 20, /* between panels */
	PM_LEFT_PX = 120,
	PM_NARROW_LEFT_PX = 96,
	PM_RIGHT_PX = 24,
	PM_BINS = 200,
	PM_LEAST_SAMPLES = 20, /* a curve of fewer says nothing: its mean and peak stand in the table */
};

struct pm_layout {
	const json_t *metrics; /* of the family */
	struct pm_panel panel[PM_PANELS];
	int npanels;
	int height, bottom;    /* px: of the figure, and where the axis is */
	double from, to;       /* ns */
	bool steps;            /* see pm_are_steps() */
	bool graph[PM_GRAPHS]; /* one of the runs has enough samples for it */
	double top[PM_GRAPHS]; /* upper end of its axis, the same for all runs */
};

/* Makes samples, as of pm_samples(), what the figure draws: of more than PM_BINS the means of as many slices of the
 * axis. Returns how many there are. */
size_t pm_drawn(const struct pm_layout *layout, struct value_sample *list, size_t n);

/* The layout of a family's headline contrast, or of whichever of the pair was sampled; false if no
 * curve has enough samples. */
bool pm_family(struct pm_layout *layout, const json_t *family);

/* "h2d" ... in the order of the lanes, and its name at the left edge. */
const char *pm_lane_key(int lane);
const char *pm_lane_name(int lane, bool brief);

#endif
