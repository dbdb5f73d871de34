/* figure.c: what gnuplot gets to draw, and where things stand in a timeline. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/canvas-fixture.h"
#include "fixtures/family-fixture.h"
#include "fixtures/near.h"
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

static void test_plan_has_what_the_model_can_fill(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	assert_non_null(canvas_find(&figures, "pipe-timeline"));
	assert_non_null(canvas_find(&figures, "pipe-durations"));
	assert_non_null(canvas_find(&figures, "pipe-speedup"));
	assert_non_null(canvas_find(&figures, "pipe-steps-race"));
	assert_null(canvas_find(&figures, "program-timeline"));
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

/* One bar of 4 us, which takes 87 % of the plot with its longest sample. */
static void test_durations_start_at_zero(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	struct figures figures;
	double left, right, y1, y2, q;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-durations");
	char *bars = canvas_rows(figure, 16, canvas_faint(COLOR_SINGLE, 0.35)),
	     *edges = canvas_rows(figure, 1, COLOR_INK);
	char *words = canvas_words(figure, 0);
	assert_int_equal(sscanf(bars, "%lf %lf %lf %lf", &left, &y1, &right, &y2), 4);
	assert_true(left == 0 && y1 == y2);
	assert_near(right, 870 * 4000 / 4100.0, 0.01);
	assert_int_equal(sscanf(edges, "%lf", &q), 1);
	assert_near(q, 870 * 3980 / 4100.0, 0.01);
	assert_non_null(strstr(words, "\"%w4.00 µs\""));      /* behind the bar on wide pages */
	assert_non_null(strstr(words, "\"hnone: 4.00 µs\"")); /* above it on narrow ones */
	assert_null(strstr(figure->data.text, "race"));       /* it has no time */
	assert_int_equal(figure->nmarks, 1);
	assert_string_equal(figure->mark[0].text, "one: median 4.00 µs, quartiles 3.98 µs to 4.04 µs");
	free(bars);
	free(edges);
	free(words);
	figures_free(&figures);
	json_decref(model);
}

/* A family whose variants take so many ns; the first is single. */
static json_t *timed_model(const double *ns, size_t n)
{
	json_t *family = parse(family_json), *variants = json_array(), *recording = parse(recording_json);
	char name[16];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), i == 0 ? "one" : "v%zu", i);
		json_array_append_new(variants,
			json_pack("{s:s, s:s, s:i, s:s, s:[{s:s, s:{s:f, s:f, s:f, s:f}}]}", "name", name, "kind",
				"candidate", "buffers", 1, "role", i == 0 ? "single" : "", "cases", "case", "big",
				"time", "median_ns", ns[i], "q1_ns", ns[i], "q3_ns", ns[i], "max_ns", ns[i]));
	}
	json_object_set_new(family, "variants", variants);
	json_object_set_new(recording, "families", json_pack("[o]", family));
	return json_pack("{s:s, s:[o]}", "generator", "dbprof test", "recordings", recording);
}

/* What takes more than three times as long as the pair does not squeeze it. */
static void test_far_slower_variants_have_an_axis_of_their_own(void **state)
{
	static const double near[] = {1000, 2900}, far[] = {1000, 2900, 50000};
	json_t *model = timed_model(near, 2);
	struct figures figures = figures_plan(model);
	int height = canvas_find(&figures, "pipe-durations")->height;

	(void)state;
	figures_free(&figures);
	json_decref(model);
	model = timed_model(far, 3);
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-durations");
	char *words = canvas_words(figure, 0);
	assert_non_null(strstr(words, "far slower"));
	assert_non_null(strstr(words, "50.0 µs"));
	assert_true(figure->height > height + CANVAS_AXIS_PX);
	assert_near(figure->mark[1].right, CANVAS_WIDTH, 1e-9);
	free(words);
	figures_free(&figures);
	json_decref(model);
}

