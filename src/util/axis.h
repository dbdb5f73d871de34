/* axis.h: ticks of an axis. */
#ifndef DBPROF_UTIL_AXIS_H
#define DBPROF_UTIL_AXIS_H

/* A step for an axis of length `span` with at most `ticks` steps: 1, 2, 2.5 or 5 times a power of ten; 1 if span is not
 * above 0. */
double axis_step(double span, int ticks);

#endif
