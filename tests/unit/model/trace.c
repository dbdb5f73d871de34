/* trace.c: the model of device work: overlap per GPU and range, timelines, programs, bad recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-fixture.h"
#include "model/model.h"
#include "model/trace/index-sort.h"

/* Process 1, its thread 1 and another thread. */
#define PROCESS "16777216"
#define THREAD "16777217"
#define OTHER_THREAD "16777218"

/* Kernel number `i` from `start` to `end` in stream 7, asked for by a call of 10 ns at `call` on `thread`. */
static void write_kernel(struct recording *rec, int i, const char *thread, int call, int start, int end)
{
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 contextId=1 streamId=7 correlationId=%d globalPid=" PROCESS
		" shortName=work demangledName=work mangledName=work",
		start, end, i);
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=%s correlationId=%d nameId=cudaLaunchKernel", call,
		call + 10, thread, i);
}

static void write_range(struct recording *rec, const char *text, int start, int end)
{
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=%s globalTid=" THREAD, start, end, text);
}

/* The numbers stand at the scenario "program", tests/fixtures/recording-scenarios.c. */
static void test_overlap_of_a_range(void **state)
{
	json_t *tree = fixture_scenario("program");

	(void)state;
	assert_size(tree, "ranges", 2);
	assert_text(tree, "ranges.0.name", "load");
	assert_text(tree, "ranges.0.domain", "toy");
	assert_integer(tree, "ranges.0.count", 1);
	assert_size(tree, "ranges.0.gpus", 1);
	assert_text(tree, "ranges.0.gpus.0.name", "Made-up GPU 0");
	assert_integer(tree, "ranges.0.gpus.0.span_ns", 2200);
	assert_integer(tree, "ranges.0.gpus.0.idle_ns", 100);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.h2d", 1000);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.d2h", 800);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 1000);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.other", 100);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.copy", 1800);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.all", 2100);
	assert_integer(tree, "ranges.0.gpus.0.overlap_ns", 800);
	assert_integer(tree, "ranges.0.gpus.0.exposed_copy_ns", 1000);
	assert_integer(tree, "ranges.0.gpus.0.duplex_ns", 0);
	assert_integer(tree, "ranges.0.gpus.0.serial_ns", 2800);
	assert_integer(tree, "ranges.0.gpus.0.hideable_ns", 1800);
	assert_number(tree, "ranges.0.gpus.0.overlap_ratio", 800.0 / 1800);
	assert_number(tree, "ranges.0.gpus.0.concurrency", 700.0 / 1800);
	json_decref(tree);
}

static void test_two_gpus(void **state)
{
	json_t *tree = fixture_scenario("program");

	(void)state;
	assert_text(tree, "ranges.1.name", "compute");
	assert_size(tree, "ranges.1.gpus", 2);
	/* Kernels 5000-6000 and 5500-6500, a copy within the device 6400-6600: no copy that counts. */
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.kernel", 1500);
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.other", 200);
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.copy", 0);
	assert_null_at(tree, "ranges.1.gpus.0.overlap_ratio");
	assert_integer(tree, "ranges.1.gpus.1.device", 1);
	assert_integer(tree, "ranges.1.gpus.1.span_ns", 800);
	assert_integer(tree, "ranges.1.gpus.1.idle_ns", 200);
	assert_size(tree, "gpus", 2);
	assert_integer(tree, "gpus.0.span_ns", 5600);
	assert_integer(tree, "gpus.1.busy_ns.h2d", 400);
	json_decref(tree);
}

static void test_program(void **state)
{
	json_t *tree = fixture_scenario("program");

	(void)state;
	assert_size(tree, "families", 0);
	assert_size(tree, "program.kernels", 1);
	assert_text(tree, "program.kernels.0.name", "work");
	assert_integer(tree, "program.kernels.0.count", 4);
	assert_integer(tree, "program.kernels.0.total_ns", 1000 + 1000 + 1000 + 200);
	assert_number(tree, "program.kernels.0.median_ns", 1000);
	assert_size(tree, "program.copies", 3);
	assert_text(tree, "program.copies.0.kind", "host to device");
	assert_text(tree, "program.copies.0.memory", "pinned");
	assert_integer(tree, "program.copies.0.count", 2);
	assert_integer(tree, "program.copies.0.bytes", 8192);
	assert_integer(tree, "program.copies.0.total_ns", 1400);
	assert_text(tree, "program.copies.1.kind", "device to host");
	assert_text(tree, "program.copies.2.kind", "device to device");
	assert_text(tree, "program.copies.2.memory", "device");
	json_decref(tree);
}

