/* family-contrasts.c: single against double in every case of a family, its floors, and the fastest of each kind.
 */
#include <string.h>

#include "model/family/contrast.h"
#include "model/family/cost.h"
#include "model/family/family-rows.h"
#include "model/family/fastest.h"
#include "model/family/floor.h"
#include "model/family/measure.h"
#include "model/family/ptx.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- contrasts ---- */

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

static int count_barriers(const struct family_rows *f, struct measured *m)
{
	const char *symbol = m->has_resources ? row_text(&m->resource, 0, RESOURCE_symbol) : NULL;

	return symbol ? ptx_barriers(f->model, f->file, symbol, &m->barriers) : 0;
}

/* What was predicted for a contrast, beside it. */
static json_t *with_prediction(const struct family_rows *f, size_t i, json_t *contrast)
{
	const char *label = row_string(&f->cases, i, CASE_label);
	int bad = put_json(contrast, "predicted", predicted_json(f->model, f->name, label, f->single, f->dbl));

	return built_json(contrast, bad);
}

/* Whether the pair's time is that of kernels: no copies in the trace or, without one, as the family says. */
static bool family_contrasts_is_kernel_bound(
	const struct family_rows *f, const struct measured *single, const struct measured *dbl)
{
	if (single->work.n && dbl->work.n)
		return single->overlap.busy_copy == 0 && dbl->overlap.busy_copy == 0;
	return strcmp(row_string(&f->family, 0, FAMILY_boundBy), "PCIe") != 0;
}

/* Times that count nowhere, for they are wrong or were throttled, still ask for a word. */
static bool was_timed(const struct measured *m)
{
	return m->n || m->withheld || m->apart.n;
}

/* In every case that was timed with both; also where a side's time is withheld because it came out wrong. */
json_t *contrasts_json(const struct family_rows *f)
{
	struct measured *single = measured_of(f, f->single), *dbl = measured_of(f, f->dbl);
	json_t *contrasts = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count && single && dbl; i++) {
		struct contrast contrast = {
			.headline = i == 0,
			.single = &single[i],
			.dbl = &dbl[i],
			.ncases = f->cases.count,
			.all_single = single,
			.all_double = dbl,
			.floor = &f->floors[i],
			.kernel_bound = family_contrasts_is_kernel_bound(f, &single[i], &dbl[i]),
			.control = footprint_control(f, i, &single[i], &dbl[i]),
		};

		if (row_int(&f->cases, i, CASE_verifyOnly))
			continue;
		if (!was_timed(&single[i]) || !was_timed(&dbl[i]))
			continue;
		bad |= count_barriers(f, &single[i]) | count_barriers(f, &dbl[i]);
		bad |= append_json(contrasts, with_prediction(f, i, contrast_json(f->model, &contrast)));
	}
	return built_json(contrasts, bad);
}

/* ---- the floor, and the fastest ---- */

json_t *floors_json(const struct family_rows *f)
{
	const struct measured *single = measured_of(f, f->single);
	json_t *floors = json_array();
	int bad = 0;

	for (size_t i = 0; i < f->cases.count; i++) {
		struct rivals rivals = rivals_of(f, i);

		if (f->floors[i].source)
			bad |= append_json(
				floors, floor_json(f->model, &rivals, &f->floors[i], single ? &single[i] : NULL));
	}
	return built_json(floors, bad);
}

json_t *family_fastest(const struct family_rows *f)
{
	struct rivals rivals = rivals_of(f, 0);

	return f->cases.count ? fastest_json(f->model, &rivals) : json_null();
}
