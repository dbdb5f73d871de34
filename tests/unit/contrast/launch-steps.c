/* launch-steps.c: the steps of a traced run: which launches are in them, which of them count, and how long they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

#include "fixtures/launches-fixture.h"
#include "store/event.h"

static void test_steps(void **state)
{
	struct launches run;

	(void)state;
	run_write_four_steps();
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteps, 4);
	assert_int_equal(run.nsteady, 3);
	assert_int_equal(run.steps[0].left_out, LEFT_FIRST_STEP);
	assert_int_equal(run.steps[3].left_out, LEFT_NOTHING);
	assert_int_equal(run.steps[1].start, 2000);
	assert_int_equal(run.steps[1].end, 2100);
	assert_int_equal(run.steps[1].gpu_start, 2010);
	assert_int_equal(run.steps[1].gpu_end, 2039);
	assert_int_equal(run.steps[1].launches, 3);
	assert_true(run.steps[1].ns == 21);
	assert_true(run.steps[1].waits);
	assert_true(launches_all_wait(&run));
	assert_true(run_host_ns(&run, STEP_DURATION) == 100);
	assert_true(launches_gpu_ns(&run) == 21);
	assert_int_equal(run.left[LEFT_FIRST_STEP].steps, 1);
	assert_int_equal(run.left[LEFT_FIRST_STEP].launches, 3);
	assert_int_equal(run.left[LEFT_FIRST_STEP].ns, 21);
	assert_int_equal(run.nlaunches, 12);
	assert_int_equal(run.ns, 84);
	assert_int_equal(run.processes, 1);
	assert_int_equal(run.gpus, 1);
	launches_release(&run);
}

/* Autotuning tries other resources: a kernel is told as the steady steps have it. */
static void test_warm_up(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		int at = 100 * i + 100;

		run_range(rec, "step", at, at + 100);
		if (i == 0)
			run_launch(rec, 100, "tried", at, at + 5, 1, "");
		run_launch(rec, i + 1, "a", at + 10, at + 20, 5,
			i == 0 ? "registersPerThread=255" : "registersPerThread=32");
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.left[LEFT_OTHER_STEP].launches, 2);
	assert_int_equal(run.nkernels, 2);
	assert_string_equal(run.kernels[0].base, "a");
	assert_int_equal(run.kernels[0].forms, 1);
	assert_int_equal(run.kernels[0].registers, 32);
	assert_int_equal(run.kernels[0].launches, 3);
	assert_string_equal(run.kernels[1].base, "tried");
	launches_release(&run);
}

/* Which of two threads launches first is chance: a step has the same kernels either way. */
static void test_order_by_chance(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++) {
		int at = 100 * i + 100;

		run_range(rec, "step", at, at + 100);
		run_launch(rec, 2 * i + 1, "a", at + (i % 2 ? 10 : 20), at + 30, 5, "");
		run_launch(rec, 2 * i + 2, "b", at + (i % 2 ? 20 : 10), at + 40, 7, "");
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 3);
	assert_int_equal(run.left[LEFT_OTHER_STEP].steps, 0);
	launches_release(&run);
}

/* The whole run is a step, and the first of three launches or more does not count. */
static void test_without_a_range(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "a", 10, 20, 900, "");
	run_launch(rec, 2, "a", 30, 1000, 10, "");
	run_launch(rec, 3, "a", 50, 1100, 20, "");
	run_launch(rec, 4, "b", 70, 1200, 100, "");
	run_launch(rec, 5, "b", 90, 1400, 50, "");
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.nsteps, 1);
	assert_int_equal(run.nsteady, 1);
	assert_true(run.steps[0].waits);
	assert_int_equal(run.steps[0].start, 10);
	assert_int_equal(run.steps[0].end, 1450);
	assert_true(run_cell(&run, 0, "a")->ns == 45);
	assert_int_equal(run_cell(&run, 0, "a")->launches, 3);
	assert_true(run_cell(&run, 0, "b")->ns == 150);
	assert_true(run.steps[0].ns == 195);
	assert_int_equal(run.left[LEFT_FIRST_LAUNCH].launches, 1);
	assert_int_equal(run.left[LEFT_FIRST_LAUNCH].ns, 900);
	assert_true(isnan(run_host_ns(&run, STEP_DURATION)));
	assert_true(launches_gpu_ns(&run) == 195);
	launches_release(&run);
}

