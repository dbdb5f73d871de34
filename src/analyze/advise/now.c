/* now.c: see now.h. */
#include "analyze/advise/now.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analyze/advise/network.h"
#include "analyze/thresholds.h"

static const double ns_per_s = 1e9;

static double if_known(double value, double otherwise)
{
	return isnan(value) ? otherwise : value;
}

/* Nobody has a ring of more tiles: the code was misread. */
enum { AHEAD_MOST = 255 };

static double at_most_all(double part)
{
	return isnan(part) ? 0 : fmin(fmax(part, 0), 1);
}

/* ---- units ---- */

/* ns that the counted launch kept the busiest SM at work, if at the clock of calibration; NaN: unknown. */
static double counted_ns(const struct advise_kernel *kernel, const struct machine *machine, double uneven)
{
	const double cycles =
		advise_counter_of(kernel, "inst_executed") / advise_counter_of(kernel, "ipc") / machine->sms;

	return ns_per_s * cycles * uneven / machine->clock_hz;
}

/* How many times longer than `ns` the throughputs were counted over, with what the profiler does around a launch.
 * Device memory tells: its throughput and its bytes differ by that time, and full_unit of its peak is what calibration
 * reached. Where it is hardly used, the time of another counted launch is taken. */
static double counted_around(
	const struct advise_kernel *kernel, const struct machine *machine, const struct advise_now *now, double ns)
{
	const double part = advise_part_of(kernel, "throughput_dram");
	const double bytes_ns = ns_per_s * advise_counter_of(kernel, "dram_bytes") / machine->dram_bytes_s;
	const double around = part >= dram_tells && bytes_ns > 0 ? bytes_ns * full_unit / part
								 : advise_counter_of(kernel, "duration");

	return now->guess == ADVISE_COUNTED_CLOSE ? 1 : fmax(if_known(around / ns, 1), 1);
}

double advise_full(const struct advise_now *now)
{
	return now->guess == ADVISE_UNITS_PEAK ? 1 : full_unit;
}

/* Counters are of a launch that may take longer than usual, in colder caches. Those of all SMs count the idle ones,
 * too. */
static void look_at_units(const struct advise_kernel *kernel, const struct machine *machine, struct advise_now *out)
{
	const double uneven = out->per_sm * machine->sms / (double)kernel->blocks;
	const double ns = fmax(kernel->ns, if_known(counted_ns(kernel, machine, uneven), 0));
	const double around = counted_around(kernel, machine, out, ns);
	const double full = advise_full(out);
	const double pipe = at_most_all(advise_part_of(kernel, "throughput_sm") * around * uneven / full);
	const double issued = at_most_all(advise_counter_of(kernel, "ipc") / machine->issue / full);

	out->issue = fmax(pipe, issued);
	out->l1 = at_most_all(advise_part_of(kernel, "throughput_l1") / full);
	out->l2 = at_most_all(advise_part_of(kernel, "throughput_l2") * around / full);
	out->dram = at_most_all(
		ns_per_s * advise_counter_of(kernel, "dram_bytes") / ns / machine->dram_bytes_s * full_unit / full);
}

/* The L2 cache counts bytes that device memory brings twice: when they come, and when they are asked for. */
static double asked_bytes(const struct advise_kernel *kernel)
{
	return advise_counter_of(kernel, "l2_bytes") - if_known(advise_counter_of(kernel, "dram_read"), 0) / 2;
}

/* A tile's bytes come at the rate at which an SM takes them from the L2 cache, or at an SM's part of what all reach at
 * once: as often as the L2 cache is busy. */
static double bytes_at_rest(const struct machine *machine, const struct advise_now *now)
{
	const double alone = now->form.tile_bytes / (port_bytes * machine->clock_hz);
	const double shared = now->form.tile_bytes * machine->sms / machine->l2_bytes_s;
	double busy = now->l2;

	if (now->guess == ADVISE_LOADS_ALONE || isnan(shared))
		busy = 0;
	else if (now->guess == ADVISE_LOADS_TOGETHER)
		busy = 1;
	return if_known(busy > 0 ? alone + busy * (shared - alone) : alone, 0);
}

