/* graphs.c: CUDA graphs whose nodes were traced: which launches are alike, where they stand, and whose they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contrast/kernel/side-graphs.h"
#include "fixtures/launches-fixture.h"

static struct launches load_graphs(const char *name, const char *range)
{
	const struct launches_options options = {.range = range, .places = true};
	struct launches run;
	struct error err = {0};

	assert_int_equal(launches_load(in_scratch(name), &options, &run, &err), 0);
	assert_string_equal(err.text, "");
	return run;
}

/* A launch at `at`, called on THREAD: a node of `first` and `n` - 1 of "k", with the grid given, one after the other,
 * of 10 ns each, 5 ns apart. */
static void write_graph(struct recording *rec, int id, int at, const char *first, int n, int grid)
{
	run_call(rec, "cudaGraphLaunch", id, at, at + 2);
	for (int i = 0; i < n; i++)
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
			" shortName=%s gridX=%d graphNodeId=%d",
			at + 10 + 15 * i, at + 20 + 15 * i, id, i == 0 ? first : "k", grid, i + 1);
}

static void assert_numbers(const struct launch_graph *graph, size_t n, const uint64_t *numbers)
{
	assert_int_equal(graph->nnumbers, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(graph->numbers[i], numbers[i]);
}

/* Before four steps a graph of other kernels is launched twice. Each step launches one of two kernels and two of three;
 * the first step does not count. */
static void write_steps(const char *name, int warm, int grid)
{
	struct recording *rec = run_begin(name);

	for (int i = 0; i < warm; i++)
		write_graph(rec, 900 + i, 100 + 100 * i, "w", 4, 1);
	for (int i = 0; i < 4; i++) {
		int at = 1000 * (i + 1);

		run_range(rec, "step", at, at + 500);
		write_graph(rec, 10 * i + 1, at + 1, "a", 2, grid);
		write_graph(rec, 10 * i + 2, at + 101, "b", 3, grid);
		write_graph(rec, 10 * i + 3, at + 201, "b", 3, grid);
	}
	run_end(rec);
}

static void test_graphs_of_steps(void **state)
{
	struct launches run;

	(void)state;
	write_steps("run.sqlite", 2, 4);
	run = load_graphs("run.sqlite", "step");
	assert_int_equal(run.ngraphs, 2);
	assert_string_equal(run.graphs[0].kernel.base, "CUDA graph of 2 kernels, the longest a");
	assert_string_equal(run.graphs[1].kernel.base, "CUDA graph of 3 kernels, the longest b");
	assert_true(run.graphs[0].kernel.is_graph);
	assert_true(run.graphs[0].launches == 1 && run.graphs[1].launches == 2);
	/* The time of kernels, without what lies between them. */
	assert_true(run.graphs[0].ns == 20 && run.graphs[1].ns == 30);
	assert_true(run.graphs[0].beside == 0);
	assert_null(run.graphs[0].refusal);
	assert_numbers(&run.graphs[0], 3, (const uint64_t[]){5, 8, 11});
	assert_numbers(&run.graphs[1], 6, (const uint64_t[]){6, 7, 9, 10, 12, 13});
	launches_release(&run);
}

/* Without a range the first launch of a graph is warm-up. A graph of one kernel is named after it, one without is none.
 */
static void test_graphs_without_range(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		int at = 1000 * (i + 1);

		run_call(rec, "cudaGraphLaunch", 10 * i + 1, at, at + 2);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
			" copyKind=1 bytes=8 graphNodeId=9",
			at + 5, at + 9, 10 * i + 1);
		write_graph(rec, 10 * i + 2, at + 100, "a", 1, 4);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_string_equal(run.graphs[0].kernel.base, "CUDA graph of a");
	assert_numbers(&run.graphs[0], 2, (const uint64_t[]){3, 5});
	launches_release(&run);
}

