/* pm.c: what PM sampling saw: which samples belong to which curve, and what gnuplot gets to draw. */
#include <stdio.h>

#include "fixtures/pair-fixture.h"

#include "fixtures/near.h"
#include "fixtures/canvas-fixture.h"
#include "figure/pm-data.h"

/* Two sets: percentages, and bytes in intervals of 100 and 50 ns; samples out of order, one without a value. */
static const char sets_json[] =
	"[{'set': 'sm', 'interval_ns': 100, 'overflow': false, 'duration_ns': 300,"
	"  'metrics': ['sm__warps_active.avg.pct_of_peak_sustained_elapsed', "
	"'sm__cycles_active.avg.pct_of_peak_sustained_elapsed'],"
	"  'samples': [[100, 200, 50, 100], [0, 100, 25, 75], [200, 300, null, 100]], 'work': []},"
	" {'set': 'pcie', 'interval_ns': 100, 'overflow': true, 'duration_ns': 310,"
	"  'metrics': ['pcie__read_bytes.sum', 'pcie__write_bytes.sum'],"
	"  'samples': [[0, 100, 2000, 0], [100, 150, 2000, 500]],"
	"  'work': [{'class': 'h2d', 'stream': 1, 'start': 0, 'end': 150, 'name': null},"
	"   {'class': 'kernel', 'stream': 1, 'start': 150, 'end': 200, 'name': 'k'},"
	"   {'class': 'h2d', 'stream': 2, 'start': 100, 'end': 200, 'name': null}]}]";

/* The last is of a set that was not recorded. */
static const char metrics_json[] =
	"[{'key': 'pm_occupancy', 'pass': 'counters', 'set': 'sm', 'unit': '%', 'formula': '0'},"
	" {'key': 'pm_occupancy', 'pass': 'pm', 'set': 'sm', 'unit': '% of peak',"
	"  'formula': 'sm__warps_active.avg.pct_of_peak_sustained_elapsed'},"
	" {'key': 'pm_active_sms', 'pass': 'pm', 'set': 'sm', 'unit': '% of SMs',"
	"  'formula': 'sm__cycles_active.avg.pct_of_peak_sustained_elapsed'},"
	" {'key': 'pm_pcie_read', 'pass': 'pm', 'set': 'pcie', 'unit': 'bytes', 'formula': 'pcie__read_bytes.sum'},"
	" {'key': 'pm_pcie_write', 'pass': 'pm', 'set': 'pcie', 'unit': 'bytes', 'formula': 'pcie__write_bytes.sum'},"
	" {'key': 'pm_dram_read', 'pass': 'pm', 'set': 'dram', 'unit': 'bytes', 'formula': 'dram__bytes_read.sum'}]";

/* Each sample of a set as so many: of the same level, which for bytes is their part of them. */
static void split_samples(json_t *set, int parts, double share)
{
	json_t *all = json_array(), *samples = json_object_get(set, "samples");

	for (size_t i = 0; i < json_array_size(samples); i++) {
		json_t *sample = json_array_get(samples, i);
		double start = json_number_value(json_array_get(sample, 0)),
		       end = json_number_value(json_array_get(sample, 1));

		for (int k = 0; k < parts; k++) {
			json_t *part = json_deep_copy(sample);

			json_array_set_new(part, 0, json_real(start + (end - start) * k / parts));
			json_array_set_new(part, 1, json_real(start + (end - start) * (k + 1) / parts));
			for (size_t v = 2; v < json_array_size(part); v++) {
				if (json_is_number(json_array_get(part, v)))
					json_array_set_new(
						part, v, json_real(share * json_number_value(json_array_get(part, v))));
			}
			json_array_append_new(all, part);
		}
	}
	json_object_set_new(set, "samples", all);
}

/* A family with enough samples for curves, if each is in `parts`. */
static json_t *sampled_in(int parts)
{
	json_t *family = parse(family_json), *sets = parse(sets_json);

	assert_int_equal(json_object_set_new(family, "metrics", parse(metrics_json)), 0);
	split_samples(json_array_get(sets, 0), parts, 1);
	split_samples(json_array_get(sets, 1), parts, 1.0 / parts);
	put_pair(family, "single", "pm", sets);
	return family;
}

static json_t *sampled(void)
{
	return sampled_in(10);
}

static void test_few_samples_give_no_curve(void **state)
{
	json_t *family = sampled_in(9); /* 18 of occupancy, 27 of active SMs */
	struct pm_layout layout;

	(void)state;
	assert_true(pm_family(&layout, family));
	assert_true(layout.graph[0] && !layout.graph[1]);
	json_decref(family);
	family = sampled_in(6);
	assert_false(pm_family(&layout, family));
	json_decref(family);
}

