/* contrast.c: single against double in the model: speed-up, verdict, and the checks that can spoil it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"

static void test_speed_up(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	write_right(rec);
	tree = family_end(rec);
	assert_size(tree, "families.0.contrasts", 1);
	assert_true_at(tree, CONTRAST "headline");
	assert_number(tree, CONTRAST "single_ns", 200);
	assert_number(tree, CONTRAST "double_ns", 100);
	assert_number(tree, CONTRAST "speedup.value", 2);
	assert_number(tree, CONTRAST "speedup.low", 2);
	assert_number(tree, CONTRAST "speedup.high", 2);
	assert_integer(tree, CONTRAST "speedup.blocks", 12);
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_text(tree, CONTRAST "size", "faster");
	assert_text(tree, CONTRAST "cause", "The difference is not explained: counters of both sides are missing.");
	assert_text(tree, "families.0.variants.0.name", "a");
	assert_text(tree, "families.0.variants.0.role", "single");
	assert_text(tree, "families.0.variants.1.anchor", "f/b");
	assert_integer(tree, CASE_A "time.n", 24);
	assert_integer(tree, CASE_A "time.launches", 10);
	assert_size(tree, CASE_A "time.samples_ns", 24);
	assert_integer(tree, CASE_A "time.blocks.15", 7);
	assert_number(tree, CASE_A "versus_single", 1);
	assert_number(tree, CASE_B "versus_single", 2);
	assert_number(tree, CASE_A "throughput", 20e9);
	assert_number(tree, CASE_B "throughput", 40e9);
	json_decref(tree);
}

#define CONTRAST "families.0.contrasts.0."
#define CASE_A "families.0.variants.0.cases.0."
#define CASE_B "families.0.variants.1.cases.0."

static void verdict_is(int blocks, double a, double b, const char *verdict)
{
	struct recording *rec = family_begin();
	json_t *tree;

	write_samples(rec, blocks, a, b, 0, 0);
	write_right(rec);
	tree = family_end(rec);
	assert_text(tree, CONTRAST "verdict", verdict);
	json_decref(tree);
}

static void test_verdicts(void **state)
{
	(void)state;
	verdict_is(12, 1000, 1005, "same");
	verdict_is(12, 1000, 1100, "slower");
	verdict_is(12, 200, 100, "faster");
	verdict_is(11, 200, 100, "unclear");
}

/* The time of a variant that is wrong is not reported, though the recording has it. */
static void test_wrong_result(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	write_verify(rec, "a", "c", 0, 0);
	write_verify(rec, "b", "c", 0, 0);
	write_verify(rec, "b", "c", 1, 3);
	write_verify(rec, "b", "c", 2, 5);
	tree = family_end(rec);
	assert_false_at(tree, CASE_B "verify.ok");
	assert_integer(tree, CASE_B "verify.runs", 3);
	assert_integer(tree, CASE_B "verify.wrong_runs", 2);
	assert_integer(tree, CASE_B "verify.elements", 50);
	assert_integer(tree, CASE_B "verify.worst_wrong", 5);
	assert_integer(tree, CASE_B "verify.total_wrong", 8);
	assert_integer(tree, CASE_B "verify.first_wrong", 7);
	assert_number(tree, CASE_B "verify.got", 1.5);
	assert_number(tree, CASE_B "verify.want", 2.5);
	assert_true_at(tree, CASE_B "withheld");
	assert_null_at(tree, CASE_B "time");
	assert_null_at(tree, CASE_B "versus_single");
	assert_null_at(tree, CONTRAST "double_ns");
	assert_null_at(tree, CONTRAST "speedup.value");
	assert_text(tree, CONTRAST "verdict", "unclear");
	assert_text(tree, CONTRAST "cause", "The result of double is wrong, so its time is not reported.");
	assert_failed(tree, "results");
	assert_string_equal(check_text(tree, "results", "text"),
		"right in 1 of 1 runs (single) and 1 of 3 (double), all cases together");
	json_decref(tree);
}

/* Wrong in a case that is not timed: the time stands, the verdict does not. */
static void test_wrong_in_another_case(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	write_verify(rec, "a", "odd", 0, 1);
	write_verify(rec, "b", "odd", 0, 0);
	tree = family_end(rec);
	assert_number(tree, CONTRAST "speedup.value", 2);
	assert_text(tree, CONTRAST "verdict", "unclear");
	assert_failed(tree, "results");
	json_decref(tree);
}

