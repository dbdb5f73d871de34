/* reach.c: variants against the floor or the library, and under the roofs of the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fixtures/model-family.h"
#include "model/family/reach/reach.h"
#include "tree/tree.h"
#include "util/alloc.h"

#define OF "family=f caseLabel=c "
#define THREAD "16777217"
#define PROCESS "16777216"
#define LADDER "families.0.ladder."
#define ROOFLINE "families.0.roofline."

enum { BLOCKS = 12, MHZ = 1000 };

/* ---- the ladder ---- */

/* The numbers stand at the top of tests/fixtures/scenarios/floor.c. */
static void test_a_floor_is_the_top(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_text(tree, LADDER "of", "floor");
	assert_text(tree, LADDER "variant", "both-at-once");
	assert_number(tree, LADDER "median_ns", 2100);
	assert_size(tree, LADDER "rungs", 2); /* parts of the work are none */
	assert_text(tree, LADDER "rungs.0.variant", "one-buffer");
	assert_number(tree, LADDER "rungs.0.share.value", 0.525);
	assert_number(tree, LADDER "rungs.1.share.value", 0.7);
	json_decref(tree);
}

/* Without a floor, the fastest reference that computes: a plain copy stays a rung. */
static void test_a_library_is_the_top(void **state)
{
	static const char *const lines[] = {
		"VARIANT family=f name=slow-lib ord=2 kind=reference buffers=0 teachesFailure=0",
		"VARIANT family=f name=lib ord=3 kind=reference buffers=0 teachesFailure=0",
		"VARIANT family=f name=copy ord=4 kind=reference buffers=0 teachesFailure=0",
		"VARIANT family=f name=wrong ord=5 kind=candidate buffers=1 teachesFailure=1",
		"COUNT family=f caseLabel=c variant=copy iterations=3 what=kernels host=0 recorded=0 lowerBound=0",
		NULL,
	};
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	fixture_lines(rec, lines);
	write_right(rec);
	write_samples(rec, BLOCKS, 4000, 2000, MHZ, MHZ);
	for (int block = 0; block < BLOCKS; block++) {
		write_sample(rec, "slow-lib", block, 4, 3000, MHZ);
		write_sample(rec, "lib", block, 5, 1000, MHZ);
		write_sample(rec, "copy", block, 6, 500, MHZ);
		write_sample(rec, "wrong", block, 7, 100, MHZ);
	}
	tree = family_end(rec);
	assert_text(tree, LADDER "of", "reference");
	assert_text(tree, LADDER "variant", "lib");
	assert_size(tree, LADDER "rungs", 5); /* not of what is meant to be wrong */
	assert_text(tree, LADDER "rungs.0.variant", "a");
	assert_number(tree, LADDER "rungs.0.share.value", 0.25);
	assert_number(tree, LADDER "rungs.1.share.value", 0.5);
	assert_number(tree, LADDER "rungs.3.share.value", 1);
	assert_number(tree, LADDER "rungs.4.share.value", 2);
	json_decref(tree);
}

static void test_no_ladder_without_a_top(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_right(rec);
	write_samples(rec, BLOCKS, 4000, 2000, MHZ, MHZ);
	tree = family_end(rec);
	assert_null_at(tree, "families.0.ladder");
	assert_null_at(tree, "families.0.roofline");
	json_decref(tree);
}

/* ---- a pair that does not run ---- */

