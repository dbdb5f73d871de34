/* family.c: one family: the question, the answer, and then the parts of the evidence. */
#include "page/view/view.h"

#include <string.h>

#include "tree/tree.h"

/* Answer in words, to stand beside the verdict's badge. */
static void answer(struct view *view, json_t *page, const json_t *family)
{
	static const struct {
		const char *verdict, *text;
	} answers[] = {{"faster", "Yes, here it pays: the double-buffered variant is faster."},
		{"slower", "No, here it costs: the double-buffered variant is slower."},
		{"same", "It makes no difference here: both take the same time within 1 %."},
		{"unclear", "This run cannot tell: the interval lies neither inside nor outside the 1 % around no "
			    "difference."}};
	const char *verdict = tree_text(view_headline(family), "verdict");
	json_t *failures = view_failures(view_headline(family));
	char reason[512];

	if (json_is_string(failures)) {
		put_json(page, "answer",
			view_text("This run cannot tell: %s (see the evidence).", json_string_value(failures)));
		json_decref(failures);
		return;
	}
	json_decref(failures);
	if (!tree_true(family, "buffering") && *verdict) {
		const char *single = tree_text(family, "single"), *dbl = tree_text(family, "double");

		put_json(page, "answer",
			strcmp(verdict, "faster") == 0
				? view_text("%s is faster than %s; the pair is not about buffering.", dbl, single)
			: strcmp(verdict, "slower") == 0
				? view_text("%s is slower than %s; the pair is not about buffering.", dbl, single)
			: strcmp(verdict, "same") == 0
				? view_text(
					  "%s and %s take the same time; the pair is not about buffering.", dbl, single)
				: view_text("This run cannot tell %s from %s; the pair is not about buffering.", dbl,
					  single));
		return;
	}
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (strcmp(verdict, answers[i].verdict) == 0) {
			put_json(page, "answer", view_text("%s", answers[i].text));
			return;
		}
	}
	if (view_only_sweeps(family)) {
		put_json(page, "answer", view_text("Only sweeps were recorded: see when it pays, below."));
		return;
	}
	view_pass_reason(view, tree_text(family, "name"), "time", reason, sizeof(reason));
	put_json(page, "answer", view_text("Not measured: %s.", *reason ? reason : "one of the pair has no time"));
}

static json_t *family_family_view(struct view *view, const json_t *family)
{
	static const char *const texts[] = {
		"name", "title", "question", "teaches", "source", "file", "single", "double"};
	const json_t *contrast = view_headline(family);
	json_t *page = json_object();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		view_put_text(page, texts[i], tree_text(family, texts[i]));
	put_json(page, "id", view_id(view, tree_text(family, "name")));
	view_put_text(page, "case", tree_text(tree_headline(family), "label"));
	view_put_verdict(page, contrast);
	view_put_speedup(page, contrast);
	view_put_sentence(page, "cause", tree_text(contrast, "cause"));
	answer(view, page, family);
	view_picture(view, page, family);
	view_steps(view, page, family);
	view_changed(page, family);
	view_why(view, page, family);
	view_cost(page, family);
	view_variants(view, page, family);
	view_floor(page, family);
	view_cases(view, page, family);
	view_sweeps(view, page, family);
	view_balance(page, family);
	view_prediction(view, page, family);
	put_json(page, "has_when",
		json_boolean(tree_true(page, "has_sweeps") || tree_true(page, "has_scores") ||
			     tree_true(page, "has_machine")));
	view_inside(view, page, family);
	view_pm(view, page, family);
	view_code(view, page, family);
	view_ptx(page, family);
	view_evidence(view, page, family);
	return page;
}

void view_families(struct view *view, json_t *page)
{
	const json_t *families = json_object_get(view->recording, "families");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(families); i++)
		append_json(list, family_family_view(view, json_array_get(families, i)));
	put_json(page, "families", list);
}
