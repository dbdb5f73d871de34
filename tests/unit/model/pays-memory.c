/* pays-memory.c: what program.pays says of loops with managed memory, and of those that take memory in each round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/loop-fixture.h"

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
	assert_loop_reason(rec, "managed", 0);
}

static void write_launches(struct recording *rec)
{
	for (int i = 0; i < 10; i++)
		loop_write_call(rec, &usual_loop, "cudaLaunchKernel_v7000", 9000 + 3000 * i, i + 1);
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
	tree = loop_model(rec);
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
	struct loop copies = usual_loop;
	json_t *tree;

	(void)state;
	copies.length = 400;
	copies.stream = 14;
	write_managed_loop(rec);
	write_launches(rec);
	for (int i = 0; i < 10; i++) {
		loop_write_copy(rec, &copies, 1, 9500 + 3000 * i, 100 + i);
		loop_write_call(rec, &copies, "cudaMemcpyAsync_v3020", 8900 + 3000 * i, 100 + i);
		fixture_row(rec,
			"RUNTIME start=%d end=%d globalTid=" THREAD
			" correlationId=%d nameId=cudaDeviceSynchronize_v3020 returnValue=0",
			9010 + 3000 * i, 11890 + 3000 * i, 200 + i);
	}
	tree = loop_model(rec);
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

/* A round of copy in and kernel; a call `name` takes up to `end` behind it, and another one begins 200 before the next
 * round. */
static void write_memory_round(struct recording *rec, int i, const char *name, int end, const char *other)
{
	struct loop loop = usual_loop;
	int start = 10000 + 220000 * i, id = 1 + 4 * i;

	loop.length = 100000;
	loop_write_copy(rec, &loop, 1, start, id);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=work",
		start + loop.length, start + 2 * loop.length, id + 1);
	loop_write_call(rec, &loop, loop.call, start - 900, id);
	loop_write_call(rec, &loop, "cudaLaunchKernel_v7000", start - 890, id + 1);
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=%s returnValue=0",
		start - 880, start + end, id + 2, name);
	loop_write_call(rec, &loop, other, start + 219000 - 200, id + 3);
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
	tree = loop_model(rec);
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
	tree = loop_model(rec);
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
		tree = loop_model(rec);
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
	tree = loop_model(rec);
	assert_size(tree, "program.pays", 1);
	assert_null_at(tree, "program.pays.0.memory");
	/* Four rounds take 500 us in place of 880: the last of them waits for all. */
	assert_in_range(json_integer_value(at(tree, "program.pays.0.gain_ns")), 3400000, 3800000);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_managed_memory),
		scratch_test(test_managed_memory_with_calls),
		scratch_test(test_managed_memory_beside_copies),
		scratch_test(test_memory_in_each_round),
		scratch_test(test_memory_behind_a_wait),
		scratch_test(test_memory_that_does_not_matter),
		scratch_test(test_memory_in_some_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
