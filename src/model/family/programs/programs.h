/* programs.h: a family that `dbprof contrast` made of somebody's programs: what its tree has beside that of a family.
 * docs/report-json.md has the keys. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_PROGRAMS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_PROGRAMS_H

#include <jansson.h>
#include <stdbool.h>

struct family_rows;

bool is_of_programs(const struct family_rows *f);

/* F."contrasts": all kernels, the program, and each kernel that was measured by itself. Empty where a side failed. */
json_t *programs_contrasts_json(const struct family_rows *f);

/* Adds "origin", "sides", "verdicts", "matched", "unmatched" and what belongs to them. */
void programs_put(json_t *tree, const struct family_rows *f);

#endif