/* Two programs whose kernels are the same: the kernels' bars, and those of the step where it decides. */
static json_t *programs_model(const char *verdicts, const char *cases)
{
	char text[2048];

	snprintf(text, sizeof(text),
		"{'generator': 'dbprof test', 'recordings': [{'families': [{'name': 'pair', 'title': 'Pair', 'origin': "
		"'programs', 'single': 'one', 'double': 'two', 'sides': [], 'verdicts': %s, 'cases': [%s], 'variants': "
		"[{'name': 'one', 'role': 'single', 'cases': [{'case': 'kernels', 'time': {'median_ns': 10000}}, "
		"{'case': 'program', 'time': {'median_ns': 20000}}]}, {'name': 'two', 'role': 'double', 'cases': "
		"[{'case': "
		"'kernels', 'time': {'median_ns': 10000}}, {'case': 'program', 'time': {'median_ns': 12000}}]}]}]}]}",
		verdicts, cases);
	return parse(text);
}

static void assert_bars_of(const struct figures *figures, const char *name, const char *title, const char *longest)
{
	const struct figure *figure = canvas_find(figures, name);
	char *words;

	if (!figure)
		fail_msg("there is no %s", name);
	words = canvas_words(figure, 1);
	if (!strstr(words, title))
		fail_msg("%s is not of %s: %s", name, title, words);
	free(words);
	assert_non_null(strstr(figure->mark[0].text, longest));
}

static void test_durations_say_what_they_are_of(void **state)
{
	static const char kernels[] = "{'label': 'kernels', 'headline': true}",
			  step[] = "{'label': 'program', 'headline': true}";
	json_t *model = programs_model("{'kernel': {'verdict': 'faster'}, 'program': {'basis': 'range'}}", kernels);
	struct figures figures = figures_plan(model);

	(void)state;
	assert_bars_of(&figures, "pair-durations", "akernel time of a step (", "10.0 µs");
	assert_null(canvas_find(&figures, "pair-step-durations"));
	figures_free(&figures);
	json_decref(model);
	model = programs_model(
		"{'kernel': {'verdict': 'same'}, 'program': {'verdict': 'faster', 'basis': 'range'}}", kernels);
	figures = figures_plan(model);
	assert_bars_of(&figures, "pair-step-durations", "%atime of a step (", "20.0 µs");
	assert_bars_of(&figures, "pair-durations", "akernel time of a step (", "10.0 µs");
	assert_ptr_equal(canvas_find(&figures, "pair-step-durations") + 1, canvas_find(&figures, "pair-durations"));
	figures_free(&figures);
	json_decref(model);
	model = programs_model("{'program': {'verdict': 'faster', 'basis': 'range'}}", step);
	figures = figures_plan(model);
	assert_bars_of(&figures, "pair-durations", "%atime of a step (", "20.0 µs");
	assert_null(canvas_find(&figures, "pair-step-durations"));
	figures_free(&figures);
	json_decref(model);
	model = programs_model("{'program': {'verdict': 'unclear', 'basis': 'wall'}}", step);
	figures = figures_plan(model);
	assert_bars_of(&figures, "pair-durations", "%atime of a process (", "20.0 µs");
	figures_free(&figures);
	json_decref(model);
}

/* ---- values ---- */

/* A contrast that varies a value: `points` are what its values take. */
static json_t *varied_model(const char *basis, const char *points)
{
	char text[2048];

	snprintf(text, sizeof(text),
		"{'generator': 'dbprof test', 'recordings': [{'families': [{'name': 'many', 'title': 'Many', 'origin': "
		"'programs', 'single': 'b=1', 'double': 'b=2', 'curve': {'name': 'b', 'basis': '%s', 'within': 0.02, "
		"'numeric': true, 'points': [%s]}}]}]}",
		basis, points);
	return parse(text);
}

#define POINT(b, kernels, program)                                                                                     \
	"{'variant': 'b=" #b "', 'number': " #b ", 'kernels_ns': " #kernels ", 'program_ns': " #program "}"

