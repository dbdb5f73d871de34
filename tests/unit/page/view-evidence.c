/* view-evidence.c: how the page says what a verdict rests on, what failed, and how near a pipeline is to its
 * floor.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/pair-fixture.h"
#include "page/view/view.h"

/* Two checks of which both failed, and one that passed. */
static const char evidence_json[] =
	"[{'name': 'results', 'ok': true, 'figure': 0, 'limit': 0, 'bound': 'at most', 'unit': 'count', 'text': "
	"'right',"
	"  'failure': null},"
	" {'name': 'samples', 'ok': false, 'figure': 8, 'limit': 12, 'bound': 'at least', 'unit': 'count', 'text': '8',"
	"  'failure': '8 blocks of samples, 12 are needed'},"
	" {'name': 'clock', 'ok': false, 'figure': 0.031, 'limit': 0.02, 'bound': 'at most', 'unit': 'share', 'text': "
	"'x',"
	"  'failure': 'clocks differ by 3.1 %'},"
	" {'name': 'cycles', 'ok': null, 'figure': null, 'limit': null, 'bound': null, 'unit': 'ratio',"
	"  'text': 'not measured: no clock', 'failure': null}]";

static const char floor_json[] =
	"[{'case': 'big', 'headline': true, 'schedules': [{'variant': 'both', 'median_ns': 3000, 'low_ns': 2970,"
	"  'high_ns': 3015}], 'shortest': 'both', 'kernels': null, 'loads': null, 'stores': null,"
	"  'floor': {'variant': 'both', 'median_ns': 3000, 'low_ns': 2970, 'high_ns': 3015}, 'bound_by': 'copies',"
	"  'bytes_in': 4096, 'bytes_out': 2048, 'in_bytes_s': 4e9, 'out_bytes_s': null, 'one_way_ns': null,"
	"  'two_way_bytes_s': 2048e6, 'launch_ns': null, 'nearest': 'one', 'nearest_share': {'value': 0.75, 'low': "
	"0.74,"
	"  'high': 0.76}, 'variants': [{'variant': 'one', 'buffers': 1, 'median_ns': 4000, 'low_ns': 3990,"
	"  'high_ns': 4010, 'efficiency': {'value': 0.75, 'low': 0.74, 'high': 0.76}, 'exposed_h2d_ns': 100,"
	"  'exposed_d2h_ns': 50, 'duplex_ns': 0, 'hidden_share': null}]}]";

/* The view of the fixture's family; takes its reference. The page is handed back in *page for json_decref(). */
static const json_t *view_of(json_t *family, json_t **page)
{
	json_t *model = model_with(family), *drawn = json_object();
	const struct view_input input = {.model = model, .drawn = drawn};

	*page = view_build(&input);
	json_decref(model);
	json_decref(drawn);
	return json_array_get(json_object_get(*page, "recordings"), 0);
}

static json_t *headline_contrast(json_t *family)
{
	return json_array_get(json_object_get(family, "contrasts"), 0);
}

static const json_t *first(const json_t *object, const char *list)
{
	return json_array_get(json_object_get(object, list), 0);
}

static json_t *failing_family(void)
{
	json_t *family = parse(family_json), *contrast = headline_contrast(family);

	assert_int_equal(json_object_set_new(contrast, "evidence", parse(evidence_json)), 0);
	assert_int_equal(json_object_set_new(contrast, "verdict", json_string("unclear")), 0);
	return family;
}

#define assert_says(object, key, want) assert_string_equal(tree_text(object, key), want)

static void test_failures_stand_beside_the_verdict(void **state)
{
	static const char failed[] = "8 blocks of samples, 12 are needed; clocks differ by 3.1 %";
	json_t *page;
	const json_t *recording = view_of(failing_family(), &page), *family = first(recording, "families");

	(void)state;
	assert_says(json_object_get(first(recording, "about"), "verdict"), "failed", failed);
	assert_says(json_object_get(first(family, "cases"), "verdict"), "failed", failed);
	assert_says(family, "passed", "1 of 3 checks passed, 1 not measured");
	json_decref(page);
}

