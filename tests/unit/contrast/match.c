/* match.c: the runs of a side joined, and the kernels of two sides matched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "contrast/match.h"
#include "fixtures/launches-fixture.h"
#include "fixtures/made-sides.h"
#include "fixtures/near.h"

static void test_join(void **state)
{
	struct made_run run[4];
	const struct launches *runs[4] = {
		make_run(&run[0], MADE({"a", 1, 32, 100, 0, 0}, {"b", 1, 32, 10, 0, 0})),
		make_run(&run[1], MADE({"a", 1, 32, 300, 3, 0}, {"b", 1, 32, 30, 0, 0})),
		make_run(&run[2], MADE({"a", 1, 32, 200, 2, 0}, {"b", 1, 32, 20, 0, 0})),
		make_run(&run[3], MADE({"z", 1, 32, 1e9, 1, 0})),
	};
	struct side_kernels side;

	(void)state;
	run[3].run.nsteady = 0;
	run[3].step.left_out = LEFT_OTHER_STEP;
	side_kernels_join(runs, 4, &(const struct joining_how){.nsums = 0}, &side);
	assert_int_equal(side.runs, 3);
	assert_int_equal(side.n, 2);
	assert_string_equal(side.kernels[0].kernel.base, "a");
	assert_near(side.kernels[0].ns, 200, 1e-9);
	assert_near(side.kernels[0].launches, 2, 1e-9);
	assert_near(side.kernels[0].launch_ns, 100, 1e-9);
	assert_int_equal(side.kernels[0].runs, 3);
	assert_near(side.ns, 220, 1e-9);
	assert_near(side.kernels[1].share, 20.0 / 220, 1e-9);
	assert_int_equal(side.differing, 0);
	assert_false(side.order_differs);
	assert_false(side.kernels[0].is_changing);
	side_kernels_free(&side);
}

/* What three runs of a kernel make of what each knows of its code. */
static enum codes_known joined_codes(const enum codes_known known[3], const uint64_t code[3])
{
	struct made_run run[3];
	const struct launches *runs[3];
	struct side_kernels side;
	enum codes_known codes;

	for (int i = 0; i < 3; i++) {
		runs[i] = make_run(&run[i], MADE({"a", 1, 32, 60, 0, 0}));
		run[i].kernels[0].codes = known[i];
		run[i].kernels[0].code = code[i];
	}
	side_kernels_join(runs, 3, &(const struct joining_how){.nsums = 0}, &side);
	codes = side.kernels[0].codes;
	side_kernels_free(&side);
	return codes;
}

static void test_machine_code_of_runs(void **state)
{
	static const enum codes_known all[] = {CODES_ONE, CODES_ONE, CODES_ONE},
				      lacks[] = {CODES_ONE, CODES_NONE, CODES_ONE},
				      several[] = {CODES_NONE, CODES_ONE, CODES_SEVERAL};

	(void)state;
	assert_int_equal(joined_codes(all, (uint64_t[]){7, 7, 7}), CODES_ONE);
	/* 0 is a hash as well. */
	assert_int_equal(joined_codes(all, (uint64_t[]){0, 0, 0}), CODES_ONE);
	assert_int_equal(joined_codes(all, (uint64_t[]){7, 7, 8}), CODES_SEVERAL);
	assert_int_equal(joined_codes(lacks, (uint64_t[]){7, 0, 7}), CODES_NONE);
	assert_int_equal(joined_codes(several, (uint64_t[]){0, 7, 0}), CODES_SEVERAL);
}

