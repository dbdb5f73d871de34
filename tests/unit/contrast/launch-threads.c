/* launch-threads.c: whose launches and waits a step has: of its thread, of other threads and of other processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "fixtures/launches-fixture.h"

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
		scratch_test(test_first_launches_of_processes),
		scratch_test(test_any_thread),
		scratch_test(test_worker_waits),
		scratch_test(test_waits),
		scratch_test(test_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
