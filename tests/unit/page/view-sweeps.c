/* view-sweeps.c: what the page says of sweeps, and the data of their figures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-fixture.h"
#include "fixtures/canvas-fixture.h"
#include "figure/grid.h"
#include "page/mustache.h"
#include "tree/tree.h"
#include "page/view/view.h"
#include "util/file/datafile.h"
#include "util/file/file.h"
#include "util/format.h"

/* ---- the view ---- */

static json_t *view_of(const json_t *model)
{
	json_t *drawn = json_pack("{s:s, s:s}", "toy-tiles-sweep-0-heat", "<svg>heat</svg>", "toy-tiles-sweep-1-curve",
		"<svg>curve</svg>");
	const struct view_input input = {.model = model, .drawn = drawn};
	json_t *view = view_build(&input);

	json_decref(drawn);
	return view;
}

static const json_t *family_of(const json_t *view, size_t i)
{
	const json_t *recording = json_array_get(json_object_get(view, "recordings"), 0);

	return json_array_get(json_object_get(recording, "families"), i);
}

static json_t *item(const json_t *object, const char *key, size_t i)
{
	return json_array_get(json_object_get(object, key), i);
}

static void test_sweep(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view = view_of(model);
	const json_t *sweep = item(family_of(view, 0), "sweeps", 0), *row = item(sweep, "rows", 2);

	(void)state;
	assert_true(strncmp(tree_text(sweep, "finding"), "Double buffering pays at 6 of 8 measured points", 47) == 0);
	assert_string_equal(tree_text(json_object_get(sweep, "heat"), "svg"), "<svg>heat</svg>");
	assert_false(tree_has(sweep, "curve")); /* the map says it all */
	assert_true(json_is_null(json_object_get(sweep, "partial")));
	assert_string_equal(tree_text(sweep, "x_title"), "intensity (passes)");
	assert_string_equal(tree_text(row, "x"), "16");
	assert_string_equal(tree_text(row, "y"), "16");
	assert_string_equal(tree_text(json_object_get(row, "speedup"), "value"), "1.636×");
	assert_string_equal(tree_text(row, "predicted"), "1.800×");
	assert_string_equal(tree_text(row, "hidden"), "87.5 %");
	assert_false(tree_has(item(sweep, "crossovers", 1), "letter")); /* which a curve has */
	assert_string_equal(tree_text(item(sweep, "crossovers", 1), "where"), "tile = 32: ");
	assert_string_equal(tree_text(family_of(view, 0), "sweep_command"), "dbprof run toy-tiles --sweep --seed=42");
	json_decref(view);
	json_decref(model);
}

/* Some results of toy-stream were not compared. What is said of the others must be so. */
static void test_right_wherever_compared(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view = view_of(model);
	json_t *recording = json_array_get(json_object_get(model, "recordings"), 0);
	const json_t *family = json_array_get(json_object_get(recording, "families"), 1);
	json_t *point = json_array_get(json_object_get(item(family, "sweeps", 0), "points"), 0);

	(void)state;
	assert_string_equal(tree_text(item(family_of(view, 1), "sweeps", 0), "unverified"),
		"At 3 of them the results were not compared; both variants are right wherever they were.");
	json_decref(view);
	assert_int_equal(json_object_set_new(point, "right", json_false()), 0);
	view = view_of(model);
	assert_string_equal(tree_text(item(family_of(view, 1), "sweeps", 0), "unverified"),
		"At 3 of them the results were not compared.");
	json_decref(view);
	json_decref(model);
}

static void test_command_with_settings(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view;
	json_t *recording = json_array_get(json_object_get(model, "recordings"), 0);

	(void)state;
	assert_int_equal(json_object_set_new(recording, "settings", json_string("chunk=4 n=8")), 0);
	view = view_of(model);
	assert_string_equal(tree_text(family_of(view, 0), "sweep_command"),
		"dbprof run toy-tiles --sweep --seed=42 --set=chunk=4 --set=n=8");
	json_decref(view);
	json_decref(model);
}

