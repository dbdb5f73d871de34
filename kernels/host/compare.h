/* compare.h: compares an output with its reference, element by element. */
#ifndef DBPROF_KERNELS_COMPARE_H
#define DBPROF_KERNELS_COMPARE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "variant.h"

/* Poison is this byte repeated: a NaN as a float, -1 as an int. */
enum { POISON_BYTE = 0xff };

/* Unit roundoff of a float: one rounded operation is off by at most this share of its result. */
#define FLOAT_ROUNDOFF 0x1p-24

/* Integers are exact: less than one apart is equal. */
#define INT_TOLERANCE 0.5

static inline void compare_begin(struct check_result *r)
{
	memset(r, 0, sizeof(*r));
}

/* Compares the next element. A NaN is never within the tolerance, and its error is infinite. */
static inline void compare_next(struct check_result *r, double got, double want, double tolerance)
{
	const double error = isnan(got) ? HUGE_VAL : fabs(got - want);
	const size_t index = r->elements++;

	if (error > r->max_error * tolerance)
		r->max_error = error / tolerance;
	if (error <= tolerance)
		return;
	if (r->wrong++ == 0) {
		r->first_wrong = index;
		r->got = got;
		r->want = want;
	}
}

/* An int as a double, or NaN if it was never written. */
static inline double compare_int(int value)
{
	return value == -1 ? NAN : (double)value;
}

#endif
