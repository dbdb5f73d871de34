/* compare-view.c: makes of the comparison what templates/compare.mustache prints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare-words.h"
#include "report/compare.h"
#include "report/figure.h"
#include "report/template.h"
#include "report/tree.h"
#include "report/view.h"
#include "util/format.h"

enum { TICKS = 5 };

/* The axis of a family's ratios outside sweeps; places on it are percents of its width. */
struct axis {
	double low, high, band;
};

static json_t *place(struct view *view, const struct axis *axis, double ratio)
{
	return view_text(view, "%.3f", 100 * (ratio - axis->low) / (axis->high - axis->low));
}

static json_t *length(struct view *view, const struct axis *axis, double ratio)
{
	return view_text(view, "%.3f", 100 * ratio / (axis->high - axis->low));
}

static struct axis axis_of(const json_t *comparisons, double band)
{
	struct axis axis = {1 - 1.5 * band, 1 + 1.5 * band, band};
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
	margin = 0.06 * (axis.high - axis.low);
	axis.low -= margin;
	axis.high += margin;
	return axis;
}

/* What every row's axis shows: the band, 1, and the ticks. */
static json_t *axis_view(struct view *view, const struct axis *axis)
{
	double step = figure_step(axis->high - axis->low, TICKS);
	json_t *object = view_object(view), *ticks = view_array(view);

	for (double k = ceil((axis->low - 1) / step); 1 + k * step <= axis->high; k++) {
		json_t *tick = view_object(view);

		view_put(view, tick, "x", place(view, axis, 1 + k * step));
		view_put(view, tick, "label", view_text(view, "%g", 1 + k * step));
		view_append(view, ticks, tick);
	}
	view_put(view, object, "ticks", ticks);
	view_put(view, object, "one", place(view, axis, 1));
	view_put(view, object, "band", place(view, axis, 1 - axis->band));
	view_put(view, object, "band_width", length(view, axis, 2 * axis->band));
	return object;
}

/* The whisker of a row; null without a ratio. Without an interval, its point alone. */
static json_t *whisker_view(struct view *view, const struct axis *axis, const json_t *comparison)
{
	const json_t *ratio = json_object_get(comparison, "ratio");
	double value = tree_real(ratio, "value"), low = tree_real(ratio, "low"), high = tree_real(ratio, "high");
	json_t *whisker;

	if (isnan(value))
		return json_null();
	whisker = view_object(view);
	view_put(view, whisker, "class", view_text(view, "%s", tree_text(comparison, "verdict")));
	view_put(view, whisker, "value", place(view, axis, value));
	view_put(view, whisker, "low", place(view, axis, isnan(low) ? value : low));
	view_put(view, whisker, "high", place(view, axis, isnan(high) ? value : high));
	return whisker;
}

/* ---- checks ---- */

static json_t *check_view(struct view *view, const json_t *check)
{
	const json_t *ok = json_object_get(check, "ok");
	json_t *item = view_object(view);

	view_put(view, item, "name", view_text(view, "%s", tree_text(check, "name")));
	view_put(view, item, "text", view_text(view, "%s", tree_text(check, "text")));
	view_put(view, item, "class", json_string(json_is_false(ok) ? "bad" : "good"));
	view_put(view, item, "sign", json_string(json_is_true(ok) ? "✓" : json_is_false(ok) ? "✗" : "–"));
	view_put(view, item, "word",
		json_string(json_is_true(ok)    ? "passed"
			    : json_is_false(ok) ? "failed"
						: "not known"));
	return item;
}

/* Puts all checks, and those that failed once more. */
static void put_checks(struct view *view, json_t *object, const json_t *evidence)
{
	json_t *all = view_array(view), *failed = view_array(view);
	const json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check)
	{
		view_append(view, all, check_view(view, check));
		if (json_is_false(json_object_get(check, "ok")))
			view_append(view, failed, check_view(view, check));
	}
	view_put(view, object, "nchecks", view_count(view, (double)json_array_size(all)));
	view_put(view, object, "nfailed", view_count(view, (double)json_array_size(failed)));
	view_put_list(view, object, "checks", all);
	view_put_list(view, object, "failed", failed);
}

/* ---- comparisons ---- */

static json_t *side_view(struct view *view, const json_t *side)
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

static json_t *row_view(struct view *view, const struct axis *axis, const json_t *comparison)
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
	view_put(view, row, "base", side_view(view, json_object_get(comparison, "base")));
	view_put(view, row, "new", side_view(view, json_object_get(comparison, "new")));
	put_checks(view, row, json_object_get(comparison, "evidence"));
	return row;
}

/* The rows of one sweep; those of none for a `sweep` of "". */
static json_t *rows_view(struct view *view, const struct axis *axis, const json_t *comparisons, const char *sweep)
{
	json_t *rows = view_array(view);
	const json_t *comparison;
	size_t i;

	json_array_foreach(comparisons, i, comparison)
	{
		if (strcmp(tree_text(comparison, "sweep"), sweep) == 0)
			view_append(view, rows, row_view(view, axis, comparison));
	}
	return rows;
}

