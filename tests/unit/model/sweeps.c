/* sweeps.c: sweeps of the model: points, verdicts with reasons, crossovers, parts, predictions, claims. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/model-fixture.h"
#include "model/family/predicted.h"
#include "model/sweep/claims.h"
#include "tree/tree.h"
#include "words/sweep/sweep.h"

#define TILES "families.0."
#define GRID TILES "sweeps.0."
#define STREAM "families.1.sweeps.0."

/* ---- the scenario: numbers worked out in scenarios/sweeps.c ---- */

/* Points of sweeps are no cases of the family, wherever their rows stand. */
static void own_cases_stay_apart(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_size(tree, TILES "cases", 1);
	assert_text(tree, TILES "cases.0.label", "base");
	assert_true_at(tree, TILES "cases.0.headline");
	assert_size(tree, TILES "contrasts", 1);
	assert_text(tree, TILES "contrasts.0.case", "base");
	assert_size(tree, TILES "variants.0.cases", 1);
	assert_number(tree, TILES "contrasts.0.predicted.ratio", 1.8);
	assert_size(tree, "families.1.contrasts", 0);
	json_decref(tree);
}

static void points_stand_in_the_order_of_the_axes(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_size(tree, GRID "points", 8);
	assert_number(tree, GRID "points.1.x", 4);
	assert_number(tree, GRID "points.1.y", 16);
	assert_number(tree, GRID "points.7.x", 64);
	assert_number(tree, GRID "points.7.y", 32);
	assert_size(tree, GRID "x.values", 4);
	assert_text(tree, GRID "x.param", "intensity");
	assert_text(tree, GRID "x.unit", "passes");
	assert_text(tree, GRID "points.3.params.1.name", "tile");
	/* No limit stands last, though its value is 0. */
	assert_number(tree, TILES "sweeps.1.x.values.0", 1);
	assert_number(tree, TILES "sweeps.1.x.values.2", 0);
	assert_text(tree, TILES "sweeps.1.points.2.case", "occupancy-0");
	assert_null_at(tree, TILES "sweeps.1.y");
	json_decref(tree);
}

static void a_point_has_times_speedup_and_verdict(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_true_at(tree, GRID "points.2.measured");
	assert_number(tree, GRID "points.2.single_ns", 1800);
	assert_number(tree, GRID "points.2.double_ns", 1100);
	assert_number(tree, GRID "points.2.speedup.value", 1800 / 1100.0);
	assert_text(tree, GRID "points.2.verdict", "faster");
	assert_null_at(tree, GRID "points.2.reason");
	assert_text(tree, GRID "points.0.verdict", "slower");
	assert_number(tree, GRID "points.2.predicted.ratio", 1.8);
	assert_text(tree, GRID "points.2.predicted.single_bound", "latency");
	assert_null_at(tree, TILES "sweeps.1.points.0.predicted");
	json_decref(tree);
}

static void crossovers_are_named(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_size(tree, GRID "crossovers", 2);
	assert_number(tree, GRID "crossovers.0.y", 16);
	assert_number(tree, GRID "crossovers.0.from", 1);
	assert_number(tree, GRID "crossovers.0.to", 4);
	assert_text(tree, GRID "crossovers.0.text",
		"between intensity = 1 and 4 (near 2), double buffering turns from a loss into a gain");
	assert_text(tree, TILES "sweeps.1.crossovers.0.text",
		"between blocks = 2 and no limit, double buffering stops paying");
	assert_null_at(tree, TILES "sweeps.1.crossovers.0.x");
	assert_text(tree, STREAM "crossovers.1.text",
		"between chunk = 65,536 and 262,144 (near 75,300), double buffering starts to cost time");
	assert_false_at(tree, GRID "crossovers.0.gap");
	assert_text(tree, TILES "sweeps.1.finding",
		"Double buffering pays at 2 of 3 measured points and makes no difference at 1. The largest gain is "
		"1.500×, at blocks = 1. Between blocks = 2 and no limit, double buffering stops paying");
	json_decref(tree);
}

