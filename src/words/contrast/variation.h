/* variation.h: whether a variation has changed anything, and what of the runs did not count. */
#ifndef DBPROF_WORDS_CONTRAST_VARIATION_H
#define DBPROF_WORDS_CONTRAST_VARIATION_H

#include <jansson.h>

/* Puts "variation_text" into a side whose verdicts are there; null unless it runs what the first one runs. */
void variation_words(const json_t *family, json_t *side);

/* Puts "text" into each reason for which something of the side did not count. */
void not_counted_words(json_t *side);

#endif
