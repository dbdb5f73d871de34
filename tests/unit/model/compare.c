/* compare.c: two recordings compared: pairing, ratios, checks with their figures, what is missing, text and page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "fixtures/model-fixture.h"
#include "util/columns.h"
#include "words/compare.h"
#include "compare/compare.h"
#include "model/pair/pair.h"
#include "words/comparison.h"
#include "util/file/file.h"
#include "util/file/outfile.h"

/* ---- recordings: family f with variants a and b in case c, 12 blocks of two samples per run ---- */

struct recorded {
	int runs;
	double b_ns[4];       /* median of variant b in each run; a always takes 200 */
	double measured_mhz;  /* 0: not measured */
	int nvml_mhz;         /* 0: 1980 */
	const char *bound_by; /* NULL: device memory */
	int throttled;        /* blocks of the case */
	bool by_power;        /* by the power limit; else by heat */
	const char *const *rows;
};

enum { BLOCKS = 12 };

static void write_samples(struct recording *rec, const char *variant, int run, double ns, double mhz, int nvml)
{
	for (int i = 0; i < 2 * BLOCKS; i++) {
		char clock[64] = "";

		if (mhz > 0)
			snprintf(clock, sizeof clock, " measuredMhz=%.12g", mhz);
		fixture_row(rec,
			"SAMPLE family=f variant=%s caseLabel=c block=%d position=%d launches=10 ns=%.9g "
			"smClockMhz=%d "
			"run=%d%s",
			variant, run * BLOCKS + i / 2, i % 2, ns * (1 + 0.0002 * (i % 3 - 1)), nvml ? nvml : 1980, run,
			clock);
	}
}

static void write_recording(const char *name, const struct recorded *what)
{
	static const char *const rows[] = {
		"GPU id=0 cuDevice=0 name=G computeMajor=9 computeMinor=0",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2",
		"CASE family=f label=c ord=0 verifyOnly=0",
		"PARAM family=f caseLabel=c name=n value=64",
		"PARAM family=f caseLabel=c name=block value=128",
		"VERIFY family=f variant=a caseLabel=c run=0 elements=50 wrong=0",
		"VERIFY family=f variant=b caseLabel=c run=0 elements=50 wrong=0",
		NULL,
	};
	struct recording *rec = fixture_begin(name);

	fixture_lines(rec, rows);
	/* Else two of them with equal samples would be one. */
	fixture_row(rec, "META key=created value=%s", name);
	fixture_row(rec, "FAMILY name=f ord=0 title=\"Family f\" boundBy=\"%s\" single=a double=b",
		what->bound_by ? what->bound_by : "device memory");
	for (int run = 0; run < what->runs; run++) {
		write_samples(rec, "a", run, 200, what->measured_mhz, what->nvml_mhz);
		write_samples(rec, "b", run, what->b_ns[run], what->measured_mhz, what->nvml_mhz);
	}
	for (int block = 0; block < what->runs * BLOCKS; block++)
		fixture_row(rec,
			"CLOCK timestamp=%d deviceId=0 smMhz=1980 family=f caseLabel=c block=%d processes=1 "
			"powerMw=650000 throttle=%d",
			block, block,
			block >= what->throttled ? 1
			: what->by_power         ? 4
						 : 0x20);
	if (what->rows)
		fixture_lines(rec, what->rows);
	fixture_end(rec);
}

static const struct recorded plain = {.runs = 3, .b_ns = {100, 100.1, 99.9}, .measured_mhz = 1970};

static json_t *build(const char *base, const char *fresh, const char *const *only, int nonly, struct error *err)
{
	const struct pair_options options = {
		.base = in_scratch(base),
		.fresh = in_scratch(fresh),
		.threshold = 0.01,
		.only = only,
		.nonly = nonly,
		.version = "1.2.3",
	};
	json_t *tree = model_pair_build(&options, err);

	if (tree)
		words_comparison(tree);
	else
		assert_false(error_is_of_system(err));
	return tree;
}