static void test_runs_that_differ(void **state)
{
	struct made_run run[3];
	const struct launches *runs[3] = {
		make_run(&run[0], MADE({"a", 1, 32, 60, 0, 0}, {"b", 1, 32, 40, 0, 0}, {"c", 1, 32, 50, 0, 0})),
		make_run(&run[1], MADE({"d", 1, 32, 30, 0, 0}, {"a", 1, 32, 60, 0, 7}, {"b", 2, 32, 40, 0, 0})),
		make_run(&run[2], MADE({"a", 1, 32, 60, 0, 0}, {"c", 1, 32, 50, 0, 0}, {"d", 1, 32, 30, 0, 0})),
	};
	struct side_kernels side;

	(void)state;
	side_kernels_join(runs, 3, &(const struct joining_how){.nsums = 0}, &side);
	assert_int_equal(side.n, 5);
	/* Those of the first run come first, then those that it lacks. */
	assert_string_equal(side.kernels[2].kernel.base, "c");
	assert_string_equal(side.kernels[3].kernel.base, "d");
	assert_int_equal(side.kernels[4].kernel.grid[0], 2);
	assert_int_equal(side.differing, 4);
	assert_true(side.kernels[0].is_changing);
	assert_false(side.kernels[2].is_changing);
	assert_near(side.kernels[1].ns, 0, 0); /* in one run of three */
	assert_near(side.kernels[1].launch_ns, 40, 1e-9);
	assert_near(side.kernels[2].ns, 50, 1e-9);
	assert_near(side.ns, 60 + 50 + 30, 1e-9);
	assert_near(side.differing_share, 80.0 / 140, 1e-9);
	assert_false(side.order_differs);
	side_kernels_free(&side);
	runs[1] = make_run(&run[1], MADE({"c", 1, 32, 50, 0, 0}, {"a", 1, 32, 60, 0, 0}));
	side_kernels_join(runs, 2, &(const struct joining_how){.nsums = 0}, &side);
	assert_true(side.order_differs);
	side_kernels_free(&side);
}

/* Three steps with one grid and then one with another: parts of one run. */
static void test_parts_of_a_run(void **state)
{
	static const char *const sums[] = {"a"};
	struct made_run run[2];
	const struct launches *parts[2] = {make_run(&run[0], MADE({"a", 1, 32, 300, 3, 0}, {"b", 1, 32, 30, 3, 0})),
		make_run(&run[1], MADE({"b", 1, 32, 10, 1, 0}, {"a", 2, 32, 500, 1, 9}))};
	struct side_kernels side;
	double ns[3];

	(void)state;
	run[0].run.nsteady = 3;
	side_kernels_join(parts, 2, &(const struct joining_how){.are_parts = true}, &side);
	assert_int_equal(side.n, 3);
	assert_near(side.kernels[0].ns, 75, 1e-9);
	assert_near(side.kernels[0].launches, 0.75, 1e-9);
	assert_near(side.kernels[0].launch_ns, 100, 1e-9);
	assert_near(side.kernels[2].ns, 125, 1e-9);
	assert_near(side.kernels[2].share, 125.0 / 210, 1e-9);
	side_kernels_of_run(&side, parts[0], ns);
	assert_near(ns[0], 75, 1e-9);
	assert_near(ns[1], 10, 1e-9);
	assert_true(isnan(ns[2]));
	side_kernels_of_run(&side, parts[1], ns);
	assert_near(ns[2], 125, 1e-9);
	side_kernels_free(&side);
	side_kernels_join(parts, 2, &(const struct joining_how){true, sums, 1}, &side);
	assert_int_equal(side.n, 2);
	assert_true(side.kernels[0].is_sum);
	assert_false(side.kernels[1].is_sum);
	assert_int_equal(side.kernels[0].runs, 2);
	assert_near(side.kernels[0].ns, 200, 1e-9);
	assert_near(side.kernels[0].launches, 1, 1e-9);
	assert_int_equal(side.kernels[0].kernel.grid[0], EXTENT_SEVERAL);
	assert_int_equal(side.kernels[0].kernel.block[0], 32);
	side_kernels_of_run(&side, parts[1], ns);
	assert_near(ns[0], 500, 1e-9);
	side_kernels_free(&side);
}

