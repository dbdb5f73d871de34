/* step-causes.c: typed causes of contrasts of programs: planted into the counters of a kernel, in one and in several
 * kernels, and what is said where they are not known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/contrast-fixture.h"
#include "fixtures/model-fixture.h"
#include "tree/tree.h"

#define STEP "families.0.contrasts.0."
#define GEMM "families.0.contrasts.2."
#define COPY "families.0.contrasts.3."

/* Of one launch of the gemm. */
static const struct toy_counters plain = {
	.barrier = 100000, .memory = 200000, .queue = 100000, .issue = 200000, .occupancy = 0.75};

/* Both sides have it, and nothing else differs. */
static struct toy_contrast alike(void)
{
	struct toy_contrast toy = toy_contrast();

	for (int i = 0; i < 2; i++) {
		toy.side[i].count_gemm = plain;
		toy.side[i].alone = 0;
		toy.side[i].registers = 64;
		toy.side[i].shared = 16384;
	}
	return toy;
}

/* `more`: what gemm takes longer in the first side than its counters tell, ns. */
static json_t *tree_with(struct toy_contrast *toy, double more)
{
	struct recording *rec = fixture_begin("toy.sqlite");
	struct error err = {0};

	for (int i = 0; i < TOY_SIDES && toy->side[i].variant; i++) {
		struct toy_side *side = &toy->side[i];

		if (side->count_gemm.occupancy > 0)
			side->gemm = toy_launch_ns(&side->count_gemm) * (side->launches > 0 ? side->launches : 1);
		if (side->count_copy.occupancy > 0)
			side->copy = toy_launch_ns(&side->count_copy);
		side->gemm += i == 0 ? more : 0;
		side->host = side->gemm + side->copy + side->alone + 100000;
	}
	fixture_row(rec, "GPU id=1 cuDevice=1 name=G smCount=132");
	fixture_row(rec, "GPU id=2 cuDevice=2 name=G smCount=132");
	fixture_row(rec, "GPU id=3 cuDevice=3 name=G smCount=114");
	toy_contrast_write(rec, toy, &err);
	assert_string_equal(err.text, "");
	fixture_end(rec);
	return fixture_model("toy.sqlite");
}

static json_t *tree_of(struct toy_contrast *toy)
{
	return tree_with(toy, 0);
}

/* ---- reading the tree ---- */

/* The largest part with this id in this kernel ("": in none); NULL without one. */
static const json_t *part_in(const json_t *tree, const char *contrast, const char *id, const char *kernel)
{
	char path[80];
	const json_t *causes;

	snprintf(path, sizeof(path), "%scauses", contrast);
	causes = at(tree, path);
	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);

		if (strcmp(tree_text(cause, "id"), id) == 0 &&
			(!kernel || strcmp(tree_text(json_object_get(cause, "where"), "text"), kernel) == 0))
			return cause;
	}
	return NULL;
}

static void assert_part(
	const json_t *tree, const char *contrast, const char *id, const char *kernel, double ns, double within)
{
	const json_t *part = part_in(tree, contrast, id, kernel);

	if (!part)
		fail_msg("%shas no cause %s", contrast, id);
	assert_near(tree_real(part, "ns"), ns, within);
}

static void assert_adds_up(const json_t *tree, const char *contrast)
{
	char path[80];
	const json_t *causes, *of;
	double sum = 0, whole;

	snprintf(path, sizeof(path), "%scauses", contrast);
	causes = at(tree, path);
	*strrchr(path, '.') = '\0';
	of = at(tree, path);
	whole = tree_real(of, "single_ns") - tree_real(of, "double_ns");
	for (size_t i = 0; i < json_array_size(causes); i++)
		sum += tree_real(json_array_get(causes, i), "ns");
	assert_near(sum, whole, 1e-6);
	assert_string_equal(tree_text(json_array_get(causes, json_array_size(causes) - 1), "id"), "unexplained");
}

/* ---- planted causes ---- */

