/* pays-several.c: program.pays and program.processes where there are several loops, kernels or processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/loop-fixture.h"

/* Each step has a range of its own name, each copy one inside: the loop's range tells it. */
static void test_nested_ranges(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	char step[16];
	json_t *tree;

	(void)state;
	loop_write(rec, &usual_loop, 8);
	loop_write_range(rec, "main", 0, 90000);
	loop_write_range(rec, "loop", 9000, 9500);
	for (int i = 0; i < 8; i++) {
		snprintf(step, sizeof step, "step %d", i);
		loop_write_range(rec, step, 9100 + 30 * i, 9128 + 30 * i);
		loop_write_range(rec, "copy", 9100 + 30 * i, 9105 + 30 * i);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.range", "loop");
	assert_text(tree, "program.pays.0.within", "main");
	assert_integer(tree, "program.pays.0.count", 1);
	assert_integer(tree, "program.pays.0.iterations", 8);
	json_decref(tree);
	/* Steps of one name are a loop as well, and stand inside. */
	rec = fixture_begin("a.sqlite");
	loop_write(rec, &usual_loop, 8);
	loop_write_range(rec, "main", 0, 90000);
	for (int i = 0; i < 8; i++)
		loop_write_range(rec, "step", 9100 + 30 * i, 9128 + 30 * i);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.range", "step");
	assert_integer(tree, "program.pays.0.count", 8);
	json_decref(tree);
}

/* The larger gain first; each process and GPU by itself. */
static void test_ranking(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop other = usual_loop, third = usual_loop;
	json_t *tree;

	(void)state;
	other.process = OTHER_PROCESS;
	other.thread = OTHER_THREAD;
	other.start = 200000;
	third.device = 1;
	third.first = 500;
	third.start = 400000;
	loop_write(rec, &usual_loop, 5);
	loop_write(rec, &other, 20);
	loop_write(rec, &third, 10);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 3);
	assert_integer(tree, "program.pays.0.process", 2);
	assert_integer(tree, "program.pays.1.device", 1);
	assert_integer(tree, "program.pays.2.iterations", 5);
	json_decref(tree);
}

/* A thread feeds two GPUs by turns. The copies of the second one run while the first one computes. */
static void write_round_of_two_gpus(struct recording *rec, int i)
{
	struct loop second = usual_loop;
	int start = second.start + second.length + 3 * second.length * i, id = 500 + 3 * i,
	    asked = second.start - 895 + 30 * i;

	second.device = 1;
	loop_write_round(rec, &usual_loop, i);
	loop_write_copy(rec, &second, 1, start, id);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=1 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=work demangledName=work",
		start + second.length, start + 2 * second.length, id + 1);
	loop_write_copy(rec, &second, 2, start + 2 * second.length, id + 2);
	loop_write_call(rec, &second, second.call, asked, id);
	loop_write_call(rec, &second, "cudaLaunchKernel_v7000", asked + 10, id + 1);
	loop_write_call(rec, &second, second.call, asked + 20, id + 2);
}

/* Kernels of one GPU hide no copies of another: all copies of both are lost. */
static void test_two_gpus(void **state)
{
	enum { ROUNDS = 8 };
	struct recording *rec = fixture_begin("a.sqlite");
	double lost = 0;
	json_t *tree;

	(void)state;
	for (int i = 0; i < ROUNDS; i++)
		write_round_of_two_gpus(rec, i);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	for (size_t i = 0; i < json_array_size(at(tree, "program.pays.0.copies")); i++)
		lost += json_number_value(
			json_object_get(json_array_get(at(tree, "program.pays.0.copies"), i), "lost_ns"));
	assert_true(lost == 4.0 * ROUNDS * usual_loop.length);
	json_decref(tree);
}