static void assert_axes(const char *basis, const char *points, const char *want)
{
	json_t *model = varied_model(basis, points),
	       *recording = json_array_get(json_object_get(model, "recordings"), 0);
	char text[160];

	figure_values_axes(json_array_get(json_object_get(recording, "families"), 0), text, sizeof(text));
	assert_string_equal(text, want);
	json_decref(model);
}

/* An axis that begins at zero is not said to begin elsewhere, and neither is one that has no zero. */
static void test_axes_of_values_in_words(void **state)
{
	(void)state;
	assert_axes("kernels", POINT(1, 1000, 2000) "," POINT(2, 900, 1900), "The axes of times do not begin at zero.");
	assert_axes(
		"kernels", POINT(1, 1000, null) "," POINT(2, 900, null), "The axis of times does not begin at zero.");
	assert_axes("range", POINT(1, null, 1000) "," POINT(2, null, 3001), "The axis of times is logarithmic.");
	assert_axes(
		"range", POINT(1, null, 1000) "," POINT(2, null, 3000), "The axis of times does not begin at zero.");
	assert_axes("kernels", POINT(1, 1000, 1000) "," POINT(2, 90000, 90000), "The axes of times are logarithmic.");
	assert_axes("kernels", POINT(1, 1000, 50000) "," POINT(2, 90000, 90000),
		"The axis of times of kernels is logarithmic. The axis of times of the program does not begin at "
		"zero.");
	assert_axes("range", POINT(1, 1000, 50000) "," POINT(2, 90000, 90000),
		"The axis of times of the program does not begin at zero. The axis of times of kernels is "
		"logarithmic.");
	/* Only quartiles reach as far down. */
	assert_axes("kernels",
		"{'variant': 'b=1', 'number': 1, 'kernels_ns': 1000, 'kernels_quartiles_ns': [1, 1000]}, " POINT(
			2, 1000, null),
		"");
}

/* Where the middle of a value's mark stands, px. */
static double marked_y(const struct figure *figure, size_t i)
{
	return (figure->mark[i].top + figure->mark[i].bottom) / 2;
}

/* One value that is far slower does not squeeze the others, and has its place among round times. */
static void test_a_slow_value_does_not_squeeze_the_others(void **state)
{
	json_t *model = varied_model("kernels",
		POINT(1, 26000, null) "," POINT(2, 52000, null) "," POINT(3, 84000, null) "," POINT(4, 6420000, null));
	struct figures figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "many-values");
	double span = marked_y(figure, 0) - marked_y(figure, 3), step = marked_y(figure, 0) - marked_y(figure, 1);
	char *words = canvas_words(figure, 0);

	(void)state;
	assert_near(step / span, log(2) / log(6420 / 26.0), 1e-6);
	assert_true(span > 100 && span < 150);
	assert_non_null(strstr(words, "\"la0.1\""));
	assert_non_null(strstr(words, "\"la10\""));
	assert_non_null(strstr(words, "kernels, a step (ms, logarithmic)"));
	free(words);
	figures_free(&figures);
	json_decref(model);
}

/* What decides is drawn first. */
static void test_the_times_that_decide_come_first(void **state)
{
	(void)state;
	for (int by_step = 0; by_step < 2; by_step++) {
		json_t *model =
			varied_model(by_step ? "range" : "kernels", POINT(1, 1000, 3000) "," POINT(2, 1000, 2000));
		struct figures figures = figures_plan(model);

		assert_string_equal(canvas_find(&figures, "many-values")->mark[0].text,
			by_step ? "b=1: 3.00 µs, quartiles n/a to n/a" : "b=1: 1.00 µs, quartiles n/a to n/a");
		figures_free(&figures);
		json_decref(model);
	}
}