/* One crossover from the same at 1 to faster at 4, as the tree has it. */
static json_t *sweep_over(const char *param)
{
	return json_pack(
		"{s:b, s:s, s:{s:s}, s:n, s:[], s:{s:i, s:i, s:i, s:n, s:n}, s:[{s:n, s:i, s:i, s:f, s:s, s:s}]}",
		"buffering", 1, "double", "n-buffers", "x", "param", param, "y", "points", "tally", "compared", 2,
		"faster", 1, "same", 1, "best", "worst", "crossovers", "y", "from", 1, "to", 4, "x", 2.0, "before",
		"same", "after", "faster");
}

/* Where the number of buffers is what changes, "double" says nothing. */
static void buffers_are_named_by_their_variant(void **state)
{
	json_t *sweep = sweep_over("buffers"), *crossovers;

	(void)state;
	sweep_words(sweep);
	crossovers = json_object_get(sweep, "crossovers");
	assert_string_equal(tree_text(json_array_get(crossovers, 0), "text"),
		"between buffers = 1 and 4 (near 2), n-buffers starts to pay");
	assert_int_equal(strncmp(tree_text(sweep, "finding"), "n-buffers pays at 1 of 2 measured points", 40), 0);
	json_decref(sweep);
	sweep = sweep_over("chunk");
	sweep_words(sweep);
	crossovers = json_object_get(sweep, "crossovers");
	assert_string_equal(tree_text(json_array_get(crossovers, 0), "text"),
		"between chunk = 1 and 4 (near 2), double buffering starts to pay");
	json_decref(sweep);
}

/* Interrupted: what has no times says so, and what was not compared too. */
static void a_partial_sweep(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_integer(tree, STREAM "planned", 6);
	assert_integer(tree, STREAM "measured", 4);
	assert_false_at(tree, STREAM "points.5.measured");
	assert_null_at(tree, STREAM "points.5.verdict");
	assert_null_at(tree, STREAM "points.5.speedup");
	assert_null_at(tree, STREAM "points.5.single_ns");
	assert_text(tree, STREAM "points.5.reason", "not measured");
	assert_text(tree, STREAM "points.3.verdict", "unclear");
	assert_text(tree, STREAM "points.3.reason", "the interval lies neither inside nor outside 1 ± 0.01");
	assert_true_at(tree, STREAM "points.0.verified");
	assert_false_at(tree, STREAM "points.1.verified");
	assert_text(tree, STREAM "single", "one-buffer"); /* the family's, where the sweep names none */
	json_decref(tree);
}

static void parts_floor_and_hidden_share(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_number(tree, STREAM "points.0.parts.floor_ns", 450);
	assert_number(tree, STREAM "points.0.parts.loads_ns", 400);
	assert_number(tree, STREAM "points.0.parts.stores_ns", 300);
	assert_number(tree, STREAM "points.0.parts.compute_ns", 200);
	assert_number(tree, STREAM "points.0.hidden_share", 0.6); /* (900 - 600) / (300 + 200) */
	assert_size(tree, STREAM "points.0.candidates", 2);
	assert_number(tree, STREAM "points.0.candidates.1.floor_share", 0.75);
	assert_number(tree, STREAM "points.0.candidates.1.hidden_share", 0.6);
	assert_null_at(tree, STREAM "points.0.candidates.0.hidden_share");
	/* A family without stores has nothing to store. */
	assert_null_at(tree, GRID "points.2.parts.stores_ns");
	assert_null_at(tree, GRID "points.2.parts.floor_ns");
	assert_number(tree, GRID "points.2.hidden_share", 700 / 800.0);
	assert_null_at(tree, TILES "sweeps.1.points.0.parts");
	json_decref(tree);
}

