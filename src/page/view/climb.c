/* climb.c: the ladder of a family: a table of rungs, and one of the top without single techniques, per case. */
#include "page/view/view.h"

#include <math.h>

#include "tree/tree.h"
#include "util/format.h"

/* Bars end at their cell's, where a rung is a quarter faster than the reference: its line stands at 80 of 100. */
enum { LINE_AT = 80, BAR_MOST = 100 };

static void put_share(json_t *row, const json_t *step)
{
	const json_t *share = json_object_get(step, "share");
	double value = tree_real(share, "value"), low = tree_real(share, "low"), high = tree_real(share, "high");
	char from[FORMAT_SIZE], to[FORMAT_SIZE];

	put_json(row, "share", isfinite(value) ? view_percent(value) : json_null());
	put_json(row, "share_within", json_null());
	if (isfinite(low) && isfinite(high) && low < high)
		put_json(row, "share_within",
			view_text("%s to %s", format_percent(from, sizeof(from), low),
				format_percent(to, sizeof(to), high)));
	put_json(row, "width", json_integer(isfinite(value) ? (json_int_t)fmin(LINE_AT * value, BAR_MOST) : 0));
}

static void put_buffers(json_t *row, const json_t *family, const json_t *step)
{
	const json_t *variant = tree_find(json_object_get(family, "variants"), "name", tree_text(step, "variant"));
	double buffers = tree_real(variant, "buffers");

	put_json(row, "buffers", buffers > 0 ? view_count(buffers) : json_null());
	view_put_text(row, "class", buffers > 1 ? "double" : buffers > 0 ? "single" : "");
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
	put_buffers(row, family, step);
	put_json(row, "speed",
		tree_has(step, "speed")
			? view_throughput(tree_real(step, "speed"), tree_text(family, "throughput_unit"))
			: json_null());
	put_share(row, step);
	view_put_verdict(row, json_is_object(contrast) ? contrast : NULL);
	view_put_speedup(row, json_is_object(contrast) ? contrast : NULL);
	view_put_text(row, "because", tree_text(contrast, "because"));
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

/* The references below the rungs. One that ran something else than it was asked to has that beside it and no share, and
 * what is 100 % of itself has no interval. */
static json_t *climb_references(const json_t *family, const json_t *climb)
{
	const json_t *references = json_object_get(climb, "references");
	json_t *rows = json_array();

	for (size_t i = 0; i < json_array_size(references); i++) {
		const json_t *reference = json_array_get(references, i);
		json_t *row = climb_row(family, reference);

		view_put_text(row, "because", tree_text(reference, "text"));
		put_json(row, "share_within", json_null());
		if (json_is_false(json_object_get(reference, "as_asked")))
			put_json(row, "share", json_null());
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

static json_t *climb_view(const json_t *family, const json_t *climb)
{
	json_t *out = json_object();

	view_put_text(out, "case", tree_text(climb, "case"));
	view_put_text(out, "text", tree_text(climb, "text"));
	view_put_text(out, "reference", tree_text(climb, "reference"));
	view_put_list(out, "rungs", climb_rows(family, json_object_get(climb, "rungs")));
	view_put_list(out, "references", climb_references(family, climb));
	if (was_timed_without(climb))
		view_put_list(out, "without", climb_rows(family, json_object_get(climb, "without")));
	else
		view_put_list(out, "without", json_array());
	put_json(out, "other", json_boolean(!tree_true(climb, "headline")));
	return out;
}

void view_climb(json_t *page, const json_t *family)
{
	const json_t *climbs = json_object_get(family, "climbs");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(climbs); i++)
		append_json(list, climb_view(family, json_array_get(climbs, i)));
	view_put_list(page, "climbs", list);
}