/* A sum has what all runs have; its kernels stand at the place of the first of them, wherever the others do. */
static void test_sum_of_runs(void **state)
{
	static const char *const sums[] = {"a"};
	struct made_run run[2];
	const struct launches *runs[2] = {make_run(&run[0], MADE({"c", 1, 32, 5, 0, 0}, {"a", 2, 32, 60, 0, 0},
								    {"b", 1, 32, 5, 0, 0}, {"a", 1, 64, 40, 2, 0})),
		make_run(&run[1], MADE({"c", 1, 32, 5, 0, 0}, {"a", 2, 32, 80, 0, 0}, {"b", 1, 32, 5, 0, 0},
					  {"a", 1, 64, 60, 2, 0}))};
	struct side_kernels side;
	double ns[3];

	(void)state;
	run[0].kernels[3].code = run[1].kernels[3].code = 7;
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 4; k++)
			run[i].kernels[k].codes = CODES_ONE;
	side_kernels_join(runs, 2, &(const struct joining_how){.sums = sums, .nsums = 1}, &side);
	assert_int_equal(side.n, 3);
	assert_string_equal(side.kernels[1].kernel.base, "a");
	assert_near(side.kernels[1].ns, 120, 1e-9);
	assert_near(side.kernels[1].launches, 3, 1e-9);
	assert_near(side.kernels[1].launch_ns, 40, 1e-9);
	assert_int_equal(side.kernels[1].kernel.block[0], EXTENT_SEVERAL);
	assert_int_equal(side.kernels[1].codes, CODES_NONE);
	assert_false(side.kernels[1].is_changing);
	assert_false(side.order_differs);
	assert_int_equal(side.differing, 0);
	side_kernels_of_run(&side, runs[1], ns);
	assert_near(ns[1], 140, 1e-9);
	side_kernels_free(&side);
	/* One of them is in one run only. */
	runs[1] = make_run(&run[1], MADE({"c", 1, 32, 5, 0, 0}, {"a", 2, 32, 80, 3, 0}, {"b", 1, 32, 5, 0, 0}));
	side_kernels_join(runs, 2, &(const struct joining_how){.sums = sums, .nsums = 1}, &side);
	assert_true(side.kernels[1].is_changing);
	side_kernels_free(&side);
}

/* How many names of the two sides become sums. */
static size_t sums_of(const struct made *a, size_t na, const struct made *b, size_t nb)
{
	struct made_run run[2];
	struct side_kernels first = make_side(&run[0], a, na), other = make_side(&run[1], b, nb);
	struct matching matching;
	const char *names[MADE_MOST];
	size_t n;

	match_sides(&first, &other, &matching);
	n = names_to_sum(&first, &other, &matching, names);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(names[i], "a");
	matching_free(&matching);
	side_kernels_free(&first);
	side_kernels_free(&other);
	return n;
}

static void test_names_to_sum(void **state)
{
	const struct made twice[] = {{"a", 1, 32, 10, 2, 0}, {"b", 1, 32, 20, 1, 0}};
	const struct made two[] = {{"a", 1, 32, 10, 1, 0}, {"b", 1, 32, 20, 1, 0}, {"a", 2, 32, 10, 1, 0}};

	(void)state;
	assert_int_equal(sums_of(twice, 2, twice, 2), 0);
	/* One launch of two has another grid. */
	assert_int_equal(sums_of(twice, 2, two, 3), 1);
	assert_int_equal(sums_of(two, 3, twice, 2), 1);
	/* A launch is gone, or both have another grid. */
	assert_int_equal(sums_of(twice, 2, MADE({"a", 1, 32, 10, 1, 0}, {"b", 1, 32, 20, 1, 0})), 0);
	assert_int_equal(sums_of(twice, 2, MADE({"a", 3, 32, 10, 2, 0}, {"b", 1, 32, 20, 1, 0})), 0);
	/* One of two kernels, both, and the same by turns. */
	assert_int_equal(
		sums_of(two, 3, MADE({"a", 1, 32, 9, 1, 0}, {"b", 1, 32, 20, 1, 0}, {"a", 3, 32, 9, 1, 0})), 0);
	assert_int_equal(
		sums_of(two, 3, MADE({"a", 5, 32, 9, 1, 0}, {"b", 1, 32, 20, 1, 0}, {"a", 3, 32, 9, 1, 0})), 0);
	assert_int_equal(
		sums_of(two, 3, MADE({"a", 2, 32, 9, 1, 0}, {"b", 1, 32, 20, 1, 0}, {"a", 1, 32, 9, 1, 0})), 0);
	/* Both, and one of them got the grid that the other one had. */
	assert_int_equal(
		sums_of(two, 3, MADE({"a", 2, 32, 9, 1, 0}, {"b", 1, 32, 20, 1, 0}, {"a", 4, 32, 9, 1, 0})), 1);
	/* Names that one side has. */
	assert_int_equal(sums_of(twice, 2, MADE({"0", 1, 32, 9, 1, 0}, {"z", 1, 32, 20, 1, 0})), 0);
}

