/* sample-checks.c: see sample-checks.h. */
#include "model/pair/sample-checks.h"

#include <sys/types.h>

#include "analyze/thresholds.h"
#include "store/rowset.h"
#include "tree/json.h"

static size_t count_right(const struct rows *verify)
{
	size_t right = 0;

	for (size_t i = 0; i < verify->count; i++)
		right += row_int(verify, i, VERIFY_wrong) == 0;
	return right;
}

static json_t *results_side_json(const struct rows *verify)
{
	json_t *object = json_object();

	put_json(object, "right", json_integer((json_int_t)count_right(verify)));
	put_json(object, "runs", json_integer((json_int_t)verify->count));
	return object;
}

/* A time of something that may be wrong is worth nothing: what was not verified fails, without a figure. */
void judge_results(const struct compared *c, struct pair_finding *out)
{
	const struct rows *base = &c->side[SIDE_BASE].m.verify, *fresh = &c->side[SIDE_NEW].m.verify;
	size_t wrong = base->count - count_right(base) + fresh->count - count_right(fresh);
	bool verified = base->count && fresh->count;

	out->ok = wrong == 0 && verified ? OUTCOME_PASSED : OUTCOME_FAILED;
	out->limit = 0;
	if (wrong || verified)
		out->figure = (double)wrong;
	put_json(out->facts, "base", results_side_json(base));
	put_json(out->facts, "new", results_side_json(fresh));
}

void judge_samples(const struct compared *c, struct pair_finding *out)
{
	size_t base = c->side[SIDE_BASE].nblocks, fresh = c->side[SIDE_NEW].nblocks;

	if (lacks_times(c, out))
		return;
	out->figure = (double)(base < fresh ? base : fresh);
	out->limit = BLOCKS_NEEDED;
	out->ok = out->figure >= out->limit ? OUTCOME_PASSED : OUTCOME_FAILED;
	put_json(out->facts, "base", json_integer((json_int_t)base));
	put_json(out->facts, "new", json_integer((json_int_t)fresh));
}

bool lacks_runs(const struct compared *c)
{
	const struct timing *base = &c->side[SIDE_BASE], *fresh = &c->side[SIDE_NEW];

	return base->m.n && fresh->m.n && base->nruns < RUNS_NEEDED && fresh->nruns < RUNS_NEEDED;
}

void judge_runs(const struct compared *c, struct pair_finding *out)
{
	size_t base = c->side[SIDE_BASE].nruns, fresh = c->side[SIDE_NEW].nruns;

	if (lacks_times(c, out))
		return;
	out->figure = (double)(base > fresh ? base : fresh);
	out->limit = RUNS_NEEDED;
	out->ok = lacks_runs(c) ? OUTCOME_FAILED : OUTCOME_PASSED;
	put_json(out->facts, "base", json_integer((json_int_t)base));
	put_json(out->facts, "new", json_integer((json_int_t)fresh));
}

/* ---- parameters ---- */

/* How two slices of parameters differ. */
struct parameters {
	struct rows base, fresh;
	size_t differing;
	json_t *first; /* the first that differs: its name and both values, null where it is not there; or NULL */
};

static json_t *parameter_value(const struct rows *rows, ssize_t at)
{
	return at < 0 ? json_null() : json_integer(row_int(rows, (size_t)at, PARAM_value));
}

/* One that is not there is not set, which is what 0 means where it is. */
static int64_t parameter_set(const struct rows *rows, ssize_t at)
{
	return at < 0 ? 0 : row_int(rows, (size_t)at, PARAM_value);
}

/* Compares the parameter in these rows, of which one may be -1: not there. */
static void compare_parameter(struct parameters *p, const char *name, ssize_t base, ssize_t fresh)
{
	if (parameter_set(&p->base, base) == parameter_set(&p->fresh, fresh))
		return;
	p->differing++;
	if (p->first)
		return;
	p->first = json_object();
	put_json(p->first, "name", text_json(name));
	put_json(p->first, "base", parameter_value(&p->base, base));
	put_json(p->first, "new", parameter_value(&p->fresh, fresh));
}

static void compare_parameters(struct parameters *p)
{
	for (size_t i = 0; i < p->base.count; i++) {
		const char *name = row_string(&p->base, i, PARAM_name);

		compare_parameter(p, name, (ssize_t)i, rows_with(&p->fresh, PARAM_name, name));
	}
	for (size_t i = 0; i < p->fresh.count; i++) {
		const char *name = row_string(&p->fresh, i, PARAM_name);

		if (rows_with(&p->base, PARAM_name, name) < 0)
			compare_parameter(p, name, -1, (ssize_t)i);
	}
}

void judge_parameters(const struct compared *c, struct pair_finding *out)
{
	const char *const key[] = {c->family, c->label};
	struct parameters p = {
		.base = rows_find(&c->in->side[SIDE_BASE].table[TABLE_PARAM], 2, key),
		.fresh = rows_find(&c->in->side[SIDE_NEW].table[TABLE_PARAM], 2, key),
	};

	if (p.base.count + p.fresh.count == 0) {
		out->missing = "no-parameters";
		return;
	}
	compare_parameters(&p);
	out->figure = (double)p.differing;
	out->limit = 0;
	out->ok = p.differing == 0 ? OUTCOME_PASSED : OUTCOME_FAILED;
	put_json(out->facts, "base", json_integer((json_int_t)p.base.count));
	put_json(out->facts, "new", json_integer((json_int_t)p.fresh.count));
	put_json(out->facts, "first", p.first ? p.first : json_null());
}
