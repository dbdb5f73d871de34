/* checks.h: what a check of a contrast of programs saw. */
#ifndef DBPROF_WORDS_CONTRAST_CHECKS_H
#define DBPROF_WORDS_CONTRAST_CHECKS_H

#include <jansson.h>

/* Puts "text", and "failure" if the check failed, into each check of a list. */
void contrast_checks_words(json_t *evidence);

/* What the check "agreement" holds against the kernels: "step", "process" or "run", by its fact "basis". */
const char *contradicting_part(const char *basis);

#endif
