/* median-step.c: which step stands for all of a side, and what of it comes into another recording. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contrast/step/kept.h"
#include "contrast/step/median-rows.h"
#include "contrast/step/step-calls.h"
#include "contrast/step/step-window.h"
#include "fixtures/launches-fixture.h"
#include "store/event.h"
#include "trace/trace.h"

enum { H2D = 1, PINNED = 1, DEVICE = 2 };

/* ---- the choice ---- */

/* A run with a step for each time, which is negative where the step does not count. */
static struct launches made_run(struct launch_step *steps, const double *ns, size_t n)
{
	struct launches run = {.steps = steps, .nsteps = n, .has_range = true};

	for (size_t i = 0; i < n; i++) {
		steps[i] =
			(struct launch_step){.ns = fabs(ns[i]), .left_out = ns[i] < 0 ? LEFT_OTHER_STEP : LEFT_NOTHING};
		run.nsteady += ns[i] >= 0;
	}
	return run;
}

static void test_nearest_to_the_median_of_all(void **state)
{
	struct launch_step steps[3][3];
	const double first[] = {-7, 100, 110}, second[] = {-7, 130, 150}, third[] = {120, 170};
	struct launches launches[] = {
		made_run(steps[0], first, 3), made_run(steps[1], second, 3), made_run(steps[2], third, 2)};
	struct median_run runs[] = {
		{&launches[0], "a", 0, 0, NULL}, {&launches[1], "b", 0, 3, NULL}, {&launches[2], "c", 1, 0, NULL}};
	struct median_step step;

	(void)state;
	/* 100, 110, 120, 130, 150 and 170: the median is 125, and of 120 and 130 the one that ran first is taken. */
	assert_true(median_step_choose(runs, 3, STEP_DURATION, &step));
	assert_true(step.median_ns == 125 && step.ns == 130);
	assert_int_equal(step.steady, 6);
	assert_int_equal(step.run, 1);
	assert_int_equal(step.step, 1);
	assert_true(median_step_distance(&runs[0], 125) == 15);
	/* Runs whose recordings are gone count for the median, and give no step. */
	runs[1].recording = NULL;
	assert_true(median_step_choose(runs, 3, STEP_DURATION, &step));
	assert_true(step.median_ns == 125 && step.ns == 120);
	assert_int_equal(step.run, 2);
	assert_int_equal(step.step, 0);
}

