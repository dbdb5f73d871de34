/* view-why.c: the sections "why" and "cost" of a family, and the bars of stall reasons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/pair-fixture.h"
#include "figure/figure.h"
#include "tree/tree.h"
#include "page/view/view.h"
#include "fixtures/why-fixture.h"

/* The view of a family; the page is handed back in *page for json_decref(). */
static const json_t *family_view(const char *family, const char *recording, json_t **page)
{
	json_t *model = model_of(family, recording), *drawn = json_object();
	const struct view_input input = {.model = model, .drawn = drawn};

	*page = view_build(&input);
	json_decref(drawn);
	json_decref(model);
	const json_t *first = json_array_get(json_object_get(*page, "recordings"), 0);
	return json_array_get(json_object_get(first, "families"), 0);
}

static const json_t *row_of(const json_t *set, size_t i)
{
	return json_array_get(json_object_get(set, "rows"), i);
}

static void assert_row(
	const json_t *row, const char *key, const char *name, const char *a, const char *b, const char *difference)
{
	assert_string_equal(tree_text(row, key), name);
	assert_string_equal(tree_text(row, "single"), a);
	assert_string_equal(tree_text(row, "double"), b);
	assert_string_equal(tree_text(row, "difference"), difference);
}

static void test_all_counters_in_order(void **state)
{
	json_t *page;
	const json_t *family = family_view(why_json, why_recording_json, &page), *stalls;

	(void)state;
	stalls = json_array_get(json_object_get(family, "why_all"), 1);
	assert_int_equal(json_array_size(json_object_get(family, "why_all")), 3); /* PM sampling has figures */
	assert_int_equal(json_array_size(json_object_get(stalls, "rows")), 5);
	assert_string_equal(tree_text(row_of(stalls, 0), "title"), "wait");
	assert_string_equal(tree_text(row_of(stalls, 0), "formula"), "w");
	assert_row(row_of(stalls, 3), "title", "sleeping", "0.500 %", "n/a", "n/a");
	json_decref(page);
}

static void test_barrier_ways(void **state)
{
	json_t *page;
	const json_t *family = family_view(why_json, why_recording_json, &page), *rows, *disagreement;

	(void)state;
	rows = json_object_get(family, "why_barrier");
	assert_int_equal(json_array_size(rows), 3); /* no phases */
	assert_row(json_array_get(rows, 0), "name", "counters", "44.0 %", "31.0 %", "−13.0 points");
	assert_row(json_array_get(rows, 1), "name", "samples", "41.0 %", "n/a", "n/a");
	assert_string_equal(tree_text(json_array_get(rows, 1), "single_whole"), "of 12,345 samples");
	assert_true(json_is_null(json_object_get(json_array_get(rows, 1), "double_whole")));
	assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "single_whole")));
	assert_row(json_array_get(rows, 2), "name", "counters, per issue", "2.50", "n/a", "n/a");
	disagreement = json_object_get(family, "disagreement");
	assert_string_equal(tree_text(json_object_get(disagreement, "single"), "points"), "3.00 points");
	assert_string_equal(tree_text(json_object_get(disagreement, "single"), "note"), "counters most, samples least");
	assert_string_equal(tree_text(json_object_get(disagreement, "double"), "points"), "n/a");
	json_decref(page);
}

static void test_missing_passes_say_why(void **state)
{
	json_t *page;
	const json_t *missing = json_object_get(family_view(why_json, why_recording_json, &page), "why_missing");

	(void)state;
	/* That phases were skipped is told where they would be drawn. */
	assert_int_equal(json_array_size(missing), 1);
	assert_string_equal(tree_text(json_array_get(missing, 0), "text"), "The stalls pass gave nothing for two.");
	json_decref(page);
}

static void test_cost(void **state)
{
	json_t *page;
	const json_t *family = family_view(why_json, why_recording_json, &page), *rows, *row;

	(void)state;
	rows = json_object_get(family, "cost");
	assert_int_equal(json_array_size(rows), 5);
	row = tree_find(rows, "anchor", "def-theoretical-occupancy");
	assert_string_equal(tree_text(row, "single"), "100 %");
	assert_string_equal(tree_text(row, "double_note"), "shared memory");
	assert_string_equal(tree_text(row, "control"), "50.0 %");
	row = tree_find(rows, "anchor", "def-achieved-occupancy");
	assert_string_equal(tree_text(row, "double"), "48.0 %");
	assert_string_equal(tree_text(row, "control"), "n/a");
	row = json_object_get(family, "matched");
	assert_string_equal(tree_text(row, "text"), "Control padded is one with more.");
	assert_string_equal(tree_text(row, "footprint"), "0.870× (95 % interval 0.860× to 0.880×)");
	json_decref(page);
}

