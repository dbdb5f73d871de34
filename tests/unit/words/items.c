/* items.c: what is said of items that go through a pipeline: at most two numbers a sentence, and 25 words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tree/tree.h"
#include "words/items.h"

/* A family of frames whose pair has `held` of 100 held back, each. */
static json_t *family_of(const char *unit, int single_held, int double_held)
{
	json_t *family =
		json_pack("{s:s, s:s, s:s, s:[{s:s, s:[{s:s, s:f, s:i, s:i, s:{s:f, s:f}}, {s:s, s:f, s:i, s:i, "
			  "s:{s:f, s:f}}]}]}",
			"throughput_unit", unit, "single", "one", "double", "two", "items", "case", "c", "variants",
			"variant", "one", "throughput", 11000.0, "n", 100, "held_back", single_held, "latency_ns",
			"mean", 180e3, "p99", 200e3, "variant", "two", "throughput", 20400.0, "n", 100, "held_back",
			double_held, "latency_ns", "mean", 150e3, "p99", 170e3);

	assert_non_null(family);
	items_words(family);
	return family;
}

static const char *text_of(const json_t *family)
{
	return tree_text(json_array_get(json_object_get(family, "items"), 0), "text");
}

static void the_pair_is_told(void **state)
{
	json_t *family = family_of("frames/s", 100, 12);

	(void)state;
	assert_string_equal(text_of(family),
		"Frames a second: 20,400 with two, 11,000 with one. With two the frames are done 150 µs after they "
		"arrive on average, instead of 180 µs. One of a hundred takes longer than 170 µs, instead of 200 µs. "
		"With "
		"one "
		"all of the frames had to wait for a buffer, with two 12.0 %.");
	json_decref(family);
}

static void waiting_alike_is_told_once(void **state)
{
	json_t *none = family_of("frames/s", 0, 0), *all = family_of("GB/s", 100, 100);

	(void)state;
	assert_non_null(strstr(text_of(none), " None of the frames had to wait for a buffer, with either."));
	assert_null(strstr(text_of(all), "a second"));
	assert_non_null(strstr(text_of(all), " All of the items had to wait for a buffer, with either."));
	json_decref(none);
	json_decref(all);
}

/* Without one of the pair nothing is said. */
static void half_a_pair_is_silent(void **state)
{
	json_t *family = family_of("frames/s", 0, 0);

	(void)state;
	json_object_set_new(family, "double", json_string("three"));
	items_words(family);
	assert_string_equal(text_of(family), "");
	json_decref(family);
}

/* Where launches only fill the pipeline, the page says so in the place of a table, or behind what is told of others. */
static void uncounted_items_are_told(void **state)
{
	json_t *family = json_pack("{s:s, s:s, s:s, s:[{s:s, s:[], s:[s, s]}]}", "throughput_unit", "frames/s",
		"single", "one", "double", "two", "items", "case", "c", "variants", "uncounted", "one", "two");

	(void)state;
	assert_non_null(family);
	items_words(family);
	assert_string_equal(
		text_of(family), "No frame counts: a launch has no more than it takes to fill the pipeline.");
	json_decref(family);
	family = family_of("frames/s", 0, 0);
	json_object_set_new(
		json_array_get(json_object_get(family, "items"), 0), "uncounted", json_pack("[s, s]", "three", "four"));
	items_words(family);
	assert_non_null(strstr(text_of(family), " with either. No frame of three, four counts: a launch has no more "
						"than it takes to fill the pipeline."));
	json_decref(family);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pair_is_told),
		cmocka_unit_test(waiting_alike_is_told_once),
		cmocka_unit_test(half_a_pair_is_silent),
		cmocka_unit_test(uncounted_items_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
