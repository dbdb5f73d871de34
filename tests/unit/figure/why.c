/* why.c: the figures of one column: which of them a tree has, what they say, and that labels keep apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "figure/figure.h"
#include "figure/why/column.h"
#include "fixtures/canvas-fixture.h"
#include "fixtures/family-fixture.h"
#include "util/format.h"

/* Keys that the family of the fixture lacks; a test takes those that it is about. */
static const char time_json[] =
	"{'kind': 'pipeline', 'single': {'total_ns': 4000, 'parts': [{'id': 'h2d', 'ns': 2000}, {'id': 'both', 'ns': "
	"0},"
	" {'id': 'd2h', 'ns': 1000}, {'id': 'kernel', 'ns': 980}, {'id': 'idle', 'ns': 20}]},"
	" 'double': {'total_ns': 3125, 'parts': [{'id': 'h2d', 'ns': 1000}, {'id': 'both', 'ns': 1000},"
	" {'id': 'kernel', 'ns': 1125}]}}";
static const char causes_json[] = "[{'id': 'copies-both-ways', 'ns': 1000, 'low': 900, 'high': 1100, 'named': true},"
				  " {'id': 'kernel-time', 'ns': -145, 'low': -290, 'high': 0, 'named': false},"
				  " {'id': 'instructions', 'ns': 0.1, 'low': -1, 'high': 1, 'named': false},"
				  " {'id': 'unexplained', 'ns': 19.9, 'low': -50, 'high': 90, 'named': false}]";
static const char ladder_json[] =
	"{'case': 'big', 'of': 'reference', 'variant': 'lib', 'median_ns': 1000, 'rungs': ["
	" {'variant': 'one', 'kind': 'candidate', 'buffers': 1, 'share': {'value': 0.25, 'low': 0.24, 'high': 0.26}},"
	" {'variant': 'two', 'kind': 'candidate', 'buffers': 2, 'share': {'value': 0.32, 'low': null, 'high': null}},"
	" {'variant': 'lost', 'kind': 'candidate', 'buffers': 2, 'share': {'value': null}},"
	" {'variant': 'lib', 'kind': 'reference', 'buffers': 0, 'share': {'value': 1, 'low': 1, 'high': 1}}]}";
static const char climbs_json[] =
	"[{'case': 'big', 'headline': true, 'reference': 'lib', 'top': 'two', 'rungs': ["
	"  {'step': 1, 'variant': 'one', 'share': {'value': 0.25, 'low': 0.24, 'high': 0.26}},"
	"  {'step': 2, 'variant': 'two', 'share': {'value': 0.8, 'low': null, 'high': null}},"
	"  {'step': 3, 'variant': 'not timed', 'share': null}],"
	" 'references': [{'variant': 'lib', 'speed': 1.2e10, 'share': {'value': 1, 'low': 1, 'high': 1}, 'as_asked': "
	"true},"
	"  {'variant': 'cheat', 'speed': 9e10, 'share': {'value': 3, 'low': 3, 'high': 3}, 'as_asked': false}],"
	" 'without': [{'variant': 'less', 'change': 'a very long name of a technique that no page has room for',"
	"   'share': {'value': 0.5}}]},"
	" {'case': 'small', 'reference': null, 'rungs': [{'step': 1, 'variant': 'one', 'share': null}]},"
	" {'case': 'other', 'reference': 'lib', 'rungs': [{'step': 1, 'variant': 'one', 'share': {'value': 0.5}}]}]";
static const char roofline_json[] =
	"{'operation': 'flop', 'unit': 'FLOP', 'ceiling': 'FMA', 'ceiling_per_s': 1e13, 'levels': ["
	" {'id': 'shared', 'title': 'shared memory', 'bytes_s': 1e13}, {'id': 'dram', 'title': 'DRAM', 'bytes_s': "
	"1e12}],"
	" 'points': [{'variant': 'one', 'kind': 'candidate', 'per_s': 2e12, 'places': ["
	"  {'level': 'shared', 'intensity': 0.25, 'share': 0.8}, {'level': 'dram', 'intensity': 100, 'share': 0.2}]}]}";
