/* sweep.h: what the files of the model's sweeps share; private to model-sweep*.c, model-prediction.c,
 * model-balance.c and model-claims.c. Conventions as in model.h. */
#ifndef DBPROF_MODEL_SWEEP_SWEEP_H
#define DBPROF_MODEL_SWEEP_SWEEP_H

#include "analyze/analyze.h"
#include "model/model.h"

/* The parameter that limits resident blocks on purpose: 0 is no limit, so it stands behind every number. */
#define PARAM_BLOCKS "blocks"

/* A sweep in the making. All borrowed but `points`. */
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
	double x, y;             /* values; NaN if the recording lacks them */
	double x_place, y_place; /* on an axis: infinity where blocks are not limited */
	/* Filled by sweep_point_json(): */
	struct ratio ratio;
	enum verdict verdict;
};

/* A variant at a point, without the blocks in which the GPU was throttled. */
struct point_side {
	const char *variant;
	struct series times, cycles; /* owned */
	double median;               /* of the times; NaN without any */
	bool wrong, verified;        /* at this point */
};

/* Reads a variant's samples; none if it came out wrong and they are to be withheld. -1 without memory; side_free() in
 * any case. */
int side_read(
	const struct sweep *sweep, const char *label, const char *variant, bool withhold, struct point_side *side);
void side_free(struct point_side *side);

/* Puts "parts", "candidates" and "hidden_share" (model-sweep-parts.c). `pair` has the times of single and double;
 * *floor becomes the variant whose time is the floor, borrowed, or NULL. */
int point_parts(json_t *object, const struct sweep *sweep, const struct sweep_point *point, const double pair[2],
	const char **floor);

/* The value of a parameter in a case; NaN if the recording lacks it. */
double param_value(const struct model *model, const char *family, const char *label, const char *param);
/* Where a value stands on the axis of a parameter. */
double param_place(const char *param, double value);

/* A point with all that was measured there (model-sweep-point.c). */
json_t *sweep_point_json(const struct sweep *sweep, struct sweep_point *point);

/* {"ratio", ...} of DBPROF_PREDICTION; JSON null where nothing was predicted (model-prediction.c). */
json_t *predicted_json(
	const struct model *model, const char *family, const char *label, const char *single, const char *dbl);

/* How predictions did, over the elements of some arrays that have "predicted", "speedup" and "verdict". JSON null if
 * none has a prediction and a speed-up. */
json_t *score_json(const json_t *const *lists, size_t nlists);

/* Names and finding (model-sweep-text.c), into `text`. */
void crossover_words(const struct sweep *sweep, const struct sweep_point *curve, const struct crossover *crossover,
	char *text, size_t size);
/* One sentence on the whole sweep, from its tree with points and crossovers. */
void finding_words(const struct sweep *sweep, const json_t *tree, char *text, size_t size);

/* F."sweeps" of a family, which is one row of DBPROF_FAMILY, and what is made from it. */
json_t *sweeps_json(const struct model *model, const struct rows *family);
json_t *machine_json(const struct model *model, const char *family);
json_t *balance_json(const json_t *sweeps, const json_t *machine); /* model-balance.c */

/* R."prediction" and R."claims", from all families' trees. */
json_t *prediction_json(const json_t *families);
json_t *claims_json(const json_t *families); /* model-claims.c */

#endif