/* The floor as a line, throttled samples as points of their own, and no bar for a part of the work. */
static void test_durations_against_the_floor(void **state)
{
	json_t *family = parse(family_json), *variants = json_object_get(family, "variants");
	json_t *measured = json_array_get(json_object_get(json_array_get(variants, 0), "cases"), 0);
	json_t *recording = parse(recording_json), *model;
	struct figures figures;
	double x;

	(void)state;
	json_object_set_new(measured, "apart", parse("{'n': 1, 'samples_ns': [5000]}"));
	json_object_set_new(family, "floors", parse("[{'headline': true, 'floor': {'median_ns': 3000}}]"));
	json_array_append_new(variants, parse("{'name': 'copies', 'kind': 'floor', 'part': true, 'buffers': 0, "
					      "'cases': [{'case': 'big', 'time':"
					      "{'median_ns': 3000, 'q1_ns': 3000, 'q3_ns': 3000, 'max_ns': 3000}}]}"));
	json_object_set_new(recording, "families", json_pack("[o]", family));
	model = json_pack("{s:s, s:[o]}", "generator", "dbprof test", "recordings", recording);
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-durations");
	char *ends = canvas_words(figure, 2), *apart = canvas_rows(figure, 3, COLOR_WAIT),
	     *floor = canvas_rows(figure, 1.5, COLOR_INK);
	assert_null(strstr(figure->data.text, "copies"));
	assert_non_null(strstr(ends, "\"%afloor: 3.00 µs\"")); /* at its left: there is more room */
	assert_int_equal(sscanf(apart, "%lf", &x), 1);
	assert_near(x, 870, 0.01);
	assert_int_equal(sscanf(floor, "%lf", &x), 1);
	assert_near(x, 870 * 3 / 5.0, 0.01);
	free(ends);
	free(apart);
	free(floor);
	figures_free(&figures);
	json_decref(model);
}

static void test_texts_cannot_end_their_quotes(void **state)
{
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open(&canvas, &figures, "f", (struct svg_frame){0});
	canvas_text(&canvas, CANVAS_LEFT, CANVAS_ALL, 1, 2, COLOR_INK, "a\"b\\c\nd");
	canvas_close(&canvas);
	char *words = canvas_words(&figures.list[0], 0);
	assert_string_equal(words, "1 2 \"%aa'b'c'd\" 65793");
	free(words);
	figures_free(&figures);
}

/* Shapes of one look are one block, in the order of first use; areas come first. */
static void test_looks_of_a_canvas(void **state)
{
	char wanted[64];
	const struct canvas_look area = {0, COLOR_H2D, false}, path = {2, COLOR_INK, true};
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open(&canvas, &figures, "f", (struct svg_frame){0});
	canvas_bar(&canvas, 1, 2, 10, 4, COLOR_KERNEL);
	canvas_at(&canvas, path, 1, 1);
	canvas_gap(&canvas, path);
	canvas_gap(&canvas, path); /* two gaps are one: two would end the block */
	canvas_at(&canvas, path, 2, 2);
	canvas_at(&canvas, area, 5, 5);
	canvas_bar(&canvas, 7, 7, 10, 4, COLOR_KERNEL); /* of no length: seen all the same */
	canvas_close(&canvas);
	const struct figure *figure = &figures.list[0];
	snprintf(wanted, sizeof(wanted), "0 #00%06X 1 ", COLOR_H2D);
	assert_string_equal(figure->arg[0].text, wanted);
	snprintf(wanted, sizeof(wanted), "4 #00%06X 1 2 #00%06X 2 ", COLOR_KERNEL, COLOR_INK);
	assert_string_equal(figure->arg[1].text, wanted);
	char *bars = canvas_rows(figure, 4, COLOR_KERNEL), *paths = canvas_rows(figure, 2, COLOR_INK);
	assert_string_equal(bars, "1 12\n2 12\n\n7 12\n7.3 12\n");
	assert_string_equal(paths, "1 1\n\n2 2");
	free(bars);
	free(paths);
	figures_free(&figures);
}

