/* order.h: comparison of numbers for qsort() and bsearch(), shared by the files of this room. */
#ifndef DBPROF_ANALYZE_ORDER_H
#define DBPROF_ANALYZE_ORDER_H

/* Ascending; neither may be NaN. */
static inline int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

#endif
