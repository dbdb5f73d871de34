/* clip.c: names of any length and content: cut at whole characters, fit for a terminal, and as ids of a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tree/anchor.h"
#include "util/clip.h"
#include "util/error.h"
#include "util/utf8.h"

/* ---- room of a fixed size ---- */

static void cut_at_whole_characters(void **state)
{
	static const char text[] = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z"; /* of 1, 2, 3, 4 and 1 bytes */
	static const size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};
	char room[16];

	(void)state;
	for (size_t size = 1; size <= sizeof text; size++) {
		memset(room, '!', sizeof room);
		clip_print(room, size, "%s", text);
		assert_int_equal(strlen(room), kept[size - 1]);
		assert_memory_equal(room, text, kept[size - 1]);
		assert_int_equal(room[size], '!');
	}
}

static void append_to_the_end_and_no_further(void **state)
{
	char room[8] = "", behind[] = "untouched";

	(void)state;
	clip_append(room, sizeof room, "%s", "abc");
	clip_append(room, sizeof room, "%s", "\xE2\x82\xAC\xE2\x82\xAC");
	assert_string_equal(room, "abc\xE2\x82\xAC");
	clip_append(room, sizeof room, "%s", "xyz");
	assert_string_equal(room, "abc\xE2\x82\xACx");
	for (int i = 0; i < 3; i++)
		clip_append(room, sizeof room, "%s%s", ", ", "more");
	assert_string_equal(room, "abc\xE2\x82\xACx");
	assert_string_equal(behind, "untouched");
}

/* ---- terminals and pages ---- */

static void one_line_for_a_terminal(void **state)
{
	char text[] = "a\x1b[31mb\nc\x7f\xC2\x9B"
		      "d\xFF\xE2\x80\xAE\xE2\x82\xAC";
	struct error err;

	(void)state;
	utf8_one_line(text);
	assert_string_equal(text, "a [31mb c  d??\xE2\x82\xAC");
	error_set(&err, "%s", "kernel \x1b]0;x\x07\xC2\x9B\xE2\x81\xA6");
	assert_string_equal(err.text, "kernel  ]0;x  ?");
}

static void visible_on_a_page(void **state)
{
	static const char text[] = "a\xE2\x80\xAE\x01\n\xE2\x80\xA8\xC3\xA4";
	char *visible = utf8_visible(text, sizeof text - 1), *clean = utf8_clean(text, sizeof text - 1, NULL);

	(void)state;
	assert_string_equal(visible, "a\xEF\xBF\xBD\xEF\xBF\xBD\n\xEF\xBF\xBD\xC3\xA4");
	assert_string_equal(clean, "a\xE2\x80\xAE\xEF\xBF\xBD\n\xE2\x80\xA8\xC3\xA4");
	free(visible);
	free(clean);
}

/* ---- ids ---- */

static void plain_names_are_their_own_anchors(void **state)
{
	static const char *const names[] = {"sgemm", "scan-kogge-stone/two-barriers", "r-square", "Radix_2", "x"};
	char anchor[ANCHOR_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(anchor_of(names[i], anchor), names[i]);
}

static void other_names_get_anchors_that_differ(void **state)
{
	static const char *const names[] = {"", "-", "a b", "a<b", "a>b", "1a", "def-span", "r2-scan", "program", "tip",
		"x-a", "../../etc/passwd", "a-", "=1", "\xFF", "\xC3\xA4"};
	enum { N = sizeof names / sizeof *names };
	char anchor[N + 2][ANCHOR_SIZE], *longer = malloc(100001);

	(void)state;
	assert_non_null(longer);
	memset(longer, 'a', 100000);
	longer[100000] = '\0';
	for (size_t i = 0; i < N; i++)
		anchor_of(names[i], anchor[i]);
	anchor_of(longer, anchor[N]);
	longer[99999] = 'b';
	anchor_of(longer, anchor[N + 1]);
	free(longer);
	for (size_t i = 0; i < N + 2; i++) {
		assert_true(strncmp(anchor[i], "x-", 2) == 0 && strlen(anchor[i]) < ANCHOR_SIZE);
		assert_int_equal(strspn(anchor[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
			strlen(anchor[i]));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(anchor[i], anchor[k]);
	}
}

/* Of a path that is too long the middle goes: what is wrong with it stands at the end. */
static void a_message_too_long_keeps_its_end(void **state)
{
	struct error err = {0};
	char path[4000];

	(void)state;
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	error_set(&err, "cannot write %s: the name is too long", path);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "cannot write ppp", 16);
	assert_non_null(strstr(err.text, "p ... p"));
	assert_string_equal(err.text + strlen(err.text) - strlen("p: the name is too long"), "p: the name is too long");
	error_set(&err, "%.*s", (int)sizeof(err.text) - 1, path);
	assert_null(strstr(err.text, "..."));
	error_set(&err, "the name is too long");
	error_prefix(&err, "--load %s", path);
	assert_memory_equal(err.text, "--load ppp", 10);
	assert_string_equal(err.text + strlen(err.text) - strlen("p: the name is too long"), "p: the name is too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_at_whole_characters),
		cmocka_unit_test(append_to_the_end_and_no_further),
		cmocka_unit_test(one_line_for_a_terminal),
		cmocka_unit_test(visible_on_a_page),
		cmocka_unit_test(plain_names_are_their_own_anchors),
		cmocka_unit_test(other_names_get_anchors_that_differ),
		cmocka_unit_test(a_message_too_long_keeps_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
