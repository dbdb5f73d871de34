/* figure.c: what gnuplot gets to draw, and where things stand in a timeline. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "figure/figure.h"
#include "figure/timeline-data.h"
#include "tree/tree.h"
#include "util/axis.h"

static void test_step_is_nice(void **state)
{
	(void)state;
	assert_true(axis_step(100, 9) == 20);
	assert_true(axis_step(1000, 4) == 250);
	assert_true(fabs(axis_step(0.4, 4) - 0.1) < 1e-12);
	assert_true(axis_step(0, 4) == 1);
	assert_true(axis_step(NAN, 4) == 1);
}

static void test_name_holds_nothing_but_an_id(void **state)
{
	char name[FIGURE_NAME_SIZE];

	(void)state;
	figure_name(name, sizeof(name), 0, "sgemm", "timeline");
	assert_string_equal(name, "sgemm-timeline");
	figure_name(name, sizeof(name), 1, NULL, "timeline");
	assert_string_equal(name, "r2-program-timeline");
	figure_name(name, sizeof(name), 1, "../a b", "timeline");
	assert_int_equal(strncmp(name, "r2-x----a-b-", 12), 0);
	assert_string_equal(name + strlen(name) - strlen("-timeline"), "-timeline");
	assert_null(strpbrk(name, "./ "));
}

static void test_time_unit(void **state)
{
	double scale;

	(void)state;
	assert_string_equal(figure_time_unit(1999, &scale), "ns");
	assert_true(scale == 1);
	assert_string_equal(figure_time_unit(2e3, &scale), "µs");
	assert_string_equal(figure_time_unit(3e8, &scale), "ms");
	assert_string_equal(figure_time_unit(1e12, &scale), "s");
	assert_true(scale == 1e9);
}

static const struct figure *find_figure(const struct figures *figures, const char *name)
{
	for (size_t i = 0; i < figures->n; i++) {
		if (strcmp(figures->list[i].name, name) == 0)
			return &figures->list[i];
	}
	return NULL;
}

/* Block number `index` of a data file, blocks being parted by two blank lines. */
static const char *block(const char *data, int index)
{
	for (; index > 0; index--) {
		data = strstr(data, "\n\n\n");
		assert_non_null(data);
		data += 3;
	}
	return data;
}

static void test_plan_has_what_the_model_can_fill(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	assert_non_null(find_figure(&figures, "pipe-timeline-wide"));
	assert_non_null(find_figure(&figures, "pipe-timeline-narrow"));
	assert_non_null(find_figure(&figures, "pipe-durations-wide"));
	assert_non_null(find_figure(&figures, "pipe-cases-narrow"));
	assert_non_null(find_figure(&figures, "pipe-speedup"));
	assert_non_null(find_figure(&figures, "pipe-steps-race"));
	assert_null(find_figure(&figures, "pipe-thumbnail")); /* double was not traced */
	assert_null(find_figure(&figures, "program-timeline-wide"));
	for (size_t i = 0; i < figures.n; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(figures.list[i].name, figures.list[k].name);
	}
	figures_free(&figures);
	json_decref(model);
}

static void test_empty_model_has_no_figures(void **state)
{
	json_t *model = model_of("", recording_json);
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	assert_int_equal(figures.n, 0);
	figures_free(&figures);
	json_decref(model);
}

static void test_durations_start_at_zero(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	struct figures figures;
	double low, high, y1, y2;
	unsigned color;

	(void)state;
	figures = figures_plan(model);
	const char *data = find_figure(&figures, "pipe-durations-wide")->data.text;
	const char *bar = strchr(block(data, 0), '\n') + 1;
	assert_int_equal(sscanf(bar, "0 0 %lf %lf %lf %lf %u", &low, &high, &y1, &y2, &color), 5);
	assert_true(low == 0 && high == 4); /* 4000 ns in µs */
	assert_int_equal(color, COLOR_SINGLE);
	const char *box = strchr(block(data, 1), '\n') + 1;
	assert_int_equal(sscanf(box, "0 0 %lf %lf", &low, &high), 2);
	assert_true(fabs(low - 3.98) < 1e-9 && fabs(high - 4.04) < 1e-9);
	assert_non_null(strstr(block(data, 6), "\"4.00 µs\""));
	assert_null(strstr(data, "race")); /* it has no time */
	figures_free(&figures);
	json_decref(model);
}

/* The floor as a line, throttled samples as points of their own, and no bar for a part of the work. */
static void test_durations_against_the_floor(void **state)
{
	json_t *family = parse(family_json), *variants = json_object_get(family, "variants");
	json_t *measured = json_array_get(json_object_get(json_array_get(variants, 0), "cases"), 0);
	json_t *recording = parse(recording_json), *model;
	struct figures figures;

	(void)state;
	json_object_set_new(measured, "apart", parse("{'n': 1, 'samples_ns': [5000]}"));
	json_object_set_new(family, "floors", parse("[{'headline': true, 'floor': {'median_ns': 3000}}]"));
	json_array_append_new(variants, parse("{'name': 'copies', 'kind': 'floor', 'part': true, 'buffers': 0, "
					      "'cases': [{'case': 'big', 'time':"
					      "{'median_ns': 3000, 'q1_ns': 3000, 'q3_ns': 3000, 'max_ns': 3000}}]}"));
	json_object_set_new(recording, "families", json_pack("[o]", family));
	model = json_pack("{s:s, s:[o]}", "generator", "dbprof test", "recordings", recording);
	figures = figures_plan(model);
	const char *data = find_figure(&figures, "pipe-durations-wide")->data.text;
	assert_null(strstr(data, "copies"));
	assert_non_null(strstr(block(data, 6), "\"floor: 3.00 µs\""));
	assert_non_null(strstr(block(data, 7), "\n5 "));
	assert_non_null(strstr(block(data, 8), "\n3 2\n3 "));
	figures_free(&figures);
	json_decref(model);
}