static void nothing_to_overlap_is_not_scored(void **state)
{
	json_t *points = json_pack("[{s:{s:f}, s:{s:f}, s:s}, {s:{s:f}, s:{s:f}, s:s, s:b}]", "predicted", "ratio", 1.2,
		"speedup", "value", 1.2, "verdict", "faster", "predicted", "ratio", 1.2, "speedup", "value", 1.0,
		"verdict", "nothing", "overlappable", 0);
	const json_t *const lists[] = {points};
	json_t *score = score_json(lists, 1);

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(score, "points")), 1);
	assert_true(json_real_value(json_object_get(score, "median_error")) == 0);
	json_decref(score);
	json_decref(points);
}

static void predictions_are_scored(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	/* The model says max(loads, compute) without the 100 ns: never slower, wrong at intensity 1. */
	assert_integer(tree, GRID "prediction.points", 8);
	assert_integer(tree, GRID "prediction.outside", 8);
	assert_integer(tree, GRID "prediction.right_sign", 6);
	assert_text(tree, GRID "prediction.best_sign.answer", "faster");
	assert_integer(tree, GRID "prediction.best_sign.right", 6);
	assert_integer(tree, TILES "prediction.points", 1);
	assert_integer(tree, "prediction.sweeps.points", 12);
	assert_integer(tree, "prediction.cases.points", 1);
	assert_integer(tree, "prediction.all.points", 13);
	assert_integer(tree, "prediction.all.outside", 11);
	assert_null_at(tree, TILES "sweeps.1.prediction");
	assert_number(tree, TILES "machine.1.value", 1e9);
	assert_null_at(tree, TILES "machine.4.value");
	json_decref(tree);
}

static void a_tiles_balance(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	/* At intensity 1 the FMAs are tile^3: 4096 at 8.192 per ps; 2048 bytes at 204.8 per ns. */
	assert_size(tree, TILES "balance", 2);
	assert_text(tree, TILES "balance.0.case", "intensity-tile-1-16");
	assert_text(tree, TILES "balance.0.verdict", "slower");
	assert_text(tree, TILES "balance.0.size", "slightly-slower"); /* 0.955x */
	assert_text(tree, TILES "sweeps.0.points.0.size", "slightly-slower");
	assert_number(tree, TILES "balance.0.formula.compute_ns", 0.5);
	assert_number(tree, TILES "balance.0.formula.load_ns", 10);
	assert_number(tree, TILES "balance.0.measured.compute_ns", 0.5);
	assert_number(tree, TILES "balance.0.measured.load_ns", 10);
	assert_number(tree, TILES "balance.1.formula.ratio", 0.1);
	assert_number(tree, TILES "balance.1.measured.ratio", 50 / 1200.0);
	assert_size(tree, "families.1.balance", 0);
	json_decref(tree);
}

static void claims_are_answered(void **state)
{
	json_t *tree = fixture_scenario("sweeps");

	(void)state;
	assert_text(tree, "claims.0.key", "memory-bound");
	assert_text(tree, "claims.0.holds", "no");
	assert_size(tree, "claims.0.curves", 2);
	assert_number(tree, "claims.0.curves.0.at.value", 1);
	assert_number(tree, "claims.0.curves.0.against.value", 64);
	assert_number(tree, "claims.0.curves.0.best.value", 16);
	assert_text(tree, "claims.1.holds", "partly"); /* no curve runs over tile: it is the second parameter */
	assert_integer(tree, "claims.1.yes", 2);
	assert_text(tree, "claims.1.curves.0.fixed", "intensity");
	assert_text(tree, "claims.2.holds", "yes");
	assert_number(tree, "claims.2.curves.0.at.value", 1);
	assert_number(tree, "claims.2.curves.0.against.value", 0);
	assert_null_at(tree, "claims.2.curves.0.fixed");
	/* 1.27 has less than half of 1.64's gain; 1.33 more than half of 1.54's. */
	assert_text(tree, "claims.3.holds", "partly");
	assert_null_at(tree, "claims.3.curves.0.against");
	json_decref(tree);
}