static const char sweeps_json[] =
	"[{'name': 'size', 'title': 'T', 'band': 0.01, 'explains': 'bytes',"
	" 'x': {'param': 'n', 'values': [1024, 2048, 4096, 8192]}, 'y': {'param': 'k', 'values': [1]},"
	" 'derived': [{'id': 'chunks', 'title': 'chunks per array', 'unit': ''}],"
	" 'rule': {'verdict': 'faster', 'variable': 'chunks', 'relation': '>=', 'threshold': 4}, 'points': ["
	" {'x': 1024, 'y': 1, 'overlappable': false, 'derived': [{'id': 'chunks', 'value': 1}], 'verdict': 'nothing',"
	"  'speedup': {'value': 1.5, 'low': 1.4, 'high': 1.6}},"
	" {'x': 2048, 'y': 1, 'derived': [{'id': 'chunks', 'value': 4}], 'verdict': 'faster',"
	"  'speedup': {'value': 1.2, 'low': 1.1, 'high': 1.3}},"
	" {'x': 4096, 'y': 1, 'derived': [{'id': 'chunks', 'value': 400}], 'verdict': 'same',"
	"  'speedup': {'value': 1.0, 'low': null, 'high': null}},"
	" {'x': 8192, 'y': 1, 'derived': [{'id': 'chunks', 'value': 40}], 'verdict': 'slower',"
	"  'speedup': {'value': 0.9, 'low': 0.8, 'high': 0.95}}]}]";

static const struct figure *find(const struct figures *figures, const char *name)
{
	for (size_t i = 0; i < figures->n; i++) {
		if (strcmp(figures->list[i].name, name) == 0)
			return &figures->list[i];
	}
	return NULL;
}

