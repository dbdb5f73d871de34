/* step-causes.h: why a step's kernels take another time, all together. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_STEP_CAUSES_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_STEP_CAUSES_H

#include <jansson.h>

struct judging;

/* Fills "causes" and what belongs to them of the contrast of all kernels, from the family's "parts" and "counter_runs",
 * and from the causes of the contrasts of its kernels and CUDA graphs, which are there. Graphs that were counted stand
 * for the kernels that graphs launch, if they have all of their time. Nothing if nothing was counted on both sides. */
void step_causes_put(json_t *family, const struct judging *kernels);

#endif