/* A graph with a copy lasts for 40 ns, and its kernels take 20. Kernels of others run meanwhile. */
static void test_what_runs_beside(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 2; i++) {
		int at = 1000 * (i + 1);

		run_range(rec, "step", at, at + 500);
		write_graph(rec, 10 * i + 1, at + 1, "a", 2, 4);
		run_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
			" copyKind=1 bytes=8 graphNodeId=9",
			at + 41, at + 51, 10 * i + 1);
		/* It begins before the graph and ends in it; so does one of another GPU. */
		run_launch(rec, 10 * i + 2, "other", at + 4, at + 6, 10, "streamId=8");
		run_launch(rec, 10 * i + 3, "other", at + 7, at + 48, 20, "streamId=8");
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=1 streamId=9 correlationId=%d globalPid=" PROCESS
			" shortName=far",
			at + 6, at + 60, 10 * i + 2);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", "step");
	assert_int_equal(run.ngraphs, 1);
	assert_true(run.graphs[0].ns == 20);
	/* 5 ns of the first one, and 3 of the second. */
	assert_true(fabs(run.graphs[0].beside - 8. / 40) < 1e-9);
	launches_release(&run);
}

/* A launch of another process: a node of that name. */
static void write_elsewhere(struct recording *rec, int id, const char *name)
{
	run_row(rec,
		"RUNTIME start=%d end=%d globalTid=" OTHER_PROCESS_THREAD " correlationId=%d nameId=cudaGraphLaunch",
		100 * id, 100 * id + 2, id);
	run_row(rec,
		"KERNEL start=%d end=%d deviceId=1 streamId=7 correlationId=%d globalPid=" OTHER_PROCESS
		" shortName=%s gridX=4 graphNodeId=1",
		100 * id + 10, 100 * id + 20, id, name);
}

/* Processes count for themselves: what all have counts. */
static void test_several_processes(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++)
		write_graph(rec, i + 1, 100 * (i + 1), "a", 1, 4);
	for (int i = 0; i < 3; i++)
		write_elsewhere(rec, i + 1, "a");
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_numbers(&run.graphs[0], 2, (const uint64_t[]){1, 2});
	launches_release(&run);
}

/* A process that launches other graphs does so under the same numbers: those that it has are nobody's. */
static void test_processes_with_other_graphs(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 6; i++)
		write_graph(rec, i + 1, 100 * (i + 1), "a", 1, 4);
	for (int i = 0; i < 3; i++)
		write_elsewhere(rec, i + 1, "b");
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 2);
	assert_numbers(&run.graphs[0], 3, (const uint64_t[]){3, 4, 5});
	assert_null(run.graphs[0].refusal);
	assert_int_equal(run.graphs[1].nnumbers, 0);
	assert_string_equal(run.graphs[1].refusal, "its processes launch different graphs, or in another order");
	launches_release(&run);
}

/* Calls that fail, and those of empty graphs, have numbers as well. A runtime call and the driver's in it are one. */
static void test_calls_without_work(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		run_call(rec, "cuGraphLaunch_ptsz", 10 * i + 5, 100 * (i + 1) - 20, 100 * (i + 1) - 10);
		run_call(rec, "cudaGraphLaunch_v10000", 10 * i + 1, 100 * (i + 1) - 5, 100 * (i + 1) + 5);
		run_call(rec, "cudaGraphInstantiate", 10 * i + 6, 100 * (i + 1) + 3, 100 * (i + 1) + 4);
		write_graph(rec, 10 * i + 1, 100 * (i + 1), "a", 1, 4);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_numbers(&run.graphs[0], 2, (const uint64_t[]){3, 5});
	launches_release(&run);
}

/* Without the call of some launch it is not known which number the others have. */
static void test_a_call_that_is_not_known(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++)
		write_graph(rec, i + 1, 100 * (i + 1), "a", 1, 4);
	run_row(rec, "KERNEL start=900 end=910 deviceId=0 streamId=7 correlationId=77 globalPid=" PROCESS
		     " shortName=a gridX=4 graphNodeId=1");
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_string_equal(run.graphs[0].refusal, "which call launched a graph is not known");
	launches_release(&run);
}

