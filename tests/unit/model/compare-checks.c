/* compare-checks.c: the checks of two recordings that are compared, with their figures: clock, throttling, method of
 * timing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/compare-fixture.h"

/* ---- the clock ---- */

/* The clock measured on the GPU counts where both have it; else NVML's, which is the same in all these recordings. */
static void test_clock(void **state)
{
	struct recorded other = plain;
	json_t *tree;

	(void)state;
	other.measured_mhz = 1970 * 0.95;
	tree = compare(&plain, &other);
	check_is(tree, "clock", 0, 0.05);
	verdict_is(tree, "a", "unclear");
	json_decref(tree);
	other.measured_mhz = 1970 * 0.985;
	tree = compare(&plain, &other);
	check_is(tree, "clock", 1, 0.015);
	json_decref(tree);
	other.measured_mhz = 0;
	tree = compare(&plain, &other);
	check_is(tree, "clock", 1, 0);
	json_decref(tree);
}

/* All of b's runs take `share` more time than in `plain`, with clocks of 1970 MHz over `slower`. */
static struct recorded other_than_plain(double share, double slower)
{
	struct recorded other = plain;

	for (int run = 0; run < other.runs; run++)
		other.b_ns[run] *= share;
	other.measured_mhz /= slower;
	return other;
}

static void test_gap_of_the_clock_alone(void **state)
{
	const struct recorded other = other_than_plain(1.015, 1.015);
	json_t *tree = compare(&plain, &other);
	const json_t *item = check(json_object_get(comparison(tree, "b"), "evidence"), "cycles");

	(void)state;
	check_is(tree, "clock", 1, 1 - 1 / 1.015);
	check_is(tree, "cycles", 0, 1);
	assert_non_null(strstr(json_string_value(json_object_get(item, "text")), "in SM cycles the ratio is 1.000×"));
	assert_string_equal(json_string_value(json_object_get(item, "failure")), "slower by time, same by cycles");
	assert_near(number(json_object_get(comparison(tree, "b"), "cycles"), "value"), 1, 1e-6);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
}

static void test_gap_in_cycles_too(void **state)
{
	const struct recorded slower = other_than_plain(1.03, 1.005), faster = other_than_plain(0.97, 1);
	json_t *tree = compare(&plain, &slower);

	(void)state;
	check_is(tree, "cycles", 1, 1.005 / 1.03);
	verdict_is(tree, "b", "slower");
	json_decref(tree);
	tree = compare(&plain, &faster);
	check_is(tree, "cycles", 1, 1 / 0.97);
	verdict_is(tree, "b", "faster");
	json_decref(tree);
}

/* A clock that is higher by as much hides that a kernel takes more cycles. */
static void test_gap_that_the_clock_hides(void **state)
{
	const struct recorded other = other_than_plain(1, 1 / 1.015);
	json_t *tree = compare(&plain, &other);

	(void)state;
	check_is(tree, "clock", 1, 1 - 1 / 1.015);
	check_is(tree, "cycles", 0, 1 / 1.015);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
}

/* Then clocks may differ by no more than what counts as the same. */
static void test_clock_without_cycles(void **state)
{
	struct recorded base = plain, other = other_than_plain(1.015, 1);
	json_t *tree;

	(void)state;
	base.measured_mhz = 0;
	other.measured_mhz = 0;
	other.nvml_mhz = 1950;
	tree = compare(&base, &other);
	check_is(tree, "cycles", -1, NAN);
	check_is(tree, "clock", 0, 30.0 / 1980);
	assert_true(json_is_null(json_object_get(comparison(tree, "b"), "cycles")));
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
	other.nvml_mhz = 1962;
	tree = compare(&base, &other);
	check_is(tree, "clock", 1, 18.0 / 1980);
	verdict_is(tree, "b", "slower");
	json_decref(tree);
}

/* Copies do not follow the SM clock: cycles say nothing of them. */
static void test_bound_by_copies(void **state)
{
	struct recorded base = plain, other = other_than_plain(1.015, 1.015);
	const json_t *item;
	json_t *tree;
	size_t i;

	(void)state;
	base.bound_by = "PCIe";
	other.bound_by = "PCIe";
	tree = compare(&base, &other);
	json_array_foreach(json_object_get(comparison(tree, "b"), "evidence"), i, item)
		assert_string_not_equal(json_string_value(json_object_get(item, "name")), "cycles");
	check_is(tree, "clock", 0, 1 - 1 / 1.015);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
	other = other_than_plain(1.03, 1.005);
	other.bound_by = "PCIe";
	tree = compare(&base, &other);
	verdict_is(tree, "b", "slower");
	json_decref(tree);
}

/* ---- other checks ---- */

/* A few throttled blocks are set apart; many are too many. */
static void test_throttling(void **state)
{
	struct recorded other = plain;
	json_t *tree;

	(void)state;
	other.throttled = 9;
	tree = compare(&plain, &other);
	check_is(tree, "throttling", 1, 0.25);
	assert_near(side_number(comparison(tree, "b"), "new", "blocks"), 27, 0);
	assert_near(side_number(comparison(tree, "b"), "new", "set_apart"), 18, 0);
	json_decref(tree);
	other.throttled = 10;
	tree = compare(&plain, &other);
	check_is(tree, "throttling", 0, 10.0 / 36);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
	other.throttled = 36;
	tree = compare(&plain, &other);
	check_is(tree, "throttling", 0, 1);
	check_is(tree, "samples", -1, NAN);
	check_is(tree, "runs", -1, NAN);
	json_decref(tree);
}

