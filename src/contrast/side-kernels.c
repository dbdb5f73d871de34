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
	size_t run, place; /* the run's number; in its kernels[] */
	bool is_sum;
	double steps;        /* that the run counts for */
	double launches, ns; /* in a steady step */
};

/* Those of one base name stand together. */
static int launch_kernel_order(const struct launch_kernel *a, const struct launch_kernel *b)
{
	int order = strcmp(a->base, b->base);

	if (!order)
		order = (int)a->is_graph - (int)b->is_graph;
	if (!order && a->function && b->function)
		order = strcmp(a->function, b->function);
	for (int i = 0; i < 3 && !order; i++)
		order = int64_order(a->grid[i], b->grid[i]);
	for (int i = 0; i < 3 && !order; i++)
		order = int64_order(a->block[i], b->block[i]);
	return order;
}

/* The same for kernels of a side. `is_sum`: the first of them is a sum, and so is one of its name. */
static int side_kernel_order(const struct launch_kernel *a, bool is_sum, const struct launch_kernel *b)
{
	int order = is_sum ? strcmp(a->base, b->base) : launch_kernel_order(a, b);

	if (is_sum && !order)
		order = (int)a->is_graph - (int)b->is_graph;
	return order;
}

/* Adds the kernels that the run has in steady steps, in their order; returns how many. `out` has room for all. */
static size_t run_kernels(const struct launches *run, size_t number, struct run_kernel *out)
{
	size_t n = 0;

	for (size_t k = 0; k < run->nkernels; k++)
		out[k] = (struct run_kernel){.kernel = &run->kernels[k], .run = number, .place = k};
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
	const struct joining_how *how;
	struct run_kernel *item;
	size_t n;
	struct side_kernels *out;
	double *ns;    /* of one kernel in each run */
	double steps;  /* that all runs count for */
	size_t nfirst; /* kernels of the first run */
};

