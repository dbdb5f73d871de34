/* view-program.c: the page of a program: places that would pay, what is missing, timelines and tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "figure/figure.h"
#include "figure/timeline-data.h"
#include "tree/tree.h"
#include "page/view/view.h"

/* A place that would pay, and what it holds. */
#define PLACE                                                                                                          \
	"'range': 'one <stream>', 'domain': 'loop', 'within': 'train', 'process': 5001, 'device': 0, 'count': 3,"      \
	"'span_ns': 2e6, 'loop_ns': 2e6, 'lost_ns': 1e6, 'gain_ns': 5e5, 'gain_high_ns': 8e5, 'speedup': 1.3333, "     \
	"'iterations': 40, 'threads': 2, 'round_ns': 50000.0, 'round_gain_ns': 12500.0, 'share': 0.25, "               \
	"'advised_buffers': 3, 'advised_gain_ns': 600000, 'advised_share': 0.3, 'gain_rest_ns': 100000, "              \
	"'duplex_ns': 70000, 'gain_both_ways_ns': 9000, 'host_late': {'text': 'the GPU waits.'}, 'doubt': 'it is "     \
	"off.', "                                                                                                      \
	"'duplex_measured': "                                                                                          \
	"false,"                                                                                                       \
	"'why': 'they take turns', 'advice': 'use two streams.'"

#define GROUP                                                                                                          \
	"{'class': 'h2d', 'memory': 'pinned', 'call': 'cudaMemcpyAsync', 'stream': 13, 'reason': 'same-stream', "      \
	"'also': ['synchronous', 'dependency'], "                                                                      \
	"'why': 'w',"                                                                                                  \
	"'advice': 'a', 'count': 64, 'bytes': 4096, 'copy_ns': 1e6, 'lost_ns': 9e5, 'gain_ns': 4e5}"

#define LANE(class, stream)                                                                                            \
	"{'class': '" class "', 'stream': " #stream ", 'device': 0, 'process': 5001, 'default_stream': false,"         \
			    "'events': [{'start_ns': 0, 'end_ns': 100, 'text': 'x'}]}"

#define WORK                                                                                                           \
	"'name': 'G', 'span_ns': 100, 'idle_ns': 10, 'busy_ns': {'h2d': 20, 'd2h': 30, 'kernel': 40, 'copy': 50, "     \
	"'all': 90},"                                                                                                  \
	"'overlap_ns': 0, 'overlap_ratio': 0, 'exposed_copy_ns': 50, 'duplex_ns': 0, 'floor_ns': 40"

static const char program_json[] =
	"{'dbprof': true, 'gpus': [{'device': 0, " WORK "}], 'ranges': [], 'program': {"
	" 'answer': 'Something to gain.',"
	" 'kernels': [{'name': 'k<1>', 'count': 1200, 'total_ns': 40, 'median_ns': 1}],"
	" 'copies': [{'kind': 'host to device', 'memory': 'pinned', 'count': 34, 'bytes': 1e9, 'total_ns': 1e9}],"
	" 'processes': ["
	"  {'pid': 5001, 'name': 'python3', 'command': 'python3 a.py', 'finished': true, 'dropped': 0, 'untimed': 0, "
	"'note': null,"
	"   'gpus': [{'device': 0, " WORK "}]},"
	"  {'pid': 5002, 'name': '<b>', 'command': null, 'finished': false, 'dropped': 1200, 'untimed': 3, 'note': "
	"'killed',"
	"   'gpus': []},"
	"  {'pid': 5003, 'name': 'sh', 'command': null, 'finished': false, 'dropped': 0, 'untimed': null, 'note': "
	"null, 'gpus': "
	"[]}],"
	" 'pays': [{" PLACE ", 'copies': [" GROUP ", {'why': 'w', 'advice': 'a'}], 'copies_left_out': 2},"
	"  {'device': 0, 'why': 'It is so. They wait.', 'advice': 'b', 'copies': [{'why': 'They wait.', 'advice': "
	"'b'}, {}, {}, {}, {}, {}, {}]}, {'device': 0}, {'device': 0}, {'device': 0}, "
	"{'device': 0}],"
	" 'timeline': {'span_ns': 100, 'ranges': [], 'lanes': [" LANE("h2d", 13) "]}}}";

