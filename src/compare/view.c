/* view.c: makes of the comparison what templates/compare.mustache prints. */
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/sweeps.h"
#include "compare/view-row.h"
#include "page/template.h"
#include "page/view/view.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/compare.h"

/* The rows of one sweep; those of none for a `sweep` of "". */
static json_t *view_rows_view(const struct ratio_axis *axis, const json_t *comparisons, const char *sweep)
{
	json_t *rows = json_array();
	const json_t *comparison;
	size_t i;

	json_array_foreach(comparisons, i, comparison)
	{
		if (strcmp(tree_text(comparison, "sweep"), sweep) == 0)
			append_json(rows, comparison_view(axis, comparison, comparisons));
	}
	return rows;
}

static json_t *sweeps_view(const struct ratio_axis *axis, const json_t *family)
{
	json_t *sweeps = compare_sweeps(family), *list = json_array();
	const json_t *sweep;
	size_t i;

	json_array_foreach(sweeps, i, sweep)
	{
		json_t *item = json_object();
		char words[SENTENCE_SIZE];

		compare_sweep_words(sweep, axis->band, words, sizeof(words));
		view_put_sentence(item, "words", words);
		put_json(item, "name", view_text("%s", tree_text(sweep, "sweep")));
		put_json(item, "rows",
			view_rows_view(axis, json_object_get(family, "comparisons"), tree_text(sweep, "sweep")));
		append_json(list, item);
	}
	json_decref(sweeps);
	return list;
}

/* What is worth knowing first. */
static const char *const by_weight[] = {"slower", "unclear", "faster", "same"};
enum { WEIGHTS = sizeof(by_weight) / sizeof(by_weight[0]) };

static size_t count_with(const json_t *comparisons, const char *verdict)
{
	const json_t *comparison;
	size_t i, n = 0;

	json_array_foreach(comparisons, i, comparison) n += strcmp(tree_text(comparison, "verdict"), verdict) == 0;
	return n;
}

/* The verdicts that the family's comparisons have, as classes that a filter looks for, and the sign of the first. */
static void put_verdicts(json_t *object, const json_t *comparisons)
{
	char classes[128] = "";
	const char *sign = "";

	for (size_t w = WEIGHTS; w-- > 0;) {
		if (count_with(comparisons, by_weight[w]) == 0)
			continue;
		clip_append(classes, sizeof(classes), "%shas-%s", *classes ? " " : "", by_weight[w]);
		sign = size_called(by_weight[w])->sign;
	}
	put_json(object, "verdicts", view_text("%s", classes));
	put_json(object, "sign", view_text("%s", sign));
	put_json(object, "open",
		json_boolean(count_with(comparisons, "slower") + count_with(comparisons, "faster") > 0));
}

/* How many comparisons of the family have which verdict; those that none has are left out. */
static void tally_words(const json_t *comparisons, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t w = 0; w < WEIGHTS; w++) {
		size_t n = count_with(comparisons, by_weight[w]);

		if (n)
			clip_append(text, size, "%s%zu %s", *text ? ", " : "", n, by_weight[w]);
	}
}

static json_t *view_family_view(struct view *view, const json_t *family, double band)
{
	const json_t *comparisons = json_object_get(family, "comparisons");
	const struct ratio_axis axis = ratio_axis_of(comparisons, band);
	json_t *object = json_object();
	char gain[SENTENCE_SIZE] = "", tally[128];

	if (json_is_object(json_object_get(family, "gain")))
		compare_gain_words(family, gain, sizeof(gain));
	put_json(object, "id", view_id(view, tree_text(family, "name")));
	put_json(object, "name", view_text("%s", tree_text(family, "name")));
	put_json(object, "title", view_text("%s", tree_text(family, "title")));
	tally_words(comparisons, tally, sizeof(tally));
	put_json(object, "tally", view_text("%s", tally));
	put_verdicts(object, comparisons);
	view_put_sentence(object, "gain", gain);
	put_json(object, "axis", ratio_axis_view(&axis));
	view_put_list(object, "rows", view_rows_view(&axis, comparisons, ""));
	view_put_list(object, "sweeps", sweeps_view(&axis, family));
	return object;
}

static json_t *families_view(struct view *view, const json_t *tree)
{
	json_t *list = json_array();
	const json_t *family;
	size_t i;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		if (json_array_size(json_object_get(family, "comparisons")))
			append_json(list, view_family_view(view, family, tree_real(tree, "threshold")));
	}
	/* Something to look at, where nothing changed. */
	if (json_array_size(list) && !tree_find_true(list, "open"))
		put_json(json_array_get(list, 0), "open", json_true());
	return list;
}

/* ---- the rest of the page ---- */

static json_t *view_recording_view(const json_t *recording)
{
	json_t *object = json_object();
	char words[1024];

	compare_recording_words(recording, words, sizeof(words));
	put_json(object, "file", view_text("%s", tree_text(recording, "file")));
	put_json(object, "gpu", view_text("%s", tree_text(json_object_get(recording, "device"), "name")));
	put_json(object, "line",
		view_text("%s, %s, %.10s", tree_text(recording, "file"),
			tree_text(json_object_get(recording, "device"), "name"), tree_text(recording, "created")));
	put_json(object, "words", view_text("%s", words));
	view_put_text(object, "command", tree_text(recording, "command"));
	return object;
}

/* ---- gains on two GPUs ---- */

