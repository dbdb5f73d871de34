/* pays.c: program.pays and program.processes from recordings made up here, and from a real program traced by
 * Nsight Systems that does the same with one buffer and with two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "fixtures/model-fixture.h"

/* Process 1, its threads 1 and 2; process 2. */
#define PROCESS "16777216"
#define THREAD "16777217"
#define OTHER_PROCESS "33554432"
#define OTHER_THREAD "33554433"

/* A loop of copy in, kernel, copy out in one process. */
struct loop {
	const char *process, *thread, *call, *memory;
	int stream, device, first; /* correlation id */
	int start;                 /* of the first copy (ns); asked for 900 earlier */
	int length;                /* of each piece of work (ns) */
};

static const struct loop usual = {PROCESS, THREAD, "cudaMemcpyAsync_v3020", "1", 13, 0, 1, 10000, 1000};

static void write_call(struct recording *rec, const struct loop *loop, const char *name, int start, int id)
{
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=%s correlationId=%d nameId=%s returnValue=0", start,
		start + 5, loop->thread, id, name);
}

static void write_copy(struct recording *rec, const struct loop *loop, int kind, int start, int id)
{
	fixture_row(rec,
		"MEMCPY start=%d end=%d deviceId=%d contextId=1 streamId=%d correlationId=%d globalPid=%s bytes=4096 "
		"copyKind=%d srcKind=%s dstKind=%s",
		start, start + loop->length, loop->device, loop->stream, id, loop->process, kind,
		kind == 1 ? loop->memory : "2", kind == 1 ? "2" : loop->memory);
}

/* Everything is asked for before it could run, 10 ns apart. */
static void write_round(struct recording *rec, const struct loop *loop, int i)
{
	int start = loop->start + 3 * loop->length * i, id = loop->first + 3 * i, asked = loop->start - 900 + 30 * i;

	write_copy(rec, loop, 1, start, id);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=%d contextId=1 streamId=%d correlationId=%d globalPid=%s "
		"shortName=work demangledName=work",
		start + loop->length, start + 2 * loop->length, loop->device, loop->stream, id + 1, loop->process);
	write_copy(rec, loop, 2, start + 2 * loop->length, id + 2);
	write_call(rec, loop, loop->call, asked, id);
	write_call(rec, loop, "cudaLaunchKernel_v7000", asked + 10, id + 1);
	write_call(rec, loop, loop->call, asked + 20, id + 2);
}

static void write_loop(struct recording *rec, const struct loop *loop, int rounds)
{
	for (int i = 0; i < rounds; i++)
		write_round(rec, loop, i);
}

static void write_range(struct recording *rec, const char *text, int start, int end)
{
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=\"%s\" globalTid=" THREAD, start, end, text);
}

static json_t *model_of(struct recording *rec)
{
	fixture_end(rec);
	return fixture_model("a.sqlite");
}

/* Ten rounds of 3000 ns: with two streams a round takes 1500, and the copies slow each other down for a part of it. */
static void test_same_stream(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;
	double gain;

	(void)state;
	write_loop(rec, &usual, 10);
	tree = model_of(rec);
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

static void assert_reason(struct recording *rec, const char *reason, size_t also)
{
	json_t *tree = model_of(rec);

	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", reason);
	assert_size(tree, "program.pays.0.copies.0.also", also);
	assert_true(strlen(json_string_value(at(tree, "program.pays.0.advice"))) > 0);
	json_decref(tree);
}

static void test_pageable(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual;

	(void)state;
	loop.memory = "0";
	write_loop(rec, &loop, 5);
	assert_reason(rec, "pageable", 1);
}

/* Ten rounds of a kernel with a migration before it and one behind it. */
static void write_managed_loop(struct recording *rec)
{
	for (int i = 0; i < 10; i++) {
		int start = 10000 + 3000 * i;

		fixture_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 contextId=1 streamId=7 globalPid=" PROCESS
			" bytes=4096 copyKind=11 srcKind=3 dstKind=3",
			start, start + 1000);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=7 correlationId=%d globalPid=" PROCESS
			" shortName=work demangledName=work",
			start + 1000, start + 2000, i + 1);
		fixture_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 contextId=1 streamId=7 globalPid=" PROCESS
			" bytes=4096 copyKind=12 srcKind=3 dstKind=3",
			start + 2000, start + 3000);
	}
}

