/* sweeps.h: the comparisons that are points of sweeps, summed up. */
#ifndef DBPROF_COMPARE_SWEEPS_H
#define DBPROF_COMPARE_SWEEPS_H

#include <jansson.h>

/* Of a family: [{"sweep", "points" (comparisons), "same", "faster", "slower", "unclear", "slowest" (of the slower ones,
 * the comparison with the lowest ratio; null if none is slower), "failed": {check: how many}}]. A new reference. */
json_t *compare_sweeps(const json_t *family);

#endif
