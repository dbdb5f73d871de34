/* evidence.h: what the checks of the evidence saw, in sentences. */
#ifndef DBPROF_WORDS_EVIDENCE_H
#define DBPROF_WORDS_EVIDENCE_H

#include <jansson.h>

/* Puts "text", what the check saw, and "failure", why it failed in a few words (null if it did not), into an E. */
void evidence_words(json_t *check);

#endif
