/* formula.c: the arithmetic of derived metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/near.h"
#include "util/formula.h"

/* Names and their values, up to one without a name. */
struct known {
	const char *name;
	double value;
};

static double look_up(void *user, const char *name, size_t length)
{
	for (const struct known *known = user; known->name; known++) {
		if (strlen(known->name) == length && memcmp(known->name, name, length) == 0)
			return known->value;
	}
	return (double)NAN;
}

static struct known names[] = {
	{"a", 6},
	{"b", 4},
	{"zero", 0},
	{"_x1", 0.5},
	{"smsp__inst_executed.sum", 1000},
	{"smsp__inst_executed.sum.per_cycle_active", 2.5},
	{NULL, 0},
};

static double value_of(const char *formula)
{
	struct error err = {0};
	double value = -1;

	if (formula_evaluate(formula, look_up, names, &value, &err) < 0)
		fail_msg("%s: %s", formula, err.text);
	assert_string_equal(err.text, "");
	return value;
}

static void assert_wrong(const char *formula, const char *message)
{
	struct error err = {0};
	double value;

	assert_int_equal(formula_evaluate(formula, look_up, names, &value, &err), -1);
	assert_string_equal(err.text, message);
}

static void numbers_and_names(void **state)
{
	(void)state;
	assert_near(value_of("42"), 42, 0);
	assert_near(value_of(".5"), 0.5, 0);
	assert_near(value_of("1e3"), 1000, 0);
	assert_near(value_of(" a "), 6, 0);
	assert_near(value_of("_x1"), 0.5, 0);
	assert_near(value_of("-a"), -6, 0);
	assert_near(value_of("a - -b"), 10, 0);
}

static void dots_belong_to_names(void **state)
{
	(void)state;
	assert_near(value_of("smsp__inst_executed.sum"), 1000, 0);
	assert_near(value_of("smsp__inst_executed.sum.per_cycle_active"), 2.5, 0);
	assert_near(value_of("100*smsp__inst_executed.sum/b"), 25000, 0);
	assert_true(isnan(value_of("smsp__inst_executed")));
}

static void products_bind_closer_than_sums(void **state)
{
	(void)state;
	assert_near(value_of("2 + 3 * 4"), 14, 0);
	assert_near(value_of("2 * 3 + 4"), 10, 0);
	assert_near(value_of("10 - 8 / 4"), 8, 0);
}

static void equals_go_from_left_to_right(void **state)
{
	(void)state;
	assert_near(value_of("10 - 4 - 3"), 3, 0);
	assert_near(value_of("64 / 4 / 2"), 8, 0);
	assert_near(value_of("64 / 4 * 2"), 32, 0);
}

static void parentheses(void **state)
{
	(void)state;
	assert_near(value_of("(2 + 3) * 4"), 20, 0);
	assert_near(value_of("10 - (4 - 3)"), 9, 0);
	assert_near(value_of("64 / (4 * (1 + 1))"), 8, 0);
	assert_near(value_of("-(a - b)"), -2, 0);
}

static void division_by_zero_is_not_a_number(void **state)
{
	(void)state;
	assert_true(isnan(value_of("1 / 0")));
	assert_true(isnan(value_of("0 / zero")));
	assert_true(isnan(value_of("a / (b - 4)")));
	/* It stays so, whatever else is added. */
	assert_true(isnan(value_of("1 + 2 / zero * 0")));
}

static void what_was_not_counted_is_not_a_number(void **state)
{
	(void)state;
	assert_true(isnan(value_of("unheard")));
	assert_true(isnan(value_of("a + 0 * unheard")));
}

static void errors_say_where(void **state)
{
	(void)state;
	assert_wrong("", "no number, name or parenthesis at character 1 of \"\"");
	assert_wrong("a +", "no number, name or parenthesis at character 4 of \"a +\"");
	assert_wrong("a * / b", "no number, name or parenthesis at character 5 of \"a * / b\"");
	assert_wrong("(a + b", "no closing parenthesis at character 7 of \"(a + b\"");
	assert_wrong("a b", "something more than a formula at character 3 of \"a b\"");
	assert_wrong("a)", "something more than a formula at character 2 of \"a)\"");
	assert_wrong("a % b", "something more than a formula at character 3 of \"a % b\"");
}

/* `depth` pairs of parentheses around a 1. */
static const char *nested(int depth, char *text)
{
	memset(text, '(', (size_t)depth);
	text[depth] = '1';
	memset(text + depth + 1, ')', (size_t)depth);
	text[2 * depth + 1] = '\0';
	return text;
}

static void depth_has_a_limit(void **state)
{
	static char text[2 * 100000 + 2];
	struct error err = {0};
	double value;

	(void)state;
	assert_near(value_of(nested(31, text)), 1, 0);
	assert_wrong(nested(32, text), "nested too deep at character 33 of "
				       "\"((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))\"");
	/* A hundred thousand would use up the stack. */
	assert_int_equal(formula_evaluate(nested(100000, text), look_up, names, &value, &err), -1);
	memset(text, '-', 100000);
	assert_int_equal(formula_evaluate(text, look_up, names, &value, &err), -1);
}

static void depth_is_not_length(void **state)
{
	char text[4 * 100 + 2] = "1";

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(text, "+(1)");
	assert_near(value_of(text), 101, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_names),
		cmocka_unit_test(dots_belong_to_names),
		cmocka_unit_test(products_bind_closer_than_sums),
		cmocka_unit_test(equals_go_from_left_to_right),
		cmocka_unit_test(parentheses),
		cmocka_unit_test(division_by_zero_is_not_a_number),
		cmocka_unit_test(what_was_not_counted_is_not_a_number),
		cmocka_unit_test(errors_say_where),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(depth_is_not_length),
	};

	return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
