/* sweep.c: see sweep.h. */
#include "words/sweep/sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "words/sweep/rule.h"
#include "words/sweep/sustained.h"
#include "words/sweep/under-way.h"

enum { REASON_SIZE = 320, CROSSOVER_SIZE = 512, FINDING_SIZE = 1024 };

static const char *axis_param(const json_t *sweep, const char *axis)
{
	return tree_text(json_object_get(sweep, axis), "param");
}

static bool counts_buffers(const char *param)
{
	return strcmp(param, "buffers") == 0 || strcmp(param, "stages") == 0;
}

/* Whether two buffers are held against one: not where the number of buffers is what the sweep varies. */
static bool is_double(const json_t *sweep)
{
	return tree_true(sweep, "buffering") && !counts_buffers(axis_param(sweep, "x")) &&
	       !counts_buffers(axis_param(sweep, "y"));
}

/* What pays or does not. */
static const char *subject(const json_t *sweep)
{
	return is_double(sweep) ? "double buffering" : tree_text(sweep, "double");
}

/* 0 blocks are as many as fit. */
static void add_value(char *text, size_t size, const char *param, double value)
{
	char count[FORMAT_SIZE];

	if (value == 0 && strcmp(param, "blocks") == 0)
		clip_append(text, size, "no limit");
	else
		clip_append(text, size, "%s", format_count(count, sizeof(count), value));
}

/* ---- why a point has no clear verdict, or was not measured ---- */

static void wrong_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	clip_print(text, REASON_SIZE, "%.80s came out wrong in case %.80s", tree_text(why, "variant"),
		tree_text(why, "case"));
}

static void not_verified_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	clip_print(text, REASON_SIZE, "not verified: no result of %.80s was compared", tree_text(why, "variant"));
}

static void few_blocks_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	clip_print(text, REASON_SIZE, "%.0f blocks have times of both; %.0f are needed",
		tree_real(json_object_get(point, "speedup"), "blocks"), tree_real(why, "needed"));
}

static void under_floor_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	(void)why;
	clip_print(text, REASON_SIZE, "a variant is faster than its floor");
}

static void power_limit_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	(void)why;
	clip_print(text, REASON_SIZE, "the GPU was at its power limit, and no SM clock was measured on it");
}

static void cycles_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	clip_print(
		text, REASON_SIZE, "%s by time, %s by cycles", tree_text(why, "by_time"), tree_text(why, "by_cycles"));
}

static void band_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)point;
	(void)why;
	clip_print(text, REASON_SIZE, "the interval lies neither inside nor outside 1 ± %g", tree_real(sweep, "band"));
}

static void withheld_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	clip_print(text, REASON_SIZE, "%s came out wrong here, so its time is withheld", tree_text(why, "side"));
}

static void unsupported_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	clip_print(text, REASON_SIZE, "%s: %.200s", tree_text(why, "side"), tree_text(why, "text"));
}

static void nothing_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	(void)why;
	clip_print(text, REASON_SIZE, "nothing to overlap: one chunk");
}

static void not_measured_words(const json_t *sweep, const json_t *point, const json_t *why, char *text)
{
	(void)sweep;
	(void)point;
	(void)why;
	clip_print(text, REASON_SIZE, "not measured");
}

static const struct {
	const char *id;
	void (*write)(const json_t *sweep, const json_t *point, const json_t *why, char *text);
} objections[] = {
	{"wrong", wrong_words},
	{"not-verified", not_verified_words},
	{"few-blocks", few_blocks_words},
	{"power-limit", power_limit_words},
	{"under-floor", under_floor_words},
	{"cycles", cycles_words},
	{"band", band_words},
	{"withheld", withheld_words},
	{"unsupported", unsupported_words},
	{"not-measured", not_measured_words},
	{"nothing-to-overlap", nothing_words},
};