static void test_partial_sweep(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view = view_of(model);
	const json_t *family = family_of(view, 1), *sweep = item(family, "sweeps", 0), *last = item(sweep, "rows", 5);

	(void)state;
	/* Nothing but this sweep was measured, so the first screen says in short what it found. */
	assert_string_equal(tree_text(family, "because"), "Pays at 1 of 4 measured points, costs time at 1, makes no "
							  "difference at 1 and gets no clear verdict at 1.");
	/* Without a time anywhere a row of the first screen has four columns. */
	assert_int_equal(json_integer_value(json_object_get(item(view, "recordings", 0), "columns")), 4);
	assert_string_equal(tree_text(sweep, "partial"), "4 of 6 points were measured.");
	assert_string_equal(tree_text(last, "single"), "n/a");
	assert_true(json_is_null(json_object_get(last, "speedup")));
	assert_string_equal(tree_text(json_object_get(last, "verdict"), "word"), "not measured");
	assert_string_equal(tree_text(last, "reason"), "Not measured.");
	assert_true(tree_true(family, "only_sweeps"));
	assert_false(tree_true(family_of(view, 0), "only_sweeps"));
	const json_t *cell = item(item(sweep, "parts", 0), "cells", 1);
	assert_string_equal(tree_text(cell, "floor"), "75.0 %");
	assert_string_equal(tree_text(cell, "hidden"), "60.0 %");
	assert_false(tree_true(sweep, "over_all"));
	assert_false(tree_has(sweep, "under_way"));
	assert_null(strstr(tree_text(sweep, "points_text"), "under way"));
	json_decref(view);
	json_t *candidates = json_object_get(
		item(item(item(item(model, "recordings", 0), "families", 1), "sweeps", 0), "points", 0), "candidates");
	assert_int_equal(json_object_set_new(json_array_get(candidates, 1), "hidden_share", json_real(1.1)), 0);
	view = view_of(model);
	assert_true(tree_true(item(family_of(view, 1), "sweeps", 0), "over_all"));
	json_decref(view);
	json_decref(model);
}

/* What is under way and needed has columns where it was predicted at some point. */
static void test_bytes_under_way(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view;
	json_t *tree = item(item(item(model, "recordings", 0), "families", 0), "sweeps", 0);
	json_t *predicted = json_object_get(item(tree, "points", 2), "predicted");
	const json_t *sweep;

	(void)state;
	json_object_set_new(predicted, "single_under_way_bytes", json_real(4096));
	json_object_set_new(predicted, "double_under_way_bytes", json_real(8192));
	json_object_set_new(predicted, "single_needed_bytes", json_real(6364));
	json_object_set_new(predicted, "double_needed_bytes", json_real(6364));
	json_object_set_new(tree, "under_way", json_pack("{s:s}", "text", "Predicted: enough."));
	view = view_of(model);
	sweep = item(family_of(view, 0), "sweeps", 0);
	assert_string_equal(tree_text(item(sweep, "rows", 2), "under_way"), "4.00 KiB → 8.00 KiB");
	assert_string_equal(tree_text(item(sweep, "rows", 2), "needed"), "6.21 KiB");
	assert_true(json_is_null(json_object_get(item(sweep, "rows", 1), "needed")));
	assert_non_null(strstr(tree_text(sweep, "points_text"), "under way on an SM"));
	assert_string_equal(tree_text(sweep, "under_way"), "Predicted: enough.");
	json_decref(view);
	json_decref(model);
}

