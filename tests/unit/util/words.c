/* words.c: a command is split as a shell would, and what only a shell can do is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/words.h"

/* The words with a bar behind each. */
static void splits(const char *command, const char *expected)
{
	struct error err = {0};
	struct strbuf got = {0};
	char **words = words_split(command, "--shell", &err);

	if (words == NULL)
		fail_msg("%s: %s", command, err.text);
	for (size_t i = 0; words[i] != NULL; i++)
		strbuf_printf(&got, "%s|", words[i]);
	assert_string_equal(got.text, expected);
	strbuf_free(&got);
	words_free(words);
}

static void refuses(const char *command, const char *why)
{
	struct error err = {0};

	assert_null(words_split(command, "--shell", &err));
	if (strstr(err.text, why) == NULL || strchr(err.text, '\n') != NULL)
		fail_msg("%s: '%s' instead of '%s'", command, err.text, why);
}

static void blanks_part_words(void **state)
{
	(void)state;
	splits("a", "a|");
	splits("  ./mm\t--stages  3\n", "./mm|--stages|3|");
	splits("a b=c --d=e [1,2] {x} x~ y#z !", "a|b=c|--d=e|[1,2]|{x}|x~|y#z|!|");
	splits("\xff\x01 \xc3\xa4", "\xff\x01|\xc3\xa4|");
}

static void quotes_keep(void **state)
{
	(void)state;
	splits("'a b' \"c d\"", "a b|c d|");
	splits("a'b'\"c\"d", "abcd|");
	splits("'' \"\" a''", "||a|");
	splits("'$x `y` \\ \" *'", "$x `y` \\ \" *|");
	splits("\"a 'b' \\\" \\\\ \\$ \\` \\n * ; ~\"", "a 'b' \" \\ $ ` \\n * ; ~|");
	splits("\"a\\\nb\" 'c\nd'", "ab|c\nd|");
}

static void a_backslash_keeps_one(void **state)
{
	(void)state;
	splits("a\\ b \\' \\\" \\\\ \\$x \\*", "a b|'|\"|\\|$x|*|");
	splits("a\\\nb \\\n c", "ab|c|");
	splits("\\~ \\# A\\=b", "~|#|A=b|");
}

static void open_quotes_are_errors(void **state)
{
	(void)state;
	refuses("a 'b", "'");
	refuses("'", "'");
	refuses("a \"b", "\"");
	refuses("\"\\\"", "\"");
	refuses("\"\\", "\"");
	refuses("a\\", "\\");
	refuses("", "empty");
	refuses(" \t\n", "empty");
	refuses("\\\n", "empty");
}

static void shells_work_is_refused(void **state)
{
	static const char *const commands[] = {"a | b", "a|b", "a && b", "a;", "a < b", "a >b", "a 2>&1", "(a)", "a $b",
		"a `b`", "a *.c", "a?", "~/a", "a ~b", "# a", "a #b", "\"$a\"", "\"`a`\"", "a$(b)"};

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		refuses(commands[i], "--shell");
	refuses("A=b c", "use --shell, or env A=");
	refuses("_x1=2 c", "--shell");
	splits("'A'=b c", "A=b|c|");
	splits("1A=b c", "1A=b|c|");
	splits("a A=b", "a|A=b|");
}

static void goes_back(const char *word)
{
	char *list[] = {(char *)"x", (char *)word, NULL}, *text = words_join(list);
	struct error err = {0};
	char **words = words_split(text, "--shell", &err);

	assert_non_null(words);
	assert_string_equal(words[0], "x");
	assert_string_equal(words[1], word);
	assert_null(words[2]);
	words_free(words);
	free(text);
}

/* All words of up to three characters of those that mean something, and what the shell of this machine makes of them.
 */
static void quoted_words_go_back(void **state)
{
	static const char special[] = "a'\"\\ \n$`*~#=;\xff";
	size_t n = sizeof(special);
	char word[4];

	(void)state;
	for (size_t i = 0; i < n * n * n; i++) {
		word[0] = special[i % n];
		word[1] = special[i / n % n];
		word[2] = special[i / n / n];
		word[3] = '\0';
		goes_back(word);
	}
}

static void plain_words_stay(void **state)
{
	char *words[] = {
		(char *)"./mm", (char *)"--stages=3", (char *)"a b", (char *)"", (char *)"it's", (char *)"A=b", NULL};
	char *none[] = {NULL};
	char *text = words_join(words);

	(void)state;
	assert_string_equal(text, "./mm --stages=3 'a b' '' 'it'\\''s' 'A=b'");
	free(text);
	text = words_join(none);
	assert_string_equal(text, "");
	free(text);
}

static void a_long_command(void **state)
{
	enum { N = 100000 };
	char *text = malloc(2 * N + 1), **words;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < N; i++)
		memcpy(text + (size_t)2 * i, "a ", 3);
	words = words_split(text, "--shell", NULL);
	assert_non_null(words);
	assert_string_equal(words[N - 1], "a");
	assert_null(words[N]);
	words_free(words);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_part_words),
		cmocka_unit_test(quotes_keep),
		cmocka_unit_test(a_backslash_keeps_one),
		cmocka_unit_test(open_quotes_are_errors),
		cmocka_unit_test(shells_work_is_refused),
		cmocka_unit_test(quoted_words_go_back),
		cmocka_unit_test(plain_words_stay),
		cmocka_unit_test(a_long_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
