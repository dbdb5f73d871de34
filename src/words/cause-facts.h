/* cause-facts.h: what the sentence of a cause may name in braces; private to cause*.c. */
#ifndef DBPROF_WORDS_CAUSE_FACTS_H
#define DBPROF_WORDS_CAUSE_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a sentence about a contrast may tell of. Any of them may be missing (NULL). */
struct told {
	const json_t *family, *contrast, *why;
	const json_t *side[2]; /* single and double: their entries for the case in variants[].cases[] */
	const json_t *cost[2]; /* what the two cost */
};

struct told told_of(const json_t *family, const json_t *contrast);

/* Writes the fact of this name into `text` (FORMAT_SIZE); false if there is no such fact. `name` has `length`
 * characters: "time.a" is the time of single, "time.b" that of double, "risen" belongs to both. */
bool cause_fact(const struct told *told, const char *name, size_t length, char *text);

#endif
