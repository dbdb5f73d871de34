/* balance.c: the balance of compute to load per tile, and what a tutorial claims, answered from the sweeps. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/grid.h"
#include "tree/tree.h"
#include "util/format.h"

/* ---- balance ---- */

static void balance_put_side(struct view *view, json_t *row, const char *key, const json_t *side)
{
	json_t *out = view_object(view);
	double ratio = tree_real(side, "ratio");

	view_put(view, out, "compute", view_time(view, tree_real(side, "compute_ns")));
	view_put(view, out, "load", view_time(view, tree_real(side, "load_ns")));
	view_put(view, out, "ratio", view_ratio(view, ratio));
	view_put(view, row, key, out);
}

void view_balance(struct view *view, json_t *page, const json_t *family)
{
	const json_t *balance = json_object_get(family, "balance");
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(balance); i++) {
		const json_t *of = json_array_get(balance, i);
		json_t *row = view_object(view);

		view_put(view, row, "tile", view_count(view, tree_real(of, "tile")));
		view_put(view, row, "fmas", view_count(view, tree_real(of, "fmas")));
		balance_put_side(view, row, "formula", json_object_get(of, "formula"));
		balance_put_side(view, row, "measured", json_object_get(of, "measured"));
		view_put_speedup(view, row, of);
		view_put_verdict(view, row, of);
		view_append(view, rows, row);
	}
	view_put_list(view, page, "balance", rows);
}

/* ---- claims ---- */

/* "1.50× (1.49× to 1.51×) at blocks = 1" */
static json_t *place_text(struct view *view, const json_t *sweep, const char *param, const json_t *place)
{
	const json_t *speedup = json_object_get(place, "speedup");
	char value[FORMAT_SIZE], interval[FORMAT_SIZE], at[FORMAT_SIZE];
	const char *axis = strcmp(grid_param(sweep, "x"), param) == 0 ? "x" : "y";

	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");

	format_ratio_within(value, sizeof(value), tree_real(speedup, "value"), low, high);
	format_ratios(interval, sizeof(interval), low, high);
	return view_text(view, "%s (%s) at %s = %s", value, interval, param,
		grid_words(sweep, axis, tree_real(place, "value"), at));
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
	json_t *item = view_object(view);

	view_put(view, item, "id", view_id(view, tree_text(family, "name")));
	view_put(view, item, "title", view_text(view, "%s", tree_text(family, "title")));
	view_put(view, item, "fixed",
		*fixed ? view_text(view, ", %s = %s", fixed,
				 grid_words(sweep, axis, tree_real(curve, "fixed_value"), text))
		       : json_null());
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		view_put(view, item, places[i],
			tree_has(curve, places[i]) ? place_text(view, sweep, param, json_object_get(curve, places[i]))
						   : json_null());
	view_put(view, item, "holds", view_text(view, "%s", tree_text(curve, "holds")));
	return item;
}

static json_t *claim_view(struct view *view, const json_t *claim)
{
	const json_t *curves = json_object_get(claim, "curves");
	json_t *out = view_object(view), *list = view_array(view);
	double yes = tree_real(claim, "yes"), all = yes + tree_real(claim, "no") + tree_real(claim, "unclear");
	double elsewhere = tree_real(claim, "elsewhere");

	for (size_t i = 0; i < json_array_size(curves); i++)
		view_append(view, list, curve_view(view, claim, json_array_get(curves, i)));
	view_put(view, out, "holds", view_text(view, "%s", tree_text(claim, "holds")));
	view_put(view, out, "count",
		all > 0 ? view_text(view, "holds on %.0f of %.0f curve%s", yes, all, all == 1 ? "" : "s")
			: json_null());
	view_put(view, out, "elsewhere",
		elsewhere > 0 ? view_text(view, "%.0f curve%s not bound by that at this end", elsewhere,
					elsewhere == 1 ? " is" : "s are")
			      : json_null());
	view_put_list(view, out, "curves", list);
	return out;
}

static bool balance_any_sweep(const json_t *families)
{
	for (size_t i = 0; i < json_array_size(families); i++) {
		if (view_was_swept(json_array_get(families, i)))
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
		view_put(view, page, "claims", json_null());
		return;
	}
	out = view_object(view);
	for (size_t i = 0; i < json_array_size(claims); i++) {
		const json_t *claim = json_array_get(claims, i);
		char key[64];

		snprintf(key, sizeof(key), "%s", tree_text(claim, "key"));
		for (char *c = key; *c; c++)
			if (*c == '-')
				*c = '_';
		view_put(view, out, key, claim_view(view, claim));
	}
	view_put(view, page, "claims", out);
}
