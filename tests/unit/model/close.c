/* close.c: close-ups of the places in which double buffering would pay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/recording.h"
#include "model/trace/close.h"
#include "model/trace/load.h"
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
	close_ups(&model, list);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_typical_stretch),
		scratch_test(test_overlapping_work),
		scratch_test(test_long_work_is_cut),
		scratch_test(test_few_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
