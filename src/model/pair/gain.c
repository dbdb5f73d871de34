/* gain.c: see gain.h. */
#include "model/pair/gain.h"

#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/ratio.h"
#include "model/pair/sample-checks.h"
#include "model/pair/timing.h"
#include "tree/json.h"

static void speedup_of(const struct model *model, const struct gain_question *question, struct ratio *out)
{
	struct timing single, dbl;

	timing_take(model, question->family, question->single, question->label, &single);
	timing_take(model, question->family, question->dbl, question->label, &dbl);
	ratio_of(model, &single.m, &dbl.m, out);
	timing_free(&single);
	timing_free(&dbl);
}

/* Two gains that were measured apart, one over the other: the squares of their errors add up, on a logarithmic scale.
 */
static struct ratio gain_ratio(const struct ratio *base, const struct ratio *fresh)
{
	struct ratio out = {.value = fresh->value / base->value, .low = NAN, .high = NAN};
	double down = hypot(log(fresh->value / fresh->low), log(base->high / base->value));
	double up = hypot(log(fresh->high / fresh->value), log(base->value / base->low));

	if (!isfinite(out.value) || !isfinite(down) || !isfinite(up))
		return out;
	out.low = out.value * exp(-down);
	out.high = out.value * exp(up);
	return out;
}

static json_t *plain_ratio_json(const struct ratio *ratio)
{
	json_t *object = json_object();

	put_json(object, "value", real_json(ratio->value));
	put_json(object, "low", real_json(ratio->low));
	put_json(object, "high", real_json(ratio->high));
	return object;
}

static bool shared_has_failed(const struct comparing *in, const char *name)
{
	const json_t *failed;
	size_t i;

	json_array_foreach(in->shared_failed, i, failed) if (strcmp(json_string_value(failed), name) == 0) return true;
	return false;
}

/* The checks that a gain fails, as those of times. Two machines may well have other drivers: "software" does not count.
 */
static json_t *failed_of_gain(const struct comparing *in, const struct ratio *base, const struct ratio *fresh)
{
	json_t *failed = json_array();

	if (shared_has_failed(in, "method"))
		append_json(failed, json_string("method"));
	if (base->blocks < BLOCKS_NEEDED || fresh->blocks < BLOCKS_NEEDED)
		append_json(failed, json_string("samples"));
	if (base->runs < RUNS_NEEDED && fresh->runs < RUNS_NEEDED)
		append_json(failed, json_string("runs"));
	return failed;
}

static void put_judged(struct comparing *in, json_t *object, const struct ratio *base, const struct ratio *fresh)
{
	struct ratio ratio = gain_ratio(base, fresh);
	json_t *failed = failed_of_gain(in, base, fresh);
	bool sound = isfinite(ratio.low) && json_array_size(failed) == 0;
	enum verdict verdict = verdict_of(&ratio, in->options->threshold, sound);

	in->verdicts[verdict]++;
	put_json(object, "ratio", plain_ratio_json(&ratio));
	put_json(object, "verdict", json_string(verdict_name(verdict)));
	put_json(object, "failed", failed);
}

json_t *gain_json(struct comparing *in, const struct gain_question *question)
{
	struct ratio base, fresh;
	json_t *object;

	speedup_of(&in->side[SIDE_BASE], question, &base);
	speedup_of(&in->side[SIDE_NEW], question, &fresh);
	if (isnan(base.value) || isnan(fresh.value))
		return json_null();
	object = json_object();
	put_json(object, "case", text_json(question->label));
	put_json(object, "base", ratio_json(&base));
	put_json(object, "new", ratio_json(&fresh));
	if (in->mode == PAIR_GAINS)
		put_judged(in, object, &base, &fresh);
	return object;
}