static void test_timeline(void **state)
{
	json_t *tree = fixture_scenario("program");

	(void)state;
	assert_integer(tree, "program.timeline.span_ns", 5600);
	assert_size(tree, "program.timeline.lanes", 8);
	assert_text(tree, "program.timeline.lanes.0.label", "GPU 0 · stream 13 · host to device");
	assert_text(tree, "program.timeline.lanes.0.class", "h2d");
	assert_integer(tree, "program.timeline.lanes.0.stream", 13);
	assert_integer(tree, "program.timeline.lanes.0.process", 4242);
	assert_text(tree, "program.timeline.lanes.0.events.0.text", "4.00 KiB host to device, pinned");
	assert_integer(tree, "program.timeline.lanes.0.events.0.start_ns", 0);
	assert_integer(tree, "program.timeline.lanes.0.events.0.end_ns", 1000);
	assert_integer(tree, "program.timeline.lanes.0.events.0.bytes", 4096);
	assert_text(tree, "program.timeline.lanes.1.label", "GPU 0 · stream 13 · kernels");
	assert_text(tree, "program.timeline.lanes.1.events.0.text", "work");
	assert_null_at(tree, "program.timeline.lanes.1.events.0.bytes");
	assert_text(tree, "program.timeline.lanes.2.class", "d2h");
	assert_text(tree, "program.timeline.lanes.3.events.0.text", "memset of 512 B");
	assert_text(tree, "program.timeline.lanes.5.events.0.text", "1.00 KiB device to device");
	assert_text(tree, "program.timeline.lanes.7.label", "GPU 1 · stream 13 · kernels");
	assert_integer(tree, "program.timeline.ranges.0.start_ns", -900);
	assert_integer(tree, "program.timeline.ranges.0.end_ns", -100);
	assert_text(tree, "program.timeline.ranges.0.color", "#D55E00");
	assert_integer(tree, "program.timeline.ranges_left_out", 0);
	json_decref(tree);
}

/* Only the start of the call and its thread decide; the work may end long after the range. */
static void test_attribution(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	write_range(rec, "r", 100, 200);
	write_kernel(rec, 1, THREAD, 99, 1000, 1001);        /* before */
	write_kernel(rec, 2, THREAD, 100, 2000, 2010);       /* at the start */
	write_kernel(rec, 3, THREAD, 199, 9000, 9400);       /* starts inside, ends outside */
	write_kernel(rec, 4, THREAD, 200, 3000, 3001);       /* at the end */
	write_kernel(rec, 5, OTHER_THREAD, 150, 4000, 4001); /* another thread */
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "ranges", 1);
	assert_null_at(tree, "ranges.0.domain");
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 410);
	assert_integer(tree, "ranges.0.gpus.0.span_ns", 7400);
	assert_integer(tree, "gpus.0.busy_ns.kernel", 413);
	json_decref(tree);
}

/* A correlation id counts per process. */
static void test_attribution_by_process(void **state)
{
	static const char *const lines[] = {
		"NVTX start=0 end=100 eventType=59 text=r globalTid=" THREAD,
		"RUNTIME start=50 end=60 globalTid=" THREAD " correlationId=1 nameId=launch",
		"RUNTIME start=500 end=600 globalTid=33554433 correlationId=1 nameId=launch",
		"KERNEL start=10 end=20 deviceId=0 streamId=7 correlationId=1 globalPid=33554432 shortName=k",
		"KERNEL start=10 end=40 deviceId=0 streamId=7 correlationId=1 globalPid=" PROCESS " shortName=k",
		NULL,
	};
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, lines);
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 30);
	assert_text(tree, "program.timeline.lanes.1.label", "process 2 · stream 7 · kernels");
	json_decref(tree);
}