/* The family's pair is "a" and "b"; "two" is a rung over "one", "three" one over "two". */
static json_t *family_without_b(bool two_runs)
{
	static const char *const lines[] = {
		"VARIANT family=f name=three ord=2 kind=candidate buffers=3 teachesFailure=0 rungStep=3 rungOver=two",
		"VARIANT family=f name=one ord=3 kind=candidate buffers=1 teachesFailure=0 rungStep=1",
		"VARIANT family=f name=two ord=4 kind=candidate buffers=2 teachesFailure=0 rungStep=2 rungOver=one",
		"UNSUPPORTED family=f variant=b caseLabel=c reason=Hopper",
		NULL,
	};
	static const char *const neither[] = {"UNSUPPORTED family=f variant=two caseLabel=c reason=Ampere", NULL};
	struct recording *rec = family_begin();

	fixture_lines(rec, lines);
	if (!two_runs)
		fixture_lines(rec, neither);
	write_right(rec);
	for (int block = 0; block < BLOCKS; block++) {
		write_sample(rec, "a", block, 0, 4000, MHZ);
		write_sample(rec, "one", block, 1, 3000, MHZ);
		write_sample(rec, "two", block, 2, 2000, MHZ);
	}
	return family_end(rec);
}

static void test_two_rungs_stand_in_for_a_pair_that_does_not_run(void **state)
{
	json_t *tree = family_without_b(true);

	(void)state;
	assert_text(tree, "families.0.single", "one");
	assert_text(tree, "families.0.double", "two");
	assert_text(tree, "families.0.stands_in.missing", "b");
	assert_text(tree, "families.0.stands_in.reason", "Hopper");
	assert_number(tree, "families.0.contrasts.0.speedup.value", 1.5);
	json_decref(tree);
	tree = family_without_b(false);
	assert_text(tree, "families.0.single", "a");
	assert_text(tree, "families.0.double", "b");
	assert_null_at(tree, "families.0.stands_in");
	json_decref(tree);
}

/* ---- the climb ---- */

#define CLIMB "families.0.climbs.0."

/* The numbers stand at the top of tests/fixtures/scenarios/ladder.c. */
static void test_rungs_are_held_against_the_ones_below(void **state)
{
	json_t *tree = fixture_scenario("ladder");

	(void)state;
	assert_size(tree, "families.0.climbs", 2);
	assert_text(tree, CLIMB "case", "4096");
	assert_text(tree, CLIMB "top", "swizzle");
	assert_size(tree, CLIMB "rungs", 7);
	assert_text(tree, CLIMB "rungs.0.variant", "register-tile");
	assert_null_at(tree, CLIMB "rungs.0.over");
	assert_null_at(tree, CLIMB "rungs.0.contrast");
	assert_number(tree, CLIMB "rungs.0.speed", 137438953472 / 5400e-6);
	assert_number(tree, CLIMB "rungs.1.contrast.speedup.value", 5400.0 / 4300);
	assert_text(tree, CLIMB "rungs.1.contrast.verdict", "faster");
	assert_text(tree, CLIMB "rungs.3.contrast.verdict", "slower");
	assert_text(tree, CLIMB "rungs.4.contrast.first_cause", "memory-latency-hidden");
	assert_number(tree, CLIMB "rungs.5.share.value", 2790.0 / 2950);
	assert_number(tree, CLIMB "rungs.6.step", 7);
	assert_null_at(tree, CLIMB "rungs.6.median_ns");
	assert_null_at(tree, CLIMB "rungs.6.contrast");
	assert_text(tree, "families.0.climbs.1.top", "cp-async-3");
	json_decref(tree);
}

/* Rung a takes 3000 ns, b and c what is told. */
static json_t *three_rungs(int b, int c, bool throttled)
{
	static const char *const lines[] = {
		"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0 rungStep=1",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0 rungStep=2 rungOver=a "
		"rungChange=x",
		"VARIANT family=f name=c ord=2 kind=candidate buffers=2 teachesFailure=0 rungStep=3 rungOver=b "
		"rungChange=y",
		"CASE family=f label=c ord=0 verifyOnly=0 flops=1000 bytes=1000 elements=1000",
		NULL,
	};
	struct recording *rec = fixture_begin("f.sqlite");

	fixture_lines(rec, lines);
	for (int block = 0; block < BLOCKS; block++) {
		if (throttled)
			fixture_row(rec,
				"CLOCK timestamp=%d deviceId=0 smMhz=1000 temperatureC=50 throttle=32 family=f "
				"caseLabel=c block=%d",
				1000 + block, block);
		write_sample(rec, "a", block, 0, 3000 + block, MHZ);
		write_sample(rec, "b", block, 1, b + block % 3, MHZ);
		write_sample(rec, "c", block, 2, c + block % 5, MHZ);
	}
	return family_end(rec);
}

