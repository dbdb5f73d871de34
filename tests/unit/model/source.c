/* source.c: cutting a variant's code and a kernel's PTX out of their files, and making text fit to be shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/family/source.h"
#include "util/utf8.h"

/* ---- .cu ---- */

static void assert_code(const char *text, const char *name, const char *expected, const int *lines)
{
	struct source_code code;
	struct error err = {0};

	if (source_variant(text, strlen(text), name, &code, &err) != 1)
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(code.text, expected);
	assert_int_equal(code.first_line, lines[0]);
	for (int i = 0; i < code.nlines; i++)
		assert_int_equal(code.line[i], lines[i]);
	assert_int_equal(lines[code.nlines], -1);
	source_code_free(&code);
	assert_null(code.text);
}

#define ASSERT_CODE(text, name, expected, ...) assert_code(text, name, expected, (const int[]){__VA_ARGS__, -1})

static const char shared[] = "#include <x>\n"            /* 1 */
			     "// begin one, two\n"       /* 2 */
			     "\tint i; // begin here\n"  /* 3 */
			     "\n"                        /* 4 */
			     "// end two\n"              /* 5 */
			     "\tone();  \n"              /* 6 */
			     "  //end one\n"             /* 7 */
			     "// begin with something\n" /* 8 */
			     "//begin two , three\n"     /* 9 */
			     "\ttwo();\r\n"              /* 10 */
			     "// end three,two\n"        /* 11 */
			     "last\n";                   /* 12 */

static void regions(void **state)
{
	(void)state;
	ASSERT_CODE(shared, "one", "\tint i; // begin here\n\n\tone();\n", 3, 4, 6);
	ASSERT_CODE(shared, "two", "\tint i; // begin here\n\n…\n\ttwo();\n", 3, 4, 0, 10);
	ASSERT_CODE(shared, "three", "\ttwo();\n", 10);
}

static void edges(void **state)
{
	(void)state;
	ASSERT_CODE("// begin a\nx\n// end a", "a", "x\n", 2);
	ASSERT_CODE("// begin a\nx\n// end a\n\n// begin a\ny\n// end a\n", "a", "x\ny\n", 2, 6);
	ASSERT_CODE("// begin a-b\nx\n// end a-b\n// begin a\ny\n// end a\n", "a", "y\n", 5);
	ASSERT_CODE("x\n// begin a\n// begin b\ny\n// end b\n// end a\n", "a", "y\n", 4);
}

static void nothing_there(void **state)
{
	static const char *const texts[] = {"", "\n", "// begin b\nx\n// end b\n", "// begin a\n// end a\n",
		"x // begin a\n", "// begin a, \nx\n", "// begina\n", "// begin\n", "//", "/", "// begin A\n"};
	struct source_code code;
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(source_variant(texts[i], strlen(texts[i]), "a", &code, &err), 0);
		assert_null(code.text);
		assert_null(code.line);
		assert_string_equal(err.text, "");
	}
}

static void assert_refused(const char *text, const char *message)
{
	struct source_code code;
	struct error err = {0};

	assert_int_equal(source_variant(text, strlen(text), "a", &code, &err), -1);
	assert_string_equal(err.text, message);
	assert_null(code.text);
}

static void broken_regions(void **state)
{
	(void)state;
	assert_refused("// begin a\nx\n", "a, opened in line 1, is never closed");
	assert_refused("// begin a\nx\n// begin a\n", "line 3 opens a, which is open since line 1");
	assert_refused("x\n// end a\n", "line 2 closes a, which is not open");
}

static void strange_bytes_in_code(void **state)
{
	static const char text[] = "// begin a\n\0\xFFx\xC3\xA9\n// end a\n";
	struct source_code code;

	(void)state;
	assert_int_equal(source_variant(text, sizeof text - 1, "a", &code, NULL), 1);
	assert_string_equal(code.text, "\xEF\xBF\xBD\xEF\xBF\xBDx\xC3\xA9\n");
	source_code_free(&code);
}

