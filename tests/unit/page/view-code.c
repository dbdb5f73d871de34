/* view-code.c: what the page says of a block's inside, of PM samples, and at the lines of the code. */
#include "fixtures/pair-fixture.h"

#include "page/view/view.h"

/* Line 3 is in both codes, 4 only in single; line 10 is double's barrier. 400 of single's samples lie in a header. */
static const char single_stalls[] =
	"{'launches': 2, 'period': 256, 'total': 2100, 'dropped': 60, 'foreign': 40, 'samples': 2000, 'not_issued': "
	"900,"
	" 'reasons': [{'reason': 'long_scoreboard', 'state': 'memory', 'samples': 1300, 'share': 0.65}, {'reason': "
	"'barrier', 'state': 'barrier', 'samples': "
	"700, 'share': 0.35}],"
	" 'lines': [{'file': 'pipe.cu', 'line': 3, 'samples': 1000, 'share': 0.5, 'reason': 'long_scoreboard',"
	"   'reason_share': 0.9, 'reasons': [{'reason': 'long_scoreboard', 'samples': 900}, {'reason': 'barrier', "
	"'samples': 100}]},"
	"  {'file': 'pipe.cu', 'line': 4, 'samples': 600, 'share': 0.3, 'reason': 'barrier', 'reason_share': 1,"
	"   'reasons': [{'reason': 'barrier', 'samples': 600}]},"
	"  {'file': 'math.h', 'line': 5, 'samples': 400, 'share': 0.2, 'reason': 'long_scoreboard', 'reason_share': 1,"
	"   'reasons': [{'reason': 'long_scoreboard', 'samples': 400}]}],"
	" 'offsets': [{'symbol': '_Z1k', 'offset': 16, 'file': 'pipe.cu', 'line': 3, 'samples': 100, 'reason': 'wait'},"
	"  {'symbol': '_Z1k', 'offset': 288, 'file': 'pipe.cu', 'line': 4, 'samples': 600, 'reason': 'barrier'}]}";

static const char double_stalls[] =
	"{'samples': 1000, 'dropped': 0, 'reasons': [{'reason': 'barrier', 'state': 'barrier', 'samples': 250, "
	"'share': 0.25}],"
	" 'lines': [{'file': 'pipe.cu', 'line': 10, 'samples': 250, 'share': 0.25, 'reason': 'barrier', "
	"'reason_share': 1,"
	"   'reasons': [{'reason': 'barrier', 'samples': 250}]},"
	"  {'file': 'pipe.cu', 'line': 9, 'samples': 4, 'share': 0.004, 'reason': 'misc', 'reason_share': 1, "
	"'reasons': []}],"
	" 'offsets': []}";

static const char rows[] =
	"{'rows': [{'a_line': 3, 'a': 'x();', 'b_line': 9, 'b': 'x();', 'kind': 'same'},"
	" {'a_line': 4, 'a': '__syncthreads();', 'b_line': null, 'b': null, 'kind': 'single'},"
	" {'a_line': 5, 'a': '__syncthreads();', 'b_line': 10, 'b': '__syncthreads(); // one', 'kind': 'changed'}]}";

/* The view of the one family; *page is to be given back. */
static const json_t *view_of(json_t *family, json_t **page)
{
	json_t *model = model_with(family), *drawn = json_object();
	const struct view_input input = {.model = model, .drawn = drawn};

	*page = view_build(&input);
	json_decref(drawn);
	json_decref(model);
	const json_t *recording = json_array_get(json_object_get(*page, "recordings"), 0);
	return json_array_get(json_object_get(recording, "families"), 0);
}

static json_t *with_stalls(void)
{
	json_t *family = parse(family_json);

	put_pair(family, "single", "stalls", parse(single_stalls));
	put_pair(family, "double", "stalls", parse(double_stalls));
	assert_int_equal(json_object_set_new(family, "code_pair", parse(rows)), 0);
	return family;
}

static const json_t *bar_of(const json_t *family, size_t side, size_t line)
{
	const json_t *pair = json_array_get(json_object_get(family, "code"), line);

	return json_object_get(json_object_get(pair, side == 0 ? "a" : "b"), "stall");
}