/* The view of the first recording; the page is handed back in *page for json_decref(). */
static const json_t *view_of(json_t *recording, json_t **page)
{
	json_t *model = json_pack("{s:s, s:[o]}", "generator", "dbprof test", "recordings", recording),
	       *drawn = json_object();
	const struct view_input input = {.model = model, .drawn = drawn};

	*page = view_build(&input);
	json_decref(drawn);
	json_decref(model);
	return json_array_get(json_object_get(*page, "recordings"), 0);
}

static const json_t *at(const json_t *object, const char *key, size_t i)
{
	return json_array_get(json_object_get(object, key), i);
}

static void test_head(void **state)
{
	json_t *page;
	const json_t *recording = view_of(parse(program_json), &page), *facts = json_object_get(recording, "facts");

	(void)state;
	assert_string_equal(tree_text(recording, "answer"), "Something to gain.");
	assert_string_equal(tree_text(tree_find(facts, "name", "Processes"), "value"),
		"python3 (process 5001), <b> (process 5002), sh (process 5003)");
	assert_string_equal(tree_text(tree_find(facts, "name", "Device work"), "value"), "1,200 kernels, 34 copies");
	json_decref(page);
}

static void test_missing(void **state)
{
	json_t *page;
	const json_t *missing = json_object_get(view_of(parse(program_json), &page), "missing");
	static const char *const want[] = {"<b> (process 5002): killed.",
		"<b> (process 5002): the profiler lost 1,200 records, which all numbers here lack.",
		"<b> (process 5002): 3 records have no usable times and are left out.",
		("sh (process 5003): it ended neither by returning nor by exit(), so records of its last moments may "
		 "be missing.")};

	(void)state;
	assert_int_equal(json_array_size(missing), 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(json_string_value(json_array_get(missing, i)), want[i]);
	json_decref(page);
}

/* Loops without a gain, and work outside of loops. */
static void test_loops(void **state)
{
	json_t *page, *recording = parse(program_json);
	json_t *program = json_object_get(recording, "program");
	const json_t *loops, *row;

	(void)state;
	json_object_set_new(program, "other_loops",
		parse("[{'range': null, 'process': 7, 'device': 1, 'iterations': 1200, 'threads': 2, 'loop_ns': 2e6, "
		      "  'round_ns': 1e3, 'gain_ns': 1e4, 'share': 0.005, 'duplex_ns': 5e3, "
		      "  'host_late': {'share': 0.25, 'text': 'the GPU waits.'}},"
		      " {'range': 'r', 'within': 'w', 'process': null, 'device': 0, 'iterations': 4, 'threads': 1, "
		      "  'loop_ns': 1e6, 'round_ns': 2e5, 'host_late': null},"
		      " {'range': 'm', 'device': 0, 'loop_ns': 1e6, "
		      "  'managed': {'matters': true, 'text': 'it moves.', 'advice': 'prefetch.'}}]"));
	json_object_set_new(program, "other_loops_left_out", json_integer(1));
	json_object_set_new(program, "outside",
		parse("{'copies': 2, 'bytes': 4096, 'copy_ns': 3e3, 'kernels': 1, 'kernel_ns': 5e3}"));
	loops = json_object_get(json_object_get(view_of(recording, &page), "program"), "loops");
	assert_string_equal(tree_text(loops, "title"), "Other loops, and work outside of loops");
	assert_string_equal(tree_text(loops, "outside"), "Copies: 2 (4.00 KiB), 3.00 µs. Kernels: 1, 5.00 µs.");
	assert_string_equal(tree_text(loops, "left_out"), "1 more loop takes less.");
	row = at(loops, "rows", 0);
	assert_string_equal(tree_text(row, "name"), "a loop of process 7 in 2 threads, GPU 1");
	assert_string_equal(tree_text(row, "rounds"), "1,200");
	assert_string_equal(tree_text(row, "gain"), "10.0 µs, 0.500 %");
	assert_string_equal(tree_text(row, "late"), "25.0 %");
	assert_string_equal(tree_text(row, "text"), "The GPU waits.");
	row = at(loops, "rows", 1);
	assert_string_equal(tree_text(row, "name"), "range r in w, GPU 0");
	assert_string_equal(tree_text(row, "gain"), "nothing to overlap");
	assert_string_equal(tree_text(row, "late"), "not known");
	assert_false(tree_has(row, "managed"));
	row = at(loops, "rows", 2);
	assert_string_equal(tree_text(row, "gain"), "not known");
	assert_string_equal(tree_text(row, "managed"), "It moves.");
	assert_string_equal(tree_text(row, "advice"), "Prefetch.");
	json_decref(page);
}

static void test_places(void **state)
{
	json_t *page, *recording = parse(program_json);
	const json_t *program, *card, *bar, *group;

	(void)state;
	/* The longest of all gives the scale. */
	json_object_set_new(json_array_get(json_object_get(json_object_get(recording, "program"), "pays"), 1),
		"loop_ns", json_integer(4000000));
	program = json_object_get(view_of(recording, &page), "program");
	assert_int_equal(json_array_size(json_object_get(program, "pays")), 5);
	assert_int_equal(json_array_size(json_object_get(program, "further")), 1);
	assert_true(tree_true(program, "assumed"));
	card = at(program, "pays", 0);
	assert_string_equal(tree_text(card, "range"), "one <stream>");
	assert_string_equal(tree_text(card, "where"),
		"python3 (process 5001), GPU 0, in range train, 40 rounds of 50.0 µs in 2 threads");
	assert_string_equal(tree_text(card, "gain"), "500 µs to 800 µs");
	assert_string_equal(tree_text(card, "share"), "25.0 %");
	assert_string_equal(tree_text(card, "speedup"), "1.333×");
	assert_string_equal(tree_text(card, "why"), "They take turns.");
	assert_string_equal(tree_text(card, "round"), "12.5 µs of 50.0 µs");
	assert_string_equal(tree_text(card, "buffers"), "3 save 600 µs, 30.0 % of its time");
	assert_string_equal(tree_text(card, "both"), "70.0 µs at once; 9.00 µs of what could be saved");
	assert_string_equal(tree_text(card, "late"), "The GPU waits.");
	assert_string_equal(tree_text(card, "doubt"), "It is off.");
	assert_string_equal(tree_text(card, "rest"), "100 µs");
	bar = at(card, "bars", 1);
	assert_string_equal(tree_text(bar, "name"), "copies alone");
	assert_string_equal(tree_text(bar, "width"), "25");
	assert_string_equal(tree_text(bar, "value"), "1.00 ms");
	assert_string_equal(tree_text(at(card, "bars", 2), "width"), "12");
	group = at(card, "groups", 0);
	assert_string_equal(tree_text(group, "direction"), "host to device");
	assert_string_equal(tree_text(group, "reason"), "same stream");
	assert_string_equal(tree_text(group, "stream"), "stream 13");
	assert_string_equal(tree_text(group, "also"), "the host waits, waits for an event");
	assert_string_equal(tree_text(group, "why"), "W.");
	assert_false(tree_has(at(card, "groups", 1), "why")); /* told above it */
	assert_false(tree_has(at(card, "groups", 1), "also"));
	assert_string_equal(tree_text(card, "more_groups"),
		"2 more groups of copies would save less or nothing; report.json has them.");
	assert_int_equal(json_array_size(json_object_get(at(program, "pays", 1), "groups")), 7);
	assert_false(tree_has(at(at(program, "pays", 1), "groups", 0), "why")); /* told by the place */
	assert_false(tree_has(at(program, "pays", 1), "more_groups"));
	assert_string_equal(tree_text(at(program, "further", 0), "rank"), "6");
	json_decref(page);
}

static void test_tables(void **state)
{
	json_t *page;
	const json_t *program = json_object_get(view_of(parse(program_json), &page), "program"), *rows;

	(void)state;
	assert_string_equal(tree_text(at(program, "gpus", 0), "floor"), "40.0 ns");
	rows = json_object_get(json_object_get(program, "processes"), "rows");
	assert_int_equal(json_array_size(rows), 3);
	assert_string_equal(tree_text(json_array_get(rows, 0), "gpu"), "0");
	assert_false(tree_has(json_array_get(rows, 1), "gpu"));
	assert_false(tree_has(program, "ranges"));
	json_decref(page);
}

/* Of a long list the busiest are in sight, in their order. */
static void test_long_tables(void **state)
{
	json_t *page, *recording = parse(program_json), *ranges = json_array(), *kernels = json_array();
	const json_t *program, *rows;

	(void)state;
	for (int i = 0; i < 300; i++) {
		json_array_append_new(ranges,
			json_pack("{s:i, s:s, s:[{s:i, s:{s:i}}]}", "count", i, "name", i % 10 ? "little" : "much",
				"gpus", "device", 0, "busy_ns", "all", i % 10 ? 1 : 1000 - i));
		json_array_append_new(kernels, json_pack("{s:s, s:i}", "name", "k", "count", i));
	}
	json_object_set_new(recording, "ranges", ranges);
	json_object_set_new(json_object_get(recording, "program"), "kernels", kernels);
	program = json_object_get(view_of(recording, &page), "program");
	rows = json_object_get(json_object_get(program, "ranges"), "rows");
	assert_int_equal(json_array_size(rows), 20);
	for (size_t i = 0; i < 20; i++)
		assert_string_equal(tree_text(json_array_get(rows, i), "name"), "much");
	assert_string_equal(tree_text(json_array_get(rows, 19), "count"), "190");
	assert_string_equal(tree_text(json_object_get(program, "ranges"), "note"),
		"The 20 of 300 ranges with most device work. All are in report.json.");
	assert_int_equal(json_array_size(json_object_get(json_object_get(program, "more_ranges"), "rows")), 200);
	assert_int_equal(json_array_size(json_object_get(program, "kernels")), 20);
	assert_string_equal(tree_text(json_object_get(program, "more_kernels"), "title"),
		"200 more kernels; all are in report.json");
	json_decref(page);
}

/* `nowners` processes on GPU 0, each with `nstreams` streams of one kernel lane, the later ones busier. */
static json_t *program_of(int nowners, int nstreams)
{
	json_t *lanes = json_array();

	for (int p = 0; p < nowners; p++) {
		for (int s = 0; s < nstreams; s++)
			json_array_append_new(
				lanes, json_pack("{s:s, s:i, s:i, s:i, s:b, s:[{s:i, s:i, s:s}]}", "class", "kernel",
					       "stream", s, "device", 0, "process", 100 + p, "default_stream", s == 0,
					       "events", "start_ns", 0, "end_ns", 10 * p + s + 1, "text", "k"));
	}
	return json_pack("{s:{s:i, s:o}, s:[{s:i, s:s}]}", "timeline", "span_ns", 1000, "lanes", lanes, "processes",
		"pid", 100, "name", "an executable with quite a long name");
}

static void test_panels(void **state)
{
	json_t *program = program_of(2, 2);
	struct timeline_layout layout;
	char name[96];

	(void)state;
	assert_true(timeline_program(&layout, program));
	assert_int_equal(layout.npanels, 2);
	assert_string_equal(layout.panel[0].title, "GPU 0, an executable with... (100)");
	assert_string_equal(layout.panel[1].title, "GPU 0, process 101");
	assert_true(layout.panel[0].shared);
	assert_int_equal(layout.panel[1].nlanes, 2);
	timeline_lane_name(layout.panel[1].lane[0], false, name, sizeof(name));
	assert_string_equal(name, "kernel, default stream 0");
	timeline_lane_name(layout.panel[1].lane[1], false, name, sizeof(name));
	assert_string_equal(name, "kernel, stream 1");
	/* The strip of a panel is made of its own lanes. */
	struct strip_part *parts;
	size_t n;
	n = strip_build(&layout.panel[1], &parts);
	assert_int_equal(n, 1);
	assert_int_equal(parts[0].end, 12);
	free(parts);
	json_decref(program);
}

/* Ranges of different threads do not cover each other; what has no row is not drawn. */
static void test_ranges_by_thread(void **state)
{
	static const int want[] = {0, 2, 1, 3, -1, -1};
	json_t *program = program_of(1, 1),
	       *ranges = parse(
		       "[{'start_ns': 0, 'end_ns': 900, 'depth': 0, 'process': 100, 'thread': 7, 'text': 'a'},"
		       " {'start_ns': 1, 'end_ns': 900, 'depth': 0, 'process': 100, 'thread': 8, 'text': 'b'},"
		       " {'start_ns': 2, 'end_ns': 300, 'depth': 1, 'process': 100, 'thread': 7, 'text': 'c'},"
		       " {'start_ns': 3, 'end_ns': 300, 'depth': 1, 'process': 100, 'thread': 8, 'text': 'd'},"
		       " {'start_ns': 4, 'end_ns': 300, 'depth': 2, 'process': 100, 'thread': 8, 'text': 'too deep'},"
		       " {'start_ns': 5, 'end_ns': 300, 'depth': 0, 'process': 101, 'thread': 7, 'text': 'of another "
		       "process'}]");
	struct timeline_layout layout;

	(void)state;
	json_object_set_new(json_object_get(program, "timeline"), "ranges", ranges);
	assert_true(timeline_program(&layout, program));
	assert_int_equal(layout.panel[0].depths, 4);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(timeline_range_row(&layout.panel[0], json_array_get(ranges, i)), want[i]);
	json_decref(program);
}

static void test_many_streams(void **state)
{
	json_t *program = program_of(2, 100);
	struct timeline_layout layout;

	(void)state;
	assert_true(timeline_program(&layout, program));
	/* As many of each, the busiest, in the order of the timeline. */
	assert_int_equal(layout.panel[0].nlanes, 16);
	assert_int_equal(layout.panel[1].nlanes, 16);
	assert_int_equal(tree_real(layout.panel[0].lane[0], "stream"), 84);
	assert_int_equal(tree_real(layout.panel[1].lane[15], "stream"), 99);
	assert_int_equal(layout.lanes_left_out, 168);
	json_decref(program);
}

static void test_many_processes(void **state)
{
	json_t *page, *program = program_of(64, 3), *recording = json_pack("{s:o}", "program", program);
	struct timeline_layout layout;

	(void)state;
	assert_true(timeline_program(&layout, program));
	assert_int_equal(layout.npanels, 8);
	assert_int_equal(layout.panels_left_out, 56);
	assert_int_equal(tree_real(layout.panel[0].lane[0], "process"), 100 + 56);
	assert_string_equal(tree_text(json_object_get(view_of(recording, &page), "program"), "left_out"),
		"The 8 busiest of 64 processes on GPUs are drawn, in each the busiest streams: 24 of 192 lanes. All "
		"are in "
		"report.json.");
	json_decref(page);
}

/* Of more lanes than report.json has, it is not said to have all. */
static void test_more_lanes_than_told(void **state)
{
	json_t *page, *program = program_of(64, 3), *recording = json_pack("{s:o}", "program", program);

	(void)state;
	json_object_set_new(json_object_get(program, "timeline"), "lanes_left_out", json_integer(700));
	assert_string_equal(tree_text(json_object_get(view_of(recording, &page), "program"), "left_out"),
		"The busiest processes and streams are drawn: 24 of 892 lanes. report.json has the 192 with the most "
		"work.");
	json_decref(page);
}

/* 64 streams with as many events as a lane can have, and NVTX ranges: what is drawn and what the script gets is
 * bounded. */
static void test_a_crowded_timeline_stays_small(void **state)
{
	json_t *lanes = json_array(), *ranges = json_array(), *program;
	struct figures figures = {0};
	size_t segments = 0;

	(void)state;
	for (int stream = 0; stream < 64; stream++) {
		json_t *events = json_array();

		for (int i = 0; i < 400; i++)
			json_array_append_new(
				events, json_pack("{s:i, s:i, s:s}", "start_ns", 2500000 * i + 999 * stream, "end_ns",
						2500000 * i + 900000, "text", "kernel"));
		json_array_append_new(lanes, json_pack("{s:s, s:i, s:i, s:i, s:o}", "class", "kernel", "stream", stream,
						     "device", 0, "process", 100, "events", events));
	}
	for (int i = 0; i < 1000; i++)
		json_array_append_new(ranges,
			json_pack("{s:i, s:i, s:i, s:i, s:i, s:s}", "start_ns", 1000000 * i, "end_ns",
				1000000 * i + 900000, "depth", i % 2, "process", 100, "thread", 1, "text", "step"));
	json_object_set_new(json_array_get(ranges, 0), "color", json_string("#12abEF"));
	program = json_pack("{s:{s:i, s:o, s:o}}", "timeline", "span_ns", 1000000000, "lanes", lanes, "ranges", ranges);
	figure_program(&figures, 0, program);
	assert_int_equal(figures.n, 1);
	for (const char *at = figures.list[0].data.text; (at = strstr(at, "\n\n")); at += 2)
		segments++;
	assert_true(segments < 6000); /* some 9 characters each in the page */
	json_t *data = view_timeline(timeline_program, program);
	assert_true(json_string_length(data) < 80000);
	/* Ranges have the colours of the figure. */
	assert_non_null(strstr(json_string_value(data), "#12ABEF"));
	assert_non_null(strstr(json_string_value(data), "var(--ink-2)"));
	json_decref(data);
	figures_free(&figures);
	json_decref(program);
}

static void test_close_up_is_drawn(void **state)
{
	json_t *recording = parse(program_json), *program = json_object_get(recording, "program"), *model;
	struct figures figures;
	bool drawn = false;

	(void)state;
	json_object_set_new(json_array_get(json_object_get(program, "pays"), 1), "close_up",
		parse("{'start_ns': 1500, 'copies': 5, 'of': 64, 'class': 'h2d', 'timeline': {'span_ns': 100, "
		      "'ranges': [], 'lanes': "
		      "[" LANE("h2d", 13) "]}}"));
	model = json_pack("{s:[o]}", "recordings", recording);
	figures = figures_plan(model);
	for (size_t i = 0; i < figures.n; i++) {
		assert_string_not_equal(figures.list[i].name, "program-close-1");
		if (strcmp(figures.list[i].name, "program-close-2") != 0)
			continue;
		drawn = true;
		assert_string_equal(figures.list[i].desc, "a typical stretch, from 1.50 µs on, in 1 lane");
	}
	assert_true(drawn);
	figures_free(&figures);
	json_decref(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_long_tables),
		cmocka_unit_test(test_panels),
		cmocka_unit_test(test_ranges_by_thread),
		cmocka_unit_test(test_many_streams),
		cmocka_unit_test(test_many_processes),
		cmocka_unit_test(test_more_lanes_than_told),
		cmocka_unit_test(test_close_up_is_drawn),
		cmocka_unit_test(test_a_crowded_timeline_stays_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