static void a_very_long_line(void **state)
{
	size_t size = 3000000;
	char *text = malloc(size + 1);
	struct source_code code;

	(void)state;
	assert_non_null(text);
	memset(text, ',', size);
	memcpy(text, "// begin a\n", 11);
	memcpy(text + size - 10, "\n// end a\n", 10);
	text[size] = '\0';
	assert_int_equal(source_variant(text, size, "a", &code, NULL), 1);
	assert_int_equal(strlen(code.text), size - 11 - 10 + 1);
	source_code_free(&code);
	free(text);
}

/* ---- PTX ---- */

static const char ptx[] = ".version 9.0\n"
			  ".file 1 \"/a//b{.cu\"\n"
			  ".visible .entry _Z3foo(.param .u64 p);\n"
			  ".visible .entry _Z3foobar(\n"
			  "\t.param .u64 p\n"
			  ")\n"
			  "{\n"
			  "\tret;\n"
			  "}\n"
			  "\n"
			  "// .entry _Z3foo is next\n"
			  ".visible .entry _Z3foo(\n"
			  "\t.param .u64 p // pointer\n"
			  ")\n"
			  ".maxntid 32, 1, 1\n"
			  "{\n"
			  "\t.reg .b32 \t%r<5>;\n"
			  "\t.loc\t1 4 2, function_name $L__info_string0, inlined_at 1 9 1\n"
			  "\n"
			  "$L__func_begin0: // label }\n"
			  "\tld.global.v2.f32 \t{%f1, %f2}, [%rd1];\n"
			  "\t/* two lines }\n\t}*/ @%p1 bra \t$L__BB0_2;\n"
			  "\t// begin inline asm\n"
			  "\t{ .reg .pred q; setp.ne.b32 q, %r1, 0; @q bra L; }\n"
			  "\t// end inline asm\n"
			  "\tcall.uni (r), \n"
			  "\tf, \n"
			  "\t(\n"
			  "\tp\n"
			  "\t);\n"
			  "\tcp.async.bulk.shared::cluster [a], [b];\n"
			  "$L__BB0_2:\n"
			  "\t.pragma \"nounroll\";\n"
			  "\tret;\n"
			  "\n"
			  "}\n"
			  ".visible .entry last() { ret; }";

static void one_kernel(void **state)
{
	static const char *const instructions[] = {"ld.global.v2.f32 {%f1, %f2}, [%rd1];", "@%p1 bra $L__BB0_2;",
		"setp.ne.b32 q, %r1, 0;", "@q bra L;", "call.uni (r), f, ( p );",
		"cp.async.bulk.shared::cluster [a], [b];", "ret;"};
	struct ptx_entry entry;

	(void)state;
	assert_int_equal(source_ptx(ptx, sizeof ptx - 1, "_Z3foo", &entry, NULL), 1);
	assert_string_equal(entry.text, ".visible .entry _Z3foo(\n"
					"\t.param .u64 p\n"
					")\n"
					".maxntid 32, 1, 1\n"
					"{\n"
					"\t.reg .b32 \t%r<5>;\n"
					"$L__func_begin0:\n"
					"\tld.global.v2.f32 \t{%f1, %f2}, [%rd1];\n"
					"     @%p1 bra \t$L__BB0_2;\n"
					"\t{ .reg .pred q; setp.ne.b32 q, %r1, 0; @q bra L; }\n"
					"\tcall.uni (r),\n"
					"\tf,\n"
					"\t(\n"
					"\tp\n"
					"\t);\n"
					"\tcp.async.bulk.shared::cluster [a], [b];\n"
					"$L__BB0_2:\n"
					"\t.pragma \"nounroll\";\n"
					"\tret;\n"
					"}\n");
	assert_int_equal(entry.ninstructions, sizeof instructions / sizeof *instructions);
	for (int i = 0; i < entry.ninstructions; i++)
		assert_string_equal(entry.instructions[i], instructions[i]);
	ptx_entry_free(&entry);
	assert_null(entry.instructions);
}

