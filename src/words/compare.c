/* compare.c: see compare.h. */
#include "words/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

static const char *compare_known(const json_t *object, const char *key)
{
	return tree_has(object, key) ? tree_text(object, key) : "unknown";
}

/* ---- sweeps ---- */

/* The checks that failed, with how often: " (runs 34, clock 2)". */
static void failed_words(json_t *failed, char *text, size_t size)
{
	const char *name;
	json_t *count;

	text[0] = '\0';
	json_object_foreach(failed, name, count) clip_append(
		text, size, "%s%s %lld", *text ? ", " : " (failed: ", name, (long long)json_integer_value(count));
	if (*text)
		clip_append(text, size, ")");
}

static void slowest_words(const json_t *slowest, double band, char *text, size_t size)
{
	const json_t *ratio = json_object_get(slowest, "ratio");
	char value[RATIO_SIZE], interval[INTERVAL_SIZE];

	text[0] = '\0';
	if (!json_is_object(slowest))
		return;
	compare_interval_words(ratio, band, interval, sizeof(interval));
	snprintf(text, size, "; slowest: %s at %s, %s (%s)", tree_text(slowest, "variant"), tree_text(slowest, "case"),
		compare_ratio_words(ratio, band, value, sizeof(value)), interval);
}

void compare_sweep_words(const json_t *sweep, double band, char *text, size_t size)
{
	char failed[256], slowest[1536];

	failed_words(json_object_get(sweep, "failed"), failed, sizeof(failed));
	slowest_words(json_object_get(sweep, "slowest"), band, slowest, sizeof(slowest));
	snprintf(text, size, "sweep %s, %.0f times compared: %.0f same, %.0f faster, %.0f slower, %.0f unclear%s%s",
		tree_text(sweep, "sweep"), tree_real(sweep, "points"), tree_real(sweep, "same"),
		tree_real(sweep, "faster"), tree_real(sweep, "slower"), tree_real(sweep, "unclear"), failed, slowest);
}

/* ---- names and ratios ---- */

char *compare_variant_words(const json_t *comparison, char *text, size_t size)
{
	clip_print(text, size, "%.200s", tree_text(comparison, "variant"));
	if (tree_has(comparison, "variant_in_new"))
		clip_append(text, size, ", %.200s in new", tree_text(comparison, "variant_in_new"));
	return text;
}

/* With a kernel of another grid. */
static bool shares_its_name(const json_t *comparison, const json_t *comparisons)
{
	const json_t *grid = json_object_get(comparison, "grid");
	const char *name = tree_text(comparison, "variant");
	const json_t *other;
	size_t i;

	json_array_foreach(comparisons, i, other)
	{
		if (strcmp(tree_text(other, "variant"), name) == 0 && !json_equal(json_object_get(other, "grid"), grid))
			return true;
	}
	return false;
}

/* "64×2": a grid without what is 1 at its end. */
static void append_grid(const json_t *grid, char *text, size_t size)
{
	size_t n = json_array_size(grid);

	while (n > 1 && json_number_value(json_array_get(grid, n - 1)) <= 1)
		n--;
	for (size_t i = 0; i < n; i++)
		clip_append(text, size, "%s%.0f", i ? "×" : "", json_number_value(json_array_get(grid, i)));
}

static void launch_grid_words(const json_t *comparison, const json_t *comparisons, char *text, size_t size)
{
	const json_t *base = json_object_get(comparison, "grid"), *fresh = json_object_get(comparison, "grid_in_new");

	if (strcmp(tree_text(comparison, "matched"), "sum") == 0) {
		clip_print(text, size, ", all grids");
	} else if (json_is_array(base) && shares_its_name(comparison, comparisons)) {
		clip_print(text, size, ", grid ");
		append_grid(base, text, size);
		if (json_is_array(fresh) && !json_equal(base, fresh)) {
			clip_append(text, size, "→");
			append_grid(fresh, text, size);
		}
	}
}

/* "21", "1.50". */
static char *mean_count_words(char *text, size_t size, double count)
{
	return count < floor(count) + 0.005 ? format_count(text, size, count) : format_quantity(text, size, count);
}

char *compare_launches_words(const json_t *comparison, const json_t *comparisons, double band, char *text, size_t size)
{
	double base = tree_real(comparison, "launches"), fresh = tree_real(comparison, "launches_in_new");
	char before[FORMAT_SIZE], after[FORMAT_SIZE];

	text[0] = '\0';
	launch_grid_words(comparison, comparisons, text, size);
	if (fabs(fresh / base - 1) > band)
		clip_append(text, size, ", %s→%s launches", mean_count_words(before, sizeof(before), base),
			mean_count_words(after, sizeof(after), fresh));
	return text;
}

