/* side-words.h: what sentences call a side of a contrast of programs, and what its verdicts lack. Texts live
 * as long as the tree. */
#ifndef DBPROF_WORDS_CONTRAST_SIDE_WORDS_H
#define DBPROF_WORDS_CONTRAST_SIDE_WORDS_H

#include <jansson.h>
#include <stdbool.h>

/* Its command, or its name where that tells more. */
const char *side_called(const json_t *side);

/* The family's side of that name, or NULL. */
const json_t *side_named(const json_t *family, const char *name);

bool verdict_is(const json_t *verdict, const char *word);

/* What the first check that failed says; "" if none did. */
const char *verdict_failure(const json_t *verdict);

/* What an unclear verdict lacks. */
const char *verdict_doubt(const json_t *verdict);

#endif
