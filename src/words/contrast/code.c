/* code.c: see code.h. model/family/programs/machine-code.c has what is known. */
#include "words/contrast/code.h"

#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/contrast/kernel-name.h"
#include "words/contrast/side-words.h"

enum { CODE_TEXT_SIZE = 960, PAIR_SIZE = 480, NAMED_MOST = 3 };

/* The sides that a sentence on the family's pair is about: "`both` sides", or their names if there are more. */
static const char *pair_called(const json_t *family, const char *both, char pair[PAIR_SIZE])
{
	if (json_array_size(json_object_get(family, "sides")) <= 2)
		clip_print(pair, PAIR_SIZE, "%s sides", both);
	else
		clip_print(pair, PAIR_SIZE, "`%.160s` and `%.160s`",
			side_called(side_named(family, tree_text(family, "single"))),
			side_called(side_named(family, tree_text(family, "double"))));
	return pair;
}

/* Of a family's pair, or of a side against the first. */
static const char *word_of(const json_t *judged, const char *verdict)
{
	return tree_text(json_object_get(json_object_get(judged, "verdicts"), verdict), "verdict");
}

static bool has_clear(const json_t *judged, const char *verdict)
{
	return strcmp(word_of(judged, verdict), "faster") == 0 || strcmp(word_of(judged, verdict), "slower") == 0;
}

/* Of the pair, or of another side that runs just what the first one does. */
static bool any_differs(const json_t *family, const char *verdict)
{
	const json_t *sides = json_object_get(family, "sides");
	bool differs = has_clear(family, verdict);

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);

		differs |= tree_true(side, "same_code") && tree_true(side, "same_launches") && has_clear(side, verdict);
	}
	return differs;
}

/* Of the pair, and of all other sides that run just what the first one does. */
static bool all_programs_are_same(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");
	bool same = strcmp(word_of(family, "program"), "same") == 0;

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);

		same &= !tree_true(side, "same_code") || !tree_true(side, "same_launches") ||
			strcmp(word_of(side, "program"), "same") == 0;
	}
	return same;
}

/* Of a family's pair, or of a side against the first: older recordings do not tell. */
static bool rest_may_be_same(const json_t *judged)
{
	return !json_is_false(json_object_get(judged, "same_rest"));
}

/* Whether all sides run just what the first one does, so that nothing else is said of others. */
static bool all_sides_are_alike(const json_t *family)
{
	const json_t *sides = json_object_get(family, "sides");

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);

		if (strcmp(tree_text(side, "name"), tree_text(family, "single")) != 0 &&
			(!tree_true(side, "same_code") || !tree_true(side, "same_launches")))
			return false;
	}
	return true;
}

/* In what launches of the same code differ: "grids and their numbers". */
static const char *differing(const json_t *family, char text[PAIR_SIZE])
{
	static const char *const words[][2] = {{"grid", "grids"}, {"block", "blocks"}, {"cluster", "clusters"},
		{"shared-memory", "shared memory"}, {"cooperative", "being cooperative"},
		{"graph", "coming from CUDA graphs"}, {"launches", "their numbers"},
		{"kernels", "kernels without a match"}};
	const json_t *list = json_object_get(family, "launches_differ");
	size_t n = json_array_size(list);

	*text = '\0';
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			if (strcmp(json_string_value(json_array_get(list, i)), words[k][0]) == 0)
				clip_append(text, PAIR_SIZE, "%s%s",
					i == 0       ? ""
					: i == n - 1 ? " and "
						     : ", ",
					words[k][1]);
	return text;
}

/* Nothing is said of the kernels that --kernel leaves out: they count nowhere. */
static void chosen_sentence(const json_t *family, char *text, size_t size)
{
	char pair[PAIR_SIZE], same[PAIR_SIZE + 80], what[PAIR_SIZE];

	clip_print(same, sizeof(same), "The chosen kernels have the same machine code %s %s",
		json_array_size(json_object_get(family, "sides")) <= 2 ? "on" : "with",
		pair_called(family, "both", pair));
	if (!tree_true(family, "same_launches"))
		clip_print(
			text, size, "%s, but not the same launches. They differ in %s.", same, differing(family, what));
	else if (has_clear(family, "kernel"))
		clip_print(text, size, "%s and the same launches: only their data and arguments can make them differ.",
			same);
	else
		clip_print(text, size, "%s and the same launches; other kernels are not looked at.", same);
}

