/* causes.c: see causes.h. */
#include "analyze/advise/causes.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"

enum { PERCENT = 100 };

/* ---- making causes ---- */

/* NULL: there is no room. `doubt` is half the width of its interval, ns. */
static struct advise_cause *add_cause(struct advise_result *out, const char *id, double ns, double doubt)
{
	struct advise_cause *cause;

	if (out->ncauses == ADVISE_CAUSES_MOST)
		return NULL;
	cause = &out->causes[out->ncauses++];
	*cause = (struct advise_cause){.id = id, .ns = ns, .low = ns - doubt, .high = ns + doubt};
	return cause;
}

/* What was not measured is no evidence. */
static void add_evidence(struct advise_cause *cause, const char *metric, double value, const char *unit)
{
	if (cause && isfinite(value) && cause->nevidence < ADVISE_EVIDENCE_MOST)
		cause->evidence[cause->nevidence++] = (struct advise_evidence){metric, value, unit};
}

static void add_share(const struct advise_kernel *kernel, struct advise_cause *cause, const char *key)
{
	add_evidence(cause, key, advise_counter_of(kernel, key), "%");
}

static void tell_waits(const struct advise_kernel *kernel, const struct advise_now *now, struct advise_cause *cause)
{
	add_evidence(cause, "exposed-latency", now->exposed * PERCENT, "%");
	add_evidence(cause, "load-latency", isnan(now->rounds) ? NAN : now->latency, "ns");
	add_evidence(cause, "tiles-ahead", now->form.ahead, "tiles");
	add_share(kernel, cause, "stall_long_scoreboard");
}

/* ---- why another number of stages takes another time ---- */

static double ns_with(const struct advise_kernel *kernel, const struct advise_now *now, const struct advise_plan *plan)
{
	struct advise_time time;

	advise_time_of(kernel, now, plan, &time);
	return time.ns;
}

static const struct advise_gain *gain_at(const struct advise_result *result, int stages)
{
	for (int i = 0; i < ADVISE_GAINS; i++)
		if (result->gain[i].stages == stages)
			return &result->gain[i];
	return NULL;
}

static void tell_blocks(const struct advise_kernel *kernel, const struct advise_now *now,
	const struct advise_plan *plan, double ns, struct advise_result *out)
{
	struct advise_cause *cause;
	struct advise_time time;

	advise_time_of(kernel, now, plan, &time);
	if (time.resident == now->resident || !(fabs(ns) >= same_band * kernel->ns))
		return;
	cause = add_cause(out, "occupancy", ns, fabs(ns) * doubt_model);
	add_evidence(cause, "blocks-now", now->resident, "blocks");
	add_evidence(cause, "blocks-then", time.resident, "blocks");
	add_evidence(cause, "stage-bytes", now->form.tile_bytes, "bytes");
}

/* Parts in a fixed order: tiles ahead, then the way of the copies, then blocks on an SM. They add up to the gain, but
 * for what is too small to matter. */
static void tell_gain_parts(const struct advise_kernel *kernel, const struct advise_now *now,
	const struct advise_plan *plan, const struct advise_gain *gain, struct advise_result *out)
{
	struct advise_plan step = {plan->ahead, (double)kernel->block.shared_bytes, kernel->block.registers, false};
	const double ahead = ns_with(kernel, now, &step);
	const double doubt = kernel->ns * (1 / (1 + gain->low) - 1 / (1 + gain->high)) / 2;
	const double least = same_band * kernel->ns;
	struct advise_cause *cause;
	double copied = ahead;

	if (fabs(kernel->ns - ahead) >= least)
		tell_waits(kernel, now, add_cause(out, "memory-latency-hidden", kernel->ns - ahead, doubt));
	if (plan->is_copied) {
		step.is_copied = true;
		copied = ns_with(kernel, now, &step);
	}
	if (fabs(ahead - copied) >= least) {
		cause = add_cause(
			out, now->form.narrow > 0 ? "narrow-copies" : "shared-memory-queue", ahead - copied, doubt);
		add_share(kernel, cause, "throughput_l1");
		add_evidence(cause, "queue-waits", now->waits.queue * PERCENT, "%");
		add_evidence(cause, "narrow-copies", now->form.narrow > 0 ? now->form.narrow : NAN, "per round");
	}
	tell_blocks(kernel, now, plan, copied - ns_with(kernel, now, plan), out);
}

/* ---- why none pays ---- */

