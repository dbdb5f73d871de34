/* state-checks.c: see state-checks.h. */
#include "model/pair/state-checks.h"

#include <math.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "tree/json.h"

bool lacks_times(const struct compared *c, struct pair_finding *out)
{
	const struct measured *base = &c->side[SIDE_BASE].m, *fresh = &c->side[SIDE_NEW].m;

	if (base->n && fresh->n)
		return false;
	out->missing = base->withheld || fresh->withheld ? "wrong-results" : "all-throttled";
	return true;
}

/* Where cycles do not tell what is the clock's, clocks may differ by no more than what counts as the same. */
static double clock_limit(const struct compared *c)
{
	return isnan(c->cycles.low) ? fmin(clock_tolerance, c->in->options->threshold) : clock_tolerance;
}

/* Two ways to know a clock; they are not mixed. */
void judge_clock(const struct compared *c, struct pair_finding *out)
{
	const struct measured *base = &c->side[SIDE_BASE].m, *fresh = &c->side[SIDE_NEW].m;
	bool on_gpu = base->on_gpu.n && fresh->on_gpu.n;
	double a = on_gpu ? base->on_gpu.median : base->nvml.median;
	double b = on_gpu ? fresh->on_gpu.median : fresh->nvml.median;

	if (lacks_times(c, out))
		return;
	if (isnan(a) || isnan(b)) {
		out->missing = "no-clock";
		return;
	}
	out->figure = fabs(a - b) / fmax(a, b);
	out->limit = clock_limit(c);
	out->ok = out->figure <= out->limit ? OUTCOME_PASSED : OUTCOME_FAILED;
	put_json(out->facts, "on_gpu", json_boolean(on_gpu));
	put_json(out->facts, "base", json_real(a));
	put_json(out->facts, "new", json_real(b));
}

static enum verdict verdict_between(const struct compared *c, const struct between *between)
{
	const struct ratio ratio = {.value = between->value, .low = between->low, .high = between->high};

	return verdict_of(&ratio, c->in->options->threshold, true);
}

void judge_cycles(const struct compared *c, struct pair_finding *out)
{
	enum verdict by_time = verdict_between(c, &c->ratio), by_cycles = verdict_between(c, &c->cycles);

	if (!c->kernel_bound) {
		out->ok = OUTCOME_NOT_APPLICABLE;
		return;
	}
	if (lacks_times(c, out))
		return;
	if (isnan(c->cycles.low)) {
		out->missing = isnan(c->cycles.value) ? "no-measured-clock" : "few-runs";
		return;
	}
	out->figure = c->cycles.value;
	out->ok = verdict_holds(by_time, by_cycles, true) ? OUTCOME_PASSED : OUTCOME_FAILED;
	put_json(out->facts, "low", json_real(c->cycles.low));
	put_json(out->facts, "high", json_real(c->cycles.high));
	put_json(out->facts, "by_time", json_string(verdict_name(by_time)));
	put_json(out->facts, "by_cycles", json_string(verdict_name(by_cycles)));
}

/* What share of a side's readings saw throttling; NaN if none knows. */
static double throttled_share(const struct timing *side)
{
	return side->readings ? (double)side->throttled / (double)side->readings : NAN;
}

static json_t *throttled_side_json(const struct timing *side)
{
	json_t *object = json_object();

	put_json(object, "throttled", json_integer((json_int_t)side->throttled));
	put_json(object, "readings", json_integer((json_int_t)side->readings));
	put_json(object, "power_w", real_json(side->watts));
	return object;
}

/* Throttled blocks are set apart; the others must be enough. Where it is not known which they are, there must be none.
 * If both sides were at the power limit all the time, none is set apart, and what a kernel gains must show in cycles.
 */
void judge_throttling(const struct compared *c, struct pair_finding *out)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];
	bool by_block = base->by_block && fresh->by_block, alike = base->alike && fresh->alike;

	if ((!base->readings || !fresh->readings) && base->throttled + fresh->throttled == 0) {
		out->missing = "one-silent";
		return;
	}
	out->figure = fmax(throttled_share(base), throttled_share(fresh));
	out->limit = alike ? 1 : by_block ? throttled_limit : 0;
	out->ok = out->figure <= out->limit ? OUTCOME_PASSED : OUTCOME_FAILED;
	if (alike && c->kernel_bound && isnan(c->cycles.low))
		out->ok = OUTCOME_FAILED;
	put_json(out->facts, "alike", json_boolean(alike));
	put_json(out->facts, "by_block", json_boolean(by_block));
	put_json(out->facts, "base", throttled_side_json(base));
	put_json(out->facts, "new", throttled_side_json(fresh));
}

/* A driver that shows no process at all, as in a container, would not show others either. */
void judge_neighbours(const struct compared *c, struct pair_finding *out)
{
	int64_t base = c->side[SIDE_BASE].processes, fresh = c->side[SIDE_NEW].processes;

	if (base <= 1 && fresh <= 1 && (base < 1 || fresh < 1)) {
		out->missing = "company-unknown";
		return;
	}
	out->figure = (double)(base > fresh ? base : fresh);
	out->limit = 1;
	out->ok = out->figure <= out->limit ? OUTCOME_PASSED : OUTCOME_FAILED;
	put_json(out->facts, "base", base < 1 ? json_null() : json_integer(base));
	put_json(out->facts, "new", fresh < 1 ? json_null() : json_integer(fresh));
}
