/* pm.c: what PM sampling saw: which samples belong to which curve, and what gnuplot gets to draw. */
#include <stdio.h>

#include "fixtures/pair-fixture.h"

#include "fixtures/near.h"
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

static json_t *sampled(void)
{
	json_t *family = parse(family_json);

	assert_int_equal(json_object_set_new(family, "metrics", parse(metrics_json)), 0);
	put_pair(family, "single", "pm", parse(sets_json));
	return family;
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
	assert_true(pm_family(&layout, family, FIGURE_WIDE));
	assert_int_equal(layout.npanels, 1);
	assert_string_equal(layout.panel[0].title, "single: one, 310 ns"); /* the longest of the runs */
	assert_true(layout.graph[0] && layout.graph[1] && !layout.graph[2]);
	assert_true(layout.top[0] == 100 && layout.top[1] == 40);
	assert_true(layout.panel[0].lane[0] && layout.panel[0].lane[1] && !layout.panel[0].lane[2]);
	/* title, two lanes, and the graphs */
	assert_true(layout.panel[0].graph_y[0] == 26 + 2 * 20);
	assert_true(layout.panel[0].graph_y[1] == 66 + 24 + 64);
	assert_int_equal(layout.height, 66 + 2 * 88 + 4 + 48);
	json_decref(family);
	family = parse(family_json);
	assert_false(pm_family(&layout, family, FIGURE_WIDE));
	json_decref(family);
}

static void test_what_is_drawn(void **state)
{
	json_t *model = model_with(sampled());
	struct figures figures;
	double start, end;

	(void)state;
	figures = figures_plan(model);
	const struct figure *figure = find_figure(&figures, "pipe-pm-wide");
	assert_non_null(figure);
	assert_null(find_figure(&figures, "pipe-pm"));
	char *boxes = figure_data_block(figure->data.text, 0), *areas = figure_data_block(figure->data.text, 5);
	char *lines = figure_data_block(figure->data.text, 7);
	/* copies of two streams in one lane are one box */
	assert_int_equal(sscanf(strchr(boxes, '\n'), " 0 0 %lf %lf", &start, &end), 2);
	assert_true(start == 0 && end == 200);
	/* occupancy: from zero (66 + 24 + 64) up to a quarter and a half of 64 px, and back */
	assert_non_null(strstr(areas, "\n\n0 154\n0 138\n100 138\n100 122\n200 122\n200 154\n\n"));
	/* PCIe reads: 20 and 40 of 40 GB/s over zero at 242 */
	assert_non_null(strstr(areas, "\n\n0 242\n0 210\n100 210\n100 178\n150 178\n150 242"));
	/* active SMs as a line has no zero in it; the value that stays the same has no point of its own */
	assert_non_null(strstr(lines, "\n\n0 106\n100 106\n100 90\n300 90\n\n"));
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
	const struct figure *figure = find_figure(&figures, "pipe-pm-narrow");
	assert_non_null(figure);
	assert_true(figure->data.length < 20000);
	char *areas = figure_data_block(figure->data.text, 5);
	/* a mean of 40 % of 64 px: 25.6 above zero, which lies at 26 + 24 + 64 */
	assert_non_null(strstr(areas, " 88.4\n"));
	assert_null(strstr(areas, " 62.8\n")); /* no sample's own 80 % */
	for (const char *at = strstr(areas, "\n\n"); at; at = strstr(at + 2, "\n\n"))
		holes++;
	assert_int_equal(holes, 2); /* before each of the two parts */
	free(areas);
	figures_free(&figures);
	json_decref(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_of_a_curve),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_what_is_drawn),
		cmocka_unit_test(test_many_samples_are_averaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