static void test_match_by_grid(void **state)
{
	struct made_run run[2];
	struct side_kernels first = make_side(&run[0],
		MADE({"a", 1, 32, 10, 0, 0}, {"a", 2, 32, 10, 0, 0}, {"b", 1, 32, 60, 0, 0}, {"c", 1, 1, 20, 0, 0}));
	struct side_kernels other = make_side(&run[1],
		MADE({"a", 2, 64, 10, 0, 0}, {"d", 1, 1, 80, 0, 0}, {"a", 1, 64, 5, 0, 0}, {"b", 1, 32, 5, 0, 0}));
	struct matching matching;

	(void)state;
	match_sides(&first, &other, &matching);
	assert_int_equal(matching.n, 3);
	assert_pair(&matching, 0, 0, 2, MATCH_GRID);
	assert_pair(&matching, 1, 1, 0, MATCH_GRID);
	assert_pair(&matching, 2, 2, 3, MATCH_GRID);
	assert_int_equal(matching.first_unmatched, 1);
	assert_near(matching.first_unmatched_share, 0.2, 1e-9);
	assert_int_equal(matching.other_unmatched, 1);
	assert_near(matching.other_unmatched_share, 0.8, 1e-9);
	assert_false(matching.is_alike);
	matching_free(&matching);
	side_kernels_free(&first);
	side_kernels_free(&other);
}

/* Of kernels of one name and grid, which differ in their blocks, the first meets the first. What no grid matches is
 * matched by name. */
static void test_match_by_position(void **state)
{
	struct made_run run[2];
	struct side_kernels first = make_side(&run[0],
		MADE({"a", 1, 32, 1, 0, 0}, {"a", 7, 32, 1, 0, 0}, {"a", 1, 64, 1, 0, 0}, {"a", 8, 32, 1, 0, 0}));
	struct side_kernels other = make_side(&run[1],
		MADE({"a", 9, 32, 1, 0, 0}, {"a", 1, 128, 1, 0, 0}, {"a", 10, 32, 1, 0, 0}, {"a", 11, 32, 1, 0, 0}));
	struct matching matching, back;

	(void)state;
	match_sides(&first, &other, &matching);
	assert_int_equal(matching.n, 4);
	assert_pair(&matching, 0, 0, 1, MATCH_GRID);
	assert_pair(&matching, 1, 1, 0, MATCH_NAME);
	assert_pair(&matching, 2, 2, 2, MATCH_NAME);
	assert_pair(&matching, 3, 3, 3, MATCH_NAME);
	match_sides(&other, &first, &back);
	assert_int_equal(back.n, 4);
	assert_pair(&back, 1, 1, 0, MATCH_GRID);
	assert_string_equal(match_how_word(MATCH_GRID), "grid");
	assert_string_equal(match_how_word(MATCH_NAME), "name");
	assert_string_equal(match_how_word(MATCH_SUM), "sum");
	assert_null(match_how_word(MATCH_NONE));
	matching_free(&matching);
	matching_free(&back);
	side_kernels_free(&first);
	side_kernels_free(&other);
}

