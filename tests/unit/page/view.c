/* view.c: the text that the templates of the report print. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "tree/tree.h"
#include "page/view/view.h"

static json_t *view_of(json_t *model)
{
	json_t *drawn = json_pack("{s:s}", "pipe-timeline", "<svg/>");
	const struct view_input input = {.model = model, .drawn = drawn};
	json_t *view = view_build(&input);

	json_decref(drawn);
	return view;
}

/* The view of the family; the page is handed back in *page for json_decref(). */
static const json_t *family_view(json_t **page)
{
	json_t *model = model_of(family_json, recording_json);

	*page = view_of(model);
	json_decref(model);
	const json_t *recording = json_array_get(json_object_get(*page, "recordings"), 0);
	return json_array_get(json_object_get(recording, "families"), 0);
}

static const char *text_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_string(value));
	return json_string_value(value);
}

static void test_verdict_and_speedup(void **state)
{
	json_t *page;
	const json_t *family = family_view(&page);

	(void)state;
	assert_string_equal(text_of(json_object_get(family, "verdict"), "word"), "faster");
	assert_string_equal(text_of(json_object_get(family, "verdict"), "sign"), "▲");
	assert_string_equal(text_of(json_object_get(family, "speedup"), "value"), "1.280×");
	assert_string_equal(text_of(json_object_get(family, "speedup"), "interval"), "1.270× to 1.290×");
	assert_string_equal(text_of(family, "cause"), "Copies overlap <kernels>.");
	assert_string_equal(text_of(family, "hidden"), "50.0 %");
	json_decref(page);
}

/* A template that finds no speed-up in a case looks for one in the family: null must stop it. */
static void test_absent_is_null(void **state)
{
	json_t *page;
	const json_t *family = family_view(&page);
	const json_t *cases = json_object_get(family, "cases");
	const json_t *ragged = json_array_get(cases, 2), *race = json_array_get(json_object_get(family, "variants"), 2);

	(void)state;
	assert_true(json_is_null(json_object_get(ragged, "speedup")));
	assert_true(json_is_true(json_object_get(ragged, "verify_only")));
	assert_true(json_is_null(json_object_get(race, "time")));
	assert_true(json_is_null(json_object_get(race, "resources")));
	assert_true(json_is_null(json_object_get(family, "durations"))); /* not among the drawn figures */
	json_decref(page);
}

static void test_results_of_variants(void **state)
{
	json_t *page;
	const json_t *variants = json_object_get(family_view(&page), "variants");

	(void)state;
	assert_string_equal(
		text_of(json_array_get(variants, 0), "result"), "right in 3 of 3 runs, 1,000 elements each");
	assert_string_equal(text_of(json_array_get(variants, 1), "result"), "not supported here: no 'copy' engine");
	assert_string_equal(text_of(json_array_get(variants, 2), "result"),
		"wrong on purpose: 1,204 of 25,600 elements wrong in the worst of 50 runs, 47 of them wrong");
	const json_t *hazards = json_object_get(json_array_get(variants, 2), "hazards");
	assert_int_equal(json_array_size(hazards), 2);
	assert_true(json_is_null(json_object_get(json_array_get(hazards, 1), "command")));
	assert_string_equal(text_of(json_array_get(hazards, 0), "text"), "It races.");
	const char *command = "compute-sanitizer --tool racecheck --target-processes all dbprof record --once "
			      "-o hazards.sqlite pipe/race";
	assert_string_equal(text_of(json_array_get(hazards, 0), "command"), command);
	assert_int_equal(json_array_size(json_object_get(json_array_get(variants, 0), "hazards")), 0);
	const json_t *time = json_object_get(json_array_get(variants, 0), "time");
	assert_string_equal(text_of(time, "median"), "4.00 µs");
	assert_string_equal(text_of(time, "quartiles"), "−0.50 % to +1.00 %");
	assert_string_equal(text_of(time, "throughput"), "3.00 GB/s");
	json_decref(page);
}