/* Ranges of one name are one entry, and work in two of them counts once. */
static void test_ranges_of_one_name(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	write_range(rec, "later", 500, 600);
	write_range(rec, "outer", 0, 1000);
	write_range(rec, "r", 100, 400);
	write_range(rec, "r", 200, 300);
	write_range(rec, "r", 700, 800);
	write_kernel(rec, 1, THREAD, 250, 1000, 1100);
	write_kernel(rec, 2, THREAD, 350, 1100, 1300);
	write_kernel(rec, 3, THREAD, 750, 1300, 1700);
	write_kernel(rec, 4, THREAD, 900, 1700, 2500);
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "ranges", 3);
	assert_text(tree, "ranges.0.name", "outer");
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 1500);
	assert_text(tree, "ranges.1.name", "r");
	assert_integer(tree, "ranges.1.count", 3);
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.kernel", 700);
	assert_text(tree, "ranges.2.name", "later");
	assert_size(tree, "ranges.2.gpus", 0);
	assert_integer(tree, "program.timeline.ranges.2.depth", 2);
	json_decref(tree);
}

/* Start/end ranges need not nest; a range that was never closed lasts to the end of the recording. */
static void test_ranges_that_straddle(void **state)
{
	static const char *const lines[] = {
		"NVTX start=0 end=100 eventType=60 text=first globalTid=" THREAD,
		"NVTX start=50 end=150 eventType=60 text=second globalTid=" THREAD,
		"NVTX start=90 eventType=59 text=open globalTid=" THREAD,
		NULL,
	};
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, lines);
	write_kernel(rec, 1, THREAD, 10, 1000, 1001);
	write_kernel(rec, 2, THREAD, 60, 1010, 1020);
	write_kernel(rec, 3, THREAD, 120, 1100, 1200);
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 11);
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.kernel", 110);
	assert_integer(tree, "ranges.2.gpus.0.busy_ns.kernel", 100);
	assert_integer(tree, "program.timeline.ranges.2.end_ns", 200);
	json_decref(tree);
}

/* 401 kernels of 3 ns, one every 12 ns; a slice is 4.0025 ns long, so the second one lies between two kernels. */
static void test_crowded_lane(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	double sum = 0;
	const json_t *share;
	json_t *tree;

	(void)state;
	for (int i = 0; i < 401; i++)
		write_kernel(rec, i + 1, THREAD, i, 5000 + 12 * i, 5000 + 12 * i + 3);
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_integer(tree, "program.timeline.span_ns", 4803);
	assert_integer(tree, "program.timeline.lanes.0.count", 401);
	share = at(tree, "program.timeline.lanes.0.share");
	assert_int_equal(json_array_size(share), 1200);
	for (size_t i = 0; i < 1200; i++)
		sum += json_real_value(json_array_get(share, i));
	/* A share is told in ten-thousandths. */
	assert_near(sum / 1200 * 4803, 401 * 3, 4803 * 0.5e-4);
	assert_near(json_real_value(json_array_get(share, 1)), 0, 1e-12);
	json_decref(tree);
}

static void test_many_ranges(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	json_t *tree;

	(void)state;
	for (int i = 0; i < 1010; i++)
		write_range(rec, "r", 100 * i, 100 * i + 10 + (i >= 10));
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.timeline.ranges", 1000);
	assert_integer(tree, "program.timeline.ranges_left_out", 10);
	assert_integer(tree, "program.timeline.ranges.0.start_ns", 1000);
	json_decref(tree);
}

/* A record without times is left out, and said to be. */
static void test_record_without_times(void **state)
{
	struct recording *rec = fixture_begin("a.sqlite");
	struct error err = {0};
	struct value row[KERNEL_NUMBER] = {0};
	json_t *tree;

	(void)state;
	write_kernel(rec, 1, THREAD, 10, 1000, 1005);
	row[KERNEL_start] = VALUE_OF_INT(0);
	row[KERNEL_end] = VALUE_OF_INT(0);
	row[KERNEL_shortName] = VALUE_OF_TEXT("lost");
	recording_row(rec, TABLE_KERNEL, row, &err);
	assert_string_equal(err.text, "");
	fixture_end(rec);
	tree = fixture_model("a.sqlite");
	assert_integer(tree, "gpus.0.span_ns", 5);
	assert_text(tree, "diagnostics.0.severity", "warning");
	assert_text(tree, "diagnostics.0.text", "1 record has no times and is left out");
	json_decref(tree);
}

