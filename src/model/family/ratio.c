/* ratio.c: see ratio.h. */
#include "model/family/ratio.h"

#include <stdlib.h>

#include "model/family/times.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"

/* The share of a time that counts as no difference. */
static const double band = 0.01;

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

	return ratio_bootstrap(&a, &b, seed_of(model), out);
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
