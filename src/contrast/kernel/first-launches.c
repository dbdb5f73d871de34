/* first-launches.c: what of a run without a range is warm-up: the first launches of its kernels. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

/* A launch of a kernel that was chosen. */
struct counted_launch {
	int64_t process;
	size_t work; /* its place in gather->work, which stands in the order of the calls */
	uint32_t kernel;
};

static int by_kernel_and_process(const void *left, const void *right)
{
	const struct counted_launch *a = left, *b = right;

	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return (a->work > b->work) - (a->work < b->work);
}

/* For free(). */
static struct counted_launch *counted_launches(const struct summing *summing, size_t *n)
{
	const struct gather *gather = summing->gather;
	struct counted_launch *all = xcalloc(gather->n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		uint32_t kernel = work->form == NO_FORM ? NO_FORM : summing->kernel_of_form[work->form];

		if (kernel != NO_FORM && work->step != NO_STEP)
			all[(*n)++] = (struct counted_launch){work->process, i, kernel};
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_kernel_and_process);
	return all;
}

/* Those of one kernel and process: the first one is warm-up. What it took more than the mean of the others. */
static double leave_first(struct summing *summing, const struct counted_launch *from, size_t n)
{
	struct gathered_work *work = summing->gather->work, *first = &work[from->work];
	double first_ns = (double)(first->end - first->start), others = 0;
	struct left_sum *left = &summing->out->left[LEFT_FIRST_LAUNCH];

	for (size_t i = 1; i < n; i++)
		others += (double)(work[from[i].work].end - work[from[i].work].start);
	first->is_warm_up = true;
	left->launches++;
	left->ns = int64_sum(left->ns, first->end - first->start);
	return first_ns - others / (double)(n - 1);
}

/* The only step has one cell of each kernel. `more` is by kernel. */
static void take_from_cells(struct launches *out, const double *more)
{
	for (size_t c = 0; c < out->ncells; c++) {
		out->cells[c].ns -= more[out->cells[c].kernel];
		out->steps[0].ns -= more[out->cells[c].kernel];
	}
}

void first_launches_replace(struct summing *summing)
{
	size_t n;
	struct counted_launch *all = counted_launches(summing, &n);
	double *more = xcalloc(summing->out->nkernels + 1, sizeof(*more));

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && all[to].kernel == all[from].kernel && all[to].process == all[from].process;)
			to++;
		if (to - from >= LAUNCHES_WITH_WARM_UP)
			more[all[from].kernel] += leave_first(summing, &all[from], to - from);
	}
	take_from_cells(summing->out, more);
	free(more);
	free(all);
}
