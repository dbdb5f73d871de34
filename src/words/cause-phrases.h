/* cause-phrases.h: what single causes are called; private to cause*.c. */
#ifndef DBPROF_WORDS_CAUSE_PHRASES_H
#define DBPROF_WORDS_CAUSE_PHRASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A clause with at most two numbers: "warps wait at barriers for 27.2 % of their time instead of 35.0 %". */
void cause_clause(const json_t *contrast, const json_t *cause, char *text, size_t size);

/* The same in short, in time: "17.8 µs less barrier wait". If `brief`, in at most seven words, else in 14. */
void cause_phrase(const json_t *contrast, const json_t *cause, bool brief, char *text, size_t size);

/* The largest named cause that goes the way of the difference, or NULL: "first_cause" is its id. In a step several
 * kernels may have it. */
const json_t *cause_named_first(const json_t *contrast);

/* How many words a text has; and how many a reason in a table or a terminal has at most. */
int cause_words_in(const char *text);
enum { BECAUSE_WORDS_MOST = 14 };

/* Appends the clause as a sentence, behind a blank where something stands before it. */
void cause_add_sentence(char *text, size_t size, const char *clause);

const char *cause_subject(const json_t *cause); /* "barrier wait" */

/* What it does against another cause, in at most six words: "33.3 µs more instruction time". */
void cause_against(const json_t *cause, char *text, size_t size);

const char *pace_phrase(const json_t *pace); /* "queue wait"; "" without one */

const char *cause_advice(const char *action); /* NULL if there is none */

#endif