static void test_what_changed(void **state)
{
	json_t *page;
	const json_t *changed = json_object_get(family_view(&page), "changed");
	const json_t *exposed = tree_find(changed, "anchor", "def-exposed-copy");
	const json_t *time = tree_find(changed, "anchor", "def-median");

	(void)state;
	assert_string_equal(text_of(exposed, "single"), "150 ns");
	assert_string_equal(text_of(exposed, "double"), "n/a");
	assert_string_equal(text_of(exposed, "ratio"), "n/a");
	assert_string_equal(text_of(time, "single"), "4.00 µs");
	assert_string_equal(text_of(time, "single_note"), "−0.25 % to +0.25 %");
	assert_null(tree_find(changed, "anchor", "def-duplex")); /* no side has it */
	json_decref(page);
}

static void test_code_lines(void **state)
{
	json_t *page;
	const json_t *code = json_object_get(family_view(&page), "code");
	const json_t *only = json_array_get(code, 1), *changed = json_array_get(code, 2);

	(void)state;
	assert_int_equal(json_array_size(code), 3);
	assert_string_equal(text_of(json_object_get(only, "a"), "sign"), "+");
	assert_true(json_is_null(json_object_get(only, "b")));
	assert_string_equal(text_of(json_object_get(changed, "b"), "sign"), "~");
	assert_string_equal(text_of(json_object_get(changed, "b"), "number"), "10");
	json_decref(page);
}

static void test_evidence(void **state)
{
	json_t *page;
	const json_t *family = family_view(&page);
	const json_t *checks = json_object_get(family, "checks"), *counts = json_object_get(family, "counts");

	(void)state;
	assert_string_equal(text_of(json_array_get(checks, 0), "word"), "passed");
	assert_string_equal(text_of(json_array_get(checks, 1), "word"), "not measured");
	assert_int_equal(json_array_size(counts), 1);
	assert_string_equal(text_of(json_array_get(counts, 0), "class"), "bad");
	assert_string_equal(
		text_of(json_array_get(counts, 0), "text"), "10 counted on the host, 9 recorded by the profiler");
	assert_string_equal(text_of(family, "repeat"), "dbprof run pipe --seed=7");
	json_decref(page);
}

static void test_head(void **state)
{
	json_t *page;

	(void)family_view(&page);
	const json_t *head = json_array_get(json_object_get(page, "recordings"), 0);

	(void)state;
	assert_true(json_is_true(json_object_get(head, "shipped")));
	const json_t *reasons = json_object_get(head, "reasons");
	assert_int_equal(json_array_size(reasons), 1);
	assert_string_equal(json_string_value(json_array_get(reasons, 0)), "pipe, trace: skipped: no CUPTI");
	json_decref(page);
}

static void test_script_json_is_safe_and_whole(void **state)
{
	json_t *page;
	const json_t *picture = json_object_get(family_view(&page), "picture");
	const char *data = text_of(picture, "data");

	(void)state;
	assert_null(strchr(data, '<'));
	json_t *back = json_loads(data, 0, NULL);
	const json_t *run = json_array_get(json_object_get(back, "runs"), 0);
	const json_t *event =
		json_array_get(json_object_get(json_array_get(json_object_get(run, "lanes"), 1), "events"), 0);
	assert_int_equal(json_integer_value(json_array_get(event, 0)), 50);
	assert_int_equal(json_integer_value(json_array_get(event, 1)), 150);
	json_int_t text = json_integer_value(json_array_get(event, 2));
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(back, "texts"), (size_t)text)), "k<1>(int)");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(back, "place"), "pitch")), 27);
	json_decref(back);
	json_decref(page);
}

