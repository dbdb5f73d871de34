/* choose.c: see choose.h. */
#include "contrast/count/choose.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/communicates.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

/* A case of one kernel; the difference of one side is its time. */
struct differing_case {
	size_t place;
	double difference, ns; /* the largest of its sides */
};

static struct differing_case differing_case_of(const struct contrast_samples *samples, size_t place)
{
	const struct case_side *sides = samples->cases[place].sides;
	struct differing_case one = {place, samples->nsides > 1 ? 0 : sides[0].kernel->ns, sides[0].kernel->ns};

	for (size_t s = 1; s < samples->nsides; s++) {
		if (!sides[s].kernel)
			continue;
		one.difference = fmax(one.difference, fabs(sides[s].kernel->ns - sides[0].kernel->ns));
		one.ns = fmax(one.ns, sides[s].kernel->ns);
	}
	return one;
}

static int by_difference(const void *left, const void *right)
{
	const struct differing_case *a = left, *b = right;

	if (a->difference != b->difference)
		return a->difference > b->difference ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Whether enough are chosen. */
static bool is_enough(const struct contrast_options *options, size_t chosen, double taken, double all)
{
	if (options->kernels > 0)
		return chosen >= options->kernels || chosen >= CHOSEN_KERNELS_MOST;
	return chosen >= COUNTED_KERNELS || (chosen > 0 && taken >= counted_difference * all);
}

size_t count_choose(const struct contrast_options *options, const struct contrast_samples *samples, size_t *out)
{
	struct differing_case *all = xcalloc(samples->ncases + 1, sizeof(*all));
	double sum = 0, taken = 0;
	size_t n = 0, chosen = 0;

	for (size_t i = 0; i < samples->ncases; i++) {
		if (samples->cases[i].measure != MEASURES_KERNEL)
			continue;
		all[n] = differing_case_of(samples, i);
		sum += all[n++].difference;
	}
	/* Of a program that is alone, cases are its longest kernels; the part is of all. */
	if (samples->nsides == 1)
		sum = samples->sides[0].kernels.ns;
	if (n > 1)
		qsort(all, n, sizeof(*all), by_difference);
	while (chosen < n && !is_enough(options, chosen, taken, sum)) {
		taken += all[chosen].difference;
		out[chosen] = all[chosen].place;
		chosen++;
	}
	free(all);
	return chosen;
}

size_t count_choose_graphs(const struct contrast_samples *samples, const size_t *chosen, size_t n, size_t *out)
{
	bool any = false;
	size_t graphs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t s = 0; s < samples->nsides; s++) {
			const struct side_kernel *kernel = samples->cases[chosen[i]].sides[s].kernel;

			any |= kernel && kernel->kernel.in_graphs;
		}
	for (size_t i = 0; any && i < samples->ncases; i++)
		if (samples->cases[i].measure == MEASURES_GRAPH)
			out[graphs++] = i;
	return graphs;
}

const char *count_chose_nothing(const struct contrast_options *options, const struct contrast_samples *samples)
{
	const struct side_kernels *first = &samples->sides[0].kernels;

	if (options->nsides > 1 && first->n > 0 && first->differing == first->n)
		return "kernels of the first command have other names in each run";
	return options->nsides > 1 ? "no kernel of the first command has a match" : "no kernel of the program is known";
}

const char *count_refusal(const struct side_kernel *kernel)
{
	const struct launch_places *places = &kernel->kernel.places;

	if (places->refusal)
		return places->refusal;
	if (kernel_communicates(kernel->kernel.name) || kernel_communicates(kernel->kernel.base))
		return "it communicates between GPUs (NCCL or NVSHMEM)";
	if (places->beside > counted_beside)
		return "it runs at once with other kernels";
	if (kernel->kernel.grid[0] == EXTENT_SEVERAL || kernel->kernel.block[0] == EXTENT_SEVERAL)
		return "it is launched with several grids or blocks";
	if (places->numbers)
		return NULL;
	if (kernel->kernel.is_graph || (kernel->kernel.in_graphs && places->end == 0))
		return "it is launched by a CUDA graph";
	if (!places->symbol)
		return "its name in the binary is not known";
	return places->first < places->end ? NULL : "its launches differ from run to run";
}

struct count_kernel count_kernel_of(const struct launch_kernel *kernel)
{
	struct count_kernel planned = {.symbol = kernel->places.symbol ? kernel->places.symbol : "",
		.shared = (uint64_t)kernel->dynamic_shared,
		.first = kernel->places.first,
		.end = kernel->places.end,
		.rank = COUNT_NO_RANK,
		.numbers = kernel->places.numbers,
		.nnumbers = kernel->places.numbers ? kernel->places.end : 0};

	for (int i = 0; i < 3; i++) {
		planned.grid[i] = (uint64_t)kernel->grid[i];
		planned.block[i] = (uint64_t)kernel->block[i];
	}
	return planned;
}
