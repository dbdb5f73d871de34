/* derived.c: what the points of a sweep depend on: chunks of a pipeline, other variables, rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-fixture.h"
#include "tree/tree.h"

#define SWEEP "families.0.sweeps.0."

enum { BLOCKS = 12, TRACED = 3 };

/* A family as a plug-in may have it: no name in it is known to dbprof. */
static const char *const family_lines[] = {
	"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
	"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0",
	"CASE family=f label=own ord=0 verifyOnly=0 flops=0 bytes=8000 elements=1000",
	"CASE family=f label=other ord=1 verifyOnly=0 flops=0 bytes=8000 elements=1000",
	"VERIFY family=f variant=a caseLabel=own run=0 seed=1 elements=50 wrong=0 maxError=1",
	"VERIFY family=f variant=b caseLabel=own run=0 seed=1 elements=50 wrong=0 maxError=1",
	NULL,
};

static struct recording *derived_begin(const char *bound, const char *x, const char *y)
{
	struct recording *rec = fixture_begin("d.sqlite");

	fixture_row(
		rec, "FAMILY name=f ord=0 title=F throughput=GB/s boundBy=\"%s\" single=a double=b file=f.cu", bound);
	fixture_lines(rec, family_lines);
	fixture_row(rec, "SWEEP family=f name=s ord=0 title=S question=Q single=a double=b x=%s y=%s points=9", x, y);
	return rec;
}

static json_t *derived_end(struct recording *rec)
{
	fixture_end(rec);
	return fixture_model("d.sqlite");
}

static void write_param(struct recording *rec, const char *label, const char *name, const char *unit, long value)
{
	fixture_row(rec, "PARAM family=f caseLabel=%s name=%s value=%ld unit=%s summary=p", label, name, value, unit);
}

/* Traced launches of double, as the host counted them. */
static void write_traced(struct recording *rec, const char *label, int kernels, int copies)
{
	fixture_row(rec,
		"COUNT family=f variant=b caseLabel=%s iterations=%d what=kernels host=%d recorded=%d lowerBound=0",
		label, TRACED, TRACED * kernels, TRACED * kernels);
	fixture_row(rec,
		"COUNT family=f variant=b caseLabel=%s iterations=%d what=copies host=%d recorded=%d lowerBound=0",
		label, TRACED, TRACED * copies, TRACED * copies);
}

static void write_derived_times(struct recording *rec, const char *label, const char *variant, double ns)
{
	for (int i = 0; i < 2 * BLOCKS; i++)
		fixture_row(rec, "SAMPLE family=f variant=%s caseLabel=%s block=%d position=%d launches=9 ns=%g",
			variant, label, i / 2, i % 2, ns);
}

/* A point with single at 1000 ns. */
static void write_point(struct recording *rec, const char *label, int ord, long results, double dbl)
{
	fixture_row(rec, "CASE family=f label=%s ord=%d verifyOnly=0 flops=0 bytes=%ld elements=%ld sweep=s", label,
		ord + 2, 8 * results, results);
	write_derived_times(rec, label, "a", 1000);
	write_derived_times(rec, label, "b", dbl);
}

/* Over slabs of 100, 200, 400 and 800 results of 100, 400, 800 and 1600: it pays with two chunks or more. */
static void write_slabs(struct recording *rec, const char *slab, const char *of)
{
	static const long sizes[] = {100, 200, 400, 800}, lengths[] = {100, 400, 800, 1600};
	char label[64];
	int ord = 0;

	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) {
			snprintf(label, sizeof(label), "s-%ld-%ld", sizes[i], lengths[k]);
			write_point(rec, label, ord++, lengths[k], lengths[k] > sizes[i] ? 800 : 995);
			write_param(rec, label, slab, "rows", sizes[i]);
			write_param(rec, label, of, "rows", lengths[k]);
		}
	}
}

static void write_own(struct recording *rec, const char *label, const char *slab, const char *of, long size, long all)
{
	write_param(rec, label, slab, "rows", size);
	write_param(rec, label, of, "rows", all);
}

