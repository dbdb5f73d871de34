/* asm.c: what is read from machine code: kernels whose depth is known (tests/data/depth), and texts that mislead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "analyze/asm/asm.h"
#include "fixtures/sass.h"
#include "fixtures/tier.h"
#include "util/alloc.h"
#include "util/file/file.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- kernels of known depth ---- */

enum column { WAY, BYTES, BUFFERS, AHEAD, BARRIERS, MBARRIERS, SHAPE, COLUMNS };
enum answer { RIGHT, UNKNOWN, WRONG, ANSWERS };
enum { ARCHS = 4, CODES = 298, WAYS_AND_ALL = ASM_WAYS + 1 };

static const char *const archs[ARCHS] = {"80", "86", "90a", "100a"};

struct truth_row {
	char name[64], archs[32], columns[COLUMNS][16];
};

struct truth {
	struct truth_row rows[128];
	size_t n;
};

/* answers[column][way in truth, or all][arch] */
struct confusion {
	int answers[COLUMNS][WAYS_AND_ALL][ARCHS + 1][ANSWERS];
};

static char *path_of(const char *name)
{
	const char *source = getenv("srcdir");

	return xasprintf("%s/tests/data/depth/%s", source ? source : ".", name);
}

static void read_truth(struct truth *out)
{
	char *path = path_of("truth.txt"), line[256];
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	out->n = 0;
	while (fgets(line, sizeof(line), file)) {
		struct truth_row *row = &out->rows[out->n];
		char(*c)[16] = row->columns;

		assert_true(out->n < COUNT(out->rows));
		if (line[0] != '#') {
			assert_int_equal(sscanf(line, "%63s %31s %15s %15s %15s %15s %15s %15s %15s", row->name,
						 row->archs, c[0], c[1], c[2], c[3], c[4], c[5], c[6]),
				9);
			out->n++;
		}
	}
	fclose(file);
	free(path);
}

/* The text ends in NUL; for free(). */
static char *unpack_codes(void)
{
	char *path = path_of("sass.zst"), *text;
	struct error err = {0};
	size_t packed, size;
	char *bytes = file_read(path, &packed, &err);
	unsigned long long whole;

	assert_non_null(bytes);
	whole = ZSTD_getFrameContentSize(bytes, packed);
	assert_true(whole < 1 << 24);
	text = xmalloc((size_t)whole + 1);
	size = ZSTD_decompress(text, (size_t)whole, bytes, packed);
	assert_int_equal(size, whole);
	text[size] = '\0';
	free(bytes);
	free(path);
	return text;
}

/* Of a code "FILE.ARCH". */
static int arch_of(const char *code)
{
	const char *dot = strchr(code, '.');

	for (int i = 0; dot && i < ARCHS; i++)
		if (strcmp(dot + 1, archs[i]) == 0)
			return i;
	return -1;
}

/* "80" is in "80,86" and not in "180,86". */
static bool is_listed(const char *list, const char *arch)
{
	size_t length = strlen(arch);

	for (const char *at = list; (at = strstr(at, arch)) != NULL; at++)
		if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
			return true;
	return false;
}

static const struct truth_row *truth_of(const struct truth *truth, const char *name, int arch)
{
	for (size_t i = 0; i < truth->n; i++)
		if (strcmp(truth->rows[i].name, name) == 0 && is_listed(truth->rows[i].archs, archs[arch]))
			return &truth->rows[i];
	fail_msg("%s is in no row of truth.txt", name);
	return NULL;
}

static void say_fact(struct asm_fact fact, char *out, size_t size)
{
	if (fact.how == ASM_UNKNOWN)
		snprintf(out, size, "?");
	else
		snprintf(out, size, "%lld", (long long)fact.value);
}

