/* contrast.c: single against double in one case: speed-up, verdict, evidence and cause. */
#include "model/family/contrast.h"

#include <math.h>

#include "analyze/analyze.h"
#include "model/family/cause.h"
#include "model/family/cost.h"
#include "model/family/evidence.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/family/series.h"
#include "model/recording.h"
#include "tree/json.h"

static int contrast_compare(const struct model *model, struct contrast *contrast)
{
	const struct measured *single = contrast->single, *dbl = contrast->dbl, *control = contrast->control;
	const struct blocked_samples a = series_samples(&single->cycles), b = series_samples(&dbl->cycles);
	int bad = ratio_of(model, single, dbl, &contrast->ratio);

	bad |= ratio_bootstrap(&a, &b, seed_of(model), &contrast->cycles);
	if (control) {
		bad |= ratio_of(model, single, control, &contrast->footprint);
		bad |= ratio_of(model, control, dbl, &contrast->rest);
	}
	return bad;
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
	contrast->verdict = verdict_of(&contrast->ratio, same_band(), sound);
	if (contrast->control)
		contrast->footprint_verdict = verdict_of(&contrast->footprint, same_band(), sound);
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
	bad |= put_json(object, "band", json_real(same_band()));
	bad |= put_json(object, "verdict", json_string(verdict_name(contrast->verdict)));
	bad |= put_json(object, "evidence", evidence);
	bad |= put_json(object, "cause", text_json(cause));
	bad |= put_json(object, "cost", cost_json(contrast));
	bad |= put_json(
		object, "hidden_share", real_json(traced ? hidden_share(&single->overlap, &dbl->overlap) : NAN));
	bad |= put_json(object, "stretch", real_json(traced ? copy_stretch(&single->overlap, &dbl->overlap) : NAN));
	return built_json(object, bad);
}