static void test_samples_of_a_curve(void **state)
{
	json_t *sets = parse(sets_json), *metrics = parse(metrics_json);
	struct value_sample *samples;
	size_t n;

	(void)state;
	n = pm_samples(metrics, sets, &pm_graph(0)->curve[0], &samples);
	assert_int_equal(n, 2);
	assert_true(samples[0].start == 0 && samples[0].value == 25);
	assert_true(samples[1].end == 200 && samples[1].value == 50);
	free(samples);
	/* bytes of an interval as GB/s: 2000 B in 100 ns, then in 50 */
	n = pm_samples(metrics, sets, &pm_graph(1)->curve[0], &samples);
	assert_int_equal(n, 2);
	assert_near(samples[0].value, 20, 1e-12);
	assert_near(samples[1].value, 40, 1e-12);
	free(samples);
	n = pm_samples(metrics, sets, &pm_graph(2)->curve[0], &samples);
	assert_int_equal(n, 0);
	free(samples);
	json_decref(metrics);
	json_decref(sets);
}

static void test_layout(void **state)
{
	json_t *family = sampled();
	struct pm_layout layout;

	(void)state;
	assert_true(pm_family(&layout, family));
	assert_int_equal(layout.npanels, 1);
	assert_string_equal(layout.panel[0].title, "single: one, 310 ns"); /* the longest of the runs */
	assert_true(layout.graph[0] && layout.graph[1] && !layout.graph[2]);
	assert_true(layout.top[0] == 100 && layout.top[1] == 40);
	assert_true(layout.panel[0].lane[0] && layout.panel[0].lane[1] && !layout.panel[0].lane[2]);
	/* title, two lanes, and the graphs */
	assert_true(layout.panel[0].graph_y[0] == 26 + 2 * 20);
	assert_true(layout.panel[0].graph_y[1] == 66 + 24 + 64);
	assert_int_equal(layout.height, 66 + 2 * 88 + 6 + CANVAS_AXIS_PX);
	json_decref(family);
	family = parse(family_json);
	assert_false(pm_family(&layout, family));
	json_decref(family);
}

static void test_what_is_drawn(void **state)
{
	json_t *model = model_with(sampled());
	struct figures figures;
	double start, end;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-pm");
	assert_non_null(figure);
	char *boxes = canvas_rows(figure, PM_LANE_PX, COLOR_H2D), *lines = canvas_rows(figure, 1.4, COLOR_INK);
	char *areas = canvas_rows(figure, 0, canvas_faint(COLOR_SINGLE, 0.55));
	/* 310 ns end at 98.8 % of an axis that begins a hundredth before zero: x(t) */
	const double to = 1.012 * 310, from = -to / 100, scale = 1000 / (to - from);
	char want[200];
	/* copies of two streams in one lane are one box */
	assert_int_equal(sscanf(boxes, "%lf %*f %lf", &start, &end), 2);
	assert_near(start, round(scale * -from), 0.01);
	assert_near(end, round(scale * (200 - from)), 0.01);
	/* occupancy: from zero (66 + 24 + 64) up to a quarter and a half of 64 px, and back */
	double x[] = {round(scale * -from), round(scale * (100 - from)), round(scale * (200 - from))};
	snprintf(want, sizeof(want), "%.6g 154\n%.6g 138\n%.6g 138\n%.6g 122\n%.6g 122\n%.6g 154\n\n", x[0], x[0], x[1],
		x[1], x[2], x[2]);
	assert_non_null(strstr(areas, want));
	/* PCIe reads: 20 and 40 of 40 GB/s over zero at 242 */
	snprintf(want, sizeof(want), "%.6g 242\n%.6g 210\n%.6g 210\n%.6g 178\n", x[0], x[0], x[1], x[1]);
	assert_non_null(strstr(areas, want));
	/* active SMs as a line has no zero in it; the value that stays the same has no point of its own */
	snprintf(want, sizeof(want), "%.6g 106\n%.6g 106\n%.6g 90\n", x[0], x[1], x[1]);
	assert_non_null(strstr(lines, want));
	free(boxes);
	free(areas);
	free(lines);
	figures_free(&figures);
	json_decref(model);
}

