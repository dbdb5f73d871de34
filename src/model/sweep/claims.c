/* claims.c: R."claims": what a tutorial says about when double buffering helps, answered from the sweeps. */
#include "model/sweep/claims.h"

#include <math.h>
#include <string.h>

#include "analyze/sweep.h"
#include "model/sweep/grid.h"
#include "tree/json.h"
#include "tree/tree.h"

/* A row of the tutorial's table: what it says of one end of every curve over a parameter. */
static const struct claim {
	const char *key, *param;
	bool high_end;
	enum claim_rule rule;
	const char *longer, *shorter; /* parts: what it is about has the first no shorter than the second; or NULL */
} claims[] = {
	{"memory-bound", "intensity", false, GAIN_IS_LARGE, "loads_ns", "compute_ns"},
	{"large-tile", "tile", true, GAIN_IS_LARGER, NULL, NULL},
	{"fewer-warps", PARAM_BLOCKS, false, GAIN_IS_LARGER, NULL, NULL},
	{"compute-heavy", "intensity", true, GAIN_IS_SMALL, "compute_ns", "loads_ns"},
};

/* A curve over one parameter of a sweep, the other one fixed at `other`. */
struct curve {
	const json_t *sweep;
	const char *along, *fixed; /* "x" and "y", or the other way round */
	double other;              /* NaN if the sweep has one parameter only */
};

static bool on_curve(const struct curve *c, const json_t *point)
{
	return tree_true(point, "measured") && (isnan(c->other) || tree_real(point, c->fixed) == c->other);
}

/* The outermost measured points of a curve and the one with the largest ratio; how many there are. Points are in the
 * order of their axes. */
static size_t curve_ends(const struct curve *c, const json_t *ends[2], const json_t **best)
{
	const json_t *points = json_object_get(c->sweep, "points");
	double most = -INFINITY;
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);
		double ratio = tree_real(json_object_get(point, "speedup"), "value");

		if (!on_curve(c, point))
			continue;
		if (n++ == 0)
			ends[0] = point;
		ends[1] = point;
		if (ratio > most && strcmp(tree_text(point, "verdict"), "unclear") != 0) {
			most = ratio;
			*best = point;
		}
	}
	return n;
}

static struct judged judged_from(const json_t *point)
{
	const json_t *speedup = json_object_get(point, "speedup");

	return (struct judged){
		.ratio = {.value = tree_real(speedup, "value"),
			.low = tree_real(speedup, "low"),
			.high = tree_real(speedup, "high")},
		.verdict = verdict_named(tree_text(point, "verdict")),
	};
}

static const char *holds_word(enum holds holds)
{
	static const char *const words[HOLDS_COUNT] = {"yes", "no", "unclear", "not measured there"};

	return words[holds];
}

/* The places on a curve that a claim is judged by. */
struct places {
	const json_t *at, *other, *best;
};

/* Whether the point is what the claim is about, by the times of the parts of its work. */
static bool is_about(const struct claim *claim, const json_t *point)
{
	const json_t *parts = json_object_get(point, "parts");

	return !claim->longer || tree_real(parts, claim->longer) >= tree_real(parts, claim->shorter);
}

static enum holds claims_judge(const struct claim *claim, const struct places *places)
{
	const struct judged at = judged_from(places->at), other = judged_from(places->other),
			    best = judged_from(places->best);

	return is_about(claim, places->at) ? claim_holds(claim->rule, &at, &other, &best) : HOLDS_ELSEWHERE;
}

static json_t *place_json(const struct curve *c, const json_t *point)
{
	json_t *object = json_object();

	put_json(object, "value", real_json(tree_real(point, c->along)));
	put_json(object, "case", json_string(tree_text(point, "case")));
	put_json(object, "speedup", json_deep_copy(json_object_get(point, "speedup")));
	put_json(object, "verdict", json_string(tree_text(point, "verdict")));
	return object;
}

