/* kernel-causes.h: why a kernel that both programs have takes another time: by its counters, as in a family's pair.
 * Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_KERNEL_CAUSES_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_KERNEL_CAUSES_H

#include <jansson.h>

struct family_rows;
struct judging;

/* Fills "cost" of the kernel's contrast where its resources are known and, where it was counted on both sides, "time",
 * "causes" and what belongs to them, "launches" and "called". The judging has its verdict. */
void kernel_causes_put(json_t *object, const struct judging *judging);

/* F."counter_runs": how far the counting of each kernel and side went, in the order of cases and sides. */
json_t *counter_runs_json(const struct family_rows *f);

#endif
