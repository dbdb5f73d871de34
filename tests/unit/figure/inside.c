/* inside.c: the warps of a block over cycles, and waiting step by step: what gnuplot gets to draw. */
#include <stdio.h>

#include "fixtures/pair-fixture.h"

#include "fixtures/near.h"
#include "figure/inside-data.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Two warps, two steps, 400 cycles; out of order, and with rows that make no sense. */
static const char single_json[] =
	"{'block': 5, 'warps': 2, 'blocks': 4, 'grid_blocks': 1024, 'plain_ns': 1000, 'stamped_ns': 1020,"
	" 'plain_registers': 32, 'stamped_registers': 34, 'perturbation': {'kernel': 0.02, 'block': 0.025},"
	" 'shares': {'load': 0.25, 'wait': 0.3, 'compute': 0.35, 'store': 0.1},"
	" 'steps': [{'step': 0, 'load': 100, 'wait': 200, 'compute': 100, 'store': 0, 'wait_share': 0.5},"
	"  {'step': 1, 'load': 0, 'wait': 100, 'compute': 200, 'store': 100, 'wait_share': 0.25},"
	"  {'step': 2, 'load': 0, 'wait': 0, 'compute': 0, 'store': 0, 'wait_share': null}],"
	" 'events': [[1, 0, 'load', 20, 120], [0, 0, 'compute', 150, 250], [0, 0, 'load', 0, 100], [0, 0, 'wait', 100, "
	"150],"
	"  [1, 1, 'store', 380, 400], [0, 0, 'nap', 0, 10], [0, 0, 'wait', 30, 30], [-1, 0, 'wait', 0, 10], 7]}";

static const char double_json[] =
	"{'block': null, 'warps': 1, 'blocks': 4, 'grid_blocks': 1024, 'segments': 3, 'plain_ns': 1000, 'stamped_ns': "
	"1050,"
	" 'perturbation': {'kernel': 0.05, 'block': null}, 'shares': {'wait': 0.1},"
	" 'steps': [{'step': 0, 'load': 0, 'wait': 10, 'compute': 90, 'store': 0, 'wait_share': 0.1}],"
	" 'events': [[0, 0, 'load', 0, 300]]}";

static json_t *pair(void)
{
	json_t *family = parse(family_json);

	put_pair(family, "single", "phases", parse(single_json));
	put_pair(family, "double", "phases", parse(double_json));
	return family;
}

static void test_events_are_sorted_and_checked(void **state)
{
	static const struct inside_event want[] = {{0, 0, INSIDE_LOAD, 0, 100}, {0, 0, INSIDE_WAIT, 100, 150},
		{0, 0, INSIDE_COMPUTE, 150, 250}, {1, 0, INSIDE_LOAD, 20, 120}, {1, 1, INSIDE_STORE, 380, 400}};
	json_t *phases = parse(single_json);
	struct inside_event *events;
	size_t n;

	(void)state;
	n = inside_events(phases, &events);
	assert_int_equal(n, COUNT(want));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(events[i].warp, want[i].warp);
		assert_int_equal(events[i].step, want[i].step);
		assert_int_equal(events[i].phase, want[i].phase);
		assert_true(events[i].start == want[i].start && events[i].end == want[i].end);
	}
	free(events);
	n = inside_events(NULL, &events);
	assert_int_equal(n, 0);
	free(events);
	json_decref(phases);
}

static void test_short_events_become_shares(void **state)
{
	/* Slices of 10: [0,10) [10,20) ... The long event leaves 2 of the second and of the third. */
	static const struct inside_event events[] = {{0, 0, INSIDE_LOAD, 0, 4}, {0, 0, INSIDE_WAIT, 4, 9},
		{0, 0, INSIDE_LOAD, 10, 12}, {0, 0, INSIDE_COMPUTE, 12, 28}, {0, 0, INSIDE_WAIT, 28, 30},
		{0, 0, INSIDE_STORE, 38, 42}};
	double shares[5][INSIDE_PHASES];

	(void)state;
	inside_shares(events, COUNT(events), 0, 50, shares, 5);
	assert_near(shares[0][INSIDE_LOAD], 0.4, 1e-12);
	assert_near(shares[0][INSIDE_WAIT], 0.5, 1e-12);
	assert_near(shares[1][INSIDE_LOAD], 1, 1e-12);
	assert_near(shares[2][INSIDE_WAIT], 1, 1e-12);
	assert_near(shares[3][INSIDE_STORE], 0.2, 1e-12);
	assert_near(shares[4][INSIDE_STORE], 0.2, 1e-12);
	for (int slice = 0; slice < 5; slice++)
		assert_true(shares[slice][INSIDE_COMPUTE] == 0);
}