static json_t *intensity_point(int intensity, double loads, double compute, double speedup)
{
	return json_pack("{s:b, s:i, s:s, s:s, s:{s:f, s:f, s:f}, s:{s:f, s:f}}", "measured", 1, "x", intensity, "case",
		"p", "verdict", "faster", "speedup", "value", speedup, "low", speedup - 0.001, "high", speedup + 0.001,
		"parts", "loads_ns", loads, "compute_ns", compute);
}

/* A curve whose low end is bound by computation says nothing of kernels that are bound by memory. */
static void claims_ask_for_the_bound(void **state)
{
	json_t *points = json_array(), *tree;
	json_t *families = json_pack("[{s:s, s:[{s:s, s:b, s:{s:s, s:[i, i]}, s:o}]}]", "name", "f", "sweeps", "name",
		"s", "buffering", 1, "x", "param", "intensity", "values", 1, 8, "points", points);

	(void)state;
	json_array_append_new(points, intensity_point(1, 100, 101, 1.4));
	json_array_append_new(points, intensity_point(8, 100, 800, 1.1));
	tree = json_pack("{s:[{s:o}]}", "recordings", "claims", claims_json(families));
	assert_text(tree, "claims.0.holds", "not measured");
	assert_integer(tree, "claims.0.elsewhere", 1);
	assert_text(tree, "claims.0.curves.0.holds", "not measured there");
	assert_text(tree, "claims.3.holds", "yes");
	json_decref(tree);
	json_array_set_new(points, 0, intensity_point(1, 101, 100, 1.4));
	tree = json_pack("{s:[{s:o}]}", "recordings", "claims", claims_json(families));
	assert_text(tree, "claims.0.holds", "yes");
	json_decref(tree);
	json_decref(families);
}

/* ---- one point, in trouble ---- */

static const char *const point_lines[] = {
	"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
	"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
	"VARIANT family=f name=b ord=1 kind=candidate buffers=1 teachesFailure=0",
	"SWEEP family=f name=s ord=0 title=S question=Q single=a double=b x=n points=2",
	"CASE family=f label=p ord=1 verifyOnly=0 flops=0 bytes=4000 elements=0 sweep=s",
	"PARAM family=f caseLabel=p name=n value=8 unit=elements summary=length",
	"CASE family=f label=nowhere ord=2 verifyOnly=0 flops=0 bytes=4000 elements=0 sweep=s",
	NULL,
};

static void write_point_times(struct recording *rec, const char *variant, int blocks, double ns)
{
	for (int i = 0; i < 2 * blocks; i++)
		fixture_row(rec, "SAMPLE family=f variant=%s caseLabel=p block=%d position=%d launches=9 ns=%g",
			variant, i / 2, i % 2, ns);
}

static void write_point_verify(struct recording *rec, const char *variant, const char *label, int wrong)
{
	fixture_row(rec, "VERIFY family=f variant=%s caseLabel=%s run=0 seed=1 elements=50 wrong=%d maxError=1",
		variant, label, wrong);
}

static struct recording *point_begin(void)
{
	struct recording *rec = fixture_begin("p.sqlite");

	fixture_lines(rec, point_lines);
	return rec;
}

static json_t *point_end(struct recording *rec)
{
	fixture_end(rec);
	return fixture_model("p.sqlite");
}

#define POINT "families.0.sweeps.0.points.0."

/* A case without the sweep's parameter has no place in the grid. */
static void what_has_no_place_is_left_out(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	write_point_verify(rec, "a", "p", 0);
	tree = point_end(rec);
	assert_size(tree, "families.0.sweeps.0.points", 1);
	assert_text(tree, "families.0.sweeps.0.finding", "No point of this sweep was measured");
	json_decref(tree);
}

