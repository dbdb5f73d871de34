/* families.c: the model of families: what each pass gave, and what a missing pass leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"
#include "model/names.h"

#define PROCESS "16777216"
#define THREAD "16777217"

/* Without the passes verify and trace there is a tree, a verdict, and nothing that was not measured. */
static void test_only_the_time_pass(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 0, 0);
	tree = family_end(rec);
	assert_null_at(tree, CASE_A "verify");
	assert_null_at(tree, CASE_A "trace");
	assert_null_at(tree, CASE_A "resources");
	assert_null_at(tree, CASE_A "unsupported");
	assert_null_at(tree, CASE_A "time.sm_mhz");
	assert_null_at(tree, CONTRAST "hidden_share");
	assert_failed(tree, "results"); /* what was not verified stands for nothing */
	assert_passed(tree, "samples");
	assert_not_measured(tree, "drift");
	assert_not_measured(tree, "clock");
	assert_not_measured(tree, "records");
	assert_not_measured(tree, "throttling");
	assert_null_at(tree, "device");
	assert_null_at(tree, "clocks");
	assert_null_at(tree, "families.0.code_pair");
	assert_null_at(tree, "families.0.variants.0.code");
	assert_null_at(tree, "families.0.variants.0.ptx");
	assert_null_at(tree, "families.0.variants.0.steps");
	assert_null_at(tree, "program");
	json_decref(tree);
}

static void test_only_the_verify_pass(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_verify(rec, "a", "c", 0, 0);
	write_verify(rec, "a", "c", 1, 0);
	fixture_row(rec, "UNSUPPORTED family=f variant=b caseLabel=c reason=\"needs a larger card\"");
	tree = family_end(rec);
	assert_size(tree, "families.0.contrasts", 0);
	assert_true_at(tree, CASE_A "verify.ok");
	assert_integer(tree, CASE_A "verify.runs", 2);
	assert_null_at(tree, CASE_A "verify.first_wrong");
	assert_number(tree, CASE_A "verify.max_error", 0.5);
	assert_null_at(tree, CASE_A "time");
	assert_null_at(tree, CASE_A "throughput");
	assert_null_at(tree, CASE_A "versus_single");
	assert_text(tree, CASE_B "unsupported", "needs a larger card");
	json_decref(tree);
}

static void assert_identifier(const char *symbol, const char *want)
{
	size_t length;
	const char *name = function_identifier(symbol, &length);

	assert_int_equal(length, strlen(want));
	assert_memory_equal(name, want, length);
}

/* What a kernel's name is compared with is neither a namespace, nor a parameter, nor the end of a longer name. */
static void test_identifiers(void **state)
{
	size_t length;

	(void)state;
	assert_identifier("plain_c", "plain_c");
	assert_identifier("_Z14scan_all_tilesPf", "scan_all_tiles");
	assert_identifier("_ZL4scanPf", "scan");
	assert_identifier("_ZN4scan5applyEPf", "apply");
	assert_identifier("_ZN12_GLOBAL__N_14scanEPf", "scan");
	assert_identifier("_Z5applyP4scan", "apply");
	assert_identifier("_Z4gemmILi64EEvPf", "gemm");
	assert_identifier("_ZN3cub4scanIfEEvPf", "scan");
	assert_identifier("_ZNSt6vectorE", "vector");
	assert_null(function_identifier("_Z", &length));
	assert_null(function_identifier("_Z99short", &length));
	assert_null(function_identifier("_ZNS", &length));
}

/* Names of any length stay whole: what belongs to a variant, as its anchor, is not taken for that of another. */
static void test_long_names(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;
	char name[301];

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int last = 'x'; last <= 'y'; last++) {
		name[sizeof(name) - 2] = (char)last;
		fixture_row(rec, "VARIANT family=f name=%s ord=%d kind=candidate buffers=1 teachesFailure=0", name,
			2 + last - 'x');
	}
	write_right(rec);
	tree = family_end(rec);
	for (int i = 0; i < 2; i++) {
		const json_t *anchor =
			at(tree, i == 0 ? "families.0.variants.2.anchor" : "families.0.variants.3.anchor");

		assert_int_equal(strlen(json_string_value(anchor)), 302);
		assert_int_equal(json_string_value(anchor)[301], 'x' + i);
	}
	json_decref(tree);
}

static void test_wrong_on_purpose(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=racy ord=2 kind=candidate buffers=1 teachesFailure=1");
	write_verify(rec, "racy", "c", 0, 9);
	fixture_row(rec, "HAZARD family=f variant=racy ord=1 tool=synccheck text=\"Half of it waits.\"");
	fixture_row(rec, "HAZARD family=f variant=racy ord=0 tool=racecheck text=\"It races.\"");
	write_sample(rec, "racy", 0, 0, 50, 0);
	tree = family_end(rec);
	assert_text(tree, "families.0.variants.2.hazards.0.tool", "racecheck");
	assert_text(tree, "families.0.variants.2.hazards.0.text", "It races.");
	assert_text(tree, "families.0.variants.2.hazards.1.tool", "synccheck");
	assert_size(tree, "families.0.variants.1.hazards", 0);
	assert_true_at(tree, "families.0.variants.2.teaches_failure");
	assert_null_at(tree, "families.0.variants.2.role");
	assert_null_at(tree, "families.0.variants.2.cases.0.verify.ok");
	assert_integer(tree, "families.0.variants.2.cases.0.verify.wrong_runs", 1);
	assert_false_at(tree, "families.0.variants.2.cases.0.withheld");
	assert_number(tree, "families.0.variants.2.cases.0.time.median_ns", 50);
	json_decref(tree);
}

