/* spans.c: see spans.h. */
#include "contrast/step/spans.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/step/by-process.h"
#include "contrast/step/steady.h"
#include "store/event.h"
#include "util/alloc.h"

/* Without kernels all lists are alike. */
static void host_steady(const struct side_step *steps, size_t n, enum left_out *why)
{
	struct step_list *lists = xcalloc(n + 1, sizeof(*lists));

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct step_list){.process = steps[i].process, .launches = 1};
	steady_steps(lists, n, false, why);
	free(lists);
}

static int64_t process_of_host_step(const void *steps, size_t i)
{
	return ((const struct side_step *)steps)[i].process;
}

static int64_t process_of_traced_step(const void *steps, size_t i)
{
	return process_of(((const struct launch_step *)steps)[i].thread);
}

/* Which steps of a run without CUPTI count. */
struct host_steps {
	enum left_out *why; /* owned */
	bool *unpaced;      /* owned: the period does not count */
};

/* Takes what a traced run knows of the steps at the same places. False if its processes have other numbers of steps. */
static bool traced_steady(
	const struct side_step *steps, size_t n, const struct launches *traced, struct host_steps *out)
{
	struct steps_by_process here = steps_by_process(steps, n, process_of_host_step);
	struct steps_by_process there = steps_by_process(traced->steps, traced->nsteps, process_of_traced_step);
	bool alike = here.n == there.n && memcmp(here.first, there.first, (here.n + 1) * sizeof(*here.first)) == 0;

	for (size_t i = 0; alike && i < n; i++) {
		const struct launch_step *step = &traced->steps[there.step[i]];

		out->why[here.step[i]] = step->left_out;
		out->unpaced[here.step[i]] = step->period == NO_PERIOD;
	}
	steps_by_process_free(&here);
	steps_by_process_free(&there);
	return alike;
}

static struct host_steps host_steps_of(const struct side_step *steps, size_t n, const struct launches *traced)
{
	struct host_steps out = {xcalloc(n + 1, sizeof(*out.why)), xcalloc(n + 1, sizeof(*out.unpaced))};

	if (!traced || !traced_steady(steps, n, traced, &out))
		host_steady(steps, n, out.why);
	return out;
}

static void host_steps_free(struct host_steps *steps)
{
	free(steps->why);
	free(steps->unpaced);
}

size_t spans_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct side_span *out)
{
	struct host_steps count = host_steps_of(steps, n, traced);
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (count.why[i] == LEFT_NOTHING)
			out[found++] = (struct side_span){steps[i].start_ns, steps[i].end_ns};
	host_steps_free(&count);
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

/* ---- host times ---- */

static void add_time(struct step_times *times, enum step_measure measure, int64_t ns)
{
	times->ns[measure] += (double)ns;
	times->n[measure]++;
}

void times_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct step_times *out)
{
	struct host_steps count = host_steps_of(steps, n, traced);
	struct paced_step *paced = xcalloc(n + 1, sizeof(*paced));
	struct step_pace pace;

	for (size_t i = 0; i < n; i++)
		paced[i] = (struct paced_step){.process = steps[i].process,
			.start = steps[i].start_ns,
			.end = steps[i].end_ns,
			.is_steady = count.why[i] == LEFT_NOTHING};
	steps_pace(paced, n, &pace);
	*out = (struct step_times){.overlap = pace.overlap};
	for (size_t i = 0; i < n; i++) {
		if (paced[i].is_steady)
			add_time(out, STEP_DURATION, paced[i].end - paced[i].start);
		if (paced[i].period != NO_PERIOD && !count.unpaced[i])
			add_time(out, STEP_PERIOD, paced[i].period);
	}
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out->ns[m] = out->n[m] ? out->ns[m] / (double)out->n[m] : NAN;
	free(paced);
	host_steps_free(&count);
}

void times_of_launches(const struct launches *launches, struct step_times *out)
{
	*out = (struct step_times){.overlap = launches->pace.overlap};
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out->ns[m] = launches_host_ns(launches, m, &out->n[m]);
}
