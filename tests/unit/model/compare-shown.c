/* compare-shown.c: two recordings compared: text and page, their words and columns, and the file that they go to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/compare.h"
#include "fixtures/compare-fixture.h"
#include "util/columns.h"
#include "util/file/file.h"
#include "util/file/outfile.h"
#include "words/compare.h"

/* ---- text and page ---- */

/* Colour where it is wanted; the words are there without it. */
static void test_text(void **state)
{
	const struct recorded fresh = {.runs = 3, .b_ns = {80, 80.1, 79.9}, .measured_mhz = 1970};
	json_t *tree = compare(&plain, &fresh);
	char *colored = compare_text(tree, true), *words = compare_text(tree, false);

	(void)state;
	assert_non_null(strstr(colored, "\033[32m▲ faster\033[0m"));
	assert_null(strchr(words, '\033'));
	assert_non_null(strstr(words, "▲ faster\n"));
	assert_non_null(strstr(words, "1.250× "));
	assert_non_null(strstr(words, "Of 2 intervals at 95 %, about 0.1 miss the true ratio by chance alone"));
	assert_non_null(strstr(words, "\n1 same, 1 faster, 0 slower, 0 unclear\n"));
	free(colored);
	free(words);
	json_decref(tree);
}

static void test_page(void **state)
{
	static const char *const rows[] = {"VARIANT family=f name=\"<b>&\" ord=2 kind=candidate buffers=1", NULL};
	struct recorded other = plain;
	struct error err = {0};
	json_t *tree;
	char *page;

	(void)state;
	other.rows = rows;
	tree = compare(&plain, &other);
	page = compare_page(tree, NULL, &err);
	assert_string_equal(err.text, "");
	assert_non_null(strstr(page, "f/&lt;b&gt;&amp;: only new has it"));
	assert_null(strstr(page, "<b>&"));
	assert_non_null(strstr(page, "class=\"verdict same\""));
	assert_non_null(strstr(page, "class=\"whisker same\""));
	assert_non_null(strstr(page, "Of 2 intervals at 95 %, about 0.1 miss the true ratio by chance alone"));
	free(page);
	json_decref(tree);
}

/* Only intervals that there are can miss; one alone is what its 95 % says. */
static void test_chance(void **state)
{
	const struct recorded once = {.runs = 1, .b_ns = {100}, .measured_mhz = 1970};
	static const char *const only_b[] = {"f/b"};
	struct error err = {0};
	char text[SENTENCE_SIZE];
	json_t *tree = compare(&once, &once);

	(void)state;
	compare_chance_words(tree, text, sizeof text);
	assert_string_equal(text, "");
	json_decref(tree);
	write_recording("base.sqlite", &plain);
	tree = build("base.sqlite", "base.sqlite", only_b, 1, &err);
	compare_chance_words(tree, text, sizeof text);
	assert_string_equal(text, "");
	json_decref(tree);
}

static void test_ratio_words(void **state)
{
	static const struct {
		double ratio;
		const char *words;
	} rows[] = {{1.0044, "1.004×"}, {0.9996, "1.000×"}, {0.52, "0.520×"}, {12.34, "12.3×"}, {0.25, "0.250×"},
		{NAN, "n/a"}};
	char text[RATIO_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		json_t *ratio = json_pack("{s:f}", "value", rows[i].ratio);

		assert_string_equal(compare_ratio_words(ratio, 0.01, text, sizeof text), rows[i].words);
		json_decref(ratio);
	}
}

static void columns_give(
	void (*put)(struct strbuf *out, const char *s, int width), const char *s, int width, const char *want)
{
	struct strbuf out = {0};

	put(&out, s, width);
	assert_string_equal(out.text, want);
	strbuf_free(&out);
}

static void test_columns(void **state)
{
	(void)state;
	assert_int_equal(columns_of("12 µs ×"), 7);
	columns_give(columns_left, "µs", 4, "µs  ");
	columns_give(columns_right, "µs", 4, "  µs");
	columns_give(columns_left, "äöüß", 3, "äö…");
	columns_give(columns_left, "a\033[1m\n\302\233z", 20, "a [1m  z            ");
	columns_give(columns_left, "\303", 2, "\303 ");
}

/* All or nothing: where the folder cannot be written the older file stays, and nothing is left behind. */
static void test_file_replace(void **state)
{
	struct error err = {0};
	char *text;

	(void)state;
	assert_int_equal(file_replace(in_scratch("x"), "older", 5, &err), 0);
	assert_int_equal(file_replace(in_scratch("x"), "newer text", 10, &err), 0);
	text = file_read(in_scratch("x"), NULL, &err);
	assert_string_equal(text, "newer text");
	free(text);
	assert_int_equal(scratch_files(0), 1);
	assert_int_equal(file_replace(in_scratch("no/such/folder"), "x", 1, &err), -1);
	assert_non_null(strstr(err.text, "no/such/folder"));
	assert_int_equal(scratch_files(0), 1);
	assert_true(file_same(in_scratch("x"), in_scratch("./x")));
	assert_false(file_same(in_scratch("x"), in_scratch("y")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_text),
		scratch_test(test_page),
		scratch_test(test_chance),
		scratch_test(test_file_replace),
		cmocka_unit_test(test_ratio_words),
		cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
