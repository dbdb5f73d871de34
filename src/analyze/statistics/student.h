/* student.h: quantile of Student's t distribution. Private to this folder and its tests. */
#ifndef DBPROF_ANALYZE_STATISTICS_STUDENT_H
#define DBPROF_ANALYZE_STATISTICS_STUDENT_H

/* 97.5 % quantile of the normal distribution. */
#define NORMAL_QUANTILE 1.959964

/* 97.5 % quantile of Student's t. `freedom` is the degrees of freedom: it need not be whole; less than 1 counts as 1.
 * Within 0.5 % from 2 degrees on, 3 % below. */
double student_quantile(double freedom);

#endif
