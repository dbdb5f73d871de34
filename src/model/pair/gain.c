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

json_t *gain_json(const struct comparing *in, const struct gain_question *question)
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
	return object;
}
