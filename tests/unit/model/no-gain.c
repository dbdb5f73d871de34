/* no-gain.c: why double buffering would gain nothing, from sums over GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "model/no-gain.h"
#include "tree/tree.h"

#define GPU(span, copy, kernel, exposed, overlap)                                                                      \
	"{'span_ns': " #span ", 'busy_ns': {'copy': " #copy ", 'kernel': " #kernel "}, 'exposed_copy_ns': " #exposed   \
	", 'overlap_ns': " #overlap "}"

static void assert_reason(const char *gpus, const char *id, double share)
{
	json_t *all = parse(gpus),
	       *none = parse(strcmp(id, "no-loop") == 0 ? "{'pays': [], 'loops': 0}" : "{'pays': [], 'loops': 2}");
	json_t *no_gain = no_gain_json(all, none, &(struct no_gain_lacks){0});

	assert_string_equal(tree_text(no_gain, "id"), id);
	if (share > 0)
		assert_true(tree_real(no_gain, "share") == share);
	else
		assert_true(json_is_null(json_object_get(no_gain, "share")));
	json_decref(no_gain);
	json_decref(none);
	json_decref(all);
}

static void test_reasons(void **state)
{
	(void)state;
	assert_reason("[]", "no-work", 0);
	assert_reason("[" GPU(100, 0, 90, 0, 0) "]", "no-copies", 0);
	assert_reason("[" GPU(100, 90, 0, 90, 0) "]", "no-kernels", 0);
	assert_reason("[" GPU(1000, 8, 900, 4, 4) "]", "little-exposed", 0.004);
	assert_reason("[" GPU(1000, 800, 900, 80, 720) "]", "hidden-already", 0.9);
	assert_reason("[" GPU(1000, 800, 2, 800, 0) "]", "small", 0.8);
	assert_reason("[" GPU(1000, 800, 2, 800, 0) "]", "no-loop", 0.8);
	/* One GPU copies, another computes: together they do both. */
	assert_reason("[" GPU(500, 400, 0, 400, 0) ", " GPU(500, 0, 500, 0, 0) "]", "small", 0.4);
}

/* Graphs that were recorded as a whole may copy and compute. */
static void test_graphs(void **state)
{
	json_t *gpus = parse("[" GPU(100, 0, 0, 0, 0) "]"), *both = parse("[" GPU(1000, 800, 2, 800, 0) "]");
	json_t *program = parse("{'pays': [], 'loops': 2}"),
	       *unknown = no_gain_json(gpus, program, &(struct no_gain_lacks){.graphs = true}),
	       *known = no_gain_json(both, program, &(struct no_gain_lacks){.graphs = true});

	(void)state;
	assert_string_equal(tree_text(unknown, "id"), "graphs");
	assert_string_equal(tree_text(known, "id"), "small");
	json_decref(known);
	json_decref(unknown);
	json_decref(program);
	json_decref(both);
	json_decref(gpus);
}

/* Without the work of other threads the sums tell nothing, not even that nothing was done. */
static void test_other_threads(void **state)
{
	json_t *none = json_array(), *gpus = parse("[" GPU(100, 0, 90, 0, 0) "]"),
	       *program = parse("{'pays': [], 'loops': 0}");
	const struct no_gain_lacks lacks = {.graphs = true, .others = 0.4};
	json_t *idle = no_gain_json(none, program, &lacks), *some = no_gain_json(gpus, program, &lacks);

	(void)state;
	assert_string_equal(tree_text(idle, "id"), "other-threads");
	assert_string_equal(tree_text(some, "id"), "other-threads");
	assert_true(tree_real(some, "share") == 0.4);
	json_decref(some);
	json_decref(idle);
	json_decref(program);
	json_decref(gpus);
	json_decref(none);
}

/* Migrations in a loop may hide a gain, if they take a part of it that matters. */
static void test_managed(void **state)
{
	json_t *gpus = parse("[" GPU(1000, 800, 200, 700, 100) "]");
	json_t *program = parse("{'pays': [], 'loops': 0, 'other_loops': [{'managed': null}, "
				"{'managed': {'matters': true}}]}"),
	       *little = parse("{'pays': [], 'loops': 0, 'other_loops': [{'managed': {'matters': false}}]}");
	json_t *no_gain = no_gain_json(gpus, program, &(struct no_gain_lacks){0}),
	       *other = no_gain_json(gpus, little, &(struct no_gain_lacks){0});

	(void)state;
	assert_string_equal(tree_text(no_gain, "id"), "managed");
	assert_true(tree_real(no_gain, "share") == 0.7);
	assert_string_equal(tree_text(other, "id"), "no-loop");
	json_decref(no_gain);
	json_decref(other);
	json_decref(little);
	json_decref(program);
	json_decref(gpus);
}

/* Where there are places, or where nobody looked for any, there is nothing to explain. */
static void test_no_reason(void **state)
{
	json_t *gpus = json_array(), *pays = parse("{'pays': [{'gain_ns': 5}]}"),
	       *some = no_gain_json(gpus, pays, &(struct no_gain_lacks){0});
	json_t *unknown = no_gain_json(gpus, NULL, &(struct no_gain_lacks){0});

	(void)state;
	assert_true(json_is_null(some));
	assert_true(json_is_null(unknown));
	json_decref(some);
	json_decref(unknown);
	json_decref(gpus);
	json_decref(pays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_other_threads),
		cmocka_unit_test(test_managed),
		cmocka_unit_test(test_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
