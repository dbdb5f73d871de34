/* grid.h: a sweep while its tree is made: its pair, its axes and the points of its grid. */
#ifndef DBPROF_MODEL_SWEEP_GRID_H
#define DBPROF_MODEL_SWEEP_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/analyze.h"
#include "store/rowset.h"

struct model;

/* The parameter that limits resident blocks on purpose. 0 is no limit, so it stands behind every number. */
#define PARAM_BLOCKS "blocks"

/* All borrowed but `points`. */
struct sweep {
	const struct model *model;
	struct rows row;      /* of DBPROF_SWEEP: one */
	struct rows variants; /* of the family */
	const char *family, *name, *single, *dbl;
	const char *x, *y; /* parameters; y is "" where there is none */
	bool buffering;    /* double has more buffers than single */
	bool kernel_bound; /* no copies in a launch: a gap must hold in cycles too */
	struct sweep_point *points;
	size_t npoints;
};

/* A point of the grid. */
struct sweep_point {
	struct rows row; /* of DBPROF_CASE: one */
	const char *label;
	double x, y;             /* values; y is NaN in a sweep of one parameter */
	double x_place, y_place; /* on an axis: infinity where blocks are not limited */
	double chunks;           /* of a pipeline's launch; NaN if not known: see chunks_find() */
	/* Filled by sweep_point_json(): */
	struct ratio ratio; /* NaN if not measured */
	enum verdict verdict;
};

/* Whether the second buffer can overlap anything: not where a pipeline has one chunk only, and so nothing to do
 * meanwhile. */
bool point_overlappable(const struct sweep *sweep, const struct sweep_point *point);

/* Row `i` of the family's rows of DBPROF_SWEEP, with its points curve by curve, each along x. A case that lacks a
 * parameter of the sweep has no place in the grid and is left out. For grid_free(). */
void grid_read(
	const struct model *model, const struct rows *family, const struct rows *sweeps, size_t i, struct sweep *out);

void grid_free(struct sweep *sweep);

/* The row of DBPROF_PARAM of a parameter in a case; empty if the recording lacks it. */
struct rows param_row(const struct model *model, const char *family, const char *label, const char *param);

/* The value of a parameter in a case of the sweep; NaN if the recording lacks it. */
double param_value(const struct sweep *s, const char *label, const char *param);

#endif