static void test_bars(void **state)
{
	json_t *page;
	const json_t *family = view_of(with_stalls(), &page), *bar = bar_of(family, 0, 0);

	(void)state;
	assert_true(tree_true(family, "sampled"));
	assert_string_equal(tree_text(bar, "class"), "memory");
	assert_string_equal(tree_text(bar, "width"), "100"); /* the longest */
	assert_string_equal(tree_text(bar, "share"), "50\u00a0%");
	assert_string_equal(tree_text(bar, "state"), "memory wait");
	assert_string_equal(tree_text(bar, "all"),
		"50.0 % of the samples: memory wait 45.0 % (long scoreboard), barrier wait 5.00 %");
	assert_string_equal(tree_text(bar_of(family, 1, 0), "state"), "other"); /* a line without reasons */
	assert_string_equal(tree_text(bar_of(family, 0, 1), "class"), "barrier");
	assert_string_equal(tree_text(bar_of(family, 0, 1), "width"), "60");
	assert_true(json_is_null(bar_of(family, 0, 2)));                           /* no samples */
	assert_null(bar_of(family, 1, 1));                                         /* no line */
	assert_string_equal(tree_text(bar_of(family, 1, 2), "width"), "50");       /* of single's longest */
	assert_true(json_is_null(json_object_get(bar_of(family, 1, 0), "share"))); /* too small for words */
	json_decref(page);
}

/* Each side's bars are those of its own file: here that of double is no longer the family's. */
static void test_bars_of_two_files(void **state)
{
	json_t *page, *one = with_stalls();
	const json_t *family;

	(void)state;
	json_object_set_new(json_object_get(one, "code_pair"), "single_file", json_string("pipe.cu"));
	json_object_set_new(json_object_get(one, "code_pair"), "double_file", json_string("math.h"));
	family = view_of(one, &page);
	assert_string_equal(tree_text(family, "single_file"), "pipe.cu");
	assert_string_equal(tree_text(family, "double_file"), "math.h");
	assert_string_equal(tree_text(bar_of(family, 0, 0), "class"), "memory");
	assert_true(json_is_null(bar_of(family, 1, 2))); /* double's samples lie in pipe.cu */
	assert_non_null(strstr(tree_text(family, "double_samples"), "None of them in the lines above"));
	json_decref(page);
}

static void test_the_same_code(void **state)
{
	json_t *page, *one = with_stalls();
	const json_t *family;

	(void)state;
	assert_int_equal(
		json_object_set_new(one, "code_pair",
			parse("{'rows': [{'a_line': 3, 'a': 'x();', 'b_line': 3, 'b': 'x();', 'kind': 'same'}]}")),
		0);
	family = view_of(one, &page);
	assert_true(json_is_null(json_object_get(family, "code_differ")));
	assert_string_equal(tree_text(family, "code_lines"), "1");
	json_decref(page);
}

/* A long listing in which nothing differs and nothing is hot says so. */
static void test_no_line_in_sight(void **state)
{
	json_t *page, *one = with_stalls(), *alike = json_array();
	const json_t *family;

	(void)state;
	for (int i = 0; i < 41; i++)
		json_array_append_new(alike, json_pack("{s:i, s:s, s:i, s:s, s:s}", "a_line", 1000 + i, "a", "x();",
						     "b_line", 1000 + i, "b", "x();", "kind", "same"));
	json_object_set_new(one, "code_pair", json_pack("{s:o}", "rows", alike));
	family = view_of(one, &page);
	assert_true(tree_true(family, "code_rest"));
	assert_true(tree_true(family, "code_unseen"));
	json_decref(page);
	one = with_stalls();
	family = view_of(one, &page);
	assert_false(tree_true(family, "code_unseen"));
	json_decref(page);
}

/* Nothing but what was measured says what differs: grid, block, and what stands in the symbol. */
static void test_the_same_code_of_other_kernels(void **state)
{
	json_t *page, *one = with_stalls(), *variants = json_object_get(one, "variants");
	static const char *const symbols[] = {"_ZN1a4tileILi1EEEvPf", "_ZN1a4tileILi2EEEvPf"};
	const json_t *family;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		json_t *measured = json_array_get(json_object_get(json_array_get(variants, i), "cases"), 0);

		json_object_set_new(measured, "resources",
			json_pack("{s:s, s:[iii], s:[iii]}", "symbol", symbols[i], "grid", 8, (int)i, 1, "block", 32, 1,
				1));
	}
	family = view_of(one, &page);
	assert_string_equal(tree_text(family, "kernels_differ"), "grid and template arguments");
	json_decref(page);
}

