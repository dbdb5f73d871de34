/* evidence.c: the sentences about checks of the evidence, points of sweeps and the control, each branch once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "tree/tree.h"
#include "words/cost.h"
#include "words/evidence.h"
#include "words/sweep/sweep.h"

/* ---- checks ---- */

/* A failed check has a `failure`, any other has none. */
static const struct {
	const char *check, *text, *failure;
} checks[] = {
	{"'name': 'results', 'ok': false, 'figure': 1, 'facts': {'single_right': 3, 'single_runs': 3, 'double_right': "
	 "1, "
	 "'double_runs': 2, 'runs': 5}",
		"right in 3 of 3 runs (single) and 1 of 2 (double), all cases together", "1 of 5 results are wrong"},
	{"'name': 'results', 'ok': false, 'figure': null, 'facts': {}",
		"not verified: the recording lacks the verify pass for one of the two",
		"the results were not verified"},
	{"'name': 'samples', 'ok': false, 'figure': 3, 'limit': 12, 'facts': {'processes': 1}",
		"3 blocks have times of both, from 1 process", "3 blocks of samples, 12 are needed"},
	{"'name': 'samples', 'ok': true, 'figure': 24, 'limit': 12, 'facts': {'processes': 2}",
		"24 blocks have times of both, from 2 processes", NULL},
	{"'name': 'runs', 'ok': false, 'figure': 0.05, 'facts': {'processes': 2, 'low': 1.25, 'high': 1.5}",
		"2 processes saw speed-ups of 1.250× to 1.500×", "processes disagree by 5.0 %"},
	{"'name': 'runs', 'ok': null, 'missing': 'one-process'",
		"not measured: one process took all samples of the pair", NULL},
	{"'name': 'drift', 'ok': false, 'figure': 0.625, 'facts': {}",
		"the speed-up's autocorrelation from block to block is 0.62",
		"the speed-up drifts from block to block"},
	{"'name': 'drift', 'ok': null, 'missing': 'few-blocks'", "not measured: too few blocks, or all alike", NULL},
	{"'name': 'clock', 'ok': false, 'figure': 0.03, 'limit': 0.02, 'facts': {'source': 'gpu', 'single_mhz': 1980, "
	 "'double_mhz': 1920, 'strays': 24, 'samples': 48, 'stray_share': 0.5, 'low_celsius': 45, 'high_celsius': 52}",
		"SM clock measured on the GPU behind each sample: median 1980 MHz (single) and 1920 MHz (double). 24 "
		"of "
		"48 samples more than 2 % away. The GPU was at 45 to 52 °C",
		"clocks differ by 3.0 %"},
	{"'name': 'clock', 'ok': false, 'figure': 0.01, 'limit': 0.02, 'facts': {'source': 'nvml', 'single_mhz': 1980, "
	 "'double_mhz': 1960, 'strays': 12, 'samples': 48, 'stray_share': 0.25, 'low_celsius': null}",
		"SM clock as the driver says: median 1980 MHz (single) and 1960 MHz (double). 12 of 48 samples more "
		"than 2 % away",
		"the clock strays in 25 % of the samples"},
	{"'name': 'clock', 'ok': null, 'missing': 'no-clock'", "not measured: no SM clock was read beside the samples",
		NULL},
	{"'name': 'throttling', 'ok': false, 'facts': {'of': 'blocks', 'throttled': 7, 'known': 24, 'left': 17}",
		"7 of 24 blocks were throttled (power or heat) and set apart; 17 are left",
		"7 of 24 blocks were throttled"},
	{"'name': 'throttling', 'ok': true, 'facts': {'of': 'blocks', 'throttled': 20, 'known': 24, 'left': 24, "
	 "'alike': "
	 "true, 'power_w': null, 'single_mhz': 1705, 'double_mhz': 1640}",
		"20 of 24 blocks ended at the power limit, and both take turns in each block. Median SM clocks are "
		"1705 MHz "
		"(single) and 1640 MHz (double), so times in cycles must agree",
		NULL},
	{"'name': 'throttling', 'ok': false, 'facts': {'of': 'readings', 'throttled': 1, 'known': 9}",
		"1 of 9 readings during the time pass show power or thermal throttling", "the GPU was throttled"},
	{"'name': 'throttling', 'ok': null, 'missing': 'no-readings'",
		"not measured: no throttle reasons were read during the time pass", NULL},
	{"'name': 'records', 'ok': true, 'facts': {'counts': 6}",
		"all 6 counts of launches, copies and memsets made on the host agree with the records", NULL},
	{"'name': 'records', 'ok': false, 'facts': {'side': 'double', 'what': 'kernel launches', 'host': 10, "
	 "'recorded': "
	 "9}",
		"double: 10 kernel launches on the host, 9 recorded", "the trace lost records"},
	{"'name': 'records', 'ok': false, 'facts': {'side': 'single', 'what': null, 'host': 10, 'recorded': 9}",
		"single: 10 events on the host, 9 recorded", "the trace lost records"},
	{"'name': 'records', 'ok': null, 'missing': 'no-trace'",
		"not measured: the recording lacks the trace pass for one of the two", NULL},
	{"'name': 'records', 'ok': null, 'missing': 'untraced', 'facts': {'reason': 'CUPTI records no batched copies'}",
		"not measured: CUPTI records no batched copies", NULL},
	{"'name': 'floor', 'ok': false, 'facts': {'nearest': 'two', 'nearest_ns': 4000, 'floor': 'both-ways', "
	 "'floor_ns': 4100, 'faster_share': 0.025}",
		"floor / measured of the variant nearest to its floor: two takes 4.00 µs, both-ways takes 4.10 µs",
		"two is 2.5 % faster than the floor"},
	{"'name': 'floor', 'ok': null, 'missing': 'no-schedules'",
		"not measured: the recording has no schedules that a floor could be taken from", NULL},
	{"'name': 'floor', 'ok': null, 'missing': 'no-common-blocks'",
		"not measured: no block has times of a schedule and of a variant", NULL},
	{"'name': 'neighbours', 'ok': true, 'facts': {'processes': 1, 'others': 0}",
		"at most 1 process on the GPU beside the samples, this one included", NULL},
	{"'name': 'neighbours', 'ok': false, 'facts': {'processes': 2, 'others': 1}",
		"at most 2 processes on the GPU beside the samples, this one included", "1 other process used the GPU"},
	{"'name': 'neighbours', 'ok': false, 'facts': {'processes': 3, 'others': 2}",
		"at most 3 processes on the GPU beside the samples, this one included",
		"2 other processes used the GPU"},
	{"'name': 'neighbours', 'ok': null, 'missing': 'not-recorded'",
		"not measured: the recording does not say who else used the GPU", NULL},
	{"'name': 'neighbours', 'ok': null, 'missing': 'no-process-shown'",
		"not measured: the driver shows no process on the GPU, not even this one", NULL},
	{"'name': 'cycles', 'ok': false, 'figure': 1.002, 'facts': {'low': 0.998, 'high': 1.006, 'by_time': 'faster', "
	 "'by_cycles': 'same'}",
		"in SM cycles the speed-up is 1.002× (0.998× to 1.006×), which says same; the times say faster",
		"faster by time, same by cycles"},
	{"'name': 'cycles', 'ok': null, 'missing': 'no-clock'",
		"not measured: no SM clock was measured on the GPU beside the samples", NULL},
};

