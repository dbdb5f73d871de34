/* gain.h: what a family's double gains over its single, in both recordings. */
#ifndef DBPROF_MODEL_PAIR_GAIN_H
#define DBPROF_MODEL_PAIR_GAIN_H

#include "model/pair/comparing.h"

/* Which pair is asked for, and in which case. */
struct gain_question {
	const char *family, *single, *dbl, *label;
};

/* Null if one of the two recordings lacks a time. */
json_t *gain_json(const struct comparing *in, const struct gain_question *question);

#endif
