/* step-work.c: where the host time of steady steps went on the GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "fixtures/launches-fixture.h"

/* The linker puts it before overlap_advance(), which does the work. */
static size_t advances;

void __real_overlap_advance(struct overlap_sweep *sweep, int64_t to); /* NOLINT(bugprone-reserved-identifier) */
void __wrap_overlap_advance(struct overlap_sweep *sweep, int64_t to); /* NOLINT(bugprone-reserved-identifier) */
void __wrap_overlap_advance(struct overlap_sweep *sweep, int64_t to)  /* NOLINT(bugprone-reserved-identifier) */
{
	advances++;
	__real_overlap_advance(sweep, to);
}

/* Kinds of copies and memory, as ENUM_CUDA_MEMCPY_OPER and ENUM_CUDA_MEM_KIND number them. */
enum { H2D = 1, D2H = 2, ON_DEVICE = 8, PAGEABLE = 0, PINNED = 1, DEVICE = 2 };

static void copy_at(struct recording *rec, int id, int kind, int memory, int call, int start, int ns)
{
	run_call(rec, "cudaMemcpyAsync", id, call, call + 1);
	run_row(rec,
		"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
		" bytes=1000 copyKind=%d srcKind=%d dstKind=%d",
		start, start + ns, id, kind, kind == H2D ? memory : DEVICE, kind == D2H ? memory : DEVICE);
}

/* A step of 1000 ns: nothing for 100, a copy in for 200, a kernel for 300 of which the last 100 are beside a copy out
 * of 250 ns, nothing until the end. */
static void plain_step(struct recording *rec, int at, int id, int memory)
{
	run_range(rec, "step", at, at + 1000);
	copy_at(rec, id, H2D, memory, at + 10, at + 100, 200);
	run_launch(rec, id + 1, "a", at + 20, at + 300, 300, "");
	copy_at(rec, id + 2, D2H, PINNED, at + 30, at + 500, 250);
}

static void test_means(void **state)
{
	struct recording *rec = run_begin("means.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++)
		plain_step(rec, 2000 * i + 1, 10 * i + 1, PINNED);
	run_end(rec);
	run = run_load("means.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 3);
	assert_true(run.work[STEP_DURATION].known);
	assert_int_equal(run.work[STEP_DURATION].overlap.span, 1000);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_H2D], 200);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_D2H], 250);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 300);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy_copy, 450);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy_all, 650);
	assert_int_equal(run.work[STEP_DURATION].overlap.overlap, 100);
	assert_int_equal(run.work[STEP_DURATION].overlap.exposed_d2h, 150);
	assert_int_equal(run.work[STEP_DURATION].overlap.duplex, 0);
	assert_int_equal(run.work[STEP_DURATION].overlap.idle, 350);
	assert_true(run.work[STEP_DURATION].copies == 2 && run.work[STEP_DURATION].copy_bytes == 2000);
	assert_false(run.work[STEP_DURATION].pageable);
	launches_release(&run);
}

/* A copy for the next step, and a kernel that outlives its own: each step has what runs in it. */
static void test_work_crosses_steps(void **state)
{
	struct recording *rec = run_begin("across.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 5; i++) {
		int at = 1000 * i + 1;

		run_range(rec, "step", at, at + 1000);
		run_launch(rec, 10 * i + 1, "a", at + 10, at + 700, 600, "");
		copy_at(rec, 10 * i + 2, H2D, PINNED, at + 20, at + 900, 300);
	}
	run_end(rec);
	run = run_load("across.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 4);
	assert_int_equal(run.work[STEP_DURATION].overlap.span, 1000);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 600);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_H2D], 300);
	assert_int_equal(run.work[STEP_DURATION].overlap.overlap, 300);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy_all, 600);
	launches_release(&run);
}

