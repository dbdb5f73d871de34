/* unusual.c: see unusual.h. */
#include "analyze/unusual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "util/alloc.h"

/* Of normally distributed numbers, standard deviations to a median distance. */
static const double median_distance = 1.4826;

double unusual_scores(const double *x, size_t n, double least, double *score)
{
	double *room = xmemdup(x, n * sizeof(*x));
	double median = median_of(room, n), deviation;

	for (size_t i = 0; i < n; i++)
		room[i] = score[i] = fabs(x[i] - median);
	deviation = fmax(median_distance * median_of(room, n), least);
	for (size_t i = 0; i < n; i++)
		score[i] /= deviation;
	free(room);
	return median;
}
