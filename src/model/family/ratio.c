/* ratio.c: see ratio.h. */
#include "model/family/ratio.h"

#include <stdlib.h>

#include "model/family/measured.h"
#include "model/recording.h"
#include "store/store.h"
#include "tree/json.h"

uint64_t seed_of(const struct model *model)
{
	const char *seed = store_meta(model->store, "seed");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

void ratio_of(const struct model *model, const struct measured *over, const struct measured *under, struct ratio *out)
{
	const struct blocked_samples a = samples_of(over), b = samples_of(under);

	ratio_bootstrap(&a, &b, seed_of(model), out);
}

json_t *ratio_json(const struct ratio *ratio)
{
	json_t *object = json_object();

	put_json(object, "value", real_json(ratio->value));
	put_json(object, "low", real_json(ratio->low));
	put_json(object, "high", real_json(ratio->high));
	put_json(object, "blocks", json_integer((json_int_t)ratio->blocks));
	put_json(object, "runs", json_integer((json_int_t)ratio->runs));
	return object;
}