static void say_column(const struct asm_kernel *kernel, enum column column, char *out, size_t size)
{
	static const char *const shapes[] = {"none", "rounds", "unrolled"};
	const struct asm_fact facts[COLUMNS] = {[BYTES] = kernel->bytes,
		[BUFFERS] = kernel->buffers,
		[AHEAD] = kernel->ahead,
		[BARRIERS] = kernel->barriers,
		[MBARRIERS] = kernel->mbarriers};

	if (column == WAY)
		snprintf(out, size, "%s", kernel->way_how == ASM_UNKNOWN ? "?" : asm_way_name(kernel->way));
	else if (column == SHAPE)
		snprintf(out, size, "%s", kernel->shape_how == ASM_UNKNOWN ? "?" : shapes[kernel->shape]);
	else
		say_fact(facts[column], out, size);
}

/* Where the truth is "-" or "unknown", nothing may be said. */
static enum answer judge(const char *said, const char *truth)
{
	bool is_nothing = strcmp(truth, "-") == 0 || strcmp(truth, "unknown") == 0;

	if (strcmp(said, "?") == 0)
		return is_nothing ? RIGHT : UNKNOWN;
	return !is_nothing && strcmp(said, truth) == 0 ? RIGHT : WRONG;
}

static int way_of(const char *name)
{
	for (int way = 0; way < ASM_WAYS; way++)
		if (strcmp(asm_way_name((enum asm_way)way), name) == 0)
			return way;
	return -1;
}

static void judge_kernel(const struct sass_kernel *code, const struct truth_row *row, int arch, struct confusion *out)
{
	struct asm_kernel kernel;
	int way = way_of(row->columns[WAY]);

	assert_true(way >= 0);
	asm_read(code->list, code->n, &kernel);
	for (int column = 0; column < COLUMNS; column++) {
		char said[32];
		enum answer answer;

		say_column(&kernel, (enum column)column, said, sizeof(said));
		answer = judge(said, row->columns[column]);
		out->answers[column][way][arch][answer]++;
		out->answers[column][ASM_WAYS][ARCHS][answer]++;
		if (answer == WRONG)
			print_error("%s %s: column %d is \"%s\", and not \"%s\"\n", code->code, code->name, column,
				row->columns[column], said);
	}
}

static void print_confusion(const struct confusion *confusion)
{
	static const char *const names[COLUMNS] = {"way", "bytes", "buffers", "ahead", "barriers", "mbarriers", "loop"};

	print_message("%-10s %-10s", "right/unknown/wrong", "way");
	for (int arch = 0; arch < ARCHS; arch++)
		print_message(" %10s", archs[arch]);
	print_message("\n");
	for (int column = 0; column < COLUMNS; column++)
		for (int way = 0; way < ASM_WAYS; way++) {
			print_message("%-10s          %-10s", names[column], asm_way_name((enum asm_way)way));
			for (int arch = 0; arch < ARCHS; arch++) {
				const int *n = confusion->answers[column][way][arch];

				print_message("   %2d/%2d/%2d", n[RIGHT], n[UNKNOWN], n[WRONG]);
			}
			print_message("\n");
		}
}

/* No statement is wrong, and of each kind but the buffers 90 % are right. */
static void kernels_of_known_depth(void **state)
{
	static struct truth truth;
	static struct confusion confusion;
	char *text = unpack_codes();
	struct sass_kernels codes;

	(void)state;
	read_truth(&truth);
	sass_read(text, &codes);
	assert_int_equal(codes.n, CODES);
	for (size_t i = 0; i < codes.n; i++) {
		int arch = arch_of(codes.list[i].code);

		assert_true(arch >= 0 && codes.list[i].n > 0);
		judge_kernel(&codes.list[i], truth_of(&truth, codes.list[i].name, arch), arch, &confusion);
	}
	print_confusion(&confusion);
	for (int column = 0; column < COLUMNS; column++) {
		const int *n = confusion.answers[column][ASM_WAYS][ARCHS];

		assert_int_equal(n[RIGHT] + n[UNKNOWN] + n[WRONG], CODES);
		assert_int_equal(n[WRONG], 0);
		assert_true(n[RIGHT] * 100 >= CODES * (column == BUFFERS ? 85 : 90));
	}
	sass_free(&codes);
	free(text);
}

/* ---- texts that mislead ---- */

