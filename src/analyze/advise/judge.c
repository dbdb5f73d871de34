/* judge.c: see advise.h. */
#include "analyze/advise/advise.h"

#include <math.h>

#include "analyze/advise/causes.h"
#include "analyze/thresholds.h"

const char *advise_verdict_name(enum advise_verdict verdict)
{
	static const char *const names[ADVISE_VERDICTS] = {"unknown", "pays", "does-not", "too-close"};

	return verdict < ADVISE_VERDICTS ? names[verdict] : "unknown";
}

/* ---- gains ---- */

/* A kernel as it runs, as taken and with each guess. */
struct advise_nows {
	struct advise_now list[ADVISE_GUESSES];
};

/* How much an interval's ends lie below and above the middle: squares of logarithms, added up. */
struct doubts {
	double below, above;
};

static void add_doubt(struct doubts *doubts, double logarithm)
{
	if (logarithm < 0)
		doubts->below += logarithm * logarithm;
	else
		doubts->above += logarithm * logarithm;
}

static void add_both(struct doubts *doubts, double half)
{
	add_doubt(doubts, half);
	add_doubt(doubts, -half);
}

/* What is in doubt whatever the model: docs/advise.md has the reasons of each part. */
static void add_known_doubts(const struct advise_now *now, const struct advise_plan *plan,
	const struct advise_time *time, double ratio, struct doubts *out)
{
	const bool is_odd = plan->is_copied && (now->form.narrow > 0 || now->form.is_plain);

	add_both(out, doubt_repeat);
	add_both(out, doubt_model * log(ratio));
	add_both(out, plan->is_copied ? doubt_copied : doubt_compiled);
	add_both(out, is_odd ? doubt_narrow : 0);
	add_both(out, now->form.is_guessed ? doubt_guessed : 0);
	add_both(out, doubt_blocks * log(fmin(time->resident, now->per_sm) / now->together));
}

static void tell_gain(const struct advise_kernel *kernel, const struct advise_nows *nows,
	const struct advise_plan *plan, struct advise_gain *out)
{
	struct doubts doubts = {0};
	struct advise_time time, other;
	double moved;

	advise_time_of(kernel, &nows->list[ADVISE_AS_TAKEN], plan, &time);
	if (isnan(time.ns))
		return;
	for (int guess = ADVISE_AS_TAKEN + 1; guess < ADVISE_GUESSES; guess++) {
		advise_time_of(kernel, &nows->list[guess], plan, &other);
		moved = log(time.ns / other.ns);
		add_doubt(&doubts, isfinite(moved) ? moved : 0);
	}
	add_known_doubts(&nows->list[ADVISE_AS_TAKEN], plan, &time, kernel->ns / time.ns, &doubts);
	out->mid = kernel->ns / time.ns - 1;
	out->low = (1 + out->mid) * exp(-sqrt(doubts.below)) - 1;
	out->high = (1 + out->mid) * exp(sqrt(doubts.above)) - 1;
}

static void tell_gains(const struct advise_kernel *kernel, const struct advise_nows *nows, struct advise_result *out)
{
	for (int i = 0; i < ADVISE_GAINS; i++) {
		struct advise_gain *gain = &out->gain[i];
		const struct advise_plan plan = advise_plan_of(kernel, &nows->list[ADVISE_AS_TAKEN], gain->stages);

		if (gain->stages == out->now)
			gain->low = gain->mid = gain->high = 0;
		else
			tell_gain(kernel, nows, &plan, gain);
	}
}

/* ---- the number to take ---- */

/* NULL: none is known. */
static const struct advise_gain *largest_gain(const struct advise_result *result)
{
	const struct advise_gain *best = NULL;

	for (int i = 0; i < ADVISE_GAINS; i++)
		if (!isnan(result->gain[i].mid) && (!best || result->gain[i].mid > best->mid))
			best = &result->gain[i];
	return best;
}

/* Whether a gain is as good as another. */
static bool is_as_good(double gain, double best)
{
	return (1 + gain) * (1 + value_as_good) >= 1 + best;
}

/* The fewest stages that are as good as the best ones, and as good if units had no limits. */
static const struct advise_gain *fewest_stages(
	const struct advise_kernel *kernel, const struct advise_now *now, const struct advise_result *result)
{
	double free_ns[ADVISE_GAINS], least = INFINITY;
	const struct advise_gain *largest = largest_gain(result);
	const double best = largest ? largest->mid : NAN;

	for (int i = 0; i < ADVISE_GAINS; i++) {
		const struct advise_plan plan = advise_plan_of(kernel, now, result->gain[i].stages);
		struct advise_time time;

		advise_time_of(kernel, now, &plan, &time);
		free_ns[i] = is_as_good(result->gain[i].mid, best) ? time.free_ns : INFINITY;
		least = fmin(least, free_ns[i]);
	}
	for (int i = 0; i < ADVISE_GAINS; i++)
		if (free_ns[i] <= least * (1 + value_as_good))
			return &result->gain[i];
	return NULL;
}

