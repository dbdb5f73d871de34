/* sum-up.c: the work of a run becomes kernels, steps and cells. */
#include "contrast/sum-up.h"

#include <stdlib.h>
#include <string.h>

#include "contrast/step/kinds.h"
#include "contrast/step/losses.h"
#include "contrast/step/steady.h"
#include "contrast/step/step-calls.h"
#include "contrast/step/step-lag.h"
#include "contrast/step/step-work.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/number.h"

/* ---- what is left out ---- */

static void leave_launch(struct launches *out, enum left_out why, const struct gathered_work *work)
{
	out->left[why].launches++;
	out->left[why].ns = int64_sum(out->left[why].ns, work->end - work->start);
}

static enum left_out why_outside(const struct gather *gather, const struct gathered_work *work)
{
	if (work->call_start == CALL_UNKNOWN || work->call_start == CALL_AMBIGUOUS)
		return LEFT_NO_CALL;
	return instances_any_open(&gather->instances, process_of(work->call_thread), work->call_start)
		       ? LEFT_OTHER_THREAD
		       : LEFT_OUTSIDE;
}

/* ---- the launches of a step ---- */

/* By step, and within one in the order of the calls. Those of a graph stand by their nodes, which keep their numbers
 * from one launch to the next; times on the GPU change. */
static int by_step_and_call(const void *left, const void *right)
{
	const struct gathered_work *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->call_start != b->call_start)
		return int64_order(a->call_start, b->call_start);
	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->correlation != b->correlation)
		return int64_order(a->correlation, b->correlation);
	if (a->node != b->node)
		return int64_order(a->node, b->node);
	return a->start != b->start ? int64_order(a->start, b->start) : (a->form > b->form) - (a->form < b->form);
}

static struct launch_cell *cell_of_step(struct summing *summing, uint32_t kernel)
{
	struct launches *out = summing->out;

	if (!summing->cell_of_kernel[kernel]) {
		xgrow(&out->cells, out->ncells, &summing->cell_room, sizeof(*out->cells));
		out->cells[out->ncells++] = (struct launch_cell){.kernel = kernel};
		summing->cell_of_kernel[kernel] = (uint32_t)out->ncells;
	}
	return &out->cells[summing->cell_of_kernel[kernel] - 1];
}

static void add_launch(struct summing *summing, const struct gathered_work *work, uint32_t kernel)
{
	struct launch_step *step = &summing->out->steps[work->step];
	struct launch_cell *cell = cell_of_step(summing, kernel);
	uint64_t *list = &summing->lists[work->step];
	const char *base = kernel_base(summing, kernel);
	double ns = (double)(work->end - work->start);

	summing->out->kernels[kernel].launches++;
	*list += hash_bytes(0, base, strlen(base));
	step->launches++;
	step->ns += ns;
	cell->launches++;
	cell->ns += ns;
}

/* Takes the work from `i` on that is of the same step; returns where that of the next one begins. */
static size_t sum_up_step(struct summing *summing, size_t i)
{
	const struct gather *gather = summing->gather;
	const uint32_t number = gather->work[i].step;
	struct launches *out = summing->out;
	struct launch_step *step = &out->steps[number];

	step->first_cell = out->ncells;
	for (; i < gather->n && gather->work[i].step == number; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form != NO_FORM && summing->kernel_of_form[work->form] != NO_FORM)
			add_launch(summing, work, summing->kernel_of_form[work->form]);
		else if (work->form != NO_FORM)
			leave_launch(out, LEFT_NOT_CHOSEN, work);
	}
	step->ncells = out->ncells - step->first_cell;
	for (size_t c = step->first_cell; c < out->ncells; c++)
		summing->cell_of_kernel[out->cells[c].kernel] = 0;
	return i;
}

/* Work without a step stands last. */
static void sum_up_work(struct summing *summing)
{
	const struct gather *gather = summing->gather;
	size_t i = 0;

	while (i < gather->n && gather->work[i].step != NO_STEP)
		i = sum_up_step(summing, i);
	for (; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form == NO_FORM)
			continue;
		leave_launch(summing->out, why_outside(gather, work), work);
	}
}

/* ---- steady steps ---- */

/* A sum of a stranger's times may be beyond the largest number. */
static int64_t whole_ns(double ns)
{
	return ns < (double)INT64_MAX ? (int64_t)ns : INT64_MAX;
}

static void find_steady(struct summing *summing)
{
	struct launches *out = summing->out;
	struct step_list *lists = xcalloc(out->nsteps + 1, sizeof(*lists));
	enum left_out *why = xcalloc(out->nsteps + 1, sizeof(*why));
	bool *warm_up = xcalloc(out->nsteps + 1, sizeof(*warm_up));

	for (size_t i = 0; i < out->nsteps; i++)
		lists[i] =
			(struct step_list){process_of(out->steps[i].thread), summing->lists[i], out->steps[i].launches};
	steady_steps(lists, out->nsteps, summing->gather->options->any_list, why);
	steps_of_warm_up(lists, out->nsteps, why, warm_up);
	for (size_t i = 0; i < out->nsteps; i++) {
		out->steps[i].left_out = why[i];
		out->steps[i].is_warm_up = warm_up[i];
		out->nsteady += why[i] == LEFT_NOTHING;
		if (why[i] == LEFT_NOTHING)
			continue;
		out->left[why[i]].steps++;
		out->left[why[i]].launches += out->steps[i].launches;
		out->left[why[i]].ns = int64_sum(out->left[why[i]].ns, whole_ns(out->steps[i].ns));
	}
	free(lists);
	free(why);
	free(warm_up);
}

/* ---- all of it ---- */

void gather_sum_up(struct gather *gather)
{
	struct summing summing = {.gather = gather, .out = gather->out};
	struct launches *out = gather->out;

	kernels_number(&summing);
	summing.cell_of_kernel = xcalloc(out->nkernels + 1, sizeof(*summing.cell_of_kernel));
	summing.form_of_kernel = xcalloc(out->nkernels + 1, sizeof(*summing.form_of_kernel));
	summing.lists = xcalloc(out->nsteps + 1, sizeof(*summing.lists));
	if (gather->n > 1)
		qsort(gather->work, gather->n, sizeof(*gather->work), by_step_and_call);
	sum_up_work(&summing);
	find_steady(&summing);
	losses_of_steps(gather);
	kernels_elsewhere(&summing);
	steady_span_sum_up(&summing);
	if (!out->has_range)
		first_launches_replace(&summing);
	kernels_at_once(&summing);
	step_lag_sum_up(gather);
	step_work_sum_up(gather);
	kernels_describe(&summing);
	kernels_of_graphs(&summing);
	step_kinds_sum_up(out, summing.lists); /* of steps, not of parts of a single one */
	if (gather->options->places) {
		running_kernels_find(&summing);
		kernels_place(&summing);
		graphs_place(&summing);
	}
	if (gather->options->calls && out->nsteady)
		step_calls_take(gather, gather->options->calls);
	if (gather->options->split && out->nsteady == 1)
		split_step(&summing);
	kernels_order(out);
	forms_free(&summing.identities);
	forms_free(&summing.codes);
	free(summing.kernel_of_form);
	free(summing.cell_of_kernel);
	free(summing.form_of_kernel);
	free(summing.lists);
	free(summing.running);
}
