/* comparison.h: compares one variant in one case of both recordings. */
#ifndef DBPROF_MODEL_PAIR_COMPARISON_H
#define DBPROF_MODEL_PAIR_COMPARISON_H

#include "model/pair/compared.h"

/* Compares, and counts the verdict. The caller has set what is borrowed and zeroed all else. */
json_t *comparison_json(struct comparing *in, struct compared *compared);

#endif
