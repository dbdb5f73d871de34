/* contrast.c: single against double in one case: speed-up, verdict, evidence and cause. */
#include <math.h>
#include <stdlib.h>

#include "model/model.h"

/* The share of a time that counts as no difference. */
static const double band = EQUIVALENCE_BAND;

uint64_t seed_of(const struct model *model)
{
	const char *seed = store_meta(model->store, "seed");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

double same_band(void)
{
	return band;
}

int ratio_of(const struct model *model, const struct measured *over, const struct measured *under, struct ratio *out)
{
	const struct blocked_samples a = samples_of(over), b = samples_of(under);

	ratio_bootstrap(&a, &b, seed_of(model), out);
	return 0;
}

static int contrast_compare(const struct model *model, struct contrast *contrast)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl, *control = contrast->control;
	const struct blocked_samples a = series_samples(&single->cycles), b = series_samples(&dbl->cycles);
	int bad = ratio_of(model, single, dbl, &contrast->ratio);

	ratio_bootstrap(&a, &b, seed_of(model), &contrast->cycles);
	if (control) {
		bad |= ratio_of(model, single, control, &contrast->footprint);
		bad |= ratio_of(model, control, dbl, &contrast->rest);
	}
	return bad;
}

json_t *ratio_json(const struct ratio *ratio)
{
	json_t *object = json_object();
	int bad = 0;

	bad |= put_json(object, "value", real_json(ratio->value));
	bad |= put_json(object, "low", real_json(ratio->low));
	bad |= put_json(object, "high", real_json(ratio->high));
	bad |= put_json(object, "blocks", json_integer((json_int_t)ratio->blocks));
	bad |= put_json(object, "runs", json_integer((json_int_t)ratio->runs));
	return built_json(object, bad);
}

json_t *contrast_json(const struct model *model, struct contrast *contrast)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl;
	bool traced = single->work.n && dbl->work.n, sound;
	json_t *evidence, *object;
	char cause[1024];
	int bad = 0;

	if (contrast_compare(model, contrast) < 0)
		return NULL;
	evidence = evidence_json(model, contrast, &sound);
	contrast->verdict = verdict_of(&contrast->ratio, band, sound);
	if (contrast->control)
		contrast->footprint_verdict = verdict_of(&contrast->footprint, band, sound);
	cause_words(contrast, cause, sizeof(cause));
	object = json_object();
	bad |= put_json(object, "case", text_json(single->label));
	bad |= put_json(object, "headline", json_boolean(contrast->headline));
	bad |= put_json(object, "single_ns", real_json(single->time.median));
	bad |= put_json(object, "double_ns", real_json(dbl->time.median));
	bad |= put_json(object, "speedup", ratio_json(&contrast->ratio));
	bad |= put_json(
		object, "speedup_cycles", isnan(contrast->cycles.value) ? json_null() : ratio_json(&contrast->cycles));
	bad |= put_json(object, "kernel_bound", json_boolean(contrast->kernel_bound));
	bad |= put_json(object, "band", json_real(band));
	bad |= put_json(object, "verdict", json_string(verdict_name(contrast->verdict)));
	bad |= put_json(object, "evidence", evidence);
	bad |= put_json(object, "cause", text_json(cause));
	bad |= put_json(object, "cost", cost_json(contrast));
	bad |= put_json(
		object, "hidden_share", real_json(traced ? hidden_share(&single->overlap, &dbl->overlap) : NAN));
	bad |= put_json(object, "stretch", real_json(traced ? copy_stretch(&single->overlap, &dbl->overlap) : NAN));
	return built_json(object, bad);
}
