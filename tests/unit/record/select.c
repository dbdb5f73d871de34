/* select.c: what is recorded: families, variants, settings, cases, sweeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "families.h"
#include "record/worker/select.h"

/* ---- two families that cannot run, only be chosen ---- */

static const int64_t some_scans[] = {1, 2, 4, 8, 0};
static const struct param params[] = {
	{"n", "elements", "how many", 1, 1000, NULL},
	{"scans", "", "scans per launch", 1, 8, some_scans},
};
static const struct param params_b[] = {{"n", "elements", "how many", 1, 500, NULL}};
static const struct size_case cases[] = {
	{"small", {10, 1}, false, NULL, 0, 0},
	{"large", {100, 2}, false, NULL, 0, 0},
	{"ragged", {99, 1}, true, NULL, 0, 0},
};
static const struct variant variants[] = {
	{.name = "single", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 1},
	{.name = "double", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 2},
	{.name = "triple", .summary = "", .kind = VARIANT_CANDIDATE, .buffers = 3},
	{.name = "floor", .summary = "", .kind = VARIANT_FLOOR},
};

static bool not_large(const struct size_case *size)
{
	return size->value[0] * size->value[1] <= 400;
}

static const struct sweep sweeps[] = {
	{.name = "n-scans", .naxes = 2, .axis = {{0, 2, {50, 200}}, {1, 3, {1, 2, 4}}}, .wanted = not_large},
	{.name = "n", .base = 1, .naxes = 1, .axis = {{0, 2, {8, 64}}}, .single = "double", .double_ = "triple"},
	{.name = "all", .naxes = 1, .axis = {{1, 1, {8}}}, .every_candidate = true},
};
static const struct family scan = {.name = "scan",
	.params = params,
	.nparams = 2,
	.cases = cases,
	.ncases = 3,
	.variants = variants,
	.nvariants = 4,
	.single = "single",
	.double_ = "double",
	.sweeps = sweeps,
	.nsweeps = 3};
static const struct family scanner = {.name = "scanner",
	.params = params_b,
	.nparams = 1,
	.cases = cases,
	.ncases = 1,
	.variants = variants,
	.nvariants = 2};

static const char *few_only(const struct size_case *size)
{
	return size->value[0] > 400 ? "more than 400 take too long: set fewer" : NULL;
}

static const struct family asked_for = {.name = "asked-for",
	.params = params_b,
	.nparams = 1,
	.refused = few_only,
	.cases = cases,
	.ncases = 1,
	.variants = variants,
	.nvariants = 2,
	.on_demand = true};

const struct family *const families[] = {&scan, &scanner, &asked_for};
const int families_count = 3;

/* ---- selection ---- */

static void test_selection(void **state)
{
	const char *const items[] = {"scan/double"};
	const struct record_options all = {0}, some = {.selection = items, .nselection = 1};

	(void)state;
	assert_true(select_family(&all, &scan));
	assert_true(select_variant(&all, &scanner, &variants[0]));
	assert_true(select_family(&some, &scan));
	/* "scan" is the beginning of "scanner", not the same. */
	assert_false(select_family(&some, &scanner));
	assert_false(select_variant(&some, &scan, &variants[0]));
	assert_true(select_variant(&some, &scan, &variants[1]));
	assert_int_equal(select_timed_cases(&all), 3);
	assert_int_equal(select_timed_cases(&some), 2);
	assert_ptr_equal(family_find("scanner"), &scanner);
	assert_null(family_find("sca"));
	assert_null(variant_find(&scan, "fourth"));
}

static void check_fails(const char *item, const char *setting, const char *text)
{
	struct record_options options = {
		.selection = &item, .nselection = item != NULL, .settings = &setting, .nsettings = setting != NULL};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), -1);
	assert_string_equal(err.text, text);
}

static void check_passes(const char *item, const char *setting)
{
	struct record_options options = {
		.selection = &item, .nselection = item != NULL, .settings = &setting, .nsettings = setting != NULL};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), 0);
}

