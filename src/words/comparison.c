/* comparison.c: see comparison.h. */
#include "words/comparison.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/strbuf.h"
#include "words/compare.h"
#include "words/comparison-checks.h"

/* What to do about comparisons that more runs could settle. */
static json_t *comparison_advice(const json_t *advice)
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
		json_array_set_new(list, i, comparison_advice(json_array_get(list, i)));
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

/* ---- the answer ---- */

static double counted(const json_t *tree, const char *verdict)
{
	return tree_real(json_object_get(tree, "summary"), verdict);
}

/* The comparison with the smallest ratio of those that are slower, and its family; false if there is none. */
static bool find_slowest(const json_t *tree, const json_t **family_out, const json_t **slowest)
{
	const json_t *family, *comparison;
	double least = INFINITY;
	size_t i, k;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "comparisons"), k, comparison)
		{
			double ratio = tree_real(json_object_get(comparison, "ratio"), "value");

			if (strcmp(tree_text(comparison, "verdict"), "slower") != 0 || !(ratio < least))
				continue;
			least = ratio;
			*family_out = family;
			*slowest = comparison;
		}
	}
	return isfinite(least);
}

static void answer_times(const json_t *tree, char *text, size_t size)
{
	double slower = counted(tree, "slower"), faster = counted(tree, "faster"), unclear = counted(tree, "unclear");
	double all = slower + faster + unclear + counted(tree, "same");
	const json_t *family = NULL, *slowest = NULL;
	char ratio[RATIO_SIZE];

	if (slower > 0 && find_slowest(tree, &family, &slowest)) {
		clip_print(text, size, "%.0f of %.0f comparisons %s slower: %.80s/%.80s most, at %s the speed of base.",
			slower, all, slower > 1 ? "are" : "is", tree_text(family, "name"),
			tree_text(slowest, "variant"),
			compare_ratio_words(
				json_object_get(slowest, "ratio"), tree_real(tree, "threshold"), ratio, sizeof(ratio)));
		return;
	}
	clip_print(text, size, "Nothing is slower");
	if (unclear > 0)
		clip_append(text, size, ", but %.0f of %.0f comparisons %s unclear", unclear, all,
			unclear > 1 ? "are" : "is");
	else if (faster > 0)
		clip_append(
			text, size, ", and %.0f of %.0f comparisons %s faster", faster, all, faster > 1 ? "are" : "is");
	clip_append(text, size, ".");
}

static const char *gpu_of(const json_t *tree, const char *side)
{
	return tree_text(json_object_get(json_object_get(tree, side), "device"), "name");
}

/* "On NVIDIA H200 the gain is larger in 2 families than on NVIDIA H100, smaller in 1, the same in 1." */
static void answer_gains(const json_t *tree, char *text, size_t size)
{
	static const struct {
		const char *verdict, *word;
	} verdicts[] = {{"faster", "larger"}, {"slower", "smaller"}, {"same", "the same"}, {"unclear", "not clear"}};
	bool any = false;

	clip_print(text, size, "Base is %.80s, new is %.80s: the gain of double buffering in new is ",
		gpu_of(tree, "base"), gpu_of(tree, "new"));
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		double n = counted(tree, verdicts[i].verdict);

		if (!(n > 0))
			continue;
		clip_append(text, size, "%s%s in %.0f%s", any ? ", " : "", verdicts[i].word, n,
			any     ? ""
			: n > 1 ? " families"
				: " family");
		any = true;
	}
	clip_append(text, size, ".");
}

static void put_answer(json_t *tree)
{
	const char *mode = tree_text(tree, "mode");
	char text[SENTENCE_SIZE];

	if (strcmp(mode, "same-recording") == 0)
		clip_print(text, sizeof(text), "Base and new are the same recording: there is nothing to compare.");
	else if (strcmp(mode, "gains") == 0)
		answer_gains(tree, text, sizeof(text));
	else
		answer_times(tree, text, sizeof(text));
	put_json(tree, "answer", text_json(text));
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
	put_answer(tree);
	words_advice(json_object_get(tree, "advice"));
}
