/* comparison.c: the sentences of a comparison, made from its numbers and ids. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>

#include "words/comparison.h"
#include "words/comparison-checks.h"

static json_t *parsed(const char *text)
{
	json_error_t error;
	json_t *tree = json_loads(text, 0, &error);

	if (!tree)
		fail_msg("%s: %s", error.text, text);
	return tree;
}

/* A check of a tree with these recordings says `text`, and fails with `failure` (NULL: it does not fail). */
static void check_says(const char *recordings, const char *check, const char *text, const char *failure)
{
	json_t *tree = parsed(recordings), *entry = parsed(check);
	const char *failed;

	comparison_check_words(tree, entry);
	assert_string_equal(json_string_value(json_object_get(entry, "text")), text);
	failed = json_string_value(json_object_get(entry, "failure"));
	if (failure)
		assert_string_equal(failed, failure);
	else
		assert_null(failed);
	assert_null(json_object_get(entry, "facts"));
	assert_null(json_object_get(entry, "missing"));
	json_decref(entry);
	json_decref(tree);
}

static void recordings_are_told_apart(void **state)
{
	static const char other[] = "{\"base\": {\"device\": {\"name\": \"A\", \"compute\": \"9.0\"}},"
				    "\"new\": {\"device\": {\"name\": \"B\", \"compute\": \"8.6\"}}}";

	(void)state;
	check_says(other, "{\"name\": \"gpu\", \"ok\": false, \"missing\": null, \"facts\": {}}",
		"the GPU is A in base, B in new; its compute capability is 9.0 in base, 8.6 in new", "another GPU");
	check_says("{}", "{\"name\": \"gpu\", \"ok\": null, \"missing\": \"one-silent\", \"facts\": {}}",
		"not measured: one of the two recordings does not say", NULL);
	check_says("{}",
		"{\"name\": \"method\", \"ok\": false, \"missing\": null, \"facts\": {\"base\": null, \"new\": \"2\"}}",
		"timed in another way: by another version of dbprof (no method given in base, method 2 in new); record "
		"both with the same version",
		"timed in another way");
}

static void numbers_stand_in_sentences(void **state)
{
	(void)state;
	check_says("{}",
		"{\"name\": \"results\", \"ok\": false, \"figure\": 3, \"limit\": 0, \"missing\": null, \"facts\": "
		"{\"base\": {\"right\": 2, \"runs\": 4}, \"new\": {\"right\": 3, \"runs\": 4}}}",
		"right in 2 of 4 runs in base and 3 of 4 in new, all cases together", "3 of 8 results are wrong");
	check_says("{}",
		"{\"name\": \"results\", \"ok\": false, \"figure\": null, \"missing\": null, \"facts\": "
		"{\"base\": {\"right\": 2, \"runs\": 2}, \"new\": {\"right\": 0, \"runs\": 0}}}",
		"not verified in new: record again with the verify pass", "the results were not verified");
	check_says("{}",
		"{\"name\": \"parameters\", \"ok\": false, \"figure\": 2, \"missing\": null, \"facts\": {\"base\": 3, "
		"\"new\": 2, \"first\": {\"name\": \"n\", \"base\": null, \"new\": 7}}}",
		"n is 7 in new and not there in base", "2 parameters differ");
	check_says("{}",
		"{\"name\": \"clock\", \"ok\": true, \"figure\": 0.01, \"limit\": 0.02, \"missing\": null, \"facts\": "
		"{\"on_gpu\": true, \"base\": 2000, \"new\": 1980}}",
		"median SM clock measured on the GPU 2000 MHz in base, 1980 MHz in new, 1.00 % apart; at most 2 % is "
		"allowed",
		NULL);
	check_says("{}",
		"{\"name\": \"neighbours\", \"ok\": true, \"figure\": 1, \"missing\": null, \"facts\": {\"base\": 1, "
		"\"new\": 1}}",
		"processes on the GPU, dbprof's own included: at most 1 in base, at most 1 in new", NULL);
	check_says("{}",
		"{\"name\": \"neighbours\", \"ok\": false, \"figure\": 3, \"limit\": 1, \"missing\": null, \"facts\": "
		"{\"base\": 3, \"new\": null}}",
		"processes on the GPU, dbprof's own included: at most 3 in base, unknown in new",
		"others used the GPU");
}

/* A reason that a recording gives stays as it is; one that dbprof gives becomes a text. */
static void reasons_and_advice_become_texts(void **state)
{
	json_t *tree =
		parsed("{\"missing\": [{\"reason\": \"it crashed\"}, {\"reason\": {\"id\": \"came-out-wrong\"}}, "
		       "{\"reason\": null}], \"advice\": [{\"id\": \"few-runs\", \"comparisons\": 2}]}");
	const json_t *missing = json_object_get(tree, "missing");
	const char *advice;

	(void)state;
	words_comparison(tree);
	assert_string_equal(json_string_value(json_object_get(json_array_get(missing, 0), "reason")), "it crashed");
	assert_string_equal(json_string_value(json_object_get(json_array_get(missing, 1), "reason")),
		"came out wrong, so it was not timed");
	assert_true(json_is_null(json_object_get(json_array_get(missing, 2), "reason")));
	advice = json_string_value(json_array_get(json_object_get(tree, "advice"), 0));
	assert_memory_equal(advice, "2 unclear for want of runs:", 27);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_are_told_apart),
		cmocka_unit_test(numbers_stand_in_sentences),
		cmocka_unit_test(reasons_and_advice_become_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
