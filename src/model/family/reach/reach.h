/* reach.h: how far the variants of a family are from what can be reached: a library, a floor, the machine. */
#ifndef DBPROF_MODEL_FAMILY_REACH_REACH_H
#define DBPROF_MODEL_FAMILY_REACH_REACH_H

#include <jansson.h>

struct family_rows;

/* F."ladder": each variant against the floor of the headline case or, without one, against the fastest reference that
 * computes; JSON null where there is neither. */
json_t *ladder_json(const struct family_rows *f);

/* F."climbs": for each timed case the rungs of the family's ladder from the lowest up, each against the one that it
 * changes and against the fastest reference, and the top without one technique; empty without rungs. */
json_t *climbs_json(const struct family_rows *f);

/* Of F."variants" of a family with rungs, what nothing shows: code that is another variant's stands there alone, and
 * variants outside the pair have no PTX text, no samples by instruction, and of the lines those with 1 % of their
 * samples or more. */
void leave_out_of_rungs(json_t *variants);

/* F."roofline": operations per second and per byte of each variant in the headline case, and what the machine reaches;
 * JSON null where no variant has both, or the case copies. */
json_t *roofline_json(const struct family_rows *f);

#endif
