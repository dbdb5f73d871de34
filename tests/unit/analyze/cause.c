/* cause.c: parts of a difference: how they are added up and named, of two variants and of a step of several kernels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "analyze/cause/ledger.h"
#include "fixtures/cause-fixture.h"

/* ---- the ledger ---- */

static void a_ledger_adds_sorts_and_names(void **state)
{
	struct ledger ledger = {.doubt = 3};
	struct causes causes;

	(void)state;
	ledger_add_half(&ledger, CAUSE_BARRIER, 60, 5);
	ledger_add_half(&ledger, CAUSE_QUEUE, -70, 5);
	ledger_add_half(&ledger, CAUSE_MEMORY, 80, 90);  /* may be nothing */
	ledger_add_half(&ledger, CAUSE_OCCUPANCY, 9, 1); /* too small to be said */
	ledger_add_half(&ledger, CAUSE_WAVES, 0, 1);
	ledger_add(&ledger, CAUSE_BARRIER, (struct part_ns){3, -1, 15}); /* joined with the first */
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, true, &causes);
	adds_up(&causes);
	assert_int_equal(causes.n, 5);
	assert_int_equal(causes.item[0].id, CAUSE_MEMORY);
	assert_false(causes.item[0].named);
	assert_int_equal(causes.item[1].id, CAUSE_QUEUE);
	assert_true(causes.item[1].named);
	assert_near(part_of(&causes, CAUSE_BARRIER), 63, 1e-12);
	assert_near(causes.item[2].ns.low, 63 - sqrt(25 + 16), 1e-9);
	assert_near(causes.item[2].ns.high, 63 + 13, 1e-9);
	assert_false(part_with_id(&causes, CAUSE_OCCUPANCY)->named);
	assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 18, 1e-12);
	assert_near(causes.item[4].ns.low, 13, 1e-9);
	assert_true(causes.explained);
	assert_int_equal(causes.first, CAUSE_BARRIER); /* the larger one goes the other way */
}

static void nothing_is_named_that_is_not_sure(void **state)
{
	struct ledger ledger = {.doubt = 1};
	struct causes causes;

	(void)state;
	ledger_add_half(&ledger, CAUSE_BARRIER, 60, 5);
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, false, &causes);
	assert_false(names_any(&causes));
	assert_int_equal(causes.first, -1);
	ledger_close(&ledger, (struct part_ns){100, -4, 204}, true, &causes);
	assert_false(names_any(&causes));
	/* Named, but more than half is left: no first cause. */
	ledger_close(&ledger, (struct part_ns){130, 125, 135}, true, &causes);
	assert_true(names_any(&causes));
	assert_false(causes.explained);
	assert_int_equal(causes.first, -1);
	/* Without an interval, nobody knows. */
	memset(&ledger, 0, sizeof ledger);
	ledger_add(&ledger, CAUSE_HOST_LATE, (struct part_ns){90, NAN, NAN});
	ledger_close(&ledger, (struct part_ns){100, 96, 104}, true, &causes);
	assert_false(names_any(&causes));
}

static void an_empty_pair_is_unexplained(void **state)
{
	static const struct cause_side side = {.median = 100};
	struct causes causes;

	(void)state;
	for (int bound = 0; bound < 2; bound++) {
		causes_of(&side, &side, bound, surely(50), true, 1, &causes);
		assert_int_equal(causes.n, 1);
		assert_false(causes.explained);
		assert_true(causes.stable);
		assert_near(part_of(&causes, CAUSE_UNEXPLAINED), 50, 0);
	}
}

static void a_ratio_becomes_a_difference(void **state)
{
	const struct ratio ratio = {.value = 1.5, .low = 1.4, .high = 1.6},
			   odd = {.value = 1.2, .low = 1.1, .high = 1.3};
	struct part_ns ns = difference_of(150, 100, &ratio);

	(void)state;
	assert_near(ns.value, 50, 1e-12);
	assert_near(ns.low, 250 * 0.4 / 2.4, 1e-9);
	assert_near(ns.high, 250 * 0.6 / 2.6, 1e-9);
	ns = difference_of(150, 100, &odd);
	assert_near(ns.high, 50, 1e-12); /* never beside its interval */
}

/* ---- a step of several kernels ---- */

static struct step_part part_of_kernel(enum cause_id id, double ns, bool sure, int kernel)
{
	return (struct step_part){id, {ns, ns - 1, ns + 1}, sure, kernel};
}

static void parts_of_a_step(void **state)
{
	struct step_part part[] = {part_of_kernel(CAUSE_BARRIER, 40, true, 0),
		part_of_kernel(CAUSE_BARRIER, -90, true, 1), part_of_kernel(CAUSE_MEMORY, 150, false, 2),
		{CAUSE_OTHER_KERNELS, {60, NAN, NAN}, true, 3}};
	const struct part_ns difference = {200, 190, 210};
	struct causes causes;

	(void)state;
	step_causes_of(part, 4, difference, true, 30, &causes);
	assert_int_equal(causes.n, 5);
	assert_int_equal(causes.item[0].id, CAUSE_MEMORY);
	assert_false(causes.item[0].named); /* its kernel's own difference is not clear */
	assert_int_equal(causes.item[1].kernel, 1);
	assert_true(causes.item[1].named);
	assert_int_equal(causes.first, CAUSE_OTHER_KERNELS);
	assert_true(causes.explained);
	assert_near(causes.item[4].ns.value, 40, 1e-9);
	assert_near(causes.item[4].ns.high - causes.item[4].ns.value, sqrt(10 * 10 + 30 * 30), 1e-9);
	step_causes_of(part, 4, difference, false, 30, &causes);
	assert_int_equal(causes.first, -1);
	for (size_t i = 0; i < causes.n; i++)
		assert_false(causes.item[i].named);
	step_causes_of(part, 0, difference, true, 0, &causes);
	assert_int_equal(causes.n, 1);
	assert_false(causes.explained);
}

static void many_parts_are_one_in_the_end(void **state)
{
	enum { MANY = 40 };
	struct step_part part[MANY];
	struct causes causes;
	double sum = 0;

	(void)state;
	for (int i = 0; i < MANY; i++)
		part[i] = part_of_kernel(CAUSE_QUEUE, 100 - i, true, i);
	step_causes_of(part, MANY, (struct part_ns){4000, 3900, 4100}, true, 10, &causes);
	assert_int_equal(causes.n, STEP_PARTS + 2);
	assert_int_equal(causes.item[0].id, CAUSE_SMALLER_PARTS);
	assert_int_equal(causes.item[0].kernel, -1);
	assert_false(causes.item[0].named);
	for (size_t i = 0; i < causes.n; i++)
		sum += causes.item[i].ns.value;
	assert_near(sum, 4000, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ledger_adds_sorts_and_names),
		cmocka_unit_test(nothing_is_named_that_is_not_sure),
		cmocka_unit_test(an_empty_pair_is_unexplained),
		cmocka_unit_test(a_ratio_becomes_a_difference),
		cmocka_unit_test(parts_of_a_step),
		cmocka_unit_test(many_parts_are_one_in_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