static void put_reason(const json_t *sweep, json_t *point)
{
	const json_t *why = json_object_get(point, "why");
	char text[REASON_SIZE] = "";

	for (size_t i = 0; i < sizeof(objections) / sizeof(objections[0]); i++) {
		if (strcmp(objections[i].id, tree_text(why, "id")) == 0)
			objections[i].write(sweep, point, why, text);
	}
	put_json(point, "reason", text_json(*text ? text : NULL));
}

/* ---- crossovers ---- */

static const char *turn(const char *before, const char *after)
{
	static const struct {
		const char *before, *after, *words;
	} turns[] = {
		{"faster", "same", "stops paying"},
		{"faster", "slower", "turns from a gain into a loss"},
		{"same", "faster", "starts to pay"},
		{"same", "slower", "starts to cost time"},
		{"slower", "same", "stops costing time"},
		{"slower", "faster", "turns from a loss into a gain"},
	};

	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		if (strcmp(turns[i].before, before) == 0 && strcmp(turns[i].after, after) == 0)
			return turns[i].words;
	}
	return "";
}

/* Three digits, in full: "131,000". */
static double rounded(double x)
{
	double unit = pow(10, floor(log10(x)) - 2);

	return unit > 1 ? unit * round(x / unit) : round(x);
}

/* "between chunk = 1 and 4 (near 2), double buffering starts to pay"; without what is in brackets if it is `brief`. */
static void crossover_words(const json_t *sweep, const json_t *crossover, bool brief, char *text, size_t size)
{
	const char *param = axis_param(sweep, "x");
	double from = tree_real(crossover, "from"), to = tree_real(crossover, "to");
	double about = rounded(tree_real(crossover, "x"));
	char count[FORMAT_SIZE];

	clip_append(text, size, "between %s = ", param);
	add_value(text, size, param, from);
	clip_append(text, size, " and ");
	add_value(text, size, param, to);
	if (about > from && about < to && !brief)
		clip_append(text, size, " (near %s)", format_count(count, sizeof(count), about));
	if (tree_true(crossover, "gap") && !brief)
		clip_append(text, size, " (nothing clear in between)");
	clip_append(text, size, ", %s %s", subject(sweep),
		turn(tree_text(crossover, "before"), tree_text(crossover, "after")));
}

/* ---- the finding ---- */

static void add_place(const json_t *sweep, const json_t *point, char *text, size_t size)
{
	clip_append(text, size, "%s = ", axis_param(sweep, "x"));
	add_value(text, size, axis_param(sweep, "x"), tree_real(point, "x"));
	if (tree_has(sweep, "y")) {
		clip_append(text, size, ", %s = ", axis_param(sweep, "y"));
		add_value(text, size, axis_param(sweep, "y"), tree_real(point, "y"));
	}
}

/* ". The largest gain is 1.500×, at chunk = 4": `which` of the tally, "best" or "worst". */
static void add_extreme(const json_t *sweep, const char *which, const char *what, char *text, size_t size)
{
	const json_t *tally = json_object_get(sweep, "tally");
	const json_t *point = tree_find(json_object_get(sweep, "points"), "case", tree_text(tally, which));
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	char value[FORMAT_SIZE];

	if (!tree_has(tally, which))
		return;
	clip_append(text, size, ". %s is %s, at ", what,
		format_ratio_within(value, sizeof(value), tree_real(speedup, "value"), low, high));
	add_place(sweep, point, text, size);
}

/* Where a verdict was possible: nothing can overlap with one chunk. */
static const char *places(const json_t *tally, bool one)
{
	if (tree_real(tally, "nothing") > 0)
		return one ? "point where something can overlap" : "points where something can overlap";
	return one ? "measured point" : "measured points";
}