/* Loops that gain as much stand by process, whatever numbers their names have. */
static void test_ties(void **state)
{
	enum { N = 6 };
	struct recording *rec = fixture_begin("a.sqlite");
	char path[40];
	json_t *tree;

	(void)state;
	for (int i = 0; i < N; i++) {
		struct loop loop = usual_loop;
		char process[24], thread[24];

		snprintf(process, sizeof(process), "%d", (i + 1) << 24);
		snprintf(thread, sizeof(thread), "%d", ((i + 1) << 24) + 1);
		loop.process = process;
		loop.thread = thread;
		loop.start = 10000 + 100000 * (N - i);
		loop_write(rec, &loop, 10);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", N);
	for (int i = 0; i < N; i++) {
		snprintf(path, sizeof(path), "program.pays.%d.process", i);
		assert_integer(tree, path, i + 1);
	}
	json_decref(tree);
}

/* Two rounds of two kernels each would fall into step in streams by turns: the copies get streams of their own. */
static void test_several_kernels(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++) {
		int start = 10000 + 4000 * i, id = 1 + 4 * i, asked = 9100 + 40 * i;

		loop_write_copy(rec, &usual_loop, 1, start, id);
		loop_write_call(rec, &usual_loop, usual_loop.call, asked, id);
		for (int k = 1; k < 3; k++) {
			fixture_row(rec,
				"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d "
				"globalPid=" PROCESS " shortName=work%d demangledName=work%d",
				start + 1000 * k, start + 1000 * (k + 1), id + k, k, k);
			loop_write_call(rec, &usual_loop, "cudaLaunchKernel_v7000", asked + 10 * k, id + k);
		}
		loop_write_copy(rec, &usual_loop, 2, start + 3000, id + 3);
		loop_write_call(rec, &usual_loop, usual_loop.call, asked + 30, id + 3);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	assert_text(tree, "program.pays.0.actions.0", "copy-streams");
	assert_text(tree, "program.pays.0.copies.0.actions.0", "copy-streams");
	json_decref(tree);
}

/* Kernel `work`, of 1000 ns in the usual_loop stream, that a thread asks for. */
static void write_launch(struct recording *rec, const char *thread, const char *work, int asked, int start, int id)
{
	struct loop of = usual_loop;

	of.thread = thread;
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=%s demangledName=%s",
		start, start + 1000, id, work, work);
	loop_write_call(rec, &of, "cudaLaunchKernel_v7000", asked, id);
}

/* The rounds of one thread copy and launch, another thread launches what follows, as PyTorch's does for gradients. A
 * few launches of the first thread that are alike run beside the other one's loop too: they do not stand for its loop.
 */
static void test_short_loop_beside(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 12; i++) {
		int start = 100000 + 4000 * i, asked = 90000 + 100 * i, id = 100 + 10 * i;

		write_launch(rec, "16777218", "backward", asked + 40, start + 2000, id);
		write_launch(rec, "16777218", "reduce", asked + 60, start + 3000, id + 1);
		for (int k = 0; i == 1 && k < 4; k++)
			write_launch(rec, THREAD, "optimizer", asked - 30 + 6 * k, start - 1000, id + 2 + k);
		if (i < 2)
			continue;
		loop_write_copy(rec, &usual_loop, 1, start, id + 6);
		loop_write_call(rec, &usual_loop, usual_loop.call, asked, id + 6);
		write_launch(rec, THREAD, "forward", asked + 20, start + 1000, id + 7);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_number(tree, "program.pays.0.threads", 2);
	assert_number(tree, "program.pays.0.iterations", 10);
	json_decref(tree);
}

/* Without API calls there is less to tell, but as much to gain. */
static void test_without_calls(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 6; i++) {
		loop_write_copy(rec, &usual_loop, 1, 10000 + 2000 * i, 2 * i);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 streamId=13 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			11000 + 2000 * i, 12000 + 2000 * i, 2 * i + 1);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	assert_null_at(tree, "program.pays.0.copies.0.call");
	assert_integer(tree, "program.pays.0.gain_ns", 5000);
	json_decref(tree);
}