/* What has no length is no line; a bar has one that is seen, upright, too. Dots are never in a path with lines. */
static void test_what_is_short_on_a_canvas(void **state)
{
	const struct canvas_look line = {44, COLOR_GRID, false};
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open_fixed(&canvas, &figures, "f", 60);
	canvas_line(&canvas, line, 1, 1, 1, 1);
	canvas_line(&canvas, line, 1, 1, 1, 1.04);
	canvas_column(&canvas, 0, 44, 9.999, 10, COLOR_GRID);
	canvas_column(&canvas, 0, 44, 20, 20, COLOR_GRID);
	canvas_column(&canvas, 0, 44, 30, 40, COLOR_GRID);
	canvas_dot(&canvas, 5, 5, 44, COLOR_GRID);
	canvas_close(&canvas);
	char *lines = canvas_block_at(&figures.list[0], 0), *dots = canvas_block_at(&figures.list[0], 1);
	assert_string_equal(lines, "22 9.7\n22 10\n\n22 19.7\n22 20\n\n22 30\n22 40\n");
	assert_string_equal(dots, "5 5\n5.04 5\n");
	free(lines);
	free(dots);
	figures_free(&figures);
}

/* The paper in rings lies on dots of all colours, also of those that come later. */
static void test_rings_of_two_colours(void **state)
{
	char wanted[64];
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open(&canvas, &figures, "f", (struct svg_frame){0});
	canvas_ring(&canvas, 1, 1, 9, COLOR_SINGLE);
	canvas_ring(&canvas, 2, 2, 9, COLOR_DOUBLE);
	canvas_close(&canvas);
	snprintf(wanted, sizeof(wanted), "9 #00%06X 1 9 #00%06X 1 6 #00%06X 1 ", COLOR_SINGLE, COLOR_DOUBLE,
		COLOR_PAPER);
	assert_string_equal(figures.list[0].arg[1].text, wanted);
	figures_free(&figures);
}

/* So much of the plot is 288 px less its margins on the narrowest page, and 620 less those on the narrowest wide one.
 */
static void test_what_has_room(void **state)
{
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open(&canvas, &figures, "f", (struct svg_frame){100, 50, 40, 38});
	/* ten letters take 10 * 0.62 * 13 + 8 px = 88.6 */
	assert_int_equal(canvas_fits(&canvas, 1000 * 89 / 200.0, "0123456789"), CANVAS_ALL);
	assert_int_equal(canvas_fits(&canvas, 1000 * 88 / 200.0, "0123456789"), CANVAS_WIDE);
	assert_int_equal(canvas_fits(&canvas, 1000 * 89 / 480.0, "0123456789"), CANVAS_WIDE);
	assert_int_equal(canvas_fits(&canvas, 1000 * 88 / 480.0, "0123456789"), CANVAS_NEVER);
	canvas_close(&canvas);
	figures_free(&figures);
}

/* Fine steps are on wide pages alone, and divide those of narrow ones. */
static void test_axis(void **state)
{
	struct figures figures = {0};
	struct canvas canvas;

	(void)state;
	canvas_open(&canvas, &figures, "f", (struct svg_frame){0});
	canvas_axis(&canvas, &(struct canvas_axis){0, 8, 0, 100, "time (s)", "s", false});
	canvas_close(&canvas);
	char *words = canvas_words(&figures.list[0], 1);
	assert_non_null(strstr(words, "\n250 114 \"%a2\""));
	assert_non_null(strstr(words, "\n375 114 \"%w3\""));
	assert_null(strstr(words, "2.5"));
	assert_non_null(strstr(words, "\"%wtime (s)\""));
	assert_non_null(strstr(words, "\"%ns\""));
	free(words);
	figures_free(&figures);
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
	static const struct strip_part want[] = {{0, 50, STRIP_H2D}, {50, 100, STRIP_H2D | STRIP_KERNEL},
		{100, 150, STRIP_KERNEL}, {150, 200, 0}, {200, 300, STRIP_D2H}};
	json_t *family = parse(family_json);
	const json_t *trace = json_object_get(tree_headline_case(family, tree_role(family, "single")), "trace");
	struct strip_part *parts;
	size_t n;

	(void)state;
	const struct timeline_panel panel = {.timeline = json_object_get(trace, "timeline")};
	n = strip_build(&panel, &parts);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(parts[i].start, want[i].start);
		assert_int_equal(parts[i].end, want[i].end);
		assert_int_equal(parts[i].work, want[i].work);
	}
	assert_int_equal(strip_thin(parts, n, 1), 5); /* there is room for all */
	n = strip_thin(parts, n, 150);
	assert_int_equal(n, 2);
	assert_true(parts[0].start == 0 && parts[0].end == 150 && parts[1].work == STRIP_D2H);
	assert_string_equal(strip_words(STRIP_H2D | STRIP_D2H), "copies both ways");
	free(parts);
	json_decref(family);
}

