/* steady-span.c: how far the steps that count stand for what a run does from the first of them to the last. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"
#include "util/numbering.h"

/* From the start of a process's first steady step to that of its last one: of what a program repeats there is as much
 * of each kind then, wherever the two stand. A process with one steady step has that one. */
struct process_span {
	int64_t first, last, end; /* starts of the two steps; where the first one ends */
	size_t steady;
};

struct spans_of_run {
	struct numbering processes;
	struct process_span *span; /* by number of the process */
};

static void find_spans(const struct launches *out, struct spans_of_run *spans)
{
	spans->span = xcalloc(out->nsteps + 1, sizeof(*spans->span));
	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];
		struct process_span *span = &spans->span[numbering_place(&spans->processes, process_of(step->thread))];

		if (step->left_out != LEFT_NOTHING)
			continue;
		if (span->steady++ == 0) {
			span->first = step->start;
			span->end = step->end;
		}
		span->last = step->start;
	}
}

/* Whether a time of a process lies in its span. */
static bool is_in_span(struct spans_of_run *spans, size_t nprocesses, int64_t process, int64_t time)
{
	size_t place = numbering_place(&spans->processes, process);
	const struct process_span *span = place < nprocesses ? &spans->span[place] : NULL;

	if (!span || span->steady == 0)
		return false;
	return time >= span->first && time < (span->last > span->first ? span->last : span->end);
}

/* Work of a step goes with the step, and other work by its call. */
static bool is_of_span(
	const struct launches *out, struct spans_of_run *spans, size_t nprocesses, const struct gathered_work *work)
{
	const struct launch_step *step = work->step == NO_STEP ? NULL : &out->steps[work->step];
	bool is_called = work->call_start != CALL_UNKNOWN && work->call_start != CALL_AMBIGUOUS;

	if (step)
		return is_in_span(spans, nprocesses, process_of(step->thread), step->start);
	return is_in_span(spans, nprocesses, is_called ? process_of(work->call_thread) : work->process,
		is_called ? work->call_start : work->start);
}

static bool counts(const struct launches *out, const struct gathered_work *work)
{
	return out->steps[work->step].left_out == LEFT_NOTHING;
}

static void add_work_of_span(struct summing *summing, const struct gathered_work *work)
{
	struct launches *out = summing->out;
	double ns = (double)(work->end - work->start);

	if (work->form != NO_FORM && summing->kernel_of_form[work->form] != NO_FORM) {
		out->span.outside_ns += work->step == NO_STEP ? ns : 0;
		out->span.ns += work->step == NO_STEP ? 0 : ns;
		out->span.left_ns += work->step == NO_STEP || counts(out, work) ? 0 : ns;
	} else if (work->form == NO_FORM && work->step == NO_STEP && (work->cls == WORK_H2D || work->cls == WORK_D2H)) {
		out->span.outside_copy_ns += (double)instances_none_open_ns(
			&summing->gather->instances, work->process, work->start, work->end);
	}
}

static void add_steps_of_span(struct launches *out, struct spans_of_run *spans, size_t nprocesses)
{
	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];

		if (!is_in_span(spans, nprocesses, process_of(step->thread), step->start))
			continue;
		out->span.steps++;
		out->span.left_steps += step->left_out != LEFT_NOTHING;
		out->span.host_ns += (double)(step->end - step->start);
	}
}

static void add_time_between(struct summing *summing, const struct spans_of_run *spans)
{
	const struct instances *instances = &summing->gather->instances;

	for (size_t p = 0; p < spans->processes.n; p++) {
		const struct process_span *span = &spans->span[p];

		if (span->last > span->first)
			summing->out->span.between_ns += (double)instances_none_open_ns(
				instances, spans->processes.id[p], span->first, span->last);
	}
}

/* ---- kernels that do not count ---- */

/* First steps launch what the others do. */
static bool is_left_out(const struct summing *summing, const struct gathered_work *work)
{
	const struct launches *out = summing->out;

	if (work->step == NO_STEP || summing->kernel_of_form[work->form] == NO_FORM)
		return true;
	return out->steps[work->step].left_out != LEFT_NOTHING && out->steps[work->step].left_out != LEFT_FIRST_STEP;
}

static void hash_left_kernels(struct summing *summing)
{
	const struct gather *gather = summing->gather;
	bool *seen = xcalloc(gather->forms.n + 1, sizeof(*seen));

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->form == NO_FORM || seen[work->form] || !is_left_out(summing, work))
			continue;
		seen[work->form] = true;
		summing->out->left_kernels += kernel_form_hash(summing, work->form);
	}
	free(seen);
}

void steady_span_sum_up(struct summing *summing)
{
	const struct gather *gather = summing->gather;
	struct spans_of_run spans = {.span = NULL};
	struct launches *out = summing->out;

	if (!out->has_range)
		return;
	find_spans(out, &spans);
	out->step_processes = spans.processes.n;
	add_steps_of_span(out, &spans, out->step_processes);
	add_time_between(summing, &spans);
	for (size_t i = 0; i < gather->n; i++) {
		if (is_of_span(out, &spans, out->step_processes, &gather->work[i]))
			add_work_of_span(summing, &gather->work[i]);
	}
	hash_left_kernels(summing);
	numbering_free(&spans.processes);
	free(spans.span);
}
