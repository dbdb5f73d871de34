/* text.c: two files side by side, and instructions of PTX by kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/analyze.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- lines ---- */

static void assert_alignment(
	const char *const *a, size_t na, const char *const *b, size_t nb, const struct line_pair *want, size_t nwant)
{
	struct line_pair got[64];
	int ngot = -1;

	assert_true(na + nb <= COUNT(got));
	assert_int_equal(lines_align(a, (int)na, b, (int)nb, got, &ngot), 0);
	assert_int_equal(ngot, nwant);
	for (size_t i = 0; i < nwant; i++) {
		assert_int_equal(got[i].a, want[i].a);
		assert_int_equal(got[i].b, want[i].b);
	}
}

#define ASSERT_ALIGNMENT(a, b, want) assert_alignment(a, COUNT(a), b, COUNT(b), want, COUNT(want))

static void empty_files(void **state)
{
	const char *const lines[] = {"x", "y"};
	const struct line_pair only_a[] = {{0, -1}, {1, -1}}, only_b[] = {{-1, 0}, {-1, 1}};

	(void)state;
	assert_alignment(NULL, 0, NULL, 0, NULL, 0);
	assert_alignment(lines, 2, NULL, 0, only_a, 2);
	assert_alignment(NULL, 0, lines, 2, only_b, 2);
}

static void the_same_but_for_indentation(void **state)
{
	const char *const a[] = {"\tfor (;;)", "", "x = 1;  "};
	const char *const b[] = {"for (;;)", "   \t", "        x = 1;\n"};
	const struct line_pair want[] = {{0, 0}, {1, 1}, {2, 2}};

	(void)state;
	ASSERT_ALIGNMENT(a, b, want);
}

static void white_space_inside_a_line_counts(void **state)
{
	const char *const a[] = {"x = 1;", "same"}, *const b[] = {"x  = 1;", "same"};
	const struct line_pair want[] = {{0, 0}, {1, 1}};
	const char *const c[] = {"same"}, *const d[] = {"sa me", "same"};
	const struct line_pair added[] = {{-1, 0}, {0, 1}};

	(void)state;
	ASSERT_ALIGNMENT(a, b, want);
	ASSERT_ALIGNMENT(c, d, added);
}

