/* close.c: the answer about a program in one sentence, and close-ups of the places that it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/recording.h"
#include "model/trace/answer.h"
#include "model/trace/close.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "fixtures/family-fixture.h"
#include "fixtures/model-fixture.h"
#include "tree/tree.h"

/* Puts the close-ups into a list of places in the recording close.sqlite. */
static void add_close_ups(json_t *list)
{
	struct error err = {0};
	struct model model = {.store = store_open(in_scratch("close.sqlite"), &err), .err = &err};

	assert_non_null(model.store);
	assert_int_equal(trace_load(&model.trace, model.store, &err), 0);
	assert_int_equal(close_ups(&model, list), 0);
	assert_string_equal(err.text, "");
	model_free(&model);
}

/* Close-ups of a built-in scenario. */
static json_t *close_ups_of(const char *scenario, const char *pays)
{
	struct recording *rec = fixture_begin("close.sqlite");
	struct error err = {0};
	json_t *list = parse(pays);

	for (const struct scenario *s = scenarios; s->name; s++) {
		if (strcmp(s->name, scenario) == 0)
			s->fill(rec, &err);
	}
	fixture_end(rec);
	add_close_ups(list);
	return list;
}

static const json_t *close_of(const json_t *list, size_t i)
{
	return json_object_get(json_array_get(list, i), "close_up");
}

static const json_t *lane_of(const json_t *close, size_t i)
{
	return json_array_get(json_object_get(json_object_get(close, "timeline"), "lanes"), i);
}

static void test_typical_stretch(void **state)
{
	json_t *list = close_ups_of("traced",
		"[{'process': 5001, 'device': 0, 'copies': [{'class': 'h2d', 'stream': 13, 'example_ns': 8000000}]}]");
	const json_t *close = close_of(list, 0), *ranges;

	(void)state;
	assert_int_equal(tree_real(close, "copies"), 5);
	/* Steps of 0.8 ms: from the start of one to that of the fifth after it. The example is the tenth; there are ten
	 * before it and 20 behind it to choose from, all alike, so that the stretch is the one in the middle of 26. */
	assert_int_equal(tree_real(close, "start_ns"), 12 * 800000);
	assert_int_equal(tree_real(json_object_get(close, "timeline"), "span_ns"), 5 * 800000);
	assert_int_equal(json_array_size(json_object_get(json_object_get(close, "timeline"), "lanes")), 3);
	assert_string_equal(tree_text(lane_of(close, 0), "class"), "h2d");
	assert_int_equal(tree_real(lane_of(close, 0), "count"), 5);
	assert_int_equal(tree_real(lane_of(close, 1), "count"), 5);
	/* The ranges of this process that reach into the stretch: all steps were called before it. */
	ranges = json_object_get(json_object_get(close, "timeline"), "ranges");
	assert_int_equal(json_array_size(ranges), 2);
	assert_string_equal(tree_text(json_array_get(ranges, 0), "text"), "train");
	json_decref(list);
}

/* Work that runs into the stretch, and out of it, is there; and only work of this process. */
static void test_overlapping_work(void **state)
{
	json_t *list = close_ups_of("traced", "[{'process': 5001, 'device': 0, 'copies': [{'class': 'd2h', 'stream': "
					      "null, 'example_ns': 32300000}]}]");
	const json_t *close = close_of(list, 0), *lanes = json_object_get(json_object_get(close, "timeline"), "lanes");

	(void)state;
	assert_int_equal(json_array_size(lanes), 6);
	/* 2 ms from copy to copy; a copy in runs 0.3 ms before the first, and one 0.1 ms beyond the last. */
	assert_int_equal(tree_real(json_object_get(close, "timeline"), "span_ns"), 2400000);
	for (size_t i = 0; i < json_array_size(lanes); i++)
		assert_int_equal(tree_real(json_array_get(lanes, i), "process"), 5001);
	json_decref(list);
}

/* A kernel that runs all the time does not make the copies narrow. */
static void test_long_work_is_cut(void **state)
{
	static const char *const lines[] = {"KERNEL start=0 end=1000000 deviceId=0 streamId=9 correlationId=1 "
					    "globalPid=71168950272 shortName=forever",
		"MEMCPY start=1000 end=2000 deviceId=0 streamId=7 correlationId=2 globalPid=71168950272 bytes=8 "
		"copyKind=1",
		"MEMCPY start=3000 end=4000 deviceId=0 streamId=7 correlationId=3 globalPid=71168950272 bytes=8 "
		"copyKind=1",
		NULL};
	struct recording *rec = fixture_begin("close.sqlite");
	json_t *list = parse("[{'range': null, 'process': 4242, 'device': 0, 'copies': [{'class': 'h2d', 'stream': 7, "
			     "'example_ns': 1000}]}]");

	(void)state;
	fixture_lines(rec, lines);
	fixture_end(rec);
	add_close_ups(list);
	/* From 1000 to 5000, a quarter of that more on either side. */
	assert_int_equal(tree_real(json_object_get(close_of(list, 0), "timeline"), "span_ns"), 6000);
	assert_int_equal(tree_real(close_of(list, 0), "start_ns"), 0);
	json_decref(list);
}

