/* role-records.c: what the records of a metered launch say, by hand-made records. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/pass/role-records.h"

enum { ROLE_BLOCKS = 2, ROLE_WARPS = 3 };

/* Two blocks of two consumers and a warp that is a producer in the first, and has no part in the second. */
static const struct role_record sound[ROLE_BLOCKS * ROLE_WARPS] = {
	{ROLE_CONSUMER, 4, 2, 100, 0, 0, 1000},
	{ROLE_CONSUMER, 4, 1, 200, 2, 150, 1100},
	{ROLE_PRODUCER, 5, 5, 700, 0, 0, 900},
	{ROLE_CONSUMER, 4, 0, 0, 0, 0, 1000},
	{ROLE_CONSUMER, 0, 0, 0, 0, 0, 1},
	{0},
};

static void sums_are_by_role(void **state)
{
	struct role_sum sums[ROLES_NUMBER];

	(void)state;
	assert_null(role_records_sum(sound, ROLE_BLOCKS, ROLE_WARPS, sums));
	assert_int_equal(sums[ROLE_CONSUMER].warps, 4);
	assert_int_equal(sums[ROLE_CONSUMER].waits, 12);
	assert_int_equal(sums[ROLE_CONSUMER].timed, 3);
	assert_int_equal(sums[ROLE_CONSUMER].waited, 300);
	assert_int_equal(sums[ROLE_CONSUMER].loads, 2);
	assert_int_equal(sums[ROLE_CONSUMER].loaded, 150);
	assert_int_equal(sums[ROLE_CONSUMER].life, 3101);
	assert_int_equal(sums[ROLE_PRODUCER].warps, 1);
	assert_int_equal(sums[ROLE_PRODUCER].waited, 700);
	assert_int_equal(sums[ROLE_NONE].warps, 1);
}

/* Cycles of 32 bits each add up to more. */
static void sums_are_wider(void **state)
{
	const struct role_record long_life = {ROLE_CONSUMER, 1, 1, 4000000000u, 0, 0, 4000000000u};
	const struct role_record records[] = {long_life, long_life};
	struct role_sum sums[ROLES_NUMBER];

	(void)state;
	assert_null(role_records_sum(records, 1, 2, sums));
	assert_true(sums[ROLE_CONSUMER].waited == INT64_C(8000000000));
}

static void refused(int at, struct role_record instead, const char *why)
{
	struct role_record records[ROLE_BLOCKS * ROLE_WARPS];
	struct role_sum sums[ROLES_NUMBER];
	const char *got;

	memcpy(records, sound, sizeof records);
	records[at] = instead;
	got = role_records_sum(records, ROLE_BLOCKS, ROLE_WARPS, sums);
	assert_non_null(got);
	assert_string_equal(got, why);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	refused(5, (struct role_record){ROLES_NUMBER, 0, 0, 0, 0, 0, 1}, "what a warp wrote is no record");
	refused(5, (struct role_record){ROLE_NONE, 0, 0, 0, 0, 0, 1}, "what a warp wrote is no record");
	refused(0, (struct role_record){ROLE_CONSUMER, 4, 4, 1001, 0, 0, 1000}, "a warp waited longer than it lived");
	refused(0, (struct role_record){ROLE_CONSUMER, 4, 4, 1, 1, 1001, 1000}, "a warp waited longer than it lived");
	refused(2, (struct role_record){ROLE_PRODUCER, 1, 2, 1, 0, 0, 1000}, "a warp timed waits that never were");
	refused(2, (struct role_record){ROLE_PRODUCER, 4, 0, 1, 0, 0, 1000}, "a warp timed waits that never were");
	refused(2, (struct role_record){ROLE_PRODUCER, 4, 0, 0, 0, 1, 1000}, "a warp timed waits that never were");
}

static void each_block_has_a_consumer(void **state)
{
	struct role_record records[ROLE_BLOCKS * ROLE_WARPS] = {{0}};
	struct role_sum sums[ROLES_NUMBER];

	(void)state;
	records[0] = sound[0];
	assert_string_equal(
		role_records_sum(records, ROLE_BLOCKS, ROLE_WARPS, sums), "of a block no consumer wrote a record");
}

static void roles_have_names(void **state)
{
	(void)state;
	assert_string_equal(role_record_name(ROLE_CONSUMER), "consumer");
	assert_string_equal(role_record_name(ROLE_PRODUCER), "producer");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_by_role),
		cmocka_unit_test(sums_are_wider),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(each_block_has_a_consumer),
		cmocka_unit_test(roles_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
