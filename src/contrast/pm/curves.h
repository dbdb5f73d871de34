/* curves.h: occupancy and traffic over time: further runs of the pair that is shown, in which the GPU is sampled while
 * a step runs.
 */
#ifndef DBPROF_CONTRAST_PM_CURVES_H
#define DBPROF_CONTRAST_PM_CURVES_H

#include "contrast/measure/measure.h"
#include "contrast/samples.h"
#include "contrast/step/median-rows.h"
#include "record/cupti/names.h"
#include "record/cupti/pm/pm-plans.h"
#include "record/cupti/pm/pm-sampling.h"

/* Work that ran meanwhile. */
struct curve_piece {
	int64_t start, end; /* ns, CLOCK_REALTIME */
	int64_t stream;
	uint32_t cls;     /* enum work_class */
	const char *name; /* of a kernel; owned by the curves; NULL: none */
};

/* A metric set of a side. */
struct curve {
	bool is_sampled;           /* else nothing below is set but the reason */
	int64_t start, end;        /* of the step on the host (ns, CLOCK_REALTIME) */
	uint64_t step;             /* number of the step in its process, from 0 */
	bool overflow;             /* samples were lost */
	uint64_t unnoted;          /* pieces of work that are missing */
	struct pm_sample *samples; /* in CLOCK_REALTIME; owned */
	size_t nsamples;
	struct curve_piece *work; /* owned */
	size_t nwork;
	char reason[256]; /* why it was not sampled; "" */
};

struct curved_side {
	size_t side;        /* its number */
	struct curve *sets; /* by place in plans.sets */
	int64_t interval_ns;
	struct error refusal; /* why nothing of its program can be sampled; "" */
	bool has_failed;      /* a run of it did not end well */
};

/* curves_release() frees it. */
struct curves {
	const char *status;  /* DBPROF_PASS.status; NULL: nothing was asked for */
	struct error reason; /* DBPROF_PASS.reason; "" if all went well */
	int64_t start, end;  /* CLOCK_REALTIME (ns) */
	bool has_range;
	struct cupti cupti;
	struct profiler profiler;
	struct pm_plans plans;
	struct curved_side sides[MEDIAN_SIDES];
	char **names; /* of kernels; owned */
	size_t nnames, names_room;
};

/* Runs each side of the pair until every metric set has a step, or the next run would give nothing new, and adds the
 * runs to `measured`. `sides` has their traced runs, of which it samples a step like the median one. Files go to
 * `folder`. `samples` is NULL without a whole block. 0, also where nothing could be sampled: then *out says why. -1
 * with `err` if the person has interrupted. */
int curve_sides(const struct contrast_options *options, const char *folder, struct measurement *measured,
	const struct contrast_samples *samples, const struct median_side sides[MEDIAN_SIDES], struct curves *out,
	struct error *err);
void curves_release(struct curves *curves);

/* Writes the pass, the metrics and what was sampled. */
int rows_of_curves(
	struct recording *rec, const struct contrast_options *options, const struct curves *curves, struct error *err);

#endif
