/* pass-words.h: what passes over somebody's programs did not give. */
#ifndef DBPROF_WORDS_CONTRAST_PASS_WORDS_H
#define DBPROF_WORDS_CONTRAST_PASS_WORDS_H

#include <jansson.h>

/* An array of sentences, empty for a recording of families: of each pass behind the timed runs that failed, and of
 * counters that were skipped, whatever the reason, if kernels of a side are clearly faster or slower: who reads that
 * expects a cause. What else was skipped the page tells. */
json_t *pass_words_of_programs(const json_t *recording);

#endif
