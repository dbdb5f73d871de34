/* running.c: when which kernel ran, whoever launched it. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

static int running_order(const void *left, const void *right)
{
	const struct running_kernel *a = left, *b = right;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

void running_kernels_find(struct summing *summing)
{
	const struct gather *gather = summing->gather;

	summing->running = xcalloc(gather->n + 1, sizeof(*summing->running));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form != NO_FORM)
			summing->running[summing->nrunning++] =
				(struct running_kernel){work->start, work->end, work->gpu, i};
	}
	if (summing->nrunning > 1)
		qsort(summing->running, summing->nrunning, sizeof(*summing->running), running_order);
}