static void test_scores_claims_and_constants(void **state)
{
	json_t *model = fixture_scenario("sweeps"), *view = view_of(model);
	const json_t *recording = item(view, "recordings", 0), *scores = json_object_get(recording, "scores");
	const json_t *claims = json_object_get(recording, "claims");
	const json_t *fewer = json_object_get(claims, "fewer_warps");

	(void)state;
	assert_int_equal(json_array_size(scores), 4); /* a sweep without predictions has no row */
	assert_string_equal(tree_text(json_array_get(scores, 0), "sign"), "6 of 8 (75.0 %)");
	assert_string_equal(tree_text(json_array_get(scores, 0), "constant_sign"), "“faster”: 6 (75.0 %)");
	assert_string_equal(tree_text(json_array_get(scores, 3), "points"), "13");
	assert_string_equal(tree_text(item(recording, "machine", 1), "value"), "1.00 GHz");
	assert_string_equal(tree_text(item(recording, "machine", 3), "value"), "205 GB/s");
	assert_string_equal(tree_text(item(recording, "machine", 4), "value"), "not measured");
	assert_string_equal(tree_text(fewer, "holds"), "yes");
	assert_string_equal(tree_text(item(fewer, "curves", 0), "at"), "1.500× (1.500× to 1.500×) at blocks = 1");
	assert_string_equal(
		tree_text(item(fewer, "curves", 0), "against"), "1.000× (1.000× to 1.000×) at blocks = no limit");
	json_decref(view);
	json_decref(model);
}

/* A recording without sweeps says nothing of them. */
static void test_no_sweeps(void **state)
{
	json_t *model = fixture_scenario("families"), *view = view_of(model);

	(void)state;
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(view, "recordings"), 0), "claims")));
	assert_true(json_is_false(json_object_get(family_of(view, 0), "has_sweeps")));
	json_decref(view);
	json_decref(model);
}

/* Sweeps that are described, and of which no point was measured, take no room. */
static void test_sweeps_that_were_not_asked_for(void **state)
{
	struct recording *rec = fixture_begin("u.sqlite");
	json_t *model, *view;

	(void)state;
	fixture_row(rec, "FAMILY name=f ord=0 title=F single=a double=b file=f.cu");
	fixture_row(rec, "VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0");
	fixture_row(rec, "SWEEP family=f name=s ord=0 title=T x=n points=1");
	fixture_row(rec, "CASE family=f label=p ord=1 sweep=s");
	fixture_row(rec, "PARAM family=f caseLabel=p name=n value=8");
	fixture_row(rec, "SAMPLE family=f variant=a caseLabel=other block=0 position=0 launches=9 ns=100");
	fixture_end(rec);
	model = fixture_model("u.sqlite");
	view = view_of(model);
	assert_true(json_is_false(json_object_get(family_of(view, 0), "has_sweeps")));
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(view, "recordings"), 0), "claims")));
	json_decref(view);
	json_decref(model);
}

/* ---- the page: names that are markup stay text ---- */

static char *load_template(void *user, const char *name, struct error *err)
{
	char path[4096], part[256];
	size_t size;

	(void)user;
	snprintf(part, sizeof part, "templates/%s.mustache", name);
	return datafile_find(part, path, sizeof path, err) < 0 ? NULL : file_read(path, &size, err);
}

static json_t *hostile_model(void)
{
	struct recording *rec = fixture_begin("h.sqlite");

	fixture_row(rec, "FAMILY name=f ord=0 title=F single=a double=b file=f.cu");
	fixture_row(rec, "VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0");
	fixture_row(rec, "VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0");
	fixture_row(rec, "SWEEP family=f name=s ord=0 title=<b>T question=<script>q x=<i>x y=<u>y points=1");
	fixture_row(rec, "CASE family=f label=<p> ord=1 sweep=s");
	fixture_row(rec, "PARAM family=f caseLabel=<p> name=<i>x value=8 unit=<s>unit");
	fixture_row(rec, "PARAM family=f caseLabel=<p> name=<u>y value=9 unit=\"a\\\"\\nset\"");
	fixture_row(rec, "SAMPLE family=f variant=a caseLabel=<p> block=0 position=0 launches=9 ns=100");
	fixture_row(rec, "SAMPLE family=f variant=b caseLabel=<p> block=0 position=1 launches=9 ns=100");
	fixture_row(rec, "MACHINE family=f key=<k> title=<em>k value=1 unit=<q>");
	fixture_row(rec, "PREDICTION family=f caseLabel=<p> single=a double=b ratio=1.5");
	fixture_end(rec);
	return fixture_model("h.sqlite");
}