static void test_other_kernels_are_not_templates(void **state)
{
	json_t *page, *one = with_stalls();
	const json_t *family = view_of(one, &page);

	(void)state;
	assert_false(tree_has(family, "kernels_differ"));
	json_decref(page);
}

static const char *column_name(const json_t *family, size_t at)
{
	return tree_text(json_array_get(json_object_get(family, "ptx_columns"), at), "name");
}

/* Rungs have no text of their PTX; those that share it are still told. */
static void test_ptx_of_rungs(void **state)
{
	static const char rungs[] = "[{'name': 'three', 'ptx': {'text': null, 'same_as': 'one', 'total': 2}},"
				    " {'name': 'four', 'ptx': {'text': null, 'same_as': null, 'total': 3}},"
				    " {'name': 'five', 'ptx': {'text': null, 'same_as': 'four', 'total': 3}},"
				    " {'name': 'six', 'ptx': {'text': null, 'same_as': null, 'total': 3}}]";
	json_t *page, *one = parse(family_json), *more = parse(rungs), *variants = json_object_get(one, "variants");
	const json_t *family;

	(void)state;
	json_object_set_new(json_array_get(variants, 0), "ptx", parse("{'text': 'ret;', 'total': 2}"));
	json_object_set_new(json_array_get(variants, 1), "ptx", parse("{'text': 'bar;', 'total': 4}"));
	json_array_extend(variants, more);
	json_decref(more);
	family = view_of(one, &page);
	assert_int_equal(json_array_size(json_object_get(family, "ptx_columns")), 4);
	assert_string_equal(column_name(family, 0), "one, three");
	assert_string_equal(column_name(family, 1), "two");
	assert_string_equal(column_name(family, 2), "four, five");
	assert_string_equal(column_name(family, 3), "six");
	assert_int_equal(json_array_size(json_object_get(family, "ptx")), 2);
	json_decref(page);
}

/* A table of many variants grows down the page, not out of it. */
static void test_ptx_of_many(void **state)
{
	json_t *page, *one = parse(family_json), *variants = json_object_get(one, "variants");
	const char *text;

	(void)state;
	for (int i = 0; i < 9; i++)
		append_json(variants,
			json_pack("{s:o, s:{s:o, s:i, s:[{s:s, s:i}]}}", "name", view_text("v%d", i), "ptx", "text",
				view_text("text %d", i), "total", i, "counts", "kind", "barriers", "count", 10 + i));
	text = tree_text(view_of(one, &page), "ptx_text");
	assert_non_null(strstr(text, "v8"));
	assert_non_null(strchr(strstr(text, "v0"), '\n'));
	assert_true(strchr(strstr(text, "v0"), '\n') < strstr(text, "v1")); /* a row of its own */
	assert_true(strstr(text, "barriers") < strstr(text, "v0"));
	json_decref(page);
}

static void test_what_lies_elsewhere(void **state)
{
	json_t *page;
	const json_t *family = view_of(with_stalls(), &page);

	(void)state;
	assert_string_equal(tree_text(family, "single_samples"),
		"2,000 samples, one every 256 cycles of an SM, in 2 launches; another 60 were dropped by the hardware. "
		"Elsewhere (headers, other lines): 20.0 %.");
	assert_string_equal(
		tree_text(family, "double_samples"), "1,000 samples. Elsewhere (headers, other lines): 74.6 %.");
	json_decref(page);
}

/* The code of a pipeline of copies is the host's. */
static void test_all_elsewhere(void **state)
{
	json_t *page, *family = with_stalls();

	(void)state;
	json_object_set_new(family, "file", json_string("host.cu"));
	assert_string_equal(tree_text(view_of(family, &page), "double_samples"),
		"1,000 samples. None of them in the lines above: those run on the host, or their kernels stand "
		"elsewhere.");
	json_decref(page);
}

static void assert_cell(
	const json_t *list, size_t row, size_t cell, const char *line, const char *share, const char *wait)
{
	const json_t *at = json_array_get(json_object_get(json_array_get(list, row), "cells"), cell);

	assert_string_equal(tree_text(at, "line"), line);
	assert_string_equal(tree_text(at, "share"), share);
	assert_string_equal(tree_text(at, "barrier"), wait);
}

