/* traced.c: see traced.h. */
#include "analyze/cause/traced.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/statistics/stats.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

static const char *const part_names[TIME_PARTS] = {
	[TIME_H2D] = "h2d",
	[TIME_BOTH] = "both",
	[TIME_D2H] = "d2h",
	[TIME_KERNEL_COPY] = "kernel-copy",
	[TIME_KERNEL] = "kernel",
	[TIME_OTHER] = "other",
	[TIME_IDLE] = "idle",
	[TIME_UNTRACED] = "untraced",
};

const char *time_part_name(enum time_part part)
{
	return part_names[part];
}

/* Other work that runs beside no copy and no kernel. */
static double other_alone(const struct overlap *o)
{
	return (double)o->busy_all - (double)o->busy_copy - (double)o->busy[WORK_KERNEL] + (double)o->overlap;
}

double trace_term_of(const struct traced_run *run, enum trace_term term)
{
	const struct overlap *o = &run->overlap;

	switch (term) {
	case TERM_COPIES:
		return (double)o->busy[WORK_H2D] + (double)o->busy[WORK_D2H];
	case TERM_OVERLAP:
		return (double)o->overlap;
	case TERM_DUPLEX:
		return (double)o->duplex;
	case TERM_OWN_KERNEL:
		return (double)run->own_ns;
	case TERM_OTHER_KERNELS:
		return (double)o->busy[WORK_KERNEL] - (double)run->own_ns;
	case TERM_OTHER:
		return other_alone(o);
	case TERM_ELSEWHERE:
		return (double)run->elsewhere_ns;
	case TERM_IDLE:
		return (double)o->idle - (double)run->elsewhere_ns;
	default:
		return (double)o->span;
	}
}

double trace_term_within(const struct traced_run *run, enum trace_term term, double total)
{
	double ns = trace_term_of(run, term), longer = (double)run->overlap.span - (1 + same_band) * total;
	double idle = trace_term_of(run, TERM_IDLE);

	if (!(longer > 0))
		return ns;
	switch (term) {
	case TERM_IDLE:
		return ns - fmin(longer, idle);
	case TERM_ELSEWHERE:
		return ns - fmin(fmax(longer - idle, 0), ns);
	case TERM_SPAN:
		return ns - fmin(longer, (double)run->overlap.idle);
	default:
		return ns;
	}
}

static double time_part_of(const struct traced_run *run, enum time_part part, double total)
{
	const struct overlap *o = &run->overlap;
	double both = (double)o->exposed_h2d + (double)o->exposed_d2h - (double)o->exposed_copy;

	switch (part) {
	case TIME_H2D:
		return (double)o->exposed_h2d - both;
	case TIME_BOTH:
		return both;
	case TIME_D2H:
		return (double)o->exposed_d2h - both;
	case TIME_KERNEL_COPY:
		return (double)o->overlap;
	case TIME_KERNEL:
		return (double)o->busy[WORK_KERNEL] - (double)o->overlap;
	case TIME_OTHER:
		return other_alone(o);
	default:
		return trace_term_within(run, TERM_IDLE, total) + trace_term_within(run, TERM_ELSEWHERE, total);
	}
}

static double median_and_free(double *x, size_t n)
{
	struct summary summary;

	summarize(x, n, &summary);
	free(x);
	return summary.median;
}

static double median_part(const struct traced_run *run, size_t n, enum time_part part, double total)
{
	double *x = xcalloc(n, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = time_part_of(&run[i], part, total);
	return median_and_free(x, n);
}

bool traced_time_parts(const struct traced_run *run, size_t n, double total, double parts[TIME_PARTS])
{
	double sum = 0, scale;

	if (n == 0 || !(total > 0))
		return false;
	for (int p = 0; p < TIME_UNTRACED; p++)
		sum += parts[p] = median_part(run, n, (enum time_part)p, total);
	scale = sum > total ? total / sum : 1;
	for (int p = 0; p < TIME_UNTRACED; p++)
		parts[p] *= scale;
	parts[TIME_UNTRACED] = total - sum * scale;
	return true;
}
