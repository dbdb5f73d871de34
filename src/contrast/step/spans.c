/* spans.c: see spans.h. */
#include "contrast/step/spans.h"

#include <math.h>
#include <stdlib.h>

#include "contrast/step/steady.h"
#include "util/alloc.h"

/* Without kernels all lists are alike. */
static void host_steady(const struct side_step *steps, size_t n, enum left_out *why)
{
	struct step_list *lists = xcalloc(n + 1, sizeof(*lists));

	for (size_t i = 0; i < n; i++)
		lists[i] = (struct step_list){.process = steps[i].process, .launches = 1};
	steady_steps(lists, n, why);
	free(lists);
}

size_t spans_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct side_span *out)
{
	enum left_out *why = xcalloc(n + 1, sizeof(*why));
	size_t found = 0;

	if (traced && traced->nsteps == n)
		for (size_t i = 0; i < n; i++)
			why[i] = traced->steps[i].left_out;
	else
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
