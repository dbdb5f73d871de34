/* change.c: see change.h. */
#include "analyze/advise/change.h"

#include <math.h>

#include "analyze/advise/network.h"
#include "analyze/thresholds.h"

struct advise_plan advise_plan_of(const struct advise_kernel *kernel, const struct advise_now *now, int stages)
{
	return (struct advise_plan){
		.ahead = advise_ahead(kernel, &now->form, stages),
		.shared = advise_shared(kernel, &now->form, stages),
		.registers = kernel->block.registers,
		.is_copied = !now->form.is_async && stages != now->form.stages,
	};
}

struct advise_plan advise_plan_by_registers(const struct advise_kernel *kernel, const struct advise_now *now)
{
	enum { REGISTER_BYTES = 4 };

	return (struct advise_plan){
		.ahead = 1,
		.shared = (double)kernel->block.shared_bytes,
		.registers = kernel->block.registers + ceil(now->form.load_bytes / REGISTER_BYTES),
	};
}

enum { REGISTERS_MOST = 255 }; /* of a thread */

static int blocks_with(const struct advise_kernel *kernel, const struct advise_plan *plan)
{
	const struct kernel_resources block = {kernel->block.threads, (int)plan->registers, (int64_t)plan->shared};
	struct occupancy occupancy;

	if (isnan(plan->shared) || plan->shared > (double)kernel->shared_most || plan->registers > REGISTERS_MOST)
		return 0;
	occupancy_compute(&kernel->sm, &block, &occupancy);
	return occupancy.blocks;
}

/* Turns of shared memory and the L1 cache, as a part of all cycles as run, once tiles do not come through registers.
 * Loads of tiles and stores as wide take none then; tiles that were used from registers are read back. Stores that are
 * narrower than their loads become narrow copies: their threads meet in banks at least as often as now, at most all in
 * one. */
static double l1_of_copies(const struct advise_kernel *kernel, const struct advise_now *now)
{
	enum { LINE = 128 };
	const struct advise_form *form = &now->form;
	const int threads = kernel->sm.threads_per_warp;
	const double cycles = advise_counter_of(kernel, "inst_executed") / advise_counter_of(kernel, "ipc");
	const double warp_rounds = now->rounds * (double)kernel->blocks * ceil((double)kernel->block.threads / threads);
	const double loads = form->load_bytes * threads / LINE, stores = form->wide_bytes * threads / LINE;
	const double meet =
		form->narrow > 0 ? 1 + advise_counter_of(kernel, "smem_store_conflicts") / (form->narrow * warp_rounds)
				 : 1;
	const double more = form->narrow * (sqrt(meet * threads) - meet) + (form->is_plain ? loads + form->spread : 0);
	const double part = advise_part_of(kernel, "throughput_l1") + (more - loads - stores) * warp_rounds / cycles;

	if (isnan(part) || !(cycles > 0))
		return now->l1;
	return fmax(part, 0) / advise_full(now);
}

/* The same kernel, once its tiles are copied: a round has more instructions. */
static void copy_tiles(const struct advise_now *now, struct advise_now *out)
{
	*out = *now;
	out->chain = now->chain + now->ring_chain;
	out->issue = fmin(now->issue + now->ring_busy / now->share, 1);
}

/* A round with no tile ahead. The loads of a batch of rounds are waited for once. */
static double waiting_round(const struct advise_now *now, double l1, double batch, int together)
{
	const struct advise_network turn = {
		.is_even = now->guess == ADVISE_EVEN,
		.think = now->chain * batch + now->latency,
		.demand = {fmax(now->issue, fmin(l1, 1)) * now->share * batch, now->served * batch},
	};

	return advise_cycle(&turn, together, NULL) / batch;
}

/* A round with tiles ahead. */
static double round_with(const struct advise_now *now, double l1, double ahead, int together)
{
	const bool is_even = now->guess == ADVISE_EVEN;
	struct advise_network compute = {is_even, now->chain, {0}}, load = {is_even, now->latency, {0}};
	const double tiles = ahead + (now->form.is_late ? 0 : 1);
	double round;

	compute.demand[ADVISE_SM] = fmax(now->issue, fmin(l1, 1)) * now->share;
	load.demand[ADVISE_MEMORY] = fmax(now->l2, now->dram) * now->share;
	round = advise_cycle(&compute, together, NULL);
	if (!now->form.is_late)
		load.think += round;
	return fmax(round, advise_cycle(&load, (int)fmax(together * tiles, 1), NULL) / tiles);
}

/* A block's life, ns. More tiles than rounds are never under way; the first one is waited for. */
static double life_with(const struct advise_now *now, double l1, const struct advise_plan *plan, int together)
{
	const double used = isnan(now->rounds) ? plan->ahead : fmin(plan->ahead, now->rounds - 1);
	const double rounds = isnan(now->rounds) ? 1 : now->rounds;

	if (used <= 0)
		return rounds * waiting_round(now, l1, plan->is_copied ? 1 : now->form.batch, together);
	return rounds * round_with(now, l1, used, together) + (isnan(now->rounds) ? 0 : now->latency);
}

/* The busiest SM runs as many blocks at a time as fit, and the rest at the end. */
static double loop_with(const struct advise_now *now, double l1, const struct advise_plan *plan, int resident)
{
	const int together = (int)fmin(resident, now->per_sm), rest = (int)now->per_sm % together;
	const double full = floor(now->per_sm / together) * life_with(now, l1, plan, together);

	return full + (rest > 0 ? life_with(now, l1, plan, rest) : 0);
}

void advise_time_of(const struct advise_kernel *kernel, const struct advise_now *now, const struct advise_plan *plan,
	struct advise_time *out)
{
	const struct advise_plan as_run = {.ahead = now->form.ahead};
	const double loop = kernel->ns - now->fixed;
	struct advise_now then = *now;
	double wall;

	*out = (struct advise_time){
		NAN, NAN, blocks_with(kernel, plan), plan->is_copied ? l1_of_copies(kernel, now) : now->l1};
	if (out->resident <= 0)
		return;
	if (plan->is_copied)
		copy_tiles(now, &then);
	out->free_ns = now->fixed + loop * loop_with(&then, out->l1, plan, out->resident) /
					    loop_with(now, now->l1, &as_run, now->resident);
	wall = now->fixed + loop * fmax(fmax(then.issue, out->l1), fmax(now->l2, now->dram));
	out->ns = out->free_ns;
	if (out->ns < wall)
		out->ns = wall / (1 + fmin(wall / out->ns - 1, full_doubt) / 2);
}
