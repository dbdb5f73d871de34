/* judge.c: see judge.h. The rows are in advice-rows.c. */
#include "contrast/advise/judge.h"

#include <math.h>
#include <stdlib.h>

#include "contrast/advise/known.h"
#include "contrast/count/choose.h"
#include "contrast/count/limits.h"
#include "util/alloc.h"
#include "util/clock.h"

static int64_t blocks_of_launch(const struct launch_kernel *kernel)
{
	return kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
}

static struct kernel_resources resources_of_launch(const struct launch_kernel *kernel)
{
	return (struct kernel_resources){
		.threads = (int)(kernel->block[0] * kernel->block[1] * kernel->block[2]),
		.registers = (int)kernel->registers,
		.shared_bytes = kernel->static_shared + kernel->dynamic_shared,
	};
}

/* What the code says, and where the tiles come from. */
static void read_code(const struct known_kernel *known, struct advised_kernel *out)
{
	if (known->ninstructions == 0)
		return;
	asm_read(known->instructions, known->ninstructions, &out->code);
	out->has_code = true;
	if (out->code.shape_how != ASM_UNKNOWN && out->code.shape == ASM_SHAPE_ROUNDS) {
		out->loop[0] = known->instructions[out->code.first].offset;
		out->loop[1] = known->instructions[out->code.last].offset;
	}
	known_copy_line(known, &out->code, &out->file, &out->line);
}

static void judge_kernel(const struct contrast_found *found, const struct gpu_limits *limits,
	const struct machine *machine, struct advised_kernel *out)
{
	const struct side_kernel *side = found->samples.cases[out->place].sides[0].kernel;
	const struct launch_kernel *kernel = &side->kernel;
	struct known_kernel known;
	struct advise_kernel what = {
		.name = kernel->base,
		.blocks = blocks_of_launch(kernel),
		.block = resources_of_launch(kernel),
		.local_bytes = kernel->local_bytes,
		.shared_most = limits->shared_most,
		.sm = limits->sm,
	};

	known_gather(found, out->place, &known);
	out->ns = what.ns = side->launch_ns;
	out->is_triton = what.is_triton = known_is_triton(&known);
	out->refusal = count_refusal(side);
	read_code(&known, out);
	what.instructions = known.instructions;
	what.ninstructions = known.ninstructions;
	what.code = out->has_code ? &out->code : NULL;
	what.counters = known.counters;
	what.ncounters = known.ncounters;
	what.samples = known.samples;
	what.nsamples = known.nsamples;
	advise_judge(&what, machine, &out->result);
	if (out->refusal) {
		out->result.verdict = ADVISE_UNKNOWN;
		out->result.ncauses = 0;
	}
	known_release(&known);
}

void advise_kernels(const struct contrast_options *options, const struct contrast_found *found,
	const struct machine *machine, struct advised *out)
{
	struct gpu_limits limits = {0};
	size_t chosen[CHOSEN_KERNELS_MOST];

	gpu_limits_of(seen_gpus_row(&found->measured.gpus, found->measured.sides[0].gpu), &limits);
	*out = (struct advised){.at = clock_realtime()};
	out->kernels = xcalloc(CHOSEN_KERNELS_MOST, sizeof(*out->kernels));
	out->n = found->any ? count_choose(options, &found->samples, chosen) : 0;
	for (size_t i = 0; i < out->n; i++) {
		out->kernels[i].place = chosen[i];
		judge_kernel(found, &limits, machine, &out->kernels[i]);
	}
}

void advised_free(struct advised *advised)
{
	free(advised->kernels);
	*advised = (struct advised){0};
}
