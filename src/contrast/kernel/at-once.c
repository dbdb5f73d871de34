/* at-once.c: how far kernels run at once: the sum of their durations against the time in which one runs. */
#include "contrast/sum-up.h"

#include <math.h>
#include <stdlib.h>

#include "contrast/step/step-gpu.h"
#include "util/alloc.h"
#include "util/number.h"

/* A launch that counts. */
struct running_launch {
	int64_t start, end;
	int gpu;
};

static int by_gpu_and_start(const void *left, const void *right)
{
	const struct running_launch *a = left, *b = right;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

/* For free(). */
static struct running_launch *running_launches(const struct summing *summing, size_t *n)
{
	const struct gather *gather = summing->gather;
	struct running_launch *all = xcalloc(gather->n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form != NO_FORM && summing->kernel_of_form[work->form] != NO_FORM && !work->is_warm_up &&
			step_gpu_is_steady(gather, work))
			all[(*n)++] = (struct running_launch){work->start, work->end, work->gpu};
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_gpu_and_start);
	return all;
}

void kernels_at_once(struct summing *summing)
{
	size_t n;
	struct running_launch *all = running_launches(summing, &n);
	double sum = 0, busy = 0;
	int64_t end = 0;

	for (size_t i = 0; i < n; i++) {
		const struct running_launch *now = &all[i];
		bool is_next = i > 0 && now->gpu == all[i - 1].gpu;
		int64_t from = is_next && end > now->start ? end : now->start;

		sum += (double)(now->end - now->start);
		busy += now->end > from ? (double)(now->end - from) : 0;
		end = is_next && end > now->end ? end : now->end;
	}
	free(all);
	summing->out->busy_share = sum > 0 ? busy / sum : NAN;
}
