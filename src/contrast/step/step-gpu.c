/* step-gpu.c: see step-gpu.h. */
#include "contrast/step/step-gpu.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

bool step_gpu_is_steady(const struct gather *gather, const struct gathered_work *work)
{
	return work->step != NO_STEP && gather->out->steps[work->step].left_out == LEFT_NOTHING;
}

int step_gpu_busiest(const struct gather *gather)
{
	struct numbering gpus = {0};
	int64_t *ns = xcalloc(gather->n + 1, sizeof(*ns));
	size_t best = 0;
	int gpu;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		size_t place;

		if (work->gpu == NO_GPU || work->form == NO_FORM || !step_gpu_is_steady(gather, work))
			continue;
		place = numbering_place(&gpus, work->gpu);
		ns[place] = int64_sum(ns[place], work->end - work->start);
	}
	for (size_t i = 1; i < gpus.n; i++)
		best = ns[i] > ns[best] ? i : best;
	gpu = gpus.n ? (int)gpus.id[best] : NO_GPU;
	numbering_free(&gpus);
	free(ns);
	return gpu;
}

/* A process that launches on the GPU; 0 if there is none. */
static int64_t process_on_gpu(const struct gather *gather, int gpu)
{
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->gpu == gpu && work->form != NO_FORM && step_gpu_is_steady(gather, work))
			return work->process;
	}
	return 0;
}

/* Where the recording does not tell of devices, their numbers are CUDA's. */
int64_t step_gpu_device(const struct gather *gather)
{
	int gpu = gather->out->nsteady ? step_gpu_busiest(gather) : NO_GPU;
	int64_t process = process_on_gpu(gather, gpu);

	for (size_t i = 0; i < gather->devices.n; i++) {
		const struct device_number *device = &gather->devices.item[i];

		if (device->number == gpu && device_of(&gather->devices, process, device->cuda) == gpu)
			return device->cuda;
	}
	return gpu;
}