static void other_kernels(void **state)
{
	struct ptx_entry entry;
	struct error err = {0};

	(void)state;
	assert_int_equal(source_ptx(ptx, sizeof ptx - 1, "last", &entry, &err), 1);
	assert_string_equal(entry.text, ".visible .entry last() { ret; }\n");
	assert_int_equal(entry.ninstructions, 1);
	ptx_entry_free(&entry);
	assert_int_equal(source_ptx(ptx, sizeof ptx - 1, "_Z3fo", &entry, &err), 0);
	assert_null(entry.text);
	assert_int_equal(source_ptx("", 0, "x", &entry, &err), 0);
	assert_int_equal(source_ptx(".entry", 6, "x", &entry, &err), 0);
}

/* Comments that hide a kernel, or speak of one; a longer name first; a declaration first. */
static void kernels_among_comments(void **state)
{
	static const char *const texts[] = {
		".entry xy() { trap; }\n.entry x() { ret; }",
		".entry x();\n.entry x() { ret; }",
		"// .entry x() { trap; }\n.entry x() { ret; }",
		"/* .entry x() {\n.entry x() { trap; } */\n.entry x() { ret; }",
		".entry x() { // unlike .entry y\nret; }\n.entry y() { trap; }",
		".entry\n\tx() { ret; }",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ptx_entry entry;
		struct error err = {0};

		assert_int_equal(source_ptx(texts[i], strlen(texts[i]), "x", &entry, &err), 1);
		assert_int_equal(entry.ninstructions, 1);
		assert_string_equal(entry.instructions[0], "ret;");
		ptx_entry_free(&entry);
	}
}

static void a_kernel_without_end(void **state)
{
	static const char *const texts[] = {
		".entry x", ".entry x(", ".entry x() {", ".entry x() { { }", ".entry x() { /* }"};
	struct ptx_entry entry;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error err = {0};

		assert_int_equal(source_ptx(texts[i], strlen(texts[i]), "x", &entry, &err), -1);
		assert_string_equal(err.text, "the PTX of x does not end");
		assert_null(entry.text);
	}
}

/* Cut off anywhere, the text is still read or refused. */
static void torn_texts(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof ptx; size++) {
		char *copy = malloc(size + 1); /* of its size, so that a step too far is seen */
		struct ptx_entry entry;

		assert_non_null(copy);
		memcpy(copy, ptx, size);
		if (source_ptx(copy, size, "_Z3foo", &entry, NULL) == 1)
			ptx_entry_free(&entry);
		free(copy);
	}
}

/* ---- text ---- */

static void clean_text(void **state)
{
#define BAD "\xEF\xBF\xBD"
	static const struct {
		const char *text, *clean;
	} samples[] = {
		{"a\tb\r\n", "a\tb\r\n"},
		{"\xC3\xA9\xE2\x80\xA6\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x80\xA6\xF0\x9F\x98\x80"},
		{"\x01\x1B", BAD BAD},
		{"\xC3", BAD}, /* cut off */
		{"\xE2\x80z", BAD BAD "z"},
		{"\xC0\xAF", BAD BAD}, /* a longer form than needed */
		{"\xE0\x80\xAF", BAD BAD BAD},
		{"\xED\xA0\x80", BAD BAD BAD},         /* half of a surrogate pair */
		{"\xF4\x90\x80\x80", BAD BAD BAD BAD}, /* beyond Unicode */
		{"\xEF\xBF\xBE", BAD},                 /* U+FFFE: one character, which XML refuses */
		{"\x80x\xFF", BAD "x" BAD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		size_t size;
		char *clean = utf8_clean(samples[i].text, strlen(samples[i].text), &size);

		assert_string_equal(clean, samples[i].clean);
		assert_int_equal(size, strlen(samples[i].clean));
		free(clean);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions),
		cmocka_unit_test(edges),
		cmocka_unit_test(nothing_there),
		cmocka_unit_test(broken_regions),
		cmocka_unit_test(strange_bytes_in_code),
		cmocka_unit_test(a_very_long_line),
		cmocka_unit_test(one_kernel),
		cmocka_unit_test(other_kernels),
		cmocka_unit_test(kernels_among_comments),
		cmocka_unit_test(a_kernel_without_end),
		cmocka_unit_test(torn_texts),
		cmocka_unit_test(clean_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
