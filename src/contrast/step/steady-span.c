/* steady-span.c: how far the steps that count stand for what a run does from the first of them to the last. */
#include "contrast/sum-up.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/number.h"
#include "util/numbering.h"

/* From the start of a process's first steady step to that of its last one: of what a program repeats there is as much
 * of each kind then, wherever the two stand. But if steps that take turns with steady ones follow the last of these, it
 * ends with the last of such, and all are in it. A process with one steady step has that one. */
struct process_span {
	int64_t first, last, end; /* starts of the two steps; where the first one ends */
	size_t steady;
	bool has_turns;      /* steps behind the last steady one belong to it */
	int64_t turn, until; /* start and end of the last of these */
	size_t steps;
};

struct spans_of_run {
	struct numbering processes;
	struct process_span *span; /* by number of the process */
};

static struct process_span *span_of_step(struct spans_of_run *spans, const struct launch_step *step)
{
	return &spans->span[numbering_place(&spans->processes, process_of(step->thread))];
}

static void find_steady_steps(const struct launches *out, struct spans_of_run *spans)
{
	spans->span = xcalloc(out->nsteps + 1, sizeof(*spans->span));
	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];
		struct process_span *span = span_of_step(spans, step);

		if (step->left_out != LEFT_NOTHING)
			continue;
		if (span->steady++ == 0) {
			span->first = step->start;
			span->end = step->end;
		}
		span->last = step->start;
	}
}

/* A list of a process, as a key: by chance no other one has it. */
static int64_t key_of_list(const struct summing *summing, size_t step, size_t process)
{
	return (int64_t)hash_bytes(summing->lists[step], &process, sizeof(process));
}

/* With `if (i % 10 == 9)` the last step of a loop is one of the rare ones. So it goes with the steady ones before it if
 * its list also lies between those. What comes at the end alone is a phase of its own. Steps stand in the order of
 * time. */
static void find_turns(const struct summing *summing, struct spans_of_run *spans)
{
	const struct launches *out = summing->out;
	struct numbering lists = {0};
	bool *between = xcalloc(out->nsteps + 1, sizeof(*between));

	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];
		struct process_span *span = span_of_step(spans, step);
		size_t list = numbering_place(&lists, key_of_list(summing, i, (size_t)(span - spans->span)));

		if (step->left_out == LEFT_NOTHING || span->steady == 0 || step->start < span->first)
			continue;
		if (step->start < span->last) {
			between[list] = true;
		} else if (between[list]) {
			span->has_turns = true;
			span->turn = step->start;
			span->until = step->end;
		}
	}
	free(between);
	numbering_free(&lists);
}

static bool is_step_in_span(const struct process_span *span, const struct launch_step *step)
{
	if (span->steady == 0 || step->start < span->first)
		return false;
	if (span->has_turns)
		return step->start <= span->turn;
	return step->start < (span->last > span->first ? span->last : span->end);
}

/* Where the time of a process's span ends. */
static int64_t end_of_span(const struct process_span *span)
{
	return span->has_turns ? span->until : span->last > span->first ? span->last : span->end;
}

/* Between n steps there are n - 1 times. If the span ends with its last step, that behind it is not known: it is taken
 * to be as long as the others are by mean. */
static double times_between(const struct process_span *span)
{
	return span->has_turns ? (double)span->steps / (double)(span->steps - 1) : 1;
}

/* The span of a process in which a time lies, or NULL. */
static const struct process_span *span_at(struct spans_of_run *spans, size_t nprocesses, int64_t process, int64_t time)
{
	size_t place = numbering_place(&spans->processes, process);
	const struct process_span *span = place < nprocesses ? &spans->span[place] : NULL;

	return span && span->steady > 0 && time >= span->first && time < end_of_span(span) ? span : NULL;
}

/* The span in which a process without steps launches kernels, as a forked child does: that which began last, or NULL.
 */