/* Nine launches of a: one is warm-up, eight are parts. b has two launches, so that each part has their mean. */
static void test_split(void **state)
{
	static const struct launches_options options = {.split = true};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	struct error err = {0};

	(void)state;
	for (int i = 0; i < 9; i++)
		run_launch(rec, i + 1, "a", 10 * i, 100 * i, i == 0 ? 90 : 50 + i, "");
	run_launch(rec, 20, "b", 200, 2000, 2, "");
	run_launch(rec, 21, "b", 300, 3000, 4, "");
	run_end(rec);
	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), 0);
	assert_int_equal(run.nsteps, 8);
	assert_int_equal(run.nsteady, 8);
	assert_false(run.kernels[0].is_whole);
	assert_true(run.kernels[1].is_whole);
	for (size_t part = 0; part < 8; part++) {
		assert_true(run_cell(&run, part, "a")->ns == 9 * (51 + (double)part));
		assert_int_equal(run_cell(&run, part, "a")->launches, 9);
		assert_true(run_cell(&run, part, "b")->ns == 6);
		assert_true(run.steps[part].ns == 9 * (51 + (double)part) + 6);
	}
	launches_release(&run);
}

/* Two launches can be two parts; one launch cannot. */
static void test_split_of_few(void **state)
{
	static const struct launches_options options = {.split = true};
	struct launches run;
	struct error err = {0};

	(void)state;
	for (int n = 1; n <= 2; n++) {
		struct recording *rec = run_begin("run.sqlite");

		for (int i = 0; i < n; i++)
			run_launch(rec, i + 1, "a", 10 * i, 100 * i, 50, "");
		run_end(rec);
		assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), 0);
		assert_int_equal(run.nsteady, n);
		assert_true(launches_gpu_ns(&run) == 50.0 * n);
		launches_release(&run);
	}
}

/* Only the start of the call and its thread decide. */
static void test_outside(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 100, 200);
	run_launch(rec, 1, "a", 99, 300, 1, "");
	run_launch(rec, 2, "a", 100, 310, 2, "");
	run_launch(rec, 3, "a", 199, 320, 4, "");
	run_launch(rec, 4, "a", 200, 330, 8, "");
	run_row(rec, "KERNEL start=150 end=166 correlationId=9 globalPid=" PROCESS " shortName=a");
	run_row(rec, "KERNEL start=160 end=192 correlationId=10 globalPid=" PROCESS " shortName=a");
	run_row(rec, "RUNTIME start=150 end=151 globalTid=" OTHER_THREAD " correlationId=10 nameId=cudaLaunchKernel");
	run_row(rec, "KERNEL start=160 end=224 correlationId=10 globalPid=" OTHER_PROCESS " shortName=a");
	run_row(rec, "RUNTIME start=150 end=151 globalTid=" OTHER_PROCESS_THREAD
		     " correlationId=10 nameId=cudaLaunchKernel");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_true(run.steps[0].ns == 6);
	assert_int_equal(run.left[LEFT_NO_CALL].launches, 1);
	assert_int_equal(run.left[LEFT_NO_CALL].ns, 16);
	assert_int_equal(run.left[LEFT_OTHER_THREAD].launches, 1);
	assert_int_equal(run.left[LEFT_OTHER_THREAD].ns, 32);
	assert_int_equal(run.left[LEFT_OUTSIDE].launches, 3);
	assert_int_equal(run.left[LEFT_OUTSIDE].ns, 1 + 8 + 64);
	assert_int_equal(run.ns, 127);
	assert_int_equal(run.processes, 2);
	launches_release(&run);
}

