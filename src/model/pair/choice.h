/* choice.h: what of two recordings was chosen to be compared. */
#ifndef DBPROF_MODEL_PAIR_CHOICE_H
#define DBPROF_MODEL_PAIR_CHOICE_H

#include "model/pair/comparing.h"

/* Whether this was chosen; with a variant or label of NULL, whether anything in it was. */
bool pair_chosen(const struct pair_options *options, const char *family, const char *variant, const char *label);

/* 0, or -1 with in->err for a choice that names nothing in either recording: a slip of the pen. */
int check_choice(const struct comparing *in);

#endif
