/* host-steps.c: which steps of runs without CUPTI count, and how long they take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contrast/step/spans.h"

enum { MOST = 64, RUNS = 4, WARM = 8000, LENGTH = 300 };

/* Runs in which processes are told apart by letters. Of each step a letter stands for its process: small if it launches
 * other kernels than most, and takes longer. */
struct made_run {
	struct launch_step traced[MOST];
	struct launches launches;
	struct side_step host[MOST];
	size_t n;
};

static struct made_run run[RUNS];

static void make_run(struct made_run *out, const char *text)
{
	int64_t at = 0;

	out->n = strlen(text);
	for (size_t i = 0; i < out->n; i++) {
		bool is_warm = text[i] >= 'a';
		int64_t process = is_warm ? text[i] - 'a' : text[i] - 'A';

		out->host[i] = (struct side_step){at, at + (is_warm ? WARM : LENGTH), process, process};
		out->traced[i] = (struct launch_step){.start = at,
			.end = out->host[i].end_ns,
			.thread = (process + 1) << 24,
			.left_out = is_warm ? LEFT_OTHER_STEP : LEFT_NOTHING};
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			out->traced[i].host_ns[m] = is_warm ? NO_TIME : LENGTH;
		at = out->host[i].end_ns;
	}
	out->launches = (struct launches){.steps = out->traced, .nsteps = out->n, .has_range = true};
}

/* The first is without CUPTI, the others tell. */
static struct places told_by(const char *one, const char *two, const char *three)
{
	const char *const text[RUNS] = {NULL, one, two, three};
	const struct launches *traced[RUNS];
	size_t n = 0;

	for (size_t i = 1; i < RUNS; i++) {
		if (!text[i])
			continue;
		make_run(&run[i], text[i]);
		traced[n++] = &run[i].launches;
	}
	return places_told_by(traced, n);
}

/* The steps that count: mean time, and how many in *n. */
static double counted(const char *host, struct places places, size_t *n)
{
	const struct first_ones all[STEP_MEASURES] = {{.n = 0}};
	struct run_times steps;
	struct step_times times;
	struct side_span spans[MOST];

	make_run(&run[0], host);
	steps = times_of_steps(run[0].host, run[0].n, &places, NO_RUN, PAUSE_UNKNOWN);
	step_times_of(&steps, all, &times);
	run_times_free(&steps);
	*n = times.n[STEP_DURATION];
	assert_int_equal(spans_of_steps(run[0].host, run[0].n, &places, spans), *n);
	places_free(&places);
	return times.ns[STEP_DURATION];
}

#define assert_counted(host, places, number)                                                                           \
	do {                                                                                                           \
		size_t n;                                                                                              \
		assert_true(counted(host, places, &n) == LENGTH);                                                      \
		assert_int_equal(n, number);                                                                           \
	} while (0)

/* Without a traced run: all but the first one of a process that has three or more. */
static void nothing_is_told(void **state)
{
	(void)state;
	assert_counted("aBAAA", told_by(NULL, NULL, NULL), 4);
	assert_counted("AB", told_by(NULL, NULL, NULL), 2);
}

/* Processes begin in any order. A process is known by its number of steps. */
static void places_are_of_processes(void **state)
{
	(void)state;
	assert_counted("abaABBBBA", told_by("abaABBBBA", NULL, NULL), 6);
	assert_counted("baaBBABBA", told_by("abaABBBBA", NULL, NULL), 6);
	assert_counted("bABBB", told_by("aBAAA", NULL, NULL), 4);
}

/* Where they have as many, each may be each. */
static void processes_with_as_many_steps(void **state)
{
	(void)state;
	assert_counted("abaABBAB", told_by("aabAABBB", NULL, NULL), 4);
	assert_counted("bbaBBAAA", told_by("aabAABBB", NULL, NULL), 4);
}

/* All runs tell, not the first one alone. */
static void all_runs_tell(void **state)
{
	(void)state;
	assert_counted("aaAAAA", told_by("aAAAAA", "aaAAAA", "aAAAAA"), 4);
	assert_counted("aAAaAA", told_by("aAAAAA", "aAAaAA", NULL), 4);
}