/* One GPU alone is looked at: that with the most kernel time. Memsets and copies on the device are other work. */
static void test_one_gpu(void **state)
{
	struct recording *rec = run_begin("gpus.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 1, 1001);
	run_launch(rec, 1, "a", 10, 100, 100, "");
	run_call(rec, "cudaLaunchKernel", 2, 20, 22);
	run_row(rec, "KERNEL start=300 end=700 deviceId=1 correlationId=2 globalPid=" PROCESS " shortName=b");
	run_call(rec, "cudaMemsetAsync", 3, 30, 31);
	run_row(rec, "MEMSET start=750 end=800 deviceId=1 correlationId=3 globalPid=" PROCESS);
	run_call(rec, "cudaMemcpyAsync", 4, 40, 41);
	run_row(rec, "MEMCPY start=800 end=830 deviceId=1 correlationId=4 globalPid=" PROCESS " bytes=8 copyKind=%d",
		ON_DEVICE);
	run_end(rec);
	run = run_load("gpus.sqlite", "step", NULL);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 400);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_OTHER], 80);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy_copy, 0);
	assert_int_equal(run.work[STEP_DURATION].overlap.idle, 520);
	assert_int_equal(run.work[STEP_DURATION].communication_ns, 0);
	assert_int_equal(run.work[STEP_DURATION].elsewhere_ns, 100);
	assert_true(run.work[STEP_DURATION].copies == 0);
	launches_release(&run);
}

/* A second GPU has a copy beside a kernel of the first, and one while it is idle; besides, a kernel that communicates.
 * Another process's work on a GPU of its own is no concern of the host that is looked at. */
static void test_elsewhere(void **state)
{
	struct recording *rec = run_begin("elsewhere.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++) {
		int at = 2000 * i + 1, id = 10 * i + 1;

		run_range(rec, "step", at, at + 1000);
		run_launch(rec, id, "a", at + 10, at + 100, 300, "");
		run_call(rec, "cudaMemcpyAsync", id + 1, at + 20, at + 21);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=1 correlationId=%d globalPid=" PROCESS " bytes=8 copyKind=1",
			at + 300, at + 600, id + 1);
		run_call(rec, "cudaLaunchKernel", id + 2, at + 30, at + 31);
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=1 correlationId=%d globalPid=" PROCESS
			" shortName=ncclDevKernel_AllReduce_Sum_f32_RING_LL",
			at + 700, at + 750, id + 2);
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=2 correlationId=%d globalPid=" OTHER_PROCESS " shortName=b",
			at + 800, at + 900, id + 3);
	}
	run_end(rec);
	run = run_load("elsewhere.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 3);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy_all, 300);
	assert_int_equal(run.work[STEP_DURATION].overlap.idle, 700);
	assert_int_equal(run.work[STEP_DURATION].elsewhere_ns, 200);
	assert_int_equal(run.work[STEP_PERIOD].elsewhere_ns, 200);
	launches_release(&run);
}

/* A kernel that communicates waits for other GPUs: a copy beside it is not hidden by computing. */
static void test_communication(void **state)
{
	struct recording *rec = run_begin("nccl.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 1, 1001);
	run_launch(rec, 1, "a", 10, 100, 100, "");
	run_launch(rec, 2, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 300, 400, "");
	copy_at(rec, 3, H2D, PINNED, 30, 400, 200);
	copy_at(rec, 4, ON_DEVICE, PINNED, 40, 600, 150);
	run_end(rec);
	run = run_load("nccl.sqlite", "step", NULL);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 100);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_OTHER], 450);
	assert_int_equal(run.work[STEP_DURATION].communication_ns, 400);
	assert_int_equal(run.work[STEP_DURATION].overlap.overlap, 0);
	assert_int_equal(run.work[STEP_DURATION].overlap.exposed_h2d, 200);
	launches_release(&run);
}

static void test_pageable_and_unknown(void **state)
{
	struct recording *rec = run_begin("pageable.sqlite");
	struct launches run;

	(void)state;
	plain_step(rec, 1, 1, PAGEABLE);
	run_end(rec);
	run = run_load("pageable.sqlite", "step", NULL);
	assert_true(run.work[STEP_DURATION].pageable);
	launches_release(&run);
	/* Without a range the run is no step. */
	run = run_load("pageable.sqlite", NULL, NULL);
	assert_false(run.work[STEP_DURATION].known);
	launches_release(&run);
}