/* The kernel of lines of instructions; a line that ends in a colon is a label. */
static void read_lines(const char *lines, struct asm_kernel *out)
{
	char *text = xasprintf(".text.k:\n%s", lines);
	struct sass_kernels kernels;

	sass_read(text, &kernels);
	asm_read(kernels.list[0].list, kernels.list[0].n, out);
	sass_free(&kernels);
	free(text);
}

#define COPY "/*10*/ LDGSTS.E.BYPASS.128 [R9], desc[UR8][R2.64];\n"
#define COMMIT "/*20*/ LDGDEPBAR;\n"
#define WAIT(n) "/*30*/ DEPBAR.LE SB0, " #n ";\n"
#define BARRIER "/*40*/ BAR.SYNC.DEFER_BLOCKING 0x0;\n"
#define READ "/*50*/ LDS R4, [R5];\n/*60*/ FFMA R6, R4, R4, R6;\n"
#define ADVANCE "/*70*/ IADD3 R9, R9, 0x800, RZ;\n"
#define AGAIN "/*80*/ @P0 BRA `(.L_x_1);\n/*90*/ EXIT;\n"
#define LOOP ".L_x_1:\n"

static void assert_ahead(const char *lines, int64_t ahead, enum asm_how how)
{
	struct asm_kernel kernel;

	read_lines(lines, &kernel);
	assert_int_equal(kernel.way, ASM_WAY_LDGSTS);
	assert_int_equal(kernel.ahead.how, how);
	assert_int_equal(kernel.ahead.value, ahead);
}

static void waits_and_prologue_agree(void **state)
{
	(void)state;
	/* Asked for before the tile is computed, and behind it. */
	assert_ahead(COPY COMMIT COPY COMMIT LOOP WAIT(0x1) BARRIER COPY COMMIT READ ADVANCE AGAIN, 2, ASM_SEEN);
	assert_ahead(
		COPY COMMIT COPY COMMIT LOOP WAIT(0x1) BARRIER READ BARRIER COPY COMMIT ADVANCE AGAIN, 1, ASM_SEEN);
	/* As many groups as are said to stay under way were never asked for. */
	assert_ahead(COPY COMMIT LOOP WAIT(0x3) BARRIER COPY COMMIT READ ADVANCE AGAIN, 0, ASM_UNKNOWN);
	/* Two depths, as where only the launch knows. */
	assert_ahead(COPY COMMIT LOOP WAIT(0x0) WAIT(0x1) BARRIER COPY COMMIT READ ADVANCE AGAIN, 0, ASM_UNKNOWN);
	/* Three groups, of which two waits make no whole number. */
	assert_ahead(COPY COMMIT LOOP WAIT(0x1) BARRIER COPY COMMIT READ WAIT(0x1) COPY COMMIT COPY COMMIT READ AGAIN,
		0, ASM_UNKNOWN);
	/* The depth is no number. */
	assert_ahead(COPY COMMIT LOOP WAIT(R3) BARRIER COPY COMMIT READ ADVANCE AGAIN, 0, ASM_UNKNOWN);
}

/* Behind the reads without a barrier: the compiler may have moved it. */
static void order_that_says_nothing_is_unknown(void **state)
{
	(void)state;
	assert_ahead(COPY COMMIT LOOP WAIT(0x0) BARRIER READ COPY COMMIT ADVANCE AGAIN, 0, ASM_UNKNOWN);
	assert_ahead(COPY COMMIT LOOP WAIT(0x0) BARRIER COPY READ COPY COMMIT AGAIN, 0, ASM_UNKNOWN);
}

/* Products of matrices that go on while the next tile is asked for. */
static void products_go_on(void **state)
{
#define PRODUCT "/*50*/ HGMMA.64x64x16.F32 R24, gdesc[UR12].tnspB, R24, gsb0;\n"
#define PRODUCTS_LEFT(n) "/*58*/ WARPGROUP.DEPBAR.LE gsb0, " #n ";\n"
	(void)state;
	assert_ahead(COPY COMMIT COPY COMMIT LOOP WAIT(0x1) BARRIER PRODUCT PRODUCTS_LEFT(0x1)
			     BARRIER COPY COMMIT ADVANCE AGAIN,
		2, ASM_INFERRED);
	assert_ahead(COPY COMMIT COPY COMMIT LOOP WAIT(0x1) BARRIER PRODUCT PRODUCTS_LEFT(0x0)
			     BARRIER COPY COMMIT ADVANCE AGAIN,
		1, ASM_SEEN);
}

