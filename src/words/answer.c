/* answer.c: see answer.h. */
#include "words/answer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/contrast/contrast.h"
#include "words/noun.h"

enum { ANSWER_SIZE = 512, MOST_WORDS = 25, MOST_WINNING = 3 };

/* ---- what is told of the families ---- */

/* What a difference of some size means, in the order in which it is told. */
enum { YES, HARDLY, NEITHER, BARELY_NO, NO, CANNOT_TELL, MEANINGS };

static const struct {
	const char *size;
	int meaning;
} meanings[] = {
	{"faster", YES},
	{"slightly-faster", HARDLY},
	{"same", NEITHER},
	{"slightly-slower", BARELY_NO},
	{"slower", NO},
	{"unclear", CANNOT_TELL},
};

static int meaning_of(const char *size)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strcmp(meanings[i].size, size) == 0)
			return meanings[i].meaning;
	}
	return CANNOT_TELL;
}

/* Families of one noun that mean the same. */
struct kin {
	char noun[NOUN_SIZE];
	int meaning;
	double low, high; /* their smallest and largest speed-up; NaN without any */
	size_t families;
};

struct told_families {
	struct kin *kin; /* by the largest gain; owned */
	size_t n, families;
	size_t untimed; /* others about buffering: neither their headline nor a sweep was measured */
};

static struct kin *kin_find(struct told_families *told, const char *noun, int meaning)
{
	for (size_t i = 0; i < told->n; i++) {
		if (told->kin[i].meaning == meaning && strcmp(told->kin[i].noun, noun) == 0)
			return &told->kin[i];
	}
	told->kin[told->n] = (struct kin){.meaning = meaning, .low = NAN, .high = NAN};
	clip_print(told->kin[told->n].noun, NOUN_SIZE, "%s", noun);
	return &told->kin[told->n++];
}

/* What a family is called in the answer: its noun, or its name where another family of that noun means something else.
 */
static void told_noun(const json_t *families, const json_t *family, char *noun)
{
	const int meaning = meaning_of(tree_text(tree_headline_contrast(family), "size"));
	char other[NOUN_SIZE];

	family_noun(family, noun);
	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *one = json_array_get(families, i), *contrast = tree_headline_contrast(one);

		if (!tree_true(one, "buffering") || !tree_has(contrast, "verdict") ||
			meaning_of(tree_text(contrast, "size")) == meaning)
			continue;
		family_noun(one, other);
		if (strcmp(noun, other) != 0)
			continue;
		clip_print(noun, NOUN_SIZE, "%s", tree_text(family, "name"));
		return;
	}
}

static void kin_add(struct told_families *told, const json_t *families, const json_t *family)
{
	const json_t *contrast = tree_headline_contrast(family);
	double gain = tree_real(json_object_get(contrast, "speedup"), "value");
	char noun[NOUN_SIZE];
	struct kin *kin;

	if (!tree_true(family, "buffering"))
		return;
	if (!tree_has(contrast, "verdict")) {
		told->untimed += !(tree_real(json_object_get(family, "holds"), "of") > 0);
		return;
	}
	told_noun(families, family, noun);
	kin = kin_find(told, noun, meaning_of(tree_text(contrast, "size")));
	kin->low = fmin(kin->low, gain);
	kin->high = fmax(kin->high, gain);
	kin->families++;
	told->families++;
}

static int kin_by_gain(const void *left, const void *right)
{
	const struct kin *a = left, *b = right;

	if (a->meaning != b->meaning)
		return a->meaning - b->meaning;
	if (a->high != b->high && !isnan(a->high) && !isnan(b->high))
		return a->high > b->high ? -1 : 1;
	return strcmp(a->noun, b->noun);
}

static void told_read(const json_t *families, struct told_families *told)
{
	*told = (struct told_families){.kin = xcalloc(json_array_size(families), sizeof(*told->kin))};
	for (size_t i = 0; i < json_array_size(families); i++)
		kin_add(told, families, json_array_get(families, i));
	qsort(told->kin, told->n, sizeof(*told->kin), kin_by_gain);
}

/* ---- clauses ---- */

/* ", " between two of a list, " and " before the last. */
static const char *joint(size_t i, size_t n)
{
	return i == 0 ? "" : i + 1 < n ? ", " : " and ";
}