/* 100,000 samples of 10 ns that alternate between 0 and 80 %, and a hole of 1000 in their middle. */
static json_t *many_samples(void)
{
	json_t *samples = json_array(), *metrics = json_array();

	json_array_append_new(metrics, json_string("sm__warps_active.avg.pct_of_peak_sustained_elapsed"));
	for (int i = 0; i < 100000; i++) {
		if (i < 50000 || i >= 51000)
			json_array_append_new(samples, json_pack("[i, i, i]", 10 * i, 10 * i + 10, i % 2 ? 80 : 0));
	}
	return json_pack("[{s:s, s:i, s:i, s:o, s:o}]", "set", "sm", "duration_ns", 1000000, "interval_ns", 10,
		"metrics", metrics, "samples", samples);
}

static void test_many_samples_are_averaged(void **state)
{
	json_t *family = parse(family_json);
	struct figures figures;
	int holes = 0;

	(void)state;
	put_pair(family, "single", "pm", many_samples());
	assert_int_equal(json_object_set_new(family, "metrics", parse(metrics_json)), 0);
	json_t *model = model_with(family);
	figures = figures_plan(model);
	const struct figure *figure = canvas_find(&figures, "pipe-pm");
	assert_non_null(figure);
	assert_true(figure->data.length < 20000);
	char *areas = canvas_rows(figure, 0, canvas_faint(COLOR_SINGLE, 0.55));
	/* a mean of 40 % of 64 px: 26 above zero, which lies at 26 + 24 + 64 */
	assert_non_null(strstr(areas, " 88\n"));
	assert_null(strstr(areas, " 63\n")); /* no sample's own 80 % */
	for (const char *at = strstr(areas, "\n\n"); at; at = strstr(at + 2, "\n\n"))
		holes++;
	assert_int_equal(holes, 1); /* between the two parts */
	free(areas);
	figures_free(&figures);
	json_decref(model);
}

/* PCIe reads of 1 GB/s, in one of 1000 samples 100 GB/s. */
static json_t *one_high_sample(void)
{
	json_t *samples = json_array();

	for (int i = 0; i < 1000; i++)
		json_array_append_new(
			samples, json_pack("[i, i, i, i]", 100 * i, 100 * i + 100, i == 500 ? 10000 : 100, 0));
	return json_pack("[{s:s, s:i, s:i, s:[s, s], s:o}]", "set", "pcie", "duration_ns", 100000, "interval_ns", 100,
		"metrics", "pcie__read_bytes.sum", "pcie__write_bytes.sum", "samples", samples);
}

/* The axis has room for what is drawn, which is a mean of five samples and more. */
static void test_the_axis_fits_the_curve(void **state)
{
	json_t *family = parse(family_json);
	struct pm_layout layout;

	(void)state;
	put_pair(family, "single", "pm", one_high_sample());
	assert_int_equal(json_object_set_new(family, "metrics", parse(metrics_json)), 0);
	assert_true(pm_family(&layout, family));
	assert_in_range((int)layout.top[1], 15, 25);
	json_decref(family);
}

/* How many bars four kernels of 20 us become, of which each begins `pause` ns behind the one before. */
static int bars_with_pauses(double pause)
{
	json_t *work = json_array(), *sets = one_high_sample(), *family = parse(family_json);
	struct figures figures;
	int bars = 0;
	double left, right, before = -1;

	for (int i = 0; i < 4; i++)
		json_array_append_new(work, json_pack("{s:s, s:i, s:f, s:f}", "class", "kernel", "stream", 1, "start",
						    i * 20000.0 + pause, "end", (i + 1) * 20000.0));
	json_object_set_new(json_array_get(sets, 0), "work", work);
	put_pair(family, "single", "pm", sets);
	assert_int_equal(json_object_set_new(family, "metrics", parse(metrics_json)), 0);
	json_t *model = model_with(family);
	figures = figures_plan(model);
	char *rows = canvas_rows(canvas_find(&figures, "pipe-pm"), PM_LANE_PX, COLOR_KERNEL);
	for (const char *at = rows; sscanf(at, "%lf %*f %lf", &left, &right) == 2;) {
		bars++;
		assert_true(left > before);
		before = right;
		at = strstr(at, "\n\n");
		if (!at)
			break;
		at += 2;
	}
	free(rows);
	figures_free(&figures);
	json_decref(model);
	return bars;
}

/* Kernels with pauses that are shorter than a px are told from each other, those that touch are not. */
static void test_short_pauses_are_seen(void **state)
{
	(void)state;
	assert_int_equal(bars_with_pauses(1), 4);
	assert_int_equal(bars_with_pauses(0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_axis_fits_the_curve),
		cmocka_unit_test(test_short_pauses_are_seen),
		cmocka_unit_test(test_samples_of_a_curve),
		cmocka_unit_test(test_few_samples_give_no_curve),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_what_is_drawn),
		cmocka_unit_test(test_many_samples_are_averaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
