/* side-words.h: what sentences call a side of a contrast of programs, and what its verdicts lack. Texts live
 * as long as the tree. */
#ifndef DBPROF_WORDS_CONTRAST_SIDE_WORDS_H
#define DBPROF_WORDS_CONTRAST_SIDE_WORDS_H

#include <jansson.h>
#include <stdbool.h>

/* Its command, or its name where that tells more. */
const char *side_called(const json_t *side);

/* Behind "was", of a side that failed and did not end by itself: who ended it and why, or that it never began. "" of
 * others. */
const char *side_ended_words(const json_t *side);

/* The family's side of that name, or NULL. */
const json_t *side_named(const json_t *family, const char *name);

bool verdict_is(const json_t *verdict, const char *word);

/* What the first check that failed says; "" if none did. */
const char *verdict_failure(const json_t *verdict);

/* What an unclear verdict lacks. */
const char *verdict_doubt(const json_t *verdict);

#endif