static int by_kernel_and_run(const void *left, const void *right)
{
	const struct run_kernel *a = left, *b = right;
	int order = launch_kernel_order(a->kernel, b->kernel);

	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static bool are_one(const struct run_kernel *a, const struct run_kernel *b)
{
	return side_kernel_order(a->kernel, a->is_sum, b->kernel) == 0;
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

static void join_extent(int64_t known[3], const int64_t next[3])
{
	bool differs = memcmp(known, next, 3 * sizeof(*known)) != 0;

	for (int i = 0; i < 3 && differs; i++)
		known[i] = EXTENT_SEVERAL;
}

static void join_resource(int64_t *known, int64_t next)
{
	*known = *known == next ? next : RESOURCE_UNKNOWN;
}

/* Adds another kernel of the name to a sum. */
static void join_other(struct side_kernel *sum, const struct launch_kernel *next)
{
	struct launch_kernel *known = &sum->kernel;

	join_extent(known->grid, next->grid);
	join_extent(known->block, next->block);
	join_resource(&known->registers, next->registers);
	join_resource(&known->local_bytes, next->local_bytes);
	join_resource(&known->static_shared, next->static_shared);
	join_resource(&known->dynamic_shared, next->dynamic_shared);
	known->forms += next->forms;
	known->hash += next->hash;
	known->places = (struct launch_places){.beside = fmax(known->places.beside, next->places.beside)};
	known->is_whole &= next->is_whole;
	/* Which codes they share is not kept. */
	if (next->codes == CODES_ONE && sum->codes == CODES_ONE && next->code != known->code)
		sum->codes = CODES_NONE;
	sum->codes = codes_together(sum->codes, next->codes);
}

/* Adds an item; `before` is the one before it of the same side_kernel, and NULL of the first one. */
static void join_item(const struct side_joining *joining, struct side_kernel *kernel, const struct run_kernel *item,
	const struct run_kernel *before)
{
	double steps = item->steps;

	kernel->kernel.in_graphs |= item->kernel->in_graphs;
	if (before && launch_kernel_order(before->kernel, item->kernel) != 0) {
		join_other(kernel, item->kernel);
	} else if (before) {
		kernel->is_changing |= item->kernel->hash != before->kernel->hash;
		kernel->codes = code_of_runs(kernel->codes, before->kernel, item->kernel);
		join_places(&kernel->kernel.places, &item->kernel->places);
	}
	kernel->launches += steps * item->launches;
	kernel->launch_ns += steps * item->ns;
	joining->ns[item->run] = (isnan(joining->ns[item->run]) ? 0 : joining->ns[item->run]) + item->ns;
}

/* What the kernel has in a step, once launches and launch_ns are sums over all steps. */
static void join_means(const struct side_joining *joining, struct side_kernel *kernel)
{
	double all_ns = kernel->launch_ns, all = joining->steps;

	for (size_t i = 0; i < joining->out->runs; i++) {
		kernel->runs += !isnan(joining->ns[i]);
		joining->ns[i] = isnan(joining->ns[i]) ? 0 : joining->ns[i];
	}
	kernel->launch_ns /= kernel->launches;
	kernel->all_launches = kernel->launches / all;
	kernel->launches = joining->how->are_parts ? kernel->all_launches : kernel->launches / (double)kernel->runs;
	kernel->ns = joining->how->are_parts ? all_ns / all : median_of(joining->ns, joining->out->runs);
}

/* The kernel that the items from `first` on are; of each run there is at most one, of a sum one for each kernel. */
static struct side_kernel join_kernel(const struct side_joining *joining, const struct run_kernel *first)
{
	const struct run_kernel *end = joining->item + joining->n, *item = first;
	struct side_kernel kernel = {.kernel = *first->kernel, .is_sum = first->is_sum, .codes = first->kernel->codes};
	size_t kernels = 0;

	for (size_t i = 0; i < joining->out->runs; i++)
		joining->ns[i] = NAN;
	for (; item < end && are_one(first, item); item++) {
		kernels += item == first || launch_kernel_order(item[-1].kernel, item->kernel) != 0;
		join_item(joining, &kernel, item, item == first ? NULL : item - 1);
	}
	join_means(joining, &kernel);
	kernel.is_changing |= !joining->how->are_parts && (size_t)(item - first) != kernels * kernel.runs;
	return kernel;
}

/* The items of a kernel begin at `from`; `first` is that of its first appearance. */
struct kernel_items {
	const struct run_kernel *from, *first;
};

static int by_first_appearance(const void *left, const void *right)
{
	const struct kernel_items *a = left, *b = right;

	return by_run_and_place(&a->first, &b->first);
}

/* Of each kernel, in the order of the first run and then of the others. For free(). */
static struct kernel_items *items_of_kernels(const struct side_joining *joining, size_t *n)
{
	struct kernel_items *all = xcalloc(joining->n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < joining->n; i++) {
		const struct run_kernel *item = &joining->item[i];
		struct kernel_items *last = *n > 0 ? &all[*n - 1] : NULL;

		if (!last || !are_one(last->from, item))
			all[(*n)++] = (struct kernel_items){item, item};
		else if (by_run_and_place(&item, &last->first) < 0)
			last->first = item;
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_first_appearance);
	return all;
}

static int by_kernel_of_side(const void *left, const void *right, void *user)
{
	const struct side_kernels *side = user;
	const struct side_kernel *a = &side->kernels[*(const uint32_t *)left],
				 *b = &side->kernels[*(const uint32_t *)right];

	return side_kernel_order(&a->kernel, a->is_sum, &b->kernel);
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
	struct kernel_items *items = items_of_kernels(joining, &out->n);

	out->kernels = xcalloc(out->n + 1, sizeof(*out->kernels));
	for (size_t k = 0; k < out->n; k++) {
		out->kernels[k] = join_kernel(joining, items[k].from);
		out->ns += out->kernels[k].ns;
		joining->nfirst += items[k].first->run == items[0].first->run;
	}
	for (size_t k = 0; k < out->n; k++) {
		struct side_kernel *kernel = &out->kernels[k];

		kernel->share = out->ns > 0 ? kernel->ns / out->ns : 0;
		out->differing += kernel->runs < out->runs;
		out->differing_share += kernel->runs < out->runs ? kernel->share : 0;
	}
	free(items);
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
		int order = side_kernel_order(&side->kernels[at].kernel, side->kernels[at].is_sum, kernel);

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
	size_t *seen = xcalloc(joining->out->n + 1, sizeof(*seen)), last = 0; /* the last run that has it, from 1 */
	bool differ = false;

	if (joining->n > 1)
		qsort(joining->item, joining->n, sizeof(*joining->item), by_run_and_order);
	for (size_t i = 0; i < joining->n && !differ; i++) {
		const struct run_kernel *item = &joining->item[i];
		size_t at = kernel_of_side(joining->out, item->kernel);

		if (i == 0 || item->run != item[-1].run)
			last = 0;
		if (at >= joining->nfirst || seen[at] == item->run + 1)
			continue;
		seen[at] = item->run + 1;
		differ = at < last;
		last = at;
	}
	free(seen);
	return differ;
}

static int by_sum_name(const void *left, const void *right)
{
	return strcmp(left, *(const char *const *)right);
}

static bool is_sum_of(const struct joining_how *how, const struct launch_kernel *kernel)
{
	return how->nsums > 0 && !kernel->is_graph &&
	       bsearch(kernel->base, how->sums, how->nsums, sizeof(*how->sums), by_sum_name);
}

static void join_run(struct side_joining *joining, const struct launches *run)
{
	struct run_kernel *item = joining->item + joining->n;
	double steps = joining->how->are_parts ? (double)run->nsteady : 1;
	size_t n = run_kernels(run, joining->out->runs++, item);

	for (size_t i = 0; i < n; i++) {
		item[i].is_sum = is_sum_of(joining->how, item[i].kernel);
		item[i].steps = steps;
	}
	joining->n += n;
	joining->steps += steps;
}

void side_kernels_join(
	const struct launches *const *runs, size_t n, const struct joining_how *how, struct side_kernels *out)
{
	struct side_joining joining = {.how = how, .out = out};
	size_t room = 0;

	*out = (struct side_kernels){.are_parts = how->are_parts};
	for (size_t i = 0; i < n; i++)
		room += runs[i]->nkernels;
	joining.item = xcalloc(room + 1, sizeof(*joining.item));
	joining.ns = xcalloc(n + 1, sizeof(*joining.ns));
	for (size_t i = 0; i < n; i++)
		if (runs[i]->nsteady > 0)
			join_run(&joining, runs[i]);
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
	double *launches = xcalloc(side->n + 1, sizeof(*launches));
	size_t n = run->nsteady ? run_kernels(run, 0, item) : 0;

	for (size_t k = 0; k < side->n; k++)
		ns[k] = NAN;
	for (size_t i = 0; i < n; i++) {
		size_t at = kernel_of_side(side, item[i].kernel);

		if (at == NO_KERNEL)
			continue;
		ns[at] = (isnan(ns[at]) ? 0 : ns[at]) + item[i].ns;
		launches[at] += item[i].launches;
	}
	for (size_t k = 0; k < side->n && side->are_parts; k++)
		ns[k] *= launches[k] > 0 ? side->kernels[k].launches / launches[k] : 1;
	free(launches);
	free(item);
}

void side_kernels_free(struct side_kernels *side)
{
	free(side->kernels);
	free(side->by_identity);
	*side = (struct side_kernels){0};
}
