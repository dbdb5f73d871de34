/* elsewhere.c: kernels that a run launches besides its steady steps. See sum-up.h. */
#include "contrast/sum-up.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

static int by_text(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* By kernel: whether it is launched outside of the steps that count. For free(). */
static bool *launched_elsewhere(const struct summing *summing)
{
	const struct gather *gather = summing->gather;
	bool *is_elsewhere = xcalloc(summing->out->nkernels + 1, sizeof(*is_elsewhere));

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		uint32_t kernel = work->form == NO_FORM ? NO_FORM : summing->kernel_of_form[work->form];

		if (kernel != NO_FORM &&
			(work->step == NO_STEP || summing->out->steps[work->step].left_out != LEFT_NOTHING))
			is_elsewhere[kernel] = true;
	}
	return is_elsewhere;
}

void kernels_elsewhere(struct summing *summing)
{
	struct launches *out = summing->out;
	bool *is_elsewhere = launched_elsewhere(summing);

	out->elsewhere = xcalloc(out->nkernels + 1, sizeof(*out->elsewhere));
	for (size_t k = 0; k < out->nkernels; k++)
		if (is_elsewhere[k])
			out->elsewhere[out->nelsewhere++] = kernel_base(summing, (uint32_t)k);
	if (out->nelsewhere > 1)
		qsort(out->elsewhere, out->nelsewhere, sizeof(*out->elsewhere), by_text);
	free(is_elsewhere);
}

bool launches_elsewhere(const struct launches *launches, const char *base)
{
	return launches->nelsewhere > 0 &&
	       bsearch(&base, launches->elsewhere, launches->nelsewhere, sizeof(*launches->elsewhere), by_text);
}