static void test_checks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		char text[512];
		json_t *check;

		snprintf(text, sizeof(text), "{%s}", checks[i].check);
		check = parse(text);
		evidence_words(check);
		assert_string_equal(tree_text(check, "text"), checks[i].text);
		assert_string_equal(tree_text(check, "failure"), checks[i].failure ? checks[i].failure : "");
		assert_int_equal(tree_has(check, "failure"), checks[i].failure != NULL);
		json_decref(check);
	}
}

/* ---- points of a sweep ---- */

static const struct {
	const char *why, *reason;
} points[] = {
	{"null", NULL},
	{"{'id': 'withheld', 'side': 'double'}", "double came out wrong here, so its time is withheld"},
	{"{'id': 'unsupported', 'side': 'single', 'text': 'needs a larger card'}", "single: needs a larger card"},
	{"{'id': 'not-measured', 'side': 'single', 'text': null}", "not measured"},
	{"{'id': 'wrong', 'variant': 'two', 'case': 'odd'}", "two came out wrong in case odd"},
	{"{'id': 'not-verified', 'variant': 'two', 'case': null}", "not verified: no result of two was compared"},
	{"{'id': 'few-blocks', 'needed': 12}", "7 blocks have times of both; 12 are needed"},
	{"{'id': 'power-limit'}", "the GPU was at its power limit, and no SM clock was measured on it"},
	{"{'id': 'under-floor'}", "a variant is faster than its floor"},
	{"{'id': 'cycles', 'by_time': 'faster', 'by_cycles': 'unclear'}", "faster by time, unclear by cycles"},
	{"{'id': 'band'}", "the interval lies neither inside nor outside 1 ± 0.01"},
};

