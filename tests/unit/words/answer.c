/* answer.c: the sentences over families: the answer, a family's line, and the rules of sweeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "words/answer.h"
#include "words/line.h"
#include "words/noun.h"
#include "words/sweep/rule.h"
#include "words/sweep/under-way.h"

/* ---- families as the tree has them ---- */

/* With a headline contrast, unless `size` is NULL. */
static json_t *family(const char *name, const char *title, bool buffering, const char *size, double gain)
{
	json_t *made = json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:[]}", "name", name, "title", title, "bound_by",
		strstr(title, "Copy") ? "PCIe" : "device memory", "buffering", buffering, "single", "one", "double",
		"two", "contrasts");

	if (size)
		json_array_append_new(json_object_get(made, "contrasts"),
			json_pack("{s:b, s:s, s:s, s:{s:f}}", "headline", true, "verdict", "faster", "size", size,
				"speedup", "value", gain));
	return made;
}

static json_t *recording(json_t *first, json_t *second, json_t *third, json_t *fourth)
{
	json_t *list = json_array(), *all[] = {first, second, third, fourth};

	for (size_t i = 0; i < 4; i++) {
		if (all[i])
			json_array_append_new(list, all[i]);
	}
	return json_pack("{s:o}", "families", list);
}

/* The sentences of an answer have at most 25 words. */
static void assert_short(const char *text)
{
	size_t words = 0;

	for (; *text; text++) {
		words += *text == ' ';
		if (*text == '.' && (text[1] == ' ' || text[1] == '\0')) {
			assert_true(words < 26);
			words = 0;
		}
	}
}

static void assert_answer(json_t *made, const char *wanted)
{
	answer_words(made);
	if (wanted)
		assert_string_equal(tree_text(made, "answer"), wanted);
	else
		assert_true(json_is_null(json_object_get(made, "answer")));
	assert_short(tree_text(made, "answer"));
	json_decref(made);
}

#define STREAM family("stream", "Copy, add, copy back", true, "faster", 1.336)
#define STONE family("scan-kogge-stone", "Kogge-Stone scan in one block", true, "faster", 1.209)
#define HILLIS family("scan-hillis-steele", "Hillis-Steele scan and its race", true, "faster", 1.104)
#define SGEMM(size, gain) family("sgemm", "Tiled matrix product (SGEMM)", true, size, gain)
#define UNTIMED json_pack("{s:s, s:s, s:b}", "name", "tiles", "title", "Tiles", "buffering", 1)

/* ---- the answer ---- */

static void all_win(void **state)
{
	(void)state;
	assert_answer(recording(STONE, HILLIS, SGEMM("faster", 1.06), STREAM),
		"Double buffering wins in all 4 families that test it: 1.34× for copies, 1.10 to 1.21× for scans, "
		"1.06× for SGEMM.");
	assert_answer(recording(STONE, STREAM, NULL, NULL),
		"Double buffering wins in both families that test it: 1.34× for copies, 1.21× for scans.");
	assert_answer(recording(STREAM, NULL, NULL, NULL), "Double buffering wins: 1.34× for copies.");
}

/* A family whose pass failed might have lost. */
static void some_were_not_timed(void **state)
{
	(void)state;
	assert_answer(recording(STREAM, UNTIMED, NULL, NULL),
		"Double buffering wins in the one family that was timed (1 was not): 1.34× for copies.");
	assert_answer(recording(STREAM, UNTIMED, STONE, UNTIMED),
		"Double buffering wins in both families that were timed (2 were not): 1.34× for copies, 1.21× for "
		"scans.");
}