/* A tile comes after the latency of one load, as far as bytes come from device memory that one's. */
static double load_at_rest(
	const struct advise_kernel *kernel, const struct machine *machine, const struct advise_now *now)
{
	const double asked = if_known(asked_bytes(kernel), 0),
		     dram = if_known(advise_counter_of(kernel, "dram_read"), 0);
	const double far = asked > 0 ? fmin(dram / asked, 1) : 0;
	const double latency = machine->l2_latency_s + far * (machine->dram_latency_s - machine->l2_latency_s);

	return ns_per_s * (latency + bytes_at_rest(machine, now));
}

/* A ring needs instructions of its own, one behind the other. What was used from registers is read back, behind a
 * barrier more. */
static void look_at_ring(const struct advise_kernel *kernel, const struct machine *machine, struct advise_now *out)
{
	const double warps = ceil((double)kernel->block.threads / kernel->sm.threads_per_warp);
	const double ns = ns_per_s / machine->clock_hz, latency = if_known(machine->fma_latency, 0);
	const double barrier = machine->barrier_alone + (warps - 1) * machine->barrier_per_warp;
	const double instructions = out->guess == ADVISE_RING_SHORT  ? ring_least
				    : out->guess == ADVISE_RING_LONG ? ring_most
								     : ring_instructions;
	const double reads = out->form.is_plain ? out->form.loads : 0;

	out->ring_chain = if_known(instructions * latency * ns, 0);
	if (out->form.is_plain)
		out->ring_chain += if_known((barrier + machine->shared_latency) * ns, 0);
	out->ring_busy = if_known((instructions + reads) * warps / machine->issue * ns, 0);
}

/* ---- rounds ---- */

/* Instructions tell how many rounds a block has, if each round executes as many. Else bytes do, as far as tiles come
 * from the L2 cache. */
static double rounds_of_block(const struct advise_kernel *kernel, const struct advise_form *form)
{
	const double warps = ceil((double)kernel->block.threads / kernel->sm.threads_per_warp),
		     blocks = (double)kernel->blocks;
	const double executed = advise_counter_of(kernel, "inst_executed") / (blocks * warps);
	double rounds = (executed - form->outside) / form->instructions;

	if (form->is_unrolled)
		rounds = (double)kernel->code->unrolled.value;
	else if (form->has_inner)
		rounds = form->is_async ? asked_bytes(kernel) / (form->tile_bytes * blocks) : NAN;
	return isfinite(rounds) ? fmax(rounds, 1) : NAN;
}

/* A turn that asks for the tiles of several rounds at once has one wait for all: what else it does is divided. */
static void leave_batch(struct advise_now *now)
{
	const double batch = now->form.batch;

	now->chain /= batch;
	now->served /= batch;
	now->share /= batch;
	now->round /= batch;
	now->rounds *= batch;
}

/* With no tile ahead: a block waits for its tile, then computes. Other blocks lengthen both. Memory is busy for blocks
 * that compute, too: it does not hold up a block for longer than this one waits. */
static void divide_waiting(struct advise_now *now)
{
	struct advise_network network = {
		.is_even = now->guess == ADVISE_EVEN, .demand = {fmax(now->issue, now->l1) * now->share}};
	double here[ADVISE_UNITS];
	const double wait = now->exposed * now->round, rest = isnan(now->rounds) ? 0 : fmin(now->rest, wait);

	now->served = fmin(fmax(now->l2, now->dram) * now->share, (wait - rest) / now->together);
	network.demand[ADVISE_MEMORY] = now->served;
	network.think = advise_think(&network, now->together, now->round);
	advise_cycle(&network, now->together, here);
	now->latency = fmin(fmax(wait - here[ADVISE_MEMORY], rest), network.think);
	now->chain = fmax(network.think - now->latency, 0);
	leave_batch(now);
}

/* With tiles ahead: a block computes while it does not wait. A tile takes at most so long as the rounds between asking
 * and using; what is far above a load at rest is no latency. */
static void divide_ahead(struct advise_now *now)
{
	struct advise_network network = {
		.is_even = now->guess == ADVISE_EVEN, .demand = {[ADVISE_SM] = fmax(now->issue, now->l1) * now->share}};
	const double compute = (1 - now->exposed) * now->round;
	const double turns = now->form.ahead + (now->form.is_late ? 0 : 1);

	now->served = fmax(now->l2, now->dram) * now->share;
	now->chain = advise_think(&network, now->together, compute);
	network = (struct advise_network){.is_even = network.is_even, .demand = {[ADVISE_MEMORY] = now->served}};
	now->latency = advise_think(&network, (int)(now->together * turns), turns * now->round);
	if (!now->form.is_late)
		now->latency = fmax(now->latency - compute, 0);
	if (!isnan(now->rounds))
		now->latency = fmin(now->latency, now->rest);
}

