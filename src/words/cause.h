/* cause.h: why double is faster or not, in words. */
#ifndef DBPROF_WORDS_CAUSE_H
#define DBPROF_WORDS_CAUSE_H

#include <jansson.h>

/* Adds to a contrast of the family "because" (at most 14 words, for a table or a terminal) and "cause" (one sentence of
 * at most 25 words), and to each of its causes "text" (a sentence) and "advice" (a sentence or null). */
void cause_words(const json_t *family, json_t *contrast);

#endif
