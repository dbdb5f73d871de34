/* cause-phrases.h: what single causes are called; private to cause*.c. */
#ifndef DBPROF_WORDS_CAUSE_PHRASES_H
#define DBPROF_WORDS_CAUSE_PHRASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A clause with at most two numbers: "warps wait at barriers for 27.2 % of their time instead of 35.0 %". */
void cause_clause(const json_t *contrast, const json_t *cause, char *text, size_t size);

/* The same in short: "barrier wait falls 35 → 27 %". If `brief`, in at most seven words, else in 14. */
void cause_phrase(const json_t *contrast, const json_t *cause, bool brief, char *text, size_t size);

const char *cause_subject(const json_t *cause); /* "barrier wait" */

const char *pace_phrase(const json_t *pace); /* "the shared-memory queue"; "" without one */

const char *cause_advice(const char *action); /* NULL if there is none */

#endif