/* "copies (1.34×) and scans (1.10 to 1.21×)"; several without their names are a number of families. */
static void add_kin(const struct kin *kin, size_t n, bool named, bool gains, char *text, size_t size)
{
	struct kin all = {.low = NAN, .high = NAN};
	char range[2 * FORMAT_SIZE];

	for (size_t i = 0; i < n; i++) {
		all.low = fmin(all.low, kin[i].low);
		all.high = fmax(all.high, kin[i].high);
		all.families += kin[i].families;
	}
	for (size_t i = 0; i < n && (named || n == 1); i++) {
		clip_append(text, size, "%s%s", joint(i, n), kin[i].noun);
		if (gains && isfinite(kin[i].high))
			clip_append(text, size, " (%s)", format_gains(range, sizeof(range), kin[i].low, kin[i].high));
	}
	if (named || n == 1)
		return;
	clip_append(text, size, "%zu families", all.families);
	if (gains && isfinite(all.high))
		clip_append(text, size, " (%s)", format_gains(range, sizeof(range), all.low, all.high));
}

/* Writes the sentence of kin `first` to `end` - 1, each meaning a clause, with their nouns where `named` says so. */
static void clauses_write(
	const struct told_families *told, size_t first, size_t end, const bool named[MEANINGS], char *text, size_t size)
{
	static const struct {
		const char *first, *later;
		bool gains;
	} clauses[MEANINGS] = {
		[YES] = {"Yes for ", "yes for ", true},
		[HARDLY] = {"Hardly for ", "hardly for ", true},
		[NEITHER] = {"No difference for ", "no difference for ", false},
		[BARELY_NO] = {"Slightly slower for ", "slightly slower for ", true},
		[NO] = {"No for ", "no for ", true},
		[CANNOT_TELL] = {"Unclear for ", "unclear for ", false},
	};

	*text = '\0';
	for (size_t at = first, next; at < end; at = next) {
		int meaning = told->kin[at].meaning;

		for (next = at + 1; next < end && told->kin[next].meaning == meaning; next++)
			;
		clip_append(text, size, "%s%s", at == first ? "" : "; ",
			at == first ? clauses[meaning].first : clauses[meaning].later);
		add_kin(told->kin + at, next - at, named[meaning], clauses[meaning].gains, text, size);
	}
	clip_append(text, size, ".");
}

static size_t words_in(const char *text)
{
	size_t words = 1;

	for (; *text != '\0'; text++)
		words += *text == ' ';
	return words;
}

/* The clause with most nouns counts instead of naming. False if none has several. */
static bool name_less(const struct told_families *told, size_t first, size_t end, bool named[MEANINGS])
{
	size_t nouns[MEANINGS] = {0};
	int longest = 0;

	for (size_t i = first; i < end; i++)
		nouns[told->kin[i].meaning] += named[told->kin[i].meaning];
	for (int i = 1; i < MEANINGS; i++)
		longest = nouns[i] > nouns[longest] ? i : longest;
	named[longest] = false;
	return nouns[longest] > 1;
}

/* "Yes for copies (1.34×); hardly for SGEMM (1.01×).": names while that is no more words than a sentence may have. */
static void add_clauses(const struct told_families *told, size_t first, size_t end, char *text, size_t size)
{
	bool named[MEANINGS] = {true, true, true, true, true, true};
	char sentence[ANSWER_SIZE];

	do
		clauses_write(told, first, end, named, sentence, sizeof(sentence));
	while (words_in(sentence) > MOST_WORDS && name_less(told, first, end, named));
	clip_append(text, size, "%s%s", *text == '\0' ? "" : " ", sentence);
}

/* Gains are one sentence, the rest is another: "No difference for tiles." */
static void mixed_words(const struct told_families *told, char *text, size_t size)
{
	size_t gains = 0;

	while (gains < told->n && told->kin[gains].meaning <= HARDLY)
		gains++;
	*text = '\0';
	if (gains > 0)
		add_clauses(told, 0, gains, text, size);
	if (gains < told->n)
		add_clauses(told, gains, told->n, text, size);
}

