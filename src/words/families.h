/* families.h: the sentences about the families of a recording. */
#ifndef DBPROF_WORDS_FAMILIES_H
#define DBPROF_WORDS_FAMILIES_H

#include <jansson.h>

/* Adds them to recordings[]. */
void words_families(json_t *recording);

#endif