/* The order of the rows in the file makes no difference. */
static void test_order_of_rows(void **state)
{
	static const int order[2][4] = {{0, 1, 2, 3}, {3, 1, 0, 2}};
	json_t *trees[2];

	(void)state;
	for (int t = 0; t < 2; t++) {
		struct recording *rec = fixture_begin("a.sqlite");

		for (int i = 0; i < 4; i++) {
			int k = order[t][i];

			write_range(rec, k % 2 ? "odd" : "even", 100 * k, 100 * k + 50);
			write_kernel(rec, k + 1, THREAD, 100 * k + 10, 1000, 1000 + 10 * (k / 2));
		}
		fixture_end(rec);
		trees[t] = fixture_model("a.sqlite");
	}
	assert_true(json_equal(trees[0], trees[1]));
	json_decref(trees[0]);
	json_decref(trees[1]);
}

static void refused(const char *name, const char *says)
{
	const char *file = in_scratch(name);
	const struct model_options options = {.files = &file, .nfiles = 1, .version = "1"};
	struct error err = {0};

	assert_null(model_build(&options, &err));
	assert_false(error_is_of_system(&err));
	assert_non_null(strstr(err.text, says));
	assert_non_null(strstr(err.text, name));
	assert_null(strchr(err.text, '\n'));
}

static void test_bad_recordings(void **state)
{
	struct recording *rec = fixture_begin("nothing.sqlite");
	struct error err = {0};

	(void)state;
	assert_int_equal(scenario_gpu(rec, 0, &err), 0);
	fixture_end(rec);
	refused("nothing.sqlite", "holds no events");
	refused("missing.sqlite", "does not exist");
}

static bool stop(void *user)
{
	++*(int *)user;
	return true;
}

static void test_interrupted(void **state)
{
	const char *file = in_scratch("a.sqlite");
	int asked = 0;
	const struct model_options options = {
		.files = &file, .nfiles = 1, .version = "1", .interrupted = stop, .user = &asked};
	struct error err = {0};

	(void)state;
	assert_null(model_build(&options, &err));
	assert_true(error_is_of_system(&err));
	assert_string_equal(err.text, "interrupted");
	assert_int_equal(asked, 1);
}

/* Numbers sorted by a column whose values repeat after `period`; those up to `sorted` stand in order. */
static void check_sorted_numbers(size_t period, size_t sorted)
{
	enum { NUMBERS = 3000 };
	uint32_t index[NUMBERS];
	int64_t key[NUMBERS];

	for (size_t i = 0; i < NUMBERS; i++) {
		index[i] = (uint32_t)i;
		key[i] = i < sorted ? (int64_t)i - NUMBERS / 2 : NUMBERS / 2 - (int64_t)(i * 7919 % period);
	}
	index_sort(index, NUMBERS, key);
	for (size_t i = 1; i < NUMBERS; i++) {
		assert_true(key[index[i - 1]] <= key[index[i]]);
		assert_true(key[index[i - 1]] < key[index[i]] || index[i - 1] < index[i]);
	}
}

static void test_numbers_by_a_column(void **state)
{
	(void)state;
	check_sorted_numbers(1, 3000);
	check_sorted_numbers(100000, 2990);
	check_sorted_numbers(100000, 0);
	check_sorted_numbers(10, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_overlap_of_a_range),
		scratch_test(test_two_gpus),
		scratch_test(test_program),
		scratch_test(test_timeline),
		scratch_test(test_attribution),
		scratch_test(test_attribution_by_process),
		scratch_test(test_ranges_of_one_name),
		scratch_test(test_ranges_that_straddle),
		scratch_test(test_crowded_lane),
		scratch_test(test_many_ranges),
		scratch_test(test_record_without_times),
		scratch_test(test_order_of_rows),
		scratch_test(test_bad_recordings),
		scratch_test(test_interrupted),
		scratch_test(test_numbers_by_a_column),
	};

	return cmocka_run_group_tests_name("model: device work", tests, NULL, NULL);
}
