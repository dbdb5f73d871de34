/* summary.c: see summary.h. */
#include "report/summary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"

/* A longer text is cut where there is too much, at first to the longer length, and the answer to more; more families
 * than these are left out. */
enum { SUMMARY_TEXT_MOST = 120, SUMMARY_TEXT_LEAST = 15, SUMMARY_ANSWER_FACTOR = 4, SUMMARY_FAMILIES_MOST = 3 };

#define SUMMARY_ELLIPSIS "…"

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
		"verdicts", "failure", "no_kernels", "no_code", "budget_s", "traced_change", "step_time", "step_pauses",
		"submission", "submission_by", "kernels_chosen", "same_code", "same_launches", "same_rest",
		"difference_ns", "parts", NULL};
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

/* What is not there is null. Of lists every item stays. */
static void drop_nulls(json_t *value)
{
	json_t *member;
	const char *key;
	void *next;
	size_t i;

	json_array_foreach(value, i, member) drop_nulls(member);
	json_object_foreach_safe(value, next, key, member)
	{
		if (json_is_null(member))
			json_object_del(value, key);
		else
			drop_nulls(member);
	}
}

/* The text's beginning with an ellipsis, `most` bytes at most, for free(). It ends behind a word, unless that is longer
 * than half of the room. */
static char *cut_at_word(const char *text, size_t most)
{
	size_t room = most - strlen(SUMMARY_ELLIPSIS);
	char *cut = xcalloc(most + 1, 1), *blank;

	clip_print(cut, room + 1, "%s", text);
	blank = text[strlen(cut)] == ' ' ? NULL : strrchr(cut, ' ');
	if (blank && blank > cut + room / 2)
		*blank = '\0';
	for (size_t end = strlen(cut); end > 0 && cut[end - 1] == ' '; end--)
		cut[end - 1] = '\0';
	clip_append(cut, most + 1, SUMMARY_ELLIPSIS);
	return cut;
}

static void cut_long_text(json_t *value, size_t most)
{
	char *text;

	if (json_string_length(value) <= most)
		return;
	text = cut_at_word(json_string_value(value), most);
	json_string_set(value, text);
	free(text);
}

/* Cuts the texts of a value that are too long. The answer may be longer than others. */
static void cut_texts(json_t *value, size_t most)
{
	const char *key;
	json_t *member;
	size_t i;

	json_object_foreach(value, key, member)
	{
		bool is_answer = strcmp(key, "verdict_text") == 0 || strcmp(key, "answer") == 0;

		cut_texts(member, is_answer ? SUMMARY_ANSWER_FACTOR * most : most);
	}
	json_array_foreach(value, i, member) cut_texts(member, most);
	cut_long_text(value, most);
}

static void count_missing(json_t *left_out, const char *key)
{
	put_json(left_out, key, json_integer(json_integer_value(json_object_get(left_out, key)) + 1));
}

static void drop_last(json_t *family, const char *list)
{
	json_t *items = json_object_get(family, list);

	json_array_remove(items, json_array_size(items) - 1);
	count_missing(json_object_get(family, "left_out"), list);
}

/* The last of the longest list, which is the smallest there. False if all lists are as short as they can be. */
static bool drop_smallest(json_t *families)
{
	static const struct {
		const char *list;
		size_t least;
	} lists[] = {{"matched", 1}, {"unmatched", 0}, {"contrasts", 1}, {"parts", 1}, {"sides", 2}, {"advice", 1},
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

/* Keys of sides and of their verdicts that go before any text is cut or any list gets shorter, in this order: what they
 * say stands elsewhere, too, or is not about the verdict. */
static const struct {
	enum { OF_SIDE, OF_VERDICT, OF_RATIO } of;
	const char *key;
} details[] = {{OF_SIDE, "median_step"}, {OF_VERDICT, "text"}, {OF_SIDE, "line"}, {OF_SIDE, "extent"},
	{OF_SIDE, "gpus"}, {OF_SIDE, "gpus_at_once"}, {OF_SIDE, "gpus_against"}, {OF_SIDE, "output"}, {OF_SIDE, "runs"},
	{OF_SIDE, "beside"}, {OF_SIDE, "throttle"}, {OF_SIDE, "role"}, {OF_SIDE, "graphs_share"},
	{OF_SIDE, "kernels_busy_ns"}, {OF_VERDICT, "single_ns"}, {OF_VERDICT, "double_ns"}, {OF_VERDICT, "blocks"},
	{OF_VERDICT, "step_time"}, {OF_VERDICT, "submission_by"}, {OF_RATIO, "blocks"}, {OF_RATIO, "runs"}};
enum { DETAILS = sizeof(details) / sizeof(details[0]) };

static void drop_key(json_t *object, const char *key, json_t *left_out)
{
	if (json_object_get(object, key)) {
		json_object_del(object, key);
		count_missing(left_out, "keys");
	}
}

static void drop_of_verdicts(json_t *verdicts, size_t number, json_t *left_out)
{
	static const char *const both[] = {"kernel", "program"};

	for (size_t i = 0; i < 2; i++) {
		json_t *verdict = json_object_get(verdicts, both[i]);

		drop_key(details[number].of == OF_RATIO ? json_object_get(verdict, "ratio") : verdict,
			details[number].key, left_out);
	}
}

static void drop_detail(json_t *families, size_t number)
{
	json_t *family, *side;
	size_t i, k;

	json_array_foreach(families, i, family)
	{
		json_t *left_out = json_object_get(family, "left_out");

		if (details[number].of != OF_SIDE)
			drop_of_verdicts(json_object_get(family, "verdicts"), number, left_out);
		json_array_foreach(json_object_get(family, "sides"), k, side)
		{
			if (details[number].of == OF_SIDE)
				drop_key(side, details[number].key, left_out);
			else
				drop_of_verdicts(json_object_get(side, "verdicts"), number, left_out);
		}
	}
}

/* How far a summary was made smaller. */
struct shrinking {
	size_t details;      /* that were dropped */
	size_t longest_text; /* 0: none was cut */
};

/* Details go first, then long texts are cut, then lists get shorter. Where none can, texts can; and what is left then
 * is a family less. */
static void make_smaller(json_t *families, struct shrinking *done)
{
	if (done->details < DETAILS)
		drop_detail(families, done->details++);
	else if (done->longest_text == 0)
		cut_texts(families, done->longest_text = SUMMARY_TEXT_MOST);
	else if (drop_smallest(families))
		return;
	else if (done->longest_text > SUMMARY_TEXT_LEAST)
		cut_texts(families, done->longest_text /= 2);
	else
		json_array_remove(families, json_array_size(families) - 1);
}

static char *fitting_text(json_t *summary, json_t *families)
{
	struct shrinking done = {0};
	char *text;

	drop_nulls(families);
	text = summary_text(summary);
	while (strlen(text) > SUMMARY_MOST && json_array_size(families) > 0) {
		make_smaller(families, &done);
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
