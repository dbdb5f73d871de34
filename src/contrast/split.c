/* split.c: one run without steps becomes several estimates of itself. See sum-up.h. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "util/alloc.h"

/* The kernels that are launched at least once for each part take at least this share of the time. */
static const double split_share = 0.95;

/* The mean of some launches. */
struct part_sum {
	double ns;
	size_t n;
};

struct splitting {
	struct summing *summing;
	size_t parts, nkernels;
	struct launch_cell *whole; /* of the run's only step; owned */
	size_t ncells;
	struct part_sum *sums; /* parts times nkernels */
};

static size_t first_that_counts(size_t launches)
{
	return launches >= LAUNCHES_WITH_WARM_UP ? 1 : 0;
}

static size_t launches_that_count(const struct launch_cell *cell)
{
	return cell->launches - first_that_counts(cell->launches);
}

static size_t number_of_parts(const struct launches *out)
{
	size_t parts = PARTS_OF_A_RUN;

	for (; parts > 1; parts--) {
		double ns = 0;

		for (size_t i = 0; i < out->ncells; i++)
			ns += launches_that_count(&out->cells[i]) >= parts ? out->cells[i].ns : 0;
		if (ns >= split_share * out->steps[0].ns)
			break;
	}
	return parts;
}

/* The sum that a launch belongs to, by its number among those of its kernel; NULL: it is warm-up, or the kernel has
 * fewer launches than there are parts. */
static struct part_sum *sum_of_launch(const struct splitting *splitting, uint32_t kernel, size_t number)
{
	size_t launches = splitting->summing->out->kernels[kernel].launches, first = first_that_counts(launches), part;

	if (number < first || launches - first < splitting->parts)
		return NULL;
	part = (number - first) * splitting->parts / (launches - first);
	return &splitting->sums[part * splitting->nkernels + kernel];
}

/* Work stands in the order of its calls. */
static void sum_up_parts(const struct splitting *splitting)
{
	const struct gather *gather = splitting->summing->gather;
	size_t *seen = xcalloc(splitting->nkernels + 1, sizeof(*seen));

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		uint32_t kernel = work->form == NO_FORM ? NO_FORM : splitting->summing->kernel_of_form[work->form];
		struct part_sum *sum = NULL;

		if (kernel != NO_FORM && work->step != NO_STEP)
			sum = sum_of_launch(splitting, kernel, seen[kernel]++);
		if (sum) {
			sum->ns += (double)(work->end - work->start);
			sum->n++;
		}
	}
	free(seen);
}

/* `out` is a copy of the whole run. */
static void make_part(const struct splitting *splitting, size_t part, struct launch_step *out)
{
	struct launch_cell *cells = splitting->summing->out->cells + part * splitting->ncells;

	out->first_cell = part * splitting->ncells;
	out->ns = 0;
	for (size_t i = 0; i < splitting->ncells; i++) {
		const struct part_sum *sum = &splitting->sums[part * splitting->nkernels + splitting->whole[i].kernel];

		cells[i] = splitting->whole[i];
		if (sum->n)
			cells[i].ns = sum->ns / (double)sum->n * cells[i].launches;
		out->ns += cells[i].ns;
	}
}

void split_run(struct summing *summing)
{
	struct launches *out = summing->out;
	struct splitting splitting = {
		.summing = summing,
		.parts = number_of_parts(out),
		.nkernels = out->nkernels,
		.whole = out->cells,
		.ncells = out->ncells,
	};
	struct launch_step whole = out->steps[0];

	splitting.sums = xcalloc(splitting.parts * splitting.nkernels + 1, sizeof(*splitting.sums));
	sum_up_parts(&splitting);
	out->ncells = splitting.parts * splitting.ncells;
	out->cells = xcalloc(out->ncells + 1, sizeof(*out->cells));
	out->steps = xreallocarray(out->steps, splitting.parts, sizeof(*out->steps));
	out->nsteps = out->nsteady = splitting.parts;
	for (size_t part = 0; part < splitting.parts; part++) {
		out->steps[part] = whole;
		make_part(&splitting, part, &out->steps[part]);
	}
	free(splitting.whole);
	free(splitting.sums);
}