/* The scan's contrast: one barrier of two is left, and the changed lines stand beside their old selves. */
static void changed_and_dropped_lines(void **state)
{
	const char *const a[] = {
		"__shared__ float buf[N];",
		"for (s = 1; s < N; s *= 2) {",
		"v = buf[i - s];",
		"__syncthreads();",
		"buf[i] += v;",
		"}",
		"out[i] = buf[i];",
	};
	const char *const b[] = {
		"__shared__ float buf[2][N];",
		"for (s = 1; s < N; s *= 2) {",
		"v = buf[in][i - s];",
		"buf[!in][i] = buf[in][i] + v;",
		"__syncthreads();",
		"in = !in;",
		"}",
		"out[i] = buf[in][i];",
	};
	const struct line_pair want[] = {{0, 0}, {1, 1}, {2, 2}, {-1, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};

	(void)state;
	ASSERT_ALIGNMENT(a, b, want);
}

static void a_longer_run_leaves_its_rest_alone(void **state)
{
	const char *const a[] = {"begin", "a1", "a2", "a3", "end", "tail"};
	const char *const b[] = {"begin", "b1", "end", "b2", "b3"};
	const struct line_pair want[] = {{0, 0}, {1, 1}, {2, -1}, {3, -1}, {4, 2}, {5, 3}, {-1, 4}};

	(void)state;
	ASSERT_ALIGNMENT(a, b, want);
}

static void nothing_in_common(void **state)
{
	const char *const a[] = {"p", "q"}, *const b[] = {"r", "s", "t"};
	const struct line_pair want[] = {{0, 0}, {1, 1}, {-1, 2}};

	(void)state;
	ASSERT_ALIGNMENT(a, b, want);
}

static void files_too_large_are_refused(void **state)
{
	enum { MANY = 8193 }; /* 8193^2 is just over 64 Mi */
	const char **lines = calloc(MANY, sizeof *lines);
	struct line_pair *out = calloc(2 * MANY, sizeof *out);
	int nout = 0;

	(void)state;
	assert_non_null(lines);
	assert_non_null(out);
	for (int i = 0; i < MANY; i++)
		lines[i] = "x";
	assert_int_equal(lines_align(lines, MANY, lines, MANY, out, &nout), -1);
	assert_int_equal(lines_align(lines, 2000, lines, 2000, out, &nout), 0);
	assert_int_equal(nout, 2000);
	free(out);
	free((void *)lines);
}

/* Length of the longest common subsequence by trying all ways. */
static int longest(const char *const *a, int na, const char *const *b, int nb)
{
	int skip_a, skip_b;

	if (na == 0 || nb == 0)
		return 0;
	if (strcmp(a[0], b[0]) == 0)
		return 1 + longest(a + 1, na - 1, b + 1, nb - 1);
	skip_a = longest(a + 1, na - 1, b, nb);
	skip_b = longest(a, na, b + 1, nb - 1);
	return skip_a > skip_b ? skip_a : skip_b;
}

/* Each line once and in order; as many matches as possible; a line stands alone only if the run has no partner left. */
static void assert_good_alignment(const char *const *a, int na, const char *const *b, int nb)
{
	struct line_pair out[32];
	int nout, next_a = 0, next_b = 0, matches = 0;
	bool alone_a = false, alone_b = false;

	assert_int_equal(lines_align(a, na, b, nb, out, &nout), 0);
	for (int i = 0; i < nout; i++) {
		bool both = out[i].a >= 0 && out[i].b >= 0;

		assert_true(out[i].a >= 0 || out[i].b >= 0);
		if (out[i].a >= 0)
			assert_int_equal(out[i].a, next_a++);
		if (out[i].b >= 0)
			assert_int_equal(out[i].b, next_b++);
		if (both && strcmp(a[out[i].a], b[out[i].b]) == 0) {
			matches++;
			alone_a = alone_b = false;
			continue;
		}
		assert_false(both && (alone_a || alone_b));
		alone_a = alone_a || out[i].b < 0;
		alone_b = alone_b || out[i].a < 0;
		assert_false(alone_a && alone_b);
	}
	assert_int_equal(next_a, na);
	assert_int_equal(next_b, nb);
	assert_int_equal(matches, longest(a, na, b, nb));
}

static void random_files(void **state)
{
	static const char *const words[] = {"a", "b", "c", "d"};
	const char *a[9], *b[9];

	(void)state;
	srand(5);
	for (int round = 0; round < 1000; round++) {
		int na = rand() % 10, nb = rand() % 10;

		for (int i = 0; i < na; i++)
			a[i] = words[rand() % 4];
		for (int i = 0; i < nb; i++)
			b[i] = words[rand() % 4];
		assert_good_alignment(a, na, b, nb);
	}
}

/* ---- PTX ---- */

struct sample {
	const char *line;
	int kind;
};

static void assert_kinds(const struct sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int got = ptx_classify(samples[i].line);

		if (got != samples[i].kind)
			fail_msg("\"%s\" is of kind %d, not %d", samples[i].line, got, samples[i].kind);
	}
}