/* An inner instance is part of the outer one. */
static void test_nested(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 100, 200);
	run_range(rec, "step", 120, 180);
	run_range(rec, "step", 130, 140);
	run_range(rec, "step", 200, 300);
	run_launch(rec, 1, "a", 110, 300, 1, "");
	run_launch(rec, 2, "a", 135, 310, 2, "");
	run_launch(rec, 3, "a", 190, 320, 4, "");
	run_launch(rec, 4, "a", 250, 330, 8, "");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteps, 2);
	assert_int_equal(run.nested, 2);
	assert_true(run.steps[0].ns == 7);
	assert_true(run.steps[1].ns == 8);
	launches_release(&run);
}

/* They may end on another thread, and overlap: the one that began later has the launch. */
static void test_start_end_ranges(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_row(rec, "NVTX start=100 end=200 eventType=60 rangeId=1 text=step globalTid=" THREAD
		     " endGlobalTid=" OTHER_THREAD);
	run_row(rec, "NVTX start=150 end=250 eventType=60 rangeId=2 text=step globalTid=" THREAD
		     " endGlobalTid=" OTHER_THREAD);
	run_row(rec, "NVTX start=260 eventType=60 rangeId=3 text=step globalTid=" THREAD);
	run_launch(rec, 1, "a", 110, 300, 1, "");
	run_launch(rec, 2, "a", 160, 310, 2, "");
	run_launch(rec, 3, "a", 210, 320, 4, "");
	run_launch(rec, 4, "a", 270, 330, 8, "");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteps, 2);
	assert_int_equal(run.unclosed, 1);
	assert_true(run.steps[0].ns == 1);
	assert_true(run.steps[1].ns == 6);
	assert_int_equal(run.left[LEFT_OUTSIDE].ns, 8);
	launches_release(&run);
}

/* Every second step has the work of two, so that what counts is not what all steps have; a copy and a kernel between
 * steps. */
static void test_span(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 10; i++) {
		int at = 1000 * (i + 1), id = 10 * (i + 1);

		run_range(rec, "step", at, at + 100 + i);
		for (int k = 0; k < 2 && i % 2 == 1; k++)
			run_launch(rec, id + k, "a", at + 1 + k, at + 10 + 10 * k, 6, "");
		run_launch(rec, id + 3, "between", at + 300, at + 310, 3, "");
		run_call(rec, "cudaMemcpyAsync", id + 4, at + 400, at + 405);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 correlationId=%d globalPid=" PROCESS " bytes=4 copyKind=1",
			at + 995, at + 1050, id + 4);
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	/* Steps 1, 3, 5, 7 and 9: from step 1 until step 9 begins. A copy that runs into the next step is hidden there.
	 */
	assert_int_equal(run.nsteady, 5);
	assert_int_equal(run.span.steps, 8);
	assert_int_equal(run.span.left_steps, 4);
	assert_true(run.span.ns == 8 * 6);
	assert_true(run.span.left_ns == 0);
	assert_true(run.span.outside_ns == 8 * 3);
	assert_true(run.span.host_ns == 8 * 100 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8);
	assert_true(run.span.outside_copy_ns == 8 * 5);
	assert_true(run.span.between_ns == 8 * 900 - 36);
	assert_true(run.span.loop_ns == 8 * 1000);
	assert_int_equal(run.step_processes, 1);
	assert_true(run.left_kernels != 0);
	/* All of them, but for the first step, which is warm-up. */
	assert_true(run.outside_ns == 10 * 3);
	assert_int_equal(run.empty.steps, 4);
	assert_true(run.empty.host_ns == 4 * 100 + 2 + 4 + 6 + 8);
	assert_int_equal(run.kinds.n, 1);
	assert_true(run.kinds.kind[0].host_ns == 5 * 100 + 1 + 3 + 5 + 7 + 9);
	launches_release(&run);

	run_write_four_steps();
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.span.steps, 2);
	assert_int_equal(run.span.left_steps, 0);
	assert_true(run.span.ns == 2 * 21);
	assert_true(run.left_kernels == 0);
	launches_release(&run);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.span.steps, 0);
	assert_true(run.outside_ns == 0);
	launches_release(&run);
}