/* "pays at 3 of 9 measured points, costs time at 2 and makes no difference at 4" */
static void add_counts(const json_t *tally, char *text, size_t size)
{
	static const struct {
		const char *verdict, *verb;
	} verbs[] = {
		{"faster", "pays"},
		{"slower", "costs time"},
		{"same", "makes no difference"},
		{"unclear", "gets no clear verdict"},
	};
	double compared = tree_real(tally, "compared"), left = compared;

	for (size_t v = 0; v < sizeof(verbs) / sizeof(verbs[0]); v++) {
		double count = tree_real(tally, verbs[v].verdict);

		if (!(count > 0))
			continue;
		if (count == compared)
			clip_append(text, size, "%s at %s %s", verbs[v].verb, compared == 1 ? "the only" : "every",
				places(tally, true));
		else if (left == compared)
			clip_append(text, size, "%s at %.0f of %.0f %s", verbs[v].verb, count, compared,
				places(tally, false));
		else
			clip_append(text, size, "%s %s at %.0f", left == count ? " and" : ",", verbs[v].verb, count);
		left -= count;
	}
}

/* Where no point was compared. */
static const char *nothing_compared(const json_t *tally)
{
	return tree_real(tally, "nothing") > 0 ? "nothing can overlap at any measured point" : "no point was measured";
}

static void count_points(const json_t *sweep, char *text, size_t size)
{
	const json_t *tally = json_object_get(sweep, "tally");

	clip_print(text, size, "%s", tree_real(tally, "compared") > 0 ? "" : nothing_compared(tally));
	add_counts(tally, text, size);
}

/* A sentence about the first; how many more there are. */
static void add_crossovers(const json_t *sweep, char *text, size_t size)
{
	const json_t *crossovers = json_object_get(sweep, "crossovers"), *first = json_array_get(crossovers, 0);
	char sentence[CROSSOVER_SIZE] = "";
	size_t n = json_array_size(crossovers);

	if (n == 0)
		return;
	if (tree_has(sweep, "y")) {
		clip_append(sentence, sizeof(sentence), "at %s = ", axis_param(sweep, "y"));
		add_value(sentence, sizeof(sentence), axis_param(sweep, "y"), tree_real(first, "y"));
		clip_append(sentence, sizeof(sentence), ", ");
	}
	crossover_words(sweep, first, true, sentence, sizeof(sentence));
	*sentence = (char)toupper((unsigned char)*sentence);
	clip_append(text, size, ". %s", sentence);
	if (n > 1)
		clip_append(text, size, " (and %zu more crossover%s)", n - 1, n == 2 ? "" : "s");
}

/* The crossovers have their texts. */
static void finding_words(const json_t *sweep, char *text, size_t size)
{
	const json_t *tally = json_object_get(sweep, "tally");

	if (!(tree_real(tally, "compared") > 0)) {
		clip_print(text, size, "%s",
			tree_real(tally, "nothing") > 0 ? "Nothing can overlap at any measured point"
							: "No point of this sweep was measured");
		return;
	}
	clip_print(text, size, "%s ", subject(sweep));
	if (is_double(sweep))
		*text = (char)toupper((unsigned char)*text);
	add_counts(tally, text, size);
	add_extreme(sweep, "best", "The largest gain", text, size);
	add_extreme(sweep, "worst", "The largest loss", text, size);
	add_crossovers(sweep, text, size);
}

/* The rule, or else how many points have which verdict. */
static void put_when(json_t *sweep)
{
	json_t *rule = json_object_get(sweep, "rule");
	char text[FINDING_SIZE];

	if (json_is_object(rule))
		rule_words(rule, text, sizeof(text));
	else
		count_points(sweep, text, sizeof(text));
	if (json_is_object(rule))
		put_json(rule, "text", text_json(text));
	put_json(sweep, "when", text_json(text));
}

void sweep_words(json_t *sweep)
{
	char finding[FINDING_SIZE];
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(sweep, "points"), i, entry) put_reason(sweep, entry);
	json_array_foreach(json_object_get(sweep, "crossovers"), i, entry)
	{
		char text[CROSSOVER_SIZE] = "";

		crossover_words(sweep, entry, false, text, sizeof(text));
		put_json(entry, "text", text_json(text));
	}
	finding_words(sweep, finding, sizeof(finding));
	put_json(sweep, "finding", text_json(finding));
	put_when(sweep);
	under_way_words(sweep);
	sustained_words(sweep);
}