static void test_a_graph_on_several_gpus(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		write_graph(rec, i + 1, 100 * (i + 1), "a", 2, 4);
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=1 streamId=9 correlationId=%d globalPid=" PROCESS
			" shortName=far graphNodeId=8",
			100 * (i + 1) + 10, 100 * (i + 1) + 60, i + 1);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_string_equal(run.graphs[0].refusal, "it runs on several GPUs");
	launches_release(&run);
}

/* Instances of a template, and what differs in dynamic shared memory, are different graphs. */
static void test_like_graphs(void **state)
{
	static const char *const kernels[] = {"mangledName=_Z1aILi1EE dynamicSharedMemory=0",
		"mangledName=_Z1aILi2EE dynamicSharedMemory=0", "mangledName=_Z1aILi2EE dynamicSharedMemory=512"};
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 9; i++) {
		int at = 100 * (i + 1);

		run_call(rec, "cudaGraphLaunch", i + 1, at, at + 2);
		run_row(rec,
			"KERNEL start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
			" shortName=a gridX=4 graphNodeId=1 %s",
			at + 10, at + 20, i + 1, kernels[i % 3]);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 3);
	assert_true(run.graphs[0].names == run.graphs[1].names);
	for (uint64_t k = 0; k < 3; k++)
		assert_numbers(&run.graphs[k], 2, (const uint64_t[]){k + 3, k + 6});
	launches_release(&run);
}

/* However many graphs warm-up launches, those of the steps are known. */
static void test_many_graphs_before(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 300; i++)
		write_graph(rec, 1000 + i, 100 * (i + 1), "w", 1, i + 1);
	for (int i = 0; i < 3; i++) {
		run_range(rec, "step", 50000 + 1000 * i, 50500 + 1000 * i);
		write_graph(rec, i + 1, 50001 + 1000 * i, "a", 2, 4);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", "step");
	assert_int_equal(run.ngraphs, 1);
	assert_numbers(&run.graphs[0], 2, (const uint64_t[]){301, 302});
	launches_release(&run);
}

static void test_a_single_launch(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	write_graph(rec, 1, 100, "a", 2, 4);
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.ngraphs, 1);
	assert_string_equal(run.graphs[0].refusal, "a process launches it only once, as warm-up");
	launches_release(&run);
}

/* Kernels that graphs launch are told, also where others launch them, too. */
static void test_kernels_of_graphs(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++) {
		write_graph(rec, 10 * i + 1, 1000 * (i + 1), "a", 2, 4);
		run_launch(rec, 10 * i + 2, "k", 1000 * (i + 1) + 100, 1000 * (i + 1) + 110, 10, "streamId=7 gridX=4");
		run_launch(rec, 10 * i + 3, "alone", 1000 * (i + 1) + 200, 1000 * (i + 1) + 210, 10, "streamId=7");
	}
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_int_equal(run.nkernels, 3);
	for (size_t k = 0; k < run.nkernels; k++)
		assert_int_equal(run.kernels[k].in_graphs, strcmp(run.kernels[k].base, "alone") != 0);
	launches_release(&run);
}

/* What threads launch at once comes in any order, unless it is all the same. */
static void test_several_threads(void **state)
{
	(void)state;
	for (int kinds = 1; kinds <= 2; kinds++) {
		struct recording *rec = run_begin("run.sqlite");
		struct launches run;

		for (int i = 0; i < 3; i++) {
			write_graph(rec, i + 1, 100 * (i + 1), "a", 1, 4);
			run_row(rec,
				"RUNTIME start=%d end=%d globalTid=" OTHER_THREAD
				" correlationId=%d nameId=cudaGraphLaunch",
				100 * (i + 1) + 50, 100 * (i + 1) + 52, i + 11);
			run_row(rec,
				"KERNEL start=%d end=%d deviceId=0 streamId=8 correlationId=%d globalPid=" PROCESS
				" shortName=%s gridX=4 graphNodeId=1",
				100 * (i + 1) + 60, 100 * (i + 1) + 70, i + 11, kinds == 1 ? "a" : "c");
		}
		run_end(rec);
		run = load_graphs("run.sqlite", NULL);
		assert_int_equal(run.ngraphs, kinds);
		for (int k = 0; k < kinds; k++) {
			if (kinds == 1)
				assert_null(run.graphs[k].refusal);
			else
				assert_string_equal(run.graphs[k].refusal, "several threads launch CUDA graphs");
		}
		launches_release(&run);
	}
}