static json_t *curve_json(const json_t *family, const struct claim *claim, const struct curve *c,
	const struct places *places, enum holds holds)
{
	const json_t *axis = json_object_get(c->sweep, c->fixed);
	bool ends = claim->rule != GAIN_IS_SMALL, best = claim->rule != GAIN_IS_LARGER;
	json_t *object = json_object();

	put_json(object, "family", json_string(tree_text(family, "name")));
	put_json(object, "sweep", json_string(tree_text(c->sweep, "name")));
	put_json(object, "fixed", isnan(c->other) ? json_null() : json_string(tree_text(axis, "param")));
	put_json(object, "fixed_value", real_json(c->other));
	put_json(object, "at", place_json(c, places->at));
	put_json(object, "against", ends ? place_json(c, places->other) : json_null());
	put_json(object, "best", best ? place_json(c, places->best) : json_null());
	put_json(object, "holds", json_string(holds_word(holds)));
	return object;
}

/* Adds the curve if both of its ends were measured; counts how the claim does in holds[]. */
static void claims_add_curve(
	json_t *list, const json_t *family, const struct claim *claim, const struct curve *c, size_t count[HOLDS_COUNT])
{
	const json_t *ends[2] = {NULL, NULL}, *best = NULL;
	struct places places;
	enum holds holds;

	if (curve_ends(c, ends, &best) < 2)
		return;
	places = (struct places){ends[claim->high_end], ends[!claim->high_end], best ? best : ends[claim->high_end]};
	holds = claims_judge(claim, &places);
	count[holds]++;
	append_json(list, curve_json(family, claim, c, &places, holds));
}

static void add_curves(
	json_t *list, const json_t *family, const struct claim *claim, struct curve c, size_t count[HOLDS_COUNT])
{
	const json_t *others = json_object_get(json_object_get(c.sweep, c.fixed), "values");

	c.other = NAN;
	if (!others)
		claims_add_curve(list, family, claim, &c, count);
	for (size_t i = 0; i < json_array_size(others); i++) {
		c.other = json_number_value(json_array_get(others, i));
		claims_add_curve(list, family, claim, &c, count);
	}
}

/* The family's sweeps of a second buffer that have the claim's parameter along `along`. */
static void add_sweeps(
	json_t *list, const json_t *family, const struct claim *claim, const char *along, size_t count[HOLDS_COUNT])
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	const char *fixed = strcmp(along, "x") == 0 ? "y" : "x";

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);
		const struct curve c = {sweep, along, fixed, NAN};

		if (tree_true(sweep, "buffering") &&
			strcmp(tree_text(json_object_get(sweep, along), "param"), claim->param) == 0)
			add_curves(list, family, claim, c, count);
	}
}

static const char *verdict_on(const size_t count[HOLDS_COUNT])
{
	if (count[HOLDS_YES] && count[HOLDS_NO])
		return "partly";
	if (count[HOLDS_YES] || count[HOLDS_NO])
		return count[HOLDS_YES] ? "yes" : "no";
	return count[HOLDS_UNCLEAR] ? "unclear" : "not measured";
}

static json_t *claim_json(const json_t *families, const struct claim *claim)
{
	size_t count[HOLDS_COUNT] = {0};
	json_t *object = json_object(), *list = json_array();

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *family = json_array_get(families, f);
		size_t before = json_array_size(list);

		/* A parameter that no curve runs along may still be the second one. */
		add_sweeps(list, family, claim, "x", count);
		if (json_array_size(list) == before)
			add_sweeps(list, family, claim, "y", count);
	}
	put_json(object, "key", json_string(claim->key));
	put_json(object, "param", json_string(claim->param));
	put_json(object, "holds", json_string(verdict_on(count)));
	put_json(object, "yes", json_integer((json_int_t)count[HOLDS_YES]));
	put_json(object, "no", json_integer((json_int_t)count[HOLDS_NO]));
	put_json(object, "unclear", json_integer((json_int_t)count[HOLDS_UNCLEAR]));
	put_json(object, "elsewhere", json_integer((json_int_t)count[HOLDS_ELSEWHERE]));
	put_json(object, "curves", list);
	return object;
}

static bool claims_any_sweep(const json_t *families)
{
	for (size_t f = 0; f < json_array_size(families); f++) {
		if (json_array_size(json_object_get(json_array_get(families, f), "sweeps")) > 0)
			return true;
	}
	return false;
}

json_t *claims_json(const json_t *families)
{
	json_t *list = json_array();

	if (!claims_any_sweep(families))
		return list;
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		append_json(list, claim_json(families, &claims[i]));
	return list;
}
