/* samples.c: see samples.h. */
#include "figure/samples.h"

#include <math.h>
#include <stdlib.h>

/* Time that a sample has in [start, end). */
static double samples_time_in(const struct value_sample *s, double start, double end)
{
	return fmax(0, fmin(s->end, end) - fmax(s->start, start));
}

/* Of samples in order. */
static double bin_mean(const struct value_sample *s, size_t n, double start, double end)
{
	double sum = 0, time = 0;

	for (size_t i = 0; i < n && s[i].start < end; i++) {
		double part = samples_time_in(&s[i], start, end);

		if (part > 0)
			sum += part * s[i].value;
		time += part;
	}
	return time > 0 ? sum / time : NAN;
}

void samples_mean(const struct value_sample *s, size_t n, double from, double to, double *out, size_t bins)
{
	double length = (to - from) / (double)bins;
	size_t first = 0;

	for (size_t b = 0; b < bins; b++) {
		double start = from + length * (double)b;

		/* Samples come in order, so those that have ended do not come again. */
		while (first < n && s[first].end <= start)
			first++;
		out[b] = bin_mean(s + first, n - first, start, start + length);
	}
}

double samples_peak(const struct value_sample *s, size_t n, double from, double to)
{
	double peak = NAN;

	for (size_t i = 0; i < n; i++) {
		if (samples_time_in(&s[i], from, to) > 0)
			peak = fmax(peak, s[i].value);
	}
	return peak;
}

static int by_start(const void *a, const void *b)
{
	const struct value_sample *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

size_t samples_join(struct value_sample *s, size_t n)
{
	size_t joined = 0;

	qsort(s, n, sizeof(*s), by_start);
	for (size_t i = 0; i < n; i++) {
		if (joined > 0 && s[i].start <= s[joined - 1].end)
			s[joined - 1].end = fmax(s[joined - 1].end, s[i].end);
		else
			s[joined++] = s[i];
	}
	return joined;
}