/* Two recordings at the power limit can be compared if both say so, and if there are cycles. */
static void test_throttled_by_power(void **state)
{
	struct recorded base = plain, other = plain;
	json_t *tree;

	(void)state;
	base.by_power = other.by_power = true;
	base.throttled = other.throttled = 36;
	base.measured_mhz = other.measured_mhz = 1600;
	tree = compare(&base, &other);
	check_is(tree, "throttling", 1, 1);
	verdict_is(tree, "b", "same");
	assert_near(side_number(comparison(tree, "b"), "new", "set_apart"), 0, 0);
	json_decref(tree);
	base.measured_mhz = other.measured_mhz = 0;
	tree = compare(&base, &other);
	check_is(tree, "throttling", 0, 1);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
	base.throttled = 0;
	base.measured_mhz = other.measured_mhz = 1600;
	tree = compare(&base, &other);
	check_is(tree, "throttling", 0, 1);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
}

static void test_checks_with_figures(void **state)
{
	static const char *const rows[] = {
		"PARAM family=f caseLabel=c name=extra value=7",
		"VERIFY family=f variant=b caseLabel=ragged run=0 elements=5 wrong=2",
		"CLOCK timestamp=1 deviceId=0 smMhz=1980 family=f caseLabel=c block=1 processes=4",
		NULL,
	};
	struct recorded other = plain;
	json_t *tree;

	(void)state;
	tree = compare(&plain, &plain);
	check_is(tree, "parameters", 1, 0);
	check_is(tree, "results", 1, 0);
	check_is(tree, "neighbours", 1, 1);
	json_decref(tree);
	other.rows = rows;
	tree = compare(&plain, &other);
	check_is(tree, "parameters", 0, 1);
	check_is(tree, "results", 0, 1);
	check_is(tree, "neighbours", 0, 4);
	assert_int_equal(json_array_size(json_object_get(comparison(tree, "b"), "failed")), 3);
	json_decref(tree);
}

/* A parameter that is not there is not set, which is 0 where it is there. */
static void test_absent_parameter(void **state)
{
	static const char *const unset[] = {"PARAM family=f caseLabel=c name=late value=0", NULL};
	static const char *const set[] = {"PARAM family=f caseLabel=c name=late value=3", NULL};
	struct recorded other = plain;
	json_t *tree;

	(void)state;
	other.rows = unset;
	tree = compare(&plain, &other);
	check_is(tree, "parameters", 1, 0);
	verdict_is(tree, "b", "same");
	json_decref(tree);
	tree = compare(&other, &plain);
	check_is(tree, "parameters", 1, 0);
	json_decref(tree);
	other.rows = set;
	tree = compare(&other, &plain);
	check_is(tree, "parameters", 0, 1);
	verdict_is(tree, "b", "unclear");
	json_decref(tree);
}

/* ---- the method of timing ---- */

/* The outcome of check `method`, with what the recordings say of how they were timed; NULL: nothing. */
static json_t *with_methods(const char *base, const char *fresh)
{
	char base_row[64], fresh_row[64];
	const char *const base_rows[] = {base ? base_row : NULL, NULL}, *const fresh_rows[] = {
										fresh ? fresh_row : NULL, NULL};
	struct recorded one = plain, other = plain;

	snprintf(base_row, sizeof base_row, "META key=timing_method value=%s", base ? base : "");
	snprintf(fresh_row, sizeof fresh_row, "META key=timing_method value=%s", fresh ? fresh : "");
	one.rows = base_rows;
	other.rows = fresh_rows;
	return compare(&one, &other);
}

static void method_gives(const char *base, const char *fresh, int ok, const char *words, const char *verdict)
{
	json_t *tree = with_methods(base, fresh);
	const json_t *item = check(json_object_get(tree, "evidence"), "method"), *flag = json_object_get(item, "ok");

	assert_int_equal(json_is_null(flag) ? -1 : json_is_true(flag), ok);
	assert_non_null(strstr(json_string_value(json_object_get(item, "text")), words));
	verdict_is(tree, "b", verdict);
	json_decref(tree);
}

static void test_method_of_timing(void **state)
{
	(void)state;
	method_gives("2", "2", 1, "method 2 in both", "same");
	method_gives("2", "3", 0,
		"timed in another way: by another version of dbprof (method 2 in base, method 3 in new)", "unclear");
	method_gives(NULL, "2", 0, "(no method given in base, method 2 in new)", "unclear");
	method_gives("2", NULL, 0, "(method 2 in base, no method given in new)", "unclear");
	method_gives(NULL, NULL, -1, "neither recording says", "same");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_clock),
		scratch_test(test_gap_of_the_clock_alone),
		scratch_test(test_gap_in_cycles_too),
		scratch_test(test_gap_that_the_clock_hides),
		scratch_test(test_clock_without_cycles),
		scratch_test(test_bound_by_copies),
		scratch_test(test_throttling),
		scratch_test(test_throttled_by_power),
		scratch_test(test_checks_with_figures),
		scratch_test(test_absent_parameter),
		scratch_test(test_method_of_timing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
