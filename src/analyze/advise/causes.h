/* causes.h: why stages pay or do not, as typed causes. Within the room. */
#ifndef DBPROF_ANALYZE_ADVISE_CAUSES_H
#define DBPROF_ANALYZE_ADVISE_CAUSES_H

#include "analyze/advise/change.h"

/* Fills in the causes of a result whose gains, verdict and stages are known. */
void advise_tell_causes(const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out);

#endif
