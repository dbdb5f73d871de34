/* hostile.c: runs that are damaged, strange or large become launches, or a clear error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sqlite3.h>
#include <time.h>

#include "contrast/match.h"
#include "fixtures/launches-fixture.h"
#include "fixtures/tier.h"
#include "store/store.h"

/* ---- damaged rows ---- */

static void test_times(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 100, 200);
	run_range(rec, "step", 300, 250);
	run_row(rec, "NVTX end=900 eventType=59 text=step globalTid=" THREAD);
	run_launch(rec, 1, "a", 110, 500, 10, "");
	run_launch(rec, 2, "a", 120, 600, -10, "");
	run_row(rec, "KERNEL end=5 correlationId=1 globalPid=" PROCESS " shortName=a");
	run_row(rec, "KERNEL start=4 correlationId=1 globalPid=" PROCESS " shortName=a");
	run_row(rec, "KERNEL start=-9223372036854775807 end=7 correlationId=1 globalPid=" PROCESS " shortName=a");
	run_row(rec, "RUNTIME start=150 globalTid=" THREAD " correlationId=3 nameId=cudaLaunchKernel");
	run_row(rec, "RUNTIME end=150 globalTid=" THREAD " correlationId=4 nameId=cudaLaunchKernel");
	run_row(rec, "KERNEL start=700 end=701 correlationId=3 globalPid=" PROCESS " shortName=a");
	run_row(rec, "KERNEL start=710 end=713 correlationId=4 globalPid=" PROCESS " shortName=a");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.unusable, 4 + 2);
	assert_int_equal(run.nsteps, 1);
	/* The call that never returned has its kernel, that which has no start has none. */
	assert_true(run.steps[0].ns == 11);
	assert_int_equal(run.left[LEFT_NO_CALL].ns, 3);
	launches_release(&run);
}

static void test_nulls(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_row(rec, "KERNEL start=1 end=2");
	run_row(rec, "KERNEL start=2 end=4 demangledName=k(int)");
	run_row(rec, "KERNEL start=4 end=8 mangledName=_Zk");
	run_row(rec, "KERNEL start=8 end=16 shortName=short");
	run_row(rec, "RUNTIME start=1 end=2");
	run_row(rec, "NVTX start=1 end=2 eventType=59");
	run_row(rec, "GRAPHTRACE start=16 end=32");
	run_row(rec, "MEMCPY start=40 end=41");
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.nkernels, 5);
	assert_string_equal(run.kernels[0].base, "kernel without a name");
	assert_string_equal(run.kernels[1].base, "k(int)");
	assert_string_equal(run.kernels[2].name, "_Zk");
	assert_string_equal(run.kernels[3].name, "short");
	assert_true(run.kernels[4].is_graph);
	assert_true(launches_gpu_ns(&run) == 31);
	launches_release(&run);
}

/* Times that are beyond the largest number together. */
static void test_endless_times(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int step = 0; step < 2; step++)
		run_range(rec, "step", 100 + 100 * step, 200 + 100 * step);
	for (int i = 1; i <= 18; i++) {
		run_call(rec, "cudaLaunchKernel", i, i < 13 ? 110 + i : 310 + i, i < 13 ? 112 + i : 312 + i);
		run_row(rec,
			"KERNEL start=1 end=2000000000000000000 correlationId=%d globalPid=" PROCESS " shortName=%s", i,
			i < 7 ? "a" : "b");
	}
	run_launch(rec, 19, "a", 210, 220, 10, "");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.ns, INT64_MAX);
	assert_int_equal(run.left[LEFT_OUTSIDE].ns, INT64_MAX);
	assert_int_equal(run.left[LEFT_OTHER_STEP].ns, INT64_MAX);
	launches_release(&run);
}

