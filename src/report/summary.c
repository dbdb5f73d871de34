/* summary.c: see summary.h. */
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"

/* A longer text is cut where there is too much, at first to the longer length; more families than these are left out.
 */
enum { SUMMARY_TEXT_MOST = 120, SUMMARY_TEXT_LEAST = 15, SUMMARY_FAMILIES_MOST = 3 };

static void put_keys(json_t *to, const json_t *from, const char *const *keys)
{
	for (; *keys; keys++)
		if (json_object_get(from, *keys))
			put_json(to, *keys, json_deep_copy(json_object_get(from, *keys)));
}

/* The verdicts without what they rest on, which is long: its failures are among the reasons. */
static void drop_evidence(json_t *verdicts)
{
	const char *key;
	json_t *verdict;

	json_object_foreach(verdicts, key, verdict)
	{
		if (json_is_object(verdict))
			json_object_del(verdict, "evidence");
	}
}

static json_t *summary_sides(const json_t *family)
{
	json_t *sides = json_deep_copy(json_object_get(family, "sides")), *side;
	size_t i;

	json_array_foreach(sides, i, side)
	{
		drop_evidence(json_object_get(side, "verdicts"));
		json_object_del(side, "not_counted");
	}
	/* The first pair's stand beside the sides. */
	if (json_array_size(sides) == 2)
		json_object_del(json_array_get(sides, 1), "verdicts");
	return sides ? sides : json_array();
}

/* What of a matched kernel fits: its difference is told, its names are among the parts. */
static json_t *summary_matched(const json_t *family)
{
	static const char *const keys[] = {"case", "measured", "difference_ns", "share", NULL};
	const json_t *matched = json_object_get(family, "matched");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(matched); i++) {
		json_t *item = json_object();

		put_keys(item, json_array_get(matched, i), keys);
		append_json(list, item);
	}
	return list;
}

static json_t *summary_unmatched(const json_t *family)
{
	static const char *const keys[] = {"side", "short_name", "launches", "ns", "share", NULL};
	const json_t *unmatched = json_object_get(family, "unmatched");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(unmatched); i++) {
		json_t *item = json_object();

		put_keys(item, json_array_get(unmatched, i), keys);
		append_json(list, item);
	}
	return list;
}

/* The first causes of the step and of each kernel that was counted. */
static json_t *summary_contrasts(const json_t *family)
{
	static const char *const keys[] = {"case", "explained", "first_cause", "because", NULL};
	const json_t *contrasts = json_object_get(family, "contrasts");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *contrast = json_array_get(contrasts, i);
		json_t *item;

		if (!json_array_size(json_object_get(contrast, "causes")))
			continue;
		item = json_object();
		put_keys(item, contrast, keys);
		append_json(list, item);
	}
	return list;
}

/* Which value is the best; what each takes stands among the sides. Null without values. */
static json_t *summary_curve(const json_t *family)
{
	static const char *const keys[] = {
		"name", "best", "best_apart", "smallest_within", "smallest_clear", "within", "doubtful", "text", NULL};
	const json_t *curve = json_object_get(family, "curve");
	json_t *object;

	if (!json_is_object(curve))
		return json_null();
	object = json_object();
	put_keys(object, curve, keys);
	return object;
}

static json_t *summary_family(const json_t *family)
{
	static const char *const keys[] = {"name", "title", "origin", "single", "double", "verdict_text", "reason_text",
		"verdicts", "failure", "no_kernels", "no_code", "budget_s", "traced_change", "step_time", "submission",
		"submission_by", "kernels_chosen", "same_code", "same_launches", "difference_ns", "parts", NULL};
	json_t *object = json_object();

	put_keys(object, family, keys);
	drop_evidence(json_object_get(object, "verdicts"));
	put_json(object, "curve", summary_curve(family));
	put_json(object, "sides", summary_sides(family));
	put_json(object, "contrasts", summary_contrasts(family));
	put_json(object, "matched", summary_matched(family));
	put_json(object, "unmatched", summary_unmatched(family));
	put_json(object, "left_out", json_object());
	return object;
}

/* ---- advice ---- */

/* A kernel: its verdict, the gain of what is advised and of each number of stages, and why. */
static json_t *summary_kernel(const json_t *kernel)
{
	static const char *const keys[] = {"kernel", "share", "verdict", "stages", "gain", "by_copies", "by_registers",
		"because", "lacking", NULL};
	static const char *const acts[] = {"id", "file", "line", NULL};
	json_t *object = json_object(), *action = json_object();

	put_keys(object, kernel, keys);
	put_json(object, "now",
		json_incref(json_object_get(json_object_get(json_object_get(kernel, "now"), "stages"), "value")));
	put_keys(action, json_object_get(kernel, "action"), acts);
	put_json(object, "action", action);
	return object;
}

/* Of the places of a trace those that a summary has room for. */
static json_t *summary_place(const json_t *place)
{
	static const char *const keys[] = {
		"range", "gain_ns", "loop_ns", "share", "speedup", "advised_buffers", "advised_gain_ns", NULL};
	json_t *object = json_object();

	put_keys(object, place, keys);
	return object;
}

