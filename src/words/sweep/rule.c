/* rule.c: see rule.h. */
#include "words/sweep/rule.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { NUMBER_SIZE = FORMAT_SIZE + 8 };

/* ---- the condition ---- */

/* A number of things: in words up to nine. */
static const char *count_words(double count, char *text, size_t size)
{
	static const char *const words[] = {
		"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};

	if (count >= 0 && count <= 9 && count == floor(count))
		clip_print(text, size, "%s", words[(int)count]);
	else if (count == floor(count))
		format_count(text, size, count);
	else
		clip_print(text, size, "%.3g", count);
	return text;
}

/* What is counted, in singular and plural; how it is said with a number. */
static const struct counted {
	const char *id, *one, *more;
} counted[] = {
	{"chunks", "chunk", "chunks"},
	{"waves", "wave of blocks", "waves of blocks"},
	{"blocks-per-sm", "block on an SM", "blocks on an SM"},
	{"warps-per-sm", "warp on an SM", "warps on an SM"},
	{"flops-per-byte", "operation per byte", "operations per byte"},
};

static bool counted_words(const char *id, double value, bool at_least, char *text, size_t size)
{
	char number[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		if (strcmp(counted[i].id, id) != 0)
			continue;
		clip_append(text, size, "with %s %s or %s", count_words(value, number, sizeof(number)),
			value == 1 ? counted[i].one : counted[i].more, at_least ? "more" : "fewer");
		return true;
	}
	return false;
}

static void param_words(const json_t *rule, double value, bool at_least, char *text, size_t size)
{
	char number[FORMAT_SIZE];

	clip_append(text, size, "with %.40s = %s or %s", tree_text(rule, "title"),
		format_count(number, sizeof(number), value), at_least ? "more" : "less");
}

/* "with four chunks or more" */
static void condition_words(const json_t *rule, char *text, size_t size)
{
	const char *id = tree_text(rule, "variable");
	bool at_least = strcmp(tree_text(rule, "relation"), ">=") == 0;
	double value = tree_real(rule, "threshold");
	char number[FORMAT_SIZE];

	if (counted_words(id, value, at_least, text, size))
		return;
	if (strcmp(id, "working-set") == 0)
		clip_append(text, size, "that move %.3g× the L2 cache or %s", value, at_least ? "more" : "less");
	else if (strcmp(id, "blocks-kept") == 0)
		clip_append(text, size, "where double keeps %s of single's blocks or %s",
			format_percent(number, sizeof(number), value), at_least ? "more" : "less");
	else if (strcmp(id, "compute-per-load") == 0)
		clip_append(text, size, "where computing takes %s %.3g× the loading time",
			at_least ? "at least" : "at most", value);
	else if (strcmp(id, "chunk-bytes") == 0)
		clip_append(text, size, "with chunks of %s or %s", format_bytes(number, sizeof(number), value),
			at_least ? "more" : "less");
	else
		param_words(rule, value, at_least, text, size);
}

/* ---- the sentence ---- */

/* The verb for a verdict, and where its points are counted. */
static const struct verb {
	const char *verdict, *key, *words;
} verbs[] = {
	{"faster", "pays", "pays"},
	{"slower", "costs", "costs time"},
	{"same", "same", "makes no difference"},
};

static const struct verb *verb_of(const json_t *rule)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].verdict, tree_text(rule, "verdict")) == 0)
			return &verbs[i];
	}
	return &verbs[0];
}

/* "all 17 points", "6 of 8 points" */
static void side_words(double hits, double points, char *text, size_t size)
{
	if (hits == points)
		clip_append(text, size, "all %.0f points", points);
	else
		clip_append(text, size, "%.0f of %.0f points", hits, points);
}

/* What is outside of the rule: of the points where something can overlap. */
static void outside_words(const struct verb *verb, const json_t *outside, char *text, size_t size)
{
	double hits = tree_real(outside, verb->key), points = tree_real(outside, "points");

	if (tree_real(outside, "nothing") > 0 || !(points > 0))
		return;
	if (hits > 0)
		clip_append(text, size, ", and at %.0f of %.0f others", hits, points);
	else
		clip_append(text, size, ", and at none of %.0f others", points);
}

void rule_condition_words(const json_t *rule, char *text, size_t size)
{
	const json_t *inside = json_object_get(rule, "inside");

	clip_print(text, size, "all %.0f ", tree_real(inside, "points"));
	condition_words(rule, text, size);
}

void rule_words(const json_t *rule, char *text, size_t size)
{
	const struct verb *verb = verb_of(rule);
	const json_t *inside = json_object_get(rule, "inside"), *outside = json_object_get(rule, "outside");
	double unclear = tree_real(inside, "unclear");

	clip_print(text, size, "%s at ", verb->words);
	side_words(tree_real(inside, verb->key), tree_real(inside, "points"), text, size);
	if (tree_has(rule, "variable")) {
		clip_append(text, size, " ");
		condition_words(rule, text, size);
	} else if (tree_real(outside, "nothing") > 0) {
		clip_append(text, size, " where something can overlap");
	}
	if (unclear > 0)
		clip_append(text, size, " (%.0f unclear)", unclear);
	if (tree_has(rule, "variable"))
		outside_words(verb, outside, text, size);
}
