/* pays.h: sentences about the places in a program where double buffering would pay. */
#ifndef DBPROF_WORDS_PAYS_H
#define DBPROF_WORDS_PAYS_H

#include <jansson.h>
#include <stdbool.h>

/* Puts "why", "advice", "doubt", "memory.text" and what words_loops() does into program.pays[], "why" and "advice" into
 * their copies[].
 */
void words_pays(json_t *pays);

/* Puts "host_late.text", "managed.text" and "managed.advice" into each of a list of loops. */
void words_loops(json_t *loops);

/* What of a gain counts that memory is made once, two sentences for free(); NULL if that does not matter. */
char *pays_memory_words(const json_t *pay);

/* How a reason keeps copies from running beside kernels, after "64 copies ...", or after "1 copy ..."; NULL if it does
 * not. */
const char *pays_obstacle(const char *reason, bool one);

#endif