/* A loop that runs for a fixed time has another number of steps in each run. Another one that has as many by chance
 * tells no more of its processes. */
static void other_numbers_of_steps(void **state)
{
	(void)state;
	assert_counted("aaaAAAAAA", told_by("aaaAAA", "aaaAAAA", NULL), 4);
	assert_counted("aaAAAAA", told_by("aAAA", "aaAAAA", "aAAAAA"), 4);
	assert_counted("bbbBBABBAAA", told_by("aaaAAABBBBB", "aaaAAAABBBB", "aaaAAAABB"), 5);
	assert_counted("AAaAAaAAa", told_by("AAaAA", "AAaAAaA", NULL), 5);
	assert_counted("AAAAAA", told_by("AAAAAbbbbb", "AAAAbbbb", NULL), 5);
	/* Tracing leaves too little time: then first ones. */
	assert_counted("aAAAAAAAAA", told_by("aA", "aAA", "aA"), 9);
	/* No place is left, or few. */
	assert_counted("aAAA", told_by("aAAa", "aaAA", "aAaA"), 2);
	assert_counted("aAAAAAAA", told_by("aAaAAAa", "aAAaAaAAA", "aAAAaA"), 7);
}

/* A period counts where most runs say so. */
static void periods_count(void **state)
{
	const struct first_ones all[STEP_MEASURES] = {{.n = 0}};
	struct places places = told_by("aAAAAA", "aAAAAA", "aAAAAA");
	struct run_times steps;
	struct step_times times;

	(void)state;
	run[1].traced[1].host_ns[STEP_PERIOD] = run[2].traced[1].host_ns[STEP_PERIOD] =
		run[3].traced[2].host_ns[STEP_PERIOD] = NO_TIME;
	make_run(&run[0], "aAAAAA");
	steps = times_of_steps(run[0].host, run[0].n, &places, NO_RUN, PAUSE_UNKNOWN);
	step_times_of(&steps, all, &times);
	assert_int_equal(times.n[STEP_PERIOD], 3);
	assert_true(times.ns[STEP_PERIOD] == LENGTH && !times.pace.overlap);
	run_times_free(&steps);
	steps = times_of_steps(run[0].host, 0, &places, NO_RUN, PAUSE_UNKNOWN);
	step_times_of(&steps, all, &times);
	assert_true(isnan(times.ns[STEP_DURATION]) && isnan(times.ns[STEP_PERIOD]));
	run_times_free(&steps);
	places_free(&places);
}

/* A traced run is held against what the others say of it. */
static void a_run_as_it_is_told(void **state)
{
	const struct first_ones all[STEP_MEASURES] = {{.n = 0}};
	struct places places = told_by("aAAAAaAAA", "aAAAAAaAA", "aAAaAAAAA");
	struct run_times steps = times_as_placed(&run[1].launches, &places, 0, PAUSE_UNKNOWN);
	struct step_times times;

	(void)state;
	step_times_of(&steps, all, &times);
	assert_int_equal(times.n[STEP_DURATION], 6);
	assert_true(times.ns[STEP_DURATION] == (5 * LENGTH + WARM) / 6.0);
	run_times_free(&steps);
	steps = times_of_launches(&run[1].launches);
	step_times_of(&steps, all, &times);
	assert_true(times.ns[STEP_DURATION] == LENGTH && times.n[STEP_PERIOD] == 7);
	run_times_free(&steps);
	places_free(&places);
}

/* ---- as many first steps ---- */

static double mean_of_first(const struct first_ones *ones, const struct step_time *steps, size_t n, size_t number)
{
	size_t found;
	double mean = first_ones_mean(ones, steps, n, &found);

	assert_int_equal(found, number);
	return mean;
}