static void planted(struct toy_counters single, struct toy_counters other, const char *id, double ns)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	toy.side[0].count_gemm = single;
	toy.side[1].count_gemm = other;
	tree = tree_of(&toy);
	assert_text(tree, GEMM "first_cause", id);
	assert_part(tree, GEMM, id, NULL, ns, 0.02 * fabs(ns));
	assert_adds_up(tree, GEMM);
	assert_text(tree, STEP "first_cause", id);
	assert_part(tree, STEP, id, "gemm", ns, 0.02 * fabs(ns));
	assert_adds_up(tree, STEP);
	assert_true_at(tree, STEP "explained");
	assert_true_at(tree, STEP "order.stable");
	assert_null_at(tree, STEP "time");
	assert_size(tree, "families.0.contrasts.1.causes", 0);
	assert_null_at(tree, "families.0.contrasts.1.first_cause");
	json_decref(tree);
}

static void test_planted_causes(void **state)
{
	struct toy_counters more = plain;

	(void)state;
	more.memory += 90000;
	planted(more, plain, "memory-latency-hidden", 120000);
	planted(plain, more, "memory-latency-hidden", -120000);
	more = plain, more.barrier += 90000;
	planted(more, plain, "barrier-wait", 120000);
	more = plain, more.queue += 90000;
	planted(plain, more, "shared-memory-queue", -120000);
	more = plain, more.issue += 90000;
	planted(more, plain, "instructions", 120000);
	more = plain, more.occupancy = 0.6;
	planted(more, plain, "occupancy", 600000 / 0.6 - 600000 / 0.75);
	more = plain, more.memory += 60000, more.issue += 60000, more.local_bytes = 128;
	planted(more, plain, "spills", 160000);
}

/* ---- how often it is launched ---- */

/* Counters are of one launch. */
static void test_launches_of_a_step(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].launches = toy.side[1].launches = 12;
	toy.side[0].count_gemm.memory += 90000;
	tree = tree_of(&toy);
	assert_text(tree, GEMM "first_cause", "memory-latency-hidden");
	assert_part(tree, GEMM, "memory-latency-hidden", NULL, 12 * 120000, 24000);
	assert_null_at(tree, GEMM "launches");
	assert_adds_up(tree, GEMM);
	json_decref(tree);

	/* Means over steps are no whole numbers. */
	toy.side[1].launches = 12.01;
	tree = tree_of(&toy);
	assert_null_at(tree, GEMM "launches");
	json_decref(tree);
}

/* What the number of launches makes is not explained by what a launch counts. */
static void test_other_numbers_of_launches(void **state)
{
	struct toy_contrast toy = alike();
	double launch = toy_launch_ns(&plain);
	json_t *tree;

	(void)state;
	toy.side[0].launches = 3;
	toy.side[1].launches = 1;
	tree = tree_of(&toy);
	assert_null_at(tree, GEMM "first_cause");
	assert_false_at(tree, GEMM "explained");
	assert_null_at(tree, GEMM "time");
	assert_part(tree, GEMM, "unexplained", NULL, 2 * launch, 1);
	assert_near(json_number_value(at(tree, GEMM "launches.single")), 3, 0);
	assert_near(json_number_value(at(tree, GEMM "launches.double")), 1, 0);
	assert_near(json_number_value(at(tree, GEMM "launches.ns")), 2 * launch, 1);
	assert_text(tree, GEMM "because", "not explained: the sides launch it differently often");
	assert_non_null(strstr(json_string_value(at(tree, STEP "cause")),
		"More than half of the difference is not explained. A step of single launches it 3×, one of other 1×"));
	assert_adds_up(tree, STEP);
	json_decref(tree);
}

/* ---- a CUDA graph ---- */

#define GRAPH "families.0.contrasts.4."

