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

/* Each process warms up: of two with three launches each, both first ones do not count. Two launches are no warm-up. */
static void test_first_launches_of_processes(void **state)
{
	static const struct launches_options options = {.split = true};
	static const char *const process[] = {PROCESS, OTHER_PROCESS}, *const thread[] = {THREAD, OTHER_PROCESS_THREAD};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	struct error err = {0};

	(void)state;
	for (int i = 0; i < 8; i++) {
		const char *kernel = i < 6 ? "a" : "b";
		int ns = i < 2 ? 900 : i < 6 ? 10 + 10 * (i % 2) : 100;

		run_row(rec, "RUNTIME start=%d end=%d globalTid=%s correlationId=%d nameId=cuLaunchKernel", 10 * i,
			10 * i + 2, thread[i % 2], i + 1);
		run_row(rec, "KERNEL start=%d end=%d deviceId=%d correlationId=%d globalPid=%s shortName=%s", 1000 * i,
			1000 * i + ns, i % 2, i + 1, process[i % 2], kernel);
	}
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.left[LEFT_FIRST_LAUNCH].launches, 2);
	assert_int_equal(run.left[LEFT_FIRST_LAUNCH].ns, 1800);
	assert_int_equal(run_cell(&run, 0, "a")->launches, 6);
	assert_true(run_cell(&run, 0, "a")->ns == 3 * 10 + 3 * 20);
	assert_true(run_cell(&run, 0, "b")->ns == 200);
	assert_true(launches_gpu_ns(&run) == 290);
	launches_release(&run);

	/* Nor do they count in parts of the run: four launches that do are two of each process. */
	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), 0);
	for (size_t part = 0; part < run.nsteps; part++)
		assert_true(run_cell(&run, part, "a")->ns == 90);
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

static struct launches load_any_thread(const char *name)
{
	const struct launches_options options = {.range = "step", .any_thread = true};
	struct launches run;
	struct error err = {0};

	launches_load(in_scratch(name), &options, &run, &err);
	assert_string_equal(err.text, "");
	return run;
}

/* Another thread launches kernels for the range's thread. */
static void test_any_thread(void **state)
{
	struct recording *rec;
	struct launches run;

	(void)state;
	for (int several = 0; several < 2; several++) {
		rec = run_begin("run.sqlite");
		run_range(rec, "step", 100, 200);
		run_launch(rec, 1, "a", 110, 120, 1, "");
		run_row(rec, "KERNEL start=190 end=192 correlationId=2 globalPid=" PROCESS " shortName=b");
		run_row(rec,
			"RUNTIME start=150 end=151 globalTid=" OTHER_THREAD " correlationId=2 nameId=cudaLaunchKernel");
		run_row(rec, "KERNEL start=300 end=304 correlationId=3 globalPid=" PROCESS " shortName=b");
		run_row(rec,
			"RUNTIME start=200 end=201 globalTid=" OTHER_THREAD " correlationId=3 nameId=cudaLaunchKernel");
		run_row(rec, "KERNEL start=300 end=308 correlationId=2 globalPid=" OTHER_PROCESS " shortName=b");
		run_row(rec, "RUNTIME start=150 end=151 globalTid=" OTHER_PROCESS_THREAD
			     " correlationId=2 nameId=cudaLaunchKernel");
		if (several)
			run_row(rec, "NVTX start=500 end=600 eventType=59 text=step globalTid=" OTHER_THREAD);
		run_end(rec);
		run = load_any_thread("run.sqlite");
		assert_true(run.steps[0].ns == (several ? 1 : 3));
		assert_int_equal(run.left[LEFT_OTHER_THREAD].ns, several ? 2 : 0);
		assert_int_equal(run.left[LEFT_OUTSIDE].ns, 12);
		launches_release(&run);
	}
	rec = run_begin("wait.sqlite");
	run_range(rec, "step", 100, 200);
	run_call(rec, "cudaDeviceSynchronize", 1, 120, 125);
	run_row(rec, "KERNEL start=160 end=162 correlationId=2 globalPid=" PROCESS " shortName=b");
	run_row(rec, "RUNTIME start=150 end=151 globalTid=" OTHER_THREAD " correlationId=2 nameId=cudaLaunchKernel");
	run_end(rec);
	run = load_any_thread("wait.sqlite");
	assert_false(run.steps[0].waits);
	launches_release(&run);
}

