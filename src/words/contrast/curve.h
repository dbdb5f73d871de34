/* curve.h: which of the values that a contrast varies is the best. */
#ifndef DBPROF_WORDS_CONTRAST_CURVE_H
#define DBPROF_WORDS_CONTRAST_CURVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes it, and puts it into the family's "curve" as "text". False, and nothing is written, without values. */
bool curve_words(json_t *family, char *text, size_t size);

#endif
