/* pair.c: one variant in one case, in both recordings; and what the contrast pair gained in each. */
#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/family/series.h"
#include "model/family/times.h"
#include "model/pair/pair-model.h"
#include "model/recording.h"
#include "tree/json.h"

static json_t *timing_json(const struct timing *timing)
{
	const struct measured *m = &timing->m;
	json_t *object = json_object();
	int bad = 0;

	bad |= put_json(object, "median_ns", real_json(m->time.median));
	bad |= put_json(object, "q1_ns", real_json(m->time.q1));
	bad |= put_json(object, "q3_ns", real_json(m->time.q3));
	bad |= put_json(object, "samples", json_integer((json_int_t)m->n));
	bad |= put_json(object, "set_apart", json_integer((json_int_t)m->apart.n));
	bad |= put_json(object, "blocks", json_integer((json_int_t)timing->nblocks));
	bad |= put_json(object, "runs", json_integer((json_int_t)timing->nruns));
	bad |= put_json(object, "measured_mhz", real_json(m->on_gpu.median));
	bad |= put_json(object, "reported_mhz", real_json(m->nvml.median));
	bad |= put_json(object, "withheld", json_boolean(m->withheld));
	return built_json(object, bad);
}

static json_t *between_json(const struct between *ratio)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= put_json(object, "value", real_json(ratio->value));
	bad |= put_json(object, "low", real_json(ratio->low));
	bad |= put_json(object, "high", real_json(ratio->high));
	bad |= put_json(object, "within", real_json(ratio->within));
	bad |= put_json(object, "from_run_to_run", real_json(ratio->from_run_to_run));
	return built_json(object, bad);
}

static json_t *pair_role_json(const struct compared *c)
{
	if (strcmp(c->variant, c->single) == 0)
		return json_string("single");
	return strcmp(c->variant, c->dbl) == 0 ? json_string("double") : json_null();
}

/* Takes the references to `evidence` and `failed`. */
static json_t *pair_pair_json(const struct compared *c, enum verdict verdict, json_t *evidence, json_t *failed)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= put_json(object, "variant", text_json(c->variant));
	bad |= put_json(object, "case", text_json(c->label));
	bad |= put_json(object, "kind", text_json(c->kind));
	bad |= put_json(object, "role", pair_role_json(c));
	bad |= put_json(object, "headline", json_boolean(c->headline));
	bad |= put_json(object, "sweep", text_json(c->sweep));
	bad |= put_json(object, "base", timing_json(&c->side[SIDE_BASE]));
	bad |= put_json(object, "new", timing_json(&c->side[SIDE_NEW]));
	bad |= put_json(object, "ratio", between_json(&c->ratio));
	bad |= put_json(object, "cycles", isnan(c->cycles.value) ? json_null() : between_json(&c->cycles));
	bad |= put_json(object, "verdict", json_string(verdict_name(verdict)));
	bad |= put_json(object, "evidence", evidence);
	bad |= put_json(object, "failed", failed);
	return built_json(object, bad);
}

static int compare_sides(struct compared *c, uint64_t seed)
{
	const struct measured *base = &c->side[SIDE_BASE].m, *fresh = &c->side[SIDE_NEW].m;
	const struct blocked_samples base_ns = samples_of(base), fresh_ns = samples_of(fresh);
	const struct blocked_samples base_cycles = series_samples(&base->cycles);
	const struct blocked_samples fresh_cycles = series_samples(&fresh->cycles);
	int status = ratio_between(&base_ns, &fresh_ns, seed, &c->ratio);

	c->cycles = (struct between){.value = NAN, .low = NAN, .high = NAN};
	if (c->kernel_bound)
		status |= ratio_between(&base_cycles, &fresh_cycles, seed, &c->cycles);
	return status;
}

static int take_both(const struct comparing *in, struct compared *c)
{
	for (enum compare_side side = SIDE_BASE; side < SIDES; side++) {
		if (timing_take(&in->side[side], c->family, c->variant, c->label, &c->side[side]) < 0)
			return -1;
	}
	return compare_sides(c, seed_of(&in->side[SIDE_BASE]));
}

static json_t *judged_json(struct comparing *in, const struct compared *c)
{
	const struct ratio ratio = {.value = c->ratio.value, .low = c->ratio.low, .high = c->ratio.high};
	json_t *failed = json_array(), *evidence = pair_evidence_json(c, failed);
	bool sound = in->comparable && json_array_size(failed) == 0;
	enum verdict verdict = verdict_of(&ratio, in->options->threshold, sound);

	in->verdicts[verdict]++;
	in->few_runs += lacks_runs(c);
	in->wide += sound && verdict == VERDICT_UNCLEAR;
	if (json_array_extend(failed, in->shared_failed) < 0) {
		json_decref(evidence);
		json_decref(failed);
		return NULL;
	}
	return pair_pair_json(c, verdict, evidence, failed);
}

json_t *comparison_json(struct comparing *in, struct compared *c)
{
	json_t *object = NULL;

	c->in = in;
	if (take_both(in, c) == 0)
		object = judged_json(in, c);
	for (enum compare_side side = SIDE_BASE; side < SIDES; side++)
		timing_free(&c->side[side]);
	return object;
}

/* ---- what double gains over single ---- */

struct gain_question {
	const char *family, *single, *dbl, *label;
};

static int speedup_of(const struct model *model, const struct gain_question *question, struct ratio *out)
{
	struct timing single = {0}, dbl = {0};
	int bad = timing_take(model, question->family, question->single, question->label, &single);

	bad |= timing_take(model, question->family, question->dbl, question->label, &dbl);
	if (!bad)
		bad = ratio_of(model, &single.m, &dbl.m, out);
	timing_free(&single);
	timing_free(&dbl);
	return bad ? -1 : 0;
}

json_t *gain_json(struct comparing *in, const char *family, const char *single, const char *dbl, const char *label)
{
	const struct gain_question question = {family, single, dbl, label};
	struct ratio base, fresh;
	json_t *object;
	int bad = 0;

	if (speedup_of(&in->side[SIDE_BASE], &question, &base) < 0 ||
		speedup_of(&in->side[SIDE_NEW], &question, &fresh) < 0)
		return NULL;
	if (isnan(base.value) || isnan(fresh.value))
		return json_null();
	object = json_object();
	bad |= put_json(object, "case", text_json(label));
	bad |= put_json(object, "base", ratio_json(&base));
	bad |= put_json(object, "new", ratio_json(&fresh));
	return built_json(object, bad);
}