static json_t *sweeps_view(struct view *view, const struct axis *axis, const json_t *family)
{
	json_t *sweeps = compare_sweeps(family), *list = view_array(view);
	const json_t *sweep;
	size_t i;

	view->failed |= !sweeps;
	json_array_foreach(sweeps, i, sweep)
	{
		json_t *item = view_object(view);
		char words[SENTENCE_SIZE];

		compare_sweep_words(sweep, words, sizeof(words));
		view_put_sentence(view, item, "words", words);
		view_put(view, item, "name", view_text(view, "%s", tree_text(sweep, "sweep")));
		view_put(view, item, "rows",
			rows_view(view, axis, json_object_get(family, "comparisons"), tree_text(sweep, "sweep")));
		view_append(view, list, item);
	}
	json_decref(sweeps);
	return list;
}

static json_t *family_view(struct view *view, const json_t *family, double band)
{
	const json_t *comparisons = json_object_get(family, "comparisons");
	const struct axis axis = axis_of(comparisons, band);
	json_t *object = view_object(view);
	char gain[SENTENCE_SIZE] = "";

	if (json_is_object(json_object_get(family, "gain")))
		compare_gain_words(family, gain, sizeof(gain));
	view_put(view, object, "id", view_id(view, tree_text(family, "name")));
	view_put(view, object, "name", view_text(view, "%s", tree_text(family, "name")));
	view_put(view, object, "title", view_text(view, "%s", tree_text(family, "title")));
	view_put_sentence(view, object, "gain", gain);
	view_put(view, object, "axis", axis_view(view, &axis));
	view_put_list(view, object, "rows", rows_view(view, &axis, comparisons, ""));
	view_put_list(view, object, "sweeps", sweeps_view(view, &axis, family));
	return object;
}

static json_t *families_view(struct view *view, const json_t *tree)
{
	json_t *list = view_array(view);
	const json_t *family;
	size_t i;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		if (json_array_size(json_object_get(family, "comparisons")))
			view_append(view, list, family_view(view, family, tree_real(tree, "threshold")));
	}
	return list;
}

/* ---- the rest of the page ---- */

static json_t *recording_view(struct view *view, const json_t *recording)
{
	json_t *object = view_object(view);
	char words[1024];

	compare_recording_words(recording, words, sizeof(words));
	view_put(view, object, "file", view_text(view, "%s", tree_text(recording, "file")));
	view_put(view, object, "words", view_text(view, "%s", words));
	view_put_text(view, object, "command", tree_text(recording, "command"));
	return object;
}

static json_t *summary_view(struct view *view, const json_t *tree)
{
	static const char *const words[] = {"same", "faster", "slower", "unclear"};
	json_t *list = view_array(view);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		json_t *item = view_object(view), *like = json_pack("{s:s}", "verdict", words[i]);

		view_put_verdict(view, item, like);
		view_put(view, item, "count", view_count(view, (double)compare_count(tree, words[i])));
		view_append(view, list, item);
		json_decref(like);
	}
	return list;
}

static void put_missing(struct view *view, json_t *page, const json_t *tree)
{
	json_t *lines = compare_missing_lines(tree);

	view->failed |= !lines;
	view_put_list(view, page, "missing", lines);
}

/* As HTML: commands in it stand in backticks. */
static json_t *advice_view(struct view *view, const json_t *tree)
{
	json_t *list = view_array(view);
	const json_t *advice;
	size_t i;

	json_array_foreach(json_object_get(tree, "advice"), i, advice)
	{
		char *html = view_markdown(json_string_value(advice), 1, &(struct error){""});

		view->failed |= !html;
		view_append(view, list, view_text(view, "%s", html ? html : ""));
		free(html);
	}
	return list;
}

static json_t *page_view(struct view *view, const json_t *tree)
{
	json_t *page = view_object(view);

	view_put(view, page, "generator", view_text(view, "%s", tree_text(tree, "generator")));
	view_put(view, page, "band", view_text(view, "%g", tree_real(tree, "threshold")));
	view_put(view, page, "base_file", recording_view(view, json_object_get(tree, "base")));
	view_put(view, page, "new_file", recording_view(view, json_object_get(tree, "new")));
	view_put(view, page, "summary", summary_view(view, tree));
	put_checks(view, page, json_object_get(tree, "evidence"));
	view_put_list(view, page, "advice", advice_view(view, tree));
	view_put(view, page, "families", families_view(view, tree));
	put_missing(view, page, tree);
	return page;
}

char *compare_page(const json_t *tree, struct error *err)
{
	struct view view = {0};
	json_t *page = page_view(&view, tree);
	char *text = NULL;

	if (view.failed)
		error_set(err, "cannot make the page: out of memory: close other programs");
	else
		text = template_render("compare", page, err);
	json_decref(page);
	return text;
}