static bool alike(const struct made *a, size_t na, const struct made *b, size_t nb)
{
	struct made_run run[2];
	struct side_kernels first = make_side(&run[0], a, na), other = make_side(&run[1], b, nb);
	struct matching matching;
	bool result;

	match_sides(&first, &other, &matching);
	result = matching.is_alike;
	matching_free(&matching);
	side_kernels_free(&first);
	side_kernels_free(&other);
	return result;
}

static void test_alike(void **state)
{
	const struct made same[] = {{"a", 1, 32, 10, 3, 0}, {"b", 1, 32, 20, 1, 0}};

	(void)state;
	assert_true(alike(same, 2, MADE({"a", 1, 32, 99, 3, 0}, {"b", 1, 32, 2, 1, 0})));
	assert_false(alike(same, 2, MADE({"a", 1, 32, 99, 3, 5}, {"b", 1, 32, 2, 1, 0})));
	assert_false(alike(same, 2, MADE({"a", 1, 32, 99, 4, 0}, {"b", 1, 32, 2, 1, 0})));
	assert_false(alike(same, 2, MADE({"a", 1, 32, 99, 3, 0})));
	assert_false(alike(same, 1, MADE({"a", 1, 32, 99, 3, 0}, {"b", 1, 32, 2, 1, 0})));
	assert_false(alike(same, 0, same, 0));
}

static void test_empty(void **state)
{
	struct made_run run;
	struct side_kernels none, some = make_side(&run, MADE({"a", 1, 32, 0, 0, 0}));
	struct matching matching;

	(void)state;
	side_kernels_join(NULL, 0, &(const struct joining_how){.nsums = 0}, &none);
	assert_int_equal(none.n, 0);
	assert_int_equal(none.runs, 0);
	/* No time at all has no shares. */
	assert_true(some.kernels[0].share == 0);
	match_sides(&none, &some, &matching);
	assert_int_equal(matching.n, 0);
	assert_int_equal(matching.other_unmatched, 1);
	matching_free(&matching);
	match_sides(&some, &none, &matching);
	assert_int_equal(matching.first_unmatched, 1);
	matching_free(&matching);
	side_kernels_free(&none);
	side_kernels_free(&some);
}

/* The hash of a kernel's forms is the same whatever the order of rows and of texts, and tells resources apart. */
static void test_forms(void **state)
{
	static const char *const file[] = {"a.sqlite", "b.sqlite", "c.sqlite"};
	struct launches run[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct recording *rec = run_begin(file[i]);

		for (int k = 0; k < 2; k++) {
			int which = i == 1 ? 1 - k : k;

			run_row(rec,
				"KERNEL start=%d end=%d correlationId=%d globalPid=" PROCESS
				" shortName=k demangledName=k<%d> registersPerThread=%d",
				10 * which + 10, 10 * which + 15, which + 1, which, i == 2 ? 32 : 40);
			run_call(rec, "cudaLaunchKernel", which + 1, which, which + 1);
		}
		run_end(rec);
		run[i] = run_load(file[i], NULL, NULL);
		assert_int_equal(run[i].nkernels, 1);
		assert_int_equal(run[i].kernels[0].forms, 2);
		assert_int_equal(run[i].kernels[0].launches, 2);
	}
	assert_true(run[0].kernels[0].hash == run[1].kernels[0].hash);
	assert_true(run[0].kernels[0].hash != run[2].kernels[0].hash);
	for (int i = 0; i < 3; i++)
		launches_release(&run[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_runs_that_differ),
		cmocka_unit_test(test_machine_code_of_runs),
		cmocka_unit_test(test_parts_of_a_run),
		cmocka_unit_test(test_sum_of_runs),
		cmocka_unit_test(test_names_to_sum),
		cmocka_unit_test(test_match_by_grid),
		cmocka_unit_test(test_match_by_position),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_empty),
		scratch_test(test_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