/* A unit that has reached its limit holds for all numbers of stages. */
static void tell_walls(const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out)
{
	const double least = 1 - full_doubt;
	struct advise_cause *cause;

	if (now->dram >= least || now->l2 >= least) {
		cause = add_cause(
			out, "bandwidth-bound", fmax(now->dram, now->l2) * kernel->ns, full_doubt * kernel->ns);
		add_share(kernel, cause, "throughput_dram");
		add_share(kernel, cause, "throughput_l2");
	}
	if (now->l1 >= least) {
		cause = add_cause(out, "shared-memory-queue", now->l1 * kernel->ns, full_doubt * kernel->ns);
		add_share(kernel, cause, "throughput_l1");
		add_evidence(cause, "queue-waits", now->waits.queue * PERCENT, "%");
	}
	if (now->issue >= least) {
		cause = add_cause(out, "pipe-bound", now->issue * kernel->ns, full_doubt * kernel->ns);
		add_share(kernel, cause, "throughput_sm");
		add_evidence(cause, "ready-warps", now->waits.ready * PERCENT, "%");
	}
}

static bool fits_any(const struct advise_result *result, int now)
{
	for (int i = 0; i < ADVISE_GAINS; i++)
		if (result->gain[i].stages != now && !isnan(result->gain[i].mid))
			return true;
	return false;
}

/* Loads that nobody waits for leave nothing to hide, and few rounds have no time to hide it in. */
static void tell_nothing_to_hide(
	const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out)
{
	enum { FEW_ROUNDS = 3 };
	struct advise_cause *cause;

	if (!fits_any(out, now->form.stages)) {
		cause = add_cause(out, "no-room", NAN, NAN);
		add_evidence(cause, "stage-bytes", now->form.tile_bytes, "bytes");
		add_evidence(cause, "shared-memory", (double)kernel->block.shared_bytes, "bytes");
	}
	if (now->rounds < FEW_ROUNDS)
		add_evidence(add_cause(out, "few-rounds", NAN, NAN), "rounds", now->rounds, "rounds");
	if (now->exposed < notable_share)
		tell_waits(kernel, now,
			add_cause(out, "latency-hidden-already", now->exposed * (kernel->ns - now->fixed), 0));
}

static int larger_cause(const void *a, const void *b)
{
	const double x = fabs(((const struct advise_cause *)a)->ns), y = fabs(((const struct advise_cause *)b)->ns);

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x < y) - (x > y);
}

static const struct advise_gain *best_other(const struct advise_result *result, int now)
{
	const struct advise_gain *best = NULL;

	for (int i = 0; i < ADVISE_GAINS; i++)
		if (result->gain[i].stages != now && !isnan(result->gain[i].mid) &&
			(!best || result->gain[i].mid > best->mid))
			best = &result->gain[i];
	return best;
}

/* Whether the advice is to load ahead into registers, the smaller change, since no copies gain more. */
static bool advises_loading_ahead(const struct advise_kernel *kernel, const struct advise_result *result)
{
	const struct advise_gain *copies = gain_at(result, result->stages);

	return result->verdict == ADVISE_PAYS && !kernel->is_triton && !isnan(result->by_registers.mid) &&
	       !(copies && copies->mid > result->by_registers.mid);
}

/* Of what is advised; of the best other number of stages where nothing is. */
static void tell_advised_gain(
	const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out)
{
	const struct advise_gain *gain = gain_at(out, out->stages);
	struct advise_plan plan;

	if (advises_loading_ahead(kernel, out)) {
		plan = advise_plan_by_registers(kernel, now);
		tell_gain_parts(kernel, now, &plan, &out->by_registers, out);
		return;
	}
	if (!gain || gain->stages == now->form.stages)
		gain = best_other(out, now->form.stages);
	if (!gain)
		return;
	plan = advise_plan_of(kernel, now, gain->stages);
	tell_gain_parts(kernel, now, &plan, gain, out);
}

void advise_tell_causes(const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out)
{
	if (!now->form.has_loop) {
		add_cause(out, "no-loop", NAN, NAN);
		return;
	}
	if (out->verdict != ADVISE_PAYS) {
		tell_nothing_to_hide(kernel, now, out);
		tell_walls(kernel, now, out);
	}
	if (out->ncauses < ADVISE_CAUSES_MOST)
		tell_advised_gain(kernel, now, out);
	qsort(out->causes, out->ncauses, sizeof(*out->causes), larger_cause);
}