/* A graph that was counted as a whole stands for its kernels: they have no causes of their own, and none is missing. */
static void test_a_graph(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.graph = true;
	toy.side[0].launches = toy.side[1].launches = 3;
	toy.side[0].count_gemm.memory += 90000;
	toy.side[0].count_copy.reason = toy.side[1].count_copy.reason = "it runs beside other kernels";
	tree = tree_of(&toy);
	assert_text(tree, GRAPH "case", TOY_GRAPH);
	assert_text(tree, GRAPH "verdict", "faster");
	assert_text(tree, GRAPH "first_cause", "memory-latency-hidden");
	assert_part(tree, GRAPH, "memory-latency-hidden", NULL, 3 * 120000, 7200);
	assert_adds_up(tree, GRAPH);
	assert_size(tree, GEMM "causes", 0);
	assert_text(tree, STEP "first_cause", "memory-latency-hidden");
	assert_part(tree, STEP, "memory-latency-hidden", "CUDA graph of gemm", 3 * 120000, 7200);
	assert_null(part_in(tree, STEP, "kernel-time", "gemm"));
	assert_adds_up(tree, STEP);
	assert_true_at(tree, "families.0.matched.0.kernels.0.in_graphs");
	assert_false_at(tree, "families.0.matched.1.kernels.0.in_graphs");
	assert_null_at(tree, "families.0.counter_runs.0.graph_launches");
	assert_near(json_number_value(at(tree, "families.0.counter_runs.4.graph_launches")), 3, 0);
	json_decref(tree);
}

/* Where another graph launches kernels, too, it is not known whose time is whose: no graph stands for its kernels,
 * which are parts of the difference. The graph keeps its own causes. */
static void test_a_graph_of_several(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.graph = toy.copy_in_graph = true;
	toy.side[0].launches = toy.side[1].launches = 3;
	toy.side[0].count_gemm.memory += 90000;
	toy.side[0].count_copy = toy.side[1].count_copy = plain;
	toy.side[1].count_copy.barrier += 30000;
	tree = tree_of(&toy);
	assert_text(tree, GRAPH "first_cause", "memory-latency-hidden");
	assert_null(part_in(tree, STEP, "memory-latency-hidden", "CUDA graph of gemm"));
	assert_part(tree, STEP, "kernel-time", "gemm", 3 * 120000, 7200);
	assert_part(tree, STEP, "barrier-wait", "copy", -40000, 800);
	assert_adds_up(tree, STEP);
	json_decref(tree);
}

/* The same where the other graph's kernel has no match. */
static void test_a_graph_beside_another(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.graph = toy.alone_in_graph = true;
	toy.side[0].launches = toy.side[1].launches = 3;
	toy.side[0].count_gemm.memory += 90000;
	toy.side[1].alone_name = "fill";
	toy.side[1].alone = 50000;
	toy.side[0].count_copy = toy.side[1].count_copy = plain;
	tree = tree_of(&toy);
	assert_null(part_in(tree, STEP, "memory-latency-hidden", "CUDA graph of gemm"));
	assert_non_null(part_in(tree, STEP, "other-kernels", "fill"));
	assert_adds_up(tree, STEP);
	json_decref(tree);
}

/* If the graph was not counted, its kernels are parts of the difference, as all that were not. */
static void test_a_graph_without_counters(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.graph = true;
	toy.side[0].gemm = 400000, toy.side[1].gemm = 300000;
	toy.side[0].count_copy = toy.side[1].count_copy = plain;
	for (int i = 0; i < 2; i++)
		toy.side[i].count_gemm = (struct toy_counters){.reason = "it runs at once with other kernels"};
	tree = tree_of(&toy);
	assert_size(tree, GRAPH "causes", 0);
	assert_part(tree, STEP, "kernel-time", "gemm", 100000, 1);
	assert_adds_up(tree, STEP);
	json_decref(tree);
}

/* Launches that differ by more than a cause is worth make it no cause. */
static void test_launches_that_are_not_alike(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_gemm.memory += 90000;
	toy.side[0].count_gemm.apart = 0.4;
	tree = tree_of(&toy);
	assert_null_at(tree, GEMM "first_cause");
	assert_null_at(tree, STEP "first_cause");
	assert_near(json_number_value(at(tree, "families.0.counter_runs.0.instructions.high")), 1.4e6, 1);
	assert_integer(tree, "families.0.counter_runs.0.launches", 24);
	json_decref(tree);
}

/* ---- a step of several kernels ---- */