char *compare_ratio_words(const json_t *ratio, double band, char *text, size_t size)
{
	return format_judged_ratio(
		text, size, tree_real(ratio, "value"), tree_real(ratio, "low"), tree_real(ratio, "high"), band);
}

double compare_side_ns(const json_t *side)
{
	return tree_real(side, tree_has(side, "mean_ns") ? "mean_ns" : "median_ns");
}

char *compare_time_words(const json_t *side, double band, char *text, size_t size)
{
	double counted = compare_side_ns(side), all = tree_real(side, "all_parts_ns");
	char ns[FORMAT_SIZE];

	clip_print(text, size, "%s", format_time_ns(ns, sizeof(ns), counted));
	if (fabs(all / counted - 1) > band)
		clip_append(text, size, ", %s with all parts", format_time_ns(ns, sizeof(ns), all));
	return text;
}

bool compare_check_is_told(const json_t *check)
{
	return json_is_false(json_object_get(check, "ok")) || tree_true(json_object_get(check, "facts"), "apart");
}

void compare_interval_words(const json_t *ratio, double band, char *text, size_t size)
{
	if (isnan(tree_real(ratio, "low")))
		snprintf(text, size, "n/a");
	else
		format_judged_ratios(text, size, tree_real(ratio, "low"), tree_real(ratio, "high"), band);
}

void compare_gain_words(const json_t *family, char *text, size_t size)
{
	const json_t *gain = json_object_get(family, "gain");
	const json_t *base = json_object_get(gain, "base"), *fresh = json_object_get(gain, "new");
	char before[RATIO_SIZE], after[RATIO_SIZE], interval[INTERVAL_SIZE], later[INTERVAL_SIZE];

	compare_interval_words(base, 0, interval, sizeof(interval));
	compare_interval_words(fresh, 0, later, sizeof(later));
	snprintf(text, size, "speed-up of %s over %s at %s: %s (%s) in base, %s (%s) in new",
		tree_text(family, "double"), tree_text(family, "single"), tree_text(gain, "case"),
		compare_ratio_words(base, 0, before, sizeof(before)), interval,
		compare_ratio_words(fresh, 0, after, sizeof(after)), later);
}

const char *compare_gain_verdict(const char *verdict)
{
	if (strcmp(verdict, "faster") == 0)
		return "a larger gain";
	if (strcmp(verdict, "slower") == 0)
		return "a smaller gain";
	return strcmp(verdict, "same") == 0 ? "the same gain" : "not clear which gains more";
}

static void gain_on_words(const json_t *tree, const json_t *gain, const char *side, char *text, size_t size)
{
	const json_t *ratio = json_object_get(gain, side);
	char value[RATIO_SIZE], interval[INTERVAL_SIZE];

	compare_interval_words(ratio, 0, interval, sizeof(interval));
	snprintf(text, size, "%s (%s) on %.80s", compare_ratio_words(ratio, 0, value, sizeof(value)), interval,
		compare_known(json_object_get(json_object_get(tree, side), "device"), "name"));
}

/* Why a gain is unclear: the first check that it fails; "" if it fails none. */
static const char *gain_doubt(const json_t *gain)
{
	static const char *const doubts[][2] = {
		{"method", " (times were taken in two ways)"},
		{"samples", " (one side has too few blocks of samples)"},
		{"runs", " (neither side has two runs)"},
	};
	const char *failed = json_string_value(json_array_get(json_object_get(gain, "failed"), 0));

	for (size_t i = 0; failed && i < sizeof(doubts) / sizeof(doubts[0]); i++)
		if (strcmp(failed, doubts[i][0]) == 0)
			return doubts[i][1];
	return "";
}

void compare_gains_words(const json_t *tree, const json_t *family, char *text, size_t size)
{
	const json_t *gain = json_object_get(family, "gain");
	char base[SENTENCE_SIZE / 4], fresh[SENTENCE_SIZE / 4];

	gain_on_words(tree, gain, "base", base, sizeof(base));
	gain_on_words(tree, gain, "new", fresh, sizeof(fresh));
	snprintf(text, size, "%s, %s: %s%s", base, fresh, compare_gain_verdict(tree_text(gain, "verdict")),
		gain_doubt(gain));
}

/* ---- many comparisons ---- */

void compare_alone_words(const json_t *tree, char *text, size_t size)
{
	double n = tree_real(json_object_get(tree, "summary"), "one_process");

	text[0] = '\0';
	if (n > 0)
		snprintf(text, size,
			"%.0f point%s of sweeps %s timed by one process on each side: a ratio, but no verdict.", n,
			n == 1 ? "" : "s", n == 1 ? "was" : "were");
}

