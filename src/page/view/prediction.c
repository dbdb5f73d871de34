/* prediction.c: how what was predicted compares with what was measured, and from which constants. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

/* "7 of 10 (70.0 %)" */
static json_t *prediction_share_text(double part, double all)
{
	char share[FORMAT_SIZE];

	if (!(all > 0))
		return view_text("none");
	return view_text("%.0f of %.0f (%s)", part, all, format_percent(share, sizeof(share), part / all));
}

/* "“faster”: 7 (70.0 %)" */
static json_t *constant_text(const json_t *constant, double all)
{
	char share[FORMAT_SIZE];
	double right = tree_real(constant, "right");

	if (!(all > 0))
		return view_text("none");
	return view_text("“%s”: %.0f (%s)", tree_text(constant, "answer"), right,
		format_percent(share, sizeof(share), right / all));
}

/* A row; none for a score without points. */
static void add_score(json_t *rows, const char *name, const json_t *score, bool total)
{
	double outside = tree_real(score, "outside"), clear = tree_real(score, "clear");
	json_t *row;

	if (!(tree_real(score, "points") > 0))
		return;
	row = json_object();
	put_json(row, "name", view_text("%s", name));
	put_json(row, "class", total ? view_text("total") : json_null());
	put_json(row, "points", view_count(tree_real(score, "points")));
	put_json(row, "sign", prediction_share_text(tree_real(score, "right_sign"), outside));
	put_json(row, "constant_sign", constant_text(json_object_get(score, "best_sign"), outside));
	put_json(row, "word", prediction_share_text(tree_real(score, "right_verdict"), clear));
	put_json(row, "constant_word", constant_text(json_object_get(score, "best_verdict"), clear));
	put_json(row, "error", view_percent(tree_real(score, "median_error")));
	append_json(rows, row);
}

/* Sweep by sweep, then the family's own cases; below them, all families together. */
static json_t *scores(struct view *view, const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	const json_t *all = json_object_get(view->recording, "prediction");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		add_score(rows, tree_text(sweep, "title"), json_object_get(sweep, "prediction"), false);
	}
	add_score(rows, "its own cases", json_object_get(family, "prediction"), false);
	if (json_array_size(rows) > 0)
		add_score(rows, "the whole recording", json_object_get(all, "all"), true);
	return rows;
}

/* ---- the constants ---- */

static json_t *constant_value(double value, const char *unit)
{
	char text[FORMAT_SIZE];

	if (!isfinite(value))
		return view_text("not measured");
	if (strcmp(unit, "s") == 0)
		return view_time(1e9 * value);
	if (strcmp(unit, "bytes/s") == 0 || strcmp(unit, "B/s") == 0)
		return view_text("%s", format_rate(text, sizeof(text), value, "B/s"));
	if (strcmp(unit, "Hz") == 0)
		return view_text("%s", format_rate(text, sizeof(text), value, "Hz"));
	format_quantity(text, sizeof(text), value);
	return view_text("%s%s%s", text, *unit ? " " : "", unit);
}

static json_t *constants(const json_t *family)
{
	const json_t *machine = json_object_get(family, "machine");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(machine); i++) {
		const json_t *constant = json_array_get(machine, i);
		json_t *row = json_object();

		put_json(row, "name", view_text("%s", tree_text(constant, "title")));
		put_json(row, "key", view_text("%s", tree_text(constant, "key")));
		put_json(row, "value", constant_value(tree_real(constant, "value"), tree_text(constant, "unit")));
		append_json(rows, row);
	}
	return rows;
}

void view_prediction(struct view *view, json_t *page, const json_t *family)
{
	view_put_list(page, "scores", scores(view, family));
	view_put_list(page, "machine", constants(family));
}