/* Nobody asked for a migration, so nothing that was asked for is in its way. */
static void test_managed_memory(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");

	(void)state;
	write_managed_loop(rec);
	assert_reason(rec, "managed", 0);
}

static void write_launches(struct recording *rec)
{
	for (int i = 0; i < 10; i++)
		write_call(rec, &usual, "cudaLaunchKernel_v7000", 9000 + 3000 * i, i + 1);
}

/* Where calls are known, a migration belongs to the launch of the kernel that it runs beside or before: the last one to
 * none. The replay does not know it. */
static void test_managed_memory_with_calls(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	write_managed_loop(rec);
	write_launches(rec);
	/* What a kernel itself touches migrates while it runs. */
	for (int i = 0; i < 10; i++)
		fixture_row(rec,
			"MEMCPY start=%d end=%d deviceId=0 contextId=1 streamId=7 globalPid=" PROCESS
			" bytes=4096 copyKind=11 srcKind=3 dstKind=3",
			11200 + 3000 * i, 11400 + 3000 * i);
	tree = model_of(rec);
	assert_size(tree, "program.pays", 0);
	assert_size(tree, "program.other_loops", 1);
	assert_integer(tree, "program.other_loops.0.managed.count", 29);
	assert_integer(tree, "program.other_loops.0.managed.bytes", 29 * 4096);
	assert_integer(tree, "program.other_loops.0.managed.copy_ns", 19 * 1000 + 10 * 200);
	assert_integer(tree, "program.other_loops.0.managed.lost_ns", 19 * 1000);
	assert_true_at(tree, "program.other_loops.0.managed.matters");
	/* The loop takes 30 us from its first call, migrations in take 12 of these and kernels 10. */
	assert_integer(tree, "program.other_loops.0.loop_ns", 30000);
	assert_integer(tree, "program.other_loops.0.managed.gain_most_ns", 30000 - 12000);
	assert_null(json_object_get(at(tree, "program.other_loops.0"), "gain_ns"));
	assert_text(tree, "program.no_gain.id", "managed");
	assert_non_null(strstr(json_string_value(at(tree, "program.answer")), "Managed memory migrates for 19.0"));
	assert_integer(tree, "program.outside.copies", 1);
	assert_integer(tree, "program.outside.bytes", 4096);
	assert_integer(tree, "program.outside.copy_ns", 1000);
	json_decref(tree);
}

/* Beside copies of the program's own, which a replay frees, migrations are a group without a gain. Their time is no
 * gain of others: the rest of the loop takes 11.9 us, of which kernels run for 10. */
static void test_managed_memory_beside_copies(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop copies = usual;
	json_t *tree;

	(void)state;
	copies.length = 400;
	copies.stream = 14;
	write_managed_loop(rec);
	write_launches(rec);
	for (int i = 0; i < 10; i++) {
		write_copy(rec, &copies, 1, 9500 + 3000 * i, 100 + i);
		write_call(rec, &copies, "cudaMemcpyAsync_v3020", 8900 + 3000 * i, 100 + i);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaDeviceSynchronize_v3020 returnValue=0",
			9010 + 3000 * i, 11890 + 3000 * i, 200 + i);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "managed");
	assert_text(tree, "program.pays.0.copies.0.actions.0", "managed");
	assert_null_at(tree, "program.pays.0.copies.0.gain_ns");
	assert_integer(tree, "program.pays.0.copies.0.lost_ns", 10000);
	assert_integer(tree, "program.pays.0.managed.lost_ns", 19 * 1000);
	assert_integer(tree, "program.pays.0.loop_ns", 30100);
	assert_true(json_integer_value(at(tree, "program.pays.0.gain_ns")) <= 30100 - 19000 - 10000);
	json_decref(tree);
}

static void test_default_stream_by_number(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual;

	(void)state;
	loop.stream = 7;
	write_loop(rec, &loop, 5);
	assert_reason(rec, "default-stream", 0);
}