/* An iteration of variant `v` whose only kernel lasts `ns`, far later than the range. */
static void write_iteration(struct recording *rec, const char *v, int number, int at_ns, int ns)
{
	fixture_row(rec, "NVTX start=%d end=%d eventType=59 text=\"trace c %d\" globalTid=" THREAD " domainId=1",
		at_ns + 10, at_ns + 20, number);
	fixture_row(rec, "RUNTIME start=%d end=%d globalTid=" THREAD " correlationId=%d nameId=launch", at_ns + 15,
		at_ns + 16, at_ns);
	fixture_row(rec,
		"KERNEL start=%d end=%d deviceId=0 streamId=7 correlationId=%d globalPid=" PROCESS " shortName=%s",
		at_ns + 1000, at_ns + 1000 + ns, at_ns, v);
}

static void test_median_iteration(void **state)
{
	static const char *const ranges[] = {
		"NVTX start=0 eventType=75 text=dbprof globalTid=" THREAD " domainId=1",
		"NVTX start=0 end=90000 eventType=59 text=f globalTid=" THREAD " domainId=1",
		"NVTX start=1 end=40000 eventType=59 text=f/a globalTid=" THREAD " domainId=1 color=0xffd55e00",
		"NVTX start=40001 end=80000 eventType=59 text=f/b globalTid=" THREAD " domainId=1",
		NULL,
	};
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	fixture_lines(rec, ranges);
	write_iteration(rec, "a", 0, 10000, 300);
	write_iteration(rec, "a", 1, 20000, 100);
	write_iteration(rec, "a", 2, 30000, 200);
	write_iteration(rec, "b", 0, 50000, 50);
	write_iteration(rec, "b", 1, 60000, 70);
	tree = family_end(rec);
	assert_integer(tree, CASE_A "trace.iterations", 3);
	assert_number(tree, CASE_A "trace.spans_ns.0", 300);
	assert_number(tree, CASE_A "trace.spans_ns.2", 200);
	assert_integer(tree, CASE_A "trace.work.span_ns", 200);
	assert_integer(tree, CASE_A "trace.timeline.span_ns", 200);
	assert_integer(tree, CASE_A "trace.timeline.lanes.0.events.0.end_ns", 200);
	assert_size(tree, CASE_A "trace.timeline.ranges", 3);
	assert_text(tree, CASE_A "trace.timeline.ranges.0.text", "f");
	assert_text(tree, CASE_A "trace.timeline.ranges.1.color", "#D55E00");
	assert_text(tree, CASE_A "trace.timeline.ranges.2.text", "trace c 2");
	assert_integer(tree, CASE_A "trace.timeline.ranges.2.depth", 2);
	assert_integer(tree, CASE_A "trace.timeline.ranges.2.start_ns", -990);
	assert_integer(tree, CASE_B "trace.work.span_ns", 50);
	/* The iterations are not ranges of their own. */
	assert_size(tree, "ranges", 3);
	assert_text(tree, "ranges.1.name", "f/a");
	assert_integer(tree, "ranges.1.gpus.0.busy_ns.kernel", 600);
	json_decref(tree);
}

/* The numbers stand at the top of tests/fixtures/scenarios/families.c. */
static void test_pipelines(void **state)
{
	json_t *tree = fixture_scenario("families");

	(void)state;
	assert_integer(tree, CASE_A "trace.work.span_ns", 4000);
	assert_integer(tree, CASE_A "trace.work.hideable_ns", 2000);
	assert_integer(tree, CASE_B "trace.work.overlap_ns", 500);
	assert_integer(tree, CASE_B "trace.work.duplex_ns", 500);
	assert_integer(tree, CASE_B "trace.work.exposed_copy_ns", 2000);
	assert_number(tree, CONTRAST "speedup.value", 4.0 / 3);
	assert_number(tree, CONTRAST "hidden_share", 0.5);
	assert_number(tree, CONTRAST "stretch", 1);
	assert_text(tree, CONTRAST "verdict", "faster");
	/* Both overlap for 500 ns; of two equal causes, the first of the list leads. */
	assert_text(tree, CONTRAST "cause", "Copies run beside kernels for 500 ns.");
	assert_number(tree, CONTRAST "causes.0.ns", 500);
	assert_text(tree, CONTRAST "causes.1.id", "copies-both-ways");
	assert_number(tree, CONTRAST "causes.1.ns", 500);
	assert_text(tree, "families.0.contrasts.1.verdict", "slower");
	assert_text(tree, "families.0.contrasts.1.cause", "The GPU waits for the host for 100 ns.");
	json_decref(tree);
}

