/* matches.h: which kernels the sides have in common, and what each adds to the difference. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_MATCHES_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_MATCHES_H

#include <jansson.h>

struct family_rows;
struct program_pair;

/* Adds "difference_ns", "matched", "unmatched", "parts" and how many of each were left out. */
void matches_put(json_t *tree, const struct family_rows *f, const struct program_pair *pair);

#endif