/* What the context says goes before the number. */
static void test_default_stream_by_context(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual;

	(void)state;
	fixture_row(rec, "CONTEXT nullStreamId=13 processId=1 deviceId=0 contextId=1");
	write_loop(rec, &loop, 5);
	assert_reason(rec, "default-stream", 0);
	rec = fixture_begin("a.sqlite");
	loop.stream = 7;
	fixture_row(rec, "CONTEXT nullStreamId=13 processId=1 deviceId=0 contextId=1");
	write_loop(rec, &loop, 5);
	assert_reason(rec, "same-stream", 0);
}

static void test_synchronous_call(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual;

	(void)state;
	loop.call = "cuMemcpyHtoD_v2";
	write_loop(rec, &loop, 5);
	assert_reason(rec, "synchronous", 1);
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
	struct loop loop = usual;

	loop.length = 5000;
	for (int i = 0; i < n; i++) {
		char name[16];

		snprintf(name, sizeof(name), "step %d", i);
		write_loop(rec, &loop, 4);
		write_range(rec, name, loop.start - 950, loop.start - 750);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaDeviceSynchronize_v3020 returnValue=0",
			loop.start - 760, loop.start + 60000, 10000 + i);
		loop.start += 62000;
		loop.first += 12;
	}
	return model_of(rec);
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
	struct loop loop = usual;
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	loop.call = "cuMemcpyHtoD_v2";
	write_loop(rec, &loop, 5);
	tree = model_of(rec);
	assert_non_null(strstr(json_string_value(at(tree, "program.pays.0.advice")), async));
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	write_loop(rec, &usual, 2);
	fixture_row(rec,
		"RUNTIME start=%d end=%d globalTid=" THREAD
		" correlationId=1000 nameId=cudaDeviceSynchronize_v3020 returnValue=0",
		usual.start - 800, usual.start + 6 * usual.length + 10);
	loop = usual;
	loop.start += 6 * loop.length + 1000;
	loop.first = 100;
	write_loop(rec, &loop, 3);
	tree = model_of(rec);
	assert_ptr_equal(strstr(json_string_value(at(tree, "program.pays.0.advice")), async), NULL);
	assert_memory_equal(json_string_value(at(tree, "program.pays.0.advice")), first, strlen(first));
	json_decref(tree);
}

/* The host waits in each round, works for a moment, and only then asks for the next one. */
static void test_waiting_host(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop loop = usual;
	json_t *tree;

	(void)state;
	loop.length = 100000;
	for (int i = 0; i < 10; i++) {
		loop.start = 10000 + 320000 * i;
		loop.first = 1 + 3 * i;
		write_round(rec, &loop, 0);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaStreamSynchronize_v3020 returnValue=0",
			loop.start - 860, loop.start + 310000, 1000 + i);
	}
	tree = model_of(rec);
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
	struct loop loop = usual;
	json_t *tree;

	(void)state;
	loop.length = 100000;
	for (int i = 0; i < 10; i++) {
		int start = 10000 + 220000 * i, id = 1 + 3 * i;

		write_copy(rec, &loop, 1, start, id);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			start + loop.length, start + 2 * loop.length, id + 1);
		write_call(rec, &loop, loop.call, start - 900, id);
		write_call(rec, &loop, "cudaLaunchKernel_v7000", start - 890, id + 1);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaStreamSynchronize_v3020 returnValue=0",
			start - 880, start + 210000, id + 2);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "synchronous");
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 800000, 1200000);
	assert_int_equal(json_integer_value(at(tree, "program.pays.0.copies.0.gain_ns")),
		json_integer_value(at(tree, "program.pays.0.gain_ns")));
	assert_integer(tree, "program.pays.0.gain_rest_ns", 0);
	json_decref(tree);
}

/* A round of copy in and kernel; a call `name` takes up to `end` behind it, and another one begins 200 before the next
 * round. */
