/* launch-kernels.c: kernels of a traced run: which are told apart, their machine code, where their launches stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/launches-fixture.h"

static void test_kernels(void **state)
{
	struct launches run;

	(void)state;
	run_write_four_steps();
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nkernels, 2);
	assert_string_equal(run.kernels[0].base, "a");
	assert_string_equal(run.kernels[0].name, "a(int)");
	assert_int_equal(run.kernels[0].grid[0], 4);
	assert_int_equal(run.kernels[0].block[0], 32);
	assert_int_equal(run.kernels[0].launches, 8);
	assert_int_equal(run.kernels[0].forms, 1);
	assert_string_equal(run.kernels[1].base, "b");
	assert_int_equal(run.kernels[1].registers, 40);
	assert_int_equal(run.kernels[1].dynamic_shared, 1024);
	assert_int_equal(run.kernels[1].static_shared, RESOURCE_UNKNOWN);
	assert_int_equal(run.kernels[0].registers, RESOURCE_UNKNOWN);
	assert_int_equal(run_cell(&run, 2, "a")->launches, 2);
	assert_true(run_cell(&run, 2, "a")->ns == 14);
	assert_int_equal(run_cell(&run, 2, "b")->launches, 1);
	assert_true(run_cell(&run, 2, "b")->ns == 7);
	launches_release(&run);
}

/* Of 40 ns of kernels two streams run 10 at once, which counts once. Another GPU runs beside, not at once, and what is
 * not steady does not count. */
static void test_kernels_at_once(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		int at = 1000 * i + 1000, id = 10 * i;

		run_range(rec, "step", at, at + 200);
		run_launch(rec, id + 1, "a", at + 10, at + 20, 20, "");
		run_launch(rec, id + 2, "b", at + 12, i == 0 ? at + 20 : at + 30, 10, "");
		run_launch(rec, id + 3, "c", at + 14, at + 60, 10, "");
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_true(launches_gpu_ns(&run) == 40);
	assert_true(launches_busy_ns(&run) == 30);
	launches_release(&run);

	rec = run_begin("run.sqlite");
	for (int i = 0; i < 2; i++) {
		run_call(rec, "cudaLaunchKernel", i + 1, 10 * i, 10 * i + 2);
		run_row(rec, "KERNEL start=20 end=40 deviceId=%d correlationId=%d globalPid=" PROCESS " shortName=k", i,
			i + 1);
	}
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_true(launches_busy_ns(&run) == 40);
	launches_release(&run);
}

/* One call launches many kernels; their order is that of the nodes, whatever their times. A graph that was traced as a
 * whole is a unit. */
static void test_graphs(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 2; i++) {
		int at = 1000 * (i + 1);

		run_range(rec, "step", at, at + 100);
		run_call(rec, "cudaGraphLaunch", 2 * i + 1, at + 1, at + 9);
		run_row(rec, "KERNEL start=%d end=%d correlationId=%d globalPid=" PROCESS " shortName=n1 graphNodeId=1",
			at + 20 + 5 * i, at + 22 + 5 * i, 2 * i + 1);
		run_row(rec, "KERNEL start=%d end=%d correlationId=%d globalPid=" PROCESS " shortName=n2 graphNodeId=2",
			at + 22, at + 23, 2 * i + 1);
		run_call(rec, "cudaGraphLaunch", 2 * i + 2, at + 10, at + 11);
		run_row(rec,
			"GRAPHTRACE start=%d end=%d correlationId=%d globalPid=" PROCESS " graphId=%d graphExecId=%d",
			at + 40, at + 60, 2 * i + 2, i + 7, i + 8);
	}
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_int_equal(run.nsteady, 2);
	assert_int_equal(run.nkernels, 3);
	assert_string_equal(run.kernels[0].base, "n1");
	assert_string_equal(run.kernels[2].base, "CUDA graph");
	assert_true(run.kernels[2].is_graph);
	assert_false(run.kernels[1].is_graph);
	assert_true(launches_gpu_ns(&run) == 23);
	launches_release(&run);
}

static void test_kernels_chosen(void **state)
{
	struct launches run;

	(void)state;
	run_write_four_steps();
	run = run_load("run.sqlite", "step", "^b\\(");
	assert_int_equal(run.nkernels, 1);
	assert_string_equal(run.kernels[0].base, "b");
	assert_true(launches_gpu_ns(&run) == 7);
	assert_int_equal(run.left[LEFT_NOT_CHOSEN].launches, 8);
	assert_int_equal(run.left[LEFT_NOT_CHOSEN].ns, 56);
	launches_release(&run);
	run = run_load("run.sqlite", NULL, "b|zzz$");
	assert_int_equal(run.nkernels, 1);
	launches_release(&run);
	assert_string_equal(
		run_refused("run.sqlite", "step", "c+"), "no kernel's name matches 'c+'; it has 'a' and 'b'");
	assert_non_null(strstr(run_refused("run.sqlite", "step", "("), "'(' is no extended regular expression: "));
}

static void run_code(struct recording *rec, const char *process, const char *mangled, const char *hash)
{
	run_row(rec, "CODE globalPid=%s module=1 mangledName=%s hash=%s bytes=256", process, mangled, hash);
}

static void assert_code(const struct launches *run, const char *base, enum codes_known known, uint64_t code)
{
	for (size_t k = 0; k < run->nkernels; k++) {
		if (strcmp(run->kernels[k].base, base) != 0)
			continue;
		assert_int_equal(run->kernels[k].codes, known);
		if (known == CODES_ONE)
			assert_int_equal(run->kernels[k].code, code);
		return;
	}
	fail_msg("no kernel %s", base);
}

