/* pays.c: what program.pays says of a loop: why its copies do not run beside its kernels, its gain, what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/loop-fixture.h"

/* Ten rounds of 3000 ns: with two streams a round takes 1500, and the copies slow each other down for a part of it. */
static void test_same_stream(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;
	double gain;

	(void)state;
	loop_write(rec, &usual_loop, 10);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_null_at(tree, "program.pays.0.range");
	assert_null_at(tree, "program.pays.0.count");
	assert_integer(tree, "program.pays.0.process", 1);
	assert_integer(tree, "program.pays.0.device", 0);
	assert_integer(tree, "program.pays.0.iterations", 10);
	assert_integer(tree, "program.pays.0.span_ns", 30000);
	assert_integer(tree, "program.pays.0.floor_ns", 10000);
	assert_integer(tree, "program.pays.0.lost_ns", 20000);
	/* Rounds by twos take 3000; the last one starts 1000 after the one before it. */
	assert_integer(tree, "program.pays.0.gain_high_ns", 30000 - 16000);
	gain = json_number_value(at(tree, "program.pays.0.gain_ns"));
	assert_true(gain > 12500 && gain <= 14000);
	/* The loop begins with its first call. */
	assert_integer(tree, "program.pays.0.loop_ns", 30900);
	assert_number(tree, "program.pays.0.share", gain / 30900);
	assert_number(tree, "program.pays.0.speedup", 30900 / (30900 - gain));
	assert_size(tree, "program.pays.0.buffers", 7);
	assert_integer(tree, "program.pays.0.buffers.0.buffers", 2);
	assert_number(tree, "program.pays.0.buffers.0.gain_ns", gain);
	assert_integer(tree, "program.pays.0.advised_buffers", 3);
	assert_number(tree, "program.pays.0.duplex_rate", 0.9);
	assert_false_at(tree, "program.pays.0.duplex_measured");
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	assert_text(tree, "program.pays.0.actions.0", "same-stream");
	assert_text(tree, "program.pays.0.copies.0.call", "cudaMemcpyAsync");
	assert_text(tree, "program.pays.0.copies.0.memory", "pinned");
	assert_integer(tree, "program.pays.0.copies.0.stream", 13);
	assert_integer(tree, "program.pays.0.copies.0.count", 9);
	assert_integer(tree, "program.pays.0.copies.0.bytes", 9 * 4096);
	assert_integer(tree, "program.pays.0.copies.0.copy_ns", 9000);
	assert_integer(tree, "program.pays.0.copies.0.lost_ns", 9000);
	/* The first copy in and the last copy out. */
	assert_size(tree, "program.pays.0.copies", 4);
	assert_text(tree, "program.pays.0.copies.2.reason", "alone");
	assert_text(tree, "program.pays.0.copies.3.reason", "alone");
	assert_integer(tree, "program.pays.0.copies.2.gain_ns", 0);
	assert_integer(tree, "gpus.0.floor_ns", 10000);
	json_decref(tree);
}

static void test_pageable(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;

	(void)state;
	loop.memory = "0";
	loop_write(rec, &loop, 5);
	assert_loop_reason(rec, "pageable", 1);
}

static void test_default_stream_by_number(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;

	(void)state;
	loop.stream = 7;
	loop_write(rec, &loop, 5);
	assert_loop_reason(rec, "default-stream", 0);
}

/* What the context says goes before the number. */
static void test_default_stream_by_context(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;

	(void)state;
	fixture_row(rec, "CONTEXT nullStreamId=13 processId=1 deviceId=0 contextId=1");
	loop_write(rec, &loop, 5);
	assert_loop_reason(rec, "default-stream", 0);
	rec = fixture_begin("a.sqlite");
	loop.stream = 7;
	fixture_row(rec, "CONTEXT nullStreamId=13 processId=1 deviceId=0 contextId=1");
	loop_write(rec, &loop, 5);
	assert_loop_reason(rec, "same-stream", 0);
}

static void test_synchronous_call(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;

	(void)state;
	loop.call = "cuMemcpyHtoD_v2";
	loop_write(rec, &loop, 5);
	assert_loop_reason(rec, "synchronous", 1);
}