/* The model of the fixture, whose headline contrast or family has one more key. */
static json_t *model_with(const char *key, const char *value, bool in_contrast)
{
	json_t *model = model_of(family_json, recording_json);
	json_t *family =
		json_array_get(json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families"), 0);
	json_t *owner = in_contrast ? json_array_get(json_object_get(family, "contrasts"), 0) : family;

	json_object_set_new(owner, key, parse(value));
	return model;
}

static bool says(const struct figure *figure, const char *text)
{
	for (size_t i = 0; i < figure->nmarks; i++) {
		if (strcmp(figure->mark[i].text, text) == 0)
			return true;
	}
	return strstr(figure->data.text, text) != NULL;
}

static void assert_says(const struct figure *figure, const char *text)
{
	if (!says(figure, text))
		fail_msg("%s does not say '%s'", figure->name, text);
}

/* What a tree has no data for is not drawn. */
static void test_nothing_without_data(void **state)
{
	static const char *const names[] = {"pipe-time", "pipe-time-row", "pipe-waterfall", "pipe-roofline",
		"pipe-ladder", "pipe-frames", "pipe-explains-size", "pipe-latency-1"};
	json_t *model = model_of(family_json, recording_json);
	struct figures figures = figures_plan(model);

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_null(find(&figures, names[i]));
	figures_free(&figures);
	json_decref(model);
}

static void test_time(void **state)
{
	json_t *model = model_with("time", time_json, true);
	struct figures figures = figures_plan(model);
	const struct figure *row = find(&figures, "pipe-time-row"), *towers = find(&figures, "pipe-time");

	(void)state;
	assert_non_null(row);
	assert_non_null(towers);
	assert_int_equal(row->width, 300);
	assert_int_equal(row->height, 44);
	assert_int_equal(row->nmarks, 6); /* not of what takes no time, or too little for a pointer to find */
	assert_says(row, "single: copy in 2.00 µs, 50.0 %");
	assert_says(row, "double: both copies 1.00 µs, 32.0 %");
	assert_says(row, "\"−875 ns\"");
	/* One scale: the longer one reaches as far as there is room, and the other its share of that. */
	assert_true(row->mark[2].right > 200);
	assert_true(fabs(row->mark[5].right / row->mark[2].right - 3125 / 3980.0) < 1e-6);
	assert_says(towers, "\"2.00 µs, 50.0 %\"");
	assert_false(says(towers, "\"20.0 ns, 0.500 %\"")); /* a sliver, which the description names */
	assert_non_null(strstr(towers->desc, "idle 20.0 ns, 0.500 %"));
	figures_free(&figures);
	json_decref(model);
}

/* A part of nearly no time is a sliver of its bar, and nothing that stands out of it. */
static void test_time_of_a_moment(void **state)
{
	json_t *model = model_with("time",
		"{'kind': 'pipeline', 'single': {'total_ns': 1000, 'parts': [{'id': 'kernel', 'ns': 999.999},"
		" {'id': 'untraced', 'ns': 0.001}]},"
		" 'double': {'total_ns': 1000, 'parts': [{'id': 'kernel', 'ns': 1000}]}}",
		true);
	struct figures figures = figures_plan(model);
	char *moment = canvas_rows(find(&figures, "pipe-time"), 44, COLOR_GRID);
	double x, top, to_x, bottom;

	(void)state;
	assert_int_equal(sscanf(moment, "%lf %lf %lf %lf", &x, &top, &to_x, &bottom), 4);
	assert_true(fabs(to_x - x) < 1e-9 && fabs(bottom - top - 0.3) < 1e-3);
	free(moment);
	figures_free(&figures);
	json_decref(model);
}

/* Programs are called what the page calls them, and long names are cut. */
static void test_time_of_programs(void **state)
{
	json_t *model = model_with("time", time_json, true), *family;
	struct figures figures;

	(void)state;
	family =
		json_array_get(json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families"), 0);
	json_object_set_new(family, "origin", json_string("programs"));
	json_object_set_new(family, "single", json_string("stages=1"));
	json_object_set_new(family, "double", json_string("a-value-of-many-letters"));
	figures = figures_plan(model);
	assert_says(find(&figures, "pipe-time"), "\"stages=1 4.00 µs\"");
	assert_says(find(&figures, "pipe-time"), "\"a-value-of-many 3.12 µs\"");
	figures_free(&figures);
	json_decref(model);
}

/* A slower double saves nothing, and says what it takes more. */
static void test_time_of_a_loss(void **state)
{
	json_t *model = model_with("time",
		"{'single': {'total_ns': 1000, 'parts': [{'id': 'issue', 'ns': 1000}]},"
		" 'double': {'total_ns': 1500, 'parts': [{'id': 'new-id', 'ns': 1500}]}}",
		true);
	struct figures figures = figures_plan(model);

	(void)state;
	assert_says(find(&figures, "pipe-time-row"), "\"+500 ns\"");
	assert_says(find(&figures, "pipe-time-row"), "double: new-id 1.50 µs, 100 %");
	assert_says(find(&figures, "pipe-time"), "\"+500 ns\"");
	figures_free(&figures);
	json_decref(model);
}

static void test_waterfall(void **state)
{
	json_t *model = model_with("causes", causes_json, true);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-waterfall");

	(void)state;
	assert_non_null(figure);
	assert_int_equal(figure->nmarks, 3); /* not of what is too small to be said or seen */
	assert_says(figure, "\"−1.00 µs copies both ways\"");
	assert_says(figure, "\"+145 ns kernel time\"");
	assert_says(figure, "copies both ways: −1.00 µs (95 % interval −1.10 µs to −900 ns)");
	assert_says(figure, "\"−875 ns in all: 4.00 µs to 3.12 µs\"");
	/* A gain ends left of where it begins, and the next bar begins there: a loss, to its right. */
	assert_true(fabs(figure->mark[0].left - figure->mark[1].left) < 0.01);
	assert_true(figure->mark[1].right < figure->mark[0].right);
	figures_free(&figures);
	json_decref(model);
}

/* The text above begins in the figure, too, where the bars begin in its middle. */
static void test_waterfall_with_wide_intervals(void **state)
{
	static const char head[] = "← less time  single 4.00 µs";
	json_t *model = model_with("causes",
		"[{'id': 'copies-both-ways', 'ns': 1000, 'low': -9000, 'high': 9000, 'named': true},"
		" {'id': 'unexplained', 'ns': -125, 'low': -9000, 'high': 9000, 'named': false}]",
		true);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-waterfall");
	const char *text, *line;

	(void)state;
	assert_non_null(figure);
	text = strstr(figure->data.text, head);
	assert_non_null(text);
	for (line = text; line > figure->data.text && line[-1] != '\n'; line--)
		;
	assert_true(strtod(line, NULL) >= figure_text_width(head, CANVAS_FONT_PX));
	figures_free(&figures);
	json_decref(model);
}

static void test_waterfall_of_nothing_known(void **state)
{
	json_t *model = model_with("causes", "[{'id': 'unexplained', 'ns': 875, 'low': 1, 'high': 2}]", true);
	struct figures figures = figures_plan(model);

	(void)state;
	assert_null(find(&figures, "pipe-waterfall"));
	figures_free(&figures);
	json_decref(model);
}

static void test_ladder(void **state)
{
	json_t *model = model_with("ladder", ladder_json, false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-ladder");

	(void)state;
	assert_non_null(figure);
	assert_int_equal(figure->nmarks, 2); /* not of what is 100 % of itself */
	assert_says(figure, "\"25.0 % one (single)\"");
	assert_says(figure, "\"32.0 % two (double)\"");
	assert_says(figure, "\"100 % lib (reference)\"");
	assert_says(figure, "one: 25.0 % (95 % interval 24.0 % to 26.0 %)");
	assert_says(figure, "two: 32.0 %");
	/* Bars begin at zero, on one scale. */
	assert_true(figure->mark[0].left == 0);
	assert_true(fabs(figure->mark[0].right / figure->mark[1].right - 0.25 / 0.32) < 1e-6);
	figures_free(&figures);
	json_decref(model);
}

/* One buffer is one bar, several are two stripes; a reference that ran something else has no bar. */
static void test_ladder_of_rungs(void **state)
{
	json_t *model = model_with("climbs", climbs_json, false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-ladder");

	(void)state;
	assert_non_null(figure);
	assert_string_equal(figure->title, "Ladder of A pipe, case big: percent of lib");
	assert_int_equal(figure->nmarks, 3);
	assert_string_equal(figure->mark[0].text, "1. one: 25.0 % (95 % interval 24.0 % to 26.0 %)");
	assert_string_equal(figure->mark[1].text, "2. two: 80.0 %");
	assert_string_equal(
		figure->mark[2].text, "− a very long name of a technique that no page has room for: 50.0 %");
	assert_says(figure, "100 %: lib, 12.0 GB/s\"");
	assert_says(figure, "two without …\"");
	assert_says(figure, "− a very long name of a t…\""); /* cut; the table has all of it */
	assert_false(says(figure, "cheat"));
	assert_false(says(figure, "not timed"));
	assert_says(figure, "\n0 28\n250 28\n");
	assert_says(figure, "\n0 41.5\n800 41.5\n");
	assert_says(figure, "\n0 48.5\n800 48.5\n");
	/* Its bars are the durations, too. A case without a reference has no figure. */
	assert_null(find(&figures, "pipe-durations"));
	assert_null(find(&figures, "pipe-ladder-2"));
	assert_non_null(find(&figures, "pipe-ladder-3"));
	figures_free(&figures);
	json_decref(model);
}

/* Without a line to reach the ladder is no figure, so the durations stay one. */
static void test_ladder_without_reference(void **state)
{
	json_t *model = model_with("climbs",
		"[{'case': 'big', 'reference': null, 'references': [], 'rungs': [{'step': 1, 'variant': 'one', "
		"'share': "
		"null}]}]",
		false);
	struct figures figures = figures_plan(model);

	(void)state;
	assert_null(find(&figures, "pipe-ladder"));
	assert_non_null(find(&figures, "pipe-durations"));
	figures_free(&figures);
	json_decref(model);
}

/* Asserts that a ladder whose headline case has these lists leaves the family its durations: "one" was timed. */
static void assert_durations_beside(const char *lists)
{
	char text[512];
	json_t *model;
	struct figures figures;

	snprintf(text, sizeof(text), "[{'case': 'big', 'headline': true, 'reference': 'lib', %s}]", lists);
	model = model_with("climbs", text, false);
	figures = figures_plan(model);
	assert_non_null(find(&figures, "pipe-durations"));
	figures_free(&figures);
	json_decref(model);
}

/* What stands off the ladder, or on one without a rung to draw, has its bar in the durations. */
static void test_durations_beside_a_ladder(void **state)
{
	(void)state;
	assert_durations_beside("'rungs': [{'step': 1, 'variant': 'two', 'share': {'value': 0.5}}]");
	assert_durations_beside("'rungs': [{'step': 1, 'variant': 'two', 'share': null}],"
				" 'without': [{'variant': 'one', 'change': 'x', 'share': {'value': 0.5}}]");
}

/* A redacted recording does not say what a rung lacks. */
static void test_rung_without_a_change(void **state)
{
	json_t *model = model_with("climbs",
		"[{'case': 'big', 'headline': true, 'reference': 'lib', 'top': 'one', 'rungs': ["
		" {'step': 1, 'variant': 'one', 'share': {'value': 0.25}}],"
		" 'without': [{'variant': 'less', 'change': null, 'share': {'value': 0.5}}]}]",
		false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-ladder");

	(void)state;
	assert_non_null(figure);
	assert_string_equal(figure->mark[1].text, "less: 50.0 %");
	figures_free(&figures);
	json_decref(model);
}

static void test_roofline(void **state)
{
	json_t *model = model_with("roofline", roofline_json, false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-roofline");

	(void)state;
	assert_non_null(figure);
	assert_int_equal(figure->nmarks, 1); /* at the memory that it is nearest to the roof of */
	assert_says(figure, "one: 2.00 TFLOP/s, 0.25 FLOP per byte of shared memory, 80.0 % of the roof");
	assert_says(figure, "\"shared memory 10.0 TB/s\"");
	assert_says(figure, "\"FMA 10.0 TFLOP/s\"");
	figures_free(&figures);
	json_decref(model);
}

/* Numbers out of all proportion are no reason to end: neither is a roof that no axis reaches. */
static void test_roofline_of_nonsense(void **state)
{
	json_t *model = model_with("roofline",
		"{'unit': 'FLOP', 'ceiling_per_s': 1e300, 'levels': [{'id': 'dram', 'title': 'DRAM', 'bytes_s': "
		"1e-300}],"
		" 'points': [{'variant': 'one', 'per_s': 1e-300, 'places': [{'level': 'dram', 'intensity': 1e300,"
		" 'share': 1e9}]}]}",
		false);
	struct figures figures = figures_plan(model);

	(void)state;
	assert_non_null(find(&figures, "pipe-roofline"));
	figures_free(&figures);
	json_decref(model);
}

/* The variable of the rule, whatever the gain follows most. */
static void test_explains(void **state)
{
	json_t *model = model_with("sweeps", sweeps_json, false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-explains-size");

	(void)state;
	assert_non_null(figure);
	assert_int_equal(figure->nmarks, 3); /* not where nothing can overlap */
	assert_says(figure, "n 2 Ki, k 1: 1.200× (1.100× to 1.300×)");
	assert_says(figure, "n 4 Ki, k 1: 1.000×");
	assert_says(figure, "\"≥ 4: faster\"");
	assert_says(figure, "\"chunks per array\"");
	assert_says(figure, "\"100\""); /* a span of 100 times is shown by logarithms */
	figures_free(&figures);
	json_decref(model);
}

/* Without a rule and a variable that explains, with points at two places of it, or beside a curve there is nothing to
 * see. */
static void test_explains_nothing(void **state)
{
	json_t *sweeps = parse(sweeps_json), *points = json_object_get(json_array_get(sweeps, 0), "points");
	json_t *model = model_with("sweeps", "[]", false);
	json_t *family =
		json_array_get(json_object_get(json_array_get(json_object_get(model, "recordings"), 0), "families"), 0);
	struct figures figures;
	json_t *sweep;

	(void)state;
	json_array_remove(points, 3);
	json_object_set_new(family, "sweeps", sweeps);
	figures = figures_plan(model);
	assert_null(find(&figures, "pipe-explains-size"));
	figures_free(&figures);
	json_object_set_new(family, "sweeps", parse(sweeps_json));
	sweep = json_array_get(json_object_get(family, "sweeps"), 0);
	json_object_set_new(sweep, "explains", json_null());
	json_object_set_new(sweep, "rule", json_null());
	figures = figures_plan(model);
	assert_null(find(&figures, "pipe-explains-size"));
	figures_free(&figures);
	json_object_set_new(family, "sweeps", parse(sweeps_json));
	json_object_set_new(json_array_get(json_object_get(family, "sweeps"), 0), "y", json_null());
	figures = figures_plan(model);
	assert_null(find(&figures, "pipe-explains-size"));
	figures_free(&figures);
	json_decref(model);
}

/* ---- labels ---- */

/* A panel for each variant, with one scale; what has no line is not drawn. */
static void test_latency(void **state)
{
	json_t *model = model_with("items",
		"[{'case': 'big', 'noun': 'frames', 'variants': ["
		"  {'variant': 'one', 'filling': 2, 'latency_ns': {'median': 3000, 'max': 4000},"
		"   'latencies_ns': [1000, 2000, 3000, 4000]},"
		"  {'variant': 'two', 'filling': 1, 'latency_ns': {'median': 1000, 'max': 1000}, 'latencies_ns': "
		"[1000, 1000]}]},"
		" {'case': 'small', 'noun': 'frames', 'variants': ["
		"  {'variant': 'one', 'filling': 0, 'latency_ns': {'median': 1, 'max': 1}, 'latencies_ns': [1]}]}]",
		false);
	struct figures figures = figures_plan(model);
	const struct figure *figure = find(&figures, "pipe-latency-1");

	(void)state;
	assert_non_null(figure);
	assert_null(find(&figures, "pipe-latency-2"));
	assert_int_equal(figure->nmarks, 6);
	assert_says(figure, "one, 4 of 4: 4.00 µs");
	assert_says(figure, "two, 1 of 2: 1.00 µs");
	assert_says(figure, "one: latency (µs), median 3.00 µs");
	assert_says(figure, "frames of a launch, in their order");
	/* The first of two in the other panel stands below the first of four: the places of both have one scale. */
	assert_true(fabs(figure->mark[0].left - figure->mark[4].left) < 1e-9);
	assert_true(figure->mark[4].top >= figure->mark[0].bottom);
	figures_free(&figures);
	json_decref(model);
}

static void test_labels_keep_apart(void **state)
{
	struct column_label labels[] = {{10, 10, 3}, {12, 10, 1}, {13, 10, 2}};

	(void)state;
	column_spread(labels, 3, 0, 100);
	assert_true(labels[0].y == 10 && labels[1].y == 20 && labels[2].y == 30);
	column_spread(labels, 3, 0, 32);
	assert_true(labels[2].y == 27 && labels[1].y == 17 && labels[0].y == 7);
	/* Without room for three, the lightest goes. */
	column_spread(labels, 3, 0, 20);
	assert_true(labels[1].height == 0);
	assert_true(labels[0].y == 5 && labels[2].y == 15);
}

static void test_texts(void **state)
{
	char text[FORMAT_SIZE];

	(void)state;
	assert_string_equal(column_change(text, -250704), "−251 µs");
	assert_string_equal(column_change(text, 0), "0 ns");
	assert_string_equal(column_change_within(text, 5, NAN, NAN), "+5.00 ns");
	assert_string_equal(column_number(text, 0.1), "0.1");
	assert_string_equal(column_number(text, 2500), "2.5 k");
	assert_string_equal(column_number(text, 1e13), "10 T");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_without_data),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_time_of_a_moment),
		cmocka_unit_test(test_time_of_programs),
		cmocka_unit_test(test_time_of_a_loss),
		cmocka_unit_test(test_waterfall),
		cmocka_unit_test(test_waterfall_with_wide_intervals),
		cmocka_unit_test(test_waterfall_of_nothing_known),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_ladder_of_rungs),
		cmocka_unit_test(test_ladder_without_reference),
		cmocka_unit_test(test_durations_beside_a_ladder),
		cmocka_unit_test(test_rung_without_a_change),
		cmocka_unit_test(test_roofline),
		cmocka_unit_test(test_roofline_of_nonsense),
		cmocka_unit_test(test_explains),
		cmocka_unit_test(test_explains_nothing),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_labels_keep_apart),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
