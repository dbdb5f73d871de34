/* code-pairs.c: the code of two programs' kernels side by side: what counts as alike, what is left out, and what of it
 * the page shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fixtures/contrast-fixture.h"
#include "fixtures/model-fixture.h"
#include "fixtures/recording-script.h"
#include "model/family/programs/code-lines.h"
#include "page/view/view.h"
#include "tree/tree.h"

static struct recording *begin_code(void)
{
	struct toy_contrast toy = toy_counted();
	struct recording *rec = fixture_begin("toy.sqlite");
	struct error err = {0};

	toy_contrast_write(rec, &toy, &err);
	assert_string_equal(err.text, "");
	return rec;
}

static json_t *end_code(struct recording *rec)
{
	fixture_end(rec);
	return fixture_model("toy.sqlite");
}

static json_t *toy_code_tree(void)
{
	struct recording *rec = begin_code();
	struct error err = {0};

	toy_code_write(rec, &err);
	assert_string_equal(err.text, "");
	return end_code(rec);
}

/* ---- what counts as alike ---- */

static void registers_are_renamed(void **state)
{
	static const char *const keys[][2] = {
		{"FFMA R12, R4.reuse, R5, R12", "FFMA R, R, R, R"},
		{"@!P0 BRA `(.L_x_12)", "@!P BRA `()"},
		{"@!UP3 LDG.E.128 R4, desc[UR4][R2.64+0x10]", "@!UP LDG.E.128 R, desc[UR][R.64+0x10]"},
		{"BSSY B0, `(.L_x_3)", "BSSY B, `()"},
		{"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "IMAD.MOV.U32 R, RZ, RZ, c[0x0][0x28]"},
		{"S2R R0, SR_TID.X", "S2R R, SR_TID.X"},
		{"SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR8+0x20], R3", "SYNCS.PHASECHK.TRANS64.TRYWAIT P, [UR+0x20], R"},
		{"R2UR UR4, R12", "R2UR UR, R"},
		{"R", "R"},
		{"BRA `(.L_x_1", "BRA `("},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *key = instruction_key(keys[i][0]);

		assert_string_equal(key, keys[i][1]);
		free(key);
	}
}

/* ---- the tree ---- */

static void sides_are_aligned(void **state)
{
	json_t *tree = toy_code_tree();

	(void)state;
	assert_size(tree, "families.0.code_pairs", 1);
	assert_text(tree, "families.0.code_pairs.0.case", "kernel 1: gemm");
	assert_integer(tree, "families.0.code_pairs.0.machine.differ", 2);
	assert_integer(tree, "families.0.code_pairs.0.machine.left_out", 0);
	assert_size(tree, "families.0.code_pairs.0.machine.rows", 54);
	assert_text(tree, "families.0.code_pairs.0.machine.rows.1.kind", "double");
	assert_text(tree, "families.0.code_pairs.0.machine.rows.2.kind", "same");
	assert_text(tree, "families.0.code_pairs.0.machine.rows.2.a", ".L_x_1: LDG.E R2, desc[UR4][R4.64]");
	assert_integer(tree, "families.0.code_pairs.0.machine.rows.2.b_line", 32);
	assert_text(tree, "families.0.code_pairs.0.machine.rows.52.kind", "changed");
	assert_integer(tree, "families.0.code_pairs.0.source.differ", 0);
	assert_text(tree, "families.0.code_pairs.0.source.single_file", "mm.cu");
	assert_size(tree, "families.0.code_pairs.0.source.rows", 10);
	assert_text(tree, "families.0.code_pairs.0.source.rows.6.a", "        sum += tile(k);");
	json_decref(tree);
}

/* A kernel of 4,200 instructions, of which one in the middle differs, and `spread` more. */
static json_t *long_code_tree(int spread)
{
	struct recording *rec = begin_code();
	struct error err = {0};

	for (int i = 0; i < 2 * 4200; i++)
		script_row(rec, &err,
			"INSTRUCTION family=contrast variant=%s caseLabel=\"kernel 1: gemm\" symbol=k ord=%d offset=%d "
			"text=\"%s R%d\"",
			i % 2 ? "other" : "single", i / 2, i / 2 * 16,
			i % 2 && (i / 2 == 2000 || i / 2 < spread) ? "SHF" : "MOV", i);
	assert_string_equal(err.text, "");
	return end_code(rec);
}

static void long_code_is_cut(void **state)
{
	json_t *tree = long_code_tree(0);

	(void)state;
	assert_size(tree, "families.0.code_pairs.0.machine.rows", 5);
	assert_integer(tree, "families.0.code_pairs.0.machine.rows.2.a_line", 2000 * 16);
	assert_integer(tree, "families.0.code_pairs.0.machine.left_out", 4091);
	assert_true_at(tree, "families.0.code_pairs.0.machine.is_cut");
	assert_null_at(tree, "families.0.code_pairs.0.source");
	json_decref(tree);
	tree = long_code_tree(1000);
	assert_size(tree, "families.0.code_pairs.0.machine.rows", 240);
	json_decref(tree);
}

/* Rows of a stranger. */
static void odd_rows_are_harmless(void **state)
{
	struct recording *rec = begin_code();
	struct error err = {0};
	json_t *tree;

	(void)state;
	script_row(rec, &err, "SOURCE file=a.cu text=\"one\\ntwo\"");
	for (int i = 0; i < 2; i++) {
		const char *side = i ? "other" : "single";

		script_row(
			rec, &err, "INSTRUCTION family=contrast variant=%s caseLabel=\"kernel 1: gemm\" ord=0", side);
		script_row(rec, &err,
			"INSTRUCTION family=contrast variant=%s caseLabel=\"kernel 1: gemm\" ord=-1 offset=-5 text=`(R "
			"file=a.cu "
			"line=9223372036854775807",
			side);
		script_row(rec, &err,
			"INSTRUCTION family=contrast variant=%s caseLabel=\"kernel 1: gemm\" ord=0 offset=-7 text=R1 "
			"file=a.cu "
			"line=-1",
			side);
	}
	assert_string_equal(err.text, "");
	tree = end_code(rec);
	assert_size(tree, "families.0.code_pairs.0.machine.rows", 2);
	assert_null_at(tree, "families.0.code_pairs.0.source");
	json_decref(tree);
}

/* ---- the page ---- */

static void the_page_shows_samples(void **state)
{
	json_t *tree = toy_code_tree(), *drawn = json_object(), *page;
	const struct view_input input = {.model = tree, .drawn = drawn};
	const json_t *kernel, *listing, *line;

	(void)state;
	page = view_build(&input);
	kernel = json_array_get(json_object_get(at(page, "families.0"), "kernel_codes"), 0);
	assert_string_equal(tree_text(kernel, "name"), "gemm");
	/* Source of which nothing differs has samples. */
	listing = json_array_get(json_object_get(kernel, "listings"), 0);
	assert_string_equal(tree_text(listing, "listing"), "Source: mm.cu");
	assert_string_equal(tree_text(listing, "differ"), "0 of 10");
	line = json_object_get(json_array_get(json_object_get(listing, "code"), 6), "a");
	assert_string_equal(tree_text(json_object_get(line, "stall"), "class"), "memory");
	assert_string_equal(tree_text(json_object_get(line, "stall"), "width"), "100");
	listing = json_array_get(json_object_get(kernel, "listings"), 1);
	assert_string_equal(tree_text(listing, "listing"), "Machine code");
	assert_string_equal(tree_text(listing, "differ"), "2 of 54");
	line = json_object_get(json_array_get(json_object_get(listing, "code"), 2), "b");
	assert_string_equal(tree_text(line, "number"), "0020");
	assert_string_equal(tree_text(json_object_get(line, "stall"), "share"), "70\u00a0%");
	json_decref(page);
	json_decref(drawn);
	json_decref(tree);
}

/* ---- what a kernel does now ---- */

enum { SASS_STEP = 16 };

static void write_instructions(struct recording *rec, const char *side, const char *const *texts, struct error *err)
{
	int failed = 0;

	for (int i = 0; texts[i]; i++) {
		const char *text = *texts[i] == '.' ? strchr(texts[i], ' ') + 1 : texts[i];
		int label = (int)(text - texts[i]);

		failed |= script_row(rec, err,
			"INSTRUCTION family=contrast variant=%s caseLabel=\"kernel 1: gemm\" symbol=_Z4gemmPf ord=%d "
			"offset=%d text=\"%s\"%s%.*s",
			side, i, i * SASS_STEP, text, label ? " label=" : "", label ? label - 1 : 0, texts[i]);
	}
	assert_int_equal(failed, 0);
}

/* One loads a tile and waits for it. The other one asks for tiles two rounds before it uses them. */
static void a_kernel_says_what_it_does(void **state)
{
	static const char *const waits[] = {"LDC R1, c[0x0][0x28]", ".L_x_1 LDG.E R4, desc[UR4][R2.64]", "STS [R8], R4",
		"BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R5, [R9]", "FFMA R6, R5, R5, R6", "BAR.SYNC.DEFER_BLOCKING 0x0",
		"IADD3 R2, R2, 0x80, RZ", "ISETP.NE.AND P0, PT, R2, R3, PT", "@P0 BRA `(.L_x_1)", "EXIT", NULL};
	static const char *const ahead[] = {"LDGSTS.E.128 [R8], desc[UR4][R2.64]", "LDGDEPBAR",
		"LDGSTS.E.128 [R8+0x800], desc[UR4][R2.64+0x800]", "LDGDEPBAR", ".L_x_2 DEPBAR.LE SB0, 0x1",
		"BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R5, [R9]", "FFMA R6, R5, R5, R6", "BAR.SYNC.DEFER_BLOCKING 0x0",
		"LDGSTS.E.128 [R8], desc[UR4][R2.64+0x1000]", "LDGDEPBAR", "IADD3 R2, R2, 0x80, RZ",
		"ISETP.NE.AND P0, PT, R2, R3, PT", "@P0 BRA `(.L_x_2)", "EXIT", NULL};
	struct recording *rec = begin_code();
	struct error err = {0};
	json_t *tree;

	(void)state;
	write_instructions(rec, "single", waits, &err);
	write_instructions(rec, "other", ahead, &err);
	tree = end_code(rec);
	assert_text(tree, "families.0.code_pairs.0.single_now.text",
		"Tiles come to shared memory through registers; none is under way while a round computes. "
		"A round has 2 barriers.");
	assert_text(tree, "families.0.code_pairs.0.double_now.text",
		"Tiles come by asynchronous copies (cp.async, LDGSTS); 1 is under way while a round computes. "
		"A round has 2 barriers.");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(a_kernel_says_what_it_does),
		scratch_test(registers_are_renamed),
		scratch_test(sides_are_aligned),
		scratch_test(long_code_is_cut),
		scratch_test(odd_rows_are_harmless),
		scratch_test(the_page_shows_samples),
	};

	return cmocka_run_group_tests_name("model: code side by side", tests, NULL, NULL);
}
