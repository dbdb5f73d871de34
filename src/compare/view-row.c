/* view-row.c: see view-row.h. A row has a whisker on the family's axis, numbers and checks. */
#include "compare/view-row.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"
#include "words/compare.h"

enum { TICKS = 5 };

/* The share of the axis that is left free at either end. */
static const double edge = 0.055;

static json_t *view_row_place(struct view *view, const struct ratio_axis *axis, double ratio)
{
	return view_text(view, "%.3f", 100 * (ratio - axis->low) / (axis->high - axis->low));
}

static json_t *length(struct view *view, const struct ratio_axis *axis, double ratio)
{
	return view_text(view, "%.3f", 100 * ratio / (axis->high - axis->low));
}

struct ratio_axis ratio_axis_of(const json_t *comparisons, double band)
{
	struct ratio_axis axis = {1 - 1.5 * band, 1 + 1.5 * band, band};
	const json_t *comparison;
	double margin;
	size_t i;

	json_array_foreach(comparisons, i, comparison)
	{
		const json_t *ratio = json_object_get(comparison, "ratio");

		if (tree_has(comparison, "sweep"))
			continue;
		axis.low = fmin(axis.low, fmin(tree_real(ratio, "value"), tree_real(ratio, "low")));
		axis.high = fmax(axis.high, fmax(tree_real(ratio, "value"), tree_real(ratio, "high")));
	}
	margin = 0.065 * (axis.high - axis.low);
	axis.low -= margin;
	axis.high += margin;
	return axis;
}

json_t *ratio_axis_view(struct view *view, const struct ratio_axis *axis)
{
	double span = axis->high - axis->low, step = axis_step(span, TICKS);
	double first = ceil((axis->low + edge * span - 1) / step);
	json_t *object = view_object(view), *ticks = view_array(view);

	/* Not at the very ends, where half a label would stick out. */
	for (int i = 0; i <= TICKS && 1 + (first + i) * step <= axis->high - edge * span; i++) {
		json_t *tick = view_object(view);
		double k = first + i;

		view_put(view, tick, "x", view_row_place(view, axis, 1 + k * step));
		view_put(view, tick, "label", view_text(view, "%g", 1 + k * step));
		view_append(view, ticks, tick);
	}
	view_put(view, object, "ticks", ticks);
	view_put(view, object, "one", view_row_place(view, axis, 1));
	view_put(view, object, "band", view_row_place(view, axis, 1 - axis->band));
	view_put(view, object, "band_width", length(view, axis, 2 * axis->band));
	return object;
}

/* The whisker of a row; null without a ratio. Without an interval, its point alone. */
static json_t *whisker_view(struct view *view, const struct ratio_axis *axis, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	double value = tree_real(ratio, "value"), low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	json_t *whisker;

	if (isnan(value))
		return json_null();
	whisker = view_object(view);
	view_put(view, whisker, "class", view_text(view, "%s", tree_text(comparison, "verdict")));
	view_put(view, whisker, "value", view_row_place(view, axis, value));
	view_put(view, whisker, "low", view_row_place(view, axis, isnan(low) ? value : low));
	view_put(view, whisker, "high", view_row_place(view, axis, isnan(high) ? value : high));
	return whisker;
}

/* ---- checks ---- */

static json_t *view_row_check_view(struct view *view, const json_t *check)
{
	static const char not_measured[] = "not measured: ";
	const json_t *ok = json_object_get(check, "ok");
	const char *text = tree_text(check, "text");
	bool prefixed = strncmp(text, not_measured, strlen(not_measured)) == 0;
	json_t *item = view_object(view);

	view_put(view, item, "name", view_text(view, "%s", tree_text(check, "name")));
	view_put(view, item, "text", view_text(view, "%s", prefixed ? text + strlen(not_measured) : text));
	view_put_text(view, item, "failure", tree_text(check, "failure"));
	view_put(view, item, "class", json_string(json_is_false(ok) ? "bad" : "good"));
	view_put(view, item, "sign", json_string(json_is_true(ok) ? "✓" : json_is_false(ok) ? "✗" : "–"));
	view_put(view, item, "word",
		json_string(json_is_true(ok)    ? "passed"
			    : json_is_false(ok) ? "failed"
						: "not measured"));
	return item;
}

void view_put_findings(struct view *view, json_t *object, const json_t *evidence)
{
	json_t *all = view_array(view), *failed = view_array(view);
	const json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check)
	{
		view_append(view, all, view_row_check_view(view, check));
		if (json_is_false(json_object_get(check, "ok")))
			view_append(view, failed, view_row_check_view(view, check));
	}
	view_put(view, object, "nchecks", view_count(view, (double)json_array_size(all)));
	view_put(view, object, "nfailed", view_count(view, (double)json_array_size(failed)));
	view_put_list(view, object, "checks", all);
	view_put_list(view, object, "failed", failed);
}

/* ---- comparisons ---- */

static json_t *view_row_side_view(struct view *view, const json_t *side)
{
	double mhz = tree_real(side, "measured_mhz");
	json_t *object = view_object(view);

	if (isnan(mhz))
		mhz = tree_real(side, "reported_mhz");
	view_put(view, object, "time", view_time(view, tree_real(side, "median_ns")));
	view_put(view, object, "runs", view_count(view, tree_real(side, "runs")));
	view_put(view, object, "blocks", view_count(view, tree_real(side, "blocks")));
	view_put(view, object, "mhz", isnan(mhz) ? json_string("n/a") : view_text(view, "%.0f", mhz));
	return object;
}

static json_t *interval_view(struct view *view, const json_t *ratio)
{
	char text[INTERVAL_SIZE];

	compare_interval_words(ratio, text, sizeof(text));
	return isnan(tree_real(ratio, "low")) ? json_null() : view_text(view, "%s", text);
}

json_t *comparison_view(struct view *view, const struct ratio_axis *axis, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	json_t *row = view_object(view);
	char value[RATIO_SIZE];

	view_put(view, row, "variant", view_text(view, "%s", tree_text(comparison, "variant")));
	view_put(view, row, "case", view_text(view, "%s", tree_text(comparison, "case")));
	view_put_text(view, row, "role", tree_text(comparison, "role"));
	view_put_verdict(view, row, comparison);
	view_put(view, row, "whisker", whisker_view(view, axis, comparison));
	view_put(view, row, "value",
		view_text(view, "%s", compare_ratio_words(tree_real(ratio, "value"), value, sizeof(value))));
	view_put(view, row, "interval", interval_view(view, ratio));
	view_put(view, row, "base", view_row_side_view(view, json_object_get(comparison, "base")));
	view_put(view, row, "new", view_row_side_view(view, json_object_get(comparison, "new")));
	view_put_findings(view, row, json_object_get(comparison, "evidence"));
	return row;
}