/* Two waits in a turn may be for two operands with a buffer each. */
static void buffers_of_two_operands_are_unknown(void **state)
{
	struct asm_kernel kernel;

	(void)state;
	read_lines(COPY COMMIT LOOP WAIT(0x0) BARRIER COPY COMMIT READ WAIT(0x0) BARRIER COPY COMMIT READ ADVANCE AGAIN,
		&kernel);
	assert_int_equal(kernel.unrolled.value, 2);
	assert_int_equal(kernel.ahead.value, 1);
	assert_int_equal(kernel.buffers.how, ASM_UNKNOWN);
}

/* A tile that is scaled on its way comes to shared memory all the same. */
static void changed_tiles_are_unknown(void **state)
{
#define LOAD "/*10*/ LDG.E R4, desc[UR8][R2.64];\n"
	struct asm_kernel kernel;

	(void)state;
	read_lines(LOOP LOAD "/*20*/ FMUL R5, R4, R7;\n/*30*/ STS [R9], R5;\n" BARRIER READ BARRIER AGAIN, &kernel);
	assert_int_equal(kernel.way_how, ASM_UNKNOWN);
	assert_int_equal(kernel.ahead.how, ASM_UNKNOWN);
	read_lines(LOOP LOAD "/*20*/ MOV R5, R4;\n/*30*/ STS [R9], R5;\n" BARRIER READ BARRIER AGAIN, &kernel);
	assert_int_equal(kernel.way, ASM_WAY_REGISTERS);
	assert_int_equal(kernel.way_how, ASM_SEEN);
	assert_int_equal(kernel.ahead.how, ASM_SEEN);
	assert_int_equal(kernel.ahead.value, 0);
}

/* ---- where the time is ---- */

static void samples_choose_the_loop(void **state)
{
	struct asm_instruction list[] = {
		{.offset = 0, .text = "LDG.E.128 R4, desc[UR4][R2.64]", .label = ".L_x_1"},
		{.offset = 16, .text = "FADD R8, R4, R8"},
		{.offset = 32, .text = "@P0 BRA `(.L_x_1)"},
		{.offset = 48, .text = "LDG.E R4, desc[UR4][R2.64]", .label = ".L_x_2"},
		{.offset = 64, .text = "FADD R8, R4, R8"},
		{.offset = 80, .text = "@P0 BRA `(.L_x_2)"},
		{.offset = 96, .text = "EXIT"},
	};
	struct asm_kernel kernel;

	(void)state;
	asm_read(list, COUNT(list), &kernel);
	assert_int_equal(kernel.first, 0);
	assert_int_equal(kernel.last, 2);
	list[4].samples = 7;
	asm_read(list, COUNT(list), &kernel);
	assert_int_equal(kernel.first, 3);
	assert_int_equal(kernel.last, 5);
	assert_int_equal(kernel.shape, ASM_SHAPE_ROUNDS);
	assert_true(kernel.counts.loads == 1 && kernel.counts.others == 2);
}

/* A loop that loads to registers, and behind it a tile that is read back once: nobody knows where the time is. */
static void loop_beside_a_tile_is_unknown(void **state)
{
	struct asm_kernel kernel;

	(void)state;
	read_lines(
		".L_x_1:\n/*10*/ LDG.E R4, desc[UR4][R2.64];\n/*20*/ FFMA R6, R4, R4, R6;\n/*30*/ @P0 BRA `(.L_x_1);\n"
		"/*40*/ LDG.E R8, desc[UR4][R2.64];\n/*50*/ STS [R9], R8;\n" BARRIER READ "/*90*/ EXIT;\n",
		&kernel);
	assert_int_equal(kernel.shape_how, ASM_UNKNOWN);
}

