/* kernel-parts.c: what counters tell of the own kernels of both sides. A kernel's time is its warps' time over how many
 * warps run at once: the first by states, the second is occupancy. Where a warp of one side does the work of several of
 * the other, that fewer run at once costs nothing by itself: there each side's time is split by its states alone. */
#include "analyze/cause/ledger.h"

#include <math.h>

#include "analyze/thresholds.h"

/* Warp time over the most warps that run at once, ns: occupancy 1 would take this long. */
struct warp_time {
	double state[WARP_STATES];
	double all;
	double occupancy;
	double active; /* what it takes: all / occupancy */
	double budget; /* the launch, less what the trace says is not the own kernel's */
	const struct counted *counted;
};

/* What of a launch the own kernel can take at most. */
static double kernel_budget(const struct cause_side *side, double scale)
{
	double rest = 0;

	if (side->nruns == 0)
		return side->median;
	rest += side_term(side, TERM_OTHER_KERNELS);
	rest += side_term(side, TERM_OTHER);
	rest += side_term(side, TERM_ELSEWHERE);
	rest += side_term(side, TERM_IDLE);
	return fmax(side->median - scale * rest, 0);
}

static void warp_time_of(const struct cause_side *side, double scale, struct warp_time *out)
{
	out->counted = &side->counted;
	out->budget = kernel_budget(side, scale);
	out->active = side->counted.active_ns;
	out->occupancy = side->counted.occupancy;
}

/* Fits the active time to the launch: as counted where that is shorter, since starting a kernel and its last wave take
 * time too; else, and where counters give only its ratio, so that it fills the launches. */
static void warp_time_fit(struct warp_time *a, struct warp_time *b)
{
	double fit = fmin(1, fmin(a->budget / a->active, b->budget / b->active));
	struct warp_time *sides[] = {a, b};

	if (!a->counted->in_ns)
		fit = (a->budget + b->budget) / (a->active + b->active);
	for (int i = 0; i < 2; i++) {
		struct warp_time *side = sides[i];

		side->active *= fit;
		side->all = side->active * side->occupancy;
		for (int s = 0; s < WARP_STATES; s++)
			side->state[s] = side->all * side->counted->share[s];
	}
}

/* Half the interval of the active time. */
static double doubt_of_active(const struct warp_time *side)
{
	double doubt = side->counted->doubt_active ? side->counted->doubt : 0;
	double share = joined(joined(active_repeat, doubt), side->counted->apart);

	return joined(share * side->active, active_least_ns * fmax(side->counted->launches, 1));
}

static double repeat_of_state(enum warp_state state)
{
	return state == STATE_BARRIER || state == STATE_MEMORY ? wait_repeat : work_repeat;
}

/* Half the interval of the warp time in a state. Where passes contradict each other, all of what they lack may be in
 * one state; but barrier wait is counted in the pass that counts active time and occupancy. */
static double doubt_of_state(const struct warp_time *side, enum warp_state state)
{
	double of_state = joined(repeat_of_state(state), doubt_of_active(side) / side->active);
	double of_all = state == STATE_BARRIER ? share_repeat : joined(share_repeat, side->counted->doubt);

	return joined(of_state * side->state[state], of_all * side->all);
}

/* Spilled registers are stored to memory and loaded again, by instructions that the other side lacks. */
static bool made_by_spills(
	const struct warp_time *a, const struct warp_time *b, enum warp_state state, double difference)
{
	int64_t more = a->counted->local_bytes - b->counted->local_bytes;

	if (state != STATE_MEMORY && state != STATE_ISSUE)
		return false;
	return (more > 0 && difference > 0) || (more < 0 && difference < 0);
}

/* More instructions take more time to issue: what takes less time in spite of them has another cause. */
static bool made_by_instructions(
	const struct warp_time *a, const struct warp_time *b, enum warp_state state, double difference)
{
	double fewer = 1 - b->counted->issued / a->counted->issued;

	return state == STATE_ISSUE && fabs(fewer) >= notable_work_share && (fewer > 0) == (difference > 0);
}

static enum cause_id state_cause(
	const struct warp_time *a, const struct warp_time *b, enum warp_state state, double difference)
{
	static const enum cause_id ids[WARP_STATES] = {
		[STATE_BARRIER] = CAUSE_BARRIER,
		[STATE_MEMORY] = CAUSE_MEMORY,
		[STATE_QUEUE] = CAUSE_QUEUE,
		[STATE_ISSUE] = CAUSE_ISSUE,
		[STATE_OTHER] = CAUSE_OTHER_WAITS,
	};

	if (made_by_spills(a, b, state, difference))
		return CAUSE_SPILLS;
	if (made_by_instructions(a, b, state, difference))
		return CAUSE_INSTRUCTIONS;
	return ids[state];
}

