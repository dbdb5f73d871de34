/* kernels.c: when the kernels of each GPU run, whoever asked for them. */
#include <stdlib.h>

#include "analyze/communicates.h"
#include "analyze/interval.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "util/alloc.h"

/* What is known of names: most kernels have one of a few. */
struct known_kernels {
	struct {
		uint32_t name; /* 0: nothing is known here */
		bool communicates;
	} known[256];
};

static bool known_to_communicate(struct known_kernels *names, const struct trace *trace, uint32_t name)
{
	size_t at = name % (sizeof(names->known) / sizeof(names->known[0]));

	if (names->known[at].name != name) {
		names->known[at].name = name;
		names->known[at].communicates = kernel_communicates(texts_text(trace->texts, name));
	}
	return names->known[at].communicates;
}

void pays_kernels_make(struct pays_kernels *kernels, const struct trace *trace, const struct pays_stretch *stretch)
{
	struct known_kernels names = {{{0, false}}};

	*kernels =
		(struct pays_kernels){.gpu = xcalloc(trace->ngpus + 1, sizeof(*kernels->gpu)), .ngpus = trace->ngpus};
	for (size_t i = trace_first_from(trace, stretch->from); i < trace->nwork && trace->start[i] <= stretch->to;
		i++) {
		const struct work_lane *lane = work_lane(trace, i);
		struct kernel_times *times = &kernels->gpu[lane->gpu];

		if (lane->cls != WORK_KERNEL || known_to_communicate(&names, trace, trace->what[i]))
			continue;
		xgrow(&times->time, times->n, &times->room, sizeof(*times->time));
		times->time[times->n++] = (struct interval){within_limit(trace->start[i]), within_limit(trace->end[i])};
	}
	for (size_t g = 0; g < kernels->ngpus; g++)
		kernels->gpu[g].n = intervals_union(kernels->gpu[g].time, kernels->gpu[g].n);
}

void pays_kernels_free(struct pays_kernels *kernels)
{
	for (size_t g = 0; g < kernels->ngpus; g++)
		free(kernels->gpu[g].time);
	free(kernels->gpu);
}

struct pays_computing *pays_computing_make(
	const struct pays_kernels *kernels, const struct trace *trace, const int *device, size_t n)
{
	struct pays_computing *computing = xcalloc(n + 1, sizeof(*computing));

	for (size_t d = 0; d < n; d++) {
		for (size_t g = 0; g < kernels->ngpus; g++) {
			if (trace->gpus[g] == device[d])
				computing[d] = (struct pays_computing){kernels->gpu[g].time, kernels->gpu[g].n};
		}
	}
	return computing;
}
