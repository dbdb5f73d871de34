/* median.h: which step of a side a contrast shows. */
#ifndef DBPROF_WORDS_CONTRAST_MEDIAN_H
#define DBPROF_WORDS_CONTRAST_MEDIAN_H

#include <jansson.h>

/* Puts "text" into each side's "median_step": which step of which run it is, and how far it is from the median. */
void median_step_words(json_t *family);

#endif
