/* climb.c: what is said of a ladder: one sentence, at most two numbers, and none where nothing was timed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "words/climb.h"

static json_t *ladder(const char *text)
{
	json_error_t error;
	json_t *family = json_loads(text, JSON_DECODE_ANY, &error);

	if (!family)
		fail_msg("%s", error.text);
	climb_words(family, json_object_get(family, "passes"));
	return family;
}

static const json_t *first(const json_t *family)
{
	return json_array_get(json_object_get(family, "climbs"), 0);
}

static void the_top_is_held_against_the_reference(void **state)
{
	json_t *family =
		ladder("{\"throughput_unit\": \"GFLOP/s\", \"climbs\": [{\"top\": \"b\", \"fastest\": \"b\", "
		       "\"fastest\": \"b\", \"reference\": \"lib\", "
		       "\"rungs\": [{\"variant\": \"a\"}, {\"variant\": \"b\", \"speed\": 4.659e13, \"share\": "
		       "{\"value\": 0.9457}}]}]}");

	(void)state;
	assert_string_equal(
		tree_text(first(family), "text"), "The top rung, b, does 46.6 TFLOP/s, which is 94.6 % of lib.");
	assert_string_equal(tree_text(first(family), "brief"), "top rung b: 46.6 TFLOP/s, 94.6 % of lib");
	json_decref(family);
}

static void the_fastest_is_told_where_it_is_not_the_top(void **state)
{
	json_t *family =
		ladder("{\"throughput_unit\": \"GFLOP/s\", \"climbs\": [{\"top\": \"c\", \"fastest\": \"b\", "
		       "\"reference\": \"lib\", \"rungs\": [{\"variant\": \"b\", \"speed\": 2.16e13, \"share\": "
		       "{\"value\": 0.617}}, {\"variant\": \"c\", \"speed\": 1.23e13, \"share\": null}]}]}");

	(void)state;
	assert_string_equal(tree_text(first(family), "text"),
		"The fastest rung, b, does 21.6 TFLOP/s, which is 61.7 % of lib; the top, c, does 12.3 TFLOP/s.");
	assert_string_equal(tree_text(first(family), "brief"),
		"fastest rung b: 21.6 TFLOP/s, 61.7 % of lib; the top, c: 12.3 TFLOP/s");
	json_decref(family);
}

static void what_the_top_would_lose_most_by_is_told(void **state)
{
	json_t *family =
		ladder("{\"climbs\": [{\"top\": \"d\", \"without\": ["
		       "{\"change\": \"padding\", \"over\": \"d\", \"contrast\": {\"verdict\": \"faster\", "
		       "\"speedup\": {\"value\": 1.067}}},"
		       "{\"change\": \"stages\", \"over\": \"a lower rung\", \"contrast\": {\"verdict\": \"faster\", "
		       "\"speedup\": {\"value\": 1.5}}},"
		       "{\"change\": \"cp.async\", \"over\": \"d\", \"contrast\": {\"verdict\": \"faster\", "
		       "\"speedup\": {\"value\": 1.1194, \"low\": 1.1161, \"high\": 1.1231}}},"
		       "{\"change\": \"luck\", \"contrast\": {\"verdict\": \"unclear\", \"speedup\": {\"value\": 2}}},"
		       "{\"change\": \"TMA\", \"contrast\": null}]}, {\"without\": []}]}");

	(void)state;
	assert_string_equal(tree_text(first(family), "worth"), "worth most: cp.async, 1.119×");
	assert_false(tree_has(json_array_get(json_object_get(family, "climbs"), 1), "worth"));
	json_decref(family);
}

static void without_a_change_the_variant_is_named(void **state)
{
	json_t *family = ladder("{\"climbs\": [{\"top\": \"d\", \"without\": [{\"variant\": \"top-scalar\", "
				"\"over\": \"d\", \"change\": null, "
				"\"contrast\": {\"verdict\": \"faster\", \"speedup\": {\"value\": 1.322}}}]}]}");

	(void)state;
	assert_string_equal(tree_text(first(family), "worth"), "worth most: without top-scalar, 1.322×");
	json_decref(family);
}

#define UNCOUNTED                                                                                                      \
	"{\"kernel_bound\": true, \"verdict\": \"faster\", \"single_ns\": 2, \"double_ns\": 1, \"time\": null}"
#define RUNGS "\"rungs\": [{\"variant\": \"a\", \"contrast\": null}, {\"variant\": \"b\", \"contrast\": " UNCOUNTED "}]"

/* What is said of rungs without counters in the headline case; "" is said of none. */
static void assert_uncounted(const char *passes, const char *text)
{
	char tree[1024];
	json_t *family;

	snprintf(tree, sizeof(tree),
		"{\"name\": \"f\", \"passes\": [%s], \"climbs\": [{\"headline\": true, " RUNGS "}]}", passes);
	family = ladder(tree);
	assert_string_equal(tree_text(first(family), "uncounted"), text);
	json_decref(family);
}

