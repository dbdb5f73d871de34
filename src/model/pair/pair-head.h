/* pair-head.h: what the tree of any comparison begins and ends with. */
#ifndef DBPROF_MODEL_PAIR_PAIR_HEAD_H
#define DBPROF_MODEL_PAIR_PAIR_HEAD_H

#include <jansson.h>

#include "model/pair/comparing.h"

/* "format" to "new": what made it, its mode, and both recordings. */
void pair_put_head(const struct comparing *in, json_t *tree);

/* "summary" and "advice", once all verdicts are counted. */
void pair_put_summary(const struct comparing *in, json_t *tree);

#endif