/* `per_warp`: what a side's warp time in a state is multiplied with, single's and double's. */
static void add_states(
	struct ledger *ledger, const struct warp_time *a, const struct warp_time *b, const double per_warp[2])
{
	for (int s = 0; s < WARP_STATES; s++) {
		double difference = a->state[s] * per_warp[0] - b->state[s] * per_warp[1];
		double doubt = joined(doubt_of_state(a, (enum warp_state)s) * per_warp[0],
			doubt_of_state(b, (enum warp_state)s) * per_warp[1]);

		ledger_add_half(ledger, state_cause(a, b, (enum warp_state)s, difference), difference, doubt);
	}
}

static double tail(const struct warp_time *side)
{
	return side->active * (1 / wave_efficiency(side->counted->waves) - 1);
}

static bool waves_changed(const struct warp_time *a, const struct warp_time *b)
{
	return fabs(wave_efficiency(a->counted->waves) - wave_efficiency(b->counted->waves)) >= wave_change;
}

/* Where as many warps fit, a last wave that is less full is why fewer run. */
static void add_occupancy(struct ledger *ledger, const struct warp_time *a, const struct warp_time *b, double warps)
{
	bool waves = waves_changed(a, b) && a->counted->resident == b->counted->resident;
	double x = warps / a->occupancy, y = warps / b->occupancy;

	ledger_add_half(ledger, waves ? CAUSE_WAVES : CAUSE_OCCUPANCY, x - y,
		joined(occupancy_repeat * x, occupancy_repeat * y));
}

/* The time in which SMs have no work is the last wave's, as far as the number of waves lets expect it. */
static void add_tail(struct ledger *ledger, const struct warp_time *a, const struct warp_time *b)
{
	double found = (a->budget - a->active) - (b->budget - b->active), expected = tail(a) - tail(b);
	double part = expected < 0 ? fmin(fmax(found, expected), 0) : fmax(fmin(found, expected), 0);

	if (a->counted->in_ns && waves_changed(a, b))
		ledger_add_half(ledger, CAUSE_WAVES, part, joined(doubt_of_active(a), doubt_of_active(b)));
}

/* False without counters of both sides. */
static bool warp_times(
	const struct cause_side *single, const struct cause_side *dbl, struct warp_time *a, struct warp_time *b)
{
	double scale = 1;

	if (!single->counted.known || !dbl->counted.known || single->counted.in_ns != dbl->counted.in_ns)
		return false;
	if (single->nruns > 0 && dbl->nruns > 0)
		scale = trace_scale(single, dbl);
	warp_time_of(single, scale, a);
	warp_time_of(dbl, scale, b);
	warp_time_fit(a, b);
	return a->active > 0 && b->active > 0;
}

/* One grid has more warps, and each of them issues less. More warps of the same kind are a larger problem. */
static bool warps_do_other_work(const struct counted *a, const struct counted *b)
{
	const struct counted *many = a->warps > b->warps ? a : b, *few = many == a ? b : a;

	if (!(few->warps > 0) || many->warps < other_work_ratio * few->warps)
		return false;
	return few->issued / few->warps >= other_work_ratio * (many->issued / many->warps);
}

static void add_states_and_occupancy(
	struct ledger *ledger, const struct warp_time *a, const struct warp_time *b, enum kernel_order order)
{
	double per_warp = (1 / a->occupancy + 1 / b->occupancy) / 2, warps = (a->all + b->all) / 2;

	if (order == ORDER_STATES_FIRST) {
		per_warp = 1 / a->occupancy;
		warps = b->all;
	} else if (order == ORDER_OCCUPANCY_FIRST) {
		per_warp = 1 / b->occupancy;
		warps = a->all;
	}
	add_states(ledger, a, b, (const double[]){per_warp, per_warp});
	add_occupancy(ledger, a, b, warps);
}

bool kernel_active_times(const struct cause_side *single, const struct cause_side *dbl, double active[2])
{
	struct warp_time a, b;

	if (!warp_times(single, dbl, &a, &b))
		return false;
	active[0] = a.active;
	active[1] = b.active;
	return true;
}

void ledger_add_kernel(
	struct ledger *ledger, const struct cause_side *single, const struct cause_side *dbl, enum kernel_order order)
{
	struct warp_time a, b;

	if (!warp_times(single, dbl, &a, &b))
		return;
	if (warps_do_other_work(a.counted, b.counted))
		add_states(ledger, &a, &b, (const double[]){1 / a.occupancy, 1 / b.occupancy});
	else
		add_states_and_occupancy(ledger, &a, &b, order);
	add_tail(ledger, &a, &b);
	ledger->doubt = joined(ledger->doubt, joined(doubt_of_active(&a), doubt_of_active(&b)));
}