static void test_several_kernels(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_copy = toy.side[1].count_copy = plain;
	toy.side[0].count_gemm.memory += 90000;
	toy.side[1].count_copy.barrier += 30000;
	tree = tree_of(&toy);
	assert_text(tree, STEP "first_cause", "memory-latency-hidden");
	assert_part(tree, STEP, "memory-latency-hidden", "gemm", 120000, 2400);
	assert_part(tree, STEP, "barrier-wait", "copy", -40000, 800);
	assert_text(tree, COPY "first_cause", "barrier-wait");
	assert_adds_up(tree, STEP);
	assert_text(tree, STEP "because", "gemm: 120 µs less memory wait, but 40.0 µs more barrier wait in copy");
	json_decref(tree);
}

/* Of a kernel that one side lacks, and of one that was not counted, it is known which it is. */
static void test_kernels_without_counters(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_gemm.memory += 15000;
	toy.side[0].copy = 160000;
	toy.side[0].alone = 40000;
	toy.side[1].alone = 15000;
	toy.side[0].count_copy.reason = toy.side[1].count_copy.reason = "it runs beside other kernels";
	tree = tree_of(&toy);
	assert_text(tree, STEP "first_cause", "kernel-time");
	assert_part(tree, STEP, "kernel-time", "copy", 100000, 1e-6);
	assert_part(tree, STEP, "other-kernels", "clear_lock", 40000, 1e-6);
	assert_part(tree, STEP, "other-kernels", "init_pipe", -15000, 1e-6);
	assert_part(tree, STEP, "memory-latency-hidden", "gemm", 20000, 400);
	assert_adds_up(tree, STEP);
	assert_true(tree_true(part_in(tree, STEP, "other-kernels", "clear_lock"), "named"));
	assert_text(tree, STEP "because", "copy takes 100 µs less");
	assert_size(tree, COPY "causes", 0);
	assert_text(tree, "families.0.counter_runs.2.reason", "it runs beside other kernels");
	json_decref(tree);
}

/* Fourteen words at most. */
static void test_a_reason_stays_short(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_copy = toy.side[1].count_copy = plain;
	toy.side[0].alone = 200000;
	toy.side[1].count_copy.issue += 60000;
	tree = tree_of(&toy);
	assert_text(tree, STEP "first_cause", "other-kernels");
	assert_text(tree, STEP "because", "clear_lock takes 200 µs in single alone, but copy takes part back");
	json_decref(tree);
}

/* ---- no cause ---- */

static void test_no_difference_has_no_cause(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree = tree_of(&toy);

	(void)state;
	assert_text(tree, STEP "verdict", "same");
	assert_null_at(tree, STEP "first_cause");
	assert_null_at(tree, GEMM "first_cause");
	assert_null_at(tree, STEP "because");
	for (size_t i = 0; i < json_array_size(at(tree, STEP "causes")); i++)
		assert_false(tree_true(json_array_get(at(tree, STEP "causes"), i), "named"));
	json_decref(tree);
}

static void test_an_unclear_difference_has_no_cause(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_gemm.memory += 90000;
	toy.blocks = 3;
	tree = tree_of(&toy);
	assert_text(tree, STEP "verdict", "unclear");
	assert_null_at(tree, STEP "first_cause");
	assert_null_at(tree, GEMM "first_cause");
	json_decref(tree);
}

/* Counters that do not differ explain nothing of times that do. */
static void test_an_unexplained_difference_is_told(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[0].count_gemm.memory += 15000;
	tree = tree_with(&toy, 100000);
	assert_false_at(tree, STEP "explained");
	assert_null_at(tree, STEP "first_cause");
	assert_part(tree, STEP, "unexplained", NULL, 100000, 1000);
	assert_adds_up(tree, STEP);
	assert_text(tree, STEP "because", "gemm makes 100 % of the difference, mostly unexplained");
	assert_non_null(strstr(
		json_string_value(at(tree, STEP "cause")), "More than half of the difference is not explained."));
	json_decref(tree);
}

static void test_counters_of_one_side_explain_nothing(void **state)
{
	struct toy_contrast toy = alike();
	json_t *tree;

	(void)state;
	toy.side[1].count_gemm = (struct toy_counters){.reason = "too few launches"};
	toy.side[1].gemm = 700000;
	tree = tree_of(&toy);
	assert_size(tree, STEP "causes", 0);
	assert_size(tree, GEMM "causes", 0);
	assert_text(tree, "families.0.counter_runs.1.reason", "too few launches");
	assert_non_null(strstr(json_string_value(at(tree, STEP "cause")), "no kernel was counted on both sides"));
	json_decref(tree);
}

