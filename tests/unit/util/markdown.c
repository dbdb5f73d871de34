/* markdown.c: names, commands and sentences inside Markdown stay what they are, whatever they hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "util/markdown.h"
#include "util/strbuf.h"

static void assert_name(const char *name, const char *want)
{
	struct strbuf out = {0};

	markdown_name(&out, name);
	assert_string_equal(out.text, want);
	strbuf_free(&out);
}

static void names_are_code(void **state)
{
	(void)state;
	assert_name("mm", "`mm`");
	assert_name("a*b_c<d>@e", "`a*b_c<d>@e`");
	assert_name("a|b", "`a\\|b`");
	assert_name("a\\|b", "`a\\\\|b`"); /* a table takes the one backslash before a bar */
	assert_name("a`b", "`` a`b ``");
	assert_name("``a", "``` ``a ```");
	assert_name("a\nb\tc", "`a b c`");
	assert_name(" a ", "`  a  `"); /* of the blanks at both ends Markdown takes one each */
	assert_name(" a", "` a`");
	assert_name("", "–");
	assert_name(" ", "–");
}

/* What is cut off has no say in how long the fence is. */
static void long_names_are_cut(void **state)
{
	char name[300], want[300];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[298] = '`';
	name[299] = '\0';
	snprintf(want, sizeof(want), "`%.79s…`", name);
	assert_name(name, want);

	struct strbuf out = {0};
	snprintf(want, sizeof(want), "`%.199s…`", name);
	markdown_command(&out, name);
	assert_string_equal(out.text, want);
	strbuf_free(&out);
}

static void assert_sentence(const char *text, const char *const *names, bool in_table, const char *want)
{
	struct strbuf out = {0};

	markdown_sentence(&out, text, names, in_table);
	assert_string_equal(out.text ? out.text : "", want);
	strbuf_free(&out);
}

static void names_of_sentences_are_code(void **state)
{
	static const char *const none[] = {NULL};
	static const char *const names[] = {"", "mm", "mm `a`", "x|y\nz", NULL};

	(void)state;
	assert_sentence("", none, false, "");
	assert_sentence("- 1 * 2 #3", none, false, "\\- 1 \\* 2 \\#\u200b3");
	assert_sentence("`mm *` is *fast*", none, false, "`mm *` is \\*fast\\*");
	assert_sentence("Not `a` - but `b`.", none, false, "Not `a` - but `b`.");
	assert_sentence("of `mm", none, false, "of \\`mm");
	assert_sentence("of ``, `mm`", none, false, "of –, `mm`");
	/* The longest name that is known; without it nobody knows where a name ends. */
	assert_sentence("`mm `a`` beats `mm`", names, false, "`` mm `a` `` beats `mm`");
	/* A bar ends a cell, and outside of tables nothing takes the backslash away. */
	assert_sentence("`x|y\nz` | 2", names, false, "`x|y z` \\| 2");
	assert_sentence("`x|y\nz` | 2", names, true, "`x\\|y z` \\| 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_code),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(names_of_sentences_are_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