/* A child that has no steps launches and copies before the first step that counts, beside it, and behind the last. */
static void test_a_child_beside_the_steps(void **state)
{
	static const int times[] = {120, 2100, 2150, 3050, 9000};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++)
		run_write_step(rec, 1000 * i + 100, 10 * i + 10);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		int id = 100 + 2 * (int)i, at = times[i];

		for (int k = 0; k < 2; k++)
			run_row(rec,
				"RUNTIME start=%d end=%d globalTid=" OTHER_PROCESS_THREAD " correlationId=%d nameId=%s",
				at, at + 2, id + k, k ? "cudaMemcpyAsync" : "cudaLaunchKernel");
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=7 correlationId=%d "
			"globalPid=" OTHER_PROCESS " shortName=c demangledName=\"c(int)\"",
			at + 2, at + 9, id);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 correlationId=%d globalPid=" OTHER_PROCESS
			" bytes=4 copyKind=1",
			at + 9, at + 14, id + 1);
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 3);
	assert_int_equal(run.step_processes, 1);
	assert_true(run.outside_ns == 5 * 7);
	assert_true(run.span.outside_ns == 3 * 7);
	assert_true(run.span.outside_copy_ns == 0);
	launches_release(&run);
}

/* Every fourth of twelve steps has a kernel more; that of the last one is called `last`. A kernel and a copy between
 * steps. */
static void run_write_turns(const char *last)
{
	struct recording *rec = run_begin("run.sqlite");

	for (int i = 0; i < 12; i++) {
		int at = 1000 * (i + 1), id = 10 * (i + 1);

		run_range(rec, "step", at, at + 100);
		run_launch(rec, id, "a", at + 1, at + 10, 6, "");
		if (i % 4 == 3)
			run_launch(rec, id + 1, i == 11 ? last : "b", at + 2, at + 20, 30, "");
		run_launch(rec, id + 2, "between", at + 300, at + 310, 3, "");
		run_call(rec, "cudaMemcpyAsync", id + 3, at + 400, at + 405);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 correlationId=%d globalPid=" PROCESS " bytes=4 copyKind=1",
			at + 500, at + 505, id + 3);
	}
	run_end(rec);
}

/* What takes turns with steps that count belongs to them to the end. What comes at the end alone does not. */
static void test_span_that_ends_in_its_turn(void **state)
{
	struct launches run;

	(void)state;
	run_write_turns("b");
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 8);
	assert_int_equal(run.span.steps, 11);
	assert_int_equal(run.span.left_steps, 3);
	assert_true(run.span.ns == 11 * 6 + 3 * 30);
	assert_true(run.span.left_ns == 3 * 36);
	assert_true(run.span.host_ns == 11 * 100);
	/* Ten times between eleven steps. */
	assert_float_equal(run.span.between_ns, 11 * 900, 1e-6);
	assert_float_equal(run.span.loop_ns, 11 * 1000, 1e-6);
	assert_float_equal(run.span.outside_ns, 11 * 3, 1e-6);
	assert_float_equal(run.span.outside_copy_ns, 11 * 5, 1e-6);
	launches_release(&run);

	run_write_turns("evaluate");
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.span.steps, 9);
	assert_int_equal(run.span.left_steps, 2);
	assert_true(run.span.ns == 9 * 6 + 2 * 30);
	assert_true(run.span.outside_ns == 9 * 3);
	assert_true(run.span.between_ns == 9 * 900);
	launches_release(&run);
}

static void run_write_phases(void)
{
	struct recording *rec = run_begin("run.sqlite");

	/* Two to warm up, eight that count, four like the first two, and an empty one. */
	for (int i = 0; i < 15; i++) {
		int at = 1000 * (i + 1), id = 10 * (i + 1);
		bool other = i < 2 || i > 9;

		run_range(rec, "step", at, at + 100);
		for (int k = 0; k < 1 + other && i < 14; k++)
			run_launch(rec, id + k, other && k ? "b" : "a", at + 1 + k, at + 10 + 20 * k, 3 + 4 * k, "");
	}
	run_end(rec);
}

