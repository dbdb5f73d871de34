/* causes.h: why the programs of a contrast differ, in words. */
#ifndef DBPROF_WORDS_CONTRAST_CAUSES_H
#define DBPROF_WORDS_CONTRAST_CAUSES_H

#include <jansson.h>

/* Adds to each of the family's contrasts "because" (at most 14 words) and "cause" (sentences), or null; to its causes
 * "text" and "advice". What the contrast of all kernels says is of its largest kernel first. */
void contrast_causes_words(json_t *family);

/* The contrast that says why one program is faster: that of all kernels if it names a cause, else that of the program's
 * step. NULL if neither does. */
const json_t *contrast_with_cause(const json_t *family);

#endif
