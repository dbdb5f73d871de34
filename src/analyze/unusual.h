/* unusual.h: which of many equal things, such as the GPUs of a job, differs from the others. */
#ifndef DBPROF_ANALYZE_UNUSUAL_H
#define DBPROF_ANALYZE_UNUSUAL_H

#include <stddef.h>

/* Of x[n], how far each lies from the median: in standard deviations, told robustly by the median distance from it. The
 * deviation counts as `least` at least, so that things that are all but equal are. Fills score[n]; returns the median.
 * n is at least 1, `least` above 0. */
double unusual_scores(const double *x, size_t n, double least, double *score);

#endif
