/* under-way.h: from how many bytes under way on more bring nothing, in sentences. */
#ifndef DBPROF_WORDS_UNDER_WAY_H
#define DBPROF_WORDS_UNDER_WAY_H

#include <jansson.h>

/* Puts "text" into a W's "under_way", if that is no JSON null: what was predicted, and what was measured. */
void under_way_words(json_t *sweep);

#endif
