/* sort.c: sort_runs() and sort_first() against qsort(), and that equal items keep their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/sort.h"

enum { MOST = 300 };

/* Sorted by `key`; `place` is where it stood. */
struct item {
	int key, place;
};

static int by_key(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static int by_key_and_place(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = by_key(left, right);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* `runs` ascending runs of random lengths; with as many runs as items, random ones. */
static void sorts_like_qsort(void **state)
{
	(void)state;
	srand(3);
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)rand() % MOST, runs = 1 + (size_t)rand() % (rand() % 2 ? 4 : MOST);
		struct item item[MOST] = {{0}}, want[MOST];
		int key = 0;

		for (size_t i = 0; i < n; i++) {
			key = (size_t)rand() % (n + 1) < runs ? rand() % 50 : key + rand() % 2;
			item[i] = (struct item){key, (int)i};
		}
		memcpy(want, item, sizeof(want));
		qsort(want, n, sizeof(*want), by_key_and_place);
		sort_runs(item, n, sizeof(*item), by_key);
		assert_memory_equal(item, want, n * sizeof(*item));
	}
}

static int compared;

static int counted(const void *left, const void *right)
{
	compared++;
	return by_key(left, right);
}

static void few_runs_are_few_comparisons(void **state)
{
	struct item item[MOST];

	(void)state;
	for (int i = 0; i < MOST; i++)
		item[i] = (struct item){i % (MOST / 2), i};
	sort_runs(item, MOST, sizeof(*item), counted);
	assert_true(compared <= 2 * MOST);
	compared = 0;
	sort_runs(item, MOST, sizeof(*item), counted);
	assert_int_equal(compared, MOST - 1);
}

static int counted_by_place(const void *left, const void *right, void *user)
{
	(void)user;
	compared++;
	return by_key_and_place(left, right);
}

/* The first ones are in order, and none is lost. */
static void first_ones_are_sorted(void **state)
{
	(void)state;
	srand(4);
	for (int round = 0; round < 3000; round++) {
		size_t n = (size_t)rand() % MOST, most = (size_t)rand() % (MOST + 10), told = most < n ? most : n;
		struct item item[MOST] = {{0}}, want[MOST];

		for (size_t i = 0; i < n; i++)
			item[i] = (struct item){round % 3 ? rand() % 50 : (int)i, (int)i};
		memcpy(want, item, sizeof(want));
		qsort(want, n, sizeof(*want), by_key_and_place);
		sort_first(item, n, most, sizeof(*item), counted_by_place, NULL);
		assert_memory_equal(item, want, told * sizeof(*item));
		qsort(item, n, sizeof(*item), by_key_and_place);
		assert_memory_equal(item, want, n * sizeof(*item));
	}
}

/* Few of many: not as many comparisons as all of them in order would take. */
static void few_first_ones_are_few_comparisons(void **state)
{
	enum { MANY = 20000 };
	struct item *item = calloc(MANY, sizeof(*item));

	(void)state;
	assert_non_null(item);
	srand(5);
	for (int i = 0; i < MANY; i++)
		item[i] = (struct item){rand(), i};
	compared = 0;
	sort_first(item, MANY, 20, sizeof(*item), counted_by_place, NULL);
	assert_true(compared < 6 * MANY);
	free(item);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts_like_qsort),
		cmocka_unit_test(few_runs_are_few_comparisons),
		cmocka_unit_test(first_ones_are_sorted),
		cmocka_unit_test(few_first_ones_are_few_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
