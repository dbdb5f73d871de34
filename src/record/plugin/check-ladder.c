/* check-ladder.c: checks the rungs of a family's ladder. See check-variant.h. */
#include <string.h>

#include "record/plugin/check-variant.h"
#include "record/worker/select.h"

static int check_step(const struct family *f, const struct variant *v, struct error *err)
{
	if (v->rung.step < 0)
		return error_set(err, "rung: step cannot be %d", v->rung.step);
	for (const struct variant *other = f->variants; other < v && v->rung.step > 0; other++)
		if (other->rung.step == v->rung.step)
			return error_set(err, "rung: '%s' is step %d too", other->name, v->rung.step);
	return 0;
}

/* What a rung, or a top rung without a technique, is held against. */
static int check_over(const struct family *f, const struct rung *rung, struct error *err)
{
	const struct variant *over = variant_find(f, rung->over);

	if (!over)
		return error_set(err, "rung: over '%s' is not one of the family's variants", rung->over);
	if (over->rung.step == 0)
		return error_set(err, "rung: over '%s' is not on the ladder", rung->over);
	if (rung->step > 0 && over->rung.step >= rung->step)
		return error_set(err, "rung: over '%s' is no lower step", rung->over);
	return 0;
}

static int check_rung(const struct family *f, const struct variant *v, struct error *err)
{
	const struct rung *rung = &v->rung;

	if (rung->step == 0 && !rung->over && !rung->change && !rung->along)
		return 0;
	if (v->kind > VARIANT_CONTROL || v->teaches_failure)
		return error_set(err, "rung: a reference, a part of the work or what is wrong on purpose is none");
	if (!rung->over != !rung->change)
		return error_set(err, "rung: %s is NULL, but %s is not", rung->over ? "change" : "over",
			rung->over ? "over" : "change");
	if (rung->along && !rung->over)
		return error_set(err, "rung: along is for what goes with a change");
	if (check_step(f, v, err) < 0)
		return -1;
	return !rung->over ? 0 : check_over(f, rung, err);
}

int ladder_check(const struct family *family, struct error *err)
{
	const struct variant *lowest = NULL;

	for (const struct variant *v = family->variants; v < family->variants + family->nvariants; v++) {
		if (check_rung(family, v, err) < 0)
			return error_prefix(err, "variant '%s'", v->name);
		if (v->rung.step == 0 || v->rung.over)
			continue;
		if (lowest)
			return error_set(
				err, "rung: '%s' and '%s' both have nothing below them", lowest->name, v->name);
		lowest = v;
	}
	return 0;
}
