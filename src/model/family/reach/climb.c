/* climb.c: the rungs of a family's ladder, each against the rung below it and against the library: see reach.h. */
#include "model/family/reach/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/family-contrasts.h"
#include "model/family/family-rows.h"
#include "model/family/family-variants.h"
#include "model/family/fastest.h"
#include "model/family/measured.h"
#include "model/family/ratio.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* A case of a family while its climb is made. */
struct climb {
	const struct family_rows *f;
	size_t i;                    /* the case */
	const struct measured *line; /* the reference, else what the floor comes from, or NULL */
};

static bool is_rung(const struct family_rows *f, size_t v)
{
	return row_int(&f->variants, v, VARIANT_rungStep) > 0;
}

/* A rung without a technique. */
static bool is_without(const struct family_rows *f, size_t v)
{
	return !is_rung(f, v) && !row_null(&f->variants, v, VARIANT_rungOver);
}

/* Number of a rung's variant and its step, for sorting. */
struct step {
	int64_t step;
	size_t variant;
};

static int by_step(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return (a->variant > b->variant) - (a->variant < b->variant);
}

/* The rungs from the lowest up; *n of them, for free(). */
static struct step *steps_of(const struct family_rows *f, size_t *n)
{
	struct step *steps = xcalloc(f->variants.count + 1, sizeof(*steps));

	*n = 0;
	for (size_t v = 0; v < f->variants.count; v++)
		if (is_rung(f, v))
			steps[(*n)++] = (struct step){row_int(&f->variants, v, VARIANT_rungStep), v};
	qsort(steps, *n, sizeof(*steps), by_step);
	return steps;
}

/* ---- numbers of one variant ---- */

/* Whether it was timed and all its times are set apart. */
static bool was_all_throttled(const struct measured *m)
{
	return m->n == 0 && m->apart.n > 0;
}

static void put_speed(json_t *object, const struct climb *climb, const struct measured *m)
{
	struct ratio share;

	put_json(object, "median_ns", real_json(m->time.median));
	put_json(object, "speed", real_json(m->n ? family_throughput(climb->f, climb->i, m) : NAN));
	put_json(object, "throttled", json_boolean(was_all_throttled(m)));
	if (!climb->line || m->n == 0) {
		put_json(object, "share", json_null());
		return;
	}
	ratio_of(climb->f->model, climb->line, m, &share);
	put_json(object, "share", ratio_json(&share));
}

static json_t *climb_reference_json(const struct climb *climb, const struct measured *m)
{
	json_t *object = json_object();

	put_json(object, "variant", text_json(m->variant));
	put_speed(object, climb, m);
	put_json(object, "kernel", text_json(m->longest));
	put_json(object, "asked", text_json(m->asked));
	put_json(object, "as_asked", m->longest || !m->as_asked ? json_boolean(m->as_asked) : json_null());
	return object;
}

static bool is_reference(const struct measured *m)
{
	return strcmp(m->kind, "reference") == 0;
}

static json_t *climb_references_json(const struct climb *climb)
{
	struct rivals rivals = rivals_of(climb->f, climb->i);
	json_t *list = json_array();

	for (size_t v = 0; v < rivals.n; v++)
		if (is_reference(rivals.list[v]) && (rivals.list[v]->n > 0 || was_all_throttled(rivals.list[v])))
			append_json(list, climb_reference_json(climb, rivals.list[v]));
	if (json_array_size(list) == 0 && climb->line)
		append_json(list, climb_reference_json(climb, climb->line));
	return list;
}

/* ---- a rung ---- */

static bool was_climbed(const struct measured *m)
{
	return m->n > 0 && !m->withheld;
}

/* Of rungs "single" and "double" would say how many buffers they have. */
static json_t *step_called_json(const struct measured *single, const struct measured *dbl)
{
	json_t *called = json_object();

	put_json(called, "single", text_json(single->variant));
	put_json(called, "double", text_json(dbl->variant));
	return called;
}

/* One thing more: `over` is single, the rung double. One thing less: the other way round, so that a gain is always that
 * of having it. */
static json_t *step_contrast(const struct climb *climb, size_t v, bool less)
{
	struct measured *own = measured_at(climb->f, v);
	struct measured *over = measured_of(climb->f, row_string(&climb->f->variants, v, VARIANT_rungOver));
	json_t *contrast;

	if (!over || !was_climbed(&over[climb->i]) || !was_climbed(&own[climb->i]))
		return json_null();
	contrast = less ? contrast_of_pair(climb->f, climb->i, own, over)
			: contrast_of_pair(climb->f, climb->i, over, own);
	put_json(contrast, "called", step_called_json(less ? own : over, less ? over : own));
	return contrast;
}

