/* side-gpus.h: which GPUs the sides of a contrast ran on. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_SIDE_GPUS_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_SIDE_GPUS_H

#include <jansson.h>

#include "store/rowset.h"

struct family_rows;

/* What two sides have in common. */
enum pair_gpus {
	PAIR_GPUS_UNKNOWN,
	PAIR_GPUS_ONE,   /* all traced runs used the same GPU */
	PAIR_GPUS_CARDS, /* different ones, all of one kind */
	PAIR_GPUS_KINDS, /* GPUs of different kinds, by name and number of SMs */
};

/* `a` and `b` are the processes of the sides: see side_runs(). */
enum pair_gpus pair_gpus(const struct family_rows *f, const struct rows *a, const struct rows *b);

/* "one", "cards", "kinds"; NULL if unknown. */
const char *pair_gpus_word(enum pair_gpus gpus);

/* Puts into a side `gpus`, those that were its own in traced runs, `gpus_at_once` and `gpus_against`, of the first
 * side's processes `first` and its own. */
void side_gpus_put(json_t *object, const struct family_rows *f, const struct rows *first, const struct rows *runs);

#endif
