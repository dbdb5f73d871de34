/* cost.h: what the second buffer's footprint costs, in one sentence. */
#ifndef DBPROF_WORDS_COST_H
#define DBPROF_WORDS_COST_H

#include <jansson.h>
#include <stddef.h>

/* "control CONTROL is SINGLE with the shared memory of DOUBLE: ...; all else ...", for a contrast whose cost has a
 * control. */
void control_words(const json_t *family, const json_t *contrast, char *text, size_t size);

#endif
