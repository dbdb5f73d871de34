/* sample.c: which work is looked at for estimates: all of it, or stretches of a large recording. */
#include <stdlib.h>

#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "util/alloc.h"

/* So much work is looked at as a whole. More is looked at in stretches of STRETCH pieces, which bounds memory: a power
 * of two of them, at most STRETCHES. */
enum { WHOLE = 1 << 16, STRETCH = 1 << 14, STRETCHES = 16 };

/* From the first call or start to the last end. */
static void stretch_extent(const struct trace *trace, struct pays_stretch *stretch)
{
	stretch->from = INT64_MAX;
	stretch->to = INT64_MIN;
	for (size_t i = stretch->first; i < stretch->first + stretch->count; i++) {
		int64_t issue = pays_issue(trace, i), start = trace->start[i];

		stretch->from = start < stretch->from ? start : stretch->from;
		stretch->from = issue < stretch->from ? issue : stretch->from;
		stretch->to = trace->end[i] > stretch->to ? trace->end[i] : stretch->to;
	}
}

void pays_sample_make(struct pays_sample *sample, const struct trace *trace)
{
	size_t stretches = STRETCHES;
	bool whole = trace->nwork <= WHOLE;

	while (!whole && stretches * STRETCH > trace->nwork)
		stretches /= 2;
	*sample = (struct pays_sample){.n = whole ? 1 : stretches, .scale = 1};
	sample->stretch = xcalloc(sample->n, sizeof(*sample->stretch));
	if (whole) {
		sample->stretch[0] = (struct pays_stretch){INT64_MIN, INT64_MAX, 0, trace->nwork};
		return;
	}
	for (size_t s = 0; s < sample->n; s++) {
		sample->stretch[s].first = (size_t)((double)trace->nwork / (double)sample->n * (double)s);
		sample->stretch[s].count = STRETCH;
		stretch_extent(trace, &sample->stretch[s]);
	}
	sample->scale = (double)trace->nwork / ((double)STRETCH * (double)sample->n);
}

void pays_sample_free(struct pays_sample *sample)
{
	free(sample->stretch);
}
