/* family-rows.h: a family in the making, for the files model-family*.c. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_ROWS_H
#define DBPROF_MODEL_FAMILY_FAMILY_ROWS_H

#include "model/family/floor.h"
#include "model/family/measure.h"
#include "model/recording.h"
#include "store/rowset.h"

/* One family in the making. `measured` has a row of ncases per variant. */
struct family_rows {
	const struct model *model;
	struct rows family, variants, cases; /* family: one row */
	const char *name, *file, *single, *dbl, *unit;
	struct measured *measured;
	char (*anchors)[256];           /* "family/variant" of each variant */
	const struct measured **rivals; /* a row per case: every variant in it */
	struct floor *floors;           /* of each case */
};

/* What was measured of a variant, one per case: by number, and by name (NULL if the family has none). */
struct measured *measured_at(const struct family_rows *f, size_t variant);
struct measured *measured_of(const struct family_rows *f, const char *variant);
/* Every variant in case `i`. */
struct rivals rivals_of(const struct family_rows *f, size_t i);

/* Members of F: model-family-variants.c and model-family-contrasts.c. */
json_t *cases_json(const struct family_rows *f);
json_t *variants_json(const struct family_rows *f);
json_t *contrasts_json(const struct family_rows *f);
json_t *floors_json(const struct family_rows *f);
json_t *family_fastest(const struct family_rows *f);

#endif
