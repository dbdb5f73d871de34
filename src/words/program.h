/* program.h: the sentences about a traced program. */
#ifndef DBPROF_WORDS_PROGRAM_H
#define DBPROF_WORDS_PROGRAM_H

#include <jansson.h>

/* Adds them to recordings[]; nothing if its "program" is null. */
void words_program(json_t *recording);

#endif