/* A warp at a barrier waits for the others, and these for tiles as often as any that is not at a barrier. */
static double exposed_part(const struct advise_now *now)
{
	const double tiles = now->waits.tiles, barrier = now->waits.barrier;

	if (tiles <= 0 || now->guess == ADVISE_BARRIERS_APART)
		return fmax(tiles, 0);
	if (now->guess == ADVISE_BARRIERS_WAIT)
		return fmin(tiles + barrier, 1);
	return fmin(tiles / fmax(1 - barrier, tiles), 1);
}

/* The launch is at most half of the time: graphs and traced launches overlap it in part. */
static void divide_time(const struct advise_kernel *kernel, const struct machine *machine, struct advise_now *out)
{
	const double launch = fmin(if_known(ns_per_s * machine->launch_s, 0), kernel->ns / 2);

	out->fixed = launch + (kernel->ns - launch) * (1 - out->waits.loop);
	out->rounds = rounds_of_block(kernel, &out->form);
	out->round = (kernel->ns - out->fixed) * out->together / out->per_sm / if_known(out->rounds, 1);
	out->share = out->round / out->together;
	out->exposed = exposed_part(out);
	look_at_units(kernel, machine, out);
	look_at_ring(kernel, machine, out);
	out->rest = load_at_rest(kernel, machine, out);
	if (out->form.ahead > 0)
		divide_ahead(out);
	else
		divide_waiting(out);
}

static const char *lacking_of(const struct advise_kernel *kernel, const struct machine *machine)
{
	if (!(kernel->ns > 0) || !isfinite(kernel->ns) || kernel->blocks <= 0 || kernel->blocks > INT_MAX ||
		kernel->block.threads <= 0)
		return "a timed launch";
	if (!(machine->sms > 0) || !isfinite(machine->sms) || isnan(machine->l2_latency_s) ||
		isnan(machine->dram_latency_s))
		return "constants of the machine";
	if (!kernel->instructions || !kernel->code || kernel->ninstructions == 0)
		return "machine code";
	return NULL;
}

/* What is called may have the loop. */
static bool calls_others(const struct advise_kernel *kernel)
{
	for (size_t i = 0; i < kernel->ninstructions; i++)
		if (kernel->instructions[i].text && strstr(kernel->instructions[i].text, "CALL."))
			return true;
	return false;
}

const char *advise_now_of(const struct advise_kernel *kernel, const struct machine *machine, struct advise_now *out)
{
	const char *lacking = lacking_of(kernel, machine);
	struct occupancy occupancy;

	*out = (struct advise_now){.rounds = NAN};
	if (lacking)
		return lacking;
	advise_form_of(kernel, &out->form);
	if (!out->form.has_loop)
		return kernel->code->shape_how == ASM_UNKNOWN || calls_others(kernel) ? "its loop" : NULL;
	if (kernel->code->is_specialised || !(out->form.ahead <= AHEAD_MOST))
		return "tiles ahead";
	if (isnan(out->form.tile_bytes))
		return "size of a tile";
	occupancy_compute(&kernel->sm, &kernel->block, &occupancy);
	if (occupancy.blocks <= 0)
		return "limits of the SMs";
	out->resident = occupancy.blocks;
	out->per_sm = ceil((double)kernel->blocks / machine->sms);
	out->together = (int)fmin(out->resident, out->per_sm);
	advise_waits_of(kernel, &out->form, &out->waits);
	if (isnan(out->waits.tiles) || isnan(out->waits.barrier) || isnan(advise_counter_of(kernel, "throughput_l1")))
		return "counters";
	divide_time(kernel, machine, out);
	return NULL;
}

void advise_now_guessed(const struct advise_kernel *kernel, const struct machine *machine, const struct advise_now *now,
	enum advise_guess guess, struct advise_now *out)
{
	*out = *now;
	out->guess = guess;
	divide_time(kernel, machine, out);
}