static json_t *summary_advice(const json_t *recording)
{
	static const char *const keys[] = {
		"title", "kernels_ns", "looked_at", "verdicts", "saved", "missing", "answer", NULL};
	const json_t *advice = json_object_get(recording, "advice"), *kernel, *place;
	json_t *object = json_object(), *kernels = json_array(), *copies = json_array();
	size_t i;

	put_keys(object, json_object_get(recording, "advised"), keys);
	json_array_foreach(advice, i, kernel) append_json(kernels, summary_kernel(kernel));
	json_array_foreach(json_object_get(json_object_get(recording, "program"), "pays"), i, place)
		append_json(copies, summary_place(place));
	put_json(object, "advice", kernels);
	put_json(object, "copies", copies);
	put_json(object, "left_out", json_object());
	return object;
}

/* ---- what does not fit ---- */

/* Cuts the texts of a value that are too long. */
static void cut_texts(json_t *value, size_t most)
{
	char text[SUMMARY_TEXT_MOST + 1];
	const char *key;
	json_t *member;
	size_t i;

	if (json_is_object(value)) {
		json_object_foreach(value, key, member) cut_texts(member, most);
		return;
	}
	json_array_foreach(value, i, member) cut_texts(member, most);
	if (json_string_length(value) > most) {
		clip_print(text, most + 1, "%s", json_string_value(value));
		json_string_set(value, text);
	}
}

static void drop_last(json_t *family, const char *list)
{
	json_t *items = json_object_get(family, list), *left_out = json_object_get(family, "left_out");
	json_int_t n = json_integer_value(json_object_get(left_out, list));

	json_array_remove(items, json_array_size(items) - 1);
	put_json(left_out, list, json_integer(n + 1));
}

/* The last of the longest list, which is the smallest there. False if all lists are as short as they can be. */
static bool drop_smallest(json_t *families)
{
	static const struct {
		const char *list;
		size_t least;
	} lists[] = {{"matched", 0}, {"unmatched", 0}, {"contrasts", 1}, {"parts", 1}, {"sides", 2}, {"advice", 1},
		{"copies", 0}, {"missing", 1}};
	json_t *family, *of = NULL;
	const char *longest = NULL;
	size_t i, most = 0;

	json_array_foreach(families, i, family)
	{
		for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
			size_t n = json_array_size(json_object_get(family, lists[k].list));

			if (n > lists[k].least && n > most)
				most = n, longest = lists[k].list, of = family;
		}
	}
	if (longest)
		drop_last(of, longest);
	return longest != NULL;
}

static char *summary_text(const json_t *summary)
{
	char *json = json_dumps(summary, JSON_COMPACT | JSON_REAL_PRECISION(9));
	char *text = xasprintf("%s\n", json);

	free(json);
	return text;
}

/* Where no list can be shorter, texts can; and what is left then is a family less. */
static void make_smaller(json_t *families, size_t *longest_text)
{
	if (drop_smallest(families))
		return;
	if (*longest_text > SUMMARY_TEXT_LEAST)
		cut_texts(families, *longest_text /= 2);
	else
		json_array_remove(families, json_array_size(families) - 1);
}

static char *fitting_text(json_t *summary, json_t *families)
{
	size_t longest_text = SUMMARY_TEXT_MOST;
	char *text = summary_text(summary);

	if (strlen(text) > SUMMARY_MOST) {
		cut_texts(families, longest_text);
		free(text);
		text = summary_text(summary);
	}
	while (strlen(text) > SUMMARY_MOST && json_array_size(families) > 0) {
		make_smaller(families, &longest_text);
		free(text);
		text = summary_text(summary);
	}
	return text;
}

/* ---- all of it ---- */

static void add_contrasts_of(const json_t *recording, json_t *list)
{
	const json_t *families = json_object_get(recording, "families");

	if (tree_has(recording, "advised") && json_array_size(list) < SUMMARY_FAMILIES_MOST)
		append_json(list, summary_advice(recording));
	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *family = json_array_get(families, i);

		if (strcmp(tree_text(family, "origin"), "programs") == 0 &&
			json_array_size(list) < SUMMARY_FAMILIES_MOST)
			append_json(list, summary_family(family));
	}
}

char *report_summary(const json_t *tree)
{
	const json_t *recordings = json_object_get(tree, "recordings");
	json_t *families = json_array(), *summary = json_object();
	bool is_of_programs;
	char *text = NULL;

	for (size_t i = 0; i < json_array_size(recordings); i++)
		add_contrasts_of(json_array_get(recordings, i), families);
	/* Those that were advised, where there is no contrast beside them. */
	is_of_programs = json_array_size(families) > 0 && !tree_find(families, "origin", "programs");
	put_json(summary, "format", json_string("dbprof-summary"));
	put_json(summary, "version", json_integer(1));
	put_json(summary, "report", text_json(tree_text(tree, "id")));
	put_json(summary, "generator", text_json(tree_text(tree, "generator")));
	put_json(summary, is_of_programs ? "programs" : "families", families);
	if (json_array_size(families) > 0)
		text = fitting_text(summary, families);
	json_decref(summary);
	return text;
}