/* Whether a step waits whose work another thread asks for at 150, and waits for until `end`. */
static bool step_of_worker_waits(const char *others, int start, int end, bool any_thread)
{
	const struct launches_options options = {.range = "step", .any_thread = any_thread};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	struct error err = {0};
	bool waits;

	run_range(rec, "step", 100, 200);
	run_launch(rec, 1, "a", 110, 120, 10, "");
	run_row(rec, "KERNEL start=160 end=180 correlationId=2 globalPid=" PROCESS " shortName=b");
	run_row(rec, "RUNTIME start=150 end=151 globalTid=" OTHER_THREAD " correlationId=2 nameId=cudaLaunchKernel");
	run_row(rec, "RUNTIME start=%d end=%d globalTid=" OTHER_THREAD " correlationId=3 nameId=cudaStreamSynchronize",
		start, end);
	run_row(rec, "NVTX start=500 end=600 eventType=59 text=%s globalTid=" OTHER_THREAD, others);
	run_end(rec);
	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), 0);
	waits = run.steps[0].waits;
	launches_release(&run);
	return waits;
}

/* A thread's waits count for the step that its launches count for. */
static void test_worker_waits(void **state)
{
	(void)state;
	assert_true(step_of_worker_waits("load", 155, 181, true));
	/* It goes on behind the step. */
	assert_false(step_of_worker_waits("load", 155, 201, true));
	/* It waits before it asks. */
	assert_false(step_of_worker_waits("load", 140, 149, true));
	/* Nobody knows which thread's step it is. */
	assert_false(step_of_worker_waits("step", 155, 181, true));
	/* Its launch does not count either: what is left has no wait. */
	assert_false(step_of_worker_waits("load", 155, 181, false));
}

/* Whether a step of this range waits: work of 10 ns at 120, then what `calls` writes. */
static bool step_waits(const char *name, int start, int work_ns)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	bool waits;

	run_range(rec, "step", 100, 200);
	run_launch(rec, 1, "a", 110, 120, 10, "");
	run_call(rec, "cudaMemcpyAsync", 2, 130, 131);
	run_row(rec, "MEMCPY start=140 end=%d deviceId=0 correlationId=2 globalPid=" PROCESS " bytes=4", 140 + work_ns);
	run_call(rec, name, 3, start, start + 5);
	run_call(rec, "cudaEventElapsedTime", 4, 195, 196);
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	waits = run.steps[0].waits;
	assert_true(launches_all_wait(&run) == waits);
	launches_release(&run);
	return waits;
}