/* ---- chunks ---- */

/* Traced launches have two kernels per slab: which parameter cuts the work is told by that, and not by its name. */
static void the_trace_tells_what_cuts(void **state)
{
	struct recording *rec = derived_begin("PCIe", "slab", "len");
	json_t *tree;

	(void)state;
	write_own(rec, "own", "slab", "len", 100, 1000);
	write_own(rec, "other", "slab", "len", 300, 1000);
	write_traced(rec, "own", 20, 30);
	write_traced(rec, "other", 8, 12);
	write_slabs(rec, "slab", "len");
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 7);
	assert_integer(tree, SWEEP "tally.compared", 9);
	assert_integer(tree, SWEEP "tally.unclear", 0);
	assert_text(tree, SWEEP "points.0.verdict", "nothing");
	assert_text(tree, SWEEP "points.0.why.id", "nothing-to-overlap");
	assert_text(tree, SWEEP "points.0.reason", "nothing to overlap: one chunk");
	assert_false_at(tree, SWEEP "points.0.overlappable");
	assert_number(tree, SWEEP "points.0.speedup.value", 1000 / 995.0);
	assert_true_at(tree, SWEEP "points.12.overlappable");
	assert_text(tree, SWEEP "points.12.derived.0.id", "chunks");
	assert_number(tree, SWEEP "points.12.derived.0.value", 16);
	assert_text(tree, SWEEP "rule.variable", "chunks");
	assert_text(tree, SWEEP "rule.relation", ">=");
	assert_number(tree, SWEEP "rule.threshold", 2);
	assert_integer(tree, SWEEP "rule.inside.points", 9);
	assert_integer(tree, SWEEP "rule.inside.pays", 9);
	assert_integer(tree, SWEEP "rule.outside.points", 7);
	assert_integer(tree, SWEEP "rule.outside.nothing", 7);
	assert_text(tree, SWEEP "rule.text", "pays at all 9 points with two chunks or more");
	assert_text(tree, SWEEP "when", "pays at all 9 points with two chunks or more");
	assert_text(tree, "families.0.holds.text", "9 of 9");
	assert_text(tree, "answer", "Only sweeps were measured: double buffering pays at 9 of 9 points.");
	assert_size(tree, SWEEP "crossovers", 0);
	json_decref(tree);
}

/* Without a trace the name tells; with one that contradicts it, nobody knows. */
static void a_name_tells_without_a_trace(void **state)
{
	struct recording *rec = derived_begin("PCIe", "chunk", "len");
	json_t *tree;

	(void)state;
	write_slabs(rec, "chunk", "len");
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 7);
	json_decref(tree);

	rec = derived_begin("PCIe", "chunk", "len");
	write_own(rec, "own", "chunk", "len", 100, 1000);
	write_traced(rec, "own", 7, 14);
	write_slabs(rec, "chunk", "len");
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 0);
	assert_integer(tree, SWEEP "tally.compared", 16);
	json_decref(tree);

	rec = derived_begin("PCIe", "slab", "len");
	write_slabs(rec, "slab", "len");
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 0);
	json_decref(tree);
}

/* Two parameters fit what was traced, and say different things of the points: neither is believed. */
static void what_fits_must_agree(void **state)
{
	struct recording *rec = derived_begin("PCIe", "slab", "len");
	json_t *tree;

	(void)state;
	write_own(rec, "own", "slab", "len", 250, 1000);
	write_param(rec, "own", "parts", "", 4);
	write_traced(rec, "own", 4, 8);
	write_slabs(rec, "slab", "len");
	write_param(rec, "s-100-100", "parts", "", 4);
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 0);
	json_decref(tree);
}

/* Launches without copies are no pipeline, whatever their parameters are called. */
static void kernels_have_no_chunks(void **state)
{
	struct recording *rec = derived_begin("PCIe", "chunk", "len");
	json_t *tree;

	(void)state;
	write_own(rec, "own", "chunk", "len", 100, 1000);
	write_traced(rec, "own", 10, 0);
	write_slabs(rec, "chunk", "len");
	tree = derived_end(rec);
	assert_integer(tree, SWEEP "tally.nothing", 0);
	json_decref(tree);
}