static void test_layout(void **state)
{
	json_t *family = pair();
	struct inside_layout layout;

	(void)state;
	assert_true(inside_family(&layout, family, false));
	assert_int_equal(layout.npanels, 2);
	assert_string_equal(layout.panel[0].title, "single: one, block 5");
	assert_string_equal(layout.panel[1].title, "double: two, mean block");
	assert_true(layout.from == 0 && layout.to == 400);
	assert_int_equal(layout.row, 14); /* one row: not thicker than this */
	assert_true(layout.panel[0].lane_y == 26 && layout.panel[0].rows_y == 26 + 22 + 3);
	/* the first panel ends with its one row and 2 px; 14 px between the two */
	assert_true(layout.panel[1].title_y == 51 + 14 + 2 + 14);
	assert_int_equal(layout.height, 81 + 51 + 2 + 2 + CANVAS_AXIS_PX);
	assert_false(inside_family(&layout, family, true)); /* three steps: nothing to zoom into */
	json_decref(family);
	family = parse(family_json);
	assert_false(inside_family(&layout, family, false));
	json_decref(family);
}

static void test_what_is_drawn(void **state)
{
	json_t *model = model_with(pair());
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-inside");
	assert_non_null(figure);
	assert_null(canvas_find(&figures, "pipe-inside-zoom"));
	/* 400 cycles are 1000 units. Warp 1 of single is in a row 13 px high: 51 + 0.5 + 6.5 */
	char *rows = canvas_rows(figure, 13, COLOR_H2D), *lane = canvas_rows(figure, 22, COLOR_H2D);
	char *texts = canvas_words(figure, 1);
	assert_string_equal(rows, "50 58\n300 58\n");
	/* warp 0 of single and of double, in the middle of their lanes: 26 + 11, 81 + 26 + 11 */
	assert_string_equal(lane, "0 37\n250 37\n\n0 118\n750 118\n");
	assert_non_null(strstr(texts, "\n125 37 \"%wLoad 0\""));
	assert_non_null(strstr(texts, "\n125 37 \"%nL0\""));
	free(rows);
	free(lane);
	free(texts);
	figures_free(&figures);
	json_decref(model);
}

/* Each warp loads for 3 cycles and waits for 1, over and over. */
static json_t *many_events(int warps, int n)
{
	json_t *phases = parse("{'block': 0}"), *events = json_array();

	for (int i = 0; i < warps * n; i++) {
		int warp = i / n, step = i % n;

		json_array_append_new(events, json_pack("[i, i, s, i, i]", warp, step, "load", 4 * step, 4 * step + 3));
		json_array_append_new(
			events, json_pack("[i, i, s, i, i]", warp, step, "wait", 4 * step + 3, 4 * step + 4));
	}
	json_object_set_new(phases, "events", events);
	return phases;
}

static void test_a_million_events(void **state)
{
	json_t *family = parse(family_json);
	struct figures figures;
	double x, y, to;

	(void)state;
	put_pair(family, "single", "phases", many_events(1, 500000));
	json_t *model = model_with(family);
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-inside");
	assert_non_null(figure);
	assert_true(figure->data.length < 100000);
	/* In each slice three quarters of the lane from its lower edge up, to a whole pixel, and the rest above it. */
	char *load = canvas_rows(figure, 17, COLOR_H2D), *wait = canvas_rows(figure, 5, COLOR_WAIT);
	assert_int_equal(sscanf(load, "%lf %lf %lf", &x, &y, &to), 3);
	assert_near(y, 48 - 8.5, 0.01);
	assert_int_equal(sscanf(wait, "%lf %lf", &x, &y), 2);
	assert_near(y, 48 - 17 - 2.5, 0.01);
	free(load);
	free(wait);
	figures_free(&figures);
	json_decref(model);
}