/* What the same code and the same launches say of the variation: of the pair alone where another side differs. */
static const char *what_changed(const json_t *family)
{
	if (has_clear(family, "kernel"))
		return ": only their data and arguments can make kernels differ";
	if (!rest_may_be_same(family))
		return " in the steps that count; what does not count differs or varies";
	if (!all_sides_are_alike(family) || any_differs(family, "kernel"))
		return has_clear(family, "program") ? ", but the program's time differs" : "";
	if (any_differs(family, "program"))
		return ": the variation changed no kernel, but the program's time differs";
	return all_programs_are_same(family) ? ": the variation changed nothing" : ": the variation changed no kernel";
}

/* The machine code is the same. A verdict that says otherwise stands: data and arguments are not compared. */
static void same_sentence(const json_t *family, char *text, size_t size)
{
	char pair[PAIR_SIZE], what[PAIR_SIZE];

	if (tree_true(family, "kernels_chosen"))
		chosen_sentence(family, text, size);
	else if (!tree_true(family, "same_launches"))
		clip_print(text, size,
			"%s run the same machine code, but not with the same launches. They differ in %s.",
			pair_called(family, "Both", pair), differing(family, what));
	else
		clip_print(text, size, "%s run the same machine code with the same launches%s.",
			pair_called(family, "Both", pair), what_changed(family));
}

static void code_sentence(const json_t *family, char *text, size_t size)
{
	char pair[PAIR_SIZE];

	if (tree_true(family, "same_code"))
		same_sentence(family, text, size);
	else if (tree_true(family, "names_change"))
		clip_print(
			text, size, "Kernels have other names in each run: which of them are the same is not known.");
	else if (json_is_false(json_object_get(family, "same_code")))
		clip_print(text, size, "%s run different machine code.", pair_called(family, "The", pair));
	else
		clip_print(text, size, "Whether %s run the same machine code is not known%s%s.",
			pair_called(family, "the", pair), *tree_text(family, "no_code") ? ": " : "",
			tree_text(family, "no_code"));
}

/* Sides besides the family's pair that run just what the first one does. */
static void add_other_sides(const json_t *family, char *text, size_t size)
{
	const json_t *sides = json_object_get(family, "sides");
	bool in_part = tree_true(family, "kernels_chosen");

	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *side = json_array_get(sides, i);
		const char *name = tree_text(side, "name");

		if (strcmp(name, tree_text(family, "double")) != 0 && tree_true(side, "same_code") &&
			tree_true(side, "same_launches"))
			clip_append(text, size,
				" `%.60s` runs %s `%.60s` runs: the same machine code, the same launches.", name,
				in_part || !rest_may_be_same(side) ? "of the kernels that count what" : "what",
				tree_text(family, "single"));
	}
}

static void add_changing(const json_t *family, char *text, size_t size)
{
	const json_t *list = json_object_get(family, "changing_code");
	size_t n = json_array_size(list);

	char name[KERNEL_NAME_SIZE];

	for (size_t i = 0; i < n && i < NAMED_MOST; i++)
		clip_append(text, size, "%s%s (%.60s)", i ? ", " : " Machine code came anew under the same name in ",
			kernel_name_words(tree_text(json_array_get(list, i), "name"), name),
			tree_text(json_array_get(list, i), "side"));
	if (n > NAMED_MOST)
		clip_append(text, size, " and others");
	if (n)
		clip_append(text, size, ": it was compiled or chosen anew, and which one ran is not known.");
}

void contrast_code_words(json_t *family, char *text, size_t size)
{
	char sentence[CODE_TEXT_SIZE];

	code_sentence(family, sentence, sizeof(sentence));
	if (tree_true(family, "same_code") || tree_true(family, "names_change"))
		clip_append(text, size, "%s%s", *text ? " " : "", sentence);
	add_other_sides(family, sentence, sizeof(sentence));
	add_changing(family, sentence, sizeof(sentence));
	put_json(family, "code_text", text_json(sentence));
}
