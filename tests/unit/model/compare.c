/* compare.c: two recordings compared: pairing, ratios, gains on two models of GPU, what is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/compare.h"
#include "fixtures/compare-fixture.h"
#include "words/compare.h"

/* ---- the ratio ---- */

static void test_ratio(void **state)
{
	const struct recorded fresh = {.runs = 3, .b_ns = {80, 80.1, 79.9}, .measured_mhz = 1970};
	json_t *tree = compare(&plain, &fresh);
	const json_t *b = comparison(tree, "b"), *ratio = json_object_get(b, "ratio");
	const json_t *gain = json_object_get(json_array_get(json_object_get(tree, "families"), 0), "gain");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(tree, "format")), "dbprof-compare");
	assert_int_equal(json_integer_value(json_object_get(tree, "schema")), 1);
	assert_near(number(ratio, "value"), 1.25, 0.002);
	assert_true(number(ratio, "low") > 1.24 && number(ratio, "low") < number(ratio, "value"));
	assert_true(number(ratio, "high") < 1.26 && number(ratio, "high") > number(ratio, "value"));
	assert_near(side_number(b, "base", "median_ns"), 100, 0.1);
	assert_near(side_number(b, "new", "median_ns"), 80, 0.1);
	assert_near(side_number(b, "new", "blocks"), 3 * BLOCKS, 0);
	assert_near(side_number(b, "new", "runs"), 3, 0);
	verdict_is(tree, "a", "same");
	verdict_is(tree, "b", "faster");
	assert_int_equal(compare_count(tree, "same"), 1);
	assert_int_equal(compare_count(tree, "faster"), 1);
	assert_near(number(json_object_get(gain, "base"), "value"), 2, 0.005);
	assert_near(number(json_object_get(gain, "new"), "value"), 2.5, 0.005);
	assert_int_equal(json_array_size(json_object_get(b, "failed")), 0);
	json_decref(tree);
}

/* Runs of one code that differ by more than the two recordings do decide nothing, however alike their samples are. */
static void test_spread_from_run_to_run(void **state)
{
	const struct recorded base = {.runs = 3, .b_ns = {96, 100, 104}, .measured_mhz = 1970};
	const struct recorded fresh = {.runs = 3, .b_ns = {99, 103, 107}, .measured_mhz = 1970};
	json_t *tree = compare(&base, &fresh);

	(void)state;
	verdict_is(tree, "b", "unclear");
	assert_int_equal(json_array_size(json_object_get(comparison(tree, "b"), "failed")), 0);
	assert_int_equal(json_array_size(json_object_get(tree, "advice")), 1);
	json_decref(tree);
}

static void test_one_run_each(void **state)
{
	const struct recorded once = {.runs = 1, .b_ns = {100}, .measured_mhz = 1970};
	json_t *tree = compare(&once, &once);

	(void)state;
	verdict_is(tree, "b", "unclear");
	check_is(tree, "runs", 0, 1);
	check_is(tree, "samples", 1, BLOCKS);
	assert_true(json_is_null(json_object_get(json_object_get(comparison(tree, "b"), "ratio"), "low")));
	assert_non_null(strstr(json_string_value(json_array_get(json_object_get(tree, "advice"), 0)), "--runs"));
	json_decref(tree);
	tree = compare(&once, &plain);
	check_is(tree, "runs", 1, 3);
	assert_true(isfinite(number(json_object_get(comparison(tree, "b"), "ratio"), "low")));
	json_decref(tree);
}

/* ---- two models of GPU ---- */

/* Double takes b_ns on another model of GPU, where single takes 300 ns. */
static void write_on_another_gpu(double b_ns, int runs)
{
	struct recording *rec = fixture_begin("new.sqlite");

	fixture_row(rec, "GPU id=0 cuDevice=0 name=G computeMajor=8 computeMinor=6");
	fixture_row(rec, "FAMILY name=f ord=0 title=F single=a double=b");
	fixture_row(rec, "VARIANT family=f name=a ord=0 kind=candidate buffers=1");
	fixture_row(rec, "VARIANT family=f name=b ord=1 kind=candidate buffers=2");
	fixture_row(rec, "CASE family=f label=c ord=0 verifyOnly=0");
	for (int run = 0; run < runs; run++) {
		write_samples(rec, "a", run, 300, 1970, 1980);
		write_samples(rec, "b", run, b_ns, 1970, 1980);
	}
	fixture_end(rec);
}

/* The gain in new over that in base, 2: its verdict, which the summary counts. */
static void gain_gives(double b_ns, double ratio, const char *verdict)
{
	struct error err = {0};
	json_t *tree;
	const json_t *gain;

	write_on_another_gpu(b_ns, 3);
	tree = build("base.sqlite", "new.sqlite", NULL, 0, &err);
	assert_non_null(tree);
	gain = json_object_get(json_array_get(json_object_get(tree, "families"), 0), "gain");
	assert_near(number(json_object_get(gain, "ratio"), "value"), ratio, 0.01);
	assert_true(number(json_object_get(gain, "ratio"), "low") < ratio + 0.01);
	assert_true(number(json_object_get(gain, "ratio"), "high") > ratio - 0.01);
	assert_string_equal(json_string_value(json_object_get(gain, "verdict")), verdict);
	assert_int_equal(compare_count(tree, verdict), 1);
	json_decref(tree);
}