static void test_points(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		char text[512];
		const json_t *point;
		json_t *sweep;

		snprintf(text, sizeof(text), "{'band': 0.01, 'points': [{'why': %s, 'speedup': {'blocks': 7}}]}",
			points[i].why);
		sweep = parse(text);
		sweep_words(sweep);
		point = json_array_get(json_object_get(sweep, "points"), 0);
		assert_string_equal(tree_text(point, "reason"), points[i].reason ? points[i].reason : "");
		assert_int_equal(tree_has(point, "reason"), points[i].reason != NULL);
		assert_string_equal(tree_text(sweep, "finding"), "No point of this sweep was measured");
		json_decref(sweep);
	}
}

/* ---- the control ---- */

static const char family[] =
	"{'single': 'one', 'double': 'two', 'variants': [{'name': 'padded', 'cases': [{'case': 'c', "
	"'time': {'median_ns': 4400}}]}]}";

/* What follows "It takes 4.40 µs instead of 4.00 µs: ". */
static const struct {
	const char *verdict, *footprint, *extra, *loss, *words;
} controls[] = {
	{"slower", "slower", "0.1", "0.5", "the footprint alone costs 10.0 % more time, which is 50.0 % of the loss"},
	{"slower", "slower", "0.1", "1.5",
		"the footprint alone costs 10.0 % more time, more than the whole loss: all else that changes wins some "
		"of it back"},
	{"slower", "same", "0.001", "0.1", "the footprint alone costs no time, so the loss has other causes"},
	{"slower", "faster", "-0.1", "-0.1",
		"the footprint alone takes 10.0 % off the time, so the loss has other causes"},
	{"slower", "unclear", "0.1", "0.5", "whether the footprint alone costs time, this run cannot tell"},
	{"faster", "slower", "0.1", "null", "the footprint alone costs 10.0 % more time"},
};

static void test_controls(void **state)
{
	json_t *of = parse(family);

	(void)state;
	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
		char text[512], got[1024], want[1024];
		json_t *contrast;

		snprintf(text, sizeof(text),
			"{'case': 'c', 'single_ns': 4000, 'verdict': '%s', 'cost': {'control': {'variant': 'padded', "
			"'verdict': '%s', 'extra_share': %s, 'loss_share': %s, 'rest': {'value': 0.92, 'low': 0.9, "
			"'high': 0.94}}}}",
			controls[i].verdict, controls[i].footprint, controls[i].extra, controls[i].loss);
		contrast = parse(text);
		control_words(of, contrast, got, sizeof(got));
		snprintf(want, sizeof(want),
			"control padded is one with the shared memory of two. It takes 4.40 µs instead of 4.00 µs: %s. "
			"All else together makes two 0.920× as fast as the control",
			controls[i].words);
		assert_string_equal(got, want);
		json_decref(contrast);
	}
	json_decref(of);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_controls),
	};

	return cmocka_run_group_tests_name("words: evidence", tests, NULL, NULL);
}
