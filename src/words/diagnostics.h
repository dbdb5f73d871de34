/* diagnostics.h: the texts of diagnostics that the model has found itself. */
#ifndef DBPROF_WORDS_DIAGNOSTICS_H
#define DBPROF_WORDS_DIAGNOSTICS_H

#include <jansson.h>

/* Puts "text" into those of recordings[].diagnostics that have an "id". */
void words_diagnostics(json_t *recording);

#endif