/* What was not traced has no records to be checked: its time has a verdict all the same. */
static void test_untraced(void **state)
{
	static const char *const lines[] = {
		"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0 untraced=\"no such records\"",
		"CASE family=f label=c ord=0 verifyOnly=0 flops=0 bytes=4000 elements=0",
		NULL,
	};
	struct recording *rec = fixture_begin("f.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, lines);
	write_samples(rec, 12, 200, 100, 0, 0);
	write_right(rec);
	write_count(rec, "a", 12, 12, 0);
	tree = family_end(rec);
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_not_measured(tree, "records");
	assert_string_equal(check_text(tree, "records", "text"), "not measured: no such records");
	assert_text(tree, "families.0.variants.1.untraced", "no such records");
	assert_null_at(tree, "families.0.variants.0.untraced");
	assert_null_at(tree, CASE_B "trace");
	assert_size(tree, "diagnostics", 0);
	json_decref(tree);
}

static void test_lost_records(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	write_count(rec, "a", 12, 12, 0);
	write_count(rec, "b", 12, 11, 0);
	tree = family_end(rec);
	assert_true_at(tree, CASE_A "trace.counts.0.ok");
	assert_false_at(tree, CASE_B "trace.counts.0.ok");
	assert_null_at(tree, CASE_B "trace.work");
	assert_failed(tree, "records");
	assert_string_equal(check_text(tree, "records", "text"), "double: 12 kernels on the host, 11 recorded");
	assert_text(tree, CONTRAST "verdict", "unclear");
	assert_size(tree, "diagnostics", 1);
	assert_text(tree, "diagnostics.0.severity", "error");
	assert_text(tree, "diagnostics.0.text",
		"f/b, case c: the host counted 12 kernels, the profiler recorded 11: do not trust this trace");
	json_decref(tree);
}

/* A library's launches are more than the host knows, and never fewer. */
static void test_lower_bound(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	write_count(rec, "a", 1, 2, 1);
	write_count(rec, "b", 3, 2, 1);
	tree = family_end(rec);
	assert_true_at(tree, CASE_A "trace.counts.0.ok");
	assert_true_at(tree, CASE_A "trace.counts.0.lower_bound");
	assert_false_at(tree, CASE_B "trace.counts.0.ok");
	assert_size(tree, "diagnostics", 1);
	assert_text(tree, "diagnostics.0.text",
		"f/b, case c: the host counted at least 3 kernels, the profiler recorded 2: do not trust this trace");
	json_decref(tree);
}

static void clocks_give(int mhz_a, int mhz_b, bool ok, const char *verdict)
{
	struct recording *rec = family_begin();
	json_t *tree;

	write_samples(rec, 12, 200, 100, mhz_a, mhz_b);
	write_right(rec);
	tree = family_end(rec);
	assert_int_equal(json_is_true(json_object_get(check_of(tree, "clock"), "ok")), ok);
	assert_text(tree, CONTRAST "verdict", verdict);
	assert_number(tree, CASE_A "time.sm_mhz", mhz_a);
	json_decref(tree);
}

static void test_clocks(void **state)
{
	(void)state;
	clocks_give(1000, 980, true, "faster");
	clocks_give(1000, 979, false, "unclear");
	clocks_give(979, 1000, false, "unclear");
}

/* Twelve blocks, of which `strays` ran at 405 MHz, both variants alike. */
static void strays_give(int strays, bool ok)
{
	struct recording *rec = family_begin();
	json_t *tree;

	for (int block = 0; block < 12; block++) {
		int mhz = block < strays ? 405 : 1980;

		for (int position = 0; position < 4; position++)
			write_sample(rec, position == 0 || position == 3 ? "a" : "b", block, position,
				position == 0 || position == 3 ? 200 : 100, mhz);
	}
	write_right(rec);
	tree = family_end(rec);
	assert_int_equal(json_is_true(json_object_get(check_of(tree, "clock"), "ok")), ok);
	assert_text(tree, CONTRAST "verdict", ok ? "faster" : "unclear");
	json_decref(tree);
}

/* A clock that drops for both alike is no difference between them, and still no steady clock. */
static void test_straying_clocks(void **state)
{
	(void)state;
	strays_give(0, true);
	strays_give(1, false);
	strays_give(6, false);
}

static void test_not_verified(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	tree = family_end(rec);
	assert_failed(tree, "results");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* The ratio climbs from block to block. */
static void test_drift(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int block = 0; block < 12; block++) {
		write_sample(rec, "a", block, 0, 200 + 10 * block, 0);
		write_sample(rec, "b", block, 1, 100, 0);
	}
	write_right(rec);
	tree = family_end(rec);
	assert_failed(tree, "drift");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* One reading with this mask; the time pass ran from 1000 to 2000 ns. */
static json_t *throttled(int timestamp, int mask)
{
	struct recording *rec = family_begin();

	write_samples(rec, 12, 200, 100, 0, 0);
	write_right(rec);
	fixture_row(rec, "PASS family=f pass=time status=done start=1000 end=2000");
	fixture_row(rec, "CLOCK timestamp=%d deviceId=0 smMhz=1000 temperatureC=50 throttle=%d", timestamp, mask);
	return family_end(rec);
}

static void test_throttling(void **state)
{
	static const int harmless[] = {0, 0x1, 0x2, 0x10, 0x100}, harmful[] = {0x4, 0x8, 0x20, 0x40, 0x80, 0x81};
	json_t *tree;

	(void)state;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		tree = throttled(1500, harmless[i]);
		assert_passed(tree, "throttling");
		assert_integer(tree, "clocks.throttled", 0);
		assert_text(tree, CONTRAST "verdict", "faster");
		json_decref(tree);
	}
	for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++) {
		tree = throttled(1500, harmful[i]);
		assert_failed(tree, "throttling");
		assert_integer(tree, "clocks.throttled", 1);
		assert_text(tree, CONTRAST "verdict", "unclear");
		json_decref(tree);
	}
	tree = throttled(2001, 0x8);
	assert_not_measured(tree, "throttling");
	assert_integer(tree, "clocks.throttled", 1);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_speed_up),
		scratch_test(test_verdicts),
		scratch_test(test_wrong_result),
		scratch_test(test_wrong_in_another_case),
		scratch_test(test_untraced),
		scratch_test(test_lost_records),
		scratch_test(test_lower_bound),
		scratch_test(test_clocks),
		scratch_test(test_throttling),
		scratch_test(test_straying_clocks),
		scratch_test(test_not_verified),
		scratch_test(test_drift),
	};

	return cmocka_run_group_tests_name("model: contrast", tests, NULL, NULL);
}
