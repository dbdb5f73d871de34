/* gpus.h: the sentences about a program's GPUs that differ from the others. */
#ifndef DBPROF_WORDS_GPUS_H
#define DBPROF_WORDS_GPUS_H

#include <jansson.h>

/* Adds "unusual_gpus" to the recording's program, if any of its GPUs is unusual. */
void words_gpus(json_t *recording);

#endif
