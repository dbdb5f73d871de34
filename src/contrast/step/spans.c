/* spans.c: see spans.h. */
#include "contrast/step/spans.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/step/steady.h"
#include "store/event.h"
#include "util/alloc.h"
#include "util/numbering.h"

/* Without kernels all lists are alike. */
static void host_steady(const struct side_step *steps, size_t n, enum left_out *why)
{
	struct step_list *lists = xcalloc(n + 1, sizeof(*lists));

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct step_list){.process = steps[i].process, .launches = 1};
	steady_steps(lists, n, why);
	free(lists);
}

/* The steps of a run by process: processes in the order of their first steps, the steps of one by their start. */
struct steps_by_process {
	size_t *step;  /* owned; places in the run */
	size_t *first; /* owned; for each process: where its steps begin in step[] */
	size_t n;      /* processes */
};

static struct steps_by_process sort_steps(const int64_t *process, size_t n)
{
	struct steps_by_process out = {xcalloc(n + 1, sizeof(*out.step)), xcalloc(n + 2, sizeof(*out.first)), 0};
	struct numbering numbers = {0};
	size_t *next;

	for (size_t i = 0; i < n; i++)
		out.first[numbering_place(&numbers, process[i]) + 1]++;
	out.n = numbers.n;
	for (size_t i = 0; i < out.n; i++)
		out.first[i + 1] += out.first[i];
	next = xmemdup(out.first, (out.n + 1) * sizeof(*next));
	for (size_t i = 0; i < n; i++)
		out.step[next[numbering_place(&numbers, process[i])]++] = i;
	free(next);
	numbering_free(&numbers);
	return out;
}

static void steps_by_process_free(struct steps_by_process *steps)
{
	free(steps->step);
	free(steps->first);
}

static struct steps_by_process sort_host_steps(const struct side_step *steps, size_t n)
{
	int64_t *process = xcalloc(n + 1, sizeof(*process));
	struct steps_by_process out;

	for (size_t i = 0; i < n; i++)
		process[i] = steps[i].process;
	out = sort_steps(process, n);
	free(process);
	return out;
}

static struct steps_by_process sort_traced_steps(const struct launches *traced)
{
	int64_t *process = xcalloc(traced->nsteps + 1, sizeof(*process));
	struct steps_by_process out;

	for (size_t i = 0; i < traced->nsteps; i++)
		process[i] = process_of(traced->steps[i].thread);
	out = sort_steps(process, traced->nsteps);
	free(process);
	return out;
}

/* Takes what a traced run knows of the steps at the same places. False if its processes have other numbers of steps. */
static bool traced_steady(const struct side_step *steps, size_t n, const struct launches *traced, enum left_out *why)
{
	struct steps_by_process here = sort_host_steps(steps, n), there = sort_traced_steps(traced);
	bool alike = here.n == there.n && memcmp(here.first, there.first, (here.n + 1) * sizeof(*here.first)) == 0;

	for (size_t i = 0; alike && i < n; i++)
		why[here.step[i]] = traced->steps[there.step[i]].left_out;
	steps_by_process_free(&here);
	steps_by_process_free(&there);
	return alike;
}

size_t spans_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct side_span *out)
{
	enum left_out *why = xcalloc(n + 1, sizeof(*why));
	size_t found = 0;

	if (!traced || !traced_steady(steps, n, traced, why))
		host_steady(steps, n, why);
	for (size_t i = 0; i < n; i++)
		if (why[i] == LEFT_NOTHING)
			out[found++] = (struct side_span){steps[i].start_ns, steps[i].end_ns};
	free(why);
	return found;
}

size_t spans_of_launches(const struct launches *launches, int64_t epoch_ns, struct side_span *out)
{
	size_t found = 0;

	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];

		if (step->left_out == LEFT_NOTHING)
			out[found++] = (struct side_span){epoch_ns + step->start, epoch_ns + step->end};
	}
	return found;
}

double spans_mean_ns(const struct side_span *spans, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)(spans[i].end_ns - spans[i].start_ns);
	return n > 0 ? sum / (double)n : NAN;
}