static void test_nothing_failed(void **state)
{
	json_t *page;
	const json_t *family = first(view_of(parse(family_json), &page), "families");

	(void)state;
	assert_true(json_is_null(json_object_get(json_object_get(family, "verdict"), "failed")));
	json_decref(page);
}

static void test_checks_have_figures(void **state)
{
	static const char *const want[][3] = {{"✓", "passed", "0, at most 0"}, {"✗", "failed", "8, at least 12"},
		{"✗", "failed", "3.1 %, at most 2 %"}, {"–", "not measured", ""}};
	json_t *page;
	const json_t *checks = json_object_get(first(view_of(failing_family(), &page), "families"), "checks");

	(void)state;
	assert_int_equal(json_array_size(checks), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_says(json_array_get(checks, i), "sign", want[i][0]);
		assert_says(json_array_get(checks, i), "word", want[i][1]);
		assert_says(json_array_get(checks, i), "figure", want[i][2]);
	}
	assert_says(json_array_get(checks, 3), "text", "no clock");
	json_decref(page);
}

static void test_interval_that_rounds_to_one_number(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	assert_int_equal(json_object_set_new(headline_contrast(family), "speedup",
				 parse("{'value': 1.1305, 'low': 1.1302, 'high': 1.1307, 'blocks': 12, 'runs': 3}")),
		0);
	const json_t *speedup = json_object_get(first(view_of(family, &page), "families"), "speedup");
	assert_says(speedup, "interval", "1.1302× to 1.1307×");
	assert_says(speedup, "runs", "3");
	json_decref(page);
}

static void test_observer(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "observer", parse("{'plain_ns': 4000, 'traced_ns': 4100, 'ratio': 1.025}"));
	put_pair(family, "double", "observer", parse("{'plain_ns': 3000, 'traced_ns': 2970, 'ratio': 0.99}"));
	const json_t *view = first(view_of(family, &page), "families"), *rows = json_object_get(view, "observers");
	assert_int_equal(json_array_size(rows), 2);
	assert_says(json_array_get(rows, 0), "plain", "4.00 µs");
	assert_says(json_array_get(rows, 0), "percent", "+2.50 %");
	assert_says(json_array_get(rows, 1), "percent", "−1.00 %");
	assert_says(view, "observed",
		"With activity records on, in another process, the time of a launch changes by −1.00 % to +2.50 %");
	json_decref(page);
}

/* What nobody can count is not written out. */
static void test_observer_far_off(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "observer", parse("{'ratio': 1e99}"));
	const json_t *view = first(view_of(family, &page), "families");
	assert_says(view, "observed",
		"With activity records on, in another process, the time of a launch changes by +1.00e+101 %");
	json_decref(page);
}

/* A variant whose processes lie 1.2 apart shows no effect of 1.1; one whose processes lie 1.01 apart does. */
static void test_observer_within_the_runs(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "observer",
		parse("{'ratio': 1.025, 'runs': 3, 'runs_low_ns': 4000, 'runs_high_ns': 4040}"));
	put_pair(family, "double", "observer",
		parse("{'ratio': 0.9, 'runs': 3, 'runs_low_ns': 3000, 'runs_high_ns': 3600}"));
	const json_t *view = first(view_of(family, &page), "families");
	assert_says(view, "observed",
		"With activity records on, in another process, the time of a launch changes by +2.50 %. Left out "
		"are variants whose timed processes differ by as much among themselves");
	assert_true(json_is_true(json_object_get(json_array_get(json_object_get(view, "observers"), 1), "within")));
	json_decref(page);
}