/* A recording of another make may lack tables. */
static void test_missing_tables(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	sqlite3 *db;

	(void)state;
	run_launch(rec, 1, "a", 10, 20, 5, "");
	run_end(rec);
	assert_int_equal(sqlite3_open(in_scratch("run.sqlite"), &db), SQLITE_OK);
	sqlite3_exec(db, "DROP TABLE IF EXISTS NVTX_EVENTS", NULL, NULL, NULL);
	sqlite3_exec(db, "DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_RUNTIME", NULL, NULL, NULL);
	sqlite3_exec(db, "DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_MEMCPY", NULL, NULL, NULL);
	sqlite3_close(db);
	assert_string_equal(run_refused("run.sqlite", "step", NULL),
		"no NVTX range is called 'step'; the recording has no NVTX ranges");
	run = run_load("run.sqlite", NULL, NULL);
	assert_true(launches_gpu_ns(&run) == 5);
	launches_release(&run);
}

/* Kernels that name no process have the call of their number, if only one process has such a call. */
static void test_processes_unknown(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "step", 0, 100);
	for (int i = 1; i <= 3; i++)
		run_row(rec, "KERNEL start=%d end=%d correlationId=%d shortName=a", 100 * i, 101 * i, i);
	run_call(rec, "cudaLaunchKernel", 1, 10, 11);
	run_call(rec, "cudaLaunchKernel", 2, 20, 21);
	run_row(rec,
		"RUNTIME start=5 end=6 globalTid=" OTHER_PROCESS_THREAD " correlationId=2 nameId=cudaLaunchKernel");
	run_row(rec,
		"RUNTIME start=4 end=6 globalTid=" OTHER_PROCESS_THREAD " correlationId=2 nameId=cudaLaunchKernel");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_true(run.steps[0].ns == 1);
	assert_int_equal(run.ambiguous, 1);
	assert_int_equal(run.left[LEFT_NO_CALL].launches, 2);
	launches_release(&run);
}

/* ---- names ---- */

static void test_long_names(void **state)
{
	enum { LONG = 10000 };
	struct recording *rec = run_begin("run.sqlite");
	char name[LONG + 1];
	struct launches run;

	(void)state;
	memset(name, 'x', LONG);
	name[LONG] = '\0';
	for (int i = 0; i < 2; i++) {
		const struct value row[KERNEL_NUMBER] = {
			[KERNEL_start] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 10),
			[KERNEL_end] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 20),
			[KERNEL_demangledName] = VALUE_OF_TEXT(name),
			[KERNEL_shortName] = VALUE_OF_TEXT(name),
		};
		const struct value range[NVTX_NUMBER] = {
			[NVTX_start] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 10),
			[NVTX_end] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 20),
			[NVTX_eventType] = VALUE_OF_INT(59),
			[NVTX_text] = VALUE_OF_TEXT(name),
		};
		struct error err = {0};

		assert_int_equal(recording_row(rec, TABLE_KERNEL, row, &err), 0);
		assert_int_equal(recording_row(rec, TABLE_NVTX, range, &err), 0);
		name[5] = i ? 'x' : '\n';
	}
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.nkernels, 2);
	launches_release(&run);
	assert_true(strlen(run_refused("run.sqlite", "step", NULL)) < 400);
	assert_null(strchr(run_refused("run.sqlite", "step", NULL), '\n'));
	assert_true(strlen(run_refused("run.sqlite", NULL, "^y")) < 400);
	assert_true(strlen(run_refused("run.sqlite", name, NULL)) < 1000);
}

/* ---- many ---- */

static void write_value_row(struct recording *rec, enum table_id table, const struct value *row)
{
	struct error err = {0};

	recording_row(rec, table, row, &err);
	assert_string_equal(err.text, "");
}

