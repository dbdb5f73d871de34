/* gain.h: what a family's double gains over its single, in both recordings. */
#ifndef DBPROF_MODEL_PAIR_GAIN_H
#define DBPROF_MODEL_PAIR_GAIN_H

#include "model/pair/comparing.h"

/* Which pair is asked for, and in which case. */
struct gain_question {
	const char *family, *single, *dbl, *label;
};

/* Null if one of the two recordings lacks a time. Where gains are compared, it judges them and counts the verdict:
 * faster is a larger gain in new. */
json_t *gain_json(struct comparing *in, const struct gain_question *question);

#endif