static const struct process_span *span_beside(const struct spans_of_run *spans, size_t nprocesses, int64_t time)
{
	const struct process_span *best = NULL;

	for (size_t p = 0; p < nprocesses; p++) {
		const struct process_span *span = &spans->span[p];

		if (span->steady > 0 && time >= span->first && time < end_of_span(span) &&
			(!best || span->first > best->first))
			best = span;
	}
	return best;
}

/* Work of a step goes with the step, and other work by its call. NULL: it is of no span. */
static const struct process_span *span_of_work(
	const struct launches *out, struct spans_of_run *spans, size_t nprocesses, const struct gathered_work *work)
{
	const struct launch_step *step = work->step == NO_STEP ? NULL : &out->steps[work->step];
	bool is_called = work->call_start != CALL_UNKNOWN && work->call_start != CALL_AMBIGUOUS;
	int64_t process = is_called ? process_of(work->call_thread) : work->process;
	int64_t time = is_called ? work->call_start : work->start;
	const struct process_span *span;

	if (step) {
		span = span_of_step(spans, step);
		return is_step_in_span(span, step) ? span : NULL;
	}
	span = span_at(spans, nprocesses, process, time);
	if (span || work->form == NO_FORM || numbering_place(&spans->processes, process) < nprocesses)
		return span;
	return span_beside(spans, nprocesses, time);
}

static bool counts(const struct launches *out, const struct gathered_work *work)
{
	return out->steps[work->step].left_out == LEFT_NOTHING;
}

static void add_work_of_span(struct summing *summing, const struct process_span *span, const struct gathered_work *work)
{
	struct launches *out = summing->out;
	double ns = (double)(work->end - work->start);

	if (work->form != NO_FORM && summing->kernel_of_form[work->form] != NO_FORM) {
		out->span.outside_ns += work->step == NO_STEP ? ns * times_between(span) : 0;
		out->span.ns += work->step == NO_STEP ? 0 : ns;
		out->span.left_ns += work->step == NO_STEP || counts(out, work) ? 0 : ns;
	} else if (work->form == NO_FORM && work->step == NO_STEP && (work->cls == WORK_H2D || work->cls == WORK_D2H)) {
		out->span.outside_copy_ns +=
			times_between(span) * (double)instances_none_open_ns(&summing->gather->instances, work->process,
						      work->start, work->end);
	}
}

static void add_steps_of_span(struct launches *out, struct spans_of_run *spans)
{
	for (size_t i = 0; i < out->nsteps; i++) {
		const struct launch_step *step = &out->steps[i];
		struct process_span *span = span_of_step(spans, step);

		if (!is_step_in_span(span, step))
			continue;
		span->steps++;
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
		int64_t end = end_of_span(span);
		double none_open;

		if (span->last <= span->first)
			continue;
		none_open = (double)instances_none_open_ns(instances, spans->processes.id[p], span->first, end);
		summing->out->span.between_ns += times_between(span) * none_open;
		summing->out->span.loop_ns += (double)(end - span->first) + (times_between(span) - 1) * none_open;
	}
}

/* ---- kernels that do not count ---- */

static void add_work_outside(struct summing *summing, const struct gathered_work *work)
{
	if (work->step == NO_STEP && work->form != NO_FORM && summing->kernel_of_form[work->form] != NO_FORM)
		summing->out->outside_ns += (double)(work->end - work->start);
}

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
	find_steady_steps(out, &spans);
	find_turns(summing, &spans);
	out->step_processes = spans.processes.n;
	add_steps_of_span(out, &spans);
	add_time_between(summing, &spans);
	for (size_t i = 0; i < gather->n; i++) {
		const struct process_span *span = span_of_work(out, &spans, out->step_processes, &gather->work[i]);

		if (span)
			add_work_of_span(summing, span, &gather->work[i]);
		add_work_outside(summing, &gather->work[i]);
	}
	hash_left_kernels(summing);
	numbering_free(&spans.processes);
	free(spans.span);
}