static void ptx_that_is_no_instruction(void **state)
{
	static const struct sample samples[] = {
		{"", -1},
		{"  \t\n", -1},
		{"{", -1},
		{"}", -1},
		{"\t// begin inline asm", -1},
		{"/* add.s32 %r1, %r2, %r3; */", -1},
		{".version 9.0", -1},
		{".visible .entry _Z4scanPfS_i(", -1},
		{"\t.param .u64 .ptr .align 1 _Z4scanPfS_i_param_0,", -1},
		{")", -1},
		{"\t.reg .pred \t%p<7>;", -1},
		{"\t.shared .align 4 .b8 buf[4096];", -1},
		{"\t.loc\t1 23 5", -1},
		{"$L__BB0_2:", -1},
		{"L_done :", -1},
		{"prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _);", -1},
		/* arguments of a call that spans lines */
		{"\tvprintf, ", -1},
		{"\tparam0, ", -1},
		{"\tparam1\n", -1},
		{"\t(retval0), ", -1},
		{"\t);", -1},
		{"{%r1, %r2},", -1},
	};

	(void)state;
	assert_kinds(samples, COUNT(samples));
}

static void ptx_memory(void **state)
{
	static const struct sample samples[] = {
		{"ld.shared.u32 %r90, [%r17+124];", PTX_LOAD_SHARED},
		{"\tld.volatile.shared.u32 \t%r91, [%r17+124];\t# comment", PTX_LOAD_SHARED},
		{"ld.shared::cta.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];", PTX_LOAD_SHARED},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];", PTX_LOAD_SHARED},
		{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r9], %r10;", PTX_LOAD_SHARED},
		{"st.shared.u32 [%r17], %r89;", PTX_STORE_SHARED},
		{"st.volatile.shared.u32 [%r17+128], %r88;", PTX_STORE_SHARED},
		{"ld.global.nc.f32 %f1, [%rd4];", PTX_LOAD_GLOBAL},
		{"@%p1 ld.global.u32 %r1, [%rd1];", PTX_LOAD_GLOBAL},
		{"cp.async.ca.shared.global [%r1], [%rd1], 4, 4;", PTX_LOAD_GLOBAL},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];",
			PTX_LOAD_GLOBAL},
		{"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;", PTX_STORE_GLOBAL},
		{"st.global.v2.f32 [%rd2], {%f1, %f2};", PTX_STORE_GLOBAL},
		{"cp.async.commit_group;", PTX_OTHER},
		{"cp.async.wait_group 1;", PTX_OTHER},
		{"ld.param.u64 %rd1, [_Z4scanPfS_i_param_0];", PTX_OTHER},
		{"ld.f32 %f1, [%rd1];", PTX_OTHER},
		{"st.local.u32 [%SP+0], %r1;", PTX_OTHER},
		{"atom.shared.add.u32 %r1, [%r2], 1;", PTX_OTHER},
		{"red.global.add.f32 [%rd1], %f1;", PTX_OTHER},
	};

	(void)state;
	assert_kinds(samples, COUNT(samples));
}

static void ptx_other_kinds(void **state)
{
	static const struct sample samples[] = {
		{"shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, -1;", PTX_SHUFFLE},
		{"bar.sync \t0;", PTX_BARRIER},
		{"bar.warp.sync -1;", PTX_BARRIER},
		{"barrier.sync 1, 64;", PTX_BARRIER},
		{"mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;", PTX_BARRIER},
		{"membar.gl;", PTX_OTHER},
		{"vote.sync.ballot.b32 %r1, %p1, -1;", PTX_OTHER},
		{"add.s32 %r91, %r90, %r88;", PTX_ARITHMETIC},
		{"{ add.f16 %rs1, %rs2, %rs3; }", PTX_ARITHMETIC},
		{"fma.rn.f32 %f3, %f1, %f2, %f3;", PTX_ARITHMETIC},
		{"and.b32 %r1, %r2, 31;", PTX_ARITHMETIC},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};", PTX_ARITHMETIC},
		{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};", PTX_ARITHMETIC},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
			PTX_ARITHMETIC},
		{"wgmma.commit_group.sync.aligned;", PTX_OTHER},
		{"mov.u32 %r89, 0;", PTX_MOVE},
		{"cvta.to.global.u64 %rd2, %rd1;", PTX_MOVE},
		{"cvt.rn.f32.s32 %f1, %r1;", PTX_MOVE},
		{"setp.lt.s32 %p1, %r1, 32;", PTX_PREDICATE},
		{"selp.b32 %r3, %r1, %r2, %p1;", PTX_PREDICATE},
		{"and.pred %p3, %p1, %p2;", PTX_PREDICATE},
		{"@!%p1 bra $L__BB0_2;", PTX_BRANCH},
		{"@%p1 bra.uni $L__BB0_2;", PTX_BRANCH},
		{"$L__BB0_3: ret;", PTX_BRANCH},
		{"ret;", PTX_BRANCH},
		{"exit;", PTX_BRANCH},
		{"call.uni (retval0), ", PTX_BRANCH},
		{"trap;", PTX_OTHER},
		{"addition.s32 %r1, %r2;", PTX_OTHER},
		{"ad.s32 %r1, %r2;", PTX_OTHER},
	};

	(void)state;
	assert_kinds(samples, COUNT(samples));
}