/* Counters of different kinds of GPU are no parts of a difference; those of two cards of one kind are. */
static void test_gpus_of_the_sides(void **state)
{
	static const struct {
		const char *single, *other, *against, *says;
		bool explained;
	} pairs[] = {{"1", "1", "one", NULL, true},
		{"1", "2", "cards", "`mm --stages 1` ran on GPU 1, `mm --stages 3` on GPU 2. Cards of one kind", true},
		{"1", "3", "kinds", "`mm --stages 1` ran on GPU 1 (G), `mm --stages 3` on GPU 3 (G). These are", false},
		{"1", "4", NULL, NULL, true}, {"1", NULL, NULL, NULL, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct toy_contrast toy = alike();
		const char *text;
		json_t *tree;

		toy.side[0].count_gemm.memory += 90000;
		toy.side[0].gpu = pairs[i].single;
		toy.side[1].gpu = pairs[i].other;
		tree = tree_of(&toy);
		text = json_string_value(at(tree, "families.0.gpus_text"));
		assert_int_equal(json_array_size(at(tree, GEMM "causes")) > 0, pairs[i].explained);
		assert_int_equal(json_array_size(at(tree, STEP "causes")) > 0, pairs[i].explained);
		if (pairs[i].against)
			assert_text(tree, "families.0.sides.1.gpus_against", pairs[i].against);
		else
			assert_null_at(tree, "families.0.sides.1.gpus_against");
		assert_int_equal(text != NULL, pairs[i].says != NULL);
		assert_int_equal(strstr(json_string_value(at(tree, STEP "cause")), "different kinds of GPU") != NULL,
			!pairs[i].explained);
		assert_true(!text || strncmp(text, pairs[i].says, strlen(pairs[i].says)) == 0);
		json_decref(tree);
	}
}

/* ---- recordings and sides ---- */

static void test_without_counters_nothing_changes(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = tree_of(&toy);

	(void)state;
	assert_size(tree, "families.0.counter_runs", 0);
	assert_size(tree, STEP "causes", 0);
	assert_size(tree, GEMM "causes", 0);
	assert_null_at(tree, GEMM "cost");
	assert_text(tree, STEP "because", "gemm makes 90 % of the difference");
	json_decref(tree);
}

/* The causes are those between the first two of five values. */
static void test_values_have_causes_of_their_pair(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	for (int i = 0; i < TOY_SIDES; i++) {
		toy.side[i].count_gemm = plain;
		toy.side[i].alone = 0;
		toy.side[i].mhz = 1980;
	}
	toy.side[0].count_gemm.memory += 90000;
	toy.side[3].count_gemm.barrier += 300000;
	tree = tree_of(&toy);
	assert_text(tree, GEMM "first_cause", "memory-latency-hidden");
	assert_part(tree, STEP, "memory-latency-hidden", "gemm", 120000, 2400);
	assert_text(tree, GEMM "called.single", "stages=1");
	assert_size(tree, "families.0.counter_runs", 5);
	assert_adds_up(tree, STEP);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_a_graph),
		scratch_test(test_a_graph_of_several),
		scratch_test(test_a_graph_beside_another),
		scratch_test(test_a_graph_without_counters),
		scratch_test(test_planted_causes),
		scratch_test(test_launches_of_a_step),
		scratch_test(test_other_numbers_of_launches),
		scratch_test(test_launches_that_are_not_alike),
		scratch_test(test_several_kernels),
		scratch_test(test_kernels_without_counters),
		scratch_test(test_a_reason_stays_short),
		scratch_test(test_no_difference_has_no_cause),
		scratch_test(test_an_unclear_difference_has_no_cause),
		scratch_test(test_an_unexplained_difference_is_told),
		scratch_test(test_counters_of_one_side_explain_nothing),
		scratch_test(test_gpus_of_the_sides),
		scratch_test(test_without_counters_nothing_changes),
		scratch_test(test_values_have_causes_of_their_pair),
	};

	return cmocka_run_group_tests_name("model: causes of a step", tests, NULL, NULL);
}