static size_t count_intervals(const json_t *tree)
{
	const json_t *family, *comparison;
	size_t n = 0, i, k;

	json_array_foreach(json_object_get(tree, "families"), i, family)
	{
		json_array_foreach(json_object_get(family, "comparisons"), k, comparison) n +=
			tree_has(json_object_get(comparison, "ratio"), "low");
	}
	return n;
}

void compare_chance_words(const json_t *tree, char *text, size_t size)
{
	size_t n = count_intervals(tree);

	text[0] = '\0';
	if (n >= 2)
		snprintf(text, size,
			"Of %zu intervals at 95 %%, about %.*f miss the true ratio by chance alone: one that lies just "
			"beside the band is weak evidence until another pair of recordings shows it again.",
			n, n < 200, (double)n / 20);
}

/* ---- recordings ---- */

void compare_recording_words(const json_t *recording, char *text, size_t size)
{
	const json_t *versions = json_object_get(recording, "versions");

	snprintf(text, size, "%.200s, driver %.80s, CUDA %.80s, dbprof %.80s, %.80s",
		compare_known(json_object_get(recording, "device"), "name"), compare_known(versions, "driver"),
		compare_known(versions, "cuda_runtime"), compare_known(versions, "dbprof"),
		compare_known(recording, "created"));
}

/* ---- what has no counterpart ---- */

static bool alike(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"family", "variant", "sweep", "in"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
			return false;
	}
	return tree_has(a, "sweep");
}

/* How many points of the same sweep are missing in the same way, from entry `at` on; 0 if an earlier one spoke for
 * them. An entry that is no point of a sweep stands alone. */
static size_t count_alike(const json_t *missing, size_t at)
{
	const json_t *entry = json_array_get(missing, at);
	size_t n = 1;

	for (size_t i = 0; i < at; i++) {
		if (alike(entry, json_array_get(missing, i)))
			return 0;
	}
	for (size_t i = at + 1; i < json_array_size(missing); i++)
		n += alike(entry, json_array_get(missing, i));
	return n;
}

/* Of a kernel. In steps it is known what the other one runs besides those that count. */
static void one_sided_words(const json_t *entry, char *text, size_t size)
{
	const char *in = tree_text(entry, "in"), *other = strcmp(in, "base") == 0 ? "new" : "base";
	bool open = tree_true(entry, "left_open");

	clip_print(text, size, "%.200s/%.200s: %sonly %s %s it: %.200s", tree_text(entry, "family"),
		tree_text(entry, "variant"), tree_has(entry, "elsewhere") ? "in the steps that count " : "", in,
		open ? "is known to have" : "has", tree_text(entry, "reason"));
	if (tree_true(entry, "elsewhere"))
		clip_append(text, size, "; %s runs it elsewhere", other);
	else if (open)
		clip_append(text, size, "; records of %s are missing or untimed", other);
}

/* "FAMILY/VARIANT, case CASE: only base has it": what is not there is left out. */
static json_t *missing_line(const json_t *entry, size_t n)
{
	const char *variant = tree_text(entry, "variant"), *label = tree_text(entry, "case");
	const char *in = tree_text(entry, "in"), *reason = tree_text(entry, "reason");
	bool sweep = tree_has(entry, "sweep");
	char where[512] = "", text[1536];

	if (tree_has(entry, "left_open")) {
		one_sided_words(entry, text, sizeof(text));
		return text_json(text);
	}
	if (sweep)
		snprintf(where, sizeof(where), ", sweep %.200s, %zu case%s", tree_text(entry, "sweep"), n,
			n == 1 ? "" : "s");
	else if (*label)
		snprintf(where, sizeof(where), ", case %.200s", label);
	snprintf(text, sizeof(text), "%.200s%s%.200s%s: only %s has %s%s%.400s", tree_text(entry, "family"),
		*variant ? "/" : "", variant, where, in,
		*variant && *label ? "times"
		: sweep && n > 1   ? "them"
				   : "it",
		*reason ? ": " : "", reason);
	return text_json(text);
}

json_t *compare_missing_lines(const json_t *tree)
{
	const json_t *missing = json_object_get(tree, "missing"), *entry;
	json_t *lines = json_array();
	size_t i;

	json_array_foreach(missing, i, entry)
	{
		size_t n = count_alike(missing, i);

		if (n)
			append_json(lines, missing_line(entry, n));
	}
	return lines;
}

json_t *compare_causes_words(const json_t *tree)
{
	const json_t *programs = json_object_get(tree, "programs");
	const json_t *of[] = {tree_headline_contrast(programs), tree_program_contrast(programs)};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if ((i == 0 || of[i] != of[0]) && tree_has(of[i], "cause"))
			append_json(list, json_incref(json_object_get(of[i], "cause")));
	return list;
}
