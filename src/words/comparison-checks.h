/* comparison-checks.h: what the checks of a comparison saw, in sentences. */
#ifndef DBPROF_WORDS_COMPARISON_CHECKS_H
#define DBPROF_WORDS_COMPARISON_CHECKS_H

#include <jansson.h>

/* Puts "text", what a check of the tree saw, and "failure", why it failed in a few words (null if it did not), into it,
 * in the place of "missing" and "facts". */
void comparison_check_words(const json_t *tree, json_t *check);

#endif