static void test_graph_communicates(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 3; i++)
		write_graph(rec, i + 1, 100 * (i + 1), "ncclDevKernel_AllReduce", 2, 4);
	run_end(rec);
	run = load_graphs("run.sqlite", NULL);
	assert_string_equal(run.graphs[0].refusal, "it communicates between GPUs (NCCL or NVSHMEM)");
	launches_release(&run);
}

/* ---- sides ---- */

struct two_runs {
	struct launches run[2];
	const struct launches *of[2];
};

static void load_two(struct two_runs *two)
{
	static const char *const names[] = {"one.sqlite", "two.sqlite"};

	for (int i = 0; i < 2; i++) {
		two->run[i] = load_graphs(names[i], "step");
		two->of[i] = &two->run[i];
	}
}

static void release_two(struct two_runs *two)
{
	for (int i = 0; i < 2; i++)
		launches_release(&two->run[i]);
}

/* Numbers that mean the same graph in each run are kept. One more launch before the steps moves all of them: then "a"
 * has none, and of the two of "b" one. */
static void test_a_side(void **state)
{
	const struct side_kernels kernels = {.ns = 150};
	struct side_graphs side;
	struct two_runs two;

	(void)state;
	write_steps("one.sqlite", 2, 4);
	write_steps("two.sqlite", 2, 4);
	load_two(&two);
	side_graphs_join(two.of, 2, &kernels, &side);
	assert_int_equal(side.n, 2);
	assert_int_equal(side.graphs[1].kernel.kernel.places.end, 6);
	assert_null(side.graphs[1].kernel.kernel.places.refusal);
	assert_true(side.graphs[1].kernel.launches == 2 && side.graphs[1].kernel.runs == 2);
	assert_true(side.graphs[1].kernel.launch_ns == 30 && side.graphs[1].kernel.ns == 60);
	assert_true(side.graphs[1].kernel.share == 0.4);
	assert_true(side_graph_ns(&side.graphs[1].kernel, two.of[0]) == 60);
	side_graphs_free(&side);
	release_two(&two);

	write_steps("two.sqlite", 3, 4);
	load_two(&two);
	side_graphs_join(two.of, 2, &kernels, &side);
	assert_int_equal(side.n, 2);
	assert_int_equal(side.graphs[0].kernel.kernel.places.end, 0);
	assert_string_equal(side.graphs[0].kernel.kernel.places.refusal, "its launches differ from run to run");
	assert_int_equal(side.graphs[1].kernel.kernel.places.end, 3);
	assert_int_equal(side.graphs[1].kernel.kernel.places.numbers[0], 7);
	side_graphs_free(&side);
	release_two(&two);
}

/* A graph that a run lacks is none of the side. */
static void test_a_run_without_it(void **state)
{
	const struct side_kernels kernels = {.ns = 150};
	struct side_graphs side;
	struct two_runs two;

	(void)state;
	write_steps("one.sqlite", 2, 4);
	write_steps("two.sqlite", 2, 5);
	load_two(&two);
	side_graphs_join(two.of, 2, &kernels, &side);
	assert_int_equal(side.n, 0);
	assert_true(isnan(side_graph_ns(&(struct side_kernel){.kernel = {.hash = 1}}, two.of[0])));
	side_graphs_free(&side);
	side_graphs_join(two.of, 0, &kernels, &side);
	assert_int_equal(side.n, 0);
	side_graphs_free(&side);
	release_two(&two);
}

