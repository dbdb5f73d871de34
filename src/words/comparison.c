/* comparison.c: see comparison.h. */
#include "words/comparison.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/strbuf.h"
#include "words/comparison-checks.h"

/* What to do about comparisons that more runs could settle. */
static json_t *advice_sentence(const json_t *advice)
{
	static const struct {
		const char *id, *sentence;
	} sentences[] = {
		{"few-runs",
			"unclear for want of runs: how much runs of one code differ is not known. Record again with "
			"more runs, as in `dbprof record --runs=3`."},
		{"wide-interval",
			"unclear because the interval reaches over an edge of the band. More runs (`dbprof record "
			"--runs=N`) make it narrower; a larger `--threshold` asks for less."},
	};
	struct strbuf text = {0};
	json_t *string;

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (strcmp(tree_text(advice, "id"), sentences[i].id) == 0)
			strbuf_printf(&text, "%.0f %s", tree_real(advice, "comparisons"), sentences[i].sentence);
	}
	string = text_json(text.text);
	strbuf_free(&text);
	return string;
}

static void words_advice(json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		json_array_set_new(list, i, advice_sentence(json_array_get(list, i)));
}

/* Why one recording lacks a time, where the reason is not a text of the recording. */
static void words_missing(json_t *list)
{
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry)
	{
		if (strcmp(tree_text(json_object_get(entry, "reason"), "id"), "came-out-wrong") == 0)
			put_json(entry, "reason", json_string("came out wrong, so it was not timed"));
	}
}

static void words_checks(const json_t *tree, json_t *evidence)
{
	json_t *check;
	size_t i;

	json_array_foreach(evidence, i, check) comparison_check_words(tree, check);
}

void words_comparison(json_t *tree)
{
	json_t *family, *comparison;
	size_t i, k;

	words_checks(tree, json_object_get(tree, "evidence"));
	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "comparisons"), k, comparison)
			words_checks(tree, json_object_get(comparison, "evidence"));
	}
	words_missing(json_object_get(tree, "missing"));
	words_advice(json_object_get(tree, "advice"));
}
