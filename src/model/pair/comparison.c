/* comparison.c: see comparison.h. */
#include "model/pair/comparison.h"

#include <math.h>
#include <string.h>

#include "model/family/ratio.h"
#include "model/family/series.h"
#include "model/family/times.h"
#include "model/pair/evidence.h"
#include "model/pair/sample-checks.h"
#include "tree/json.h"

static json_t *timing_json(const struct timing *timing)
{
	const struct measured *m = &timing->m;
	json_t *object = json_object();

	put_json(object, "mean_ns", json_null());
	put_json(object, "median_ns", real_json(m->time.median));
	put_json(object, "q1_ns", real_json(m->time.q1));
	put_json(object, "q3_ns", real_json(m->time.q3));
	put_json(object, "samples", json_integer((json_int_t)m->n));
	put_json(object, "set_apart", json_integer((json_int_t)m->apart.n));
	put_json(object, "blocks", json_integer((json_int_t)timing->nblocks));
	put_json(object, "runs", json_integer((json_int_t)timing->nruns));
	put_json(object, "measured_mhz", real_json(m->on_gpu.median));
	put_json(object, "reported_mhz", real_json(m->nvml.median));
	put_json(object, "withheld", json_boolean(m->withheld));
	return object;
}

static json_t *between_json(const struct between *ratio)
{
	json_t *object = json_object();

	put_json(object, "value", real_json(ratio->value));
	put_json(object, "low", real_json(ratio->low));
	put_json(object, "high", real_json(ratio->high));
	put_json(object, "within", real_json(ratio->within));
	put_json(object, "from_run_to_run", real_json(ratio->from_run_to_run));
	return object;
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

	put_json(object, "variant", text_json(c->variant));
	put_json(object, "case", text_json(c->label));
	put_json(object, "kind", text_json(c->kind));
	put_json(object, "role", pair_role_json(c));
	put_json(object, "headline", json_boolean(c->headline));
	put_json(object, "sweep", text_json(c->sweep));
	put_json(object, "base", timing_json(&c->side[SIDE_BASE]));
	put_json(object, "new", timing_json(&c->side[SIDE_NEW]));
	put_json(object, "ratio", between_json(&c->ratio));
	put_json(object, "cycles", isnan(c->cycles.value) ? json_null() : between_json(&c->cycles));
	put_json(object, "verdict", json_string(verdict_name(verdict)));
	put_json(object, "evidence", evidence);
	put_json(object, "failed", failed);
	return object;
}

static void compare_sides(struct compared *c, uint64_t seed)
{
	const struct measured *base = &c->side[SIDE_BASE].m, *fresh = &c->side[SIDE_NEW].m;
	const struct blocked_samples base_ns = samples_of(base), fresh_ns = samples_of(fresh);
	const struct blocked_samples base_cycles = series_samples(&base->cycles);
	const struct blocked_samples fresh_cycles = series_samples(&fresh->cycles);

	ratio_between(&base_ns, &fresh_ns, seed, &c->ratio);
	c->cycles = (struct between){.value = NAN, .low = NAN, .high = NAN};
	if (c->kernel_bound)
		ratio_between(&base_cycles, &fresh_cycles, seed, &c->cycles);
}

static json_t *judged_json(struct comparing *in, const struct compared *c)
{
	const struct ratio ratio = {.value = c->ratio.value, .low = c->ratio.low, .high = c->ratio.high};
	json_t *failed = json_array(), *evidence = pair_evidence_json(c, failed);
	bool sound = in->comparable && json_array_size(failed) == 0;
	enum verdict verdict = verdict_of(&ratio, in->options->threshold, sound);

	if (lacks_runs(c) && c->sweep) {
		in->one_process++;
	} else {
		in->verdicts[verdict]++;
		in->few_runs += lacks_runs(c);
	}
	in->wide += sound && verdict == VERDICT_UNCLEAR;
	json_array_extend(failed, in->shared_failed);
	return pair_pair_json(c, verdict, evidence, failed);
}

json_t *comparison_json(struct comparing *in, struct compared *c)
{
	json_t *object;

	c->in = in;
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		timing_take(&in->side[side], c->family, c->variant, c->label, &c->side[side]);
	compare_sides(c, seed_of(&in->side[SIDE_BASE]));
	object = judged_json(in, c);
	for (enum pair_side side = SIDE_BASE; side < SIDES; side++)
		timing_free(&c->side[side]);
	return object;
}
