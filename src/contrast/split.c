/* split.c: one step becomes several estimates of itself. See sum-up.h. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "analyze/thresholds.h"
#include "store/event.h"
#include "util/alloc.h"

/* The mean of some launches. */
struct part_sum {
	double ns;
	size_t n;
};

struct splitting {
	struct summing *summing;
	size_t parts, nkernels;
	uint32_t step;             /* the steady one */
	struct launch_cell *whole; /* its cells */
	size_t ncells;
	size_t *launches;      /* of each kernel in the step, but for warm-up; owned */
	struct part_sum *sums; /* parts times nkernels */
};

/* The kernel of a launch of the step that counts, else NO_FORM. */
static uint32_t counted_kernel(const struct splitting *splitting, const struct gathered_work *work)
{
	if (work->form == NO_FORM || work->step != splitting->step || work->is_warm_up)
		return NO_FORM;
	return splitting->summing->kernel_of_form[work->form];
}

static size_t *launches_that_count(const struct splitting *splitting)
{
	const struct gather *gather = splitting->summing->gather;
	size_t *launches = xcalloc(splitting->nkernels + 1, sizeof(*launches));

	for (size_t i = 0; i < gather->n; i++) {
		uint32_t kernel = counted_kernel(splitting, &gather->work[i]);

		if (kernel != NO_FORM)
			launches[kernel]++;
	}
	return launches;
}

static size_t number_of_parts(const struct splitting *splitting)
{
	size_t parts = PARTS_OF_A_RUN;

	for (; parts > 1; parts--) {
		double ns = 0;

		for (size_t i = 0; i < splitting->ncells; i++)
			if (splitting->launches[splitting->whole[i].kernel] >= parts)
				ns += splitting->whole[i].ns;
		if (ns >= split_share * splitting->summing->out->steps[splitting->step].ns)
			break;
	}
	return parts;
}

/* The sum that a launch belongs to, by its number among those of its kernel that count; NULL: the kernel has fewer of
 * them than there are parts. */
static struct part_sum *sum_of_launch(const struct splitting *splitting, uint32_t kernel, size_t number)
{
	size_t launches = splitting->launches[kernel];

	if (launches < splitting->parts)
		return NULL;
	return &splitting->sums[number * splitting->parts / launches * splitting->nkernels + kernel];
}

/* Work stands in the order of its calls. */
static void sum_up_parts(const struct splitting *splitting)
{
	const struct gather *gather = splitting->summing->gather;
	size_t *seen = xcalloc(splitting->nkernels + 1, sizeof(*seen));

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		uint32_t kernel = counted_kernel(splitting, work);
		struct part_sum *sum = NULL;

		if (kernel != NO_FORM)
			sum = sum_of_launch(splitting, kernel, seen[kernel]++);
		if (sum) {
			sum->ns += (double)(work->end - work->start);
			sum->n++;
		}
	}
	free(seen);
}

static void mark_whole(const struct splitting *splitting)
{
	for (size_t i = 0; i < splitting->ncells; i++) {
		uint32_t kernel = splitting->whole[i].kernel;

		splitting->summing->out->kernels[kernel].is_whole =
			splitting->parts > 1 && splitting->sums[kernel].n == 0;
	}
}

/* `out` is a copy of the whole step. */
static void make_part(
	const struct splitting *splitting, struct launch_cell *cells, size_t part, struct launch_step *out)
{
	out->first_cell = part * splitting->ncells;
	out->ns = 0;
	for (size_t i = 0; i < splitting->ncells; i++) {
		struct launch_cell *cell = &cells[out->first_cell + i];
		const struct part_sum *sum = &splitting->sums[part * splitting->nkernels + splitting->whole[i].kernel];

		*cell = splitting->whole[i];
		if (sum->n)
			cell->ns = sum->ns / (double)sum->n * cell->launches;
		out->ns += cell->ns;
	}
}

static bool begins_process(const struct launches *run, uint32_t step)
{
	for (uint32_t i = 0; i < step; i++)
		if (process_of(run->steps[i].thread) == process_of(run->steps[step].thread))
			return false;
	return true;
}

/* Other steps do not count: they go. */
static void replace_steps(struct splitting *splitting)
{
	struct launches *out = splitting->summing->out;
	struct launch_cell *cells = xcalloc(splitting->parts * splitting->ncells + 1, sizeof(*cells));
	struct launch_step *steps = xcalloc(splitting->parts + 1, sizeof(*steps));

	for (size_t part = 0; part < splitting->parts; part++) {
		steps[part] = out->steps[splitting->step];
		make_part(splitting, cells, part, &steps[part]);
	}
	out->splits_begin = begins_process(out, splitting->step);
	free(out->steps);
	free(out->cells);
	out->steps = steps;
	out->cells = cells;
	out->ncells = splitting->parts * splitting->ncells;
	out->nsteps = out->nsteady = splitting->parts;
	out->is_split = true;
}

static uint32_t only_steady_step(const struct launches *run)
{
	uint32_t step = 0;

	while (run->steps[step].left_out != LEFT_NOTHING)
		step++;
	return step;
}

void split_step(struct summing *summing)
{
	struct launches *out = summing->out;
	struct splitting splitting = {.summing = summing, .nkernels = out->nkernels, .step = only_steady_step(out)};

	splitting.whole = out->cells + out->steps[splitting.step].first_cell;
	splitting.ncells = out->steps[splitting.step].ncells;
	splitting.launches = launches_that_count(&splitting);
	splitting.parts = number_of_parts(&splitting);
	splitting.sums = xcalloc(splitting.parts * splitting.nkernels + 1, sizeof(*splitting.sums));
	sum_up_parts(&splitting);
	mark_whole(&splitting);
	replace_steps(&splitting);
	free(splitting.launches);
	free(splitting.sums);
}
