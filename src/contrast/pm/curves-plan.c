/* curves-plan.c: see curves-plan.h. */
#include "contrast/pm/curves-plan.h"

/* What the hardware can do; CUPTI takes whole microseconds. */
static const int64_t interval_least_ns = 1000;

/* While sampling is set up the GPU slows down: steps are left out for so long. */
static const int64_t warm_ns = 20000000;

/* Without a range so much of a run is shown, and with one so much of a step. */
static const int64_t shown_ns = 1000000000;

/* Locked clocks make a run longer: it is sampled so many times as long as it took, and for some time in any case. */
enum { LONGER = 2 };
static const int64_t sampled_least_ns = 50000000;

static void plan_interval(int64_t ns, struct count_curves *curves)
{
	const int64_t least = interval_least_ns * CURVE_SAMPLES;
	int64_t step = interval_least_ns;

	ns = ns > shown_ns ? shown_ns : ns;
	if (ns > least)
		step *= (ns + least - 1) / least;
	curves->interval_ns = (uint64_t)step;
	curves->samples = (uint64_t)(ns / step + 1);
	curves->most_ns = (uint64_t)(ns * LONGER > sampled_least_ns ? ns * LONGER : sampled_least_ns);
}

static uint64_t steps_to_warm_up(int64_t ns)
{
	return ns > 0 && ns < warm_ns ? (uint64_t)((warm_ns + ns - 1) / ns) : 1;
}

/* Steady steps from number `from` of the list on, with room to set up in between: n at most, into `out` unless that is
 * NULL; returns how many. */
static size_t steps_from(const struct step_calls *step, size_t from, size_t n, uint64_t warm, uint64_t *out)
{
	uint64_t last = 0;
	size_t found = 0;

	for (size_t i = from; i < step->nsteady && found < n; i++) {
		if (found > 0 && step->steady[i] <= last + warm)
			continue;
		last = step->steady[i];
		if (out)
			out[found] = last;
		found++;
	}
	return found;
}

static size_t place_in_steady(const struct step_calls *step)
{
	size_t place = 0;

	while (place + 1 < step->nsteady && step->steady[place] < step->number)
		place++;
	return place;
}

/* From the median step on, or from an earlier one if more sets have room then. A step that cannot be sampled gives way
 * to a later one: so there is room for all tries, if a run has so many steps. */
static size_t take_steps(const struct step_calls *step, size_t nsets, struct count_curves *curves)
{
	const size_t wanted = CURVE_TRIES * nsets;
	size_t from = place_in_steady(step), best = from, most = steps_from(step, from, wanted, curves->warm, NULL);

	while (most < wanted && from > 0) {
		size_t n = steps_from(step, --from, wanted, curves->warm, NULL);

		best = n > most ? from : best;
		most = n > most ? n : most;
	}
	return steps_from(step, best, nsets, curves->warm, curves->steps);
}

void curves_plan(const struct step_calls *step, bool has_range, size_t nsets, struct count_curves *curves)
{
	curves->device = step->device < 0 ? 0 : (uint64_t)step->device;
	curves->nsteps = curves->warm = 0;
	plan_interval(has_range ? step->to - step->from : step->kernels_to - step->kernels_from, curves);
	if (!has_range || step->nsteady == 0)
		return;
	/* Rather all sets in one run than warm ones. */
	for (curves->warm = steps_to_warm_up(step->to - step->from);; curves->warm /= 2) {
		curves->nsteps = take_steps(step, nsets, curves);
		if (curves->nsteps == nsets || curves->warm <= 1)
			break;
	}
	if (curves->steps[0] < curves->warm)
		curves->warm = curves->steps[0];
}