/* Compute capability 8.6, 128 threads: 8 KiB and the system's 1 KiB fit 11 times into 100 KiB: 44 of 48 warps. */
static void test_kernels(void **state)
{
	json_t *tree = fixture_scenario("families");

	(void)state;
	assert_integer(tree, "families.1.variants.1.cases.0.resources.threads", 128);
	assert_integer(tree, "families.1.variants.1.cases.0.resources.shared_bytes", 8192);
	assert_number(tree, "families.1.variants.1.cases.0.resources.occupancy.share", 44.0 / 48);
	assert_text(tree, "families.1.variants.1.cases.0.resources.occupancy.limiter", "shared memory");
	assert_integer(tree, "families.1.variants.1.cases.0.resources.occupancy.runtime_blocks", 11);
	assert_text(tree, "families.1.contrasts.0.verdict", "same");
	/* tests/fixtures/scenarios/why.c has the counters that explain it. */
	assert_text(tree, "families.1.contrasts.0.cause",
		"There is no difference to explain: barrier wait sets the pace of both.");
	assert_text(tree, "families.1.contrasts.0.causes.0.id", "barrier-wait");
	assert_false_at(tree, "families.1.contrasts.0.causes.0.named");
	json_decref(tree);
}

static void test_code(void **state)
{
	json_t *tree = fixture_scenario("families");

	(void)state;
	assert_integer(tree, "families.1.variants.0.code.first_line", 3);
	assert_text(tree, "families.1.variants.1.code.text", "y[i] = x[i] + x[i - s];\n__syncthreads();\n");
	/* Shared lines are the same; the ellipsis before the second region of two-buffers is no row. */
	assert_size(tree, "families.0.code_pair.rows", 6);
	assert_text(tree, "families.0.code_pair.rows.3.kind", "same");
	assert_text(tree, "families.0.code_pair.rows.4.kind", "changed");
	assert_integer(tree, "families.0.code_pair.rows.4.a_line", 9);
	assert_integer(tree, "families.0.code_pair.rows.4.b_line", 13);
	assert_text(tree, "families.1.code_pair.rows.1.kind", "single");
	assert_null_at(tree, "families.1.code_pair.rows.1.b_line");
	assert_null_at(tree, "families.1.code_pair.rows.1.b");
	assert_text(tree, "families.1.variants.0.ptx.arch", "compute_80");
	assert_integer(tree, "families.1.variants.0.ptx.total", 6);
	assert_text(tree, "families.1.variants.0.ptx.counts.5.kind", "barriers");
	assert_integer(tree, "families.1.variants.0.ptx.counts.5.count", 2);
	assert_null_at(tree, "families.1.variants.2.ptx");
	assert_size(tree, "families.1.variants.2.steps.1.cells", 8);
	assert_true_at(tree, "families.1.variants.2.steps.1.cells.1.racy");
	json_decref(tree);
}

/* Of a pair in two files each side's code comes from its own. */
static void test_code_in_two_files(void **state)
{
	static const char *const lines[] = {
		"FAMILY name=f ord=0 title=F question=q file=one.cu single=a double=b",
		"CASE family=f label=c ord=0 verifyOnly=0",
		"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
		"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0 file=two.cu",
		"SOURCE file=one.cu text=\"// begin a, b\\nx();\\n// end a, b\\n\"",
		"SOURCE file=two.cu text=\"\\n\\n// begin b\\nx();\\ny();\\n// end b\\n\"",
		"VERIFY family=f variant=a caseLabel=c run=0 seed=1 elements=50 wrong=0 maxError=0.5",
		NULL,
	};
	struct recording *rec = fixture_begin("two-files.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, lines);
	fixture_end(rec);
	tree = fixture_model("two-files.sqlite");
	assert_text(tree, "families.0.code_pair.single_file", "one.cu");
	assert_text(tree, "families.0.code_pair.double_file", "two.cu");
	assert_size(tree, "families.0.code_pair.rows", 2);
	assert_integer(tree, "families.0.code_pair.rows.0.a_line", 2);
	assert_integer(tree, "families.0.code_pair.rows.0.b_line", 4);
	assert_text(tree, "families.0.code_pair.rows.1.kind", "double");
	assert_text(tree, "families.0.code_pair.rows.1.b", "y();");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_only_the_time_pass),
		scratch_test(test_only_the_verify_pass),
		cmocka_unit_test(test_identifiers),
		scratch_test(test_long_names),
		scratch_test(test_wrong_on_purpose),
		scratch_test(test_median_iteration),
		scratch_test(test_pipelines),
		scratch_test(test_kernels),
		scratch_test(test_code),
		scratch_test(test_code_in_two_files),
	};

	return cmocka_run_group_tests_name("model: families", tests, NULL, NULL);
}
