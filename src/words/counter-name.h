/* counter-name.h: counters in plain words. */
#ifndef DBPROF_WORDS_COUNTER_NAME_H
#define DBPROF_WORDS_COUNTER_NAME_H

#include <jansson.h>

/* Puts "text", the title with a plain word before it ("memory wait (long scoreboard)"), into each of a contrast's
 * "moved". */
void counter_name_words(json_t *moved);

#endif
