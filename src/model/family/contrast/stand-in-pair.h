/* stand-in-pair.h: which two variants a recording contrasts in a family: its own pair, or two rungs of its ladder where
 * a side of that pair does not run on the device. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_STAND_IN_PAIR_H
#define DBPROF_MODEL_FAMILY_CONTRAST_STAND_IN_PAIR_H

#include "store/rowset.h"

/* Texts are borrowed from the rows. */
struct contrasted_pair {
	const char *single, *dbl;
	const char *missing; /* the side of the family's own pair that these stand in for; NULL: it is the own pair */
	const char *reason;  /* why that side does not run; NULL where `missing` is */
};

/* The pair of row `i` of DBPROF_FAMILY in the recording whose tables these are. The lowest rung stands in that has
 * several buffers over a rung with one, if both run in the headline case; without such a rung the family's own pair
 * stays. While it is measured nobody knows of a pair that stands in: sweeps, PM samples and predictions are of the own
 * one, and nothing makes the gate hold both sides or neither. */
struct contrasted_pair contrasted_pair(const struct rowset *table, const struct rows *families, size_t i);

#endif
