/* extent.h: what two sides of a contrast differ in besides the steps that count, in words. Private to this folder. */
#ifndef DBPROF_WORDS_CONTRAST_EXTENT_H
#define DBPROF_WORDS_CONTRAST_EXTENT_H

#include <jansson.h>
#include <stddef.h>

/* Adds "beside_text" to a side; null where nothing differs clearly. */
void beside_words(const json_t *family, json_t *side);

/* Appends that of the best value, or else that of the first side that has one. */
void add_beside_words(const json_t *family, char *text, size_t size);

#endif