static json_t *climb_step_json(const struct climb *climb, size_t v)
{
	const struct rows *row = &climb->f->variants;
	const struct measured *m = measured_at(climb->f, v) + climb->i;
	bool less = is_without(climb->f, v);
	json_t *object = json_object();

	if (!less)
		put_json(object, "step", row_json(row, v, VARIANT_rungStep));
	put_json(object, "variant", text_json(m->variant));
	put_json(object, "over", row_json(row, v, VARIANT_rungOver));
	put_json(object, "change", row_json(row, v, VARIANT_rungChange));
	put_json(object, "along", row_json(row, v, VARIANT_rungAlong));
	put_json(object, "unsupported", text_json(m->unsupported));
	put_json(object, "withheld", json_boolean(m->withheld));
	put_speed(object, climb, m);
	put_json(object, "contrast", step_contrast(climb, v, less));
	return object;
}

/* ---- a case ---- */

static json_t *climb_rungs_json(const struct climb *climb, const struct step *steps, size_t n)
{
	json_t *list = json_array();

	for (size_t s = 0; s < n; s++)
		append_json(list, climb_step_json(climb, steps[s].variant));
	return list;
}

static json_t *climb_without_json(const struct climb *climb)
{
	json_t *list = json_array();

	for (size_t v = 0; v < climb->f->variants.count; v++)
		if (is_without(climb->f, v))
			append_json(list, climb_step_json(climb, v));
	return list;
}

/* The highest rung with a time; NULL without one. */
static const struct measured *climb_top(const struct climb *climb, const struct step *steps, size_t n)
{
	for (size_t s = n; s > 0; s--) {
		const struct measured *m = measured_at(climb->f, steps[s - 1].variant) + climb->i;

		if (was_climbed(m))
			return m;
	}
	return NULL;
}

/* Of the rungs that are surely faster than the top the fastest; the top if there is none. */
static const struct measured *climb_fastest(
	const struct climb *climb, const struct measured *top, const struct step *steps, size_t n)
{
	const struct measured *best = top;

	for (size_t s = 0; s < n && top; s++) {
		const struct measured *m = measured_at(climb->f, steps[s].variant) + climb->i;
		struct ratio gain;

		if (m == top || !was_climbed(m) || m->time.median >= best->time.median)
			continue;
		ratio_of(climb->f->model, top, m, &gain);
		if (gain.low > 1)
			best = m;
	}
	return best;
}

/* A pipeline that has no reference is held against its floor. */
static const struct measured *climb_line(const struct family_rows *f, const struct rivals *rivals)
{
	struct floor floor;

	for (size_t v = 0; v < rivals->n; v++)
		if (is_reference(rivals->list[v]))
			return reference_of_ladder(rivals);
	floor_of(f->model, rivals, &floor);
	return floor.source;
}

static json_t *climb_json(const struct family_rows *f, size_t i, const struct step *steps, size_t n)
{
	struct rivals rivals = rivals_of(f, i);
	const struct climb climb = {f, i, climb_line(f, &rivals)};
	const struct measured *top = climb_top(&climb, steps, n), *fastest = climb_fastest(&climb, top, steps, n);
	json_t *object = json_object();

	put_json(object, "case", row_json(&f->cases, i, CASE_label));
	put_json(object, "headline", json_boolean(i == 0));
	put_json(object, "reference", climb.line ? text_json(climb.line->variant) : json_null());
	put_json(object, "references", climb_references_json(&climb));
	put_json(object, "top", top ? text_json(top->variant) : json_null());
	put_json(object, "fastest", fastest ? text_json(fastest->variant) : json_null());
	put_json(object, "rungs", climb_rungs_json(&climb, steps, n));
	put_json(object, "without", climb_without_json(&climb));
	return object;
}

json_t *climbs_json(const struct family_rows *f)
{
	size_t n;
	struct step *steps = steps_of(f, &n);
	json_t *list = json_array();

	for (size_t i = 0; i < f->cases.count && n > 0; i++)
		if (row_int(&f->cases, i, CASE_verifyOnly) == 0)
			append_json(list, climb_json(f, i, steps, n));
	free(steps);
	return list;
}