static json_t *compare(const struct recorded *base, const struct recorded *fresh)
{
	struct error err = {0};
	json_t *tree;

	write_recording("base.sqlite", base);
	write_recording("new.sqlite", fresh);
	tree = build("base.sqlite", "new.sqlite", NULL, 0, &err);
	assert_string_equal(err.text, "");
	assert_non_null(tree);
	return tree;
}

/* ---- looking into the tree ---- */

/* The comparison of a variant in case c. */
static const json_t *comparison(const json_t *tree, const char *variant)
{
	const json_t *family = json_array_get(json_object_get(tree, "families"), 0), *item;
	size_t i;

	json_array_foreach(json_object_get(family, "comparisons"), i, item)
	{
		if (strcmp(json_string_value(json_object_get(item, "variant")), variant) == 0)
			return item;
	}
	fail_msg("no comparison of %s", variant);
	return NULL;
}

static const json_t *check(const json_t *evidence, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(evidence, i, item)
	{
		if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0)
			return item;
	}
	fail_msg("no check %s", name);
	return NULL;
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_non_null(value);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double side_number(const json_t *item, const char *side, const char *key)
{
	return number(json_object_get(item, side), key);
}

static void verdict_is(const json_t *tree, const char *variant, const char *verdict)
{
	assert_string_equal(json_string_value(json_object_get(comparison(tree, variant), "verdict")), verdict);
}

/* A check of variant b failed (0), passed (1) or was not measured (-1), and with this figure. */
static void check_is(const json_t *tree, const char *name, int ok, double figure)
{
	const json_t *item = check(json_object_get(comparison(tree, "b"), "evidence"), name);
	const json_t *flag = json_object_get(item, "ok");

	assert_int_equal(json_is_null(flag) ? -1 : json_is_true(flag), ok);
	if (isnan(figure))
		assert_true(isnan(number(item, "figure")));
	else
		assert_near(number(item, "figure"), figure, 1e-6);
}

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

/* ---- two models of GPU ---- */

