/* program-causes.c: why a program's step takes another time, planted into what its traced runs tell of the GPU. */
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
#define PROGRAM "families.0.contrasts.1."

/* The host time that neither copies nor kernels take. */
static const double idle = 100000;

/* The same program twice: copies in and out, one after the other with its kernels. */
static struct toy_contrast twice(void)
{
	struct toy_contrast toy = toy_contrast();

	for (int i = 0; i < 2; i++) {
		toy.side[i].gemm = 900000;
		toy.side[i].alone = 0;
		toy.side[i].copies = (struct toy_copies){.in = 300000, .out = 200000};
	}
	return toy;
}

/* The model, where each side's step takes as long as its work, and so much more. */
static json_t *tree_of_late(struct toy_contrast *toy, double single, double other)
{
	struct recording *rec = fixture_begin("toy.sqlite");
	struct error err = {0};

	for (int i = 0; i < 2; i++) {
		struct toy_side *side = &toy->side[i];

		if (side->host > 0)
			side->host = side->gemm + side->copy + side->alone + side->copies.in + side->copies.out -
				     side->copies.beside + idle + (i == 0 ? single : other);
	}
	toy_contrast_write(rec, toy, &err);
	assert_string_equal(err.text, "");
	fixture_end(rec);
	return fixture_model("toy.sqlite");
}

/* `late` more in the first one, or -`late` in the second one. */
static json_t *tree_of_copies(struct toy_contrast *toy, double late)
{
	return tree_of_late(toy, fmax(late, 0), fmax(-late, 0));
}

/* That `id` comes first and takes `ns`, and that all parts are the whole difference. */
static void assert_first(const json_t *tree, const char *id, double ns)
{
	const json_t *program = at(tree, "families.0.contrasts.1"), *causes = json_object_get(program, "causes");
	double sum = 0;

	assert_text(tree, PROGRAM "first_cause", id);
	assert_near(tree_real(tree_find(causes, "id", id), "ns"), ns, 0.03 * fabs(ns));
	for (size_t i = 0; i < json_array_size(causes); i++)
		sum += tree_real(json_array_get(causes, i), "ns");
	assert_near(sum, tree_real(program, "single_ns") - tree_real(program, "double_ns"), 1e-6);
	assert_true_at(tree, PROGRAM "explained");
	assert_text(tree, PROGRAM "time.kind", "pipeline");
}

static void test_copies_beside_kernels(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree;

	(void)state;
	toy.side[1].copies.beside = 250000;
	tree = tree_of_copies(&toy, 0);
	assert_first(tree, "copies-beside-kernels", 250000);
	/* Their kernels are alike, so the page's answer is the step's. */
	assert_text(tree, STEP "verdict", "same");
	assert_null_at(tree, STEP "first_cause");
	assert_true(strncmp(tree_text(at(tree, "families.0.contrasts.0"), "because"), "copies run beside ", 18) == 0);
	assert_true(strstr(tree_text(at(tree, "families.0.sides.1"), "line"), "copies run beside kernels") != NULL);
	json_decref(tree);
}

static void test_host_late(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree;

	(void)state;
	tree = tree_of_copies(&toy, 300000);
	assert_first(tree, "host-late", 300000);
	json_decref(tree);
}

/* Who comes late is told to ask for copies ahead where there are some. */
static void test_host_late_without_copies(void **state)
{
	static const char *const actions[] = {"enqueue-ahead", "launch-ahead"};

	(void)state;
	for (int none = 0; none < 2; none++) {
		struct toy_contrast toy = twice();
		json_t *tree;

		for (int i = 0; none && i < 2; i++)
			toy.side[i].copies = (struct toy_copies){.none = true};
		tree = tree_of_copies(&toy, -300000);
		assert_first(tree, "host-late", -300000);
		assert_string_equal(
			tree_text(tree_find(at(tree, PROGRAM "causes"), "id", "host-late"), "action"), actions[none]);
		json_decref(tree);
	}
}

/* Two GPUs in turn against two at once: the host is late for none of them. */
static void test_gpus_in_turn(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree, *evidence;

	(void)state;
	toy.side[0].copies.elsewhere = 300000;
	tree = tree_of_copies(&toy, 300000);
	assert_first(tree, "gpus-in-turn", 300000);
	assert_false(tree_true(tree_find(at(tree, PROGRAM "causes"), "id", "host-late"), "named"));
	evidence = json_object_get(tree_find(at(tree, PROGRAM "causes"), "id", "gpus-in-turn"), "evidence");
	assert_string_equal(tree_text(json_array_get(evidence, 0), "metric"), "elsewhere_ns");
	json_decref(tree);
}

static void test_pageable(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree;

	(void)state;
	toy.side[0].copies = (struct toy_copies){.in = 700000, .out = 200000, .pageable = true};
	tree = tree_of_copies(&toy, 0);
	assert_first(tree, "pageable", 400000);
	json_decref(tree);
}

/* Kernels of a step that take less are a cause of its time, too. */
static void test_kernels(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree;

	(void)state;
	toy.side[0].gemm = 1200000;
	tree = tree_of_copies(&toy, 0);
	assert_first(tree, "kernel-time", 300000);
	json_decref(tree);
}

static void test_no_difference(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree = tree_of_copies(&toy, 0);

	(void)state;
	assert_text(tree, PROGRAM "verdict", "same");
	assert_null_at(tree, PROGRAM "first_cause");
	json_decref(tree);
}

/* Without a range the program's time is the process's, and older recordings do not tell what the GPU did. */
static void test_unknown(void **state)
{
	struct toy_contrast toy = twice();
	json_t *tree;

	(void)state;
	toy.side[1].copies = (struct toy_copies){0};
	tree = tree_of_copies(&toy, 300000);
	assert_size(tree, PROGRAM "causes", 0);
	assert_null_at(tree, PROGRAM "time");
	json_decref(tree);
	toy = twice();
	toy.side[0].host = toy.side[1].host = 0;
	tree = tree_of_copies(&toy, 0);
	assert_size(tree, PROGRAM "causes", 0);
	json_decref(tree);
	/* The GPU is busy for longer than a step takes: that is of other steps, and no host is early. */
	toy = twice();
	tree = tree_of_late(&toy, -2 * idle, 0);
	assert_size(tree, PROGRAM "causes", 0);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_copies_beside_kernels),
		scratch_test(test_host_late),
		scratch_test(test_host_late_without_copies),
		scratch_test(test_gpus_in_turn),
		scratch_test(test_pageable),
		scratch_test(test_kernels),
		scratch_test(test_no_difference),
		scratch_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