/* Both directions at once are two halves; what a kernel does beside a copy is not hidden by it. */
static void test_strip_shows_all_that_runs(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-timeline");
	char *h2d = canvas_rows(figure, 11, COLOR_H2D), *kernel = canvas_rows(figure, 11, COLOR_KERNEL);
	char *idle = canvas_rows(figure, 22, COLOR_IDLE);
	double from, to, y, low;
	assert_int_equal(sscanf(h2d, "%lf %lf %lf", &from, &y, &to), 3);
	assert_int_equal(sscanf(kernel, "%*f %lf", &low), 1);
	assert_near(from, 1000 * (50 + 3.036) / 306.636, 0.01);
	assert_near(to, 1000 * (100 + 3.036) / 306.636, 0.01);
	assert_near(low - y, 11, 1e-6);
	assert_true(*idle);
	free(h2d);
	free(kernel);
	free(idle);
	figures_free(&figures);
	json_decref(model);
}

/* Events that nobody can tell apart are one; a long one stays as it is. */
static void test_slices(void **state)
{
	json_t *lane = parse(
		"{'events': [{'start_ns': 0, 'end_ns': 1}, {'start_ns': 2, 'end_ns': 3},"
		" {'start_ns': 4, 'end_ns': 50}, {'start_ns': 50, 'end_ns': 51}, {'start_ns': 90, 'end_ns': 91}]}");
	struct timeline_slice *slices;
	size_t n;

	(void)state;
	n = timeline_slices(lane, 10, &slices);
	assert_int_equal(n, 4);
	assert_true(slices[0].start == 0 && slices[0].end == 3 && slices[0].events == 2);
	assert_true(slices[1].end == 50 && slices[1].events == 1);
	free(slices);
	n = timeline_slices(lane, 0, &slices);
	assert_int_equal(n, 5);
	free(slices);
	json_decref(lane);
}

/* Work of other steps is one slice of its own unless it is too near to work of the step. */
static void test_slices_of_other_steps(void **state)
{
	json_t *lane =
		parse("{'count': 4, 'others': 3, 'events': [{'start_ns': 0, 'end_ns': 1, 'own': false},"
		      " {'start_ns': 2, 'end_ns': 3, 'own': false}, {'start_ns': 50, 'end_ns': 51, 'own': false},"
		      " {'start_ns': 52, 'end_ns': 53}]}");
	struct timeline_slice *slices;

	(void)state;
	assert_int_equal(timeline_slices(lane, 10, &slices), 2);
	assert_true(slices[0].others && !slices[1].others);
	free(slices);
	assert_int_equal(timeline_slices(lane, 0, &slices), 4);
	assert_true(slices[2].others && !slices[3].others);
	free(slices);
	assert_false(timeline_all_others(lane));
	json_object_set_new(lane, "others", json_integer(4));
	assert_true(timeline_all_others(lane));
	json_decref(lane);
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
	timeline_place(&layout);
	assert_true(layout.panel[0].strip_y < 0);
	json_decref(timeline);
}

