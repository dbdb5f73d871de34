/* after.c: what became of a place where double buffering would pay, in a second recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "model/trace/after.h"
#include "tree/json.h"
#include "tree/tree.h"

#define PLACE "{'range': 'loop', 'domain': null, 'count': 1}"
#define FIRST                                                                                                          \
	"{'file': 'a', 'program': {'pays': [" PLACE ", " PLACE "]}, 'ranges': ["                                       \
	"{'name': 'loop', 'domain': 'mine', 'count': 1, 'gpus': [{'span_ns': 7}]},"                                    \
	"{'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 400}]}]}"

/* The recordings of a report, after trace_put_after(). */
static json_t *recordings_of(const char *list)
{
	json_t *recordings = parse(list);

	trace_put_after(recordings);
	return recordings;
}

static json_t *place_of(const json_t *recordings, size_t i)
{
	const json_t *program = json_object_get(json_array_get(recordings, 0), "program");

	return json_array_get(json_object_get(program, "pays"), i);
}

static void the_same_range_is_found(void **state)
{
	json_t *recordings =
		recordings_of("[" FIRST ", {'file': 'b', 'program': {'pays': []}, 'ranges': ["
			      "{'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 320}]}]}]");
	const json_t *after = json_object_get(place_of(recordings, 0), "after");

	(void)state;
	assert_string_equal(tree_text(after, "file"), "b");
	assert_int_equal(tree_real(after, "span_ns"), 320);
	assert_true(tree_real(after, "speedup") == 1.25);
	assert_null(json_object_get(place_of(recordings, 1), "after"));
	json_decref(recordings);
}

/* None of these is the same work, as far as the recordings tell. */
/* A loop behind a warm-up is entered more often than its rounds; the range around it tells. */
static void the_range_around_is_found(void **state)
{
	json_t *recordings =
		recordings_of("[{'file': 'a', 'program': {'pays': [{'range': 'step', 'domain': null, 'count': 39, "
			      "'within': 'loop'}]},"
			      "  'ranges': [{'name': 'step', 'domain': null, 'count': 44, 'gpus': [{'span_ns': 9}]},"
			      "             {'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 400}]}]},"
			      " {'file': 'b', 'program': {'pays': []}, 'ranges': ["
			      "  {'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 320}]}]}]");
	const json_t *after = json_object_get(place_of(recordings, 0), "after");

	(void)state;
	assert_string_equal(tree_text(after, "range"), "loop");
	assert_true(tree_real(after, "speedup") == 1.25);
	json_decref(recordings);
}

/* Of a part of a recording the number of rounds is an estimate. */
static void a_number_from_a_part_is_about_right(void **state)
{
	json_t *recordings = recordings_of(
		"[{'file': 'a', 'program': {'pays': [{'range': 'step', 'domain': null, 'count': 99400, "
		"'within': 'loop', 'looked_at': 0.03}]},"
		"  'ranges': [{'name': 'step', 'domain': null, 'count': 100000, 'gpus': [{'span_ns': 400}]},"
		"             {'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 900}]}]},"
		" {'file': 'b', 'program': {'pays': []}, 'ranges': ["
		"  {'name': 'step', 'domain': null, 'count': 100000, 'gpus': [{'span_ns': 320}]}]}]");
	const json_t *after = json_object_get(place_of(recordings, 0), "after");

	(void)state;
	assert_string_equal(tree_text(after, "range"), "step");
	assert_true(tree_real(after, "speedup") == 1.25);
	json_decref(recordings);
}

static void another_range_is_not(void **state)
{
	static const char *const others[] = {
		"'ranges': []",
		"'ranges': [{'name': 'other', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 320}]}]",
		"'ranges': [{'name': 'loop', 'domain': 'mine', 'count': 1, 'gpus': [{'span_ns': 320}]}]",
		"'ranges': [{'name': 'loop', 'domain': null, 'count': 2, 'gpus': [{'span_ns': 320}]}]",
		"'ranges': [{'name': 'loop', 'domain': null, 'count': 1, 'gpus': []}]",
		"'ranges': [{'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 320}, {'span_ns': 1}]}]",
		"'ranges': [{'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': 0}]}]",
		"'ranges': [{'name': 'loop', 'domain': null, 'count': 1, 'gpus': [{'span_ns': null}]}]",
		"'families': []",
	};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		char list[2000];
		json_t *recordings;

		snprintf(list, sizeof list, "[" FIRST ", {'file': 'b', %s}]", others[i]);
		recordings = recordings_of(list);
		assert_true(json_is_null(json_object_get(place_of(recordings, 0), "after")));
		json_decref(recordings);
	}
}

/* A report of one recording, or of many, is no before and after. */
static void two_recordings_are_a_before_and_after(void **state)
{
	static const char *const lists[] = {"[" FIRST "]", "[" FIRST ", " FIRST ", " FIRST "]"};
	json_t *recordings;

	(void)state;
	for (int i = 0; i < 2; i++) {
		recordings = recordings_of(lists[i]);
		assert_true(json_is_null(json_object_get(place_of(recordings, 0), "after")));
		json_decref(recordings);
	}
	recordings = recordings_of("[{'families': []}, " FIRST "]");
	assert_null(place_of(recordings, 0));
	json_decref(recordings);
	recordings = recordings_of("[{'program': {'pays': [{'range': null}]}}, " FIRST "]");
	assert_true(json_is_null(json_object_get(place_of(recordings, 0), "after")));
	json_decref(recordings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_range_is_found),
		cmocka_unit_test(the_range_around_is_found),
		cmocka_unit_test(a_number_from_a_part_is_about_right),
		cmocka_unit_test(another_range_is_not),
		cmocka_unit_test(two_recordings_are_a_before_and_after),
	};

	return cmocka_run_group_tests_name("before and after", tests, NULL, NULL);
}