static void test_kinds_of_steps(void **state)
{
	struct launches run;

	(void)state;
	run_write_phases();
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.kinds.n, 2);
	assert_int_equal(run.kinds.steps, 14);
	assert_string_equal(run.kinds.kind[0].name, "a");
	assert_int_equal(run.kinds.kind[0].launches, 1);
	assert_int_equal(run.kinds.kind[0].steps, 8);
	assert_int_equal(run.kinds.kind[0].steady, 8);
	assert_int_equal(run.kinds.kind[0].later, 8);
	assert_true(run.kinds.kind[0].ns == 8 * 3);
	assert_string_equal(run.kinds.kind[1].name, "b");
	assert_int_equal(run.kinds.kind[1].launches, 2);
	assert_int_equal(run.kinds.kind[1].steps, 6);
	assert_int_equal(run.kinds.kind[1].steady, 0);
	assert_int_equal(run.kinds.kind[1].later, 4);
	assert_true(run.kinds.kind[1].ns == 4 * 10);
	assert_true(run.kinds.kind[1].shape == 0);
	assert_int_equal(run.shapes.n, 2);
	assert_true(run.shapes.kind[1].list == run.kinds.kind[1].list);
	assert_true(run.shapes.kind[1].ns == 4 * 10);
	launches_release(&run);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.kinds.n, 0);
	launches_release(&run);
}

/* Six steps of training come before nine of validation: no warm-up, but for the first. */
static void test_a_kind_that_comes_first(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 15; i++) {
		run_range(rec, "step", 1000 * (i + 1), 1000 * (i + 1) + 100);
		run_launch(rec, i + 1, i < 6 ? "train" : "valid", 1000 * (i + 1) + 1, 1000 * (i + 1) + 10, 5, "");
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_string_equal(run.kinds.kind[0].name, "valid");
	assert_int_equal(run.kinds.kind[0].later, 9);
	assert_string_equal(run.kinds.kind[1].name, "train");
	assert_int_equal(run.kinds.kind[1].later, 5);
	assert_true(run.kinds.kind[1].ns == 5 * 5);
	assert_true(run.steps[0].is_warm_up);
	assert_false(run.steps[1].is_warm_up);
	assert_int_equal(run.left[LEFT_OTHER_STEP].steps, 6);
	launches_release(&run);
}

static void test_shapes_of_steps(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 9; i++) {
		int at = 1000 * (i + 1), id = 10 * (i + 1);

		run_range(rec, "step", at, at + 100);
		run_launch(rec, id, "a", at + 1, at + 10, 3, i < 6 ? "gridX=64" : "gridX=128");
		run_launch(rec, id + 1, "b", at + 2, at + 20, 3, "");
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.kinds.n, 1);
	assert_int_equal(run.kinds.kind[0].steady, 8);
	assert_int_equal(run.shapes.n, 2);
	assert_int_equal(run.shapes.kind[0].steps, 6);
	assert_int_equal(run.shapes.kind[0].steady, 5);
	assert_int_equal(run.shapes.kind[1].steady, 3);
	assert_true(run.shapes.kind[0].shape != run.shapes.kind[1].shape);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_steps),
		scratch_test(test_warm_up),
		scratch_test(test_order_by_chance),
		scratch_test(test_without_a_range),
		scratch_test(test_split),
		scratch_test(test_split_of_few),
		scratch_test(test_outside),
		scratch_test(test_nested),
		scratch_test(test_start_end_ranges),
		scratch_test(test_span),
		scratch_test(test_a_child_beside_the_steps),
		scratch_test(test_span_that_ends_in_its_turn),
		scratch_test(test_kinds_of_steps),
		scratch_test(test_a_kind_that_comes_first),
		scratch_test(test_shapes_of_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