/* A copy that kernels cover in part, and one that no kernel follows: nothing can be done. */
static void test_nothing_in_the_way(void **state)
{
	json_t *tree = fixture_scenario("program");

	(void)state;
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
}

/* Each step is a range of its own name with four rounds, after which the host waits. */
static json_t *steps(int n)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;

	loop.length = 5000;
	for (int i = 0; i < n; i++) {
		char name[16];

		snprintf(name, sizeof(name), "step %d", i);
		loop_write(rec, &loop, 4);
		loop_write_range(rec, name, loop.start - 950, loop.start - 750);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaDeviceSynchronize_v3020 returnValue=0",
			loop.start - 760, loop.start + 60000, 10000 + i);
		loop.start += 62000;
		loop.first += 12;
	}
	return loop_model(rec);
}

/* They are one loop: the host's waits between the steps stay. */
static void test_numbered_steps(void **state)
{
	json_t *tree = steps(6);

	(void)state;
	assert_size(tree, "program.pays", 1);
	assert_integer(tree, "program.pays.0.iterations", 24);
	json_decref(tree);
	tree = steps(20);
	assert_size(tree, "program.pays", 1);
	assert_null_at(tree, "program.pays.0.range");
	assert_integer(tree, "program.pays.0.iterations", 80);
	json_decref(tree);
}

/* Only calls that copy synchronously are told to be replaced; what loses most is told first. */
static void test_advice(void **state)
{
	const char *async = "cudaMemcpyAsync", *first = "Put the rounds into two streams";
	struct loop loop = usual_loop;
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	loop.call = "cuMemcpyHtoD_v2";
	loop_write(rec, &loop, 5);
	tree = loop_model(rec);
	assert_non_null(strstr(json_string_value(at(tree, "program.pays.0.advice")), async));
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	loop_write(rec, &usual_loop, 2);
	fixture_row(rec,
		"RUNTIME start=%d end=%d globalTid=" THREAD
		" correlationId=1000 nameId=cudaDeviceSynchronize_v3020 returnValue=0",
		usual_loop.start - 800, usual_loop.start + 6 * usual_loop.length + 10);
	loop = usual_loop;
	loop.start += 6 * loop.length + 1000;
	loop.first = 100;
	loop_write(rec, &loop, 3);
	tree = loop_model(rec);
	assert_ptr_equal(strstr(json_string_value(at(tree, "program.pays.0.advice")), async), NULL);
	assert_memory_equal(json_string_value(at(tree, "program.pays.0.advice")), first, strlen(first));
	json_decref(tree);
}

/* The host waits in each round, works for a moment, and only then asks for the next one. */
static void test_waiting_host(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;
	json_t *tree;

	(void)state;
	loop.length = 100000;
	for (int i = 0; i < 10; i++) {
		loop.start = 10000 + 320000 * i;
		loop.first = 1 + 3 * i;
		loop_write_round(rec, &loop, 0);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaStreamSynchronize_v3020 returnValue=0",
			loop.start - 860, loop.start + 310000, 1000 + i);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "synchronous");
	assert_text(tree, "program.pays.0.copies.0.also.0", "same-stream");
	assert_integer(tree, "program.pays.0.span_ns", 3180000);
	/* As without the waits, but for the moments in which the host works. */
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_high_ns")), 1300000, 1530000);
	json_decref(tree);
}

/* The host waits for a kernel each round. What keeps the copies from running beside kernels is the whole of the gain:
 * nothing of it belongs to no copies. */
