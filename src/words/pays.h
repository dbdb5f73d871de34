/* pays.h: sentences about the places in a program where double buffering would pay. */
#ifndef DBPROF_WORDS_PAYS_H
#define DBPROF_WORDS_PAYS_H

#include <jansson.h>
#include <stdbool.h>

/* Puts "why", "advice", "doubt" and what words_loops() does into program.pays[], "why" and "advice" into their
 * copies[].
 */
void words_pays(json_t *pays);

/* Puts "host_late.text", "managed.text" and "managed.advice" into each of a list of loops. */
void words_loops(json_t *loops);

/* How a reason keeps copies from running beside kernels, after "64 copies ...", or after "1 copy ..."; NULL if it does
 * not. */
const char *pays_obstacle(const char *reason, bool one);

#endif