static void test_check(void **state)
{
	(void)state;
	check_passes(NULL, NULL);
	check_passes("scan", "scans=8");
	check_passes("scan/single", "n=1000");
	check_passes("scanner", "n=500");
	check_fails("scam", NULL, "there is no family 'scam': did you mean scan? choose from scan, scanner, asked-for");
	check_fails("sca/single", NULL,
		"there is no family 'sca': did you mean scan or scanner? choose from scan, scanner, asked-for");
	check_fails("scan/fourth", NULL, "scan has no variant 'fourth': choose from single, double, triple, floor");
	check_fails(NULL, "n", "--set n: write NAME=VALUE with a whole number");
	check_fails(NULL, "n=", "--set n=: write NAME=VALUE with a whole number");
	check_fails(NULL, "n=12x", "--set n=12x: write NAME=VALUE with a whole number");
	check_fails(
		NULL, "n=99999999999999999999", "--set n=99999999999999999999: write NAME=VALUE with a whole number");
	/* 600 is allowed for scan, but not for scanner, which is chosen too. */
	check_fails(NULL, "n=600", "--set n=600: n of scanner must be from 1 to 500");
	check_fails("scan", "scans=9", "--set scans=9: scans of scan must be from 1 to 8");
	check_fails("scan", "scans=3", "--set scans=3: scans of scan must be one of 1, 2, 4, 8");
	check_fails("scan", "tile=4", "--set tile=4: no such parameter in the chosen families: choose from n, scans");
	check_passes("asked-for", "n=400");
	check_fails("asked-for", "n=401", "asked-for, case set: more than 400 take too long: set fewer");
	check_passes(NULL, "n=401"); /* the family is not chosen */
	check_fails("scanner", "scans=2", "--set scans=2: no such parameter in the chosen families: choose from n");
}

static void test_settings(void **state)
{
	const char *const settings[] = {"scans=3", "other=7", "scans=4"};
	const struct record_options options = {.settings = settings, .nsettings = 3};
	int n = 0;
	struct size_case *changed = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(changed);
	/* The headline with the settings applied, and no case whose name no longer fits. */
	assert_int_equal(n, 1);
	assert_string_equal(changed[0].label, "set");
	assert_int_equal(changed[0].value[0], cases[0].value[0]);
	assert_int_equal(changed[0].value[1], 4); /* the last one counts */
	assert_int_equal(changed[0].set, 1u << 1);
	assert_false(changed[0].verify_only);
	free(changed);
}

static void test_no_settings(void **state)
{
	/* A setting of another family's parameter leaves this one alone. */
	const char *const settings[] = {"other=7"};
	const struct record_options options = {.settings = settings, .nsettings = 1};
	int n = 0;
	struct size_case *same = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(same);
	assert_int_equal(n, 3);
	for (int i = 0; i < n; i++)
		assert_string_equal(same[i].label, cases[i].label);
	assert_true(same[2].verify_only);
	free(same);
}

/* The cases that are only checked; all where there are none; what is set counts more than both. */
static void test_once(void **state)
{
	const char *const settings[] = {"scans=4"};
	const struct record_options once = {.once = true}, set = {.once = true, .settings = settings, .nsettings = 1};
	int n = 0;
	struct size_case *small = select_cases(&once, &scan, &n);

	(void)state;
	assert_non_null(small);
	assert_int_equal(n, 1);
	assert_string_equal(small[0].label, "ragged");
	free(small);
	small = select_cases(&once, &scanner, &n);
	assert_non_null(small);
	assert_int_equal(n, scanner.ncases);
	free(small);
	small = select_cases(&set, &scan, &n);
	assert_non_null(small);
	assert_int_equal(n, 1);
	assert_string_equal(small[0].label, "set");
	free(small);
}

