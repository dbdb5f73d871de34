/* kernels.c: the kernels of each GPU that start in a window of its work, whoever asked for them. One pass over all work
 * finds them for all pairs: their number must not multiply the time. */
#include <stdlib.h>

#include "analyze/analyze.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "util/alloc.h"

/* A GPU while its kernels are looked for. */
struct gpu_windows {
	struct interval *window; /* the windows of all its pairs, united */
	size_t n, room, at;
	size_t kernel_room;
};

static void add_windows(const struct pays_sample *sample, const struct trace *trace, struct gpu_windows *gpus)
{
	for (size_t p = 0; p < sample->n; p++) {
		const struct pays_pair *pair = &sample->pair[p];
		struct gpu_windows *gpu = &gpus[trace->lanes[pair->first_lane].gpu];
		size_t count;
		struct pays_window *windows = pays_windows(sample, pair, trace, &count);

		for (size_t w = 0; w < count; w++) {
			xgrow(&gpu->window, gpu->n, &gpu->room, sizeof(*gpu->window));
			gpu->window[gpu->n++] = (struct interval){windows[w].from, windows[w].to};
		}
		free(windows);
	}
	for (size_t g = 0; g < trace->ngpus; g++)
		gpus[g].n = intervals_union(gpus[g].window, gpus[g].n);
}

/* Starts are asked for in ascending order. */
static bool is_in_window(struct gpu_windows *gpu, int64_t start)
{
	while (gpu->at < gpu->n && gpu->window[gpu->at].end < start)
		gpu->at++;
	return gpu->at < gpu->n && gpu->window[gpu->at].start <= start;
}

void pays_kernels_find(struct pays_sample *sample, const struct trace *trace)
{
	struct gpu_windows *gpus = xcalloc(trace->ngpus + 1, sizeof(*gpus));

	sample->kernels = xcalloc(trace->ngpus + 1, sizeof(*sample->kernels));
	sample->ngpus = trace->ngpus;
	add_windows(sample, trace, gpus);
	for (size_t i = 0; i < trace->nwork; i++) {
		const struct work_lane *lane = work_lane(trace, i);
		struct work_list *kernels = &sample->kernels[lane->gpu];

		if (lane->cls != WORK_KERNEL || !is_in_window(&gpus[lane->gpu], trace->start[i]))
			continue;
		xgrow(&kernels->item, kernels->n, &gpus[lane->gpu].kernel_room, sizeof(*kernels->item));
		kernels->item[kernels->n++] = (uint32_t)i;
	}
	for (size_t g = 0; g < trace->ngpus; g++)
		free(gpus[g].window);
	free(gpus);
}

size_t pays_first_kernel(const struct work_list *kernels, const struct trace *trace, int64_t time)
{
	size_t low = 0, high = kernels->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->start[kernels->item[middle]] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
