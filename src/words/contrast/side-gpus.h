/* side-gpus.h: sides of a contrast that ran on different GPUs. */
#ifndef DBPROF_WORDS_CONTRAST_SIDE_GPUS_H
#define DBPROF_WORDS_CONTRAST_SIDE_GPUS_H

#include <stddef.h>

#include <jansson.h>

/* Puts `gpus_text` into a family of programs: that sides ran on other GPUs than the first one, and what this means;
 * null if none did. Adds it to `text`. */
void contrast_gpus_words(json_t *family, char *text, size_t size);

#endif
