/* side-kernels.c: joins the runs of a side. */
#include "contrast/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics/stats.h"
#include "util/alloc.h"
#include "util/number.h"

/* ---- means of one run ---- */

/* A kernel in the steady steps of a run. */
struct run_kernel {
	const struct launch_kernel *kernel;
	size_t run, place;   /* in the run's kernels[] */
	double launches, ns; /* in a steady step */
};

static int launch_kernel_order(const struct launch_kernel *a, const struct launch_kernel *b)
{
	int order = strcmp(a->base, b->base);

	if (!order && a->function && b->function)
		order = strcmp(a->function, b->function);
	if (!order)
		order = (int)a->is_graph - (int)b->is_graph;
	for (int i = 0; i < 3 && !order; i++)
		order = int64_order(a->grid[i], b->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = int64_order(a->block[i], b->block[i]);
	return order;
}

/* Adds the kernels that the run has in steady steps, in their order; returns how many. `out` has room for all. */
static size_t run_kernels(const struct launches *run, size_t number, struct run_kernel *out)
{
	size_t n = 0;

	for (size_t k = 0; k < run->nkernels; k++)
		out[k] = (struct run_kernel){&run->kernels[k], number, k, 0, 0};
	for (size_t i = 0; i < run->nsteps; i++) {
		const struct launch_step *step = &run->steps[i];

		for (size_t c = 0; c < step->ncells && step->left_out == LEFT_NOTHING; c++) {
			const struct launch_cell *cell = &run->cells[step->first_cell + c];

			out[cell->kernel].launches += cell->launches / (double)run->nsteady;
			out[cell->kernel].ns += cell->ns / (double)run->nsteady;
		}
	}
	for (size_t k = 0; k < run->nkernels; k++) {
		if (out[k].launches > 0)
			out[n++] = out[k];
	}
	return n;
}

/* ---- the runs together ---- */

struct side_joining {
	struct run_kernel *item;
	size_t n;
	struct side_kernels *out;
	double *ns;    /* of one kernel in each run */
	size_t nfirst; /* kernels of the first run */
};

static int by_kernel_and_run(const void *left, const void *right)
{
	const struct run_kernel *a = left, *b = right;
	int order = launch_kernel_order(a->kernel, b->kernel);

	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static int by_run_and_place(const void *left, const void *right)
{
	const struct run_kernel *a = *(const struct run_kernel *const *)left,
				*b = *(const struct run_kernel *const *)right;

	return a->run != b->run ? (a->run > b->run) - (a->run < b->run) : (a->place > b->place) - (a->place < b->place);
}

/* What is known of the code of a kernel that was seen in `seen` and now in `next`. */
static enum codes_known code_of_runs(
	enum codes_known known, const struct launch_kernel *seen, const struct launch_kernel *next)
{
	bool differs = next->codes == CODES_ONE && known == CODES_ONE && next->code != seen->code;

	return differs ? CODES_SEVERAL : codes_together(known, next->codes);
}

/* The launches that all runs have. */
static void join_places(struct launch_places *known, const struct launch_places *next)
{
	known->first = next->first > known->first ? next->first : known->first;
	known->end = next->end < known->end ? next->end : known->end;
	known->beside = next->beside > known->beside ? next->beside : known->beside;
}

/* The kernel that the items from `first` on are; there is at most one of each run. */
static struct side_kernel join_kernel(const struct side_joining *joining, const struct run_kernel *first)
{
	const struct run_kernel *end = joining->item + joining->n;
	struct side_kernel kernel = {.kernel = *first->kernel, .codes = first->kernel->codes};

	memset(joining->ns, 0, joining->out->runs * sizeof(*joining->ns));
	for (const struct run_kernel *item = first; item < end && launch_kernel_order(item->kernel, first->kernel) == 0;
		item++) {
		kernel.is_changing |= item->kernel->hash != first->kernel->hash;
		kernel.codes = code_of_runs(kernel.codes, first->kernel, item->kernel);
		kernel.launches += item->launches;
		kernel.launch_ns += item->ns;
		join_places(&kernel.kernel.places, &item->kernel->places);
		joining->ns[kernel.runs++] = item->ns;
	}
	kernel.launch_ns /= kernel.launches;
	kernel.launches /= (double)kernel.runs;
	kernel.ns = median_of(joining->ns, joining->out->runs);
	return kernel;
}

/* The first item of each kernel, in the order of the first run and then of the others. For free(). */
static const struct run_kernel **first_items(const struct side_joining *joining, size_t *n)
{
	const struct run_kernel **first = xcalloc(joining->n + 1, sizeof(*first));

	*n = 0;
	for (size_t i = 0; i < joining->n; i++) {
		const struct run_kernel *item = &joining->item[i];

		if (i == 0 || launch_kernel_order(item[-1].kernel, item->kernel) != 0)
			first[(*n)++] = item;
	}
	if (*n > 1)
		qsort(first, *n, sizeof(*first), by_run_and_place);
	return first;
}

static int by_kernel_of_side(const void *left, const void *right, void *user)
{
	const struct side_kernels *side = user;

	return launch_kernel_order(
		&side->kernels[*(const uint32_t *)left].kernel, &side->kernels[*(const uint32_t *)right].kernel);
}

static void index_kernels(struct side_kernels *side)
{
	side->by_identity = xreallocarray(NULL, side->n + 1, sizeof(*side->by_identity));
	for (size_t k = 0; k < side->n; k++)
		side->by_identity[k] = (uint32_t)k;
	if (side->n > 1)
		qsort_r(side->by_identity, side->n, sizeof(*side->by_identity), by_kernel_of_side, side);
}

static void join_kernels(struct side_joining *joining)
{
	struct side_kernels *out = joining->out;
	const struct run_kernel **first = first_items(joining, &out->n);

	out->kernels = xcalloc(out->n + 1, sizeof(*out->kernels));
	for (size_t k = 0; k < out->n; k++) {
		out->kernels[k] = join_kernel(joining, first[k]);
		out->ns += out->kernels[k].ns;
		joining->nfirst += first[k]->run == first[0]->run;
	}
	for (size_t k = 0; k < out->n; k++) {
		struct side_kernel *kernel = &out->kernels[k];

		kernel->share = out->ns > 0 ? kernel->ns / out->ns : 0;
		out->differing += kernel->runs < out->runs;
		out->differing_share += kernel->runs < out->runs ? kernel->share : 0;
	}
	free(first);
	index_kernels(out);
}

/* ---- the order in other runs ---- */

#define NO_KERNEL SIZE_MAX

static size_t kernel_of_side(const struct side_kernels *side, const struct launch_kernel *kernel)
{
	size_t low = 0, high = side->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t at = side->by_identity[middle];
		int order = launch_kernel_order(&side->kernels[at].kernel, kernel);

		if (order == 0)
			return at;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NO_KERNEL;
}

static int by_run_and_order(const void *left, const void *right)
{
	const struct run_kernel *a = left, *b = right;

	return by_run_and_place(&a, &b);
}

/* Whether a run has kernels of the first run, which stand first in the side, in another order. Sorts the items by run.
 */
static bool orders_differ(struct side_joining *joining)
{
	size_t last = 0;

	if (joining->n > 1)
		qsort(joining->item, joining->n, sizeof(*joining->item), by_run_and_order);
	for (size_t i = 0; i < joining->n; i++) {
		size_t at = kernel_of_side(joining->out, joining->item[i].kernel);

		if (i == 0 || joining->item[i].run != joining->item[i - 1].run)
			last = 0;
		if (at >= joining->nfirst)
			continue;
		if (at < last)
			return true;
		last = at;
	}
	return false;
}

void side_kernels_join(const struct launches *const *runs, size_t n, struct side_kernels *out)
{
	struct side_joining joining = {.out = out};
	size_t room = 0;

	*out = (struct side_kernels){0};
	for (size_t i = 0; i < n; i++)
		room += runs[i]->nkernels;
	joining.item = xcalloc(room + 1, sizeof(*joining.item));
	joining.ns = xcalloc(n + 1, sizeof(*joining.ns));
	for (size_t i = 0; i < n; i++) {
		if (runs[i]->nsteady == 0)
			continue;
		joining.n += run_kernels(runs[i], i, joining.item + joining.n);
		out->runs++;
	}
	if (joining.n > 1)
		qsort(joining.item, joining.n, sizeof(*joining.item), by_kernel_and_run);
	join_kernels(&joining);
	out->order_differs = orders_differ(&joining);
	free(joining.item);
	free(joining.ns);
}

void side_kernels_of_run(const struct side_kernels *side, const struct launches *run, double *ns)
{
	struct run_kernel *item = xcalloc(run->nkernels + 1, sizeof(*item));
	size_t n = run->nsteady ? run_kernels(run, 0, item) : 0;

	for (size_t k = 0; k < side->n; k++)
		ns[k] = NAN;
	for (size_t i = 0; i < n; i++) {
		size_t at = kernel_of_side(side, item[i].kernel);

		if (at != NO_KERNEL)
			ns[at] = item[i].ns;
	}
	free(item);
}

void side_kernels_free(struct side_kernels *side)
{
	free(side->kernels);
	free(side->by_identity);
	*side = (struct side_kernels){0};
}