static void test_labels_cannot_end_their_quotes(void **state)
{
	struct strbuf out = {0};

	(void)state;
	figure_label(&out, 1, 2, "a\"b\\c\nd");
	assert_string_equal(out.text, "1 2 \"a'b'c'd\"\n");
	strbuf_free(&out);
}

static void test_colour_follows_buffers(void **state)
{
	json_t *one = parse("{'kind': 'candidate', 'buffers': 1}"),
	       *three = parse("{'kind': 'candidate', 'buffers': 3}");
	json_t *control = parse("{'kind': 'control', 'buffers': 1}");

	(void)state;
	assert_int_equal(figure_variant_color(one), COLOR_SINGLE);
	assert_int_equal(figure_variant_color(three), COLOR_DOUBLE);
	assert_int_equal(figure_variant_color(control), COLOR_INK_2);
	json_decref(one);
	json_decref(three);
	json_decref(control);
}

/* ---- timeline ---- */

static void test_strip(void **state)
{
	static const struct strip_part want[] = {
		{0, 50, STRIP_H2D}, {50, 150, STRIP_KERNEL}, {150, 200, STRIP_IDLE}, {200, 300, STRIP_D2H}};
	json_t *family = parse(family_json);
	const json_t *trace = json_object_get(tree_headline_case(family, tree_role(family, "single")), "trace");
	struct strip_part *parts;
	size_t n;

	(void)state;
	const struct timeline_panel panel = {.timeline = json_object_get(trace, "timeline")};
	n = strip_build(&panel, &parts);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(parts[i].start, want[i].start);
		assert_int_equal(parts[i].end, want[i].end);
		assert_int_equal(parts[i].kind, want[i].kind);
	}
	free(parts);
	json_decref(family);
}

static void test_shares_give_no_strip(void **state)
{
	json_t *timeline =
		parse("{'span_ns': 4, 'lanes': [{'class': 'h2d', 'share': [1, 0]}, {'class': 'd2h', 'share': [1]}]}");
	struct timeline_layout layout = {0};
	struct strip_part *parts;
	size_t n;

	(void)state;
	assert_true(timeline_add(&layout, timeline, COLOR_INK_2, "x"));
	n = strip_build(&layout.panel[0], &parts);
	assert_int_equal(n, 0);
	assert_null(parts);
	timeline_place(&layout, FIGURE_WIDE);
	assert_true(layout.panel[0].strip_y < 0);
	json_decref(timeline);
}

static void test_layout(void **state)
{
	json_t *family = parse(family_json);
	struct timeline_layout layout;
	char name[64];

	(void)state;
	assert_true(timeline_family(&layout, family, FIGURE_NARROW));
	assert_int_equal(layout.npanels, 1);
	assert_string_equal(layout.panel[0].title, "single: one, 300 ns");
	assert_true(fabs(layout.to - 303.6) < 1e-9);
	assert_true(fabs(layout.from + 3.036) < 1e-9);
	/* 360 px, 86 at the left and 14 at the right of the plot */
	assert_true(fabs(timeline_pixel(&layout) - (303.6 + 3.036) / 260) < 1e-9);
	/* title, then one row of ranges: the one of depth 1 is out of sight */
	assert_int_equal(layout.panel[0].depths, 1);
	assert_true(timeline_lane_y(&layout.panel[0], 0) == 26 + 22);
	assert_true(timeline_lane_y(&layout.panel[0], 2) == 26 + 22 + 2 * 27);
	assert_true(layout.panel[0].strip_y == 26 + 22 + 3 * 27);
	assert_int_equal(layout.height, 26 + 22 + 4 * 27 + 4 + 48);
	timeline_lane_name(&layout, layout.panel[0].lane[2], name, sizeof(name));
	assert_string_equal(name, "D2H 13");
	json_decref(family);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step_is_nice),
		cmocka_unit_test(test_name_holds_nothing_but_an_id),
		cmocka_unit_test(test_time_unit),
		cmocka_unit_test(test_plan_has_what_the_model_can_fill),
		cmocka_unit_test(test_empty_model_has_no_figures),
		cmocka_unit_test(test_durations_start_at_zero),
		cmocka_unit_test(test_durations_against_the_floor),
		cmocka_unit_test(test_labels_cannot_end_their_quotes),
		cmocka_unit_test(test_colour_follows_buffers),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_shares_give_no_strip),
		cmocka_unit_test(test_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