static void test_few_copies(void **state)
{
	json_t *list = close_ups_of("program",
		"[{'process': 4242, 'device': 0, 'copies': [{'class': 'h2d', 'stream': 13, 'example_ns': 0}]},"
		" {'process': 4242, 'device': 0, 'copies': [{'class': 'h2d', 'stream': 14, 'example_ns': 0}]},"
		" {'process': 4242, 'device': 1, 'copies': [{'class': 'h2d', 'stream': null, 'example_ns': 4000}]},"
		" {'process': 4242, 'device': 0, 'copies': [{'class': 'h2d', 'stream': 13, 'example_ns': 0}]}]");
	const json_t *close = close_of(list, 0);

	(void)state;
	/* A copy of 1000 ns at 1000, and twice its time behind it: kernel, copy back and memset, up to 3200. */
	assert_int_equal(tree_real(close, "copies"), 1);
	assert_int_equal(tree_real(close, "start_ns"), 0);
	assert_int_equal(tree_real(json_object_get(close, "timeline"), "span_ns"), 2200);
	assert_int_equal(json_array_size(json_object_get(json_object_get(close, "timeline"), "lanes")), 4);
	/* No such copy; another GPU; and no picture beyond the third. */
	assert_true(json_is_null(close_of(list, 1)));
	assert_int_equal(tree_real(lane_of(close_of(list, 2), 0), "device"), 1);
	assert_true(json_is_null(close_of(list, 3)));
	json_decref(list);
}

static void assert_answer(const char *gpus, const char *pays, const char *want)
{
	json_t *g = parse(gpus), *y = pays ? parse(pays) : NULL, *answer = answer_json(g, y);

	if (want)
		assert_string_equal(json_string_value(answer), want);
	else
		assert_true(json_is_null(answer));
	json_decref(g);
	json_decref(y);
	json_decref(answer);
}

static void test_answer(void **state)
{
	(void)state;
	assert_answer("[]",
		"[{'range': 'one \\'x\\'', 'process': 7, 'device': 0, 'span_ns': 25600000, 'gain_ns': 9250000, "
		"'speedup': 1.5657,"
		"  'copies': [{'class': 'h2d', 'reason': 'same-stream', 'count': 1032, 'bytes': 1048576}]}]",
		"Double buffering could save about 9.25 ms, 36.1 %, of range “one 'x'” (1.566× as fast): 1,032 "
		"copies host to "
		"device (1.00 MiB in all) take turns with the kernels of their stream.");
	assert_answer("[]",
		"[{'range': null, 'process': 7, 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2,"
		"  'copies': [{'class': 'd2h', 'reason': 'pageable', 'count': 1, 'bytes': 64}]}]",
		"Double buffering could save about 50.0 ns, 50.0 %, of what process 7 does on GPU 1 (2.00× as fast): 1 "
		"copy device "
		"to host (64 B in all) uses pageable memory.");
}

/* What nothing can be done about is no reason. */
static void test_answer_without_reason(void **state)
{
	(void)state;
	assert_answer("[]",
		"[{'range': 'a', 'within': 'b', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2,"
		"  'copies': [{'class': 'd2h', 'reason': 'alone', 'count': 1, 'bytes': 64}]}]",
		"Double buffering could save about 50.0 ns, 50.0 %, of range “a” in “b” (2.00× as fast).");
}

static void test_nothing_to_gain(void **state)
{
	(void)state;
	assert_answer("[]", NULL, NULL);
	assert_answer("[]", "[]",
		"This recording has no work of a GPU: record with CUDA as well, as `dbprof trace` and `nsys profile -t "
		"cuda,nvtx` do.");
	assert_answer("[{'span_ns': 100, 'busy_ns': {'copy': 0, 'kernel': 90}, 'exposed_copy_ns': 0, 'overlap_ns': 0}]",
		"[]", "Nothing to gain from double buffering: nothing is copied between host and GPU.");
	assert_answer(
		"[{'span_ns': 100, 'busy_ns': {'copy': 90, 'kernel': 0}, 'exposed_copy_ns': 90, 'overlap_ns': 0}]",
		"[]", "Nothing to gain from double buffering: no kernel runs that a copy could run beside.");
	assert_answer(
		"[{'span_ns': 1000, 'busy_ns': {'copy': 8, 'kernel': 900}, 'exposed_copy_ns': 4, 'overlap_ns': 4}]",
		"[]",
		"Nothing to gain from double buffering: copies without a kernel beside them take 0.400 % of the time.");
	assert_answer("[{'span_ns': 1000, 'busy_ns': {'copy': 800, 'kernel': 900}, 'exposed_copy_ns': 80, "
		      "'overlap_ns': 720}]",
		"[]", "Nothing to gain from double buffering: 90.0 % of the time of copies is hidden already.");
	assert_answer(
		"[{'span_ns': 1000, 'busy_ns': {'copy': 800, 'kernel': 2}, 'exposed_copy_ns': 800, 'overlap_ns': 0}]",
		"[]",
		"Double buffering would save less than 1 % anywhere, though copies without a kernel beside them take "
		"80.0 % of the "
		"time.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_typical_stretch),
		scratch_test(test_overlapping_work),
		scratch_test(test_long_work_is_cut),
		scratch_test(test_few_copies),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_answer_without_reason),
		cmocka_unit_test(test_nothing_to_gain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
