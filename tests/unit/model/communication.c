/* communication.c: communication between GPUs: what counts as such, and how much of it runs beside computation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/communicates.h"
#include "fixtures/model-fixture.h"
#include "fixtures/noise.h"
#include "fixtures/tier.h"
#include "model/trace/comm/comm.h"
#include "tree/tree.h"

static void test_names(void **state)
{
	static const char *const communicate[] = {
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)",
		"ncclKernel_Broadcast_RING_LL_Sum_int8_t", "void nvshmemi_proxy<int>(long)", "nvshmem_put_signal"};
	static const char *const compute[] = {
		"gemm", "xnccl", "my_ncclDevKernel", "", "void gemm<float>(ncclUniqueId)"};

	(void)state;
	for (size_t i = 0; i < sizeof(communicate) / sizeof(*communicate); i++)
		assert_true(kernel_communicates(communicate[i]));
	for (size_t i = 0; i < sizeof(compute) / sizeof(*compute); i++)
		assert_false(kernel_communicates(compute[i]));
	assert_false(kernel_communicates(NULL));
}

static const json_t *communication_of(const json_t *tree)
{
	return json_object_get(
		json_object_get(json_array_get(json_object_get(tree, "recordings"), 0), "program"), "communication");
}

static void assert_entry(
	const json_t *communication, const char *list, size_t i, double count, double busy, double beside)
{
	const json_t *entry = json_array_get(json_object_get(communication, list), i);

	assert_true(tree_real(entry, "count") == count);
	assert_true(tree_real(entry, "busy_ns") == busy);
	assert_true(tree_real(entry, "beside_ns") == beside);
	assert_true(tree_real(entry, "alone_ns") == busy - beside);
}

/* Ranges in each other have what is launched in the inner one; of one name in itself, once. */
static void test_ranges(void **state)
{
	static const char *const rows[] = {"NVTX start=0 end=100000 eventType=59 globalTid=16777217 text=step",
		"NVTX start=10 end=50 eventType=59 globalTid=16777217 text=backward",
		"NVTX start=15 end=40 eventType=59 globalTid=16777217 text=step",
		"NVTX start=16 end=17 eventType=60 globalTid=16777217 text=apart",
		"RUNTIME start=20 end=25 globalTid=16777217 correlationId=1 nameId=cudaLaunchKernel",
		"RUNTIME start=60 end=65 globalTid=16777217 correlationId=2 nameId=cudaLaunchKernel",
		"RUNTIME start=80 end=85 globalTid=16777217 correlationId=3 nameId=cudaMemcpyPeerAsync",
		("KERNEL start=1000 end=3000 deviceId=0 streamId=13 correlationId=1 globalPid=16777216 "
		 "shortName=ncclDevKernel_AllReduce"),
		"KERNEL start=2000 end=7000 deviceId=0 streamId=7 correlationId=2 globalPid=16777216 shortName=gemm",
		("MEMCPY start=9000 end=9500 deviceId=0 streamId=7 copyKind=10 bytes=100 correlationId=3 "
		 "globalPid=16777216"),
		"KERNEL start=6000 end=9200 deviceId=1 streamId=7 globalPid=16777216 shortName=gemm", NULL};
	struct recording *rec = fixture_begin("ranges.sqlite");
	const json_t *communication;
	json_t *tree;

	(void)state;
	fixture_lines(rec, rows);
	fixture_end(rec);
	tree = fixture_model("ranges.sqlite");
	communication = communication_of(tree);
	assert_int_equal(json_array_size(json_object_get(communication, "ranges")), 2);
	assert_string_equal(tree_text(json_array_get(json_object_get(communication, "ranges"), 0), "name"), "step");
	assert_entry(communication, "ranges", 0, 2, 2500, 1000);
	assert_entry(communication, "ranges", 1, 1, 2000, 1000);
	assert_entry(communication, "collectives", 0, 1, 2000, 1000);
	assert_entry(communication, "collectives", 1, 1, 500, 0);
	assert_int_equal(json_array_size(json_object_get(communication, "gpus")), 1);
	assert_entry(communication, "gpus", 0, 2, 2500, 1000);
	assert_true(tree_real(json_array_get(json_object_get(communication, "gpus"), 0), "gain_high_ns") == 1500);
	json_decref(tree);
}