static void gains_of_every_size(void **state)
{
	(void)state;
	assert_answer(recording(STONE, HILLIS, SGEMM("slightly-faster", 1.014), STREAM),
		"Yes for copies (1.34×) and scans (1.10 to 1.21×); hardly for SGEMM (1.01×).");
	assert_answer(recording(SGEMM("slightly-faster", 1.014), NULL, NULL, NULL), "Hardly for SGEMM (1.01×).");
	assert_answer(
		recording(STREAM, SGEMM("same", 1), NULL, NULL), "Yes for copies (1.34×). No difference for SGEMM.");
	assert_answer(recording(SGEMM("slower", 0.61), NULL, NULL, NULL), "No for SGEMM (0.61×).");
	assert_answer(
		recording(SGEMM("slightly-slower", 0.98), NULL, NULL, NULL), "Slightly slower for SGEMM (0.98×).");
	assert_answer(recording(SGEMM("unclear", 1.02), NULL, NULL, NULL), "Unclear for SGEMM.");
	assert_answer(recording(SGEMM("slower", 0.9),
			      family("tile-pipeline", "When a tile's second buffer helps", true, "unclear", 1.01), NULL,
			      NULL),
		"No for SGEMM (0.90×); unclear for tiles.");
}

/* "Yes for scans; hardly for scans" tells nobody which. */
static void one_noun_with_two_meanings_gives_way_to_names(void **state)
{
	(void)state;
	assert_answer(
		recording(STONE,
			family("scan-hillis-steele", "Hillis-Steele scan and its race", true, "slightly-faster", 1.014),
			STREAM, NULL),
		"Yes for copies (1.34×) and scan-kogge-stone (1.21×); hardly for scan-hillis-steele (1.01×).");
}

static void nothing_to_answer_with(void **state)
{
	json_t *swept = SGEMM(NULL, 0);

	(void)state;
	assert_answer(recording(NULL, NULL, NULL, NULL), NULL);
	assert_answer(recording(family("warp-scan", "Prefix sum of a warp", false, "faster", 1.03), NULL, NULL, NULL),
		"No family in this recording tests double buffering.");
	assert_answer(recording(SGEMM(NULL, 0), NULL, NULL, NULL), "No family that tests double buffering was timed.");
	json_object_set_new(swept, "holds", json_pack("{s:i, s:i}", "pays", 6, "of", 7));
	assert_answer(recording(swept, NULL, NULL, NULL),
		"Only sweeps were measured: double buffering pays at 6 of 7 points.");
}

/* A point of a sweep that costs time is told, unless a pair says "no" itself. */
static void the_worst_point_is_told(void **state)
{
	json_t *sgemm = SGEMM("slightly-faster", 1.01), *lost = SGEMM("slower", 0.9);

	(void)state;
	json_object_set_new(sgemm, "holds", json_pack("{s:i, s:i, s:f}", "pays", 6, "of", 7, "worst", 0.605));
	assert_answer(recording(sgemm, NULL, NULL, NULL),
		"Hardly for SGEMM (1.01×). In sweeps it can cost time: 0.60× for SGEMM.");
	json_object_set_new(lost, "holds", json_pack("{s:i, s:i, s:f}", "pays", 6, "of", 7, "worst", 0.605));
	assert_answer(recording(lost, NULL, NULL, NULL), "No for SGEMM (0.90×).");
}

/* Of many kinds clauses count instead of naming, those with most first: sentences stay short. */
static void many_families(void **state)
{
	static const char *const sizes[] = {
		"faster", "slightly-faster", "same", "slightly-slower", "slower", "unclear"};
	json_t *made = recording(NULL, NULL, NULL, NULL);
	char name[32];

	(void)state;
	for (int i = 0; i < 24; i++) {
		snprintf(name, sizeof(name), "family%d", i);
		json_array_append_new(json_object_get(made, "families"), family(name, "x", true, sizes[i % 6], 1 + i));
	}
	assert_answer(made,
		"Yes for family18 (19.0×), family12 (13.0×), family6 (7.00×) and family0 (1.00×); hardly for family19 "
		"(20.0×), family13 (14.0×), family7 (8.00×) and family1 (2.00×). No difference for 4 families; "
		"slightly slower for 4 families (4.00 to 22.0×); no for 4 families (5.00 to "
		"23.0×); unclear for 4 families.");
}

/* ---- nouns ---- */

