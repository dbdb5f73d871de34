/* export.c: how exports write text, and which calls have work. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/launches.h"
#include "export/text.h"

static void expect(struct strbuf *text, const char *want)
{
	char *got = strbuf_take(text);

	assert_string_equal(got, want);
	free(got);
}

static void times_keep_every_nanosecond(void **state)
{
	static const struct {
		int64_t ns;
		const char *us;
	} cases[] = {
		{0, "0.000"},
		{1, "0.001"},
		{999, "0.999"},
		{1000, "1.000"},
		{-1, "-0.001"},
		{-1500, "-1.500"},
		{366701745358, "366701745.358"},
		{INT64_MAX, "9223372036854775.807"},
		{INT64_MIN, "-9223372036854775.808"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = {0};

		text_us(&text, cases[i].ns);
		expect(&text, cases[i].us);
	}
}

static void numbers_can_be_read_back(void **state)
{
	struct strbuf text = {0};

	(void)state;
	text_int(&text, INT64_MIN);
	strbuf_puts(&text, " ");
	text_int(&text, 0);
	strbuf_puts(&text, " ");
	text_real(&text, 0.1);
	strbuf_puts(&text, " ");
	text_real(&text, NAN);
	strbuf_puts(&text, " ");
	text_real(&text, 64);
	expect(&text, "-9223372036854775808 0 0.1 0 64");
	text_real(&text, 1 / 3.0);
	char *third = strbuf_take(&text);
	assert_true(strtod(third, NULL) == 1 / 3.0);
	free(third);
}

static void json_strings_are_escaped(void **state)
{
	static const struct {
		const char *plain, *quoted;
	} cases[] = {
		{"", "\"\""},
		{"a b", "\"a b\""},
		{"\"\\/", "\"\\\"\\\\/\""},
		{"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
		{"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
		{"\xE2\x80\xA8\xE2\x80\xA9", "\"\\u2028\\u2029\""},
		{"\xE2\x80\xA7\xC3\xA9\xE2\x82\xAC", "\"\xE2\x80\xA7\xC3\xA9\xE2\x82\xAC\""},
		{"</script>", "\"</script>\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = {0};

		text_quoted(&text, cases[i].plain);
		expect(&text, cases[i].quoted);
	}
}

static void cells_are_quoted_and_no_formulas(void **state)
{
	static const struct {
		const char *plain, *cell;
	} cases[] = {
		{NULL, ""},
		{"", ""},
		{"plain text", "plain text"},
		{"a,b", "\"a,b\""},
		{"say \"so\"", "\"say \"\"so\"\"\""},
		{"two\nlines", "\"two\nlines\""},
		{"=1+1", "\"'=1+1\""},
		{"+1", "\"'+1\""},
		{"-1", "\"'-1\""},
		{"@SUM(A1)", "\"'@SUM(A1)\""},
		{"\t=1", "\"'\t=1\""},
		{"\r=1", "\"'\r=1\""},
		{"=\"a\"", "\"'=\"\"a\"\"\""},
		{"a=1", "a=1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = {0};

		text_cell(&text, cases[i].plain);
		expect(&text, cases[i].cell);
	}
}

static void long_texts_stay_whole(void **state)
{
	struct strbuf text = {0};

	(void)state;
	for (int i = 0; i < 100000; i++)
		strbuf_puts(&text, "0123456789");
	assert_int_equal(text.length, 1000000);
	assert_memory_equal(text.text + 999990, "0123456789", 10);
	strbuf_free(&text);
}

static void launches_are_told_apart(void **state)
{
	struct launches *launches = launches_new();

	(void)state;
	assert_non_null(launches);
	assert_false(launches_has(launches, 1, 5));
	assert_false(launches_take(launches, 1, 5));
	for (int64_t id = 1; id < 200000; id += 2)
		launches_add(launches, id % 3, id);
	launches_add(launches, 7, -5);
	launches_add(launches, 7, INT64_MAX);
	for (int64_t id = 1; id < 200000; id++) {
		assert_int_equal(launches_has(launches, id % 3, id), id % 2);
		assert_false(launches_has(launches, (id + 1) % 3, id));
		assert_false(launches_taken(launches, id % 3, id));
	}
	assert_true(launches_has(launches, 7, -5));
	assert_true(launches_has(launches, 7, INT64_MAX));
	assert_false(launches_has(launches, 7, -6));
	/* Once, and only what work has. */
	assert_true(launches_take(launches, 0, 3));
	assert_false(launches_take(launches, 0, 3));
	assert_true(launches_taken(launches, 0, 3));
	assert_false(launches_taken(launches, 0, 9));
	assert_false(launches_take(launches, 0, 6));
	/* Several pieces of work with one id; calls, of which only those that work asks for are noted. */
	assert_false(launches_has_several(launches, 1, 5));
	launches_add(launches, 2, 5);
	assert_true(launches_has_several(launches, 2, 5));
	assert_false(launches_has_several(launches, 2, 11));
	launches_note_call(launches, 2, 5);
	launches_note_call(launches, 0, 6);
	assert_true(launches_has_call(launches, 2, 5));
	assert_false(launches_has_call(launches, 0, 6));
	assert_false(launches_taken(launches, 2, 5));
	launches_free(launches);
	launches_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_keep_every_nanosecond),
		cmocka_unit_test(numbers_can_be_read_back),
		cmocka_unit_test(json_strings_are_escaped),
		cmocka_unit_test(cells_are_quoted_and_no_formulas),
		cmocka_unit_test(long_texts_stay_whole),
		cmocka_unit_test(launches_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
