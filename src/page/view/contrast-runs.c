/* contrast-runs.c: what the runs of a contrast of programs tell of themselves: whether steps wait, whether the sides
 * run the same, and what does not count. */
#include "page/view/view.h"

#include <string.h>

#include "tree/tree.h"
#include "util/strbuf.h"

json_t *view_side_class(const json_t *family, const char *side)
{
	if (strcmp(side, tree_text(family, "single")) == 0)
		return json_string("single");
	return strcmp(side, tree_text(family, "double")) == 0 ? json_string("double") : json_null();
}

/* A number that is a median, and so may be a half. */
static json_t *median_view(double number)
{
	return view_text("%.6g", number);
}

static json_t *not_counted_view(const json_t *family, const json_t *side, const json_t *reason)
{
	json_t *row = json_object();

	put_json(row, "class", view_side_class(family, tree_text(side, "name")));
	put_json(row, "side", view_text("%s", tree_text(side, "name")));
	put_json(row, "why", view_text("%s", tree_text(reason, "text")));
	put_json(row, "steps", tree_real(reason, "steps") > 0 ? median_view(tree_real(reason, "steps")) : json_null());
	put_json(row, "launches", median_view(tree_real(reason, "launches")));
	put_json(row, "time", view_time(tree_real(reason, "ns")));
	put_json(row, "share", view_percent(tree_real(reason, "share")));
	return row;
}

static void put_not_counted(json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);
		const json_t *reasons = json_object_get(json_object_get(side, "not_counted"), "reasons");

		for (size_t k = 0; k < json_array_size(reasons); k++)
			append_json(list, not_counted_view(family, side, json_array_get(reasons, k)));
	}
	view_put_list(page, "not_counted", list);
}

/* Of more than two sides, which ones do not wait for their work against the first: that or the first itself. */
static void put_submission_view(json_t *page, const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	bool submission = false, calls = true, turns = false, all = true, period = false, pauses = false;
	struct strbuf names = {0};

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);
		const json_t *program = json_object_get(json_object_get(side, "verdicts"), "program");

		if (tree_true(program, "submission"))
			strbuf_printf(&names, "%s%s", submission ? ", " : "", tree_text(side, "name"));
		else if (json_is_object(program))
			all = false;
		submission |= tree_true(program, "submission");
		period |= strcmp(tree_text(program, "step_time"), "period") == 0;
		pauses |= tree_true(program, "step_pauses");
		turns |= strcmp(tree_text(program, "submission_by"), "turns") == 0;
		calls &= strcmp(tree_text(program, "submission_by"), "times") != 0;
	}
	put_json(page, "by_period", json_boolean(period));
	put_json(page, "with_pauses", json_boolean(pauses));
	put_json(page, "submission", json_boolean(submission && !calls));
	put_json(page, "no_wait", json_boolean(submission && calls && !turns));
	put_json(page, "no_period", json_boolean(submission && calls && turns));
	put_json(page, "submission_of", all ? json_null() : view_text("%s", names.text ? names.text : ""));
	strbuf_free(&names);
}

/* The sentences that sides have under a key. */
static void put_notices(json_t *page, const char *name, const json_t *family, const char *key)
{
	const json_t *sides = json_object_get(family, "sides");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(sides); i++) {
		json_t *text = view_quoted(tree_text(json_array_get(sides, i), key));

		if (json_is_string(text))
			append_json(list, json_incref(text));
		json_decref(text);
	}
	view_put_list(page, name, list);
}

void view_put_runs(json_t *page, const json_t *family)
{
	put_submission_view(page, family);
	put_notices(page, "variations", family, "variation_text");
	put_notices(page, "at_once", family, "at_once_text");
	put_not_counted(page, family);
}
