/* listing.c: what nvdisasm prints, read as instructions with source lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/code/listing.h"
#include "util/utf8.h"

static void read_text(const char *symbol, const char *text, struct listing *out)
{
	struct listing_reading reading = {.symbol = symbol, .out = out};
	char *copy = strdup(text), *rest = copy;

	assert_non_null(copy);
	*out = (struct listing){0};
	while (rest) {
		char *line = strsep(&rest, "\n");

		listing_read_line(&reading, line);
	}
	listing_read_end(&reading);
	free(copy);
}

static const char printed[] = "	.headerflags	@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90\"\n"
			      "	.elftype	@\"ET_EXEC\"\n"
			      "//--------------------- .text.first ---\n"
			      "	.section	.text.first,\"ax\",@progbits\n"
			      ".text.first:\n"
			      "        /*0000*/                   NOP;\n"
			      "//--------------------- .text._Z4tilePf ---\n"
			      "	.section	.text._Z4tilePf,\"ax\",@progbits\n"
			      "	.sectioninfo	@\"SHI_REGISTERS=24\"\n"
			      "	.align	128\n"
			      "        .global         _Z4tilePf\n"
			      "_Z4tilePf:\n"
			      ".text._Z4tilePf:\n"
			      "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
			      "	//## File \"/a/tile.cu\", line 12\n"
			      "        /*0010*/                   S2R R0, SR_TID.X ;   /* 0x0000000000007919 */\n"
			      "	//## File \"/cuda/half.hpp\", line 500 inlined at \"/a/tile.cu\", line 7\n"
			      "	//## File \"/a/tile.cu\", line 7 inlined at \"/a/tile.cu\", line 13\n"
			      "	//## File \"/a/tile.cu\", line 13\n"
			      ".L_x_1:\n"
			      "        /*0020*/                   HADD2 R2, R0, R0 ;\n"
			      "        /*0030*/              @!P0 BRA `(.L_x_1) ;\n"
			      "	//## File \".nv_debug_ptx_txt\", line 40\n"
			      "        /*10000*/                  EXIT;\n"
			      "        /*0040*/                   NOP;\n"
			      ".L_x_2:\n"
			      "	.section	.nv.constant0,\"a\",@progbits\n"
			      "        /*10010*/ 	.byte	0x00\n"
			      "        /*10020*/                  NOP;\n"
			      ".text.last:\n"
			      "        /*10030*/                  NOP;\n";

static void assert_instruction(const struct listing *listing, size_t at, uint64_t offset, const char *label,
	const char *text, const char *file, int64_t line)
{
	const struct instruction *i = &listing->list[at];

	assert_true(at < listing->n);
	assert_true(i->offset == offset);
	assert_string_equal(i->text, text);
	assert_string_equal(i->label ? i->label : "", label);
	assert_string_equal(i->file ? i->file : "", file);
	assert_int_equal(i->line, line);
}

static void a_kernel_is_read(void **state)
{
	struct listing listing;

	(void)state;
	read_text("_Z4tilePf", printed, &listing);
	assert_int_equal(listing.n, 5);
	assert_instruction(&listing, 0, 0, "", "LDC R1, c[0x0][0x28]", "", 0);
	assert_instruction(&listing, 1, 0x10, "", "S2R R0, SR_TID.X", "/a/tile.cu", 12);
	/* A function of the kernel's file stands at its own line, one of another file where it is called. */
	assert_instruction(&listing, 2, 0x20, ".L_x_1", "HADD2 R2, R0, R0", "/a/tile.cu", 7);
	assert_instruction(&listing, 3, 0x30, "", "@!P0 BRA `(.L_x_1)", "/a/tile.cu", 7);
	assert_instruction(&listing, 4, 0x10000, "", "EXIT", "/a/tile.cu", 7);
	assert_false(listing.is_cut);
	listing_free(&listing);
	read_text("_Z4tilePfi", printed, &listing);
	assert_int_equal(listing.n, 0);
	listing_free(&listing);
}

/* What nvdisasm -g prints, without the callers. */
static void callers_may_be_missing(void **state)
{
	struct listing listing;

	(void)state;
	read_text("k",
		".text.k:\n//## File \"/h.h\", line 5 inlined at \"/k.cu\", line 9\n/*0000*/ A;\n"
		"//## File \"/h.h\", line 6 inlined at \"/k.cu\", line 0\n/*0010*/ B;\n"
		"//## File \"/h.h\", line -1\n/*0020*/ C;\n//## File \"\", line 3\n/*0030*/ D;\n"
		"//## File \"/k.cu, line 3\n/*0040*/ E;",
		&listing);
	assert_int_equal(listing.n, 5);
	assert_instruction(&listing, 0, 0, "", "A", "/k.cu", 9);
	assert_instruction(&listing, 1, 0x10, "", "B", "/h.h", 6);
	/* A place that cannot be read is not the one before it. */
	for (size_t i = 2; i < 5; i++)
		assert_null(listing.list[i].file);
	listing_free(&listing);
}

static void a_listing_has_limits(void **state)
{
	struct listing listing = {0};
	struct listing_reading reading = {.symbol = "k", .out = &listing};
	char line[3 * LISTING_TEXT], *word;

	(void)state;
	listing_read_line(&reading, ".text.k:");
	for (int i = 0; i < LISTING_INSTRUCTIONS + 10; i++) {
		snprintf(line, sizeof(line), "//## File \"/%d.cu\", line %d", i, i + 1);
		listing_read_line(&reading, line);
		snprintf(line, sizeof(line), "/*%04x*/ %0*d ;", i * 16, i == 0 ? 2 * LISTING_TEXT : 1, i);
		listing_read_line(&reading, line);
	}
	assert_int_equal(listing.n, LISTING_INSTRUCTIONS);
	assert_true(listing.is_cut);
	assert_int_equal(strlen(listing.list[0].text), LISTING_TEXT);
	assert_true(listing.nfiles <= 256);
	word = listing.list[1].text;
	assert_string_equal(word, "1");
	listing_read_end(&reading);
	listing_free(&listing);
}

/* Any bytes in any order give instructions that are valid text, in the order of their offsets. */
static void nothing_is_too_odd(void **state)
{
	static const char bytes[] = "/*#\" \t.:;$`L_x0123abf\x01\xff\xc3(),\n";
	char text[sizeof(printed)];
	unsigned seed = 1;

	(void)state;
	for (int trial = 0; trial < 3000; trial++) {
		struct listing listing;

		memcpy(text, printed, sizeof(text));
		for (int i = 0; i < trial % 60; i++) {
			seed = seed * 1664525 + 1013904223;
			text[(seed >> 8) % (sizeof(text) - 1)] = bytes[(seed >> 24) % (sizeof(bytes) - 1)];
		}
		read_text("_Z4tilePf", text, &listing);
		for (size_t i = 0; i < listing.n; i++) {
			assert_true(utf8_valid(listing.list[i].text));
			assert_true(!listing.list[i].label || utf8_valid(listing.list[i].label));
			assert_true(!listing.list[i].file == (listing.list[i].line == 0));
			assert_true(i == 0 || listing.list[i].offset > listing.list[i - 1].offset);
		}
		listing_free(&listing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_is_read),
		cmocka_unit_test(callers_may_be_missing),
		cmocka_unit_test(a_listing_has_limits),
		cmocka_unit_test(nothing_is_too_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