/* A wait for three groups, for two, or for none, as a switch says; asked for before the tile is used. */
static void samples_tell_the_wait_of_a_switch(void **state)
{
	enum { THREE = 5, TWO = 7, LAST = 9 };
	struct asm_instruction list[] = {
		{.text = "LDGSTS.E.BYPASS.128 [R9], desc[UR8][R2.64]", .label = ".L_x_0"},
		{.text = "LDGDEPBAR"},
		{.text = "@P1 BRA `(.L_x_0)"},
		{.text = "BRX R8 -0xe50 (*\"BRANCH_TARGETS .L_x_2,.L_x_3,.L_x_4\"*)", .label = ".L_x_1"},
		{.text = "NOP"},
		{.text = "DEPBAR.LE SB0, 0x3", .label = ".L_x_2"},
		{.text = "BRA `(.L_x_5)"},
		{.text = "DEPBAR.LE SB0, 0x2", .label = ".L_x_3"},
		{.text = "BRA `(.L_x_5)"},
		{.text = "DEPBAR.LE SB0, 0x0", .label = ".L_x_4"},
		{.text = "BAR.SYNC.DEFER_BLOCKING 0x0", .label = ".L_x_5"},
		{.text = "LDGSTS.E.BYPASS.128 [R9], desc[UR8][R2.64]"},
		{.text = "LDGDEPBAR"},
		{.text = "LDS R4, [R5]"},
		{.text = "IADD3 R9, R9, 0x800, RZ"},
		{.text = "@P0 BRA `(.L_x_1)"},
		{.text = "EXIT"},
	};
	struct asm_kernel kernel;

	(void)state;
	for (size_t i = 0; i < COUNT(list); i++)
		list[i].offset = 16 * i;
	asm_read(list, COUNT(list), &kernel);
	assert_int_equal(kernel.way, ASM_WAY_LDGSTS);
	assert_int_equal(kernel.ahead.how, ASM_UNKNOWN);
	assert_int_equal(kernel.unrolled.how, ASM_UNKNOWN);
	assert_true(kernel.waits_vary);
	/* Samples behind one wait alone, up to its jump: that one is met. */
	list[THREE + 1].samples = 3;
	list[LAST + 1].samples = 50;
	asm_read(list, COUNT(list), &kernel);
	assert_int_equal(kernel.ahead.how, ASM_INFERRED);
	assert_int_equal(kernel.ahead.value, 4);
	assert_int_equal(kernel.unrolled.value, 1);
	assert_false(kernel.waits_vary);
	/* Two launches with other depths. */
	list[TWO].samples = 1;
	asm_read(list, COUNT(list), &kernel);
	assert_int_equal(kernel.ahead.how, ASM_UNKNOWN);
	assert_true(kernel.waits_vary);
}

/* The wait of nvcc's switch that lets one group under way is that of three stages. */
static void samples_tell_a_compiled_switch(void **state)
{
	char *text = unpack_codes();
	struct sass_kernels codes;
	struct asm_kernel kernel;
	int found = 0;

	(void)state;
	sass_read(text, &codes);
	for (size_t i = 0; i < codes.n; i++) {
		const struct sass_kernel *code = &codes.list[i];

		if (strcmp(code->name, "ldgsts16_runtime_product") != 0)
			continue;
		asm_read(code->list, code->n, &kernel);
		assert_int_equal(kernel.ahead.how, ASM_UNKNOWN);
		assert_true(kernel.waits_vary);
		for (size_t k = 0; k < code->n; k++)
			if (strstr(code->list[k].text, "DEPBAR.LE SB0, 0x1"))
				code->list[k].samples = 5;
		asm_read(code->list, code->n, &kernel);
		assert_int_equal(kernel.ahead.how, ASM_INFERRED);
		assert_int_equal(kernel.ahead.value, 2);
		found++;
	}
	assert_int_equal(found, 4);
	sass_free(&codes);
	free(text);
}

/* ---- hostile texts ---- */

static void assert_is_whole(const struct asm_kernel *kernel, size_t n)
{
	assert_true(kernel->way < ASM_WAYS);
	assert_true(kernel->shape != ASM_SHAPE_ROUNDS || (kernel->first < n && kernel->last < n));
	assert_true(kernel->ahead.value >= 0 && kernel->buffers.value >= 0);
}