/* A step begins before its work and ends behind it: nothing runs there. */
static void test_steps_begin_before_their_work(void **state)
{
	json_t *timeline =
		parse("{'span_ns': 100, 'lanes': ["
		      " {'class': 'h2d', 'device': 0, 'process': 1, 'events': [{'start_ns': 10, 'end_ns': 20}]},"
		      " {'class': 'kernel', 'device': 0, 'process': 1, 'events': [{'start_ns': 20, 'end_ns': 60}]}]}");
	struct timeline_layout layout = {.of_steps = true};
	struct strip_part *parts;

	(void)state;
	timeline_step(&layout, timeline, COLOR_SINGLE, "stages=1, 100 ns");
	assert_int_equal(layout.npanels, 1);
	assert_string_equal(layout.panel[0].title, "stages=1, 100 ns");
	assert_int_equal(strip_build(&layout.panel[0], &parts), 4);
	assert_true(parts[0].start == 0 && parts[0].end == 10 && parts[0].work == 0);
	assert_true(parts[3].start == 60 && parts[3].end == 100 && parts[3].work == 0);
	/* Names of lanes are short here, and that of the last row must fit, too. */
	timeline_place(&layout);
	assert_true(layout.panel[0].strip_y > 0 && layout.frame.narrow_left >= 80);
	free(parts);
	json_decref(timeline);
}

/* Of each side four panels at most, of the busiest processes. */
static void test_steps_of_processes(void **state)
{
	json_t *timeline = parse("{'span_ns': 100, 'lanes': []}"), *lanes = json_object_get(timeline, "lanes");
	struct timeline_layout layout = {.of_steps = true};

	(void)state;
	for (int i = 0; i < 6; i++)
		json_array_append_new(
			lanes, json_pack("{s:s, s:i, s:i, s:i, s:[{s:i, s:i}]}", "class", "kernel", "stream", 7,
				       "device", i, "process", 40 + i, "events", "start_ns", 1, "end_ns", 10 + i));
	timeline_step(&layout, timeline, COLOR_SINGLE, "base, 100 ns");
	assert_int_equal(layout.npanels, 4);
	assert_string_equal(layout.panel[0].title, "base, 100 ns: GPU 2, process 42");
	assert_int_equal(layout.panel[0].color, COLOR_SINGLE);
	assert_int_equal(layout.panel[0].nlanes, 1);
	assert_true(layout.panel[0].whole && layout.panel[3].whole);
	timeline_step(&layout, timeline, COLOR_DOUBLE, "new, 100 ns");
	assert_int_equal(layout.npanels, 8);
	assert_string_equal(layout.panel[7].title, "new, 100 ns: GPU 5, process 45");
	json_decref(timeline);
}

/* The axis, and the title of the first panel, of a step that is shown in this window; with an older recording's for "".
 */