static void test_barriers(void **state)
{
	json_t *page;
	const json_t *family = view_of(with_stalls(), &page), *list = json_object_get(family, "barriers");

	(void)state;
	assert_int_equal(json_array_size(list), 2);
	assert_cell(list, 0, 0, "4", "30.0 %", "30.0 %");
	assert_cell(list, 0, 1, "10", "25.0 %", "25.0 %");
	assert_cell(list, 1, 0, "5", "0 %", "0 %");
	assert_cell(list, 1, 1, "", "", ""); /* double has one barrier */
	assert_string_equal(json_string_value(json_array_get(json_object_get(family, "barrier_totals"), 0)), "35.0 %");
	json_decref(page);
}

static void test_instructions(void **state)
{
	json_t *page;
	const json_t *list = json_object_get(view_of(with_stalls(), &page), "offsets");
	const json_t *first = json_array_get(list, 0);

	(void)state;
	assert_int_equal(json_array_size(list), 2);
	assert_string_equal(tree_text(first, "offset"), "0x0120");
	assert_string_equal(tree_text(first, "where"), "pipe.cu:4");
	assert_string_equal(tree_text(first, "share"), "30.0 %");
	json_decref(page);
}

static void test_stamps_that_disturb_are_said_to(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "phases",
		parse("{'block': 0, 'warps': 8, 'blocks': 2, 'grid_blocks': 4096, 'plain_ns': 1000, 'stamped_ns': 1030,"
		      " 'perturbation': {'kernel': 0.03, 'block': 0.012, 'kernel_changes': true, 'block_changes': "
		      "true}, 'shares': {'wait': 0.44}, 'steps': []}"));
	put_pair(family, "double", "phases",
		parse("{'block': 0, 'warps': 8, 'blocks': 2, 'grid_blocks': 4096, 'plain_ns': 1000, 'stamped_ns': 1004,"
		      " 'perturbation': {'kernel': 0.004, 'block': null, 'kernel_changes': true, 'disturbs': true}, "
		      "'shares': {'wait': 0.31}, 'steps': []}"));
	const json_t *inside = json_object_get(view_of(family, &page), "inside");
	const json_t *runs = json_object_get(inside, "runs"), *shares = json_object_get(inside, "shares");
	assert_string_equal(tree_text(json_array_get(runs, 0), "cost"),
		"With stamps the kernel is 3.00 % slower (1.03 µs instead of 1.00 µs); the life of a stamped block: "
		"1.20 % longer.");
	assert_false(tree_true(json_array_get(runs, 0), "disturbed"));
	assert_string_equal(
		tree_text(json_array_get(runs, 0), "shown"), "block 0, 8 warps; stamped: 2 of 4,096 blocks.");
	assert_false(tree_true(inside, "mean"));
	/* Two times that look alike are one. */
	assert_string_equal(tree_text(json_array_get(runs, 1), "cost"),
		"With stamps the kernel is 0.400 % slower (1.00 µs); the life of a stamped block: not measured.");
	assert_true(tree_true(json_array_get(runs, 1), "disturbed"));
	assert_string_equal(tree_text(json_array_get(shares, 1), "single"), "44.0 %");
	assert_string_equal(tree_text(json_array_get(shares, 1), "double"), "31.0 %");
	assert_true(json_is_null(json_object_get(json_array_get(shares, 0), "single")));
	json_decref(page);
}

static void test_a_mean_block_is_said_to_be_one(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "phases",
		parse("{'block': null, 'warps': 32, 'blocks': 45056, 'grid_blocks': 16384, 'segments': 21, "
		      "'cut_phases': 1,"
		      " 'left_out': 12, 'perturbation': {'kernel': 0.02}, 'shares': {'wait': 0.4}, 'steps': []}"));
	put_pair(family, "double", "phases",
		parse("{'block': null, 'warps': 8, 'blocks': 22000, 'grid_blocks': 16384, 'segments': 11, "
		      "'cut_phases': 0,"
		      " 'left_out': 0, 'perturbation': {'kernel': 0.02}, 'shares': {'wait': 0.4}, 'steps': []}"));
	const json_t *inside = json_object_get(view_of(family, &page), "inside");
	const json_t *runs = json_object_get(inside, "runs");

	assert_true(tree_true(inside, "mean"));
	assert_string_equal(tree_text(json_array_get(runs, 0), "shown"),
		"the mean of 45,056 stamped blocks, 32 warps. Each block took the stamps of one of 21 segments of its "
		"life. "
		"1 phase of a warp came out below zero and has no length. 12 blocks were held up and are left out.");
	assert_string_equal(tree_text(json_array_get(runs, 1), "shown"),
		"the mean of 22,000 stamped blocks, 8 warps. Each block "
		"took the stamps of one of 11 segments of its life.");
	json_decref(page);
}

