/* several.h: the sentences about recordings of one report beside each other. */
#ifndef DBPROF_WORDS_SEVERAL_H
#define DBPROF_WORDS_SEVERAL_H

#include <jansson.h>

/* Adds `text` to history[] and to `across`. */
void words_several(json_t *tree);

#endif