/* The highest rung is not the fastest at each size. */
static void test_the_fastest_is_surely_faster_than_the_top(void **state)
{
	json_t *tree = three_rungs(1000, 2000, false);

	(void)state;
	assert_text(tree, CLIMB "top", "c");
	assert_text(tree, CLIMB "fastest", "b");
	json_decref(tree);
	tree = three_rungs(2000, 1000, false);
	assert_text(tree, CLIMB "fastest", "c");
	json_decref(tree);
}

static void test_throttled_rungs_have_no_time(void **state)
{
	json_t *tree = three_rungs(1000, 2000, true);

	(void)state;
	assert_null_at(tree, CLIMB "fastest");
	assert_null_at(tree, CLIMB "rungs.0.speed");
	assert_true_at(tree, CLIMB "rungs.0.throttled");
	json_decref(tree);
	tree = three_rungs(1000, 2000, false);
	assert_false_at(tree, CLIMB "rungs.0.throttled");
	json_decref(tree);
}

/* A gain is always that of having the technique. */
static void test_a_technique_is_taken_away(void **state)
{
	json_t *tree = fixture_scenario("ladder");

	(void)state;
	assert_size(tree, CLIMB "without", 3);
	assert_text(tree, CLIMB "without.0.over", "swizzle");
	assert_number(tree, CLIMB "without.0.contrast.speedup.value", 3900.0 / 2950);
	assert_null_at(tree, CLIMB "without.0.along");
	assert_text(tree, CLIMB "without.1.along", "the third stage");
	assert_text(tree, CLIMB "without.2.contrast.verdict", "same");
	json_decref(tree);
}

/* A library that rounds to TF32 is faster, and not what was asked for: it draws no line, also where only another case
 * was traced. */
static void test_another_kernel_draws_no_line(void **state)
{
	json_t *tree = fixture_scenario("ladder");

	(void)state;
	assert_text(tree, CLIMB "reference", "cublas");
	assert_size(tree, CLIMB "references", 2);
	assert_text(tree, CLIMB "references.0.kernel", "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128>(Params)");
	assert_true_at(tree, CLIMB "references.0.as_asked");
	assert_false_at(tree, CLIMB "references.1.as_asked");
	assert_text(tree, CLIMB "references.1.asked", "sgemm|f32f32_f32f32");
	assert_text(tree, LADDER "variant", "cublas");
	assert_text(tree, "families.0.fastest.reference.variant", "cublas");
	assert_text(tree, "families.0.climbs.1.reference", "cublas");
	assert_null_at(tree, "families.0.climbs.1.references.0.kernel");
	assert_false_at(tree, "families.0.climbs.1.references.1.as_asked");
	json_decref(tree);
}

static void test_no_climb_without_rungs(void **state)
{
	json_t *tree = fixture_scenario("families");

	(void)state;
	assert_size(tree, "families.0.climbs", 0);
	json_decref(tree);
}

/* ---- the roofline ---- */

/* One traced launch of the variant: `kernels` of them. */
static void write_launch(struct recording *rec, const char *variant, int at_ns, int kernels)
{
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=f/%s globalTid=" THREAD " domainId=1", at_ns,
		at_ns + 5000, variant);
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=\"trace c 0\" globalTid=" THREAD " domainId=1",
		at_ns + 1, at_ns + 4999);
	for (int i = 0; i < kernels; i++) {
		fixture_row(rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=call",
			at_ns + 10 + i, at_ns + 11 + i, at_ns + i);
		fixture_row(rec,
			"KERNEL start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS
			" shortName=k",
			at_ns + 100 + 100 * i, at_ns + 150 + 100 * i, at_ns + i);
	}
}