/* Size of the figure's data. */
static size_t data_size(int warps, int n)
{
	json_t *family = parse(family_json);
	struct figures figures;
	size_t size;

	put_pair(family, "single", "phases", many_events(warps, n));
	json_t *model = model_with(family);
	figures = figures_plan(model);
	size = canvas_find(&figures, "pipe-inside")->data.length;
	figures_free(&figures);
	json_decref(model);
	return size;
}

static void test_many_warps_do_not_make_a_large_figure(void **state)
{
	size_t small = data_size(32, 1000), large = data_size(32, 10000);

	(void)state;
	assert_true(small < 300000);
	assert_near((double)large / (double)small, 1, 0.1);
}

/* Eight steps of 100 cycles. */
static void test_zoom(void **state)
{
	json_t *family = parse(family_json);
	json_t *phases = parse("{'block': 0}"), *events = json_array(), *steps = json_array();
	struct inside_layout layout;

	(void)state;
	for (int i = 0; i < 8; i++) {
		json_array_append_new(events, json_pack("[i, i, s, i, i]", 0, i, "load", 100 * i, 100 * i + 100));
		json_array_append_new(steps, json_pack("{s:i}", "step", i));
	}
	json_object_set_new(phases, "events", events);
	json_object_set_new(phases, "steps", steps);
	put_pair(family, "double", "phases", phases);
	assert_true(inside_family(&layout, family, true));
	assert_true(layout.to == 400); /* four steps */
	assert_true(inside_family(&layout, family, false));
	assert_true(layout.to == 800);
	json_decref(family);
}

static void test_steps_are_grouped(void **state)
{
	json_t *phases = parse(single_json);
	struct wait_step *steps;
	size_t n;

	(void)state;
	n = wait_steps(phases, 2, &steps);
	assert_int_equal(n, 2);
	assert_true(steps[0].first == 0 && steps[0].last == 1);
	assert_near(wait_share(&steps[0]), 300.0 / 800, 1e-12);
	assert_true(isnan(wait_share(&steps[1]))); /* no cycle was counted */
	free(steps);
	json_decref(phases);
}

static void test_both_are_grouped_alike(void **state)
{
	json_t *family = pair();

	(void)state;
	assert_int_equal(wait_group(family, 40), 1);
	assert_int_equal(wait_group(family, 2), 2); /* of single's three */
	assert_int_equal(wait_group(family, 1), 3);
	json_decref(family);
}

static void test_waiting_by_step(void **state)
{
	json_t *model = model_with(pair());
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-wait");
	assert_non_null(figure);
	/* three steps, from -0.5 to 2.5; 0 to 100 % are 182 px from 192 up */
	char *single = canvas_rows(figure, 2.5, COLOR_SINGLE), *dbl = canvas_rows(figure, 2.5, COLOR_DOUBLE);
	char *names = canvas_words(figure, 0);
	assert_string_equal(single, "0 101\n333.333 101\n333.333 146.5\n666.667 146.5\n");
	assert_string_equal(dbl, "0 173.8\n333.333 173.8\n");
	/* single's last step has no share: its name stands at the height at which its curve ends */
	assert_non_null(strstr(names, "146.5 \"rasingle\""));
	assert_non_null(strstr(names, "173.8 \"radouble\""));
	free(single);
	free(dbl);
	free(names);
	figures_free(&figures);
	json_decref(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_are_sorted_and_checked),
		cmocka_unit_test(test_short_events_become_shares),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_what_is_drawn),
		cmocka_unit_test(test_a_million_events),
		cmocka_unit_test(test_many_warps_do_not_make_a_large_figure),
		cmocka_unit_test(test_zoom),
		cmocka_unit_test(test_steps_are_grouped),
		cmocka_unit_test(test_both_are_grouped_alike),
		cmocka_unit_test(test_waiting_by_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
