/* near.h: comparison of doubles for unit tests; cmocka 1.1 has only float. Include after <cmocka.h>. */
#ifndef DBPROF_TESTS_NEAR_H
#define DBPROF_TESTS_NEAR_H

#include <math.h>

/* |got - want| <= tolerance; NaN is near nothing. Each argument is evaluated once. */
static inline void assert_near_at(double got, double want, double tolerance, const char *file, int line)
{
	if (!(fabs(got - want) <= tolerance)) {
		print_error("%.17g is not within %g of %.17g\n", got, tolerance, want);
		_fail(file, line);
	}
}

#define assert_near(got, want, tolerance) assert_near_at(got, want, tolerance, __FILE__, __LINE__)

#endif