static void test_waits(void **state)
{
	(void)state;
	assert_true(step_waits("cudaStreamSynchronize", 150, 10));
	assert_true(step_waits("cuEventSynchronize", 150, 10));
	assert_true(step_waits("cudaMemcpy", 150, 10));
	assert_true(step_waits("cudaDeviceSynchronize", 150, 60));
	/* The copy ends behind the range. */
	assert_false(step_waits("cudaDeviceSynchronize", 150, 61));
	/* It waits before the copy is asked for. */
	assert_false(step_waits("cudaDeviceSynchronize", 125, 1));
	/* Outside of the range, or no call that waits. */
	assert_false(step_waits("cudaDeviceSynchronize", 200, 10));
	assert_false(step_waits("cudaStreamQuery", 150, 10));
	assert_false(step_waits("cuMemcpyHtoDAsync_v2", 150, 10));
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
	assert_int_equal(run.step_processes, 1);
	assert_true(run.left_kernels != 0);
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

static void test_range_not_found(void **state)
{
	struct recording *rec;

	(void)state;
	run_write_four_steps();
	assert_string_equal(run_refused("run.sqlite", "Step", NULL), "no NVTX range is called 'Step'; it has 'step'");
	rec = run_begin("none.sqlite");
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_end(rec);
	assert_string_equal(run_refused("none.sqlite", "step", NULL),
		"no NVTX range is called 'step'; the program has no NVTX ranges");
	rec = run_begin("many.sqlite");
	run_launch(rec, 1, "a", 1, 10, 10, "");
	for (int i = 0; i < 9; i++) {
		char name[16];

		snprintf(name, sizeof(name), "r%d", i / 2 + 1);
		run_range(rec, name, i, i + 1);
	}
	run_range(rec, "r6", 10, 11);
	run_row(rec, "NVTX start=1 eventType=34 text=mark globalTid=" THREAD);
	run_row(rec, "NVTX start=1 eventType=59 text=open globalTid=" THREAD);
	run_end(rec);
	assert_string_equal(run_refused("many.sqlite", "step", NULL),
		"no NVTX range is called 'step'; it has 'r1', 'r2', 'r3', 'r4', 'r5' and others");
	assert_string_equal(run_refused("many.sqlite", "open", NULL), "no NVTX range 'open' was ever closed");
	assert_string_equal(run_refused("many.sqlite", "r6", NULL),
		"no kernel was launched in a range 'r6': 1 outside of it, 0 in "
		"it by other threads, 0 by unknown calls");
	assert_non_null(strstr(run_refused("missing.sqlite", "r6", NULL), "missing.sqlite"));
}

/* A recording has another character in the place of what is no text, and it is found all the same. */
static void test_a_range_that_is_no_text(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "st\xff\x01p", 100, 200);
	run_launch(rec, 1, "a", 110, 120, 5, "");
	run_end(rec);
	run = run_load("run.sqlite", "st\xff\x01p", NULL);
	assert_int_equal(run.nsteps, 1);
	launches_release(&run);
}

static void test_no_kernel(void **state)
{
	struct recording *rec = run_begin("run.sqlite");

	(void)state;
	run_range(rec, "step", 0, 10);
	run_row(rec, "MEMCPY start=140 end=150 deviceId=0 correlationId=2 globalPid=" PROCESS " bytes=4");
	run_end(rec);
	assert_string_equal(run_refused("run.sqlite", "step", NULL), "the program ran no kernel");
	assert_string_equal(run_refused("run.sqlite", NULL, NULL), "the program ran no kernel");
}

static bool refused_as_unlaunched(const char *range, const char *kernel)
{
	const struct launches_options options = {.range = range, .kernel = kernel};
	struct launches run;
	struct error err;

	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), -1);
	return run.unlaunched;
}

/* Records that are missing may be why steps have no kernel, or there is no range; not why no kernel has a name. */
static void test_unlaunched(void **state)
{
	struct recording *rec = run_begin("run.sqlite");

	(void)state;
	run_range(rec, "step", 0, 10);
	run_end(rec);
	assert_true(refused_as_unlaunched("step", NULL));
	rec = run_begin("run.sqlite");
	run_range(rec, "empty", 0, 10);
	run_range(rec, "step", 100, 200);
	run_launch(rec, 1, "b", 50, 60, 5, "");
	run_launch(rec, 2, "a", 110, 120, 5, "");
	run_end(rec);
	assert_true(refused_as_unlaunched("empty", NULL));
	assert_true(refused_as_unlaunched("empty", "^a"));
	assert_false(refused_as_unlaunched("step", "^b"));
	assert_false(refused_as_unlaunched("step", "c+"));
	assert_true(refused_as_unlaunched("stop", NULL));
}

static void test_losses(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_row(rec, "TRACEDPROCESS pid=1 finished=1 dropped=3 untimed=2");
	run_row(rec, "TRACEDPROCESS pid=2 finished=0 dropped=-7");
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.lost, 5);
	assert_int_equal(run.unfinished, 1);
	assert_int_equal(launches_lack(&run), LACK_SOME);
	launches_release(&run);
}

/* What a run with `steps` steps of process 1 lacks, by a row. */
static enum run_lack lack_of(int steps, const char *row)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	enum run_lack lack;

	for (int i = 0; i < steps; i++)
		run_write_step(rec, 1000 * (i + 1), 10 * (i + 1));
	run_row(rec, "%s", row);
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	lack = launches_lack(&run);
	launches_release(&run);
	return lack;
}