static void test_names_are_escaped(void **state)
{
	json_t *model = hostile_model(), *view = view_of(model);
	struct error err = {0};
	char *page = mustache_render("family", load_template, NULL, family_of(view, 0), &err);
	char *machine = mustache_render("machine", load_template, NULL, item(view, "recordings", 0), &err);

	(void)state;
	assert_string_equal(err.text, "");
	assert_non_null(page);
	assert_non_null(machine);
	assert_non_null(strstr(page, "&lt;b&gt;T"));
	assert_non_null(strstr(page, "&lt;i&gt;x"));
	assert_non_null(strstr(machine, "&lt;em&gt;k"));
	assert_null(strstr(machine, "<k>"));
	free(machine);
	assert_null(strstr(page, "<script>"));
	assert_null(strstr(page, "<i>x"));
	assert_null(strstr(page, "<u>y"));
	assert_null(strstr(page, "<s>unit"));
	free(page);
	json_decref(view);
	json_decref(model);
}

/* ---- figures ---- */

/* Two or more empty lines start gnuplot's next block: they stand between two looks, and nowhere else. */
static void assert_layers(const struct figure *figure)
{
	int found = 0;

	for (const char *at = figure->data.text; (at = strstr(at, "\n\n\n")); found++) {
		at += strspn(at, "\n");
		assert_true(strncmp(at, "-1e9", 4) == 0);
	}
	assert_int_equal(found, canvas_looks(figure, 0) + canvas_looks(figure, 1) + 2);
}

/* A text of the figure that begins at its place (0), is centred (1) or ends there (2). */
static void assert_word(const struct figure *figure, int which, const char *word)
{
	char *words = canvas_words(figure, which);

	if (!strstr(words, word))
		fail_msg("%s is not in %s", word, words);
	free(words);
}

static void test_heat(void **state)
{
	json_t *model = fixture_scenario("sweeps");
	const struct figure *heat;
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	heat = canvas_find(&figures, "toy-tiles-sweep-0-heat");
	assert_non_null(heat);
	assert_word(heat, 1, "1.64\"");
	assert_word(heat, 1, "intensity (passes)\"");
	/* The strongest cell has the whole colour of the ramp's end, the others are seen through. */
	char *strongest = canvas_rows(heat, 28, COLOR_GAIN),
	     *faint = canvas_rows(heat, 28, canvas_faint(COLOR_GAIN, 0.35));
	assert_true(*strongest && *faint);
	free(strongest);
	free(faint);
	assert_int_equal(heat->nmarks, 8);
	/* One parameter gives no map. */
	assert_null(canvas_find(&figures, "toy-tiles-sweep-1-heat"));
	/* An unclear point is hatched; one that was not measured is empty. */
	const struct figure *stream = canvas_find(&figures, "toy-stream-sweep-0-heat");
	assert_non_null(stream);
	char *unclear = canvas_rows(stream, 28, COLOR_IDLE);
	assert_true(*unclear);
	free(unclear);
	assert_null(strstr(stream->data.text, "nan"));
	figures_free(&figures);
	json_decref(model);
}