/* ---- rules ---- */

/* Double costs time where it leaves one block on an SM; the resources of both kernels are recorded. */
static void a_loss_has_its_rule(void **state)
{
	struct recording *rec = derived_begin("device memory", "smem", "mode");
	char label[64];
	json_t *tree;

	(void)state;
	for (int i = 0; i < 14; i++) {
		snprintf(label, sizeof(label), "s-%d", i);
		write_point(rec, label, i, 1000, i < 6 ? 1200 : i % 2 ? 1000 : 900);
		write_param(rec, label, "smem", "KiB", (i * 5) % 14);
		write_param(rec, label, "mode", "", i % 2);
		for (int v = 0; v < 2; v++)
			fixture_row(rec,
				"RESOURCE family=f variant=%s caseLabel=%s symbol=k gridX=100 gridY=1 gridZ=1 "
				"blockX=256 blockY=1 blockZ=1 registers=32 staticSmem=0 dynamicSmem=0 localBytes=0 "
				"blocksPerSm=%d",
				v ? "b" : "a", label,
				v == 0  ? 4
				: i < 6 ? 1
					: 4);
	}
	tree = derived_end(rec);
	assert_text(tree, SWEEP "rule.verdict", "slower");
	assert_text(tree, SWEEP "rule.text",
		"costs time at all 6 points with one block on an SM or fewer, and at none of 8 others");
	assert_text(tree, SWEEP "explains", "blocks-per-sm");
	json_decref(tree);
}

/* The same verdicts in another order follow from nothing. */
static void no_rule_where_none_holds(void **state)
{
	static const int pays[] = {1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0};
	struct recording *rec = derived_begin("device memory", "size", "");
	char label[64];
	json_t *tree;

	(void)state;
	for (int i = 0; i < 16; i++) {
		snprintf(label, sizeof(label), "s-%d", i);
		write_point(rec, label, i, 1000, pays[i] ? 900 : 1000);
		write_param(rec, label, "size", "rows", 1L << i);
	}
	tree = derived_end(rec);
	assert_null_at(tree, SWEEP "rule");
	assert_null_at(tree, SWEEP "explains");
	assert_text(tree, SWEEP "when", "pays at 8 of 16 measured points and makes no difference at 8");
	json_decref(tree);
}

/* Over one parameter: it pays from 256 on, and gains the more, the larger it is. */
static void a_parameter_has_its_rule(void **state)
{
	struct recording *rec = derived_begin("device memory", "size", "");
	char label[64];
	json_t *tree;

	(void)state;
	for (int i = 0; i < 16; i++) {
		snprintf(label, sizeof(label), "s-%d", i);
		write_point(rec, label, i, 1000, i >= 8 ? 900 - 10 * i : 1000 + 0.1 * (8 - i));
		write_param(rec, label, "size", "rows", 1L << i);
	}
	tree = derived_end(rec);
	assert_text(tree, SWEEP "rule.variable", "x");
	assert_text(tree, SWEEP "rule.title", "size");
	assert_text(tree, SWEEP "rule.text", "pays at all 8 points with size = 256 or more, and at none of 8 others");
	assert_text(tree, SWEEP "explains", "x");
	assert_text(tree, SWEEP "derived.0.title", "size");
	assert_text(tree, SWEEP "derived.0.unit", "rows");
	assert_number(tree, SWEEP "derived.0.correlation", 1);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(the_trace_tells_what_cuts),
		scratch_test(a_name_tells_without_a_trace),
		scratch_test(what_fits_must_agree),
		scratch_test(kernels_have_no_chunks),
		scratch_test(a_loss_has_its_rule),
		scratch_test(no_rule_where_none_holds),
		scratch_test(a_parameter_has_its_rule),
	};

	return cmocka_run_group_tests_name("model: derived", tests, NULL, NULL);
}
