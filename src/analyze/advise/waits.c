/* waits.c: see waits.h. */
#include "analyze/advise/waits.h"

#include <math.h>
#include <string.h>

double advise_counter_of(const struct advise_kernel *kernel, const char *key)
{
	for (size_t i = 0; i < kernel->ncounters; i++)
		if (strcmp(kernel->counters[i].key, key) == 0)
			return kernel->counters[i].value;
	return NAN;
}

double advise_part_of(const struct advise_kernel *kernel, const char *key)
{
	enum { PERCENT = 100 };

	return advise_counter_of(kernel, key) / PERCENT;
}

/* ---- states of warps ---- */

static bool is_reason_of(const char *reason, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(reason, *list) == 0)
			return true;
	return false;
}

static const char *const queue_reasons[] = {"short_scoreboard", "mio_throttle", "lg_throttle", NULL};
static const char *const ready_reasons[] = {"selected", "not_selected", "dispatch_stall", "math_pipe_throttle", NULL};

/* A warp that waits for asynchronous copies is found at the wait or right behind it; where it waits for another load,
 * it is elsewhere. Tiles that come through registers have no such place. */
static bool is_tile_wait(const struct advise_kernel *kernel, size_t place)
{
	enum { BEHIND = 2 };

	if (kernel->code->way != ASM_WAY_LDGSTS)
		return true;
	for (size_t back = 0; back <= BEHIND && back <= place; back++) {
		const char *text = kernel->instructions[place - back].text;

		if (text && strstr(text, "DEPBAR.LE"))
			return true;
	}
	return false;
}

/* Of rounds; without a form, of all instructions. */
static void count_samples(const struct advise_kernel *kernel, const struct advise_form *form, struct advise_waits *out)
{
	*out = (struct advise_waits){0};
	for (size_t i = 0; i < kernel->nsamples; i++) {
		const struct advise_sample *each = &kernel->samples[i];
		const double n = (double)each->samples;

		if (each->instruction >= kernel->ninstructions ||
			(form && !advise_is_round(kernel, form, each->instruction)))
			continue;
		out->loop += n;
		if (strcmp(each->reason, "long_scoreboard") == 0)
			out->tiles += is_tile_wait(kernel, each->instruction) ? n : 0;
		else if (strcmp(each->reason, "barrier") == 0)
			out->barrier += n;
		else if (is_reason_of(each->reason, queue_reasons))
			out->queue += n;
		else if (is_reason_of(each->reason, ready_reasons))
			out->ready += n;
	}
}

/* Counters do not tell the loop from the rest, nor loads of tiles from others. */
static void waits_of_counters(const struct advise_kernel *kernel, struct advise_waits *out)
{
	*out = (struct advise_waits){
		.loop = 1,
		.tiles = advise_part_of(kernel, "stall_long_scoreboard"),
		.barrier = advise_part_of(kernel, "stall_barrier"),
		.queue = advise_part_of(kernel, "stall_short_scoreboard") +
			 advise_part_of(kernel, "stall_mio_throttle") + advise_part_of(kernel, "stall_lg_throttle"),
		.ready = advise_part_of(kernel, "stall_selected") + advise_part_of(kernel, "stall_not_selected") +
			 advise_part_of(kernel, "stall_dispatch_stall") +
			 advise_part_of(kernel, "stall_math_pipe_throttle"),
	};
}

void advise_waits_of(const struct advise_kernel *kernel, const struct advise_form *form, struct advise_waits *out)
{
	enum { SAMPLES_LEAST = 100 }; /* fewer tell a part of a tenth only to within a third */
	struct advise_waits all;

	count_samples(kernel, NULL, &all);
	count_samples(kernel, form, out);
	if (out->loop < SAMPLES_LEAST) {
		waits_of_counters(kernel, out);
		return;
	}
	out->tiles /= out->loop;
	out->barrier /= out->loop;
	out->queue /= out->loop;
	out->ready /= out->loop;
	out->loop /= all.loop;
}
