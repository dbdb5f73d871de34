/* prediction.c: how what was predicted compares with what was measured, and from which constants. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
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

/* A family's sweeps, one by one, then its own cases. */
static void add_family(json_t *rows, const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	const char *of = tree_text(family, tree_has(family, "title") ? "title" : "name");
	char name[512];

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		clip_print(name, sizeof(name), "%s: %s", of, tree_text(sweep, "title"));
		add_score(rows, name, json_object_get(sweep, "prediction"), false);
	}
	clip_print(name, sizeof(name), "%s: its own cases", of);
	add_score(rows, name, json_object_get(family, "prediction"), false);
}

/* Family by family; below them, all together. */
static json_t *scores(const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(families); i++)
		add_family(rows, json_array_get(families, i));
	if (json_array_size(rows) > 0)
		add_score(rows, "the whole recording", json_object_get(json_object_get(recording, "prediction"), "all"),
			true);
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

/* The lowest and the highest value of a constant in all families. */
static void constant_range(const json_t *families, const char *key, double *low, double *high)
{
	*low = *high = NAN;
	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *machine = json_object_get(json_array_get(families, f), "machine");
		const json_t *found = tree_find(machine, "key", key);

		*low = fmin(*low, tree_real(found, "value"));
		*high = fmax(*high, tree_real(found, "value"));
	}
}

/* "1.00 GHz"; where the families' runs found different values, "1.00 GHz to 1.02 GHz". */
static json_t *range_text(double low, double high, const char *unit)
{
	json_t *from = constant_value(low, unit), *to = constant_value(high, unit), *both;

	if (json_equal(from, to)) {
		json_decref(to);
		return from;
	}
	both = view_text("%s to %s", json_string_value(from), json_string_value(to));
	json_decref(from);
	json_decref(to);
	return both;
}

/* Each constant once, in the order of the first family that has it. */
static json_t *constants(const json_t *recording)
{
	const json_t *families = json_object_get(recording, "families");
	json_t *rows = json_array();

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *machine = json_object_get(json_array_get(families, f), "machine");

		for (size_t i = 0; i < json_array_size(machine); i++) {
			const json_t *constant = json_array_get(machine, i);
			const char *key = tree_text(constant, "key");
			double low, high;
			json_t *row;

			if (tree_find(rows, "key", key))
				continue;
			constant_range(families, key, &low, &high);
			row = json_object();
			put_json(row, "name", view_text("%s", tree_text(constant, "title")));
			put_json(row, "key", view_text("%s", key));
			put_json(row, "value", range_text(low, high, tree_text(constant, "unit")));
			append_json(rows, row);
		}
	}
	return rows;
}

void view_prediction(struct view *view, json_t *page)
{
	static const struct view_column score[] = {{"sweep or cases", "name"}, {"points", "points"},
		{"right sign", "sign"}, {"best constant", "constant_sign"}, {"right verdict", "word"},
		{"best constant", "constant_word"}, {"median error", "error"}};
	static const struct view_column constant[] = {{"constant", "name"}, {"key", "key"}, {"value", "value"}};

	view_put_list(page, "scores", scores(view->recording));
	view_put_list(page, "machine", constants(view->recording));
	put_json(page, "scores_text",
		view_columns_of(json_object_get(page, "scores"), score, sizeof(score) / sizeof(score[0])));
	put_json(page, "machine_text",
		view_columns_of(json_object_get(page, "machine"), constant, sizeof(constant) / sizeof(constant[0])));
}
