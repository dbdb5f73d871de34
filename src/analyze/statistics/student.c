/* student.c: quantile of Student's t distribution. */
#include "analyze/statistics/student.h"

#include <math.h>
#include <stddef.h>

/* 97.5 % for 1 to 30 degrees of freedom. */
static const double quantiles[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
	2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
	2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};

enum { TABLED = sizeof(quantiles) / sizeof(*quantiles) };

/* The logarithm of the quantile is nearly linear in 1 / freedom. */
double student_quantile(double freedom)
{
	size_t below = freedom >= TABLED ? TABLED : freedom > 1 ? (size_t)freedom : 1;
	double high = quantiles[below - 1], low = below < TABLED ? quantiles[below] : NORMAL_QUANTILE;
	double from = 1 / (double)below, to = below < TABLED ? 1 / (double)(below + 1) : 0;

	return high * pow(low / high, (from - 1 / fmax(freedom, 1)) / (from - to));
}
