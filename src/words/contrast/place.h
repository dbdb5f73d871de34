/* place.h: kernels that are matched by their place in a step, under different names. */
#ifndef DBPROF_WORDS_CONTRAST_PLACE_H
#define DBPROF_WORDS_CONTRAST_PLACE_H

#include <stddef.h>

#include <jansson.h>

/* The name of the second side's kernel in the match of this case, where it was found by place: a borrowed text. Else
 * NULL. */
const char *name_by_place(const json_t *family, const char *label);

/* Puts `place_text` into a family of programs: the pairs with different names, or null if there is none. */
void contrast_place_words(json_t *family);

#endif