static void the_pass_that_counts_is_named(void **state)
{
	(void)state;
	assert_uncounted("{\"family\": \"other\", \"pass\": \"counters\", \"status\": \"done\"}",
		"Not every rung has counters: the counters pass, which was not run, takes them (--passes=counters).");
	assert_uncounted("{\"family\": \"f\", \"pass\": \"counters\", \"status\": \"done\"}",
		"Not every rung has counters: the counters pass, which takes them, left some rungs out.");
	assert_uncounted(
		"{\"family\": \"f\", \"pass\": \"counters\", \"status\": \"skipped\", \"reason\": \"no permission\"}",
		"Not every rung has counters: the counters pass, which takes them, was skipped: no permission.");
	assert_uncounted("{\"family\": \"f\", \"pass\": \"counters\", \"status\": \"failed\", \"reason\": null}",
		"Not every rung has counters: the counters pass, which takes them, failed.");
}

/* It counts the headline case, so another one has to be set. */
static void other_cases_are_counted_if_they_are_set(void **state)
{
	static const char *const cases =
		"{\"name\": \"f\", \"cases\": [{\"label\": \"big\", \"headline\": true, \"params\": [{\"name\": \"n\", "
		"\"value\": 4096}, {\"name\": \"k\", \"value\": 8}]}, {\"label\": \"small\", \"params\": [{\"name\": "
		"\"n\", "
		"\"value\": 1024}, {\"name\": \"k\", \"value\": 8}]}], \"climbs\": [{\"case\": \"small\", " RUNGS
		"}, {\"case\": \"small\", \"rungs\": [{\"contrast\": {\"kernel_bound\": true, \"verdict\": "
		"\"same\"}}]}]}";
	json_t *family = ladder(cases);
	const json_t *rung = json_array_get(json_object_get(first(family), "rungs"), 1);

	(void)state;
	assert_string_equal(tree_text(first(family), "uncounted"),
		"No counters here: the counters pass takes them in case big, or here with --set=n=1024.");
	assert_string_equal(tree_text(json_object_get(rung, "contrast"), "because"), "not explained: no counters");
	/* Where there is nothing to explain, none are missed. */
	assert_false(tree_has(json_array_get(json_object_get(family, "climbs"), 1), "uncounted"));
	json_decref(family);
}

/* Names that redaction made are none that a command takes. */
static void hidden_parameters_are_not_set(void **state)
{
	json_t *family =
		ladder("{\"name\": \"f\", \"cases\": [{\"label\": \"big\", \"headline\": true, \"params\": [{\"name\": "
		       "\"parameter-5b6ff0a1\", \"value\": 4096}]}, {\"label\": \"small\", \"params\": [{\"name\": "
		       "\"parameter-5b6ff0a1\", \"value\": 1024}]}], \"climbs\": [{\"case\": \"small\", " RUNGS "}]}");

	(void)state;
	assert_string_equal(tree_text(first(family), "uncounted"),
		"No counters here: the counters pass takes them in case big alone.");
	json_decref(family);
}

static void without_a_reference_there_is_no_share(void **state)
{
	json_t *family = ladder("{\"throughput_unit\": \"GB/s\", \"climbs\": [{\"top\": \"b\", \"fastest\": \"b\", "
				"\"reference\": null, \"rungs\": "
				"[{\"variant\": \"b\", \"speed\": 2e12, \"share\": null}]}]}");

	(void)state;
	assert_string_equal(
		tree_text(first(family), "text"), "The top rung, b, does 2.00 TB/s; there is no reference.");
	assert_string_equal(tree_text(first(family), "brief"), "top rung b: 2.00 TB/s");
	json_decref(family);
}