/* Steps of many threads lie over each other, and each has all the work: it is looked at once. */
static void test_large_steps(void **state)
{
	enum { STEPS = 100, PIECES = 2000, SPAN = 10 * PIECES };
	struct recording *rec = run_begin("large.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < STEPS; i++) {
		run_row(rec, "NVTX start=%d end=%d eventType=59 text=step globalTid=%d", 1 + i, SPAN + 1 + i,
			16777217 + i);
	}
	for (int i = 0; i < PIECES; i++)
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=0 correlationId=%d globalPid=" PROCESS
			" shortName=a demangledName=a",
			STEPS + 10 * i, STEPS + 10 * i + 4, i + 1);
	/* Each step asks for one of them. */
	for (int i = 0; i < STEPS; i++)
		run_row(rec, "RUNTIME start=%d end=%d globalTid=%d correlationId=%d nameId=cudaLaunchKernel", 200 + i,
			201 + i, 16777217 + i, i + 1);
	run_end(rec);
	advances = 0;
	run = run_load("large.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, STEPS - 1);
	assert_int_equal(run.work[STEP_DURATION].overlap.span, SPAN);
	assert_in_range(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 4 * (PIECES - STEPS / 10), 4 * PIECES);
	assert_in_range(advances, PIECES, PIECES + 2 * STEPS);
	launches_release(&run);
}

/* From begin to begin, what runs between two steps counts, too. */
static void test_periods(void **state)
{
	struct recording *rec = run_begin("periods.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 5; i++) {
		plain_step(rec, 2000 * i + 1, 10 * i + 1, PINNED);
		run_launch(rec, 10 * i + 4, "b", 2000 * i + 1200, 2000 * i + 1300, 500, "");
	}
	run_end(rec);
	run = run_load("periods.sqlite", "step", NULL);
	assert_int_equal(run.pace.by[STEP_PERIOD].periods, 3);
	assert_int_equal(run.pace.by[STEP_PERIOD].lag_change, 0);
	assert_true(run_host_ns(&run, STEP_DURATION) == 1000);
	assert_true(run_host_ns(&run, STEP_PERIOD) == 2000);
	assert_int_equal(run.work[STEP_DURATION].overlap.busy[WORK_KERNEL], 300);
	assert_int_equal(run.work[STEP_PERIOD].overlap.span, 2000);
	assert_int_equal(run.work[STEP_PERIOD].overlap.busy[WORK_KERNEL], 800);
	assert_int_equal(run.work[STEP_PERIOD].overlap.idle, 2000 - 650 - 500);
	assert_true(launches_paced(&run, 0).ends == launches_all_wait(&run));
	launches_release(&run);
}

/* Steps of 160 begin every 100, and each has its work done at its end. `late`: what the GPU falls behind in a step. */
static struct launches run_of_laps(int late)
{
	struct recording *rec = run_begin("laps.sqlite");

	for (int i = 0; i < 20; i++) {
		int at = 1 + 100 * i, start = at + 60 + late * i;

		run_range(rec, "step", at, at + 160);
		run_launch(rec, 2 * i + 1, "a", at + 10, start, 80, "");
		run_call(rec, "cudaStreamSynchronize", 2 * i + 2, at + 101, at + 150);
	}
	run_end(rec);
	return run_load("laps.sqlite", "step", NULL);
}

static void test_laps(void **state)
{
	struct launches run = run_of_laps(0);

	(void)state;
	assert_true(run.pace.overlap);
	assert_false(launches_paced(&run, 0).ends);
	assert_true(run_host_ns(&run, STEP_PERIOD) == 100);
	assert_true(pace_lag_share(&run.pace.by[STEP_PERIOD]) == 0);
	launches_release(&run);
	run = run_of_laps(3);
	assert_true(fabs(pace_lag_share(&run.pace.by[STEP_PERIOD]) - 0.03) < 0.001);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_means),
		scratch_test(test_periods),
		scratch_test(test_laps),
		scratch_test(test_work_crosses_steps),
		scratch_test(test_one_gpu),
		scratch_test(test_elsewhere),
		scratch_test(test_communication),
		scratch_test(test_pageable_and_unknown),
		scratch_test(test_large_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