static void write_counters(struct recording *rec, const char *variant, double dram, double wavefronts)
{
	fixture_row(
		rec, "COUNTER " OF "variant=%s scope=kernel ord=0 metric=dram.sum value=%g replays=1", variant, dram);
	fixture_row(rec, "COUNTER " OF "variant=%s scope=kernel ord=0 metric=smem.sum value=%g replays=1", variant,
		wavefronts);
	fixture_row(rec, "COUNTER " OF "variant=%s scope=kernel ord=0 metric=inst.sum value=4000 replays=1", variant);
}

/* As family_begin(), with operations. */
static struct recording *begin_with_flops(int flops)
{
	static const char *const lines[] = {
		"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0",
		NULL,
	};
	struct recording *rec = fixture_begin("f.sqlite");

	fixture_lines(rec, lines);
	fixture_row(rec, "CASE family=f label=c ord=0 verifyOnly=0 flops=%d bytes=4000 elements=0", flops);
	return rec;
}

/* 4 SMs at 1 GHz: 1e12 FLOP/s by 125 FMAs, 1.6e10 instructions/s, 5.12e11 B/s of shared memory; DRAM 1e9 B/s. Both take
 * 4000 and 2000 ns; b is two kernels. */
static json_t *under_roofs(int flops)
{
	static const char *const lines[] = {
		"MACHINE family=f key=sms title=SMs value=4 unit=\"\"",
		"MACHINE family=f key=clock_hz title=clock value=1e9 unit=Hz",
		"MACHINE family=f key=fma_lanes title=FMA value=125 unit=FMA/cycle",
		"MACHINE family=f key=issue title=issue value=4 unit=\"\"",
		"MACHINE family=f key=shared_words title=shared value=32 unit=words/cycle",
		"MACHINE family=f key=dram_bytes_s title=dram value=1e9 unit=B/s",
		"METRIC setName=s ord=0 pass=counters setTitle=S key=dram_bytes title=d unit=B formula=dram.sum "
		"meaning=m",
		"METRIC setName=s ord=1 pass=counters setTitle=S key=smem_wavefronts title=w unit=w formula=smem.sum "
		"meaning=m",
		"METRIC setName=s ord=2 pass=counters setTitle=S key=inst_executed title=i unit=i formula=inst.sum "
		"meaning=m",
		"NVTX start=0 eventType=75 text=dbprof globalTid=" THREAD " domainId=1",
		NULL,
	};
	struct recording *rec = begin_with_flops(flops);
	struct error err = {0};

	assert_int_equal(scenario_gpu(rec, 0, &err), 0);
	fixture_lines(rec, lines);
	write_right(rec);
	write_samples(rec, BLOCKS, 4000, 2000, MHZ, MHZ);
	write_launch(rec, "a", 100, 1);
	write_launch(rec, "b", 10000, 2);
	write_counters(rec, "a", 1000, 125);
	write_counters(rec, "b", 1000, 125);
	return family_end(rec);
}

static const json_t *place_at(const json_t *tree, const char *level)
{
	return tree_find(at(tree, ROOFLINE "points.0.places"), "level", level);
}

static void test_flops_under_roofs(void **state)
{
	json_t *tree = under_roofs(2000);

	(void)state;
	assert_text(tree, ROOFLINE "operation", "flop");
	assert_number(tree, ROOFLINE "ceiling_per_s", 1e12);
	assert_size(tree, ROOFLINE "points", 1); /* counters of one kernel say nothing of a launch of two */
	assert_text(tree, ROOFLINE "points.0.variant", "a");
	assert_number(tree, ROOFLINE "points.0.per_s", 5e8);
	/* 2 per byte of DRAM, which gives 1e9 B/s; 2000 per 125 rows of 128 bytes of shared memory; L2 was not
	 * measured. */
	assert_size(tree, ROOFLINE "points.0.places", 2);
	assert_near(tree_real(place_at(tree, "dram"), "intensity"), 2, 1e-9);
	assert_near(tree_real(place_at(tree, "dram"), "share"), 0.25, 1e-9);
	assert_near(tree_real(place_at(tree, "shared"), "intensity"), 0.125, 1e-9);
	assert_near(tree_real(place_at(tree, "shared"), "share"), 5e8 / (0.125 * 5.12e11), 1e-9);
	json_decref(tree);
}