/* Any bytes of a kernel changed, and its end cut off. */
static void nothing_is_too_odd(void **state)
{
	static const char bytes[] = "`(.L_x_0123)R[],@!PT ;:\n\t+-*/\x01\xff";
	char *text = unpack_codes();
	size_t size = strlen(text), part = 20000;
	unsigned seed = 1;

	(void)state;
	for (size_t begin = 0; begin + part < size; begin += part * 4) {
		char *changed = xstrndup(text + begin, part);
		struct sass_kernels kernels;

		for (int i = 0; i < 400; i++) {
			seed = seed * 1664525 + 1013904223;
			changed[(seed >> 8) % part] = bytes[(seed >> 24) % (sizeof(bytes) - 1)];
		}
		sass_read(changed, &kernels);
		for (size_t i = 0; i < kernels.n; i++) {
			struct asm_kernel kernel;

			asm_read(kernels.list[i].list, kernels.list[i].n, &kernel);
			assert_is_whole(&kernel, kernels.list[i].n);
		}
		sass_free(&kernels);
		free(changed);
	}
	free(text);
}

/* What grows with the square of it takes minutes. A sample shows faults of memory alone. */
static size_t many(void)
{
	return (size_t)all_or(300000, 20000);
}

/* Each instruction has a label; `jump` says where instruction i jumps to. */
static void read_many(size_t (*jump)(size_t i))
{
	const size_t n = many();
	struct asm_instruction *list = xcalloc(n, sizeof(*list));
	char *texts = xmalloc(n * 64);
	struct asm_kernel kernel;

	for (size_t i = 0; i < n; i++) {
		char *text = texts + i * 64;

		snprintf(text, 32, ".L_x_%zu", i);
		snprintf(text + 32, 32, "@P0 BRA `(.L_x_%zu)", jump(i));
		list[i] = (struct asm_instruction){.offset = i * 16, .label = text, .text = text + 32};
	}
	asm_read(list, n, &kernel);
	assert_is_whole(&kernel, n);
	free(texts);
	free(list);
}

static size_t to_itself(size_t i)
{
	return i;
}

static size_t to_mirror(size_t i)
{
	return many() - 1 - i;
}

static size_t to_first(size_t i)
{
	(void)i;
	return 0;
}

static size_t to_nowhere(size_t i)
{
	return i + many();
}

static size_t to_anywhere(size_t i)
{
	return (i * 2654435761u) % many();
}

static void very_many_loops(void **state)
{
	(void)state;
	read_many(to_itself);
	read_many(to_mirror);
	read_many(to_first);
	read_many(to_nowhere);
	read_many(to_anywhere);
}

static void almost_nothing(void **state)
{
	struct asm_instruction list[] = {{.text = NULL}, {.text = ""}, {.text = "@"}, {.text = "BRA `("},
		{.text = "LDS"}, {.text = "BRX R4 -0x10 (*\"BRANCH_TARGETS .L_x_1,.L_x_1\"*)", .label = ".L_x_1"}};
	struct asm_kernel kernel;

	(void)state;
	for (size_t n = 0; n <= COUNT(list); n++) {
		asm_read(list, n, &kernel);
		assert_is_whole(&kernel, n);
		assert_int_equal(kernel.way, ASM_WAY_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_of_known_depth),
		cmocka_unit_test(waits_and_prologue_agree),
		cmocka_unit_test(order_that_says_nothing_is_unknown),
		cmocka_unit_test(products_go_on),
		cmocka_unit_test(buffers_of_two_operands_are_unknown),
		cmocka_unit_test(changed_tiles_are_unknown),
		cmocka_unit_test(samples_choose_the_loop),
		cmocka_unit_test(loop_beside_a_tile_is_unknown),
		cmocka_unit_test(samples_tell_the_wait_of_a_switch),
		cmocka_unit_test(samples_tell_a_compiled_switch),
		cmocka_unit_test(nothing_is_too_odd),
		cmocka_unit_test(very_many_loops),
		cmocka_unit_test(almost_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
