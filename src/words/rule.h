/* rule.h: where a sweep's pair pays, in words. */
#ifndef DBPROF_WORDS_RULE_H
#define DBPROF_WORDS_RULE_H

#include <jansson.h>
#include <stddef.h>

/* "pays at all 17 points with four chunks or more": a W's "rule". */
void rule_words(const json_t *rule, char *text, size_t size);

#endif