static void nothing_compared_is_unclear(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	write_point_times(rec, "a", 12, 200);
	write_point_times(rec, "b", 12, 100);
	tree = point_end(rec);
	assert_text(tree, POINT "verdict", "unclear");
	assert_text(tree, POINT "reason", "not verified: no result of a was compared");
	assert_number(tree, POINT "speedup.value", 2);
	/* b has no more buffers than a: it is not double buffering that pays. */
	assert_false_at(tree, "families.0.sweeps.0.buffering");
	json_decref(tree);
}

/* A library has 0 buffers. A kernel with several of them need not beat it by these. */
static void beating_a_reference_is_not_about_buffers(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=lib ord=2 kind=reference buffers=0 teachesFailure=0");
	fixture_row(rec, "SWEEP family=f name=t ord=1 title=T question=Q single=lib double=b x=n points=1");
	write_point_verify(rec, "a", "p", 0);
	tree = point_end(rec);
	assert_text(tree, "families.0.sweeps.1.single", "lib");
	assert_false_at(tree, "families.0.sweeps.1.buffering");
	json_decref(tree);
}

static void wrong_elsewhere_is_unclear_and_wrong_here_withheld(void **state)
{
	for (int here = 0; here < 2; here++) {
		struct recording *rec = point_begin();
		json_t *tree;

		(void)state;
		write_point_times(rec, "a", 12, 200);
		write_point_times(rec, "b", 12, 100);
		write_point_verify(rec, "a", "p", 0);
		write_point_verify(rec, "b", here ? "p" : "other", 3);
		tree = point_end(rec);
		if (here) {
			assert_false_at(tree, POINT "measured");
			assert_null_at(tree, POINT "double_ns");
			assert_text(tree, POINT "reason", "double came out wrong here, so its time is withheld");
		} else {
			assert_text(tree, POINT "verdict", "unclear");
			assert_text(tree, POINT "reason", "b came out wrong in case other");
		}
		json_decref(tree);
	}
}

static void few_blocks_are_unclear(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	write_point_times(rec, "a", 11, 200);
	write_point_times(rec, "b", 11, 100);
	write_point_verify(rec, "a", "p", 0);
	write_point_verify(rec, "b", "p", 0);
	tree = point_end(rec);
	assert_text(tree, POINT "verdict", "unclear");
	assert_text(tree, POINT "reason", "11 blocks have times of both; 12 are needed");
	json_decref(tree);
}

/* A throttled block is set apart: 13 blocks, the last one throttled and wild. */
static void throttled_blocks_are_left_out(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	write_point_times(rec, "a", 12, 200);
	write_point_times(rec, "b", 12, 100);
	fixture_row(rec, "SAMPLE family=f variant=a caseLabel=p block=12 position=0 launches=9 ns=9000");
	fixture_row(rec, "SAMPLE family=f variant=b caseLabel=p block=12 position=1 launches=9 ns=9000");
	fixture_row(rec, "CLOCK timestamp=5 deviceId=0 throttle=4 family=f caseLabel=p block=12");
	fixture_row(rec, "CLOCK timestamp=6 deviceId=0 throttle=4 family=f caseLabel=other block=3");
	write_point_verify(rec, "a", "p", 0);
	write_point_verify(rec, "b", "p", 0);
	tree = point_end(rec);
	assert_text(tree, POINT "verdict", "faster");
	assert_integer(tree, POINT "speedup.blocks", 12);
	json_decref(tree);
}

