/* communication.h: a sentence about communication between GPUs. */
#ifndef DBPROF_WORDS_COMMUNICATION_H
#define DBPROF_WORDS_COMMUNICATION_H

#include <jansson.h>

/* Adds "text" to program.communication, which may be null: how much communication runs beside computation on the GPU
 * that could gain most, and what to overlap the rest would bring. */
void words_communication(json_t *communication);

#endif
