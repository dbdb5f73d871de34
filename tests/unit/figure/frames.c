/* frames.c: a traced timeline becomes chunks in streams, and the moments at which they are shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "figure/why/frames-data.h"
#include "fixtures/family-fixture.h"

/* Two chunks through one stream: in 0-10 (two copies), kernel 10-12, out 12-20; then the same again. */
static const char one_stream[] =
	"{'span_ns': 40, 'lanes': ["
	"{'class': 'h2d', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 0, 'end_ns': 4},"
	" {'start_ns': 5, 'end_ns': 10}, {'start_ns': 20, 'end_ns': 24}, {'start_ns': 25, 'end_ns': 30}]},"
	"{'class': 'kernel', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 10, 'end_ns': 12},"
	" {'start_ns': 30, 'end_ns': 32}]},"
	"{'class': 'other', 'stream': 9, 'device': 0, 'process': 1, 'events': [{'start_ns': 0, 'end_ns': 1}]},"
	"{'class': 'd2h', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 12, 'end_ns': 20},"
	" {'start_ns': 32, 'end_ns': 40}]}]}";

/* The same chunks in two streams: the second one comes in while the first goes out. */
static const char two_streams[] =
	"{'span_ns': 30, 'lanes': ["
	"{'class': 'h2d', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 0, 'end_ns': 10}]},"
	"{'class': 'kernel', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 10, 'end_ns': 12}]},"
	"{'class': 'd2h', 'stream': 7, 'device': 0, 'process': 1, 'events': [{'start_ns': 12, 'end_ns': 20}]},"
	"{'class': 'h2d', 'stream': 8, 'device': 0, 'process': 1, 'events': [{'start_ns': 11, 'end_ns': 20}]},"
	"{'class': 'kernel', 'stream': 8, 'device': 0, 'process': 1, 'events': [{'start_ns': 20, 'end_ns': 22}]},"
	"{'class': 'd2h', 'stream': 8, 'device': 0, 'process': 1, 'events': [{'start_ns': 22, 'end_ns': 30}]}]}";

static void test_chunks_of_one_stream(void **state)
{
	json_t *timeline = parse(one_stream);
	struct pipeline p;

	(void)state;
	assert_true(pipeline_read(timeline, &p));
	assert_int_equal(p.n, 2);
	assert_int_equal(p.streams, 1);
	assert_true(p.chunk[0].start[STAGE_IN] == 0 && p.chunk[0].end[STAGE_IN] == 10);
	assert_true(p.chunk[1].start[STAGE_IN] == 20 && p.chunk[1].end[STAGE_OUT] == 40);
	assert_true(pipeline_busy(&p.chunk[0], STAGE_KERNEL, 11));
	assert_false(pipeline_busy(&p.chunk[0], STAGE_KERNEL, 12));
	pipeline_free(&p);
	json_decref(timeline);
}

static void test_streams_hold_their_chunks(void **state)
{
	json_t *timeline = parse(two_streams);
	struct pipeline p;

	(void)state;
	assert_true(pipeline_read(timeline, &p));
	assert_int_equal(p.n, 2);
	assert_int_equal(p.streams, 2);
	assert_int_equal(p.chunk[0].stream, 0);
	assert_int_equal(p.chunk[1].stream, 1);
	pipeline_free(&p);
	json_decref(timeline);
}

/* Fill: chunk 1 comes in. Steady: 1 goes out, 2 comes in. Drain: 2 goes out. Then single is still at chunk 2. */
static void test_moments(void **state)
{
	json_t *slow = parse(one_stream), *fast = parse(two_streams);
	struct pipeline_moment moment[PIPELINE_MOMENTS];
	struct pipeline single, dbl;

	(void)state;
	assert_true(pipeline_read(slow, &single));
	assert_true(pipeline_read(fast, &dbl));
	assert_int_equal(pipeline_moments(&single, &dbl, moment), 5);
	assert_string_equal(moment[0].name, "fill");
	assert_true(moment[0].ns == 5);
	assert_string_equal(moment[1].name, "steady");
	assert_true(moment[1].ns == 11.5);
	assert_string_equal(moment[2].name, "steady");
	assert_true(moment[2].ns == 16);
	assert_string_equal(moment[3].name, "drain");
	assert_true(moment[3].ns == 26);
	assert_string_equal(moment[4].name, "double is done");
	assert_true(moment[4].ns == 36);
	/* Against itself nothing is done earlier, and where nothing overlaps nothing is steady. */
	assert_int_equal(pipeline_moments(&single, &single, moment), 3);
	for (int i = 0; i < 3; i++)
		assert_string_equal(moment[i].name, "");
	pipeline_free(&single);
	pipeline_free(&dbl);
	json_decref(slow);
	json_decref(fast);
}

/* What cannot be read as chunks gives no pipeline, and nothing to free. */
static void test_what_is_no_pipeline(void **state)
{
	static const char *const bad[] = {
		"{}",
		"{'span_ns': 5, 'lanes': []}",
		/* shares instead of events */
		"{'span_ns': 4, 'lanes': [{'class': 'h2d', 'stream': 1, 'share': [1]}]}",
		/* one chunk */
		"{'span_ns': 4, 'lanes': [{'class': 'h2d', 'stream': 1, 'events': [{'start_ns': 0, 'end_ns': 1}]},"
		" {'class': 'kernel', 'stream': 1, 'events': [{'start_ns': 1, 'end_ns': 4}]}]}",
		/* streams by engine: no chunk is in one stream */
		"{'span_ns': 9, 'lanes': [{'class': 'h2d', 'stream': 1, 'events': [{'start_ns': 0, 'end_ns': 1},"
		" {'start_ns': 1, 'end_ns': 2}]}, {'class': 'kernel', 'stream': 2, 'events': [{'start_ns': 1, "
		"'end_ns': 4},"
		" {'start_ns': 4, 'end_ns': 9}]}]}",
		/* two GPUs */
		"{'span_ns': 9, 'lanes': [{'class': 'h2d', 'stream': 1, 'device': 0, 'events': [{'start_ns': 0,"
		" 'end_ns': 1}]}, {'class': 'kernel', 'stream': 1, 'device': 1, 'events': [{'start_ns': 1, 'end_ns': "
		"4}]}]}",
	};
	struct pipeline p;

	(void)state;
	assert_false(pipeline_read(NULL, &p));
	pipeline_free(&p);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *timeline = parse(bad[i]);

		if (pipeline_read(timeline, &p))
			fail_msg("a pipeline is seen in %s", bad[i]);
		pipeline_free(&p);
		json_decref(timeline);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunks_of_one_stream),
		cmocka_unit_test(test_streams_hold_their_chunks),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_what_is_no_pipeline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
