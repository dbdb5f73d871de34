/* pair.h: both verdicts on two programs. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_PAIR_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_PAIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/family/programs/judging.h"

struct program_pair {
	bool failed; /* a side: nothing is judged */
	bool has_kernels, has_program;
	struct judging kernels, program; /* each refers to the other: the pair stays where it is */
};

/* Judges two variants by their numbers. For program_pair_free(). */
void program_pair_judge(const struct family_rows *f, size_t single, size_t other, struct program_pair *out);
void program_pair_free(struct program_pair *pair);

json_t *program_verdicts_json(const struct program_pair *pair); /* {"kernel", "program"} */

/* The number of a variant, or -1. */
ssize_t side_number(const struct family_rows *f, const char *variant);

#endif