/* In 4 us: 1.05 and 1.25 times what FMA reaches. The latter is not done by FMA. */
static void test_faster_than_the_ceiling(void **state)
{
	json_t *tree = under_roofs(4200000);

	(void)state;
	assert_number(tree, ROOFLINE "points.0.per_s", 1.05e12);
	json_decref(tree);
	tree = under_roofs(5000000);
	assert_null_at(tree, "families.0.roofline");
	json_decref(tree);
}

/* A family without operations of its own is shown by its instructions. */
static void test_instructions_under_roofs(void **state)
{
	json_t *tree = under_roofs(0);

	(void)state;
	assert_text(tree, ROOFLINE "operation", "instruction");
	assert_number(tree, ROOFLINE "ceiling_per_s", 1.6e10);
	assert_number(tree, ROOFLINE "points.0.per_s", 1e9);
	assert_near(tree_real(place_at(tree, "dram"), "intensity"), 4, 1e-9);
	json_decref(tree);
}

/* ---- what of many rungs is left out ---- */

#define PTX_OF(symbol) ".visible .entry " symbol "(.param .u64 p)\\n{\\nbar.sync 0;\\nret;\\n}\\n"
#define RESOURCE_OF(variant, symbol)                                                                                   \
	"RESOURCE " OF "variant=" variant " symbol=" symbol " gridX=8 gridY=1 gridZ=1 blockX=128 blockY=1 blockZ=1 "   \
	"registers=32 staticSmem=0 dynamicSmem=0 localBytes=0 blocksPerSm=12"
#define STALLS_OF(variant, symbol)                                                                                     \
	"STALLRUN " OF "variant=" variant " launches=10 period=2048 total=301 dropped=0 foreign=0",                    \
		"STALL " OF "variant=" variant " symbol=" symbol                                                       \
		" file=f.cu offset=16 line=2 reason=barrier samples=300 notIssued=20"

#define COLD_LINE_OF(variant, symbol)                                                                                  \
	"STALL " OF "variant=" variant " symbol=" symbol " file=f.cu offset=32 line=1 reason=wait samples=1 "          \
	"notIssued=0"

/* a and b are the pair; c has the code and the kernel of a, e the code of d. `rung`: whether c is one. */
static json_t *many_variants(bool rung)
{
	static const char *const lines[] = {
		"VARIANT family=f name=d ord=3 kind=candidate buffers=2 teachesFailure=0",
		"VARIANT family=f name=e ord=4 kind=candidate buffers=2 teachesFailure=0",
		"SOURCE file=f.cu text=\"// begin a, c\\nx();\\n// end a, c\\n// begin d, e\\nz();\\n// end d, e\\n\"",
		"PTX file=f.cu arch=compute_80 text=\".version 8.0\\n" PTX_OF("_Z1a") PTX_OF("_Z1d") "\"",
		RESOURCE_OF("a", "_Z1a"),
		RESOURCE_OF("c", "_Z1a"),
		RESOURCE_OF("d", "_Z1d"),
		STALLS_OF("a", "_Z1a"),
		STALLS_OF("c", "_Z1a"),
		COLD_LINE_OF("a", "_Z1a"),
		COLD_LINE_OF("c", "_Z1a"),
		NULL,
	};
	struct recording *rec = family_begin();

	fixture_row(rec, "VARIANT family=f name=c ord=2 kind=candidate buffers=1 teachesFailure=0 %s",
		rung ? "rungStep=1" : "");
	write_right(rec);
	fixture_lines(rec, lines);
	fixture_end(rec);
	return fixture_model("f.sqlite");
}