static void without_a_time_nothing_is_said(void **state)
{
	json_t *family = ladder("{\"climbs\": [{\"top\": null, \"rungs\": [{\"variant\": \"b\", \"share\": null}]}]}");

	(void)state;
	assert_false(tree_has(first(family), "text"));
	assert_false(tree_has(first(family), "brief"));
	json_decref(family);
}

static void throttling_is_told(void **state)
{
	json_t *family =
		ladder("{\"throughput_unit\": \"GB/s\", \"climbs\": [{\"top\": \"b\", \"fastest\": \"b\", "
		       "\"reference\": null, \"references\": [{\"variant\": \"lib\", \"as_asked\": null, "
		       "\"throttled\": true}], \"rungs\": [{\"variant\": \"b\", \"speed\": 2e12, \"share\": null}]}]}");
	json_t *nothing = ladder("{\"climbs\": [{\"top\": null, \"fastest\": null, \"rungs\": "
				 "[{\"variant\": \"b\", \"throttled\": true, \"share\": null}]}]}");

	(void)state;
	assert_string_equal(tree_text(first(family), "text"),
		"The top rung, b, does 2.00 TB/s; no reference has a time, since the GPU was throttled.");
	assert_string_equal(tree_text(json_array_get(json_object_get(first(family), "references"), 0), "text"),
		"lib draws no line: the GPU was throttled, so its times are set apart.");
	assert_string_equal(tree_text(first(nothing), "text"), "No rung has a time: the GPU was throttled.");
	assert_string_equal(tree_text(first(nothing), "brief"), "no rung has a time: the GPU was throttled");
	json_decref(family);
	json_decref(nothing);
}

/* Why a rung has no time; one with a time has no such word. */
static void a_rung_without_a_time_says_why(void **state)
{
	static const char *const why[] = {"not supported here: no TMA",
		"its result is wrong, so its time is not reported", "the GPU was throttled, so its times are set apart",
		"not timed", ""};
	json_t *family =
		ladder("{\"climbs\": [{\"rungs\": [{\"unsupported\": \"no TMA\"}, {\"withheld\": true}, "
		       "{\"throttled\": true}, {\"throttled\": false}, {\"throttled\": true, \"speed\": 2e12}]}]}");
	const json_t *rungs = json_object_get(first(family), "rungs");

	(void)state;
	for (size_t i = 0; i < sizeof(why) / sizeof(*why); i++)
		assert_string_equal(tree_text(json_array_get(rungs, i), "missing"), why[i]);
	json_decref(family);
}

static void another_kernel_is_told(void **state)
{
	json_t *family = ladder(
		"{\"climbs\": [{\"references\": ["
		"{\"variant\": \"lib\", \"as_asked\": true, \"asked\": \"x\", \"kernel\": \"xy(int)\"},"
		"{\"variant\": \"tf\", \"as_asked\": false, \"asked\": \"x|y\", \"kernel\": \"void a::z<1>(P)\"},"
		"{\"variant\": \"un\", \"as_asked\": false, \"asked\": \"x\", \"kernel\": null}]}]}");
	const json_t *references = json_object_get(first(family), "references");

	(void)state;
	assert_false(tree_has(json_array_get(references, 0), "text"));
	assert_string_equal(tree_text(json_array_get(references, 1), "text"),
		"tf ran a::z<1>, not a kernel with x or y in its name: it draws no line.");
	assert_string_equal(tree_text(json_array_get(references, 2), "text"),
		"un ran another kernel in another case: it draws no line.");
	json_decref(family);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_top_is_held_against_the_reference),
		cmocka_unit_test(the_fastest_is_told_where_it_is_not_the_top),
		cmocka_unit_test(what_the_top_would_lose_most_by_is_told),
		cmocka_unit_test(without_a_change_the_variant_is_named),
		cmocka_unit_test(the_pass_that_counts_is_named),
		cmocka_unit_test(other_cases_are_counted_if_they_are_set),
		cmocka_unit_test(hidden_parameters_are_not_set),
		cmocka_unit_test(without_a_reference_there_is_no_share),
		cmocka_unit_test(without_a_time_nothing_is_said),
		cmocka_unit_test(throttling_is_told),
		cmocka_unit_test(a_rung_without_a_time_says_why),
		cmocka_unit_test(another_kernel_is_told),
	};

	return cmocka_run_group_tests_name("climb", tests, NULL, NULL);
}