/* Less than half of what pays does not; what pays does so at the low end of the likely interval, too, if only a little.
 */
static enum advise_verdict verdict_of_gain(const struct advise_gain *gain)
{
	double low;

	if (!gain || isnan(gain->mid) || gain->mid < pays_gain / 2)
		return ADVISE_DOES_NOT;
	low = pow(1 + gain->mid, 1 - likely_part) * pow(1 + gain->low, likely_part) - 1;
	return gain->mid >= pays_gain && low > 0 ? ADVISE_PAYS : ADVISE_CLOSE;
}

/* What is not known to pay is not advised. Tiles do not all take the same time, so one stage more than enough on
 * average is taken where it costs nothing. */
static int choose_stages(
	const struct advise_kernel *kernel, const struct advise_now *now, const struct advise_result *result)
{
	const struct advise_gain *chosen;

	if (verdict_of_gain(largest_gain(result)) != ADVISE_PAYS)
		return now->form.stages;
	chosen = fewest_stages(kernel, now, result);
	if (!chosen)
		return now->form.stages;
	if (chosen->stages > now->form.stages && chosen->stages < ADVISE_LAST_STAGE && chosen[1].mid >= chosen->mid)
		chosen++;
	return chosen->stages;
}

/* ---- tiles that come through registers ---- */

static void tell_registers(
	const struct advise_kernel *kernel, const struct advise_nows *nows, struct advise_result *out)
{
	const struct advise_now *now = &nows->list[ADVISE_AS_TAKEN];
	const struct advise_plan plan = advise_plan_by_registers(kernel, now);

	if (now->form.is_async || now->form.ahead > 0 || !(now->form.load_bytes > 0))
		return;
	out->by_registers.stages = 2;
	tell_gain(kernel, nows, &plan, &out->by_registers);
	for (int i = 0; i < ADVISE_GAINS; i++)
		if (isnan(out->by_copies.mid) || out->gain[i].mid > out->by_copies.mid)
			out->by_copies = out->gain[i];
}

/* NULL in Triton, where the number of stages is all that one sets. */
static const struct advise_gain *gain_of_loading_ahead(
	const struct advise_kernel *kernel, const struct advise_result *result)
{
	return kernel->is_triton || isnan(result->by_registers.mid) ? NULL : &result->by_registers;
}

/* -1 with the number as run. */
static double gain_of_stages(const struct advise_result *result, int stages)
{
	return stages == result->now || stages < ADVISE_FIRST_STAGE || stages > ADVISE_LAST_STAGE
		       ? -1
		       : result->gain[stages - ADVISE_FIRST_STAGE].mid;
}

static void decide(const struct advise_kernel *kernel, const struct advise_now *now, struct advise_result *out)
{
	const struct advise_gain *best = largest_gain(out), *ahead = gain_of_loading_ahead(kernel, out);

	out->verdict = verdict_of_gain(ahead && (!best || ahead->mid > best->mid) ? ahead : best);
	out->stages = choose_stages(kernel, now, out);
	if (out->verdict == ADVISE_PAYS && ahead && ahead->mid >= gain_of_stages(out, out->stages))
		out->stages = ahead->stages;
}

void advise_judge(const struct advise_kernel *kernel, const struct machine *machine, struct advise_result *out)
{
	struct advise_nows nows;
	struct advise_now *now = &nows.list[ADVISE_AS_TAKEN];

	*out = (struct advise_result){.verdict = ADVISE_UNKNOWN};
	out->by_copies = out->by_registers = (struct advise_gain){0, NAN, NAN, NAN};
	for (int i = 0; i < ADVISE_GAINS; i++)
		out->gain[i] = (struct advise_gain){ADVISE_FIRST_STAGE + i, NAN, NAN, NAN};
	out->lacking = advise_now_of(kernel, machine, now);
	if (out->lacking)
		return;
	if (!now->form.has_loop) {
		out->verdict = ADVISE_DOES_NOT;
		advise_tell_causes(kernel, now, out);
		return;
	}
	for (int guess = ADVISE_AS_TAKEN + 1; guess < ADVISE_GUESSES; guess++)
		advise_now_guessed(kernel, machine, now, (enum advise_guess)guess, &nows.list[guess]);
	out->now = now->form.stages;
	tell_gains(kernel, &nows, out);
	tell_registers(kernel, &nows, out);
	decide(kernel, now, out);
	advise_tell_causes(kernel, now, out);
}
