/* late.c: program.pays[].host_late, program.other_loops and program.outside, from recordings made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-fixture.h"

#define PROCESS "16777216"
#define THREAD "16777217"

enum { ROUNDS = 20, ROUND = 10000, COPY = 1000, KERNEL = 2000 };

static void late_call(struct recording *rec, const char *name, int start, int end, int id)
{
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=%s returnValue=0", start,
		end, id, name);
}

static void late_copy(struct recording *rec, int start, int length, int id)
{
	fixture_row(rec,
		"MEMCPY start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" bytes=4096 copyKind=1 srcKind=1 dstKind=2",
		start, start + length, id);
}

static void late_kernel(struct recording *rec, int start, int length, int id)
{
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=13 correlationId=%d globalPid=" PROCESS
		" shortName=work demangledName=work",
		start, start + length, id);
}

/* Calls for a copy and a kernel behind it, and waits for both. */
static void late_round(struct recording *rec, int r)
{
	int start = (r + 1) * ROUND, id = 3 * r + 1;

	late_call(rec, "cudaMemcpyAsync_v3020", start, start + 10, id);
	late_copy(rec, start + 50, COPY, id);
	late_call(rec, "cudaLaunchKernel_v7000", start + 20, start + 30, id + 1);
	late_kernel(rec, start + 50 + COPY, KERNEL, id + 1);
	late_call(rec, "cudaStreamSynchronize_v3020", start + 40, start + 50 + COPY + KERNEL + 150, id + 2);
	/* The host loads until 1000 ns before the next round. */
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=load globalTid=" THREAD, start + 4000,
		start + ROUND - 1000);
}

/* The clock of the calls is behind by more than the GPU works: it waits for no longer than the loop takes. */
static void test_late_calls_by_clock(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	double share;
	json_t *tree;

	(void)state;
	for (int r = 0; r < ROUNDS; r++) {
		int start = (r + 1) * ROUND, id = 2 * r + 1;

		late_call(rec, "cudaMemcpyAsync_v3020", start + 9000, start + 9010, id);
		late_copy(rec, start, COPY, id);
		late_call(rec, "cudaLaunchKernel_v7000", start + 9020, start + 9030, id + 1);
		late_kernel(rec, start + COPY, KERNEL, id + 1);
	}
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.pays", 0);
	share = json_number_value(at(tree, "program.other_loops.0.host_late.share"));
	assert_true(share > 0.5 && share < 1);
	json_decref(tree);
}

/* From the end of the kernel to the next call: 150 ns in the wait, then code of its own, 5000 ns of it in a range. */
static void test_late(void **state)
{
	const int late = ROUND - 50 - COPY - KERNEL;
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int r = 0; r < ROUNDS; r++)
		late_round(rec, r);
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.pays", 1);
	assert_integer(tree, "program.pays.0.iterations", ROUNDS);
	/* Behind the last round the host is not late, but for the end of its wait. */
	assert_integer(tree, "program.pays.0.host_late.ns", (ROUNDS - 1) * late + 150);
	assert_text(tree, "program.pays.0.host_late.during.0.kind", "range");
	assert_text(tree, "program.pays.0.host_late.during.0.name", "load");
	assert_integer(tree, "program.pays.0.host_late.during.0.ns", (ROUNDS - 1) * 5000);
	assert_text(tree, "program.pays.0.host_late.during.1.kind", "own");
	assert_text(tree, "program.pays.0.host_late.during.2.kind", "call");
	assert_text(tree, "program.pays.0.host_late.during.2.name", "cudaStreamSynchronize");
	assert_integer(tree, "program.pays.0.host_late.during.2.ns", ROUNDS * 150);
	assert_integer(tree, "program.pays.0.host_late.depth", 1);
	/* The host takes 6950 of 10000, the GPU the rest. */
	assert_integer(tree, "program.pays.0.host_late.workers", 3);
	assert_integer(tree, "program.outside.copies", 0);
	json_decref(tree);
}

/* Copies of 20 ns before kernels of 9900, all asked for ahead: a loop with hardly a gain. A copy before it is in no
 * loop. */
static void test_other_loop(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	late_call(rec, "cudaMemcpyAsync_v3020", 100, 110, 9000);
	late_copy(rec, 150, COPY, 9000);
	for (int r = 0; r < ROUNDS; r++) {
		int start = (r + 1) * ROUND, asked = ROUND - 1000 + 20 * r, id = 3 * r + 1;

		late_call(rec, "cudaMemcpyAsync_v3020", asked, asked + 5, id);
		late_call(rec, "cudaLaunchKernel_v7000", asked + 10, asked + 15, id + 1);
		late_copy(rec, start, 20, id);
		late_kernel(rec, start + 30, 9900, id + 1);
	}
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.pays", 0);
	assert_integer(tree, "program.loops", 1);
	assert_size(tree, "program.other_loops", 1);
	assert_integer(tree, "program.other_loops.0.iterations", ROUNDS);
	assert_true(json_number_value(at(tree, "program.other_loops.0.share")) < 0.02);
	assert_integer(tree, "program.other_loops.0.host_late.ns", 0);
	assert_integer(tree, "program.outside.copies", 1);
	assert_integer(tree, "program.outside.bytes", 4096);
	assert_integer(tree, "program.outside.copy_ns", COPY);
	assert_integer(tree, "program.outside.kernels", 0);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_late),
		scratch_test(test_late_calls_by_clock),
		scratch_test(test_other_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