/* Codes belong to names, within a process. */
static void test_machine_code(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "one", 10, 20, 5, "mangledName=_one");
	run_launch(rec, 2, "one", 30, 40, 5, "mangledName=_one dynamicSharedMemory=64");
	run_launch(rec, 3, "two", 50, 60, 5, "mangledName=_twoA");
	run_launch(rec, 4, "two", 70, 80, 5, "mangledName=_twoB registersPerThread=9");
	run_launch(rec, 5, "tuned", 90, 100, 5, "mangledName=_tuned");
	run_launch(rec, 6, "other", 110, 120, 5, "mangledName=_other");
	run_launch(rec, 7, "broken", 130, 140, 5, "mangledName=_broken");
	run_launch(rec, 8, "half", 150, 160, 5, "mangledName=_one");
	run_launch(rec, 9, "half", 170, 180, 5, "mangledName=_other registersPerThread=9");
	run_code(rec, PROCESS, "_one", "00000000000000ff");
	/* The same module once more, for another GPU. */
	run_code(rec, PROCESS, "_one", "00000000000000ff");
	run_code(rec, PROCESS, "_twoA", "8000000000000001");
	run_code(rec, PROCESS, "_twoB", "8000000000000002");
	run_code(rec, PROCESS, "_tuned", "01");
	run_code(rec, PROCESS, "_tuned", "02");
	run_code(rec, OTHER_PROCESS, "_other", "03");
	run_code(rec, PROCESS, "_broken", "05xyz");
	run_row(rec, "CODE globalPid=" PROCESS " module=2 bytes=99");
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_code(&run, "one", CODES_ONE, 0xff);
	assert_code(&run, "two", CODES_ONE, 3);
	assert_code(&run, "tuned", CODES_SEVERAL, 0);
	assert_code(&run, "other", CODES_NONE, 0);
	assert_code(&run, "broken", CODES_NONE, 0);
	assert_code(&run, "half", CODES_NONE, 0);
	launches_release(&run);
}

/* ---- where launches stand ---- */

static struct launches load_places(const char *range)
{
	const struct launches_options options = {.range = range, .places = true};
	struct launches run;
	struct error err = {0};

	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), 0);
	assert_string_equal(err.text, "");
	return run;
}

static const struct launch_places *places_of(const struct launches *run, const char *base)
{
	for (size_t k = 0; k < run->nkernels; k++)
		if (strcmp(run->kernels[k].base, base) == 0)
			return &run->kernels[k].places;
	fail_msg("there is no kernel %s", base);
	return NULL;
}

static void assert_places(const struct launches *run, const char *base, size_t first, size_t end)
{
	const struct launch_places *places = places_of(run, base);

	assert_int_equal(places->first, first);
	assert_int_equal(places->end, end);
}

/* Two launches before the steps, and four steps of which the first does not count. */
static void test_places_in_steps(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 6; i++) {
		int at = 1000 * (i + 1);

		if (i >= 2)
			run_range(rec, "step", at, at + 500);
		run_launch(rec, 10 * i + 1, "mm", at + 1, at + 10, 100, "mangledName=_mm dynamicSharedMemory=64");
		/* Another shape is no like launch. */
		run_launch(rec, 10 * i + 2, "mm", at + 3, at + 200, 100, "mangledName=_mm gridX=7");
		run_launch(rec, 10 * i + 3, "node", at + 5, at + 400, 10, "mangledName=_node graphNodeId=3");
	}
	run_launch(rec, 99, "mm", 9000, 9010, 100, "mangledName=_mm dynamicSharedMemory=64");
	run_end(rec);
	run = load_places("step");
	assert_places(&run, "mm", 3, 6);
	assert_string_equal(places_of(&run, "mm")->symbol, "_mm");
	assert_places(&run, "node", 0, 0);
	launches_release(&run);
	run = load_places(NULL);
	assert_places(&run, "mm", 1, 7);
	launches_release(&run);
}

/* What all processes have counts; kernels of another GPU run beside nobody. */
static void test_places_beside(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "one", 10, 100, 100, "mangledName=_one");
	run_launch(rec, 2, "two", 20, 180, 40, "mangledName=_two streamId=8");
	run_launch(rec, 3, "three", 30, 220, 50, "mangledName=_three");
	run_launch(rec, 4, "three", 40, 270, 50, "mangledName=_three");
	for (int i = 0; i < 2; i++)
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=1 contextId=2 streamId=7 correlationId=1 "
			"globalPid=" OTHER_PROCESS " shortName=three demangledName=\"three(int)\" mangledName=_three",
			220 + 100 * i, 300 + 100 * i);
	run_row(rec,
		"KERNEL start=500 end=510 deviceId=1 contextId=2 streamId=7 correlationId=2 globalPid=" OTHER_PROCESS
		" shortName=three demangledName=\"three(int)\" mangledName=_three");
	run_end(rec);
	run = load_places(NULL);
	assert_true(places_of(&run, "one")->beside > 0.199 && places_of(&run, "one")->beside < 0.201);
	assert_true(places_of(&run, "two")->beside > 0.499 && places_of(&run, "two")->beside < 0.501);
	assert_true(places_of(&run, "three")->beside == 0);
	/* Three launches in one process, where the first is warm-up, and two in the other. */
	assert_places(&run, "three", 1, 2);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_kernels),
		scratch_test(test_kernels_at_once),
		scratch_test(test_graphs),
		scratch_test(test_kernels_chosen),
		scratch_test(test_machine_code),
		scratch_test(test_places_in_steps),
		scratch_test(test_places_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
