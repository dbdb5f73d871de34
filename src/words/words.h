/* words.h: the sentences of a report, made from the numbers of its tree (docs/report-json.md). */
#ifndef DBPROF_WORDS_WORDS_H
#define DBPROF_WORDS_WORDS_H

#include <jansson.h>

/* Adds every sentence to a tree of model_build(). Whoever builds a tree calls this once, before anybody reads it. */
void words_annotate(json_t *tree);

#endif