/* There are calls, but the work does not say which are its own: it is as if there were none. */
static void test_without_correlations(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++) {
		loop_write_copy(rec, &usual_loop, 1, 10000 + 3000 * i, 0);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=0 globalPid=" PROCESS
			" shortName=work",
			11000 + 3000 * i, 12000 + 3000 * i);
		loop_write_copy(rec, &usual_loop, 2, 12000 + 3000 * i, 0);
		loop_write_call(rec, &usual_loop, usual_loop.call, 9100 + 30 * i, 1 + i);
		loop_write_call(rec, &usual_loop, "cudaStreamQuery_v3020", 9110 + 30 * i, 100 + i);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 12500, 14000);
	json_decref(tree);
}

static void test_traced_processes(void **state)
{
	static const char *const lines[] = {
		"TRACEDPROCESS pid=1 parent=9 command=\"a b\" start=5 end=90 finished=1 dropped=0 untimed=2",
		"TRACEDPROCESS pid=2 parent=1 command=c start=7 finished=0 note=\"it was killed\"",
		"PROCESS globalPid=" PROCESS " pid=1 name=a",
		"THREAD nameId=main globalTid=" THREAD,
		"THREAD nameId=loader globalTid=" OTHER_THREAD,
		NULL,
	};
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	loop_write(rec, &usual_loop, 2);
	fixture_lines(rec, lines);
	tree = loop_model(rec);
	assert_size(tree, "program.processes", 2);
	assert_integer(tree, "program.processes.0.pid", 1);
	assert_integer(tree, "program.processes.0.parent", 9);
	assert_text(tree, "program.processes.0.name", "a");
	assert_text(tree, "program.processes.0.command", "a b");
	assert_integer(tree, "program.processes.0.start_ns", 5);
	assert_integer(tree, "program.processes.0.end_ns", 90);
	assert_true_at(tree, "program.processes.0.finished");
	assert_integer(tree, "program.processes.0.untimed", 2);
	assert_null_at(tree, "program.processes.0.note");
	assert_size(tree, "program.processes.0.threads", 1);
	assert_integer(tree, "program.processes.0.threads.0.tid", 1);
	assert_text(tree, "program.processes.0.threads.0.name", "main");
	assert_integer(tree, "program.processes.0.gpus.0.busy_ns.kernel", 2000);
	assert_integer(tree, "program.processes.0.gpus.0.floor_ns", 2000);
	assert_null_at(tree, "program.processes.1.name");
	assert_null_at(tree, "program.processes.1.end_ns");
	assert_false_at(tree, "program.processes.1.finished");
	assert_text(tree, "program.processes.1.note", "it was killed");
	assert_size(tree, "program.processes.1.gpus", 0);
	json_decref(tree);
}

/* As in an export: the processes that have work, in the order of their ids. */
static void test_processes_of_work(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop other = usual_loop;
	json_t *tree;

	(void)state;
	other.process = OTHER_PROCESS;
	other.thread = OTHER_THREAD;
	loop_write(rec, &other, 3);
	loop_write(rec, &usual_loop, 2);
	fixture_row(rec, "PROCESS globalPid=" OTHER_PROCESS " pid=2 name=two");
	fixture_row(rec, "PROCESS globalPid=50331648 pid=3 name=idle");
	tree = loop_model(rec);
	assert_size(tree, "program.processes", 2);
	assert_integer(tree, "program.processes.0.pid", 1);
	assert_null_at(tree, "program.processes.0.name");
	assert_null_at(tree, "program.processes.0.finished");
	assert_text(tree, "program.processes.1.name", "two");
	assert_integer(tree, "program.processes.1.gpus.0.busy_ns.h2d", 3000);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_nested_ranges),
		scratch_test(test_ranking),
		scratch_test(test_two_gpus),
		scratch_test(test_ties),
		scratch_test(test_several_kernels),
		scratch_test(test_short_loop_beside),
		scratch_test(test_without_calls),
		scratch_test(test_without_correlations),
		scratch_test(test_traced_processes),
		scratch_test(test_processes_of_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
