/* family-contrasts.c: see family-contrasts.h. */
#include "model/family/family-contrasts.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/cause.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/cost.h"
#include "model/family/contrast/evidence.h"
#include "model/family/family-rows.h"
#include "model/family/fastest.h"
#include "model/family/floor.h"
#include "model/family/measured.h"
#include "model/family/predicted.h"
#include "model/family/ptx.h"
#include "model/family/ratio.h"
#include "model/family/series.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- one contrast ---- */

/* All ratios of the contrast. */
static void contrast_compare(const struct model *model, struct contrast *c)
{
	const struct blocked_samples a = series_samples(&c->single->cycles), b = series_samples(&c->dbl->cycles);

	ratio_of(model, c->single, c->dbl, &c->ratio);
	ratio_bootstrap(&a, &b, seed_of(model), &c->cycles);
	if (c->control) {
		ratio_of(model, c->single, c->control, &c->footprint);
		ratio_of(model, c->control, c->dbl, &c->rest);
	}
}

/* Compares, looks at the evidence and judges. Returns the evidence. */
static json_t *contrast_judge(const struct model *model, struct contrast *c)
{
	json_t *evidence;
	bool sound;

	contrast_compare(model, c);
	evidence = evidence_json(model, c, &sound);
	c->verdict = verdict_of(&c->ratio, same_band, sound);
	if (c->control)
		c->footprint_verdict = verdict_of(&c->footprint, same_band, sound);
	contrast_find_causes(c);
	return evidence;
}

static json_t *contrast_json(const struct model *model, struct contrast *c)
{
	const struct measured *single = c->single, *dbl = c->dbl;
	bool traced = single->work.n && dbl->work.n;
	json_t *object = json_object();

	put_json(object, "evidence", contrast_judge(model, c));
	put_json(object, "case", text_json(single->label));
	put_json(object, "headline", json_boolean(c->headline));
	put_json(object, "single_ns", real_json(single->time.median));
	put_json(object, "double_ns", real_json(dbl->time.median));
	put_json(object, "speedup", ratio_json(&c->ratio));
	put_json(object, "speedup_cycles", isnan(c->cycles.value) ? json_null() : ratio_json(&c->cycles));
	put_json(object, "kernel_bound", json_boolean(c->kernel_bound));
	put_json(object, "band", json_real(same_band));
	put_json(object, "verdict", json_string(verdict_name(c->verdict)));
	contrast_put_causes(object, c);
	put_json(object, "cost", cost_json(c));
	put_json(object, "hidden_share", real_json(traced ? hidden_share(&single->overlap, &dbl->overlap) : NAN));
	put_json(object, "stretch", real_json(traced ? copy_stretch(&single->overlap, &dbl->overlap) : NAN));
	return object;
}

/* ---- all of them ---- */

/* The variant that is the control of double's footprint in case `i`, or NULL. */
static const struct measured *footprint_control(
	const struct family_rows *f, size_t i, const struct measured *single, const struct measured *dbl)
{
	for (size_t v = 0; v < f->variants.count; v++) {
		const struct measured *m = measured_at(f, v) + i;

		if (m->n && is_footprint_control(m, single, dbl))
			return m;
	}
	return NULL;
}

static void count_barriers(const struct family_rows *f, struct measured *m)
{
	const char *symbol = measured_symbol(m);

	m->barriers = symbol ? ptx_barriers(f->model, m->file, symbol) : 0;
}

/* Whether the pair's time is that of kernels: no copies in the trace or, without one, as the family says. */
static bool family_contrasts_is_kernel_bound(
	const struct family_rows *f, const struct measured *single, const struct measured *dbl)
{
	if (single->work.n && dbl->work.n)
		return single->overlap.busy_copy == 0 && dbl->overlap.busy_copy == 0;
	return strcmp(row_string(&f->family, 0, FAMILY_boundBy), "PCIe") != 0;
}

/* Also if its times count nowhere because they are wrong or were throttled: the reader is told so. */
static bool was_timed(const struct measured *m)
{
	return m->n || m->withheld || m->apart.n;
}

json_t *contrast_of_pair(const struct family_rows *f, size_t i, struct measured *single, struct measured *dbl)
{
	struct contrast contrast = {
		.model = f->model,
		.file = f->file,
		.headline = i == 0,
		.single = &single[i],
		.dbl = &dbl[i],
		.timed = {timed_side_of(&single[i]), timed_side_of(&dbl[i])},
		.ncases = f->cases.count,
		.all_single = single,
		.all_double = dbl,
		.floor = &f->floors[i],
		.kernel_bound = family_contrasts_is_kernel_bound(f, &single[i], &dbl[i]),
		.control = footprint_control(f, i, &single[i], &dbl[i]),
	};

	count_barriers(f, &single[i]);
	count_barriers(f, &dbl[i]);
	return contrast_json(f->model, &contrast);
}

/* One case, which was timed with both. */
static json_t *contrast_of_case(const struct family_rows *f, size_t i, struct measured *single, struct measured *dbl)
{
	json_t *object = contrast_of_pair(f, i, single, dbl);

	put_json(object, "predicted",
		predicted_json(f->model, f->name, row_string(&f->cases, i, CASE_label), f->single, f->dbl));
	return object;
}

json_t *contrasts_json(const struct family_rows *f)
{
	struct measured *single = measured_of(f, f->single), *dbl = measured_of(f, f->dbl);
	json_t *contrasts = json_array();

	for (size_t i = 0; i < f->cases.count && single && dbl; i++) {
		if (row_int(&f->cases, i, CASE_verifyOnly) == 0 && was_timed(&single[i]) && was_timed(&dbl[i]))
			append_json(contrasts, contrast_of_case(f, i, single, dbl));
	}
	return contrasts;
}

/* ---- the floor, and the fastest ---- */

json_t *floors_json(const struct family_rows *f)
{
	const struct measured *single = measured_of(f, f->single);
	json_t *floors = json_array();

	for (size_t i = 0; i < f->cases.count; i++) {
		struct rivals rivals = rivals_of(f, i);

		if (f->floors[i].source)
			append_json(floors, floor_json(f->model, &rivals, &f->floors[i], single ? &single[i] : NULL));
	}
	return floors;
}

json_t *family_fastest(const struct family_rows *f)
{
	struct rivals rivals = rivals_of(f, 0);

	return f->cases.count ? fastest_json(f->model, &rivals, measured_of(f, f->dbl)) : json_null();
}