static void assert_step_called(const char *window, const char *axis, const char *title, bool alone)
{
	json_t *model = model_of(family_json, recording_json);
	json_t *family =
		json_array_get(json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families"), 0);
	json_t *step = json_pack("{s:i}", "step", 3);
	const json_t *single = tree_headline_case(family, tree_role(family, "single"));
	json_t *lane, *lanes = json_object_get(json_object_get(json_object_get(single, "trace"), "timeline"), "lanes");
	struct timeline_layout layout;
	struct figures figures;
	const struct figure *figure;
	size_t i;

	json_array_foreach(lanes, i, lane)
		json_object_update_new(lane, json_pack("{s:i, s:i}", "device", 0, "process", 1));
	json_object_set_new(family, "origin", json_string("programs"));
	if (*window)
		json_object_set_new(step, "window", json_string(window));
	json_object_set_new(family, "sides",
		json_pack("[{s:O, s:o}]", "name", json_object_get(family, "single"), "median_step", step));
	figures = figures_plan(model);
	figure = canvas_find(&figures, "pipe-timeline");
	assert_non_null(strstr(figure->data.text, axis));
	assert_non_null(strstr(figure->data.text, alone ? "the step as a whole" : "the GPU as a whole"));
	assert_true(timeline_family(&layout, family));
	assert_string_equal(layout.panel[0].title, title);
	figures_free(&figures);
	json_decref(model);
}

/* A length says what it is. Without the work of other steps the last row is not the whole GPU. */
static void test_windows_of_steps(void **state)
{
	(void)state;
	assert_step_called("duration", "time since the step began", "one, 300 ns", false);
	assert_step_called("period", "time since the step began", "one, 300 ns from step to step", false);
	assert_step_called(
		"kernels", "time since the step's first kernel began", "one, 300 ns from step to step", false);
	assert_step_called("work", "time since the step's first work began", "one, 300 ns of a step's work", false);
	assert_step_called("run", "time since the step began", "one, 300 ns", false);
	assert_step_called("", "time since the step began", "one, 300 ns with all its work", true);
}

/* Sides are called by their names, and time begins with the step. */
static void test_timeline_of_programs(void **state)
{
	json_t *model = model_of(family_json, recording_json);
	json_t *family =
		json_array_get(json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families"), 0);
	struct figures figures;
	const struct figure *figure;

	(void)state;
	json_object_set_new(family, "origin", json_string("programs"));
	figures = figures_plan(model);
	figure = canvas_find(&figures, "pipe-timeline");
	assert_non_null(strstr(figure->data.text, "time since the step began"));
	assert_null(strstr(figure->desc, "single:"));
	assert_null(canvas_find(&figures, "pipe-frames"));
	figures_free(&figures);
	json_decref(model);
}

static void test_layout(void **state)
{
	json_t *family = parse(family_json);
	struct timeline_layout layout;
	char name[64];

	(void)state;
	assert_true(timeline_family(&layout, family));
	assert_int_equal(layout.npanels, 1);
	assert_string_equal(layout.panel[0].title, "single: one, 300 ns");
	assert_true(fabs(layout.to - 303.6) < 1e-9);
	assert_true(fabs(layout.from + 3.036) < 1e-9);
	/* a slice for each pixel of the widest page */
	assert_near(timeline_slice(&layout), (303.6 + 3.036) / CANVAS_WIDEST_PX, 1e-9);
	assert_int_equal(layout.frame.left, 7 * (int)strlen("host to device, stream 13") + 12);
	/* title, then one row of ranges: the one of depth 1 is out of sight */
	assert_int_equal(layout.panel[0].depths, 1);
	assert_true(timeline_lane_y(&layout.panel[0], 0) == 26 + 22);
	assert_true(timeline_lane_y(&layout.panel[0], 2) == 26 + 22 + 2 * 27);
	assert_true(layout.panel[0].strip_y == 26 + 22 + 3 * 27);
	assert_int_equal(layout.height, 26 + 22 + 4 * 27 + 2 + CANVAS_AXIS_PX);
	timeline_lane_name(layout.panel[0].lane[2], true, name, sizeof(name));
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
		cmocka_unit_test(test_durations_say_what_they_are_of),
		cmocka_unit_test(test_axes_of_values_in_words),
		cmocka_unit_test(test_a_slow_value_does_not_squeeze_the_others),
		cmocka_unit_test(test_the_times_that_decide_come_first),
		cmocka_unit_test(test_far_slower_variants_have_an_axis_of_their_own),
		cmocka_unit_test(test_texts_cannot_end_their_quotes),
		cmocka_unit_test(test_looks_of_a_canvas),
		cmocka_unit_test(test_what_is_short_on_a_canvas),
		cmocka_unit_test(test_rings_of_two_colours),
		cmocka_unit_test(test_what_has_room),
		cmocka_unit_test(test_axis),
		cmocka_unit_test(test_colour_follows_buffers),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_strip_shows_all_that_runs),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_slices_of_other_steps),
		cmocka_unit_test(test_shares_give_no_strip),
		cmocka_unit_test(test_steps_begin_before_their_work),
		cmocka_unit_test(test_steps_of_processes),
		cmocka_unit_test(test_windows_of_steps),
		cmocka_unit_test(test_timeline_of_programs),
		cmocka_unit_test(test_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
