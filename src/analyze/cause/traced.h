/* traced.h: where the time of a traced launch went. */
#ifndef DBPROF_ANALYZE_CAUSE_TRACED_H
#define DBPROF_ANALYZE_CAUSE_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/overlap.h"

/* One traced launch of a variant. */
struct traced_run {
	struct overlap overlap;
	int64_t own_ns; /* busy time of the variant's own kernel */
	size_t own;     /* how often that was launched */
	size_t copies;  /* between host and device, and bytes of them */
	int64_t copy_bytes;
	bool pageable;        /* some of them to or from pageable memory */
	int64_t elsewhere_ns; /* of overlap.idle: the part in which another GPU works */
	/* Of overlap.busy[WORK_OTHER]: with kernels that communicate; NaN where that is not known. */
	double communication_ns;
};

/* Exclusive parts of a launch's time. */
enum time_part {
	TIME_H2D,  /* one direction alone */
	TIME_BOTH, /* both directions, no kernel */
	TIME_D2H,
	TIME_KERNEL_COPY, /* a kernel beside copies */
	TIME_KERNEL,
	TIME_OTHER, /* device-to-device copies and memsets alone */
	TIME_IDLE,
	TIME_UNTRACED, /* what the timed launch takes longer than the traced one */
	TIME_PARTS
};
const char *time_part_name(enum time_part part); /* "h2d" ... */

/* Medians over the runs, idle time by trace_term_within(), and what `total` is longer than they. Scaled down to `total`
 * where it is shorter. False without runs. */
bool traced_time_parts(const struct traced_run *run, size_t n, double total, double parts[TIME_PARTS]);

/* What adds up to a launch's span: copies + kernels (own and others) + other work + idle (in two parts) - overlap -
 * duplex. */
enum trace_term {
	TERM_COPIES,  /* B(h2d) + B(d2h) */
	TERM_OVERLAP, /* of copies with kernels */
	TERM_DUPLEX,  /* of both directions */
	TERM_OWN_KERNEL,
	TERM_OTHER_KERNELS, /* B(kernel) less the own kernel's */
	TERM_OTHER,         /* other work that runs alone */
	TERM_ELSEWHERE,     /* idle while another GPU works */
	TERM_IDLE,          /* the rest of idle time */
	TERM_SPAN,
	TRACE_TERMS
};
double trace_term_of(const struct traced_run *run, enum trace_term term);

/* The same of a launch that takes `total` ns when it is not traced. Under the profiler the host comes later with its
 * next call: what the traced launch takes more than 1 % longer is idle time, as far as it has some: first that in which
 * no GPU works. */
double trace_term_within(const struct traced_run *run, enum trace_term term, double total);

#endif