/* Each steady step of a process may lack the same kernel if as many records are lost. The first one does not count. */
static void test_losses_of_steps(void **state)
{
	(void)state;
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1"), LACK_NOTHING);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1 dropped=2"), LACK_SOME);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1 dropped=2 untimed=1"), LACK_OF_EACH_STEP);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=2 finished=1 dropped=9"), LACK_SOME);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=0"), LACK_SOME);
	assert_int_equal(lack_of(4, "DIAGNOSTIC severity=2 text=\"Not all CUDA events might have been collected.\""),
		LACK_PERHAPS);
	assert_int_equal(lack_of(4, "DIAGNOSTIC severity=2 text=\"Not all NVTX events might have been collected.\""),
		LACK_NOTHING);
}

/* What other steps launch, and what is launched outside of steps. */
static void test_elsewhere(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++)
		run_write_step(rec, 1000 * (i + 1), 10 * (i + 1));
	run_range(rec, "step", 8000, 8100);
	run_launch(rec, 80, "other", 8010, 8020, 5, "");
	run_launch(rec, 90, "outside", 9010, 9020, 5, "");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_true(launches_elsewhere(&run, "other"));
	assert_true(launches_elsewhere(&run, "outside"));
	assert_true(launches_elsewhere(&run, "a")); /* in the first step */
	assert_false(launches_elsewhere(&run, "c"));
	launches_release(&run);
	run = run_load("run.sqlite", NULL, NULL);
	assert_false(launches_elsewhere(&run, "outside"));
	launches_release(&run);
	run = run_load("run.sqlite", "step", "^[ab]$");
	assert_false(launches_elsewhere(&run, "outside"));
	launches_release(&run);
}

/* Each process has its own ids, steps and GPUs. */
static void test_processes(void **state)
{
	static const char *const process[] = {PROCESS, OTHER_PROCESS};
	static const char *const thread[] = {THREAD, OTHER_PROCESS_THREAD};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 6; i++) {
		int p = i % 2, at = 100 * i + 100;

		run_row(rec, "NVTX start=%d end=%d eventType=59 text=step globalTid=%s", at, at + 150, thread[p]);
		run_row(rec, "RUNTIME start=%d end=%d globalTid=%s correlationId=%d nameId=cuLaunchKernel", at + 110,
			at + 112, thread[p], i / 2);
		run_row(rec, "KERNEL start=%d end=%d deviceId=%d correlationId=%d globalPid=%s shortName=k", at + 120,
			at + 121 + p, p, i / 2, process[p]);
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	/* An id of 0 is none. */
	assert_int_equal(run.left[LEFT_NO_CALL].launches, 2);
	assert_int_equal(run.nsteps, 6);
	assert_int_equal(run.nsteady, 4);
	assert_int_equal(run.left[LEFT_EMPTY_STEP].steps, 2);
	assert_true(run.steps[2].ns == 1);
	assert_true(run.steps[3].ns == 2);
	assert_int_equal(run.gpus, 2);
	assert_int_equal(run.processes, 2);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_steps),
		scratch_test(test_warm_up),
		scratch_test(test_order_by_chance),
		scratch_test(test_without_a_range),
		scratch_test(test_first_launches_of_processes),
		scratch_test(test_split),
		scratch_test(test_split_of_few),
		scratch_test(test_outside),
		scratch_test(test_any_thread),
		scratch_test(test_worker_waits),
		scratch_test(test_waits),
		scratch_test(test_nested),
		scratch_test(test_start_end_ranges),
		scratch_test(test_span),
		scratch_test(test_kinds_of_steps),
		scratch_test(test_a_kind_that_comes_first),
		scratch_test(test_shapes_of_steps),
		scratch_test(test_range_not_found),
		scratch_test(test_a_range_that_is_no_text),
		scratch_test(test_no_kernel),
		scratch_test(test_unlaunched),
		scratch_test(test_losses),
		scratch_test(test_losses_of_steps),
		scratch_test(test_elsewhere),
		scratch_test(test_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