/* Times of two models of GPU are not compared, but what double buffering gains on each. */
static void test_another_gpu(void **state)
{
	json_t *tree;
	struct error err = {0};

	(void)state;
	write_recording("base.sqlite", &plain);
	gain_gives(150, 1, "same");
	gain_gives(100, 1.5, "faster");
	gain_gives(200, 0.75, "slower");
	tree = build("base.sqlite", "new.sqlite", NULL, 0, &err);
	assert_non_null(tree);
	assert_string_equal(json_string_value(json_object_get(tree, "mode")), "gains");
	assert_int_equal(
		json_array_size(json_object_get(json_array_get(json_object_get(tree, "families"), 0), "comparisons")),
		0);
	assert_non_null(
		strstr(json_string_value(json_object_get(check(json_object_get(tree, "evidence"), "gpu"), "text")),
			"compute capability is 9.0 in base, 8.6 in new"));
	assert_true(json_is_null(json_object_get(check(json_object_get(tree, "evidence"), "software"), "ok")));
	json_decref(tree);
}

/* A gain needs evidence as a time does. */
static void test_gain_of_one_run(void **state)
{
	const struct recorded once = {.runs = 1, .b_ns = {100}, .measured_mhz = 1970};
	const json_t *gain;
	json_t *tree;
	struct error err = {0};

	(void)state;
	write_recording("base.sqlite", &once);
	write_on_another_gpu(200, 1);
	tree = build("base.sqlite", "new.sqlite", NULL, 0, &err);
	assert_non_null(tree);
	gain = json_object_get(json_array_get(json_object_get(tree, "families"), 0), "gain");
	assert_string_equal(json_string_value(json_object_get(gain, "verdict")), "unclear");
	assert_string_equal(json_string_value(json_array_get(json_object_get(gain, "failed"), 0)), "runs");
	json_decref(tree);
}

/* ---- what is compared ---- */

/* A file and a copy of it hold one recording; another date, or one other sample, makes it another. */
static void test_same_recording(void **state)
{
	struct recorded other = plain;
	struct error err = {0};
	json_t *tree;

	(void)state;
	write_recording("base.sqlite", &plain);
	tree = build("base.sqlite", "base.sqlite", NULL, 0, &err);
	assert_string_equal(json_string_value(json_object_get(tree, "mode")), "same-recording");
	assert_int_equal(json_array_size(json_object_get(tree, "families")), 0);
	assert_int_equal(compare_count(tree, "unclear"), 0);
	json_decref(tree);
	other.b_ns[2] *= 1.0001;
	tree = compare(&plain, &other);
	assert_string_equal(json_string_value(json_object_get(tree, "mode")), "times");
	json_decref(tree);
	tree = compare(&plain, &plain);
	assert_string_equal(json_string_value(json_object_get(tree, "mode")), "times");
	json_decref(tree);
}

static void test_choice(void **state)
{
	static const char *const b[] = {"f/b"}, *const c[] = {"f/a/c"}, *const none[] = {"f/b/d"};
	struct error err = {0};
	json_t *tree;

	(void)state;
	write_recording("base.sqlite", &plain);
	write_recording("new.sqlite", &plain);
	tree = build("base.sqlite", "new.sqlite", b, 1, &err);
	assert_int_equal(compare_count(tree, "same"), 1);
	comparison(tree, "b");
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(tree, "families"), 0), "gain")));
	json_decref(tree);
	tree = build("base.sqlite", "new.sqlite", c, 1, &err);
	comparison(tree, "a");
	json_decref(tree);
	assert_null(build("base.sqlite", "new.sqlite", none, 1, &err));
	assert_non_null(strstr(err.text, "'f/b/d'"));
}

static void test_missing(void **state)
{
	static const char *const rows[] = {
		"VARIANT family=f name=late ord=2 kind=candidate buffers=1",
		"VARIANT family=f name=part ord=3 kind=loads buffers=1",
		"VARIANT family=f name=race ord=4 kind=candidate buffers=1 teachesFailure=1",
		"CASE family=f label=s1 ord=1 verifyOnly=0 sweep=s",
		"CASE family=f label=s2 ord=2 verifyOnly=0 sweep=s",
		"CASE family=f label=odd ord=3 verifyOnly=1",
		NULL,
	};
	struct recorded other = plain;
	json_t *tree, *lines;

	(void)state;
	other.rows = rows;
	tree = compare(&plain, &other);
	assert_int_equal(json_array_size(json_object_get(tree, "missing")), 3);
	lines = compare_missing_lines(tree);
	assert_int_equal(json_array_size(lines), 2);
	assert_string_equal(json_string_value(json_array_get(lines, 0)), "f/late: only new has it");
	assert_string_equal(json_string_value(json_array_get(lines, 1)), "f, sweep s, 2 cases: only new has them");
	json_decref(lines);
	json_decref(tree);
}

/* Each process has a row; a pass that failed in one of them says more than one that was skipped. */
static void test_worst_pass(void **state)
{
	static const char *const rows[] = {
		"VARIANT family=f name=late ord=2 kind=candidate buffers=1",
		"PASS family=f pass=time status=done",
		"PASS family=f pass=time status=skipped reason=\"no time left\"",
		"PASS family=f pass=time status=failed reason=\"it crashed\"",
		"PASS family=f pass=time status=skipped reason=\"interrupted\"",
		NULL,
	};
	static const char *const timed[] = {
		"VARIANT family=f name=late ord=2 kind=candidate buffers=1",
		"SAMPLE family=f variant=late caseLabel=c block=0 position=0 launches=10 ns=5 run=0",
		NULL,
	};
	struct recorded base = plain, other = plain;
	json_t *tree;

	(void)state;
	base.rows = timed;
	other.rows = rows;
	tree = compare(&base, &other);
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(json_object_get(tree, "missing"), 0), "reason")),
		"it crashed");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_ratio),
		scratch_test(test_spread_from_run_to_run),
		scratch_test(test_one_run_each),
		scratch_test(test_another_gpu),
		scratch_test(test_gain_of_one_run),
		scratch_test(test_same_recording),
		scratch_test(test_choice),
		scratch_test(test_missing),
		scratch_test(test_worst_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