/* Kernels often take the same to the nanosecond: then the step's own time tells which one is usual. */
static void test_nearest_in_both_times(void **state)
{
	struct launch_step steps[6];
	const double ns[] = {-7, 100, 100, 100, 101, 300};
	const int64_t times[] = {0, 500, 204, 210, 200, 200};
	struct launches launches = made_run(steps, ns, 6);
	const struct median_run run = {&launches, "a", 0, 0, NULL};
	struct median_step step;

	(void)state;
	for (int i = 0; i < 6; i++)
		steps[i].host_ns[STEP_DURATION] = times[i];
	/* The medians are 100 and 204. */
	assert_true(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_true(step.median_ns == 100);
	assert_int_equal(step.step, 2);
	/* A little in both is less than much in one. */
	steps[2].host_ns[STEP_DURATION] = 900;
	assert_true(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_int_equal(step.step, 3);
}

/* A step without a period cannot be shown in it. Where no step has one, it does not matter. */
static void test_only_steps_with_a_time_are_chosen(void **state)
{
	struct launch_step steps[4];
	const double ns[] = {-7, 100, 110, 130};
	struct launches launches = made_run(steps, ns, 4);
	struct median_run run = {&launches, "a", 0, 0, NULL};
	struct median_step step;

	(void)state;
	steps[2].host_ns[STEP_PERIOD] = NO_TIME;
	assert_true(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_int_equal(step.step, 2);
	assert_true(median_step_choose(&run, 1, STEP_PERIOD, &step));
	assert_int_equal(step.step, 1);
	assert_true(step.median_ns == 110 && step.ns == 100);
	steps[1].host_ns[STEP_PERIOD] = steps[3].host_ns[STEP_PERIOD] = NO_TIME;
	assert_true(median_step_choose(&run, 1, STEP_PERIOD, &step));
	assert_int_equal(step.step, 2);
}

static void test_few_steps(void **state)
{
	struct launch_step steps[2], none_steps[1];
	const double one[] = {-3, 50}, none[] = {-50};
	struct launches single = made_run(steps, one, 2), empty = made_run(none_steps, none, 1);
	struct median_run run = {&single, "a", 0, 0, NULL};
	struct median_step step;

	(void)state;
	assert_true(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_true(step.ns == 50 && step.median_ns == 50);
	assert_int_equal(step.step, 1);
	assert_int_equal(step.steady, 1);
	run.launches = &empty;
	assert_false(median_step_choose(&run, 1, STEP_DURATION, &step));
	run.launches = NULL;
	assert_false(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_true(isinf(median_step_distance(&run, 1)));
	assert_false(median_step_choose(NULL, 0, STEP_DURATION, &step));
}

/* Parts of one step are no steps. */
static void test_parts_are_one_step(void **state)
{
	struct launch_step steps[3];
	const double parts[] = {10, 20, 60};
	struct launches split = made_run(steps, parts, 3);
	const struct median_run run = {&split, "a", -1, -1, NULL};
	struct median_step step;

	(void)state;
	split.is_split = true;
	assert_true(median_step_choose(&run, 1, STEP_DURATION, &step));
	assert_true(step.ns == 30 && step.median_ns == 30);
	assert_int_equal(step.steady, 1);
	assert_true(step.step == MEDIAN_STEP_ONLY);
}

/* ---- the window ---- */

static void assert_window(struct step_window window, const char *word, int64_t from, int64_t to)
{
	assert_string_equal(step_window_word(window.kind), word);
	assert_int_equal(window.from, from);
	assert_int_equal(window.to, to);
}

static void test_windows(void **state)
{
	struct step_calls step = {.from = 990,
		.to = 1150,
		.start = 1000,
		.end = 1100,
		.gpu_start = 1010,
		.gpu_end = 1090,
		.kernels_from = 1020,
		.kernels_to = 1080,
		.host_ns = {100, 150, NO_TIME}};

	(void)state;
	assert_window(step_window_of(&step, STEP_DURATION), "duration", 1000, 1100);
	assert_window(step_window_of(&step, STEP_PERIOD), "period", 1000, 1150);
	assert_window(step_window_of(&step, STEP_PERIOD_ALL), "duration", 1000, 1100);
	/* The GPU works on behind the step: copies, then kernels as well. */
	step.gpu_end = 1151;
	assert_window(step_window_of(&step, STEP_DURATION), "work", 1010, 1151);
	assert_window(step_window_of(&step, STEP_PERIOD), "period", 1000, 1150);
	assert_window(step_window_of(&step, STEP_PERIOD_ALL), "work", 1010, 1151);
	step.kernels_to = 1151;
	assert_window(step_window_of(&step, STEP_PERIOD), "kernels", 1020, 1170);
	/* A step that takes no time, and one without work. */
	step.end = 1000;
	assert_window(step_window_of(&step, STEP_DURATION), "work", 1010, 1151);
	step.gpu_start = step.gpu_end = TIME_NONE;
	assert_window(step_window_of(&step, STEP_DURATION), "duration", 990, 1150);
	step.whole = true;
	assert_window(step_window_of(&step, STEP_PERIOD), "run", 990, 1150);
}

/* ---- the rows ---- */

/* Steps of 1000 ns each 2000 ns: a copy in, kernels that take `ns`, one of them behind the step's end. */
static void add_step(struct recording *rec, int at, int id, int ns)
{
	run_range(rec, "step", at, at + 1000);
	run_row(rec, "NVTX start=%d end=%d eventType=59 text=inner globalTid=" THREAD, at + 5, at + 500);
	run_call(rec, "cudaMemcpyAsync", id, at + 10, at + 12);
	run_row(rec,
		"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
		" bytes=1000 copyKind=%d srcKind=%d dstKind=%d",
		at + 100, at + 200, id, H2D, PINNED, DEVICE);
	run_launch(rec, id + 1, "a", at + 20, at + 200, ns, "");
	run_launch(rec, id + 2, "b", at + 30, at + 900, 300, "");
	run_call(rec, "cudaMemsetAsync", id + 3, at + 40, at + 41);
	run_row(rec, "MEMSET start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS, at + 600,
		at + 650, id + 3);
}

static void make_traced(const char *name, const int *ns, size_t n)
{
	struct recording *rec = run_begin(name);

	run_range(rec, "all", 1, 1000000);
	for (size_t i = 0; i < n; i++)
		add_step(rec, 10000 + 2000 * (int)i, 10 * (int)i + 1, ns[i]);
	/* Outside of all steps. */
	run_launch(rec, 900, "c", 500000, 500100, 100, "");
	run_end(rec);
}

/* Both sides are that run; the second one's GPU 0 has another number in our recording. */
static void write_pair(const char *name, const char *traced, const char *range, enum step_measure measure)
{
	static const int gpus[PROGRAM_GPUS] = {5};
	const struct launches_options options = {.range = range, .any_thread = true};
	char path[4096];
	struct error err = {0};
	struct launches run;
	struct recording *rec;

	snprintf(path, sizeof(path), "%s", in_scratch(traced));
	assert_int_equal(launches_load(path, &options, &run, &err), 0);
	const struct median_run of = {&run, path, 2, 1, NULL}, moved = {&run, path, 2, 1, gpus};
	const struct median_side sides[] = {{0, "single", &of, 1}, {1, "other", &moved, 1}};
	rec = run_begin(name);
	assert_int_equal(rows_of_median_steps(rec, &options, measure, SCRIPT_EPOCH_NS, sides, &err), 0);
	run_end(rec);
	launches_release(&run);
}

/* The rows of a table. `columns` of the first `most` of them go into `out`, one row after the other. */
static size_t read_numbers(
	const char *name, enum table_id table, const int *columns, size_t n, int64_t *out, size_t most)
{
	struct error err = {0};
	struct store *store = store_open(in_scratch(name), &err);
	struct cursor *cursor = store ? store_rows(store, table, -1, &err) : NULL;
	size_t rows = 0;

	assert_string_equal(err.text, "");
	for (; cursor_next(cursor, &err) > 0; rows++)
		for (size_t i = 0; i < n && rows < most; i++)
			out[rows * n + i] = cursor_int(cursor, columns[i]);
	cursor_close(cursor);
	store_close(store);
	return rows;
}

static const int step_columns[] = {MEDIANSTEP_step, MEDIANSTEP_steps, MEDIANSTEP_steady, MEDIANSTEP_pieces,
	MEDIANSTEP_start, MEDIANSTEP_end, MEDIANSTEP_inside, MEDIANSTEP_others, MEDIANSTEP_behindNs};
enum { STEP_COLUMNS = sizeof(step_columns) / sizeof(step_columns[0]) };

/* The third of four steps, at a time of its own, up to the begin of the next one; once for each side. */
static void test_rows_of_a_step(void **state)
{
	static const int kernel_columns[] = {KERNEL_start, KERNEL_end, KERNEL_correlationId, KERNEL_deviceId},
			 range_columns[] = {NVTX_start, NVTX_end},
			 call_columns[] = {RUNTIME_start, RUNTIME_correlationId};
	static const int ns[] = {900, 100, 120, 150};
	int64_t steps[2 * STEP_COLUMNS], kernels[16], ranges[12], calls[16];

	(void)state;
	make_traced("traced.sqlite", ns, 4);
	write_pair("pair.sqlite", "traced.sqlite", "step", STEP_PERIOD);
	assert_int_equal(read_numbers("pair.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	assert_int_equal(steps[0], 3);
	assert_int_equal(steps[1], 4);
	assert_int_equal(steps[2], 3);
	assert_int_equal(steps[3], 4);
	assert_int_equal(steps[5] - steps[4], 2000);
	assert_int_equal(steps[6], 4);
	assert_int_equal(steps[7], 0);
	assert_int_equal(steps[8], 0);
	assert_true(steps[STEP_COLUMNS + 4] > steps[5]);
	assert_int_equal(read_numbers("pair.sqlite", TABLE_KERNEL, kernel_columns, 4, kernels, 4), 4);
	assert_int_equal(kernels[0] - steps[4], 200);
	assert_int_equal(kernels[1] - kernels[0], 120);
	assert_int_equal(kernels[4] - steps[4], 900);
	assert_int_equal(kernels[8] - steps[STEP_COLUMNS + 4], 200);
	/* Calls of the sides have numbers of their own, and work has that of its call. */
	assert_int_equal(read_numbers("pair.sqlite", TABLE_RUNTIME, call_columns, 2, calls, 8), 8);
	for (int i = 0; i < 8; i++)
		assert_int_equal(calls[2 * i + 1], i + 1);
	assert_int_equal(kernels[2], 2);
	assert_int_equal(kernels[10], 6);
	assert_int_equal(kernels[3], 0);
	assert_int_equal(kernels[11], 5);
	assert_int_equal(calls[2] - steps[4], 20);
	/* The range around all steps is cut: two of its own, and this one. */
	assert_int_equal(read_numbers("pair.sqlite", TABLE_NVTX, range_columns, 2, ranges, 6), 6);
	assert_int_equal(ranges[0], steps[4]);
	assert_int_equal(ranges[1], steps[5]);
	assert_int_equal(ranges[2], steps[4]);
	assert_int_equal(ranges[3] - ranges[2], 1000);
	assert_int_equal(ranges[4] - steps[4], 5);
	assert_int_equal(read_numbers("pair.sqlite", TABLE_MEMCPY, NULL, 0, NULL, 0), 2);
	assert_int_equal(read_numbers("pair.sqlite", TABLE_MEMSET, NULL, 0, NULL, 0), 2);
}

/* Where a row of kernels stands in its step's window, and whether it has a call. */
static void assert_kernel(const int64_t *kernel, int64_t at, int64_t from, int64_t to, bool called)
{
	assert_int_equal(kernel[0] - at, from);
	assert_int_equal(kernel[1] - at, to);
	assert_int_equal(kernel[2] != 0, called);
}

/* Steps follow each other each 1000 ns, and the kernel of each, of 800 ns, runs 2500 ns behind it. Copies of another
 * process on the same GPU run meanwhile, and a kernel on another GPU, which does not count. */
static void make_lagging(const char *name)
{
	struct recording *rec = run_begin(name);

	for (int i = 0; i < 9; i++) {
		int at = 10000 + 1000 * i;

		run_range(rec, "step", at, at + 900);
		run_launch(rec, i + 1, "a", at + 20, at + 2500, 800 + (i == 4), "");
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 streamId=9 correlationId=%d globalPid=" OTHER_PROCESS
			" bytes=1000 copyKind=1 srcKind=1 dstKind=2",
			at + 400, at + 600, i + 1);
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=1 streamId=9 correlationId=%d globalPid=" OTHER_PROCESS
			" shortName=b",
			at + 100, at + 200, 100 + i);
	}
	run_end(rec);
}

/* All that runs on the GPU within the window is kept, cut at its edges; only work of the step has a call. */
static void test_rows_of_what_runs_beside(void **state)
{
	static const int columns[] = {KERNEL_start, KERNEL_end, KERNEL_correlationId},
			 copy_columns[] = {MEMCPY_start, MEMCPY_end, MEMCPY_correlationId};
	int64_t steps[2 * STEP_COLUMNS], kernels[12], copies[12], at;

	(void)state;
	make_lagging("lagging.sqlite");
	write_pair("lagging-pair.sqlite", "lagging.sqlite", "step", STEP_PERIOD);
	assert_int_equal(
		read_numbers("lagging-pair.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	at = steps[4];
	assert_int_equal(steps[5] - at, 1000); /* from its kernel on */
	assert_int_equal(steps[6], 1);
	assert_int_equal(steps[7], 2); /* copies: one is cut at the begin, and one at the end */
	assert_int_equal(read_numbers("lagging-pair.sqlite", TABLE_KERNEL, columns, 3, kernels, 4), 2);
	assert_kernel(kernels, at, 0, 800, true);
	assert_kernel(kernels + 3, steps[STEP_COLUMNS + 4], 0, 800, true);
	assert_int_equal(read_numbers("lagging-pair.sqlite", TABLE_MEMCPY, copy_columns, 3, copies, 4), 4);
	assert_kernel(copies, at, 0, 100, false);
	assert_kernel(copies + 3, at, 900, 1000, false);
	/* By its duration the step is shown as long as its work takes. */
	write_pair("lagging-work.sqlite", "lagging.sqlite", "step", STEP_DURATION);
	assert_int_equal(
		read_numbers("lagging-work.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	assert_int_equal(steps[5] - steps[4], 800);
	assert_int_equal(steps[7], 1);
	/* Two windows do not lie over each other. */
	assert_true(steps[STEP_COLUMNS + 4] > steps[5]);
}

/* Where nothing runs in the step's time, its work is shown, whenever that runs. */
static void test_an_empty_window_is_not_shown(void **state)
{
	static const int columns[] = {KERNEL_start, KERNEL_end, KERNEL_correlationId};
	int64_t steps[2 * STEP_COLUMNS], kernels[6];
	struct recording *rec = run_begin("empty.sqlite");

	(void)state;
	run_range(rec, "step", 1000, 2000);
	run_launch(rec, 1, "a", 1010, 100, 100, "");
	run_end(rec);
	write_pair("empty-pair.sqlite", "empty.sqlite", "step", STEP_DURATION);
	assert_int_equal(read_numbers("empty-pair.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	assert_int_equal(steps[5] - steps[4], 100);
	assert_int_equal(read_numbers("empty-pair.sqlite", TABLE_KERNEL, columns, 3, kernels, 2), 2);
	assert_kernel(kernels, steps[4], 0, 100, true);
}

/* Work of other steps counts, too. */
static void test_windows_with_too_much_are_not_kept(void **state)
{
	static const int columns[] = {MEDIANSTEP_pieces, MEDIANSTEP_kept};
	int64_t steps[4];
	struct recording *rec = run_begin("crowded.sqlite");

	(void)state;
	run_range(rec, "step", 1000, 1000000);
	run_launch(rec, 1, "a", 1010, 1100, 100, "");
	for (int i = 0; i < 200000; i++)
		run_row(rec, "MEMSET start=%d end=%d deviceId=0 globalPid=" PROCESS, 2000 + 2 * i, 2001 + 2 * i);
	run_end(rec);
	write_pair("crowded-pair.sqlite", "crowded.sqlite", "step", STEP_DURATION);
	assert_int_equal(read_numbers("crowded-pair.sqlite", TABLE_MEDIANSTEP, columns, 2, steps, 2), 2);
	assert_int_equal(steps[0], 1);
	assert_int_equal(steps[1], 0);
	assert_int_equal(read_numbers("crowded-pair.sqlite", TABLE_KERNEL, NULL, 0, NULL, 0), 0);
}

/* Without a range the run is the step, with all its work, whether its call is known or not. */
static void test_rows_of_a_whole_run(void **state)
{
	static const int ns[] = {100, 120};
	int64_t steps[2 * STEP_COLUMNS];
	struct recording *rec;

	(void)state;
	rec = run_begin("whole.sqlite");
	for (int i = 0; i < 2; i++)
		add_step(rec, 10000 + 2000 * i, 10 * i + 1, ns[i]);
	run_row(rec, "KERNEL start=20000 end=20100 deviceId=0 streamId=7 globalPid=" PROCESS " shortName=d");
	run_end(rec);
	write_pair("whole-pair.sqlite", "whole.sqlite", NULL, STEP_DURATION);
	assert_int_equal(read_numbers("whole-pair.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	assert_int_equal(steps[0], 0); /* NULL */
	assert_int_equal(steps[2], 1);
	assert_int_equal(steps[3], 9);
	assert_int_equal(steps[5] - steps[4], 20100 - 10010); /* from the first call to the last work */
	assert_int_equal(read_numbers("whole-pair.sqlite", TABLE_KERNEL, NULL, 0, NULL, 0), 10);
}

/* A step with too many pieces of work has a row, which says so, and nothing else. */
static void test_large_steps_are_not_kept(void **state)
{
	static const int columns[] = {MEDIANSTEP_pieces, MEDIANSTEP_kept};
	int64_t steps[4];
	struct recording *rec = run_begin("large.sqlite");

	(void)state;
	run_launch(rec, 1, "a", 10, 100, 100, "");
	for (int i = 0; i < 200000; i++)
		run_row(rec, "MEMSET start=%d end=%d deviceId=0 globalPid=" PROCESS, 1000 + 2 * i, 1001 + 2 * i);
	run_end(rec);
	write_pair("large-pair.sqlite", "large.sqlite", NULL, STEP_DURATION);
	assert_int_equal(read_numbers("large-pair.sqlite", TABLE_MEDIANSTEP, columns, 2, steps, 2), 2);
	assert_int_equal(steps[0], 200001);
	assert_int_equal(steps[1], 0);
	assert_int_equal(read_numbers("large-pair.sqlite", TABLE_KERNEL, NULL, 0, NULL, 0), 0);
	assert_int_equal(read_numbers("large-pair.sqlite", TABLE_MEMSET, NULL, 0, NULL, 0), 0);
}

/* Two processes count their calls alike; a step has what its own process asked for. A kernel whose call is missing
 * belongs to no step. Both run beside it. */
static void test_rows_of_processes(void **state)
{
	static const int columns[] = {KERNEL_globalPid, KERNEL_correlationId};
	int64_t kernels[6], steps[2 * STEP_COLUMNS];
	struct recording *rec = run_begin("processes.sqlite");

	(void)state;
	run_range(rec, "step", 1000, 2000);
	run_launch(rec, 1, "a", 1010, 1100, 100, "");
	run_row(rec, "RUNTIME start=1010 end=1012 globalTid=" OTHER_PROCESS_THREAD
		     " correlationId=1 nameId=cudaLaunchKernel");
	run_row(rec, "KERNEL start=1100 end=1300 deviceId=0 streamId=7 correlationId=1 globalPid=" OTHER_PROCESS
		     " shortName=a");
	run_row(rec, "KERNEL start=1400 end=1500 deviceId=0 streamId=7 correlationId=77 globalPid=" PROCESS
		     " shortName=lost");
	run_row(rec, "NVTX start=1000 end=1900 eventType=59 text=theirs globalTid=" OTHER_PROCESS_THREAD);
	run_end(rec);
	write_pair("processes-pair.sqlite", "processes.sqlite", "step", STEP_DURATION);
	assert_int_equal(
		read_numbers("processes-pair.sqlite", TABLE_MEDIANSTEP, step_columns, STEP_COLUMNS, steps, 2), 2);
	assert_int_equal(steps[3], 1);
	assert_int_equal(steps[6], 1);
	assert_int_equal(steps[7], 2);
	assert_int_equal(read_numbers("processes-pair.sqlite", TABLE_KERNEL, columns, 2, kernels, 3), 6);
	assert_int_equal(kernels[0], 16777216);
	assert_int_equal(kernels[1], 1);
	assert_int_equal(kernels[2], 33554432);
	assert_int_equal(kernels[3], 0);
	assert_int_equal(kernels[4], 16777216);
	assert_int_equal(kernels[5], 0);
	assert_int_equal(read_numbers("processes-pair.sqlite", TABLE_NVTX, NULL, 0, NULL, 0), 2);
}

/* A process may number its GPUs otherwise: the rows have the numbers of a report. */
static void test_rows_name_the_gpu(void **state)
{
	static const int columns[] = {KERNEL_deviceId};
	int64_t device[2];
	struct recording *rec = run_begin("gpus.sqlite");

	(void)state;
	run_row(rec, "GPU id=0 name=X cuDevice=0");
	run_row(rec, "GPU id=1 name=X cuDevice=1");
	run_row(rec, "CUDADEVICE gpuId=1 cudaId=5 pid=1");
	run_range(rec, "step", 1000, 2000);
	run_call(rec, "cudaLaunchKernel", 1, 1010, 1012);
	run_row(rec,
		"KERNEL start=1100 end=1200 deviceId=5 streamId=7 correlationId=1 globalPid=" PROCESS " shortName=a");
	run_end(rec);
	write_pair("gpus-pair.sqlite", "gpus.sqlite", "step", STEP_DURATION);
	assert_int_equal(read_numbers("gpus-pair.sqlite", TABLE_KERNEL, columns, 1, device, 2), 2);
	assert_int_equal(device[0], 1);
}

/* ---- recordings that are kept meanwhile ---- */

static char *made_file(const char *name, size_t bytes)
{
	char *path = strdup(in_scratch(name));
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (size_t i = 0; i < bytes; i++)
		fputc('x', file);
	fclose(file);
	return path;
}

/* Those far from the median of their side go first, and one of each side stays. */
static void test_recordings_are_kept_within(void **state)
{
	static const double ns[] = {100, 180, 110, 500, 104};
	struct launch_step steps[5];
	struct launches runs[5];
	struct kept kept = {0};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		char name[16];

		snprintf(name, sizeof(name), "kept-%zu", i);
		runs[i] = made_run(&steps[i], &ns[i], 1);
		kept_add(&kept, i == 3 ? 2 : 0, 10 + i, &runs[i], made_file(name, 100));
	}
	kept_within(&kept, 500);
	assert_int_equal(scratch_files(0), 5);
	/* Of side 0: 100, 104, 110 and 180, the median is 107. */
	kept_within(&kept, 350);
	assert_null(kept_path(&kept, 11));
	assert_null(kept_path(&kept, 10));
	assert_non_null(kept_path(&kept, 12));
	assert_int_equal(scratch_files(0), 3);
	kept_within(&kept, 0);
	assert_int_equal(scratch_files(0), 2);
	assert_non_null(kept_path(&kept, 13));
	assert_null(kept_path(&kept, 99));
	kept_free(&kept);
	assert_int_equal(scratch_files(0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest_to_the_median_of_all),
		cmocka_unit_test(test_nearest_in_both_times),
		cmocka_unit_test(test_only_steps_with_a_time_are_chosen),
		cmocka_unit_test(test_few_steps),
		cmocka_unit_test(test_parts_are_one_step),
		cmocka_unit_test(test_windows),
		scratch_test(test_rows_of_a_step),
		scratch_test(test_rows_of_what_runs_beside),
		scratch_test(test_an_empty_window_is_not_shown),
		scratch_test(test_windows_with_too_much_are_not_kept),
		scratch_test(test_rows_of_a_whole_run),
		scratch_test(test_large_steps_are_not_kept),
		scratch_test(test_rows_of_processes),
		scratch_test(test_rows_name_the_gpu),
		scratch_test(test_recordings_are_kept_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
