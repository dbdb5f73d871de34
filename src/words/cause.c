/* cause.c: see cause.h. The model decides which causes there are and which of them is named. */
#include "words/cause.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/cause-phrases.h"
#include "words/counter-name.h"

enum { SENTENCE_SIZE = 512 };

/* ---- a pair without a difference that could be explained ---- */

static bool is_withheld(const json_t *family, const json_t *contrast, const char *role)
{
	return tree_true(tree_case(tree_role(family, role), tree_text(contrast, "case")), "withheld");
}

/* Samples of blocks in which the GPU was throttled are set apart, and these may be all. */
static bool was_throttled(const json_t *contrast)
{
	return json_is_false(
		json_object_get(tree_find(json_object_get(contrast, "evidence"), "name", "throttling"), "ok"));
}

/* NULL if there is a difference, and it is sure. */
static const char *no_difference(const json_t *family, const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	if (is_withheld(family, contrast, "single"))
		return "the result of single is wrong, so its time is not reported";
	if (is_withheld(family, contrast, "double"))
		return "the result of double is wrong, so its time is not reported";
	if (!tree_has(contrast, "single_ns") || !tree_has(contrast, "double_ns"))
		return was_throttled(contrast) ? "the GPU was throttled, so the times of both are set apart"
					       : "the recording has no times of both";
	if (strcmp(verdict, "same") == 0)
		return "there is no difference to explain";
	return strcmp(verdict, "unclear") == 0 ? "the difference is unclear, so no cause is named" : NULL;
}

/* ---- a difference that is not explained ---- */

/* Whether most of the launch is not the kernel's own time, on both sides. */
static bool mostly_starting(const json_t *contrast)
{
	static const char *const sides[] = {"single", "double"};
	const json_t *time = json_object_get(contrast, "time");

	for (int i = 0; i < 2; i++) {
		const json_t *side = json_object_get(time, sides[i]);
		const json_t *other = tree_find(json_object_get(side, "parts"), "id", "other");

		if (strcmp(tree_text(time, "kind"), "kernel") != 0 ||
			!(tree_real(other, "ns") > tree_real(side, "total_ns") / 2))
			return false;
	}
	return true;
}

static const char *why_not_explained(const json_t *contrast)
{
	bool kernel = tree_true(contrast, "kernel_bound");

	if (tree_has(contrast, "launches"))
		return "the sides launch it differently often";
	if (!tree_has(contrast, "time"))
		return kernel ? "counters of both sides are missing" : "a trace of both sides is missing";
	if (mostly_starting(contrast))
		return "most of a launch is not the kernel's own time";
	return "the measured causes make less than half of it";
}

/* ---- a difference that is explained ---- */

/* The causes that go against the first one and take a good part of it back, the largest first. */
struct opponents {
	const json_t *cause[2]; /* or NULL */
};

static struct opponents opponents_of(const json_t *contrast, const json_t *first)
{
	const json_t *causes = json_object_get(contrast, "causes");
	double part = tree_real(first, "ns");
	struct opponents found = {{NULL}};
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(causes) && n < 2; i++) {
		const json_t *cause = json_array_get(causes, i);
		double other = tree_real(cause, "ns");

		if (tree_true(cause, "named") && (other > 0) != (part > 0) && fabs(other) >= fabs(part) / 4)
			found.cause[n++] = cause;
	}
	return found;
}

/* ", but ..." behind the first cause: what works against it, else what keeps a slight gain slight; or "". In time if
 * it is `brief`. */
static void counterpart_of(const json_t *contrast, const json_t *first, bool brief, char *text, size_t size)
{
	const json_t *opponent = opponents_of(contrast, first).cause[0];
	bool slight = strncmp(tree_text(contrast, "size"), "slightly-", strlen("slightly-")) == 0;
	const char *pace = pace_phrase(json_object_get(contrast, "pace"));
	char against[SENTENCE_SIZE];

	*text = '\0';
	if (opponent && brief) {
		cause_against(opponent, against, sizeof(against));
		clip_print(text, size, ", but %s", against);
	} else if (opponent) {
		clip_print(text, size, ", but %s takes part back", cause_subject(opponent));
	} else if (slight && *pace) {
		clip_print(text, size, ", but %s sets the pace", pace);
	}
}

