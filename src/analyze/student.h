/* student.h: quantile of Student's t distribution. Private to this room and its tests. */
#ifndef DBPROF_ANALYZE_STUDENT_H
#define DBPROF_ANALYZE_STUDENT_H

#include <stddef.h>

/* 97.5 % quantile of the normal distribution. */
#define NORMAL_QUANTILE 1.959964

/* 97.5 % quantile of Student's t with `freedom` degrees of freedom, at least 1. Within 0.1 %. */
double student_quantile(size_t freedom);

#endif
