/* comparison.h: the sentences of a comparison of two recordings. */
#ifndef DBPROF_WORDS_COMPARISON_H
#define DBPROF_WORDS_COMPARISON_H

#include <jansson.h>

/* Adds every sentence to a tree of model_pair_build(), which is then as docs/compare.md says. To be called once. */
void words_comparison(json_t *tree);

#endif