/* Half the time at twice the clock is no gain: the cycles are the same. */
static void a_gap_must_hold_in_cycles(void **state)
{
	static const struct {
		int mhz;
		const char *verdict;
	} runs[] = {{1000, "faster"}, {2000, "unclear"}};

	(void)state;
	for (size_t r = 0; r < 2; r++) {
		struct recording *rec = point_begin();
		json_t *tree;

		for (int i = 0; i < 12; i++) {
			fixture_row(rec, "SAMPLE family=f variant=a caseLabel=p block=%d ns=200 measuredMhz=1000", i);
			fixture_row(rec, "SAMPLE family=f variant=b caseLabel=p block=%d ns=100 measuredMhz=%d", i,
				runs[r].mhz);
		}
		write_point_verify(rec, "a", "p", 0);
		write_point_verify(rec, "b", "p", 0);
		tree = point_end(rec);
		assert_text(tree, POINT "verdict", runs[r].verdict);
		if (r == 0)
			assert_null_at(tree, POINT "reason");
		else
			assert_text(tree, POINT "reason", "faster by time, same by cycles");
		json_decref(tree);
	}
}

/* All blocks count there, and a clock may hide a gap, too: cycles are needed. */
static void at_the_power_limit_cycles_decide(void **state)
{
	static const struct {
		double ns, mhz; /* of b; a takes 200 ns at 1000 MHz. 0: no clock was measured */
		const char *verdict, *reason;
	} runs[] = {
		{100, 900, "faster", NULL},
		{200, 1000, "same", NULL},
		{200, 900, "unclear", "same by time, faster by cycles"},
		{100, 0, "unclear", "the GPU was at its power limit, and no SM clock was measured on it"},
	};

	(void)state;
	for (size_t r = 0; r < sizeof(runs) / sizeof(runs[0]); r++) {
		struct recording *rec = point_begin();
		json_t *tree;

		for (int i = 0; i < 12; i++) {
			fixture_row(
				rec, "CLOCK timestamp=%d deviceId=0 throttle=4 family=f caseLabel=p block=%d", i, i);
			fixture_row(rec, "SAMPLE family=f variant=a caseLabel=p block=%d ns=200 measuredMhz=%d", i,
				runs[r].mhz > 0 ? 1000 : 0);
			fixture_row(rec, "SAMPLE family=f variant=b caseLabel=p block=%d ns=%g measuredMhz=%g", i,
				runs[r].ns, runs[r].mhz);
		}
		write_point_verify(rec, "a", "p", 0);
		write_point_verify(rec, "b", "p", 0);
		tree = point_end(rec);
		assert_text(tree, POINT "verdict", runs[r].verdict);
		if (runs[r].reason)
			assert_text(tree, POINT "reason", runs[r].reason);
		else
			assert_null_at(tree, POINT "reason");
		json_decref(tree);
	}
}

static void faster_than_its_floor_is_unclear(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=fl ord=2 kind=floor buffers=0 teachesFailure=0");
	write_point_times(rec, "a", 12, 200);
	write_point_times(rec, "b", 12, 100);
	write_point_times(rec, "fl", 12, 102);
	write_point_verify(rec, "a", "p", 0);
	write_point_verify(rec, "b", "p", 0);
	tree = point_end(rec);
	assert_text(tree, POINT "verdict", "unclear");
	assert_text(tree, POINT "reason", "a variant is faster than its floor");
	assert_number(tree, POINT "candidates.1.floor_share", 1.02);
	json_decref(tree);
}

/* The floor's median is 3 % above double's time, and its interval reaches 2 % below: that proves nothing. */
static void faster_than_a_vague_floor_is_clear(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=fl ord=2 kind=floor buffers=0 teachesFailure=0");
	write_point_times(rec, "a", 12, 200);
	write_point_times(rec, "b", 12, 100);
	for (int block = 0; block < 12; block++)
		fixture_row(rec, "SAMPLE family=f variant=fl caseLabel=p block=%d position=2 launches=9 ns=%d", block,
			block < 5 ? 98 : 103);
	write_point_verify(rec, "a", "p", 0);
	write_point_verify(rec, "b", "p", 0);
	tree = point_end(rec);
	assert_text(tree, POINT "verdict", "faster");
	assert_number(tree, POINT "candidates.1.floor_share", 1.03);
	json_decref(tree);
}

