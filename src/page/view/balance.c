/* balance.c: the balance of compute to load per tile, and what a tutorial claims, answered from the sweeps. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/grid.h"
#include "tree/tree.h"
#include "util/format.h"

/* ---- balance ---- */

static void balance_put_side(json_t *row, const char *key, const json_t *side)
{
	json_t *out = json_object();
	double ratio = tree_real(side, "ratio");

	put_json(out, "compute", view_time(tree_real(side, "compute_ns")));
	put_json(out, "load", view_time(tree_real(side, "load_ns")));
	put_json(out, "ratio", view_ratio(ratio));
	put_json(row, key, out);
}

void view_balance(json_t *page, const json_t *family)
{
	const json_t *balance = json_object_get(family, "balance");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(balance); i++) {
		const json_t *of = json_array_get(balance, i);
		json_t *row = json_object();

		put_json(row, "tile", view_count(tree_real(of, "tile")));
		put_json(row, "fmas", view_count(tree_real(of, "fmas")));
		balance_put_side(row, "formula", json_object_get(of, "formula"));
		balance_put_side(row, "measured", json_object_get(of, "measured"));
		view_put_speedup(row, of);
		view_put_verdict(row, of);
		append_json(rows, row);
	}
	view_put_list(page, "balance", rows);
}

/* ---- claims ---- */

/* "1.50× (1.49× to 1.51×) at blocks = 1" */
static json_t *place_text(const json_t *sweep, const char *param, const json_t *place)
{
	const json_t *speedup = json_object_get(place, "speedup");
	char value[FORMAT_SIZE], interval[FORMAT_SIZE], at[FORMAT_SIZE];
	const char *axis = strcmp(grid_param(sweep, "x"), param) == 0 ? "x" : "y";

	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");

	format_ratio_within(value, sizeof(value), tree_real(speedup, "value"), low, high);
	format_ratios(interval, sizeof(interval), low, high);
	return view_text(
		"%s (%s) at %s = %s", value, interval, param, grid_words(sweep, axis, tree_real(place, "value"), at));
}

static json_t *curve_view(struct view *view, const json_t *claim, const json_t *curve)
{
	const json_t *families = json_object_get(view->recording, "families");
	const json_t *family = tree_find(families, "name", tree_text(curve, "family"));
	const json_t *sweep = tree_find(json_object_get(family, "sweeps"), "name", tree_text(curve, "sweep"));
	const char *param = tree_text(claim, "param"), *fixed = tree_text(curve, "fixed");
	const char *axis = strcmp(grid_param(sweep, "x"), fixed) == 0 ? "x" : "y";
	static const char *const places[] = {"at", "against", "best"};
	char text[FORMAT_SIZE];
	json_t *item = json_object();

	put_json(item, "id", view_id(view, tree_text(family, "name")));
	put_json(item, "title", view_text("%s", tree_text(family, "title")));
	put_json(item, "fixed",
		*fixed ? view_text(", %s = %s", fixed, grid_words(sweep, axis, tree_real(curve, "fixed_value"), text))
		       : json_null());
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		put_json(item, places[i],
			tree_has(curve, places[i]) ? place_text(sweep, param, json_object_get(curve, places[i]))
						   : json_null());
	put_json(item, "holds", view_text("%s", tree_text(curve, "holds")));
	return item;
}

static json_t *claim_view(struct view *view, const json_t *claim)
{
	const json_t *curves = json_object_get(claim, "curves");
	json_t *out = json_object(), *list = json_array();
	double yes = tree_real(claim, "yes"), all = yes + tree_real(claim, "no") + tree_real(claim, "unclear");
	double elsewhere = tree_real(claim, "elsewhere");

	for (size_t i = 0; i < json_array_size(curves); i++)
		append_json(list, curve_view(view, claim, json_array_get(curves, i)));
	put_json(out, "holds", view_text("%s", tree_text(claim, "holds")));
	put_json(out, "count",
		all > 0 ? view_text("holds on %.0f of %.0f curve%s", yes, all, all == 1 ? "" : "s") : json_null());
	put_json(out, "elsewhere",
		elsewhere > 0 ? view_text("%.0f curve%s not bound by that at this end", elsewhere,
					elsewhere == 1 ? " is" : "s are")
			      : json_null());
	view_put_list(out, "curves", list);
	return out;
}

static bool balance_any_sweep(const json_t *families)
{
	for (size_t i = 0; i < json_array_size(families); i++) {
		if (tree_was_swept(json_array_get(families, i)))
			return true;
	}
	return false;
}

/* Under the claim's key, with '_' for '-': the template has each claim's wording. */
void view_claims(struct view *view, json_t *page)
{
	const json_t *claims = json_object_get(view->recording, "claims");
	json_t *out;

	if (!balance_any_sweep(json_object_get(view->recording, "families"))) {
		put_json(page, "claims", json_null());
		return;
	}
	out = json_object();
	for (size_t i = 0; i < json_array_size(claims); i++) {
		const json_t *claim = json_array_get(claims, i);
		char key[64];

		snprintf(key, sizeof(key), "%s", tree_text(claim, "key"));
		for (char *c = key; *c; c++)
			if (*c == '-')
				*c = '_';
		put_json(out, key, claim_view(view, claim));
	}
	put_json(page, "claims", out);
}
