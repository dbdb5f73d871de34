/* counted.c: see counted.h. */
#include "analyze/cause/counted.h"

#include <math.h>
#include <string.h>

static const char *const state_names[WARP_STATES] = {
	[STATE_BARRIER] = "barrier",
	[STATE_MEMORY] = "memory",
	[STATE_QUEUE] = "queue",
	[STATE_ISSUE] = "issue",
	[STATE_OTHER] = "other",
};

static const struct {
	const char *reason;
	enum warp_state state;
} reasons[] = {
	{"barrier", STATE_BARRIER},
	{"long_scoreboard", STATE_MEMORY},
	{"lg_throttle", STATE_MEMORY},
	{"drain", STATE_MEMORY},
	{"membar", STATE_MEMORY},
	{"mio_throttle", STATE_QUEUE},
	{"short_scoreboard", STATE_QUEUE},
	{"selected", STATE_ISSUE},
	{"not_selected", STATE_ISSUE},
	{"wait", STATE_ISSUE},
	{"math_pipe_throttle", STATE_ISSUE},
	{"dispatch_stall", STATE_ISSUE},
	{"branch_resolving", STATE_ISSUE},
	{"no_instruction", STATE_ISSUE},
};

const char *warp_state_name(enum warp_state state)
{
	return state_names[state];
}

enum warp_state warp_state_of(const char *reason)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(reasons[i].reason, reason) == 0)
			return reasons[i].state;
	}
	return STATE_OTHER;
}

static double sum_of_shares(const double *share)
{
	double sum = 0;

	for (int s = 0; s < WARP_STATES; s++)
		sum += isfinite(share[s]) ? share[s] : 0;
	return sum;
}

/* Barrier wait is counted in the pass that counts occupancy and instructions too; the other states take passes of their
 * own, which need not agree with it. So they share what it leaves. */
static void fit_shares(const double *counted, double *share)
{
	double barrier = isfinite(counted[STATE_BARRIER]) ? counted[STATE_BARRIER] : 0;
	double others = sum_of_shares(counted) - barrier;

	for (int s = 0; s < WARP_STATES; s++)
		share[s] = isfinite(counted[s]) ? counted[s] * (1 - barrier) / others : 0;
	share[STATE_BARRIER] = barrier;
}

/* Few instructions are issued twice, so those that were executed stand for them. */
static double instructions_issued(const struct counters_read *read)
{
	return isfinite(read->issued) ? read->issued : read->executed;
}

/* Cycles in which SMs had work, of all SMs together, in two ways. */
static double cycles_by_rate(const struct counters_read *read)
{
	return read->executed / read->per_cycle;
}

static double cycles_by_warps(const struct counters_read *read)
{
	return instructions_issued(read) / read->selected / (read->occupancy * read->warps_per_sm);
}

static double worse(double doubt, double other)
{
	return isfinite(other) && other > doubt ? other : doubt;
}

static void take_active_time(const struct counters_read *read, struct counted *out)
{
	double cycles = cycles_by_rate(read);

	out->doubt = worse(out->doubt, fabs(cycles / cycles_by_warps(read) - 1));
	if (!(cycles > 0) || isinf(cycles)) {
		cycles = cycles_by_warps(read);
		out->doubt_active = true;
	}
	out->active_ns = cycles / read->sms / read->mhz * 1000;
	out->in_ns = out->active_ns > 0 && isfinite(out->active_ns);
	if (!out->in_ns)
		out->active_ns =
			isfinite(cycles) ? cycles : instructions_issued(read) / read->selected / read->occupancy;
}

void counted_of(const struct counters_read *read, struct counted *out)
{
	double sum = sum_of_shares(read->share);

	out->known = false;
	if (!(sum > 0) || isinf(sum) || !(read->occupancy > 0))
		return;
	if (!(sum > (isfinite(read->share[STATE_BARRIER]) ? read->share[STATE_BARRIER] : 0)))
		return;
	out->doubt = fabs(sum - 1);
	out->doubt_active = false;
	out->occupancy = read->occupancy;
	out->issued = instructions_issued(read);
	fit_shares(read->share, out->share);
	take_active_time(read, out);
	out->known = out->active_ns > 0 && isfinite(out->active_ns) && out->share[STATE_BARRIER] <= 1;
}

double wave_efficiency(double waves)
{
	return waves / ceil(waves);
}
