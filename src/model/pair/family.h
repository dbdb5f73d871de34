/* family.h: pairs families, variants and cases by name, and lists what has no counterpart. */
#ifndef DBPROF_MODEL_PAIR_FAMILY_H
#define DBPROF_MODEL_PAIR_FAMILY_H

#include "model/pair/comparing.h"

/* The families that both recordings have, in base's order. Adds the rest to in->missing, counts verdicts. */
json_t *compared_families_json(struct comparing *in);

#endif