static void test_gain_of_a_group(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual_loop;
	json_t *tree;

	(void)state;
	loop.length = 100000;
	for (int i = 0; i < 10; i++) {
		int start = 10000 + 220000 * i, id = 1 + 3 * i;

		loop_write_copy(rec, &loop, 1, start, id);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			start + loop.length, start + 2 * loop.length, id + 1);
		loop_write_call(rec, &loop, loop.call, start - 900, id);
		loop_write_call(rec, &loop, "cudaLaunchKernel_v7000", start - 890, id + 1);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaStreamSynchronize_v3020 returnValue=0",
			start - 880, start + 210000, id + 2);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "synchronous");
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 800000, 1200000);
	assert_int_equal(json_integer_value(at(tree, "program.pays.0.copies.0.gain_ns")),
		json_integer_value(at(tree, "program.pays.0.gain_ns")));
	assert_integer(tree, "program.pays.0.gain_rest_ns", 0);
	json_decref(tree);
}

/* Kernel and copies in two streams, an event from the kernel's to the copies'. Of the event's rows `event` are known,
 * and `sync` numbers, which tell records apart. */
static void write_event_loop(struct recording *rec, bool event, bool sync)
{
	struct loop slow = usual_loop;

	/* So long that what lies between two kernels is no latency. */
	slow.length = 100000;
	for (int i = 0; i < 6; i++) {
		int start = 10000 + 2 * slow.length * i, asked = 9000 + 30 * i, id = 1 + 4 * i;
		char ids[64] = "";

		if (event)
			snprintf(ids, sizeof ids, " eventId=3");
		if (sync)
			snprintf(ids + strlen(ids), sizeof ids - strlen(ids), " eventSyncId=%d", i + 100);
		loop_write_copy(rec, &slow, 1, start, id);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=14 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			start + slow.length, start + 2 * slow.length, id + 1);
		loop_write_call(rec, &usual_loop, "cudaMemcpyAsync_v3020", asked, id);
		loop_write_call(rec, &usual_loop, "cudaLaunchKernel_v7000", asked + 10, id + 1);
		loop_write_call(rec, &usual_loop, "cudaEventRecord_v3020", asked + 16, id + 2);
		loop_write_call(rec, &usual_loop, "cudaStreamWaitEvent_v3020", asked + 22, id + 3);
		if (event)
			fixture_row(rec,
				"CUDAEVENT deviceId=0 contextId=1 streamId=14 correlationId=%d globalPid=" PROCESS "%s",
				id + 2, ids);
		fixture_row(rec,
			"SYNCHRONIZATION start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d "
			"globalPid=" PROCESS " syncType=2%s",
			asked + 22, asked + 23, id + 3, ids);
	}
}

/* Which record a stream waits for follows from eventSyncId, else from the latest record of the event, else from that of
 * the thread. */
static void test_dependency(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");

	(void)state;
	write_event_loop(rec, true, true);
	assert_loop_reason(rec, "dependency", 0);
	rec = fixture_begin("a.sqlite");
	write_event_loop(rec, true, false);
	assert_loop_reason(rec, "dependency", 0);
	rec = fixture_begin("a.sqlite");
	write_event_loop(rec, false, false);
	assert_loop_reason(rec, "dependency", 0);
}

/* Nothing to overlap, nothing to list: one round, copies of one direction, and a loop in two streams. */
static void test_nothing_to_list(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	loop_write_round(rec, &usual_loop, 0);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++)
		loop_write_copy(rec, &usual_loop, 1 + i % 2, 10000 + 1000 * i, i + 1);
	tree = loop_model(rec);
	/* Both directions at once. */
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.actions.0", "same-stream");
	assert_size(tree, "program.processes", 1);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++)
		loop_write_copy(rec, &usual_loop, 1, 10000 + 1000 * i, i + 1);
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++) {
		struct loop loop = usual_loop;

		loop.stream = 13 + i % 2;
		loop.start = 10000 - 1500 * i - 500 * (i % 2);
		loop_write_round(rec, &loop, i);
	}
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_same_stream),
		scratch_test(test_pageable),
		scratch_test(test_default_stream_by_number),
		scratch_test(test_default_stream_by_context),
		scratch_test(test_synchronous_call),
		scratch_test(test_nothing_in_the_way),
		scratch_test(test_numbered_steps),
		scratch_test(test_advice),
		scratch_test(test_waiting_host),
		scratch_test(test_gain_of_a_group),
		scratch_test(test_dependency),
		scratch_test(test_nothing_to_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