/* So many launches, ten of them in a step, in any order. Where `id` is not 0, all calls and kernels have this one. */
static void write_many(int n, int id)
{
	struct recording *rec = run_begin("many.sqlite");

	for (int k = 0; k < n; k++) {
		int i = (int)((k * INT64_C(7919)) % n);
		int64_t at = SCRIPT_EPOCH_NS + 1000 * INT64_C(1) * i;
		const struct value kernel[KERNEL_NUMBER] = {
			[KERNEL_start] = VALUE_OF_INT(at + 500),
			[KERNEL_end] = VALUE_OF_INT(at + 700),
			[KERNEL_correlationId] = VALUE_OF_INT(id ? id : i + 1),
			[KERNEL_globalPid] = VALUE_OF_INT(1 << 24),
			[KERNEL_gridX] = VALUE_OF_INT(i % 10),
			[KERNEL_shortName] = VALUE_OF_TEXT("k"),
		};
		const struct value call[RUNTIME_NUMBER] = {
			[RUNTIME_start] = VALUE_OF_INT(at + 10),
			[RUNTIME_end] = VALUE_OF_INT(at + 20),
			[RUNTIME_globalTid] = VALUE_OF_INT((1 << 24) + 1),
			[RUNTIME_correlationId] = VALUE_OF_INT(id ? id : i + 1),
			[RUNTIME_nameId] = VALUE_OF_TEXT("cudaLaunchKernel"),
		};
		const struct value range[NVTX_NUMBER] = {
			[NVTX_start] = VALUE_OF_INT(at),
			[NVTX_end] = VALUE_OF_INT(at + 10 * 1000),
			[NVTX_eventType] = VALUE_OF_INT(59),
			[NVTX_text] = VALUE_OF_TEXT("step"),
			[NVTX_globalTid] = VALUE_OF_INT((1 << 24) + 1),
		};

		write_value_row(rec, TABLE_KERNEL, kernel);
		write_value_row(rec, TABLE_RUNTIME, call);
		if (i % 10 == 0)
			write_value_row(rec, TABLE_NVTX, range);
	}
	run_end(rec);
}

/* Time of this process's processors. */
static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time that it takes to read the launches, and their number. */
static double seconds_to_load(int n, int id)
{
	double before;
	struct launches run;

	write_many(n, id);
	before = cpu_seconds();
	run = run_load("many.sqlite", "step", NULL);
	before = cpu_seconds() - before;
	assert_int_equal(run.nlaunches, n);
	assert_int_equal(run.nsteps, n / 10);
	if (id) {
		assert_int_equal(run.steps[0].launches, n);
		assert_int_equal(run.nsteady, 1);
	} else {
		assert_int_equal(run.nsteady, n / 10 - 1);
		assert_int_equal(run.nkernels, 10);
		assert_true(launches_gpu_ns(&run) == 2000);
	}
	launches_release(&run);
	return before;
}

/* Ten times the launches take some ten times as long, not a hundred. A sample is too small to tell that, and shows
 * faults of memory. */
static void test_many(void **state)
{
	const int few_launches = all_or(10000, 1000);
	const double least = 0.02; /* below, a clock tells nothing */

	(void)state;
	for (int id = 0; id < 2; id++) {
		double few = seconds_to_load(few_launches, id), many = seconds_to_load(10 * few_launches, id);

		assert_true(many < 40 * fmax(few, least));
	}
}

/* Each launch is a kernel of its own. */
static void test_many_kernels(void **state)
{
	enum { KERNELS = 20000 };
	struct recording *rec = run_begin("run.sqlite");
	struct side_kernels side;
	struct matching matching;
	struct launches run;

	(void)state;
	for (int i = 0; i < KERNELS; i++) {
		const struct value kernel[KERNEL_NUMBER] = {
			[KERNEL_start] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 10 * i),
			[KERNEL_end] = VALUE_OF_INT(SCRIPT_EPOCH_NS + 10 * i + 1),
			[KERNEL_gridX] = VALUE_OF_INT(i),
			[KERNEL_shortName] = VALUE_OF_TEXT("k"),
		};

		write_value_row(rec, TABLE_KERNEL, kernel);
	}
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.nkernels, KERNELS);
	side_kernels_join((const struct launches *[]){&run, &run}, 2, &(const struct joining_how){.nsums = 0}, &side);
	assert_int_equal(side.n, KERNELS);
	assert_int_equal(side.differing, 0);
	match_sides(&side, &side, &matching);
	assert_int_equal(matching.n, KERNELS);
	assert_true(matching.is_alike);
	matching_free(&matching);
	side_kernels_free(&side);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_times),
		scratch_test(test_nulls),
		scratch_test(test_endless_times),
		scratch_test(test_missing_tables),
		scratch_test(test_processes_unknown),
		scratch_test(test_long_names),
		scratch_test(test_many),
		scratch_test(test_many_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