/* What moved, and the causes that have words. */
static void test_causes(void **state)
{
	json_t *model = model_of(why_json, why_recording_json), *drawn = json_object(), *page;
	json_t *families = json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families");
	json_t *contrast = json_array_get(json_object_get(json_array_get(families, 0), "contrasts"), 0);
	const struct view_input input = {.model = model, .drawn = drawn};
	const json_t *view, *row;

	(void)state;
	json_object_set_new(contrast, "moved",
		json_pack("[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:f, s:f}, {s:s, s:s, s:f, s:f}, {s:s, s:s, s:f, s:f}]",
			"title", "barrier", "unit", "%", "single", 44, "double", 31, "title", "small", "unit", "%",
			"single", 0.0155, "double", 0.0199, "title", "tiny", "unit", "%", "single", 0.0, "double",
			0.004, "title", "alike", "unit", "%", "single", 12.3001, "double", 12.3009));
	json_object_set_new(contrast, "causes",
		json_pack("[{s:s, s:s, s:s}, {s:s, s:s}]", "id", "barrier-wait", "text", "warps wait less", "advice",
			"use two arrays", "id", "unexplained", "text", "some remain"));
	page = view_build(&input);
	view = json_array_get(json_object_get(json_array_get(json_object_get(page, "recordings"), 0), "families"), 0);
	row = json_array_get(json_object_get(view, "moved"), 0);
	assert_row(row, "title", "barrier", "44.0 %", "31.0 %", "−13.0 points");
	/* Numbers that differ have a difference, however small; numbers that look alike have none. */
	row = json_array_get(json_object_get(view, "moved"), 1);
	assert_row(row, "title", "small", "0.0155 %", "0.0199 %", "+0.00440 points");
	row = json_array_get(json_object_get(view, "moved"), 2);
	assert_row(row, "title", "tiny", "0 %", "< 0.01 %", "< 0.01 points");
	row = json_array_get(json_object_get(view, "moved"), 3);
	assert_row(row, "title", "alike", "12.3 %", "12.3 %", "0 points");
	assert_true(tree_true(view, "why"));
	assert_int_equal(json_array_size(json_object_get(view, "causes")), 1);
	row = json_array_get(json_object_get(view, "causes"), 0);
	assert_string_equal(tree_text(row, "text"), "Warps wait less.");
	assert_string_equal(tree_text(row, "advice"), "Use two arrays.");
	json_decref(page);
	json_decref(drawn);
	json_decref(model);
}

/* A recording that is older than these passes has neither the sections nor excuses for them. */
static void test_nothing_measured(void **state)
{
	json_t *page;
	const json_t *family = family_view(family_json, recording_json, &page);

	(void)state;
	assert_false(tree_true(family, "counters"));
	assert_false(tree_true(family, "has_cost"));
	assert_false(tree_has(family, "matched"));
	assert_false(tree_has(family, "stall_figure"));
	assert_null(tree_find(json_object_get(family, "changed"), "anchor", "def-barrier-stall"));
	json_decref(page);
}

/* ---- bars ---- */

static void plan(const char *family, struct figures *figures)
{
	json_t *model = model_of(family, why_recording_json);

	*figures = figures_plan(model);
	json_decref(model);
}

/* 6 px from the top, a pair every 38 px, bars of 13 px with a gap of 1; largest reason first. */
static void test_bars(void **state)
{
	struct figures figures;
	const struct figure *figure;

	(void)state;
	plan(why_json, &figures);
	figure = canvas_find(&figures, "tile-stalls");
	assert_non_null(figure);
	assert_int_equal(figure->height, 6 + 48 + 3 * 38);
	/* 50 % is the longest, and takes 62 % of the plot */
	char *single = canvas_rows(figure, 13, COLOR_SINGLE), *dbl = canvas_rows(figure, 13, COLOR_DOUBLE);
	char *words = canvas_words(figure, 0);
	assert_string_equal(single, "0 12.5\n248 12.5\n\n0 50.5\n545.6 50.5\n\n0 88.5\n62 88.5\n");
	assert_string_equal(dbl, "0 26.5\n620 26.5\n\n0 64.5\n384.4 64.5\n\n0 102.5\n74.4 102.5\n");
	assert_non_null(strstr(words, "\"%w20.0 % single\""));
	assert_non_null(strstr(words, "\"%w50.0 % double\""));
	assert_non_null(strstr(words, "\"lalong scoreboard\""));
	assert_null(strstr(figure->data.text, "sleeping"));
	assert_string_equal(figure->mark[1].text, "long scoreboard, double: 50.0 % of warp time");
	free(single);
	free(dbl);
	free(words);
	figures_free(&figures);
}

/* Kernels that run for 2 % of the time: what their warps wait for decides nothing. */
static void test_no_bars_where_kernels_hardly_run(void **state)
{
	static const int busy[] = {20, 200};

	(void)state;
	for (int i = 0; i < 2; i++) {
		json_t *family = parse(why_json), *model;
		struct figures figures;

		for (int side = 0; side < 2; side++)
			put_pair(family, side ? "double" : "single", "trace",
				json_pack("{s:{s:i, s:{s:i}}}", "work", "span_ns", 1000, "busy_ns", "kernel", busy[i]));
		model = model_with(family);
		figures = figures_plan(model);
		assert_true((canvas_find(&figures, "tile-stalls") == NULL) == (busy[i] == 20));
		figures_free(&figures);
		json_decref(model);
	}
}

static void test_no_counters_no_bars(void **state)
{
	struct figures figures;

	(void)state;
	plan(family_json, &figures);
	assert_null(canvas_find(&figures, "pipe-stalls"));
	figures_free(&figures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_counters_in_order),
		cmocka_unit_test(test_barrier_ways),
		cmocka_unit_test(test_missing_passes_say_why),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_no_bars_where_kernels_hardly_run),
		cmocka_unit_test(test_no_counters_no_bars),
	};

	return cmocka_run_group_tests_name("view: why", tests, NULL, NULL);
}
