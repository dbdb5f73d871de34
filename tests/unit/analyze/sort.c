/* sort.c: sort_runs() against qsort(), and that equal items keep their order. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts_like_qsort),
		cmocka_unit_test(few_runs_are_few_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
