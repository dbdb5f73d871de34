/* phases-rows.c: what the phases pass writes down. See phases.h. */
#include "record/pass/phases.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

enum { MAX_EVENTS = 6000 }; /* phases recorded of one block */

/* The stamped block whose length is nearest to the median. */
static unsigned typical_block(const struct phased *p)
{
	double least = 0;
	unsigned best = 0;

	for (unsigned i = 0; i < p->memory.stamped; i++) {
		struct phase_block block = phase_memory_stamped(&p->memory, i);
		double off = phase_block_life(&block) - p->stamped_cycles;

		off = off < 0 ? -off : off;
		if (i == 0 || off < least) {
			least = off;
			best = i;
		}
	}
	return best;
}

/* `block`: which one is in DBPROF_PHASE, unless that is the mean block. */
static void phases_write_run(const struct phased *p, int64_t id, unsigned block)
{
	const bool mean = p->is_mean;
	const struct value row[PHASERUN_NUMBER] = {
		[PHASERUN_id] = VALUE_OF_INT(id),
		[PHASERUN_family] = VALUE_OF_TEXT(p->kernel.launch.w->family->name),
		[PHASERUN_variant] = VALUE_OF_TEXT(p->kernel.launch.variant->name),
		[PHASERUN_caseLabel] = VALUE_OF_TEXT(p->kernel.launch.size->label),
		[PHASERUN_block] = VALUE_OF_INT_IF(phase_memory_block(&p->memory, block), !mean),
		[PHASERUN_warps] = VALUE_OF_INT(p->memory.board.warps),
		[PHASERUN_blocks] = VALUE_OF_INT(mean ? p->used : p->memory.stamped),
		[PHASERUN_gridBlocks] = VALUE_OF_INT(p->memory.grid),
		[PHASERUN_plainNs] = VALUE_OF_REAL(p->kernel.plain_ns),
		[PHASERUN_stampedNs] = VALUE_OF_REAL(p->kernel.instrumented_ns),
		[PHASERUN_plainCycles] = worker_real(p->plain_cycles),
		[PHASERUN_stampedCycles] = worker_real(p->stamped_cycles),
		[PHASERUN_plainRegisters] = VALUE_OF_INT(instrumented_registers(&p->kernel, p->plain.function)),
		[PHASERUN_stampedRegisters] = VALUE_OF_INT(instrumented_registers(&p->kernel, p->stamped.function)),
		[PHASERUN_segments] = VALUE_OF_INT_IF(p->memory.board.segments, mean),
		[PHASERUN_barrierCycles] = VALUE_OF_INT_IF(p->probed.barrier, !mean),
		[PHASERUN_leaveCycles] = VALUE_OF_INT_IF(p->probed.leave, mean),
		[PHASERUN_cutPhases] = VALUE_OF_INT(p->cut),
		[PHASERUN_leftOut] = VALUE_OF_INT_IF(p->unused, mean),
	};

	worker_row(p->kernel.launch.w, TABLE_PHASERUN, row);
}

/* Phase `n` of a warp of the block in p->bounds. */
static void write_phase(const struct phased *p, int64_t id, unsigned warp, unsigned n)
{
	const double *bounds = p->bounds + (size_t)warp * (p->phases + 1);
	const struct phase_place place = phase_plan_place(p->plan, p->steps, n);
	const struct value row[PHASE_NUMBER] = {
		[PHASE_run] = VALUE_OF_INT(id),
		[PHASE_warp] = VALUE_OF_INT(warp),
		[PHASE_step] = VALUE_OF_INT(place.step),
		[PHASE_phase] = VALUE_OF_TEXT(phase_name(place.phase)),
		[PHASE_fromCycle] = VALUE_OF_INT(llround(bounds[n])),
		[PHASE_toCycle] = VALUE_OF_INT(llround(bounds[n + 1])),
	};

	worker_row(p->kernel.launch.w, TABLE_PHASE, row);
}

static void write_block(const struct phased *p, int64_t id)
{
	const unsigned warps = p->memory.board.warps;
	int kept;
	unsigned phases = phase_plan_kept(p->plan, p->steps, MAX_EVENTS / warps, &kept);

	for (unsigned warp = 0; warp < warps; warp++) {
		for (unsigned n = 0; n < phases; n++)
			write_phase(p, id, warp, n);
	}
	if (kept < p->steps)
		worker_note(p->kernel.launch.w, SEVERITY_INFO,
			"%s/%s, case %s: of the %d steps of a block the first %d are recorded warp by warp",
			p->kernel.launch.w->family->name, p->kernel.launch.variant->name, p->kernel.launch.size->label,
			p->steps, kept);
}

/* Puts stamped block `n` into p->bounds. The number of its phases that are cut. */
static unsigned take_block(struct phased *p, unsigned n)
{
	const struct phase_block block = phase_memory_stamped(&p->memory, n);

	return phase_block_bounds(&block, p->plan, p->steps, p->probed.barrier, p->bounds);
}

/* Adds the cycles of all warps of `blocks` blocks as the one in p->bounds to sums[step][phase]. */
static void add_block(const struct phased *p, int64_t blocks, int64_t (*sums)[PHASES_NUMBER])
{
	for (unsigned warp = 0; warp < p->memory.board.warps; warp++) {
		const double *bounds = p->bounds + (size_t)warp * (p->phases + 1);

		for (unsigned n = 0; n < p->phases; n++) {
			const struct phase_place place = phase_plan_place(p->plan, p->steps, n);

			sums[place.step][place.phase] += llround((bounds[n + 1] - bounds[n]) * (double)blocks);
		}
	}
}

static void add_blocks(struct phased *p, int64_t (*sums)[PHASES_NUMBER])
{
	if (p->is_mean) {
		add_block(p, p->used, sums);
		return;
	}
	p->cut = 0;
	for (unsigned i = 0; i < p->memory.stamped; i++) {
		p->cut += take_block(p, i);
		add_block(p, 1, sums);
	}
}

static void write_sums(const struct phased *p, int64_t id, int steps, int64_t (*sums)[PHASES_NUMBER])
{
	for (int step = 0; step < steps; step++) {
		for (int phase = 0; phase < PHASES_NUMBER; phase++) {
			const struct value row[PHASESUM_NUMBER] = {
				[PHASESUM_run] = VALUE_OF_INT(id),
				[PHASESUM_step] = VALUE_OF_INT(step),
				[PHASESUM_phase] = VALUE_OF_TEXT(phase_name((enum phase)phase)),
				[PHASESUM_cycles] = VALUE_OF_INT(sums[step][phase]),
			};

			if (sums[step][phase] > 0)
				worker_row(p->kernel.launch.w, TABLE_PHASESUM, row);
		}
	}
}

/* What comes before and behind the steps counts as part of the first and the last one, so there is one at least. */
void phases_write(struct phased *p)
{
	const int64_t id = worker_next_id(p->kernel.launch.w);
	const unsigned block = p->is_mean ? 0 : typical_block(p);
	const int steps = p->steps > 0 ? p->steps : 1;
	int64_t(*sums)[PHASES_NUMBER] = xcalloc((size_t)steps, sizeof(*sums));

	add_blocks(p, sums);
	phases_write_run(p, id, block);
	if (!p->is_mean)
		take_block(p, block);
	if (p->kernel.launch.size == &p->kernel.launch.w->cases[0])
		write_block(p, id);
	write_sums(p, id, steps, sums);
	free(sums);
}