static void test_means_of_curves(void **state)
{
	json_t *family = parse(family_json), *page;

	(void)state;
	put_pair(family, "single", "pm",
		parse("[{'set': 'pcie', 'interval_ns': 1000, 'overflow': 1, 'duration_ns': 4000, 'metrics': "
		      "['pcie__read_bytes.sum'],"
		      " 'samples': [[0, 1000, 30000], [1000, 4000, 30000], [4000, 5000, 90000]]}]"));
	assert_int_equal(json_object_set_new(family, "metrics",
				 parse("[{'key': 'pm_pcie_read', 'pass': 'pm', 'set': 'pcie', 'unit': 'bytes',"
				       " 'formula': 'pcie__read_bytes.sum', 'meaning': 'bytes that came'}]")),
		0);
	const json_t *pm = json_object_get(view_of(family, &page), "pm");
	const json_t *list = json_object_get(pm, "rows"), *cells = json_object_get(json_array_get(list, 0), "cells");
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(tree_text(json_array_get(list, 0), "name"), "PCIe: read by the GPU");
	assert_string_equal(json_string_value(json_array_get(cells, 0)), "15.0 GB/s"); /* 60000 B in 4000 ns */
	assert_string_equal(json_string_value(json_array_get(cells, 1)), "30.0 GB/s"); /* later ones do not count */
	assert_true(json_is_null(json_array_get(cells, 2)));
	const json_t *run = json_array_get(json_object_get(pm, "runs"), 0);
	assert_string_equal(tree_text(run, "sentence"), "sampled every 1.00 µs in 1 run of 4.00 µs.");
	assert_true(tree_true(run, "lost"));
	json_decref(page);
}

static void test_passes_that_are_not_there(void **state)
{
	static const char refused[] =
		"{'dbprof': true, 'passes': [{'family': 'pipe', 'pass': 'phases', 'status': 'skipped',"
		" 'reason': 'no kernel of its own'}, {'family': 'pipe', 'pass': 'stalls', 'status': 'done', 'reason': "
		"null}]}";
	json_t *model = model_of(family_json, refused), *drawn = json_object();
	const struct view_input input = {.model = model, .drawn = drawn};
	json_t *page = view_build(&input);
	const json_t *recording = json_array_get(json_object_get(page, "recordings"), 0);
	const json_t *family = json_array_get(json_object_get(recording, "families"), 0);

	(void)state;
	assert_string_equal(tree_text(family, "no_inside"), "The phases pass was skipped: no kernel of its own.");
	assert_true(json_is_null(json_object_get(family, "inside")));
	assert_true(json_is_null(json_object_get(family, "no_pm"))); /* the recording is older than the pass */
	assert_true(json_is_null(json_object_get(family, "no_stalls")));
	assert_false(tree_true(family, "sampled"));
	json_decref(page);
	json_decref(drawn);
	json_decref(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_bars_of_two_files),
		cmocka_unit_test(test_the_same_code),
		cmocka_unit_test(test_no_line_in_sight),
		cmocka_unit_test(test_the_same_code_of_other_kernels),
		cmocka_unit_test(test_other_kernels_are_not_templates),
		cmocka_unit_test(test_ptx_of_rungs),
		cmocka_unit_test(test_ptx_of_many),
		cmocka_unit_test(test_what_lies_elsewhere),
		cmocka_unit_test(test_all_elsewhere),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_stamps_that_disturb_are_said_to),
		cmocka_unit_test(test_a_mean_block_is_said_to_be_one),
		cmocka_unit_test(test_means_of_curves),
		cmocka_unit_test(test_passes_that_are_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