static void nouns_come_from_name_and_title(void **state)
{
	static const struct {
		const char *name, *title, *noun;
	} nouns[] = {
		{"stream", "Copy, add, copy back", "copies"},
		{"scan-kogge-stone", "Kogge-Stone scan in one block", "scans"},
		{"sgemm", "Tiled matrix product (SGEMM)", "SGEMM"},
		{"tile-pipeline", "When a tile's second buffer helps", "tiles"},
		{"my-copy", "A copy of mine", "copies"},
		{"block-hash", "Hash of a message", "hashes"},
		{"toy-tiles", "Made-up tiles", "tiles"},
		{"my-family", "A moving average, tile by tile", "my-family"},
		{"a", "a", "a"},
		{"-", "", "-"},
		{"", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]); i++) {
		json_t *made = family(nouns[i].name, nouns[i].title, true, NULL, 0);
		char noun[NOUN_SIZE];

		family_noun(made, noun);
		assert_string_equal(noun, nouns[i].noun);
		json_decref(made);
	}
}

/* ---- lines ---- */

static void lines_are_aligned(void **state)
{
	json_t *made = recording(STONE, STREAM, family("warp", "Prefix sum", false, "faster", 12.34), SGEMM(NULL, 0));
	json_t *list = json_object_get(made, "families");
	json_t *contrast = json_array_get(json_object_get(json_array_get(list, 1), "contrasts"), 0);
	static const char *const lines[] = {
		"1.21×  scan-kogge-stone",
		"1.34×  stream            copies in and out overlap for 258 µs",
		"12.3×  warp              two against one",
		"  n/a  sgemm             not measured",
	};

	(void)state;
	json_object_set_new(contrast, "because", json_string("copies in and out overlap for 258 µs"));
	line_words(list);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_string_equal(tree_text(json_array_get(list, i), "line"), lines[i]);
	json_decref(made);
}

/* ---- rules ---- */

/* `inside` and `outside` as {"points", "pays", "costs", "same", "unclear", "nothing"}. */
static void assert_rule(const char *rule, const char *wanted)
{
	json_t *made = json_loads(rule, 0, NULL);
	char text[512];

	assert_non_null(made);
	rule_words(made, text, sizeof(text));
	assert_string_equal(text, wanted);
	json_decref(made);
}

#define RULE(verdict, variable, relation, threshold, inside, outside)                                                  \
	"{\"verdict\": \"" verdict "\", \"variable\": " variable ", \"title\": \"size\", \"relation\": \"" relation    \
	"\", \"threshold\": " threshold ", \"inside\": {" inside "}, \"outside\": {" outside "}}"
#define NONE "\"points\": 0"

static void rules_in_words(void **state)
{
	(void)state;
	assert_rule(RULE("faster", "\"chunks\"", ">=", "4", "\"points\": 17, \"pays\": 17",
			    "\"points\": 32, \"pays\": 0, \"nothing\": 32"),
		"pays at all 17 points with four chunks or more");
	assert_rule(RULE("faster", "\"waves\"", "<=", "0.97", "\"points\": 8, \"pays\": 6, \"unclear\": 2",
			    "\"points\": 10, \"pays\": 1"),
		"pays at 6 of 8 points with 0.97 waves of blocks or fewer (2 unclear), and at 1 of 10 others");
	assert_rule(RULE("slower", "\"blocks-per-sm\"", "<=", "1", "\"points\": 6, \"costs\": 6",
			    "\"points\": 12, \"costs\": 0"),
		"costs time at all 6 points with one block on an SM or fewer, and at none of 12 others");
	assert_rule(RULE("faster", "\"x\"", ">=", "65536", "\"points\": 9, \"pays\": 9", "\"points\": 5, \"pays\": 0"),
		"pays at all 9 points with size = 65,536 or more, and at none of 5 others");
	assert_rule(RULE("faster", "\"chunk-bytes\"", "<=", "1048576", "\"points\": 9, \"pays\": 9", NONE),
		"pays at all 9 points with chunks of 1.00 MiB or less");
	assert_rule(RULE("faster", "\"working-set\"", ">=", "2.56", "\"points\": 9, \"pays\": 9", NONE),
		"pays at all 9 points that move 2.56× the L2 cache or more");
	assert_rule(RULE("faster", "\"compute-per-load\"", "<=", "5.07", "\"points\": 9, \"pays\": 9", NONE),
		"pays at all 9 points where computing takes at most 5.07× the loading time");
	assert_rule(RULE("slower", "\"blocks-kept\"", "<=", "0.5", "\"points\": 9, \"costs\": 9", NONE),
		"costs time at all 9 points where double keeps 50.0 % of single's blocks or less");
	assert_rule(RULE("faster", "null", "", "null", "\"points\": 36, \"pays\": 33, \"unclear\": 3", NONE),
		"pays at 33 of 36 points (3 unclear)");
	assert_rule(RULE("same", "null", "", "null", "\"points\": 9, \"same\": 9", "\"points\": 4, \"nothing\": 4"),
		"makes no difference at all 9 points where something can overlap");
}

