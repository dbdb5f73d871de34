/* fastest.c: the best that one buffer can do against the best that several can, whatever pair the family names. */
#include "model/family/fastest.h"

#include <string.h>

#include "analyze/analyze.h"
#include "model/family/floor.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "store/rowset.h"
#include "store/store.h"
#include "tree/json.h"

/* Whether it does the whole work and is right in every case. A control may win too: it was built to explain another
 * variant, and can still be the best. A reference only draws a line. */
static bool may_win(const struct measured *m)
{
	bool competes = m->kind && (strcmp(m->kind, "candidate") == 0 || strcmp(m->kind, "control") == 0);

	return competes && m->n > 0 && m->right && !m->on_purpose;
}

static const struct measured *fastest_with(const struct rivals *rivals, int64_t from, int64_t to)
{
	const struct measured *best = NULL;

	for (size_t i = 0; i < rivals->n; i++) {
		const struct measured *m = rivals->list[i];

		if (may_win(m) && m->buffers >= from && m->buffers <= to &&
			(!best || m->time.median < best->time.median))
			best = m;
	}
	return best;
}

/* Whether a launch only copies: it draws a bound, and does not do the work. Without a trace, nobody knows. */
static bool only_copies(const struct measured *m)
{
	bool known = false;

	for (size_t i = 0; i < m->counts.count; i++) {
		if (strcmp(row_string(&m->counts, i, COUNT_what), "kernels") != 0)
			continue;
		if (row_int(&m->counts, i, COUNT_recorded) > 0 || row_int(&m->counts, i, COUNT_host) > 0)
			return false;
		known = true;
	}
	return known;
}

/* A library's results may go unverified, but not be wrong. One that ran another kernel than it was asked to, such as
 * one that rounds to TF32, computes something else. */
static bool is_sound_reference(const struct measured *m)
{
	return m->kind && strcmp(m->kind, "reference") == 0 && m->n > 0 && m->as_asked &&
	       (m->verify.count == 0 || m->right);
}

static const struct measured *reference_that(const struct rivals *rivals, bool copies)
{
	const struct measured *best = NULL;

	for (size_t i = 0; i < rivals->n; i++) {
		const struct measured *m = rivals->list[i];

		if (is_sound_reference(m) && only_copies(m) == copies && (!best || m->time.median < best->time.median))
			best = m;
	}
	return best;
}

const struct measured *reference_fastest(const struct rivals *rivals)
{
	return reference_that(rivals, false);
}

const struct measured *reference_of_ladder(const struct rivals *rivals)
{
	const struct measured *computes = reference_that(rivals, false);

	return computes ? computes : reference_that(rivals, true);
}

static json_t *reference_json(const struct model *model, const struct rivals *rivals, const struct measured *dbl)
{
	const struct measured *reference = reference_fastest(rivals);
	struct ratio ratio;
	json_t *object;

	if (!reference || !dbl || dbl->n == 0)
		return json_null();
	ratio_of(model, dbl, reference, &ratio);
	object = json_object();
	put_json(object, "variant", text_json(reference->variant));
	put_json(object, "median_ns", real_json(reference->time.median));
	put_json(object, "ratio", ratio_json(&ratio));
	return object;
}

static json_t *winner_json(const struct measured *m)
{
	json_t *object = json_object();

	put_json(object, "variant", text_json(m->variant));
	put_json(object, "buffers", json_integer(m->buffers));
	put_json(object, "median_ns", real_json(m->time.median));
	return object;
}

json_t *fastest_json(const struct model *model, const struct rivals *rivals, const struct measured *dbl)
{
	const struct measured *one = fastest_with(rivals, 1, 1), *several = fastest_with(rivals, 2, INT64_MAX);
	struct ratio ratio;
	json_t *object;

	if (!one || !several)
		return json_null();
	ratio_of(model, one, several, &ratio);
	object = json_object();
	put_json(object, "case", text_json(one->label));
	put_json(object, "one", winner_json(one));
	put_json(object, "several", winner_json(several));
	put_json(object, "ratio", ratio_json(&ratio));
	put_json(object, "reference", reference_json(model, rivals, dbl));
	return object;
}
