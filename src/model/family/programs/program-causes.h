/* program-causes.h: why the program's step takes another time. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_PROGRAM_CAUSES_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_PROGRAM_CAUSES_H

#include <jansson.h>

struct judging;

/* Fills "time", "causes" and what belongs to them of the program's contrast (`object`), from what traced runs tell of
 * the host time of a step. Nothing unless both sides' do. */
void program_causes_put(json_t *object, const struct judging *judging);

#endif