/* The first steps of a run take longer. */
static void first_steps_weigh_the_same(void **state)
{
	static const struct step_time few[] = {{1, 30}, {1, NO_TIME}, {1, 10}, {1, 10}},
				      many[] = {{7, 50}, {7, 20}, {7, 20}, {7, 20}, {7, 20}, {7, 20}},
				      none[] = {{1, NO_TIME}};
	struct first_ones ones = {.n = 0};

	(void)state;
	assert_true(mean_of_first(&ones, many, 6, 6) == 25);
	first_ones_within(&ones, many, 6);
	first_ones_within(&ones, few, 4);
	first_ones_within(&ones, none, 1);
	assert_true(mean_of_first(&ones, few, 4, 3) == 50 / 3.0);
	assert_true(mean_of_first(&ones, many, 6, 3) == 30);
	assert_true(isnan(mean_of_first(&ones, none, 1, 0)));
	first_ones_free(&ones);
}

/* The first step of a process may not count, and may be all that counts. */
static void first_steps_of_processes_are_found(void **state)
{
	static const struct step_time two[] = {{1, 30}, {2, NO_TIME}, {1, 10}, {2, 10}, {2, 10}};
	struct first_ones ones = {.n = 0};

	(void)state;
	assert_int_equal(first_ones_begins(&ones, two, 5), 1);
	assert_int_equal(first_ones_begins(&ones, two, 1), 1);
	assert_int_equal(first_ones_begins(&ones, two + 1, 1), 0);
	assert_int_equal(first_ones_begins(&ones, two + 2, 3), 2);
	first_ones_within(&ones, two + 3, 2);
	assert_int_equal(first_ones_begins(&ones, two, 5), 1);
	assert_int_equal(first_ones_begins(&ones, two, 0), 0);
	first_ones_free(&ones);
}

/* One run that is held up does not cut the others. */
static void most_runs_of_a_side_tell(void **state)
{
	size_t few[] = {1, 1}, usual[] = {90, 40}, many[] = {100}, other[] = {60, 70, 5};
	const struct first_ones runs[] = {{few, 2, 2}, {usual, 2, 2}, {many, 1, 1}}, side[] = {{other, 3, 3}};
	struct first_ones ones = {.n = 0};

	(void)state;
	first_ones_within_side(&ones, runs, 0);
	assert_int_equal(ones.n, 0);
	first_ones_within_side(&ones, runs, 3);
	assert_int_equal(ones.n, 2);
	assert_int_equal(ones.most[0], 90);
	assert_int_equal(ones.most[1], 1);
	first_ones_within_side(&ones, side, 1);
	assert_int_equal(ones.n, 3);
	assert_int_equal(ones.most[0], 60);
	assert_int_equal(ones.most[2], 5);
	first_ones_free(&ones);
}

/* The process with most steps of one run is that of the other. */
static void first_steps_of_processes(void **state)
{
	static const struct step_time one[] = {{1, 9}, {2, 100}, {1, 9}, {1, 9}, {1, 9}},
				      other[] = {{5, 100}, {6, 7}, {5, 300}, {6, 7}, {6, 7}},
				      alone[] = {{5, 1}, {5, 1}, {5, 1}, {5, 1}};
	struct first_ones ones = {.n = 0};

	(void)state;
	first_ones_within(&ones, one, 5);
	first_ones_within(&ones, other, 5);
	assert_true(mean_of_first(&ones, one, 5, 4) == 127 / 4.0);
	assert_true(mean_of_first(&ones, other, 5, 4) == 121 / 4.0);
	assert_true(mean_of_first(&ones, alone, 4, 3) == 1);
	first_ones_free(&ones);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_told),
		cmocka_unit_test(places_are_of_processes),
		cmocka_unit_test(processes_with_as_many_steps),
		cmocka_unit_test(all_runs_tell),
		cmocka_unit_test(other_numbers_of_steps),
		cmocka_unit_test(periods_count),
		cmocka_unit_test(a_run_as_it_is_told),
		cmocka_unit_test(first_steps_weigh_the_same),
		cmocka_unit_test(first_steps_of_processes_are_found),
		cmocka_unit_test(first_steps_of_processes),
		cmocka_unit_test(most_runs_of_a_side_tell),
	};

	return cmocka_run_group_tests_name("contrast: host steps", tests, NULL, NULL);
}