/* Double takes b_ns on another model of GPU, where single takes 300 ns. */
static void write_on_another_gpu(double b_ns)
{
	struct recording *rec = fixture_begin("new.sqlite");

	fixture_row(rec, "GPU id=0 cuDevice=0 name=G computeMajor=8 computeMinor=6");
	fixture_row(rec, "FAMILY name=f ord=0 title=F single=a double=b");
	fixture_row(rec, "VARIANT family=f name=a ord=0 kind=candidate buffers=1");
	fixture_row(rec, "VARIANT family=f name=b ord=1 kind=candidate buffers=2");
	fixture_row(rec, "CASE family=f label=c ord=0 verifyOnly=0");
	for (int run = 0; run < 3; run++) {
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

	write_on_another_gpu(b_ns);
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

/* ---- text and page ---- */

/* Colour where it is wanted; the words are there without it. */
static void test_text(void **state)
{
	const struct recorded fresh = {.runs = 3, .b_ns = {80, 80.1, 79.9}, .measured_mhz = 1970};
	json_t *tree = compare(&plain, &fresh);
	char *colored = compare_text(tree, true), *words = compare_text(tree, false);

	(void)state;
	assert_non_null(strstr(colored, "\033[32m▲ faster\033[0m"));
	assert_null(strchr(words, '\033'));
	assert_non_null(strstr(words, "▲ faster\n"));
	assert_non_null(strstr(words, "1.250× "));
	assert_non_null(strstr(words, "Of 2 intervals at 95 %, about 0.1 miss the true ratio by chance alone"));
	assert_non_null(strstr(words, "\n1 same, 1 faster, 0 slower, 0 unclear\n"));
	free(colored);
	free(words);
	json_decref(tree);
}

static void test_page(void **state)
{
	static const char *const rows[] = {"VARIANT family=f name=\"<b>&\" ord=2 kind=candidate buffers=1", NULL};
	struct recorded other = plain;
	struct error err = {0};
	json_t *tree;
	char *page;

	(void)state;
	other.rows = rows;
	tree = compare(&plain, &other);
	page = compare_page(tree, NULL, &err);
	assert_string_equal(err.text, "");
	assert_non_null(strstr(page, "f/&lt;b&gt;&amp;: only new has it"));
	assert_null(strstr(page, "<b>&"));
	assert_non_null(strstr(page, "class=\"verdict same\""));
	assert_non_null(strstr(page, "class=\"whisker same\""));
	assert_non_null(strstr(page, "Of 2 intervals at 95 %, about 0.1 miss the true ratio by chance alone"));
	free(page);
	json_decref(tree);
}

/* Only intervals that there are can miss; one alone is what its 95 % says. */
static void test_chance(void **state)
{
	const struct recorded once = {.runs = 1, .b_ns = {100}, .measured_mhz = 1970};
	static const char *const only_b[] = {"f/b"};
	struct error err = {0};
	char text[SENTENCE_SIZE];
	json_t *tree = compare(&once, &once);

	(void)state;
	compare_chance_words(tree, text, sizeof text);
	assert_string_equal(text, "");
	json_decref(tree);
	write_recording("base.sqlite", &plain);
	tree = build("base.sqlite", "base.sqlite", only_b, 1, &err);
	compare_chance_words(tree, text, sizeof text);
	assert_string_equal(text, "");
	json_decref(tree);
}

static void test_ratio_words(void **state)
{
	static const struct {
		double ratio;
		const char *words;
	} rows[] = {{1.0044, "1.004×"}, {0.9996, "1.000×"}, {0.52, "0.520×"}, {12.34, "12.3×"}, {0.25, "0.250×"},
		{NAN, "n/a"}};
	char text[RATIO_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		json_t *ratio = json_pack("{s:f}", "value", rows[i].ratio);

		assert_string_equal(compare_ratio_words(ratio, 0.01, text, sizeof text), rows[i].words);
		json_decref(ratio);
	}
}

static void columns_give(
	void (*put)(struct strbuf *out, const char *s, int width), const char *s, int width, const char *want)
{
	struct strbuf out = {0};

	put(&out, s, width);
	assert_string_equal(out.text, want);
	strbuf_free(&out);
}

static void test_columns(void **state)
{
	(void)state;
	assert_int_equal(columns_of("12 µs ×"), 7);
	columns_give(columns_left, "µs", 4, "µs  ");
	columns_give(columns_right, "µs", 4, "  µs");
	columns_give(columns_left, "äöüß", 3, "äö…");
	columns_give(columns_left, "a\033[1m\n\302\233z", 20, "a [1m  z            ");
	columns_give(columns_left, "\303", 2, "\303 ");
}

/* All or nothing: where the folder cannot be written the older file stays, and nothing is left behind. */
static void test_file_replace(void **state)
{
	struct error err = {0};
	char *text;

	(void)state;
	assert_int_equal(file_replace(in_scratch("x"), "older", 5, &err), 0);
	assert_int_equal(file_replace(in_scratch("x"), "newer text", 10, &err), 0);
	text = file_read(in_scratch("x"), NULL, &err);
	assert_string_equal(text, "newer text");
	free(text);
	assert_int_equal(scratch_files(0), 1);
	assert_int_equal(file_replace(in_scratch("no/such/folder"), "x", 1, &err), -1);
	assert_non_null(strstr(err.text, "no/such/folder"));
	assert_int_equal(scratch_files(0), 1);
	assert_true(file_same(in_scratch("x"), in_scratch("./x")));
	assert_false(file_same(in_scratch("x"), in_scratch("y")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_ratio),
		scratch_test(test_spread_from_run_to_run),
		scratch_test(test_one_run_each),
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
		scratch_test(test_worst_pass),
		scratch_test(test_another_gpu),
		scratch_test(test_same_recording),
		scratch_test(test_choice),
		scratch_test(test_missing),
		scratch_test(test_text),
		scratch_test(test_page),
		scratch_test(test_chance),
		scratch_test(test_file_replace),
		cmocka_unit_test(test_ratio_words),
		cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
