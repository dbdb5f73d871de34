/* places.c: where the launches of a kernel stand among all like launches, and what runs beside them. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

/* ---- like launches ---- */

/* A launch that a process has asked for. */
struct placed_launch {
	int64_t process, call_start, correlation;
	uint32_t key; /* place of what it has in common with like launches */
	bool is_steady;
};

struct placing {
	struct summing *summing;
	struct forms keys;
	struct placed_launch *launch;
	size_t n;
	struct launch_places *places; /* by key */
};

/* What like launches have in common. */
static uint32_t launch_key(struct placing *placing, const struct launch_form *form)
{
	struct launch_form key = {{0}};

	key.field[FORM_SYMBOL] = form->field[FORM_SYMBOL];
	for (int i = FORM_GRID; i < FORM_GRAPH; i++)
		key.field[i] = form->field[i];
	key.field[FORM_DYNAMIC_SHARED] = form->field[FORM_DYNAMIC_SHARED];
	return forms_place(&placing->keys, &key);
}

static int placed_order(const void *left, const void *right)
{
	const struct placed_launch *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return a->call_start != b->call_start ? int64_order(a->call_start, b->call_start)
					      : int64_order(a->correlation, b->correlation);
}

/* Launches of a graph's nodes are no calls of their own. */
static void gather_placed(struct placing *placing)
{
	const struct gather *gather = placing->summing->gather;

	placing->launch = xcalloc(gather->n + 1, sizeof(*placing->launch));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form == NO_FORM || work->node != 0)
			continue;
		placing->launch[placing->n++] = (struct placed_launch){
			.process = work->process,
			.call_start = work->call_start,
			.correlation = work->correlation,
			.key = launch_key(placing, &gather->forms.form[work->form]),
			.is_steady = work->step != NO_STEP &&
				     placing->summing->out->steps[work->step].left_out == LEFT_NOTHING,
		};
	}
	if (placing->n > 1)
		qsort(placing->launch, placing->n, sizeof(*placing->launch), placed_order);
}

/* Those of one process, of which `n` begin at `from`. What all processes have counts. */
static void place_in_process(struct placing *placing, const struct placed_launch *from, size_t n)
{
	struct launch_places *places = &placing->places[from->key];
	size_t first = n, end = 0;

	for (size_t i = 0; i < n; i++) {
		if (!from[i].is_steady)
			continue;
		first = i < first ? i : first;
		end = i + 1;
	}
	if (end == 0)
		return;
	/* Without a range the first one is warm-up. */
	if (!placing->summing->out->has_range && n >= LAUNCHES_WITH_WARM_UP)
		first++;
	places->first = first > places->first ? first : places->first;
	places->end = places->end == 0 || end < places->end ? end : places->end;
}

static void place_launches(struct placing *placing)
{
	gather_placed(placing);
	placing->places = xcalloc(placing->keys.n + 1, sizeof(*placing->places));
	for (size_t from = 0, to; from < placing->n; from = to) {
		const struct placed_launch *launch = &placing->launch[from];

		for (to = from; to < placing->n && placing->launch[to].key == launch->key &&
				placing->launch[to].process == launch->process;)
			to++;
		place_in_process(placing, launch, to - from);
	}
}

/* ---- what runs beside them ---- */

static void add_beside(const struct summing *summing, double *beside, const struct running_kernel *running, double ns)
{
	uint32_t kernel = summing->kernel_of_form[summing->gather->work[running->work].form];

	if (kernel != NO_FORM)
		beside[kernel] += ns;
}

/* By kernel: how long other kernels ran on its GPU while it did (ns). Of all kernels before, the one that ends last
 * counts. For free(). */
static double *time_beside(const struct summing *summing, double *ns)
{
	const struct running_kernel *last = NULL;
	double *beside = xcalloc(summing->out->nkernels + 1, sizeof(*beside));

	for (size_t i = 0; i < summing->nrunning; i++) {
		const struct running_kernel *now = &summing->running[i];

		add_beside(summing, ns, now, (double)(now->end - now->start));
		if (last && last->gpu == now->gpu && last->end > now->start) {
			double both = (double)((last->end < now->end ? last->end : now->end) - now->start);

			add_beside(summing, beside, now, both);
			add_beside(summing, beside, last, both);
		}
		if (!last || last->gpu != now->gpu || now->end > last->end)
			last = now;
	}
	return beside;
}

/* ---- all of it ---- */

void kernels_place(struct summing *summing)
{
	struct placing placing = {.summing = summing};
	struct launches *out = summing->out;
	double *ns = xcalloc(out->nkernels + 1, sizeof(*ns)), *beside = time_beside(summing, ns);
	size_t known;

	place_launches(&placing);
	known = placing.keys.n; /* kernels of graphs alone add theirs below */
	for (size_t k = 0; k < out->nkernels; k++) {
		const struct launch_form *form = &summing->gather->forms.form[summing->form_of_kernel[k]];
		uint32_t key = launch_key(&placing, form);

		out->kernels[k].places = key < known ? placing.places[key] : (struct launch_places){0};
		out->kernels[k].places.symbol = texts_text(out->texts, (uint32_t)form->field[FORM_SYMBOL]);
		out->kernels[k].places.beside = ns[k] > 0 ? beside[k] / ns[k] : 0;
	}
	forms_free(&placing.keys);
	free(placing.launch);
	free(placing.places);
	free(ns);
	free(beside);
}
