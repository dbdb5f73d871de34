/* answer.h: does double buffering pay, over all families of a recording. */
#ifndef DBPROF_WORDS_ANSWER_H
#define DBPROF_WORDS_ANSWER_H

#include <jansson.h>

/* Puts "answer" into an R: one sentence or two; JSON null without families. */
void answer_words(json_t *recording);

#endif