static void assert_matches(
	const uint64_t *first, size_t nfirst, const uint64_t *other, size_t nother, const size_t *want)
{
	struct side_graph a[4], b[4];
	size_t match[4];

	for (size_t i = 0; i < nfirst; i++)
		a[i] = (struct side_graph){.kernel.kernel.hash = first[i], .names = first[i] / 10};
	for (size_t i = 0; i < nother; i++)
		b[i] = (struct side_graph){.kernel.kernel.hash = other[i], .names = other[i] / 10};
	match_graphs(&(struct side_graphs){.graphs = a, .n = nfirst}, &(struct side_graphs){.graphs = b, .n = nother},
		match);
	for (size_t i = 0; i < nfirst; i++)
		assert_int_equal(match[i], want[i]);
}

static void test_graphs_of_two_sides(void **state)
{
	(void)state;
	/* By names, which are tens here, each once, whatever their order. */
	assert_matches((const uint64_t[]){10, 20, 11}, 3, (const uint64_t[]){22, 12, 13}, 3, (const size_t[]){1, 0, 2});
	/* First those that are wholly alike. */
	assert_matches((const uint64_t[]){10, 11}, 2, (const uint64_t[]){11, 10}, 2, (const size_t[]){1, 0});
	assert_matches((const uint64_t[]){10, 11}, 2, (const uint64_t[]){12, 10}, 2, (const size_t[]){1, 0});
	/* What is left alone on both sides has nothing to do with each other, */
	assert_matches((const uint64_t[]){10, 20}, 2, (const uint64_t[]){30, 10}, 2, (const size_t[]){1, GRAPH_NONE});
	assert_matches((const uint64_t[]){10}, 1, NULL, 0, (const size_t[]){GRAPH_NONE});
}

/* unless each is all that its side launches. */
static void test_graphs_that_are_all(void **state)
{
	struct side_graph a = {.names = 1, .kernel.kernel.hash = 1}, b = {.names = 2, .kernel.kernel.hash = 2};
	size_t match[1];

	(void)state;
	match_graphs(&(struct side_graphs){&a, 1, true}, &(struct side_graphs){&b, 1, false}, match);
	assert_int_equal(match[0], GRAPH_NONE);
	match_graphs(&(struct side_graphs){&a, 1, true}, &(struct side_graphs){&b, 1, true}, match);
	assert_int_equal(match[0], 0);
}

/* One graph is all if it has the time of all kernels. */
static void test_a_side_of_one_graph(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct side_graphs side;
	struct launches run;
	const struct launches *of[] = {&run};

	(void)state;
	for (int i = 0; i < 3; i++) {
		run_range(rec, "step", 1000 * (i + 1), 1000 * (i + 1) + 500);
		write_graph(rec, i + 1, 1000 * (i + 1) + 1, "a", 2, 4);
	}
	run_end(rec);
	run = load_graphs("run.sqlite", "step");
	side_graphs_join(of, 1, &(struct side_kernels){.ns = 20}, &side);
	assert_true(side.is_all);
	side_graphs_free(&side);
	side_graphs_join(of, 1, &(struct side_kernels){.ns = 21}, &side);
	assert_false(side.is_all);
	side_graphs_free(&side);
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_graphs_of_steps),
		scratch_test(test_graphs_without_range),
		scratch_test(test_what_runs_beside),
		scratch_test(test_several_processes),
		scratch_test(test_processes_with_other_graphs),
		scratch_test(test_calls_without_work),
		scratch_test(test_a_call_that_is_not_known),
		scratch_test(test_a_graph_on_several_gpus),
		scratch_test(test_like_graphs),
		scratch_test(test_many_graphs_before),
		scratch_test(test_a_single_launch),
		scratch_test(test_kernels_of_graphs),
		scratch_test(test_several_threads),
		scratch_test(test_graph_communicates),
		scratch_test(test_a_side),
		scratch_test(test_a_run_without_it),
		cmocka_unit_test(test_graphs_of_two_sides),
		cmocka_unit_test(test_graphs_that_are_all),
		scratch_test(test_a_side_of_one_graph),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
