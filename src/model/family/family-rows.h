/* family-rows.h: one family while its tree is made: its rows, and what was measured of each variant in each case. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_ROWS_H
#define DBPROF_MODEL_FAMILY_FAMILY_ROWS_H

#include <stdint.h>

#include "model/family/floor.h"
#include "model/family/measured.h"
#include "store/rowset.h"

struct model;

/* Texts are borrowed from the rows. */
struct family_rows {
	const struct model *model;
	struct rows family, variants, cases; /* family: one row; cases: its own, without the points of sweeps */
	const char *name, *file, *single, *dbl, *unit;
	const char *missing, *missing_why; /* these and single, dbl as contrasted_pair() has them */
	struct measured *measured;         /* a row of all cases for each variant; owned */
	char **anchors;                    /* "family/variant" of each variant; owned */
	const struct measured **rivals;    /* a row of all variants for each case; owned */
	struct floor *floors;              /* of each case; owned */
};

/* Measures row `i` of DBPROF_FAMILY. For family_free(). */
void family_measure(const struct model *model, const struct rows *families, size_t i, struct family_rows *f);

void family_free(struct family_rows *f);

/* What was measured of a variant, an element per case: by its number, and by its name (NULL if the family has none). */
struct measured *measured_at(const struct family_rows *f, size_t variant);
struct measured *measured_of(const struct family_rows *f, const char *variant);

/* Every variant in case `i`. */
struct rivals rivals_of(const struct family_rows *f, size_t i);

/* The file with the code of variant number `variant`. */
const char *family_file_of(const struct family_rows *f, size_t variant);

/* The same by its name; the family's own file for one that it has not. */
const char *family_file_of_variant(const struct family_rows *f, const char *variant);

/* How many buffers variant number `v` uses in the headline case; 0 if the recording does not say. */
int64_t family_buffers_at(const struct family_rows *f, size_t v);

/* The same of the variant of a name. */
int64_t family_buffers_of(const struct family_rows *f, const char *variant);

#endif
