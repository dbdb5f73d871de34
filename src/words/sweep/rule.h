/* rule.h: where a sweep's pair pays, in words. */
#ifndef DBPROF_WORDS_RULE_H
#define DBPROF_WORDS_RULE_H

#include <jansson.h>
#include <stddef.h>

/* "pays at all 17 points with four chunks or more": a W's "rule". */
void rule_words(const json_t *rule, char *text, size_t size);

/* Of a rule with a variable, at all of whose points it pays: "all 17 with four chunks or more". */
void rule_condition_words(const json_t *rule, char *text, size_t size);

#endif