/* ---- bytes under way ---- */

static void assert_under_way(const char *needed, const char *curves, const char *wanted)
{
	char text[1024];
	json_t *sweep;

	snprintf(text, sizeof(text), "{'band': 0.01, 'y': {'param': 'tile'}, 'under_way': {%s, 'curves': [%s]}}",
		needed, curves);
	for (char *quote = text; (quote = strchr(quote, '\'')); quote++)
		*quote = '"';
	sweep = json_loads(text, 0, NULL);
	assert_non_null(sweep);
	under_way_words(sweep);
	assert_string_equal(tree_text(json_object_get(sweep, "under_way"), "text"), wanted);
	assert_short(wanted);
	json_decref(sweep);
}

#define NEEDED "'needed_low_bytes': 6300, 'needed_high_bytes': 6301"
#define CURVE(least, from, most) "{'least_bytes': " least ", 'from_bytes': " from ", 'most_bytes': " most "}"

static void bytes_under_way_in_words(void **state)
{
	json_t *older = json_loads("{\"under_way\": null}", 0, NULL);

	(void)state;
	under_way_words(older);
	assert_true(json_is_null(json_object_get(older, "under_way")));
	json_decref(older);
	assert_under_way(NEEDED, CURVE("2048", "8192", "32768"),
		"Predicted: at least 6.15 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: the gain of more bytes "
		"falls below 1 % from 8.00 KiB on.");
	assert_under_way("'needed_low_bytes': 6300, 'needed_high_bytes': 7000", CURVE("8192", "8192", "32768"),
		"Predicted: at least 6.15 KiB to 6.84 KiB must be under way on an SM, if memory answers as when it is "
		"idle. Measured: the gain of "
		"more bytes falls below 1 % from 8.00 KiB (the least that was measured) on.");
	assert_under_way(NEEDED, CURVE("2048", "8192", "32768") "," CURVE("4096", "16384", "65536"),
		"Predicted: at least 6.15 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: the gain of more bytes "
		"falls below 1 %. Depending on tile, that is from 8.00 KiB to 16.0 KiB on.");
	assert_under_way(NEEDED, CURVE("2048", "2048", "32768") "," CURVE("4096", "16384", "65536"),
		"Predicted: at least 6.15 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: the gain of more bytes "
		"falls below 1 %. Depending on tile, that is from 2.00 KiB (the least that was measured) to 16.0 KiB "
		"on.");
	assert_under_way(NEEDED, CURVE("2048", "null", "16384") "," CURVE("4096", "16384", "65536"),
		"Predicted: at least 6.15 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: the gain of more bytes "
		"falls below 1 % from 16.0 KiB on. At 1 of 2 values of tile it does not.");
	assert_under_way(NEEDED, CURVE("2048", "null", "16384"),
		"Predicted: at least 6.15 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: up to 16.0 KiB, the most "
		"that was measured, more bytes still gain 1 % or more.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_win),
		cmocka_unit_test(some_were_not_timed),
		cmocka_unit_test(gains_of_every_size),
		cmocka_unit_test(one_noun_with_two_meanings_gives_way_to_names),
		cmocka_unit_test(nothing_to_answer_with),
		cmocka_unit_test(the_worst_point_is_told),
		cmocka_unit_test(many_families),
		cmocka_unit_test(nouns_come_from_name_and_title),
		cmocka_unit_test(lines_are_aligned),
		cmocka_unit_test(rules_in_words),
		cmocka_unit_test(bytes_under_way_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