static json_t *gain_side_view(const json_t *ratio, double band)
{
	json_t *cell = json_object();
	char value[RATIO_SIZE], interval[INTERVAL_SIZE];

	compare_interval_words(ratio, band, interval, sizeof(interval));
	put_json(cell, "value", view_text("%s", compare_ratio_words(ratio, band, value, sizeof(value))));
	put_json(cell, "interval", view_text("%s", interval));
	return cell;
}

static json_t *gain_rows_view(const json_t *tree)
{
	json_t *list = json_array();
	const json_t *family;
	size_t i;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		const json_t *gain = json_object_get(family, "gain");
		json_t *row, *sides;

		if (!json_is_object(gain))
			continue;
		row = json_object();
		sides = json_array();
		append_json(sides, gain_side_view(json_object_get(gain, "base"), 0));
		append_json(sides, gain_side_view(json_object_get(gain, "new"), 0));
		append_json(sides, gain_side_view(json_object_get(gain, "ratio"), tree_real(tree, "threshold")));
		put_json(row, "name", view_text("%s", tree_text(family, "name")));
		put_json(row, "title", view_text("%s", tree_text(family, "title")));
		put_json(row, "sides", sides);
		view_put_verdict(row, gain);
		put_json(row, "says", view_text("%s", compare_gain_verdict(tree_text(gain, "verdict"))));
		append_json(list, row);
	}
	return list;
}

static json_t *summary_view(const json_t *tree)
{
	static const char *const words[] = {"same", "faster", "slower", "unclear"};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		json_t *item = json_object(), *like = json_pack("{s:s}", "verdict", words[i]);

		view_put_verdict(item, like);
		put_json(item, "count", view_count((double)compare_count(tree, words[i])));
		append_json(list, item);
		json_decref(like);
	}
	return list;
}

static void view_put_missing(json_t *page, const json_t *tree)
{
	json_t *lines = compare_missing_lines(tree);

	view_put_list(page, "missing", lines);
}

/* A sentence in parts, {"text"} or {"code"} by turns: commands in it stand in backticks. */
static json_t *parts_view(const char *sentence)
{
	json_t *list = json_array();
	bool is_code = false;

	for (const char *end; *sentence != '\0'; sentence = *end == '`' ? end + 1 : end) {
		json_t *part = json_object();

		end = strchrnul(sentence, '`');
		put_json(part, "text", is_code ? json_null() : view_text("%.*s", (int)(end - sentence), sentence));
		put_json(part, "code", is_code ? view_text("%.*s", (int)(end - sentence), sentence) : json_null());
		append_json(list, part);
		is_code = !is_code;
	}
	return list;
}

static json_t *advice_view(const json_t *tree)
{
	json_t *list = json_array();
	const json_t *advice;
	size_t i;

	json_array_foreach(json_object_get(tree, "advice"), i, advice)
	{
		json_t *item = json_object();

		put_json(item, "parts", parts_view(json_string_value(advice)));
		append_json(list, item);
	}
	return list;
}

/* Why two traced programs differ, as far as they tell, and a step of each, if it was drawn. */
static void put_traced_steps(struct view *view, json_t *page, const json_t *tree)
{
	const json_t *programs = json_object_get(tree, "programs");
	const char *time = tree_text(programs, "step_time");

	put_json(page, "has_median_steps", json_false());
	if (!json_is_object(programs))
		return;
	put_json(page, "fid", view_id(view, tree_text(programs, "name")));
	put_json(page, "single", json_string("base"));
	put_json(page, "double", json_string("new"));
	put_json(page, "by_period", json_boolean(strcmp(time, "period") == 0));
	put_json(page, "with_pauses", json_boolean(tree_true(programs, "step_pauses")));
	put_json(page, "step", view_step(view, programs));
	view_put_contrast_kernels(page, programs);
	if (json_object_size(view->drawn) > 0)
		view_median_steps(view, page, programs);
}

static json_t *page_view(struct view *view, const json_t *tree)
{
	json_t *page = json_object();
	const char *mode = tree_text(tree, "mode");
	char words[SENTENCE_SIZE];

	compare_chance_words(tree, words, sizeof(words));
	view_put_text(page, "chance", words);
	compare_alone_words(tree, words, sizeof(words));
	view_put_text(page, "alone", words);
	view_put_text(page, "answer", tree_text(tree, "answer"));
	put_json(page, "causes_told", compare_causes_words(tree));
	view_put_text(page, "by_place", tree_text(json_object_get(tree, "programs"), "place_text"));
	put_json(page, "times", json_boolean(strcmp(mode, "times") == 0 || tree_has(tree, "programs")));
	put_json(page, "of_means", json_boolean(tree_has(tree, "programs")));
	put_json(page, "gains", json_boolean(strcmp(mode, "gains") == 0));
	put_json(page, "gain_rows", gain_rows_view(tree));
	view_put_palette(page);
	put_json(page, "generator", view_text("%s", tree_text(tree, "generator")));
	put_json(page, "band", view_text("%g", tree_real(tree, "threshold")));
	put_json(page, "base_file", view_recording_view(json_object_get(tree, "base")));
	put_json(page, "new_file", view_recording_view(json_object_get(tree, "new")));
	put_json(page, "summary", summary_view(tree));
	view_put_findings(page, json_object_get(tree, "evidence"));
	view_put_list(page, "advice", advice_view(tree));
	put_json(page, "families", families_view(view, tree));
	put_traced_steps(view, page, tree);
	view_put_missing(page, tree);
	return page;
}

char *compare_page(const json_t *tree, const json_t *drawn, struct error *err)
{
	struct view view = {.drawn = drawn};
	json_t *page = page_view(&view, tree);
	char *text = template_render("compare", page, err);

	json_decref(page);
	return text;
}