static void test_none(void **state)
{
	static const char *const rows[] = {
		"KERNEL start=2000 end=7000 deviceId=0 streamId=7 globalPid=16777216 shortName=gemm", NULL};
	struct recording *rec = fixture_begin("none.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, rows);
	fixture_end(rec);
	tree = fixture_model("none.sqlite");
	assert_true(json_is_null(communication_of(tree)));
	json_decref(tree);
}

/* ---- random work, against a count of every ns ---- */

enum { LENGTH = 400, PIECES = 40, NAMES = 24 };

struct ticks {
	bool computes[LENGTH], communicates[NAMES][LENGTH];
};

static struct random noise = {7};

/* Below `n`. */
static int pick(int n)
{
	return (int)(random_uniform(&noise) * n);
}

static void random_piece(struct recording *rec, struct ticks *ticks)
{
	int start = pick(LENGTH - 50), length = 1 + pick(49), name = pick(NAMES);
	bool computes = pick(2) == 0;

	if (computes)
		fixture_row(rec, "KERNEL start=%d end=%d deviceId=0 streamId=7 shortName=k%d", start + 1,
			start + 1 + length, name);
	else
		fixture_row(rec, "KERNEL start=%d end=%d deviceId=0 streamId=8 shortName=nccl%d", start + 1,
			start + 1 + length, name);
	for (int t = start; t < start + length; t++)
		*(computes ? &ticks->computes[t] : &ticks->communicates[name][t]) = true;
}

static void assert_counted(const json_t *communication, const struct ticks *ticks)
{
	double busy = 0, beside = 0;
	const json_t *gpu = json_array_get(json_object_get(communication, "gpus"), 0);

	for (int t = 0; t < LENGTH; t++) {
		bool any = false;

		for (int name = 0; name < NAMES; name++)
			any = any || ticks->communicates[name][t];
		busy += any;
		beside += any && ticks->computes[t];
	}
	assert_true(tree_real(gpu, "busy_ns") == busy);
	assert_true(tree_real(gpu, "beside_ns") == beside);
	for (size_t i = 0; i < json_array_size(json_object_get(communication, "collectives")); i++) {
		const json_t *entry = json_array_get(json_object_get(communication, "collectives"), i);
		int name = atoi(tree_text(entry, "name") + strlen("nccl"));

		busy = beside = 0;
		for (int t = 0; t < LENGTH; t++) {
			busy += ticks->communicates[name][t];
			beside += ticks->communicates[name][t] && ticks->computes[t];
		}
		assert_true(tree_real(entry, "busy_ns") == busy);
		assert_true(tree_real(entry, "beside_ns") == beside);
	}
}

static void test_random(void **state)
{
	(void)state;
	for (int round = 0; round < all_or(30, 10); round++) {
		struct ticks *ticks = calloc(1, sizeof(*ticks));
		struct recording *rec = fixture_begin("random.sqlite");
		json_t *tree;

		assert_non_null(ticks);
		for (int i = 0; i < PIECES; i++)
			random_piece(rec, ticks);
		fixture_row(rec, "KERNEL start=%d end=%d deviceId=0 streamId=8 shortName=nccl0", LENGTH, LENGTH + 1);
		ticks->communicates[0][LENGTH - 1] = true;
		fixture_end(rec);
		tree = fixture_model("random.sqlite");
		assert_counted(communication_of(tree), ticks);
		json_decref(tree);
		free(ticks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_names),
		scratch_test(test_ranges),
		scratch_test(test_none),
		scratch_test(test_random),
	};

	return cmocka_run_group_tests_name("communication", tests, NULL, NULL);
}
