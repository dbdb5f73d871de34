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
#include "words/contrast/checks.h"
#include "words/contrast/contrast.h"

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
	static const char one_run[] = "One run on each side: the intervals hold what a run differs by in itself, and "
				      "an allowance for what runs "
				      "differ by. `dbprof contrast` runs both programs by turns and knows.";
	struct strbuf text = {0};
	json_t *string;

	if (strcmp(tree_text(advice, "id"), "one-run") == 0)
		return text_json(one_run);

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

/* The allowance of a comparison that is unclear because of it and cannot be the same; NaN of another one. */
static double allowance_too_wide(const json_t *comparison)
{
	const json_t *check = tree_find(json_object_get(comparison, "evidence"), "name", "runs");
	const json_t *facts = json_object_get(check, "facts");

	double allowance = tree_real(facts, "allowance");

	return tree_true(facts, "too_wide") && expm1(allowance) > tree_real(facts, "band") ? allowance : NAN;
}

/* Each allowance once: comparisons of a kind stand together. */
static void words_too_wide(const json_t *tree)
{
	const json_t *family = json_array_get(json_object_get(tree, "families"), 0);
	const json_t *comparisons = json_object_get(family, "comparisons");
	char allowances[RATIO_SIZE] = "", text[SENTENCE_SIZE];
	double last = 0;

	for (size_t i = 0; i < json_array_size(comparisons); i++) {
		double allowance = allowance_too_wide(json_array_get(comparisons, i));

		if (!isfinite(allowance) || !(fabs(allowance - last) > 0))
			continue;
		clip_append(allowances, sizeof(allowances), "%s±%g %%", *allowances ? ", " : "", 100 * allowance);
		last = allowance;
	}
	clip_print(text, sizeof(text),
		"Where that allowance (%s) is more than `--threshold`, nothing can be shown to be the same.",
		allowances);
	if (*allowances)
		append_json(json_object_get(tree, "advice"), text_json(text));
}

/* Why one recording lacks a time, where the reason is not a text of the recording. */
static void words_missing(json_t *list)
{
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry)
	{
		const json_t *reason = json_object_get(entry, "reason");
		char share[64];

		if (strcmp(tree_text(reason, "id"), "came-out-wrong") == 0) {
			put_json(entry, "reason", json_string("came out wrong, so it was not timed"));
		} else if (strcmp(tree_text(reason, "id"), "kernel-of-one-side") == 0) {
			clip_print(
				share, sizeof(share), "%.3g %% of its kernel time", 100 * tree_real(reason, "share"));
			put_json(entry, "reason", json_string(share));
		}
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

/* What the verdicts on two programs say, unless the recordings as wholes cannot be compared. */
static void answer_programs(const json_t *tree, char *text, size_t size)
{
	const json_t *evidence = json_object_get(tree, "evidence");
	const char *verdict;

	*text = '\0';
	for (size_t i = 0; i < json_array_size(evidence); i++) {
		const json_t *check = json_array_get(evidence, i);

		if (json_is_false(json_object_get(check, "ok"))) {
			clip_print(text, size, "Whether new is faster is unclear: %s.", tree_text(check, "text"));
			return;
		}
	}
	verdict = tree_text(json_object_get(tree, "programs"), "verdict_text");
	/* The sides are called base and new here, which are words and no commands. */
	for (size_t n = 0; *verdict && n + 1 < size; verdict++)
		if (*verdict != '`')
			text[n++] = *verdict, text[n] = '\0';
	if (*text >= 'a' && *text <= 'z')
		*text = (char)(*text - 'a' + 'A');
}

static void words_compared_programs(json_t *tree)
{
	json_t *programs = json_object_get(tree, "programs"), *comparison;
	json_t *family = json_array_get(json_object_get(tree, "families"), 0);
	const json_t *first = json_array_get(json_object_get(family, "comparisons"), 0);
	size_t i;

	contrast_of_programs_words(programs);
	json_array_foreach(json_object_get(family, "comparisons"), i, comparison)
		contrast_checks_words(json_object_get(comparison, "evidence"));
	put_json(family, "title",
		json_string(strcmp(tree_text(first, "case"), "step") == 0 ? "times of a step, one run on each side"
									  : "times of a whole run, one on each side"));
}

static void put_answer(json_t *tree)
{
	const char *mode = tree_text(tree, "mode");
	char text[SENTENCE_SIZE];

	if (strcmp(mode, "same-recording") == 0)
		clip_print(text, sizeof(text), "Base and new are the same recording: there is nothing to compare.");
	else if (strcmp(mode, "gains") == 0)
		answer_gains(tree, text, sizeof(text));
	else if (strcmp(mode, "programs") == 0)
		answer_programs(tree, text, sizeof(text));
	else
		answer_times(tree, text, sizeof(text));
	put_json(tree, "answer", text_json(text));
}

static void words_compared_families(const json_t *tree)
{
	const json_t *family, *comparison;
	size_t i, k;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "comparisons"), k, comparison)
			words_checks(tree, json_object_get(comparison, "evidence"));
	}
}

void words_comparison(json_t *tree)
{
	words_checks(tree, json_object_get(tree, "evidence"));
	if (json_is_object(json_object_get(tree, "programs")))
		words_compared_programs(tree);
	else
		words_compared_families(tree);
	words_missing(json_object_get(tree, "missing"));
	put_answer(tree);
	words_advice(json_object_get(tree, "advice"));
	if (json_is_object(json_object_get(tree, "programs")))
		words_too_wide(tree);
}