static void assert_once(unsigned passes, bool sweep, const char *want)
{
	const struct record_options options = {.once = true, .passes = passes, .sweep = sweep};
	struct error err = {0};

	assert_int_equal(record_check(&options, &err), *want == '\0' ? 0 : -1);
	assert_string_equal(err.text, want);
}

static void test_once_is_verify(void **state)
{
	(void)state;
	assert_once(1u << PASS_VERIFY, false, "");
	assert_once(1u << PASS_VERIFY | 1u << PASS_TIME, false,
		"--once only checks results: it takes no --passes but verify");
	assert_once(1u << PASS_VERIFY, true, "--once only checks results: it takes no --sweep");
}

static void test_on_demand(void **state)
{
	const char *const name[] = {"asked-for"};
	const struct record_options everything = {0}, named = {.selection = name, .nselection = 1};

	(void)state;
	assert_true(select_family(&everything, &scan));
	assert_false(select_family(&everything, &asked_for));
	assert_true(select_family(&named, &asked_for));
	assert_false(select_family(&named, &scan));
}

static void assert_point(const struct size_case *point, const char *label, const char *sweep, int64_t n, int64_t scans)
{
	assert_string_equal(point->label, label);
	assert_string_equal(point->sweep, sweep);
	assert_int_equal(point->value[0], n);
	assert_int_equal(point->value[1], scans);
	assert_false(point->verify_only);
}

/* The family's own cases come first; of the grid, 200 elements four times over are not wanted. */
static void test_sweeps(void **state)
{
	const struct record_options options = {.sweep = true};
	int n = 0;
	struct size_case *all = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(all);
	assert_int_equal(n, 3 + 5 + 2 + 1);
	for (int i = 0; i < 3; i++) {
		assert_null(all[i].sweep);
		assert_int_equal(all[i].set, 0);
	}
	assert_point(&all[3], "n-scans-50-1", "n-scans", 50, 1);
	assert_point(&all[5], "n-scans-50-4", "n-scans", 50, 4);
	assert_point(&all[7], "n-scans-200-2", "n-scans", 200, 2);
	assert_point(&all[8], "n-8", "n", 8, 2); /* two scans, as in the case that it starts from */
	assert_point(&all[10], "all-8", "all", 10, 8);
	free(all);
	assert_int_equal(select_timed_cases(&options), 2 + 8 + 1);
}

/* Settings change what a sweep leaves alone. */
static void test_sweeps_with_settings(void **state)
{
	const char *const settings[] = {"scans=8", "n=20"};
	const struct record_options options = {.sweep = true, .settings = settings, .nsettings = 2};
	int n = 0;
	struct size_case *all = select_cases(&options, &scan, &n);

	(void)state;
	assert_non_null(all);
	assert_int_equal(n, 1 + 5 + 2 + 1);
	assert_point(&all[6], "n-8", "n", 8, 8);
	assert_int_equal(all[6].set, 3);
	assert_point(&all[8], "all-8", "all", 20, 8);
	free(all);
}

/* One that is asked for alone, or with its family. It is in no sweep but for that of its pair. */
static void test_variants_on_demand(void **state)
{
	static const struct variant some[] = {{.name = "always", .kind = VARIANT_CANDIDATE},
		{.name = "asked", .kind = VARIANT_CANDIDATE, .on_demand = true},
		{.name = "part", .kind = VARIANT_LOADS, .on_demand = true}};
	static const struct sweep grid[] = {
		{.name = "every", .single = "always", .double_ = "always", .every_candidate = true},
		{.name = "pair", .single = "always", .double_ = "asked"}};
	static const struct family family = {.name = "partly",
		.variants = some,
		.nvariants = 3,
		.single = "always",
		.double_ = "always",
		.sweeps = grid,
		.nsweeps = 2};
	const char *const whole[] = {"partly"}, *const one[] = {"partly/asked"};
	const struct record_options everything = {0}, named = {.selection = whole, .nselection = 1},
				    alone = {.selection = one, .nselection = 1};
	const struct size_case own = {.label = "own"}, every = {.sweep = "every"}, pair = {.sweep = "pair"};

	(void)state;
	assert_true(select_variant(&everything, &family, &some[0]));
	assert_false(select_variant(&everything, &family, &some[1]));
	assert_true(select_variant(&named, &family, &some[1]));
	assert_true(select_variant(&alone, &family, &some[1]));
	assert_true(select_in_case(&family, &some[1], &own));
	assert_false(select_in_case(&family, &some[1], &every));
	assert_false(select_in_case(&family, &some[2], &every));
	assert_true(select_in_case(&family, &some[1], &pair));
}

