/* view-row.c: see view-row.h. A row has a whisker on the family's axis, numbers and checks. */
#include "compare/view-row.h"

#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"
#include "words/compare.h"

enum { TICKS = 5 };

/* The share of the axis that is left free at either end. */
static const double edge = 0.055;

/* An interval that is wider says that nothing is known. Whole, it would leave no room for the others. */
static const double least = 0.5, most = 2;

static json_t *view_row_place(const struct ratio_axis *axis, double ratio)
{
	return view_text("%.3f", 100 * (ratio - axis->low) / (axis->high - axis->low));
}

static json_t *length(const struct ratio_axis *axis, double ratio)
{
	return view_text("%.3f", 100 * ratio / (axis->high - axis->low));
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
		axis.low = fmin(axis.low, fmin(tree_real(ratio, "value"), fmax(tree_real(ratio, "low"), least)));
		axis.high = fmax(axis.high, fmax(tree_real(ratio, "value"), fmin(tree_real(ratio, "high"), most)));
	}
	margin = 0.065 * (axis.high - axis.low);
	axis.low -= margin;
	axis.high += margin;
	return axis;
}

json_t *ratio_axis_view(const struct ratio_axis *axis)
{
	double span = axis->high - axis->low, step = axis_step(span, TICKS);
	double first = ceil((axis->low + edge * span - 1) / step);
	json_t *object = json_object(), *ticks = json_array();

	/* Not at the very ends, where half a label would stick out. */
	for (int i = 0; i <= TICKS && 1 + (first + i) * step <= axis->high - edge * span; i++) {
		json_t *tick = json_object();
		double k = first + i;

		put_json(tick, "x", view_row_place(axis, 1 + k * step));
		put_json(tick, "label", view_text("%g", 1 + k * step));
		append_json(ticks, tick);
	}
	put_json(object, "ticks", ticks);
	put_json(object, "one", view_row_place(axis, 1));
	put_json(object, "band", view_row_place(axis, 1 - axis->band));
	put_json(object, "band_width", length(axis, 2 * axis->band));
	return object;
}

/* The whisker of a row; null without a ratio. Without an interval, its point alone. */
static json_t *whisker_view(const struct ratio_axis *axis, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	double value = tree_real(ratio, "value"), low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	json_t *whisker;

	if (isnan(value))
		return json_null();
	whisker = json_object();
	put_json(whisker, "class", view_text("%s", tree_text(comparison, "verdict")));
	put_json(whisker, "value", view_row_place(axis, value));
	put_json(whisker, "low", view_row_place(axis, isnan(low) ? value : fmax(low, axis->low)));
	put_json(whisker, "high", view_row_place(axis, isnan(high) ? value : fmin(high, axis->high)));
	return whisker;
}

/* ---- checks ---- */

static json_t *view_row_check_view(const json_t *check)
{
	static const char not_measured[] = "not measured: ";
	const json_t *ok = json_object_get(check, "ok");
	const char *text = tree_text(check, "text");
	bool prefixed = strncmp(text, not_measured, strlen(not_measured)) == 0;
	json_t *item = json_object();

	put_json(item, "name", view_text("%s", tree_text(check, "name")));
	put_json(item, "text", view_text("%s", prefixed ? text + strlen(not_measured) : text));
	view_put_text(item, "failure", tree_text(check, "failure"));
	put_json(item, "class", json_string(json_is_false(ok) ? "bad" : "good"));
	put_json(item, "sign", json_string(json_is_true(ok) ? "✓" : json_is_false(ok) ? "✗" : "–"));
	put_json(item, "word",
		json_string(json_is_true(ok)    ? "passed"
			    : json_is_false(ok) ? "failed"
						: "not measured"));
	return item;
}

void view_put_findings(json_t *object, const json_t *evidence)
{
	json_t *all = json_array(), *failed = json_array();
	const json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check)
	{
		append_json(all, view_row_check_view(check));
		if (json_is_false(json_object_get(check, "ok")))
			append_json(failed, view_row_check_view(check));
	}
	put_json(object, "nchecks", view_count((double)json_array_size(all)));
	put_json(object, "nfailed", view_count((double)json_array_size(failed)));
	view_put_list(object, "checks", all);
	view_put_list(object, "failed", failed);
}

/* ---- comparisons ---- */

static json_t *view_row_side_view(const json_t *side, double band)
{
	double mhz = tree_real(side, "measured_mhz");
	char time[SIDE_TIME_SIZE];
	json_t *object = json_object();

	if (isnan(mhz))
		mhz = tree_real(side, "reported_mhz");
	put_json(object, "time", view_text("%s", compare_time_words(side, band, time, sizeof(time))));
	put_json(object, "runs", view_count(tree_real(side, "runs")));
	put_json(object, "blocks", view_count(tree_real(side, "blocks")));
	put_json(object, "mhz", isnan(mhz) ? json_string("n/a") : view_text("%.0f", mhz));
	return object;
}

static json_t *interval_view(const json_t *ratio, double band)
{
	char text[INTERVAL_SIZE];

	compare_interval_words(ratio, band, text, sizeof(text));
	return isnan(tree_real(ratio, "low")) ? json_null() : view_text("%s", text);
}

json_t *comparison_view(const struct ratio_axis *axis, const json_t *comparison, const json_t *comparisons)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	json_t *row = json_object();
	char value[RATIO_SIZE], variant[VARIANT_SIZE], launches[LAUNCHES_SIZE];

	compare_variant_words(comparison, variant, sizeof(variant));
	compare_launches_words(comparison, comparisons, axis->band, launches, sizeof(launches));
	put_json(row, "variant", view_text("%s%s", variant, launches));
	put_json(row, "case", view_text("%s", tree_text(comparison, "case")));
	view_put_text(row, "role", tree_text(comparison, "role"));
	view_put_verdict(row, comparison);
	put_json(row, "class", view_text("%s", size_of(comparison)->id));
	put_json(row, "whisker", whisker_view(axis, comparison));
	put_json(row, "value", view_text("%s", compare_ratio_words(ratio, axis->band, value, sizeof(value))));
	put_json(row, "interval", interval_view(ratio, axis->band));
	put_json(row, "base", view_row_side_view(json_object_get(comparison, "base"), axis->band));
	put_json(row, "new", view_row_side_view(json_object_get(comparison, "new"), axis->band));
	view_put_findings(row, json_object_get(comparison, "evidence"));
	return row;
}