static void write_memory_round(struct recording *rec, int i, const char *name, int end, const char *other)
{
	struct loop loop = usual;
	int start = 10000 + 220000 * i, id = 1 + 4 * i;

	loop.length = 100000;
	write_copy(rec, &loop, 1, start, id);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=work",
		start + loop.length, start + 2 * loop.length, id + 1);
	write_call(rec, &loop, loop.call, start - 900, id);
	write_call(rec, &loop, "cudaLaunchKernel_v7000", start - 890, id + 1);
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=%s returnValue=0",
		start - 880, start + end, id + 2, name);
	write_call(rec, &loop, other, start + 219000 - 200, id + 3);
}

static bool has_action(const json_t *pay, const char *name)
{
	const json_t *actions = json_object_get(pay, "actions"), *action;
	size_t i;

	json_array_foreach(actions, i, action)
	{
		if (strcmp(json_string_value(action), name) == 0)
			return true;
	}
	return false;
}

/* cudaFree() waits for the device in each round: the gain is there if memory is made once before the loop. */
static void test_memory_in_each_round(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++)
		write_memory_round(rec, i, "cudaFree_v3020", 210000, "cudaMalloc_v3020");
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 800000, 1200000);
	assert_size(tree, "program.pays.0.memory.calls", 2);
	assert_text(tree, "program.pays.0.memory.calls.0.name", "cudaFree");
	assert_text(tree, "program.pays.0.memory.calls.1.name", "cudaMalloc");
	assert_in_range(json_integer_value(at(tree, "program.pays.0.memory.calls.0.count")), 9, 10);
	assert_integer(tree, "program.pays.0.memory.buffers", 2);
	/* While the rounds free, they take as long as they do. */
	assert_int_equal(json_integer_value(at(tree, "program.pays.0.memory.gain_ns")),
		json_integer_value(at(tree, "program.pays.0.gain_ns")));
	assert_true(has_action(at(tree, "program.pays.0"), "memory"));
	json_decref(tree);
}

/* A call behind a wait frees nothing that is in use, but it would wait for the rounds that the wait leaves. */
static void test_memory_behind_a_wait(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++)
		write_memory_round(rec, i, "cudaStreamSynchronize_v3020", 210000, "cudaFreeHost_v3020");
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.memory.calls.0.name", "cudaFreeHost");
	assert_true(has_action(at(tree, "program.pays.0"), "memory"));
	json_decref(tree);
}

/* Nothing depends on calls that only allocate, or free without a wait. */
static void test_memory_that_does_not_matter(void **state)
{
	static const char *const calls[] = {"cudaMalloc_v3020", "cudaFreeAsync_v11020"};

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		struct recording *rec = fixture_begin("a.sqlite");
		json_t *tree;

		for (int i = 0; i < 10; i++)
			write_memory_round(rec, i, "cudaStreamSynchronize_v3020", 210000, calls[c]);
		tree = model_of(rec);
		assert_size(tree, "program.pays", 1);
		assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 800000, 1200000);
		assert_null_at(tree, "program.pays.0.memory");
		assert_false(has_action(at(tree, "program.pays.0"), "memory"));
		json_decref(tree);
	}
}

/* A caching allocator frees in few rounds: these calls stay, as the waits that they are. */
static void test_memory_in_some_rounds(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 40; i++)
		write_memory_round(rec, i, "cudaStreamSynchronize_v3020", 210000,
			i % 4 == 3 ? "cudaFree_v3020" : "cudaFuncGetAttributes_v9000");
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_null_at(tree, "program.pays.0.memory");
	/* Four rounds take 500 us in place of 880: the last of them waits for all. */
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 3400000, 3800000);
	json_decref(tree);
}

/* Kernel and copies in two streams, an event from the kernel's to the copies'. Of the event's rows `event` are known,
 * and `sync` numbers, which tell records apart. */
