/* ladder.c: each variant against the floor or the library: see reach.h. */
#include "model/family/reach/reach.h"

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/fastest.h"
#include "model/family/floor.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "store/store.h"
#include "tree/json.h"

/* Whether it stands on the ladder: it does the whole work, and right. */
static bool stands(const struct measured *m)
{
	return m->n > 0 && !m->on_purpose && !is_part(m->kind);
}

static json_t *rung_json(const struct family_rows *f, const struct measured *m, const struct measured *top)
{
	json_t *object = json_object();
	struct ratio share;

	ratio_of(f->model, top, m, &share);
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "kind", text_json(m->kind));
	put_json(object, "buffers", json_integer(m->buffers));
	put_json(object, "median_ns", real_json(m->time.median));
	put_json(object, "share", ratio_json(&share));
	return object;
}

json_t *ladder_json(const struct family_rows *f)
{
	struct rivals rivals = f->cases.count ? rivals_of(f, 0) : (struct rivals){NULL, 0};
	const struct measured *floor = f->cases.count ? f->floors[0].source : NULL;
	const struct measured *top = floor ? floor : reference_fastest(&rivals);
	json_t *object, *rungs;

	if (!top)
		return json_null();
	object = json_object();
	rungs = json_array();
	for (size_t i = 0; i < rivals.n; i++) {
		if (stands(rivals.list[i]))
			append_json(rungs, rung_json(f, rivals.list[i], top));
	}
	put_json(object, "case", text_json(top->label));
	put_json(object, "of", json_string(floor ? "floor" : "reference"));
	put_json(object, "variant", text_json(top->variant));
	put_json(object, "median_ns", real_json(top->time.median));
	put_json(object, "rungs", rungs);
	return object;
}