/* A sweep of one parameter has a curve, one of two a map. */
static void test_curve(void **state)
{
	json_t *model = fixture_scenario("sweeps");
	const struct figure *curve;
	struct figures figures;

	(void)state;
	figures = figures_plan(model);
	assert_null(canvas_find(&figures, "toy-tiles-sweep-0-curve"));
	curve = canvas_find(&figures, "toy-tiles-sweep-1-curve");
	assert_non_null(curve);
	assert_word(curve, 1, "no limit\"");
	assert_word(curve, 1, "\"%aA\"");
	assert_null(strstr(curve->data.text, "nan"));
	assert_null(strstr(curve->data.text, "inf"));
	figures_free(&figures);
	json_decref(model);
}

/* Points along n. At 2 and 4 nothing was measured; at 8 the prediction is far off the picture. */
static json_t *gappy_model(void)
{
	json_t *points = json_array();

	for (int x = 1; x <= 16; x *= 2) {
		bool measured = x != 2 && x != 4;
		json_t *point = json_pack("{s:i, s:b, s:s, s:{s:f}}", "x", x, "measured", measured, "verdict", "faster",
			"predicted", "ratio", x == 8 ? 40.0 : 1.2);

		if (measured)
			json_object_set_new(point, "speedup",
				json_pack("{s:f, s:f, s:f}", "value", 1.2, "low", 1.19, "high", 1.21));
		json_array_append_new(points, point);
	}
	return json_pack("{s:[{s:[{s:s, s:[{s:s, s:i, s:f, s:{s:s, s:[i,i,i,i,i]}, s:n, s:o}]}]}]}", "recordings",
		"families", "name", "f", "sweeps", "name", "s", "measured", 3, "band", 0.01, "x", "param", "n",
		"values", 1, 2, 4, 8, 16, "y", "points", points);
}

static void test_gaps_do_not_end_a_layer(void **state)
{
	json_t *model = gappy_model();
	const struct figure *curve;
	struct figures figures;

	(void)state;
	assert_non_null(model);
	figures = figures_plan(model);
	curve = canvas_find(&figures, "f-sweep-0-curve");
	assert_non_null(curve);
	assert_layers(curve);
	assert_word(curve, 1, "\"%a1 prediction lies outside the picture\"");
	figures_free(&figures);
	json_decref(model);
}

static void test_labels(void **state)
{
	json_t *sweep = json_pack("{s:{s:s, s:s}, s:{s:s}}", "x", "param", "blocks", "unit", "", "y", "param", "n");
	char text[FORMAT_SIZE];

	(void)state;
	assert_string_equal(grid_label(sweep, "x", 0, text), "no limit");
	assert_string_equal(grid_label(sweep, "y", 0, text), "0");
	assert_string_equal(grid_label(sweep, "y", 65536, text), "64 Ki");
	assert_string_equal(grid_label(sweep, "y", 1 << 28, text), "256 Mi");
	assert_string_equal(grid_label(sweep, "y", 1000, text), "1,000");
	assert_string_equal(grid_label(sweep, "y", 1500, text), "1,500");
	assert_string_equal(grid_title(sweep, "x", text), "blocks");
	json_object_set_new(json_object_get(sweep, "x"), "unit", json_string("blocks"));
	assert_string_equal(grid_title(sweep, "x", text), "blocks");
	json_object_set_new(json_object_get(sweep, "x"), "unit", json_string("per SM"));
	assert_string_equal(grid_title(sweep, "x", text), "blocks (per SM)");
	json_decref(sweep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_sweep),
		scratch_test(test_right_wherever_compared),
		scratch_test(test_command_with_settings),
		scratch_test(test_partial_sweep),
		scratch_test(test_bytes_under_way),
		scratch_test(test_scores_claims_and_constants),
		scratch_test(test_no_sweeps),
		scratch_test(test_sweeps_that_were_not_asked_for),
		scratch_test(test_names_are_escaped),
		scratch_test(test_heat),
		scratch_test(test_curve),
		scratch_test(test_gaps_do_not_end_a_layer),
		scratch_test(test_labels),
	};

	return cmocka_run_group_tests_name("view: sweeps", tests, NULL, NULL);
}