static void write_event_loop(struct recording *rec, bool event, bool sync)
{
	struct loop slow = usual;

	/* So long that what lies between two kernels is no latency. */
	slow.length = 100000;
	for (int i = 0; i < 6; i++) {
		int start = 10000 + 2 * slow.length * i, asked = 9000 + 30 * i, id = 1 + 4 * i;
		char ids[64] = "";

		if (event)
			snprintf(ids, sizeof ids, " eventId=3");
		if (sync)
			snprintf(ids + strlen(ids), sizeof ids - strlen(ids), " eventSyncId=%d", i + 100);
		write_copy(rec, &slow, 1, start, id);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=14 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			start + slow.length, start + 2 * slow.length, id + 1);
		write_call(rec, &usual, "cudaMemcpyAsync_v3020", asked, id);
		write_call(rec, &usual, "cudaLaunchKernel_v7000", asked + 10, id + 1);
		write_call(rec, &usual, "cudaEventRecord_v3020", asked + 16, id + 2);
		write_call(rec, &usual, "cudaStreamWaitEvent_v3020", asked + 22, id + 3);
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
	assert_reason(rec, "dependency", 0);
	rec = fixture_begin("a.sqlite");
	write_event_loop(rec, true, false);
	assert_reason(rec, "dependency", 0);
	rec = fixture_begin("a.sqlite");
	write_event_loop(rec, false, false);
	assert_reason(rec, "dependency", 0);
}

/* Each step has a range of its own name, each copy one inside: the loop's range tells it. */
static void test_nested_ranges(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	char step[16];
	json_t *tree;

	(void)state;
	write_loop(rec, &usual, 8);
	write_range(rec, "main", 0, 90000);
	write_range(rec, "loop", 9000, 9500);
	for (int i = 0; i < 8; i++) {
		snprintf(step, sizeof step, "step %d", i);
		write_range(rec, step, 9100 + 30 * i, 9128 + 30 * i);
		write_range(rec, "copy", 9100 + 30 * i, 9105 + 30 * i);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.range", "loop");
	assert_text(tree, "program.pays.0.within", "main");
	assert_integer(tree, "program.pays.0.count", 1);
	assert_integer(tree, "program.pays.0.iterations", 8);
	json_decref(tree);
	/* Steps of one name are a loop as well, and stand inside. */
	rec = fixture_begin("a.sqlite");
	write_loop(rec, &usual, 8);
	write_range(rec, "main", 0, 90000);
	for (int i = 0; i < 8; i++)
		write_range(rec, "step", 9100 + 30 * i, 9128 + 30 * i);
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.range", "step");
	assert_integer(tree, "program.pays.0.count", 8);
	json_decref(tree);
}

/* The larger gain first; each process and GPU by itself. */
static void test_ranking(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct loop other = usual, third = usual;
	json_t *tree;

	(void)state;
	other.process = OTHER_PROCESS;
	other.thread = OTHER_THREAD;
	other.start = 200000;
	third.device = 1;
	third.first = 500;
	third.start = 400000;
	write_loop(rec, &usual, 5);
	write_loop(rec, &other, 20);
	write_loop(rec, &third, 10);
	tree = model_of(rec);
	assert_size(tree, "program.pays", 3);
	assert_integer(tree, "program.pays.0.process", 2);
	assert_integer(tree, "program.pays.1.device", 1);
	assert_integer(tree, "program.pays.2.iterations", 5);
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
		struct loop loop = usual;
		char process[24], thread[24];

		snprintf(process, sizeof(process), "%d", (i + 1) << 24);
		snprintf(thread, sizeof(thread), "%d", ((i + 1) << 24) + 1);
		loop.process = process;
		loop.thread = thread;
		loop.start = 10000 + 100000 * (N - i);
		write_loop(rec, &loop, 10);
	}
	tree = model_of(rec);
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

		write_copy(rec, &usual, 1, start, id);
		write_call(rec, &usual, usual.call, asked, id);
		for (int k = 1; k < 3; k++) {
			fixture_row(rec,
				"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d "
				"globalPid=" PROCESS " shortName=work%d demangledName=work%d",
				start + 1000 * k, start + 1000 * (k + 1), id + k, k, k);
			write_call(rec, &usual, "cudaLaunchKernel_v7000", asked + 10 * k, id + k);
		}
		write_copy(rec, &usual, 2, start + 3000, id + 3);
		write_call(rec, &usual, usual.call, asked + 30, id + 3);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	assert_text(tree, "program.pays.0.actions.0", "copy-streams");
	assert_text(tree, "program.pays.0.copies.0.actions.0", "copy-streams");
	json_decref(tree);
}

