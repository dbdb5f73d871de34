/* view.c: makes of the comparison what templates/compare.mustache prints. */
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/sweeps.h"
#include "compare/view-row.h"
#include "page/template.h"
#include "tree/tree.h"
#include "words/compare.h"

/* The rows of one sweep; those of none for a `sweep` of "". */
static json_t *view_rows_view(
	struct view *view, const struct ratio_axis *axis, const json_t *comparisons, const char *sweep)
{
	json_t *rows = view_array(view);
	const json_t *comparison;
	size_t i;

	json_array_foreach(comparisons, i, comparison)
	{
		if (strcmp(tree_text(comparison, "sweep"), sweep) == 0)
			view_append(view, rows, comparison_view(view, axis, comparison));
	}
	return rows;
}

static json_t *sweeps_view(struct view *view, const struct ratio_axis *axis, const json_t *family)
{
	json_t *sweeps = compare_sweeps(family), *list = view_array(view);
	const json_t *sweep;
	size_t i;

	json_array_foreach(sweeps, i, sweep)
	{
		json_t *item = view_object(view);
		char words[SENTENCE_SIZE];

		compare_sweep_words(sweep, words, sizeof(words));
		view_put_sentence(view, item, "words", words);
		view_put(view, item, "name", view_text(view, "%s", tree_text(sweep, "sweep")));
		view_put(view, item, "rows",
			view_rows_view(view, axis, json_object_get(family, "comparisons"), tree_text(sweep, "sweep")));
		view_append(view, list, item);
	}
	json_decref(sweeps);
	return list;
}

/* How many comparisons of the family have which verdict; those that none has are left out. */
static void tally_words(const json_t *comparisons, char *text, size_t size)
{
	static const char *const words[] = {"slower", "unclear", "faster", "same"};
	const json_t *comparison;
	size_t used = 0, i;

	text[0] = '\0';
	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
		size_t n = 0;

		json_array_foreach(comparisons, i, comparison) n +=
			strcmp(tree_text(comparison, "verdict"), words[w]) == 0;
		if (n)
			snprintf(text + used, size - used, "%s%zu %s", used ? ", " : "", n, words[w]);
		used = strlen(text);
	}
}

static json_t *view_family_view(struct view *view, const json_t *family, double band)
{
	const json_t *comparisons = json_object_get(family, "comparisons");
	const struct ratio_axis axis = ratio_axis_of(comparisons, band);
	json_t *object = view_object(view);
	char gain[SENTENCE_SIZE] = "", tally[128];

	if (json_is_object(json_object_get(family, "gain")))
		compare_gain_words(family, gain, sizeof(gain));
	view_put(view, object, "id", view_id(view, tree_text(family, "name")));
	view_put(view, object, "name", view_text(view, "%s", tree_text(family, "name")));
	view_put(view, object, "title", view_text(view, "%s", tree_text(family, "title")));
	tally_words(comparisons, tally, sizeof(tally));
	view_put(view, object, "tally", view_text(view, "%s", tally));
	view_put_sentence(view, object, "gain", gain);
	view_put(view, object, "axis", ratio_axis_view(view, &axis));
	view_put_list(view, object, "rows", view_rows_view(view, &axis, comparisons, ""));
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
			view_append(view, list, view_family_view(view, family, tree_real(tree, "threshold")));
	}
	return list;
}

/* ---- the rest of the page ---- */

static json_t *view_recording_view(struct view *view, const json_t *recording)
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

static void view_put_missing(struct view *view, json_t *page, const json_t *tree)
{
	json_t *lines = compare_missing_lines(tree);

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
		char *html = view_markdown(json_string_value(advice), 1, &(struct error){0});

		view->failed |= !html;
		view_append(view, list, view_text(view, "%s", html ? html : ""));
		free(html);
	}
	return list;
}

static json_t *page_view(struct view *view, const json_t *tree)
{
	json_t *page = view_object(view);
	char chance[SENTENCE_SIZE];

	compare_chance_words(tree, chance, sizeof(chance));
	view_put_text(view, page, "chance", chance);
	view_put(view, page, "generator", view_text(view, "%s", tree_text(tree, "generator")));
	view_put(view, page, "band", view_text(view, "%g", tree_real(tree, "threshold")));
	view_put(view, page, "base_file", view_recording_view(view, json_object_get(tree, "base")));
	view_put(view, page, "new_file", view_recording_view(view, json_object_get(tree, "new")));
	view_put(view, page, "summary", summary_view(view, tree));
	view_put_findings(view, page, json_object_get(tree, "evidence"));
	view_put_list(view, page, "advice", advice_view(view, tree));
	view_put(view, page, "families", families_view(view, tree));
	view_put_missing(view, page, tree);
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