static void test_floor(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	assert_int_equal(json_object_set_new(family, "floors", parse(floor_json)), 0);
	const json_t *floor = first(first(view_of(family, &page), "families"), "floors");
	const json_t *facts = json_object_get(floor, "facts"), *row = first(floor, "rows");
	assert_says(floor, "best", "one is nearest: the floor is 75.0 % of its time.");
	assert_int_equal(json_array_size(facts), 3);
	assert_says(json_array_get(facts, 0), "value",
		"3.00 µs: both, the shortest of 1 schedule that moves the same bytes both ways without kernels");
	assert_says(json_array_get(facts, 1), "value", "4.00 KiB at 4.00 GB/s");
	assert_says(json_array_get(facts, 2), "value", "6.00 KiB at 2.05 GB/s");
	assert_says(row, "class", "single");
	assert_says(row, "share", "75.0 % (74.0 % to 76.0 %)");
	assert_says(row, "exposed_in", "100 ns");
	assert_true(json_is_null(json_object_get(row, "hidden")));
	assert_true(tree_true(first(floor, "parts"), "is_floor"));
	assert_says(first(floor, "parts"), "interval", "−1.00 % to +0.50 %");
	json_decref(page);
}

/* A variant that is slower than single has no share of anything. */
static void test_hidden_share_of_what_is_slower(void **state)
{
	json_t *family = parse(family_json), *floors = parse(floor_json), *page;
	json_t *rival = json_array_get(json_object_get(json_array_get(floors, 0), "variants"), 0);

	(void)state;
	assert_int_equal(json_object_set_new(rival, "hidden_share", json_real(-10)), 0);
	assert_int_equal(json_object_set_new(family, "floors", floors), 0);
	assert_says(first(first(first(view_of(family, &page), "families"), "floors"), "rows"), "hidden", "– (slower)");
	json_decref(page);
}

/* Those of a kernel stand below the variants, not among them. */
static void test_parts_are_no_variants(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	assert_int_equal(json_array_append_new(json_object_get(family, "variants"),
				 parse("{'name': 'loads-only', 'kind': 'loads', 'part': true, 'buffers': 0, 'cases': ["
				       "{'case': 'big', 'time': {'median_ns': 1000}}]}")),
		0);
	const json_t *view = first(view_of(family, &page), "families");
	assert_int_equal(json_array_size(json_object_get(view, "variants")), 3);
	assert_int_equal(json_array_size(json_object_get(view, "parts")), 1);
	assert_says(first(view, "parts"), "what", "only what comes in");
	assert_says(first(view, "parts"), "time", "1.00 µs");
	json_decref(page);
}

/* Of two programs whose kernels are the same the step's verdict stands at the head. */
static void test_the_verdict_that_decides(void **state)
{
	static const char programs[] =
		"{'name': 'contrast', 'origin': 'programs', 'single': 'a', 'double': 'b', 'same_launches': true,"
		" 'same_code': true, 'verdicts': {'kernel': {'verdict': 'same'},"
		"  'program': {'verdict': 'slower', 'basis': 'range'}},"
		" 'contrasts': [{'case': 'kernels', 'headline': true, 'verdict': 'same', 'size': 'same',"
		"   'speedup': {'value': 1.0, 'low': 0.999, 'high': 1.001}},"
		"  {'case': 'program', 'headline': false, 'verdict': 'slower', 'size': 'slower',"
		"   'speedup': {'value': 0.5, 'low': 0.499, 'high': 0.501}}]}";
	json_t *page;
	const json_t *family = first(view_of(parse(programs), &page), "families");

	(void)state;
	assert_says(json_object_get(family, "verdict"), "word", "slower");
	assert_says(json_object_get(family, "speedup"), "value", "0.500×");
	json_decref(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failures_stand_beside_the_verdict),
		cmocka_unit_test(test_nothing_failed),
		cmocka_unit_test(test_checks_have_figures),
		cmocka_unit_test(test_interval_that_rounds_to_one_number),
		cmocka_unit_test(test_observer),
		cmocka_unit_test(test_observer_far_off),
		cmocka_unit_test(test_observer_within_the_runs),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_hidden_share_of_what_is_slower),
		cmocka_unit_test(test_parts_are_no_variants),
		cmocka_unit_test(test_the_verdict_that_decides),
	};

	return cmocka_run_group_tests_name("view: evidence", tests, NULL, NULL);
}