/* bsearch() finds every opcode only if the table is sorted. */
static void ptx_arithmetic_opcodes(void **state)
{
	static const char *const names[] = {"abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz",
		"cnot", "copysign", "cos", "div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "mad24",
		"madc", "max", "min", "mma", "mul", "mul24", "neg", "not", "or", "popc", "rcp", "rem", "rsqrt", "sad",
		"shf", "shl", "shr", "sin", "sqrt", "sub", "subc", "szext", "tanh", "xor"};
	char line[64];

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(line, sizeof line, "\t%s.b32 %%r1, %%r2, %%r3;", names[i]);
		if (ptx_classify(line) != PTX_ARITHMETIC)
			fail_msg("%s is not found", names[i]);
	}
}

/* A warp scan with and without `volatile`: the compiler drops all but two of the stores. */
static void ptx_of_a_warp_scan(void **state)
{
	static const char *const plain[] = {
		"mov.u32 %r89, 0;",
		"st.shared.u32 [%r17], %r89;",
		"ld.shared.u32 %r90, [%r17+124];",
		"add.s32 %r91, %r90, %r88;",
		"ld.shared.u32 %r92, [%r17+120];",
		"add.s32 %r93, %r92, %r91;",
		"st.shared.u32 [%r17+128], %r93;",
		"ret;",
	};
	int count[PTX_KINDS] = {0};

	(void)state;
	for (size_t i = 0; i < COUNT(plain); i++)
		count[ptx_classify(plain[i])]++;
	assert_int_equal(count[PTX_MOVE], 1);
	assert_int_equal(count[PTX_STORE_SHARED], 2);
	assert_int_equal(count[PTX_LOAD_SHARED], 2);
	assert_int_equal(count[PTX_ARITHMETIC], 2);
	assert_int_equal(count[PTX_BRANCH], 1);
}

static void ptx_kind_names_are_distinct(void **state)
{
	(void)state;
	assert_string_equal(ptx_kind_name(PTX_LOAD_SHARED), "shared loads");
	for (enum ptx_kind i = PTX_LOAD_SHARED; i < PTX_KINDS; i++)
		for (enum ptx_kind j = PTX_LOAD_SHARED; j < i; j++)
			assert_string_not_equal(ptx_kind_name(i), ptx_kind_name(j));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_files),
		cmocka_unit_test(the_same_but_for_indentation),
		cmocka_unit_test(white_space_inside_a_line_counts),
		cmocka_unit_test(changed_and_dropped_lines),
		cmocka_unit_test(a_longer_run_leaves_its_rest_alone),
		cmocka_unit_test(nothing_in_common),
		cmocka_unit_test(files_too_large_are_refused),
		cmocka_unit_test(random_files),
		cmocka_unit_test(ptx_that_is_no_instruction),
		cmocka_unit_test(ptx_memory),
		cmocka_unit_test(ptx_other_kinds),
		cmocka_unit_test(ptx_arithmetic_opcodes),
		cmocka_unit_test(ptx_of_a_warp_scan),
		cmocka_unit_test(ptx_kind_names_are_distinct),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