/* ", barrier wait too": a second one that works against the first cause, where there is room. */
static void add_second_opponent(const json_t *contrast, const json_t *first, char *because, size_t size)
{
	const json_t *second = opponents_of(contrast, first).cause[1];
	const char *subject = second ? cause_subject(second) : "";

	if (second && cause_words_in(because) + cause_words_in(subject) + 1 <= BECAUSE_WORDS_MOST)
		clip_append(because, size, ", %s too", subject);
}

/* ---- the contrast ---- */

static void put_sentence(json_t *object, const char *key, const char *text)
{
	char sentence[SENTENCE_SIZE] = "";

	cause_add_sentence(sentence, sizeof(sentence), text);
	put_json(object, key, text_json(sentence));
}

static void put_both(json_t *contrast, const char *because, const char *cause)
{
	put_json(contrast, "because", text_json(because));
	put_sentence(contrast, "cause", cause);
}

/* In both, the same thing may set the pace: that is why nothing changes. */
static void tell_no_difference(json_t *contrast, const char *why)
{
	const char *pace = pace_phrase(json_object_get(contrast, "pace"));
	char because[SENTENCE_SIZE], cause[SENTENCE_SIZE];

	if (strcmp(tree_text(contrast, "verdict"), "same") != 0 || !*pace) {
		put_both(contrast, why, why);
		return;
	}
	clip_print(because, sizeof(because), "no difference: %s sets the pace of both", pace);
	clip_print(cause, sizeof(cause), "%s: %s sets the pace of both", why, pace);
	put_both(contrast, because, cause);
}

static void tell_unexplained(json_t *contrast)
{
	const char *why = why_not_explained(contrast);
	char because[SENTENCE_SIZE], cause[SENTENCE_SIZE];

	clip_print(because, sizeof(because), "not explained: %s", why);
	clip_print(cause, sizeof(cause), "the difference is not explained: %s", why);
	put_both(contrast, because, cause);
}

static void tell_first(json_t *contrast, const json_t *first)
{
	char because[SENTENCE_SIZE], cause[SENTENCE_SIZE], counterpart[SENTENCE_SIZE];

	counterpart_of(contrast, first, true, counterpart, sizeof(counterpart));
	cause_phrase(contrast, first, *counterpart, because, sizeof(because));
	if (cause_words_in(because) + cause_words_in(counterpart) > BECAUSE_WORDS_MOST + 1)
		counterpart_of(contrast, first, false, counterpart, sizeof(counterpart));
	clip_append(because, sizeof(because), "%s", counterpart);
	add_second_opponent(contrast, first, because, sizeof(because));
	counterpart_of(contrast, first, false, counterpart, sizeof(counterpart));
	cause_clause(contrast, first, cause, sizeof(cause));
	clip_append(cause, sizeof(cause), "%s", counterpart);
	put_both(contrast, because, cause);
}

static void tell(const json_t *family, json_t *contrast)
{
	const char *why = no_difference(family, contrast);
	const json_t *first = cause_named_first(contrast);

	if (why)
		tell_no_difference(contrast, why);
	else if (!tree_true(contrast, "explained"))
		tell_unexplained(contrast);
	else if (first)
		tell_first(contrast, first);
	else
		put_both(contrast, "no single cause stands out",
			"no single cause stands out: each measured part is small or unsure");
}

void cause_words(const json_t *family, json_t *contrast)
{
	char text[SENTENCE_SIZE];
	json_t *cause;
	size_t i;

	json_array_foreach(json_object_get(contrast, "causes"), i, cause)
	{
		cause_clause(contrast, cause, text, sizeof(text));
		put_sentence(cause, "text", text);
		put_json(cause, "advice", text_json(cause_advice(tree_text(cause, "action"))));
	}
	counter_name_words(json_object_get(contrast, "moved"));
	tell(family, contrast);
}