static int sweep_points(const struct record_options *options, const struct family *family)
{
	int n = 0;

	free(select_cases(options, family, &n));
	return n - family->ncases;
}

/* A sweep of half a pair would tell nothing. */
static void test_sweeps_on_demand(void **state)
{
	static const struct variant some[] = {{.name = "always", .kind = VARIANT_CANDIDATE},
		{.name = "asked", .kind = VARIANT_CANDIDATE, .on_demand = true}};
	static const struct sweep grid[] = {
		{.name = "pair", .single = "always", .double_ = "asked", .naxes = 1, .axis = {{0, 3, {1, 2, 3}}}},
		{.name = "usual", .naxes = 1, .axis = {{0, 2, {1, 2}}}}};
	static const struct family family = {.name = "partly",
		.params = params_b,
		.nparams = 1,
		.cases = cases,
		.ncases = 1,
		.variants = some,
		.nvariants = 2,
		.single = "always",
		.double_ = "always",
		.sweeps = grid,
		.nsweeps = 2};
	const char *const whole[] = {"partly"};
	const struct record_options everything = {.sweep = true},
				    named = {.sweep = true, .selection = whole, .nselection = 1}, without = {0};

	(void)state;
	assert_int_equal(sweep_points(&everything, &family), 2);
	assert_int_equal(sweep_points(&named, &family), 5);
	assert_int_equal(sweep_points(&without, &family), 0);
}

static void assert_in_case(const struct size_case *size, bool single, bool dbl, bool triple)
{
	assert_int_equal(select_in_case(&scan, &variants[0], size), single);
	assert_int_equal(select_in_case(&scan, &variants[1], size), dbl);
	assert_int_equal(select_in_case(&scan, &variants[2], size), triple);
	assert_true(select_in_case(&scan, &variants[3], size)); /* a part of the work always */
}

static void test_pairs(void **state)
{
	const struct size_case grid = {.sweep = "n-scans"}, other = {.sweep = "n"}, all = {.sweep = "all"};

	(void)state;
	assert_in_case(&cases[0], true, true, true);
	assert_in_case(&grid, true, true, false);
	assert_in_case(&other, false, true, true);
	assert_in_case(&all, true, true, true);
	assert_ptr_equal(select_pair(&scan, &cases[0]).single, &variants[0]);
	assert_ptr_equal(select_pair(&scan, &other).single, &variants[1]);
	assert_ptr_equal(select_pair(&scan, &other).dbl, &variants[2]);
}

static void test_skip(void **state)
{
	const struct record_options none = {0}, some = {.skip = "scan/double/small,scan/single/large"};

	(void)state;
	assert_false(select_skipped(&none, "scan", "double", "small"));
	assert_true(select_skipped(&some, "scan", "double", "small"));
	assert_true(select_skipped(&some, "scan", "single", "large"));
	assert_false(select_skipped(&some, "scan", "double", "large"));
	assert_false(select_skipped(&some, "scan", "double", "smal"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_selection),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_no_settings),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_once_is_verify),
		cmocka_unit_test(test_on_demand),
		cmocka_unit_test(test_variants_on_demand),
		cmocka_unit_test(test_sweeps_on_demand),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_sweeps_with_settings),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_skip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
