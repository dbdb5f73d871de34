/* all-parts.h: what the check "all-parts" of two traces saw. Private to this folder. */
#ifndef DBPROF_WORDS_CONTRAST_ALL_PARTS_H
#define DBPROF_WORDS_CONTRAST_ALL_PARTS_H

#include <jansson.h>

/* Puts "text" and "failure" into that check of a verdict's evidence, if it is there. */
void all_parts_words(json_t *evidence);

#endif