/* Kernel `work`, of 1000 ns in the usual stream, that a thread asks for. */
static void write_launch(struct recording *rec, const char *thread, const char *work, int asked, int start, int id)
{
	struct loop of = usual;

	of.thread = thread;
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=%s demangledName=%s",
		start, start + 1000, id, work, work);
	write_call(rec, &of, "cudaLaunchKernel_v7000", asked, id);
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
		write_copy(rec, &usual, 1, start, id + 6);
		write_call(rec, &usual, usual.call, asked, id + 6);
		write_launch(rec, THREAD, "forward", asked + 20, start + 1000, id + 7);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_number(tree, "program.pays.0.threads", 2);
	assert_number(tree, "program.pays.0.iterations", 10);
	json_decref(tree);
}

/* Nothing to overlap, nothing to list: one round, copies of one direction, and a loop in two streams. */
static void test_nothing_to_list(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	write_round(rec, &usual, 0);
	tree = model_of(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++)
		write_copy(rec, &usual, 1 + i % 2, 10000 + 1000 * i, i + 1);
	tree = model_of(rec);
	/* Both directions at once. */
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.actions.0", "same-stream");
	assert_size(tree, "program.processes", 1);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++)
		write_copy(rec, &usual, 1, 10000 + 1000 * i, i + 1);
	tree = model_of(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	rec = fixture_begin("a.sqlite");
	for (int i = 0; i < 8; i++) {
		struct loop loop = usual;

		loop.stream = 13 + i % 2;
		loop.start = 10000 - 1500 * i - 500 * (i % 2);
		write_round(rec, &loop, i);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
}

/* Without API calls there is less to tell, but as much to gain. */
static void test_without_calls(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 6; i++) {
		write_copy(rec, &usual, 1, 10000 + 2000 * i, 2 * i);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 streamId=13 correlationId=%d globalPid=" PROCESS
			" shortName=work",
			11000 + 2000 * i, 12000 + 2000 * i, 2 * i + 1);
	}
	tree = model_of(rec);
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	assert_null_at(tree, "program.pays.0.copies.0.call");
	assert_integer(tree, "program.pays.0.gain_ns", 5000);
	json_decref(tree);
}

/* ---- processes ---- */

/* There are calls, but the work does not say which are its own: it is as if there were none. */
static void test_without_correlations(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++) {
		write_copy(rec, &usual, 1, 10000 + 3000 * i, 0);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=0 globalPid=" PROCESS
			" shortName=work",
			11000 + 3000 * i, 12000 + 3000 * i);
		write_copy(rec, &usual, 2, 12000 + 3000 * i, 0);
		write_call(rec, &usual, usual.call, 9100 + 30 * i, 1 + i);
		write_call(rec, &usual, "cudaStreamQuery_v3020", 9110 + 30 * i, 100 + i);
	}
	tree = model_of(rec);
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
	write_loop(rec, &usual, 2);
	fixture_lines(rec, lines);
	tree = model_of(rec);
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
	struct loop other = usual;
	json_t *tree;

	(void)state;
	other.process = OTHER_PROCESS;
	other.thread = OTHER_THREAD;
	write_loop(rec, &other, 3);
	write_loop(rec, &usual, 2);
	fixture_row(rec, "PROCESS globalPid=" OTHER_PROCESS " pid=2 name=two");
	fixture_row(rec, "PROCESS globalPid=50331648 pid=3 name=idle");
	tree = model_of(rec);
	assert_size(tree, "program.processes", 2);
	assert_integer(tree, "program.processes.0.pid", 1);
	assert_null_at(tree, "program.processes.0.name");
	assert_null_at(tree, "program.processes.0.finished");
	assert_text(tree, "program.processes.1.name", "two");
	assert_integer(tree, "program.processes.1.gpus.0.busy_ns.h2d", 3000);
	json_decref(tree);
}

/* ---- a real program, first with one stream, then with two, for each chunk size ---- */

static int64_t number(sqlite3 *db, const char *sql, int64_t chunk)
{
	sqlite3_stmt *row;
	int64_t value;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	sqlite3_bind_int64(row, 1, chunk);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return value;
}

