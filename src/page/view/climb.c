/* climb.c: the ladder of a family, per case: its figure, a table of rungs, and one of the top without single
 * techniques. */
#include "page/view/view.h"

#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

/* The share of the reference with its interval, which is null where the step is the reference. */
static void put_climb_share(json_t *row, const json_t *step)
{
	const json_t *share = json_object_get(step, "share");
	const double low = tree_real(share, "low"), high = tree_real(share, "high");
	char from[FORMAT_SIZE], to[FORMAT_SIZE];
	json_t *out;

	if (!tree_share_counts(step)) {
		put_json(row, "share", json_null());
		return;
	}
	out = json_object();
	put_json(out, "value", view_percent(tree_real(share, "value")));
	put_json(out, "interval",
		low < high ? view_text("%s to %s", format_percent(from, sizeof(from), low),
				     format_percent(to, sizeof(to), high))
			   : json_null());
	put_json(row, "share", out);
}

/* What was wrong with the evidence says more than that no cause is named. */
static void put_climb_because(json_t *row, const json_t *contrast)
{
	json_t *failed = strcmp(tree_text(contrast, "verdict"), "unclear") == 0 ? view_failures(contrast) : json_null();

	if (json_is_string(failed)) {
		put_json(row, "because", failed);
		return;
	}
	json_decref(failed);
	view_put_text(row, "because", tree_text(contrast, "because"));
}

static json_t *climb_row(const json_t *family, const json_t *step)
{
	const json_t *contrast = json_object_get(step, "contrast");
	json_t *row = json_object();

	put_json(row, "step", tree_has(step, "step") ? view_count(tree_real(step, "step")) : json_null());
	view_put_text(row, "name", tree_text(step, "variant"));
	view_put_text(row, "change", tree_text(step, "change"));
	view_put_text(row, "along", tree_text(step, "along"));
	view_put_text(row, "over", tree_text(step, "over"));
	put_json(row, "speed",
		tree_has(step, "speed")
			? view_throughput(tree_real(step, "speed"), tree_text(family, "throughput_unit"))
			: json_null());
	put_climb_share(row, step);
	view_put_verdict(row, json_is_object(contrast) ? contrast : NULL);
	view_put_speedup(row, json_is_object(contrast) ? contrast : NULL);
	put_climb_because(row, contrast);
	view_put_text(row, "missing", tree_text(step, "missing"));
	return row;
}

static json_t *climb_rows(const json_t *family, const json_t *steps)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(steps); i++)
		append_json(rows, climb_row(family, json_array_get(steps, i)));
	return rows;
}

/* What the line is that a ladder is held against: a library or a copy, or the floor of a family that has neither. */
static const char *climb_role(const json_t *family, const json_t *reference)
{
	const json_t *variant = tree_find(json_object_get(family, "variants"), "name", tree_text(reference, "variant"));

	return strcmp(tree_text(variant, "kind"), "reference") == 0 ? "reference" : "floor";
}

/* The references below the rungs. One that ran something else than it was asked to has that beside it. */
static json_t *climb_references(const json_t *family, const json_t *climb)
{
	const json_t *references = json_object_get(climb, "references");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(references); i++) {
		const json_t *reference = json_array_get(references, i);
		json_t *row = climb_row(family, reference);

		view_put_text(row, "because", tree_text(reference, "text"));
		view_put_text(row, "role", climb_role(family, reference));
		append_json(rows, row);
	}
	return rows;
}

/* Whether any of the tops without a technique has a time in this case. */
static bool was_timed_without(const json_t *climb)
{
	const json_t *without = json_object_get(climb, "without");

	for (size_t i = 0; i < json_array_size(without); i++)
		if (tree_has(json_array_get(without, i), "speed"))
			return true;
	return false;
}

static bool any_climb_share(const json_t *steps)
{
	for (size_t i = 0; i < json_array_size(steps); i++)
		if (tree_share_counts(json_array_get(steps, i)))
			return true;
	return false;
}

/* Whether the tables have to say the shares, since there is no figure that does. */
static bool needs_climb_shares(const json_t *out, const json_t *climb)
{
	return !tree_has(out, "ladder") && tree_has(climb, "reference") &&
	       (any_climb_share(json_object_get(climb, "rungs")) || any_climb_share(json_object_get(climb, "without")));
}

/* Puts the figure of the case with this number, from 0, and the ids of the case's parts. */
static void put_climb_figure(struct view *view, json_t *out, const json_t *family, size_t number)
{
	char figure[32] = "ladder", without[32] = "without";

	if (number > 0) {
		snprintf(figure, sizeof(figure), "ladder-%zu", number + 1);
		snprintf(without, sizeof(without), "without-%zu", number + 1);
	}
	view_put_figure(view, out, "ladder", tree_text(family, "name"), figure);
	view_put_text(out, "figure_id", figure);
	view_put_text(out, "without_id", without);
}

static json_t *climb_view(struct view *view, const json_t *family, const json_t *climb, size_t number)
{
	json_t *out = json_object();

	put_climb_figure(view, out, family, number);
	put_json(out, "shares", json_boolean(needs_climb_shares(out, climb)));
	view_put_text(out, "case", tree_text(climb, "case"));
	view_put_text(out, "text", tree_text(climb, "text"));
	view_put_text(out, "brief", tree_text(climb, "brief"));
	view_put_text(out, "reference", tree_text(climb, "reference"));
	view_put_text(out, "worth", tree_text(climb, "worth"));
	view_put_text(out, "uncounted", tree_text(climb, "uncounted"));
	view_put_list(out, "rungs", climb_rows(family, json_object_get(climb, "rungs")));
	view_put_list(out, "references", climb_references(family, climb));
	if (was_timed_without(climb))
		view_put_list(out, "without", climb_rows(family, json_object_get(climb, "without")));
	else
		view_put_list(out, "without", json_array());
	put_json(out, "other", json_boolean(!tree_true(climb, "headline")));
	return out;
}

void view_climb(struct view *view, json_t *page, const json_t *family)
{
	const json_t *climbs = json_object_get(family, "climbs");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(climbs); i++)
		append_json(list, climb_view(view, family, json_array_get(climbs, i), i));
	view_put_list(page, "climbs", list);
}
