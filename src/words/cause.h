/* cause.h: why double is faster or not, in one sentence of measured numbers. */
#ifndef DBPROF_WORDS_CAUSE_H
#define DBPROF_WORDS_CAUSE_H

#include <jansson.h>
#include <stddef.h>

/* The sentence for one of the family's contrasts, from its "why" and from what was measured of both sides. */
void cause_words(const json_t *family, const json_t *contrast, char *text, size_t size);

#endif
