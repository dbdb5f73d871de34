/* sweep.h: what a sweep found, in sentences. */
#ifndef DBPROF_WORDS_SWEEP_H
#define DBPROF_WORDS_SWEEP_H

#include <jansson.h>
#include <stddef.h>

/* Puts the sentences into a W: "reason" of each point, "text" of each crossover and of the rule, "when" and "finding".
 */
void sweep_words(json_t *sweep);

#endif