static void unsupported_says_why(void **state)
{
	struct recording *rec = point_begin();
	json_t *tree;

	(void)state;
	write_point_times(rec, "a", 12, 200);
	fixture_row(rec, "UNSUPPORTED family=f variant=b caseLabel=p reason=\"needs a larger card\"");
	tree = point_end(rec);
	assert_false_at(tree, POINT "measured");
	assert_text(tree, POINT "reason", "double: needs a larger card");
	assert_number(tree, POINT "single_ns", 200);
	json_decref(tree);
}

/* Names that are no UTF-8 and far too long do no harm. */
static void hostile_names(void **state)
{
	struct recording *rec = fixture_begin("p.sqlite");
	char name[600];
	json_t *tree;

	(void)state;
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	name[0] = (char)0xFF;
	fixture_row(rec, "FAMILY name=f ord=0 title=F single=%s double=b file=f.cu", name);
	fixture_row(rec, "VARIANT family=f name=%s ord=0 kind=candidate buffers=1 teachesFailure=0", name);
	fixture_row(rec, "VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0");
	fixture_row(rec, "SWEEP family=f name=%s ord=0 title=%s x=%s y=%s points=1", name, name, name, name);
	fixture_row(rec, "CASE family=f label=%s ord=1 sweep=%s", name, name);
	fixture_row(rec, "PARAM family=f caseLabel=%s name=%s value=8 unit=%s", name, name, name);
	fixture_row(rec, "SAMPLE family=f variant=%s caseLabel=%s block=0 position=0 launches=9 ns=100", name, name);
	fixture_row(rec, "SAMPLE family=f variant=b caseLabel=%s block=0 position=1 launches=9 ns=100", name);
	tree = point_end(rec);
	assert_size(tree, "families.0.sweeps.0.points", 1);
	assert_true_at(tree, POINT "measured");
	json_decref(tree);
}

/* ---- bytes under way ---- */

static const char *const stages_lines[] = {
	"FAMILY name=f ord=0 title=F throughput=GB/s single=a double=b file=f.cu",
	"VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0",
	"VARIANT family=f name=b ord=1 kind=candidate buffers=2 teachesFailure=0",
	"SWEEP family=f name=s ord=0 title=S question=Q single=a double=b x=stages y=tile points=8",
	NULL,
};

/* A point with such columns of bytes, or none. */
static void write_stages_point(struct recording *rec, int stages, int tile, double ns, double work, const char *columns)
{
	char label[32];

	snprintf(label, sizeof(label), "s-%d-%d", stages, tile);
	fixture_row(rec, "CASE family=f label=%s ord=1 verifyOnly=0 flops=0 bytes=%g elements=0 sweep=s", label, work);
	fixture_row(rec, "PARAM family=f caseLabel=%s name=stages value=%d unit=stages", label, stages);
	fixture_row(rec, "PARAM family=f caseLabel=%s name=tile value=%d unit=KiB", label, tile);
	fixture_row(rec,
		"PREDICTION family=f caseLabel=%s single=a double=b timestamp=10 ratio=1 singleNs=1 doubleNs=1 "
		"singleBound=L2 doubleBound=L2%s",
		label, columns);
	fixture_row(rec, "SAMPLE family=f variant=a caseLabel=%s block=0 position=0 launches=9 ns=900", label);
	fixture_row(rec, "SAMPLE family=f variant=b caseLabel=%s block=0 position=1 launches=9 ns=%g", label, ns);
}

/* Each stage has a tile under way. */
static void write_stages(struct recording *rec, int stages, int tile, double ns, double work)
{
	char columns[128];

	snprintf(columns, sizeof(columns), " singleUnderWay=%d doubleUnderWay=%d singleNeeded=6000 doubleNeeded=%d",
		1024 * tile, 1024 * tile * stages, 6000 + tile);
	write_stages_point(rec, stages, tile, ns, work, columns);
}

#define UNDER_WAY "families.0.sweeps.0.under_way."

