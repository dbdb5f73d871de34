/* now.h: what kernels do now, as their machine code says. */
#ifndef DBPROF_WORDS_CONTRAST_NOW_H
#define DBPROF_WORDS_CONTRAST_NOW_H

#include <jansson.h>

/* Puts "text" into an object of what a kernel does now, as its code says; nothing into null. */
void machine_now_sentence(json_t *now);

/* Puts "text" into "single_now" and "double_now" of each of the family's "code_pairs". */
void machine_now_words(json_t *family);

#endif