static void test_what_rungs_share_stands_once(void **state)
{
	json_t *tree = many_variants(true);

	(void)state;
	assert_text(tree, "families.0.variants.0.code.text", "x();\n");
	assert_null_at(tree, "families.0.variants.2.code.text");
	assert_null_at(tree, "families.0.variants.2.code.lines");
	assert_text(tree, "families.0.variants.2.code.same_as", "a");
	assert_text(tree, "families.0.variants.3.code.text", "z();\n");
	assert_null_at(tree, "families.0.variants.3.code.same_as");
	assert_text(tree, "families.0.variants.4.code.same_as", "d");
	assert_size(tree, "families.0.variants.0.ptx.marks", 1);
	assert_text(tree, "families.0.variants.2.ptx.same_as", "a");
	assert_null_at(tree, "families.0.variants.3.ptx.same_as");
	assert_null_at(tree, "families.0.variants.3.ptx.text");
	assert_null_at(tree, "families.0.variants.3.ptx.marks");
	assert_integer(tree, "families.0.variants.3.ptx.total", 2);
	assert_size(tree, "families.0.variants.0.cases.0.stalls.lines", 2);
	assert_size(tree, "families.0.variants.2.cases.0.stalls.reasons", 2);
	assert_size(tree, "families.0.variants.2.cases.0.stalls.lines", 1); /* the other has less than 1 % */
	assert_integer(tree, "families.0.variants.2.cases.0.stalls.lines.0.line", 2);
	assert_null_at(tree, "families.0.variants.2.cases.0.stalls.offsets");
	json_decref(tree);
}

static void test_without_rungs_all_stands(void **state)
{
	json_t *tree = many_variants(false);

	(void)state;
	assert_text(tree, "families.0.variants.4.code.text", "z();\n");
	assert_size(tree, "families.0.variants.3.ptx.marks", 1);
	assert_size(tree, "families.0.variants.2.cases.0.stalls.lines", 2);
	json_decref(tree);
}

/* A stranger's recording may have many rungs of one kernel with a long text: each is read a few times, not once for
 * each of the others. Comparing all takes minutes. */
static void test_many_long_texts_take_no_time(void **state)
{
	enum { VARIANTS = 900, LENGTH = 1000000, MOST_SECONDS = 5 };
	char *text = xcalloc(LENGTH + 1, 1);
	json_t *shared, *variants = json_array();
	clock_t start;

	(void)state;
	memset(text, 'x', LENGTH);
	shared = json_string(text);
	for (int v = 0; v < VARIANTS; v++)
		json_array_append_new(
			variants, json_pack("{s:s, s:{s:O}}", "name", v ? "rung" : "first", "ptx", "text", shared));
	start = clock();
	leave_out_of_rungs(variants);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < MOST_SECONDS);
	assert_string_equal(
		tree_text(json_object_get(json_array_get(variants, VARIANTS - 1), "ptx"), "same_as"), "first");
	json_decref(variants);
	json_decref(shared);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_a_floor_is_the_top),
		scratch_test(test_a_library_is_the_top),
		scratch_test(test_no_ladder_without_a_top),
		scratch_test(test_two_rungs_stand_in_for_a_pair_that_does_not_run),
		scratch_test(test_rungs_are_held_against_the_ones_below),
		scratch_test(test_the_fastest_is_surely_faster_than_the_top),
		scratch_test(test_throttled_rungs_have_no_time),
		scratch_test(test_a_technique_is_taken_away),
		scratch_test(test_another_kernel_draws_no_line),
		scratch_test(test_no_climb_without_rungs),
		scratch_test(test_what_rungs_share_stands_once),
		scratch_test(test_without_rungs_all_stands),
		cmocka_unit_test(test_many_long_texts_take_no_time),
		scratch_test(test_flops_under_roofs),
		scratch_test(test_faster_than_the_ceiling),
		scratch_test(test_instructions_under_roofs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
