/* roles.c: who waits for whom, of a recording whose rows are not all to be trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"

#define ROLES "families.0.roles."
/* In case "4096". */
#define TILE ROLES "0.variants.0."
#define VECTORS ROLES "0.variants.1."
#define WARP ROLES "0.variants.2."
#define TWO ROLES "0.variants.3."
#define ASYNC ROLES "0.variants.4."
#define SWIZZLE ROLES "0.variants.5."
#define FRAGMENT ROLES "0.variants.6."

/* The numbers stand at the top of tests/fixtures/scenarios/roles.c. */
static void test_nothing_ahead(void **state)
{
	json_t *tree = fixture_scenario("roles");

	(void)state;
	assert_text(tree, ROLES "0.case", "4096");
	assert_true_at(tree, ROLES "0.headline");
	assert_text(tree, TILE "variant", "register-tile");
	assert_number(tree, TILE "consumer.warps", 8);
	assert_number(tree, TILE "consumer.waits", 100);
	assert_number(tree, TILE "consumer.wait_cycles", 1000);
	assert_number(tree, TILE "consumer.wait_share", 0.5);
	assert_number(tree, TILE "consumer.life_cycles", 200000);
	assert_null_at(tree, TILE "producer");
	assert_number(tree, TILE "load_cycles", 900);
	assert_number(tree, TILE "cost", 0.01);
	assert_null_at(tree, TILE "hidden_share");
	assert_text(tree, TILE "why", "itself");
	json_decref(tree);
}

/* Per byte: its stages are half as large. Rows that cannot be true change nothing. */
static void test_hidden_share(void **state)
{
	json_t *tree = fixture_scenario("roles");

	(void)state;
	assert_text(tree, ASYNC "variant", "cp-async-3");
	assert_number(tree, ASYNC "consumer.wait_cycles", 45);
	assert_number(tree, ASYNC "consumer.wait_share", 0.09);
	assert_number(tree, ASYNC "producer.warps", 1);
	assert_number(tree, ASYNC "producer.wait_cycles", 300);
	assert_number(tree, ASYNC "producer.wait_share", 0.6);
	assert_null_at(tree, ASYNC "load_cycles");
	assert_number(tree, ASYNC "cost", -0.01);
	assert_number(tree, ASYNC "hidden_share", 0.9);
	assert_text(tree, ASYNC "exposed", "register-tile");
	assert_null_at(tree, ASYNC "why");
	assert_number(tree, ROLES "1.variants.1.hidden_share", 0.9);
	assert_text(tree, ROLES "1.fastest", "cp-async-3");
	json_decref(tree);
}

static void test_what_is_not_told(void **state)
{
	json_t *tree = fixture_scenario("roles");

	(void)state;
	assert_size(tree, ROLES "0.variants", 7);           /* without top-scalar */
	assert_text(tree, ROLES "0.fastest", "cp-async-3"); /* swizzle is faster, and its share is not told */
	assert_text(tree, SWIZZLE "why", "disturbed");
	assert_true_at(tree, SWIZZLE "disturbs");
	assert_text(tree, WARP "why", "other-disturbed");
	assert_text(tree, VECTORS "why", "not-measured");
	assert_text(tree, TWO "why", "none");
	assert_null_at(tree, TWO "exposed");
	assert_text(tree, FRAGMENT "why", "other-warps");
	assert_null_at(tree, SWIZZLE "hidden_share");
	assert_null_at(tree, WARP "hidden_share");
	assert_null_at(tree, VECTORS "hidden_share");
	assert_null_at(tree, TWO "hidden_share");
	assert_null_at(tree, FRAGMENT "hidden_share");
	json_decref(tree);
}

/* A recording from before roles were metered has none. */
static void test_without_roles(void **state)
{
	json_t *tree = fixture_scenario("ladder");

	(void)state;
	assert_size(tree, "families.0.roles", 0);
	json_decref(tree);
}

/* A variant with a wrong result has none, and nothing is held against it. */
static void test_wrong_result(void **state)
{
	static const char *const lines[] = {
		"ROLERUN family=f variant=a caseLabel=c exposedVariant=a stageBytes=64 blocks=1 plainNs=1 meteredNs=1",
		"ROLERUN family=f variant=b caseLabel=c exposedVariant=a stageBytes=64 blocks=1 plainNs=1 meteredNs=1",
		"ROLE family=f variant=a caseLabel=c launch=0 role=consumer warps=1 waits=2 timedWaits=2 waitCycles=3 "
		"loads=2 "
		"loadCycles=20 lifeCycles=50",
		"ROLE family=f variant=b caseLabel=c launch=0 role=consumer warps=1 waits=2 timedWaits=2 waitCycles=3 "
		"loads=0 "
		"loadCycles=0 lifeCycles=50",
		NULL,
	};
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 100, 50, 1000, 1000);
	write_verify(rec, "a", "c", 0, 3);
	write_verify(rec, "b", "c", 0, 0);
	fixture_lines(rec, lines);
	tree = family_end(rec);
	assert_size(tree, ROLES "0.variants", 1);
	assert_text(tree, ROLES "0.variants.0.variant", "b");
	assert_text(tree, ROLES "0.variants.0.why", "not-measured");
	json_decref(tree);
}

/* A producer that stays until its load is done would have waited for the stage to be empty meanwhile. */
static void test_single_stage_producer(void **state)
{
	static const char *const lines[] = {
		"ROLERUN family=f variant=a caseLabel=c exposedVariant=a stageBytes=64 blocks=1 plainNs=1 meteredNs=1",
		"ROLE family=f variant=a caseLabel=c launch=0 role=consumer warps=1 waits=2 timedWaits=2 waitCycles=24 "
		"loads=0 loadCycles=0 lifeCycles=50",
		"ROLE family=f variant=a caseLabel=c launch=0 role=producer warps=1 waits=4 timedWaits=2 waitCycles=3 "
		"loads=1 loadCycles=10 lifeCycles=50",
		"ROLERUN family=f variant=b caseLabel=c exposedVariant=b stageBytes=64 blocks=1 plainNs=1 meteredNs=1",
		"ROLE family=f variant=b caseLabel=c launch=0 role=consumer warps=1 waits=2 timedWaits=2 waitCycles=24 "
		"loads=0 loadCycles=0 lifeCycles=50",
		"ROLE family=f variant=b caseLabel=c launch=0 role=producer warps=1 waits=2 timedWaits=2 waitCycles=3 "
		"loads=2 loadCycles=20 lifeCycles=50",
		NULL,
	};
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 100, 50, 1000, 1000);
	fixture_lines(rec, lines);
	tree = family_end(rec);
	assert_number(tree, ROLES "0.variants.0.load_cycles", 10);
	assert_number(tree, ROLES "0.variants.0.consumer.wait_cycles", 12);
	assert_number(tree, ROLES "0.variants.0.producer.wait_cycles", 6.5);
	assert_number(tree, ROLES "0.variants.0.producer.wait_share", 0.52);
	assert_number(tree, ROLES "0.variants.0.producer.waits", 4);
	/* One of as many loads as waits belongs to another tile. */
	assert_null_at(tree, ROLES "0.variants.1.producer.wait_cycles");
	assert_null_at(tree, ROLES "0.variants.1.producer.wait_share");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_nothing_ahead),
		scratch_test(test_hidden_share),
		scratch_test(test_what_is_not_told),
		scratch_test(test_without_roles),
		scratch_test(test_wrong_result),
		scratch_test(test_single_stage_producer),
	};

	return cmocka_run_group_tests_name("model: roles", tests, NULL, NULL);
}