/* Who waits for whom: what is not known is null, so that the template prints a dash. */
static void test_roles(void **state)
{
	static const char with_roles[] =
		"{'name': 'p', 'variants': [{'name': 'four', 'role': 'double'}], 'roles': [{'case': 'big', 'headline': "
		"true, 'text': 'Nobody waits.', 'variants': [{'variant': 'four', 'cost': 0.0123, 'hidden_share': "
		"0.925, "
		"'exposed': 'one', 'reason': null, 'load_cycles': null, 'consumer': {'wait_share': 0.04, "
		"'wait_cycles': "
		"71.6}, 'producer': {'wait_share': 0.8}}, {'variant': 'one', 'cost': -0.01, 'hidden_share': null, "
		"'exposed': 'one', 'reason': 'it loads nothing ahead', 'load_cycles': 1234.4, 'consumer': "
		"{'wait_share': "
		"0.5, 'wait_cycles': 1500}, 'producer': null}]}, {'case': 'small', 'headline': false, 'text': null, "
		"'variants': []}]}";
	json_t *model = model_of(with_roles, recording_json), *page = view_of(model);
	const json_t *recording = json_array_get(json_object_get(page, "recordings"), 0);
	const json_t *family = json_array_get(json_object_get(recording, "families"), 0);
	const json_t *roles = json_object_get(family, "roles"), *big = json_array_get(roles, 0);
	const json_t *four = json_array_get(json_object_get(big, "rows"), 0);
	const json_t *one = json_array_get(json_object_get(big, "rows"), 1);

	(void)state;
	assert_true(json_is_true(json_object_get(family, "has_roles")));
	assert_true(json_is_false(json_object_get(big, "other")));
	assert_true(json_is_true(json_object_get(json_array_get(roles, 1), "other")));
	assert_string_equal(text_of(four, "class"), "double");
	assert_string_equal(text_of(four, "full"), "4.00 %");
	assert_string_equal(text_of(four, "empty"), "80.0 %");
	assert_string_equal(text_of(four, "wait"), "72");
	assert_true(json_is_null(json_object_get(four, "load")));
	assert_string_equal(text_of(four, "hidden"), "92.5 %");
	assert_string_equal(text_of(four, "exposed"), "one");
	assert_string_equal(text_of(four, "cost"), "+1.23 %");
	assert_true(json_is_null(json_object_get(one, "empty")));
	assert_string_equal(text_of(one, "load"), "1,234");
	assert_true(json_is_null(json_object_get(one, "hidden")));
	assert_true(json_is_null(json_object_get(one, "exposed")));
	assert_string_equal(text_of(one, "reason"), "it loads nothing ahead");
	assert_string_equal(text_of(one, "cost"), "−1.00 %");
	json_decref(page);
	json_decref(model);
}

static void test_families_without_anything(void **state)
{
	json_t *model = model_of("{'name': 'empty'}", recording_json), *page = view_of(model);
	const json_t *recording = json_array_get(json_object_get(page, "recordings"), 0);
	const json_t *family = json_array_get(json_object_get(recording, "families"), 0);

	(void)state;
	assert_string_equal(text_of(json_object_get(family, "verdict"), "word"), "not measured");
	assert_string_equal(text_of(family, "unmeasured"), "the time pass was not run");
	assert_string_equal(text_of(family, "no_picture"), "the trace pass was not run");
	json_decref(page);
	json_decref(model);
}

/* Blanks that lead to a tab stop are a tab; the columns stand as they would with blanks. */
static void test_columns_as_text(void **state)
{
	json_t *rows = json_pack(
		"[[s,s,s],[s,s,s],[s,s,s]]", "name", "time (µs)", "note", "a", "−1", "b", "longer", "12", "c");
	json_t *text = view_columns(rows);

	(void)state;
	assert_string_equal(json_string_value(text), "name\t time (µs)   note\n"
						     "a\t\t−1   b\n"
						     "longer\t\t12   c\n");
	json_decref(text);
	json_decref(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_and_speedup),
		cmocka_unit_test(test_absent_is_null),
		cmocka_unit_test(test_results_of_variants),
		cmocka_unit_test(test_what_changed),
		cmocka_unit_test(test_code_lines),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_script_json_is_safe_and_whole),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_families_without_anything),
		cmocka_unit_test(test_columns_as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
