/* prediction.c: how what was predicted compares with what was measured, and from which constants. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

/* "7 of 10 (70.0 %)" */
static json_t *prediction_share_text(struct view *view, double part, double all)
{
	char share[FORMAT_SIZE];

	if (!(all > 0))
		return view_text(view, "none");
	return view_text(view, "%.0f of %.0f (%s)", part, all, format_percent(share, sizeof(share), part / all));
}

/* "“faster”: 7 (70.0 %)" */
static json_t *constant_text(struct view *view, const json_t *constant, double all)
{
	char share[FORMAT_SIZE];
	double right = tree_real(constant, "right");

	if (!(all > 0))
		return view_text(view, "none");
	return view_text(view, "“%s”: %.0f (%s)", tree_text(constant, "answer"), right,
		format_percent(share, sizeof(share), right / all));
}

/* A row; none for a score without points. */
static void add_score(struct view *view, json_t *rows, const char *name, const json_t *score, bool total)
{
	double outside = tree_real(score, "outside"), clear = tree_real(score, "clear");
	json_t *row;

	if (!(tree_real(score, "points") > 0))
		return;
	row = view_object(view);
	view_put(view, row, "name", view_text(view, "%s", name));
	view_put(view, row, "class", total ? view_text(view, "total") : json_null());
	view_put(view, row, "points", view_count(view, tree_real(score, "points")));
	view_put(view, row, "sign", prediction_share_text(view, tree_real(score, "right_sign"), outside));
	view_put(view, row, "constant_sign", constant_text(view, json_object_get(score, "best_sign"), outside));
	view_put(view, row, "word", prediction_share_text(view, tree_real(score, "right_verdict"), clear));
	view_put(view, row, "constant_word", constant_text(view, json_object_get(score, "best_verdict"), clear));
	view_put(view, row, "error", view_percent(view, tree_real(score, "median_error")));
	view_append(view, rows, row);
}

/* Sweep by sweep, then the family's own cases; below them, all families together. */
static json_t *scores(struct view *view, const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	const json_t *all = json_object_get(view->recording, "prediction");
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		add_score(view, rows, tree_text(sweep, "title"), json_object_get(sweep, "prediction"), false);
	}
	add_score(view, rows, "its own cases", json_object_get(family, "prediction"), false);
	if (json_array_size(rows) > 0)
		add_score(view, rows, "the whole recording", json_object_get(all, "all"), true);
	return rows;
}

/* ---- the constants ---- */

static json_t *constant_value(struct view *view, double value, const char *unit)
{
	char text[FORMAT_SIZE];

	if (!isfinite(value))
		return view_text(view, "not measured");
	if (strcmp(unit, "s") == 0)
		return view_time(view, 1e9 * value);
	if (strcmp(unit, "bytes/s") == 0 || strcmp(unit, "B/s") == 0)
		return view_text(view, "%s", format_rate(text, sizeof(text), value, "B/s"));
	if (strcmp(unit, "Hz") == 0)
		return view_text(view, "%s", format_rate(text, sizeof(text), value, "Hz"));
	format_quantity(text, sizeof(text), value);
	return view_text(view, "%s%s%s", text, *unit ? " " : "", unit);
}

static json_t *constants(struct view *view, const json_t *family)
{
	const json_t *machine = json_object_get(family, "machine");
	json_t *rows = view_array(view);

	for (size_t i = 0; i < json_array_size(machine); i++) {
		const json_t *constant = json_array_get(machine, i);
		json_t *row = view_object(view);

		view_put(view, row, "name", view_text(view, "%s", tree_text(constant, "title")));
		view_put(view, row, "key", view_text(view, "%s", tree_text(constant, "key")));
		view_put(view, row, "value",
			constant_value(view, tree_real(constant, "value"), tree_text(constant, "unit")));
		view_append(view, rows, row);
	}
	return rows;
}

void view_prediction(struct view *view, json_t *page, const json_t *family)
{
	view_put_list(view, page, "scores", scores(view, family));
	view_put_list(view, page, "machine", constants(view, family));
}