static void unpack(void)
{
	const char *source = getenv("srcdir");
	char command[4096];

	snprintf(command, sizeof command, "xz -dc '%s/tests/data/nsys-h100-chunked-vadd.sqlite.xz' > '%s'",
		source ? source : ".", in_scratch("a.sqlite"));
	assert_int_equal(system(command), 0);
}

/* Leaves of the export what began in [from, to). */
static void keep(int64_t from, int64_t to)
{
	static const char *const tables[] = {"KERNEL", "MEMCPY"};
	char sql[256];
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_scratch("a.sqlite"), &db), SQLITE_OK);
	for (size_t i = 0; i < 2; i++) {
		snprintf(sql, sizeof sql, "DELETE FROM CUPTI_ACTIVITY_KIND_%s WHERE start < %lld OR start >= %lld",
			tables[i], (long long)from, (long long)to);
		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	}
	sqlite3_close(db);
}

/* When copies of a size began: with one stream, with two, and when they ended. */
static void find_parts(int64_t chunk, int64_t *one, int64_t *two, int64_t *end)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_scratch("a.sqlite"), &db), SQLITE_OK);
	*one = number(db, "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ?", chunk);
	*two = number(db, "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ? AND streamId = 14", chunk);
	*end = number(db, "SELECT max(end) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ?", chunk);
	/* Where the tables tell it, the default stream has the number that is assumed without them. */
	assert_int_equal(number(db, "SELECT nullStreamId FROM TARGET_INFO_CUDA_CONTEXT_INFO", 0), 7);
	/* The part with two streams begins with a copy in the other one. */
	*two = number(db, "SELECT max(end) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE end <= ?", *two - 10000);
	sqlite3_close(db);
}

/* Estimated from the part with one stream, gained by the part with two: to the share `off` of what was gained. */
static void check_chunk(int64_t chunk, double off)
{
	int64_t one, two, end;
	double gain, span, gained;
	json_t *tree;

	unpack();
	find_parts(chunk, &one, &two, &end);
	keep(one, two);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	gain = json_number_value(at(tree, "program.pays.0.gain_ns"));
	span = json_number_value(at(tree, "program.pays.0.span_ns"));
	json_decref(tree);
	unpack();
	keep(two, end);
	tree = fixture_model("a.sqlite");
	gained = span - json_number_value(at(tree, "gpus.0.span_ns"));
	/* It is double-buffered. */
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	print_message("%lld bytes: %.1f ms, estimated gain %.1f ms, achieved %.1f ms\n", (long long)chunk, span / 1e6,
		gain / 1e6, gained / 1e6);
	assert_near(gain, gained, off * gained);
}

static void test_real_program(void **state)
{
	(void)state;
	check_chunk(262144, 0.4);
	check_chunk(1048576, 0.12);
	check_chunk(4194304, 0.05);
	check_chunk(16777216, 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_same_stream),
		scratch_test(test_pageable),
		scratch_test(test_managed_memory),
		scratch_test(test_managed_memory_with_calls),
		scratch_test(test_managed_memory_beside_copies),
		scratch_test(test_default_stream_by_number),
		scratch_test(test_default_stream_by_context),
		scratch_test(test_synchronous_call),
		scratch_test(test_advice),
		scratch_test(test_nothing_in_the_way),
		scratch_test(test_numbered_steps),
		scratch_test(test_waiting_host),
		scratch_test(test_gain_of_a_group),
		scratch_test(test_memory_in_each_round),
		scratch_test(test_memory_behind_a_wait),
		scratch_test(test_memory_that_does_not_matter),
		scratch_test(test_memory_in_some_rounds),
		scratch_test(test_dependency),
		scratch_test(test_nested_ranges),
		scratch_test(test_ranking),
		scratch_test(test_ties),
		scratch_test(test_several_kernels),
		scratch_test(test_short_loop_beside),
		scratch_test(test_nothing_to_list),
		scratch_test(test_without_calls),
		scratch_test(test_without_correlations),
		scratch_test(test_traced_processes),
		scratch_test(test_processes_of_work),
		scratch_test(test_real_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