/* In which families: nothing of the only one. One that was not timed might lose. */
static void winning_where(const struct told_families *told, char *text, size_t size)
{
	const char *families = told->families == 1 ? "family" : "families";
	char of[32] = "the one ";

	if (told->families == 2)
		clip_print(of, sizeof(of), "both ");
	else if (told->families > 2)
		clip_print(of, sizeof(of), "all %zu ", told->families);
	*text = '\0';
	if (told->untimed > 0)
		clip_print(text, size, " in %s%s that %s timed (%zu %s not)", of, families,
			told->families == 1 ? "was" : "were", told->untimed, told->untimed == 1 ? "was" : "were");
	else if (told->families > 1)
		clip_print(text, size, " in %s%s that test it", of, families);
}

/* "Double buffering wins in all 4 families that test it: 1.34× for copies, 1.10 to 1.21× for scans." */
static void winning_words(const struct told_families *told, char *text, size_t size)
{
	char range[2 * FORMAT_SIZE], where[96];

	winning_where(told, where, sizeof(where));
	clip_print(text, size, "Double buffering wins%s: ", where);
	for (size_t i = 0; i < told->n; i++)
		clip_append(text, size, "%s%s for %s", i ? ", " : "",
			format_gains(range, sizeof(range), told->kin[i].low, told->kin[i].high), told->kin[i].noun);
	clip_append(text, size, ".");
}

/* ---- where no case of a family was timed ---- */

/* "Only sweeps were measured: double buffering pays at 17 of 17 points." False if none of a second buffer was. */
static bool swept_words(const json_t *families, char *text, size_t size)
{
	double pays = 0, of = 0;

	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *family = json_array_get(families, i), *holds = json_object_get(family, "holds");

		if (!tree_true(family, "buffering") || !(tree_real(holds, "of") > 0))
			continue;
		pays += tree_real(holds, "pays");
		of += tree_real(holds, "of");
	}
	if (of > 0)
		clip_print(text, size, "Only sweeps were measured: double buffering pays at %.0f of %.0f %s.", pays, of,
			of == 1 ? "point" : "points");
	return of > 0;
}

static bool any_about_buffering(const json_t *families)
{
	for (size_t i = 0; i < json_array_size(families); i++) {
		if (tree_true(json_array_get(families, i), "buffering"))
			return true;
	}
	return false;
}

/* ---- where it costs time ---- */

/* "In sweeps it can cost time: 0.61× for tiles." Nothing where no point of a sweep is slower, or where the
 * pairs say so themselves. */
static void add_worst(const json_t *families, const struct told_families *told, char *text, size_t size)
{
	const json_t *worst = NULL;
	char noun[NOUN_SIZE], gain[FORMAT_SIZE];

	for (size_t i = 0; i < told->n; i++)
		if (told->kin[i].meaning == NO)
			return;
	for (size_t i = 0; i < json_array_size(families); i++) {
		const json_t *family = json_array_get(families, i);
		double ratio = tree_real(json_object_get(family, "holds"), "worst");

		if (tree_true(family, "buffering") &&
			ratio < (worst ? tree_real(json_object_get(worst, "holds"), "worst") : INFINITY))
			worst = family;
	}
	if (!worst)
		return;
	told_noun(families, worst, noun);
	clip_append(text, size, " In sweeps it can cost time: %s for %s.",
		format_gain(gain, sizeof(gain), tree_real(json_object_get(worst, "holds"), "worst")), noun);
}

/* ---- the answer ---- */

static json_t *answer_json(const json_t *families)
{
	struct told_families told;
	char text[ANSWER_SIZE];

	if (json_array_size(families) == 0)
		return json_null();
	if (is_contrast_of_programs(json_array_get(families, 0)))
		return json_incref(json_object_get(json_array_get(families, 0), "verdict_text"));
	told_read(families, &told);
	if (told.n > 0 && told.n <= MOST_WINNING && told.kin[told.n - 1].meaning == YES)
		winning_words(&told, text, sizeof(text));
	else if (told.n > 0)
		mixed_words(&told, text, sizeof(text));
	else if (!any_about_buffering(families))
		clip_print(text, sizeof(text), "No family in this recording tests double buffering.");
	else if (!swept_words(families, text, sizeof(text)))
		clip_print(text, sizeof(text), "No family that tests double buffering was timed.");
	add_worst(families, &told, text, sizeof(text));
	free(told.kin);
	return text_json(text);
}

void answer_words(json_t *recording)
{
	put_json(recording, "answer", answer_json(json_object_get(recording, "families")));
}