/* At tile 1 more stages gain nothing from 2 KiB on, at tile 4 they do at each point; at 8 the work differs. */
static void more_under_way_gain_nothing(void **state)
{
	struct recording *rec = fixture_begin("p.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, stages_lines);
	write_stages(rec, 1, 1, 200, 4e6);
	write_stages(rec, 2, 1, 100.5, 4e6);
	write_stages(rec, 4, 1, 100, 4e6);
	write_stages(rec, 1, 4, 200, 4e6);
	write_stages(rec, 2, 4, 100, 4e6);
	write_stages(rec, 1, 8, 200, 4e6);
	write_stages(rec, 2, 8, 100, 5e6);
	tree = point_end(rec);
	assert_number(tree, POINT "predicted.single_under_way_bytes", 1024);
	assert_number(tree, POINT "predicted.double_needed_bytes", 6001);
	assert_number(tree, UNDER_WAY "needed_low_bytes", 6001);
	assert_number(tree, UNDER_WAY "needed_high_bytes", 6004);
	assert_size(tree, UNDER_WAY "curves", 2);
	assert_number(tree, UNDER_WAY "curves.0.y", 1);
	assert_number(tree, UNDER_WAY "curves.0.least_bytes", 1024);
	assert_number(tree, UNDER_WAY "curves.0.most_bytes", 4096);
	assert_number(tree, UNDER_WAY "curves.0.from_bytes", 2048);
	assert_null_at(tree, UNDER_WAY "curves.1.from_bytes");
	assert_text(tree, UNDER_WAY "text",
		"Predicted: at least 5.86 KiB must be under way on an SM, if memory answers as when it is idle. "
		"Measured: the gain of more bytes "
		"falls below 1 % from 2.00 KiB on. At 1 of 2 values of tile it does not.");
	json_decref(tree);
}

static void without_the_columns_nothing_is_under_way(void **state)
{
	struct recording *rec = fixture_begin("p.sqlite");
	json_t *tree;

	(void)state;
	fixture_lines(rec, stages_lines);
	write_stages_point(rec, 1, 1, 200, 4e6, "");
	write_stages_point(rec, 2, 1, 100, 4e6, "");
	tree = point_end(rec);
	assert_null_at(tree, POINT "predicted.double_under_way_bytes");
	assert_null_at(tree, "families.0.sweeps.0.under_way");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(own_cases_stay_apart),
		scratch_test(points_stand_in_the_order_of_the_axes),
		scratch_test(a_point_has_times_speedup_and_verdict),
		scratch_test(crossovers_are_named),
		scratch_test(buffers_are_named_by_their_variant),
		scratch_test(a_partial_sweep),
		scratch_test(parts_floor_and_hidden_share),
		cmocka_unit_test(nothing_to_overlap_is_not_scored),
		scratch_test(predictions_are_scored),
		scratch_test(a_tiles_balance),
		scratch_test(claims_are_answered),
		scratch_test(claims_ask_for_the_bound),
		scratch_test(what_has_no_place_is_left_out),
		scratch_test(nothing_compared_is_unclear),
		scratch_test(beating_a_reference_is_not_about_buffers),
		scratch_test(wrong_elsewhere_is_unclear_and_wrong_here_withheld),
		scratch_test(few_blocks_are_unclear),
		scratch_test(throttled_blocks_are_left_out),
		scratch_test(a_gap_must_hold_in_cycles),
		scratch_test(at_the_power_limit_cycles_decide),
		scratch_test(faster_than_its_floor_is_unclear),
		scratch_test(faster_than_a_vague_floor_is_clear),
		scratch_test(unsupported_says_why),
		scratch_test(hostile_names),
		scratch_test(more_under_way_gain_nothing),
		scratch_test(without_the_columns_nothing_is_under_way),
	};

	return cmocka_run_group_tests_name("model: sweeps", tests, NULL, NULL);
}
