/* gain.c: see gain.h. */
#include "model/pair/gain.h"

#include <math.h>

#include "model/family/ratio.h"
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

static void put_judged(struct comparing *in, json_t *object, const struct ratio *base, const struct ratio *fresh)
{
	struct ratio ratio = gain_ratio(base, fresh);
	enum verdict verdict = verdict_of(&ratio, in->options->threshold, isfinite(ratio.low));

	in->verdicts[verdict]++;
	put_json(object, "ratio", plain_ratio_json(&ratio));
	put_json(object, "verdict", json_string(verdict_name(verdict)));
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
