/* cause.h: the cause of a difference, in one sentence. */
#ifndef DBPROF_MODEL_FAMILY_CAUSE_H
#define DBPROF_MODEL_FAMILY_CAUSE_H

#include <stddef.h>

struct contrast;

/* One sentence from measured numbers. */
void cause_words(const struct contrast *contrast, char *text, size_t size);

#endif
