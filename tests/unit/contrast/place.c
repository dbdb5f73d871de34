/* place.c: kernels with different names that stand at the same place of a step are matched, unless that is a guess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "contrast/kernel/likeness.h"
#include "fixtures/made-sides.h"
#include "fixtures/near.h"
#include "fixtures/noise.h"

static void test_likeness(void **state)
{
	static const struct {
		const char *a, *b;
		size_t likeness;
	} names[] = {
		{"kogge_stone_two_barriers", "kogge_stone_one_barrier", 10},
		{"scanTwoBarriers", "scan_one_barrier", 4},
		{"load_v1", "load_v2", 5},
		{"load1", "LOAD_2", 4},
		{"copyH2D", "h2d_copy", 7},
		{"sum_kernel", "kernel_max", 0},
		{"add_add", "add", 3},
		{"reduce", "reduced", 0},
		{"", "add", 0},
		{"__", "__", 0},
	};
	char name[LIKENESS_NAME_MOST + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(names_likeness(names[i].a, names[i].b), names[i].likeness);
		assert_int_equal(names_likeness(names[i].b, names[i].a), names[i].likeness);
	}
	memset(name, 'a', sizeof(name));
	name[LIKENESS_NAME_MOST + 1] = '\0';
	assert_int_equal(names_likeness(name, name), 0);
	name[LIKENESS_NAME_MOST] = '\0';
	assert_int_equal(names_likeness(name, name), LIKENESS_NAME_MOST);
}

/* Kernels by their names, one launch each; a digit behind a space says how often a step launches it. */
static struct side_kernels named_side(struct made_run *run, char words[MADE_MOST][32], const char *const *names)
{
	struct made made[MADE_MOST] = {{0}};
	size_t n = 0;

	for (; names[n]; n++) {
		char *space;

		snprintf(words[n], 32, "%s", names[n]);
		space = strchr(words[n], ' ');
		made[n] = (struct made){words[n], 1, 32, 10, space ? (uint32_t)(space[1] - '0') : 1, 0};
		if (space)
			*space = '\0';
	}
	return make_side(run, made, n);
}

/* Matches two sides. `how` gets a letter for each kernel of the first side: g and n for grid and name, p for place, -
 * for none. The other way round it must be the same. */
static void match_named(const char *const *first_names, const char *const *other_names, char how[MADE_MOST + 1])
{
	struct made_run run[2];
	char words[2][MADE_MOST][32];
	struct side_kernels first = named_side(&run[0], words[0], first_names),
			    other = named_side(&run[1], words[1], other_names);
	struct matching matching, back;

	match_sides(&first, &other, &matching);
	match_sides(&other, &first, &back);
	assert_int_equal(matching.n, back.n);
	memset(how, '-', first.n);
	how[first.n] = '\0';
	for (size_t i = 0; i < matching.n; i++) {
		const struct match_pair *pair = &matching.pairs[i];

		how[pair->first] = *match_how_word(pair->how);
		if (pair->how == MATCH_PLACE)
			assert_int_equal(pair->first, pair->other);
	}
	for (size_t i = 0; i < back.n; i++)
		assert_int_equal(how[back.pairs[i].other], *match_how_word(back.pairs[i].how));
	assert_int_equal(matching.first_unmatched, first.n - matching.n);
	assert_int_equal(matching.other_unmatched, other.n - matching.n);
	matching_free(&matching);
	matching_free(&back);
	side_kernels_free(&first);
	side_kernels_free(&other);
}

#define NAMES(...)                                                                                                     \
	(const char *const[])                                                                                          \
	{                                                                                                              \
		__VA_ARGS__, NULL                                                                                      \
	}
#define assert_how(first, other, want)                                                                                 \
	do {                                                                                                           \
		char how[MADE_MOST + 1];                                                                               \
		match_named(first, other, how);                                                                        \
		assert_string_equal(how, want);                                                                        \
	} while (0)

static void test_one_left(void **state)
{
	(void)state;
	assert_how(NAMES("kogge_stone_two_barriers"), NAMES("kogge_stone_one_barrier"), "p");
	assert_how(NAMES("naive"), NAMES("wmma"), "p");
	assert_how(NAMES("init", "naive", "copy"), NAMES("init", "wmma", "copy"), "gpg");
	assert_how(NAMES("a", "x1", "b", "y1"), NAMES("a", "x2", "b", "y2"), "gpgp");
	/* As often in a step. */
	assert_how(NAMES("init", "naive 4"), NAMES("init", "wmma 4"), "gp");
	assert_how(NAMES("init", "naive 4"), NAMES("init", "wmma 2"), "g-");
	/* What matches by name may differ in its launches. */
	assert_how(NAMES("init 2", "naive"), NAMES("init 3", "wmma"), "gp");
	/* Neighbours in another order. */
	assert_how(NAMES("a", "naive", "b"), NAMES("b", "wmma", "a"), "g-g");
	assert_how(NAMES("a", "naive", "b"), NAMES("wmma", "a", "b"), "g-g");
}

static void test_split_and_fused(void **state)
{
	(void)state;
	assert_how(NAMES("scan"), NAMES("scan_up", "scan_down"), "-");
	assert_how(NAMES("a", "scan", "b"), NAMES("a", "scan_up", "scan_down", "b"), "g-g");
	assert_how(NAMES("bias", "relu"), NAMES("bias_relu"), "--");
	/* One is split and another one is gone: as many kernels, but a name tells. */
	assert_how(NAMES("clear", "mid", "scan"), NAMES("scan_up", "mid", "scan_down"), "-g-");
	assert_how(NAMES("clear", "scan"), NAMES("scan_up", "scan_down"), "--");
	/* What one framework does in kernels of its own another one compiles: nothing is alike but the number. */
	assert_how(NAMES("gemm", "vectorized_elementwise_kernel", "reduce_kernel"),
		NAMES("gemm", "triton_poi_fused_0", "triton_red_fused_1"), "g--");
}

static void test_several_in_a_row(void **state)
{
	(void)state;
	assert_how(NAMES("load_v1", "work_v1", "store_v1"), NAMES("load_v2", "work_v2", "store_v2"), "ppp");
	assert_how(NAMES("load_v1", "work_v1"), NAMES("work_v2", "load_v2"), "--");
	/* One of the row has no likeness: none of the row matches, but another place may. */
	assert_how(NAMES("load_v1", "sum", "mid", "x"), NAMES("load_v2", "total", "mid", "y"), "--gp");
	assert_how(NAMES("sum1", "sum2"), NAMES("sumA", "sumB"), "--");
	assert_how(NAMES("load_v1", "work_v1 3"), NAMES("load_v2", "work_v2 2"), "--");
	/* A word that is everywhere does not contradict. */
	assert_how(NAMES("soft_fwd_v1", "mid", "gemm_fwd_v1"), NAMES("flash", "mid", "gemm_fwd_v2"), "pgp");
}

/* Templates that are instantiated otherwise have the same base name; kernels of one name have several grids. */
static void test_names_come_first(void **state)
{
	struct made_run run[2];
	struct side_kernels first = make_side(&run[0], MADE({"gemm", 1, 32, 10, 0, 7}, {"gemm", 2, 32, 10, 0, 7}));
	struct side_kernels other = make_side(&run[1], MADE({"gemm", 3, 32, 10, 0, 8}, {"wmma", 2, 32, 10, 0, 8}));
	struct matching matching;

	(void)state;
	match_sides(&first, &other, &matching);
	assert_int_equal(matching.n, 2);
	assert_pair(&matching, 0, 0, 0, MATCH_NAME);
	assert_pair(&matching, 1, 1, 1, MATCH_PLACE);
	assert_false(matching.is_alike);
	assert_true(matching.first_unmatched_share == 0);
	matching_free(&matching);
	side_kernels_free(&first);
	side_kernels_free(&other);
}

/* A graph is no kernel, and a place is none where runs differ. */
static void test_places_that_are_none(void **state)
{
	struct made_run run[3];
	const struct launches *runs[2] = {make_run(&run[0], MADE({"a", 1, 32, 10, 0, 0}, {"x", 1, 32, 10, 0, 0})),
		make_run(&run[1], MADE({"x", 1, 32, 10, 0, 0}, {"a", 1, 32, 10, 0, 0}))};
	struct side_kernels first, other = make_side(&run[2], MADE({"a", 1, 32, 10, 0, 0}, {"y", 1, 32, 10, 0, 0}));
	struct matching matching;

	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		side_kernels_join(runs, n, &(const struct joining_how){.nsums = 0}, &first);
		match_sides(&first, &other, &matching);
		assert_int_equal(matching.n, n == 1 ? 2 : 1);
		matching_free(&matching);
		side_kernels_free(&first);
	}
	runs[1] = make_run(&run[1], MADE({"a", 1, 32, 10, 0, 0}));
	side_kernels_join(runs, 2, &(const struct joining_how){.nsums = 0}, &first);
	match_sides(&other, &first, &matching);
	assert_int_equal(matching.n, 1);
	matching_free(&matching);
	first.differing = 0;
	first.kernels[1].kernel.is_graph = true;
	match_sides(&first, &other, &matching);
	assert_int_equal(matching.n, 1);
	matching_free(&matching);
	side_kernels_free(&first);
	side_kernels_free(&other);
}

enum { RANDOM_NAMES = 12 };

/* A list of up to six kernels, some of which have a name of this side alone. */
static size_t random_names(struct random *random, char side, char names[MADE_MOST][32], const char **list)
{
	static const char *const words[RANDOM_NAMES] = {
		"a", "b", "c", "d", "load", "load_fast", "store", "store_fast", "scan_up", "scan_down", "x", "y"};
	size_t n = 1 + (size_t)(random_uniform(random) * 6);
	bool used[RANDOM_NAMES] = {false};

	for (size_t i = 0; i < n; i++) {
		size_t word = (size_t)(random_uniform(random) * RANDOM_NAMES);
		bool own = random_uniform(random) < 0.3;

		while (used[word])
			word = (word + 1) % RANDOM_NAMES;
		used[word] = true;
		snprintf(names[i], 32, "%s%s%.*s%s", words[word], own ? "_" : "", own, &side,
			random_uniform(random) < 0.1 ? " 2" : "");
		list[i] = names[i];
	}
	list[n] = NULL;
	return n;
}

static size_t count_of(const char *how, char letter)
{
	size_t n = 0;

	for (; *how != '\0'; how++)
		n += *how == letter;
	return n;
}

/* match_named() holds the two directions against each other. Sides with other numbers of kernels have no match by
 * place, and names that the other side has, too, are matched by name. */
static void test_random(void **state)
{
	enum { TRIES = 20000 };
	struct random random = {19};
	size_t by_place = 0, refused = 0;

	(void)state;
	for (int i = 0; i < TRIES; i++) {
		char names[2][MADE_MOST][32], how[MADE_MOST + 1];
		const char *first[MADE_MOST + 1], *other[MADE_MOST + 1];
		size_t n = random_names(&random, 'p', names[0], first), m = random_names(&random, 'q', names[1], other);

		match_named(first, other, how);
		if (n != m)
			assert_int_equal(count_of(how, 'p'), 0);
		by_place += count_of(how, 'p') > 0;
		refused += n == m && count_of(how, '-') > 0;
	}
	assert_true(by_place > TRIES / 100);
	assert_true(refused > TRIES / 100);
}

/* Versions of one program: whatever kernels have a new name, each finds its own if nothing else is changed. */
static void test_renamed(void **state)
{
	static const char *const words[] = {"load", "scan", "mul", "sum", "norm", "store"};
	enum { WORDS = sizeof(words) / sizeof(words[0]) };

	(void)state;
	for (unsigned renamed = 0; renamed < 1 << WORDS; renamed++) {
		char names[MADE_MOST][32], how[MADE_MOST + 1], want[MADE_MOST + 1] = "";
		const char *first[MADE_MOST + 1] = {NULL}, *other[MADE_MOST + 1] = {NULL};

		for (unsigned i = 0; i < WORDS; i++) {
			bool is_renamed = renamed >> i & 1;

			snprintf(names[i], 32, "%s%s", words[i], is_renamed ? "_fast" : "");
			first[i] = words[i];
			other[i] = names[i];
			want[i] = is_renamed ? 'p' : 'g';
		}
		match_named(first, other, how);
		assert_string_equal(how, want);
	}
}

/* Many that are left are of two programs. */
static void test_many_left(void **state)
{
	(void)state;
	for (size_t n = PLACE_MATCHES_MOST; n <= PLACE_MATCHES_MOST + 1; n++) {
		struct side_kernel kernels[2][2 * (PLACE_MATCHES_MOST + 1)];
		char names[2][PLACE_MATCHES_MOST + 1][32] = {{""}}, fixed[PLACE_MATCHES_MOST + 1][32] = {""};
		struct side_kernels side[2];
		struct matching matching;

		for (size_t i = 0; i < 2 * n; i++) {
			for (int s = 0; s < 2; s++) {
				char *name = i % 2 ? fixed[i / 2] : names[s][i / 2];

				snprintf(name, 32, "%s%zu", i % 2 ? "fixed" : s ? "new" : "old", i);
				kernels[s][i] = (struct side_kernel){.kernel = {.base = name}, .launches = 1};
			}
		}
		for (int s = 0; s < 2; s++)
			side[s] = (struct side_kernels){.kernels = kernels[s], .n = 2 * n};
		match_sides(&side[0], &side[1], &matching);
		assert_int_equal(matching.n, n == PLACE_MATCHES_MOST ? 2 * n : n);
		matching_free(&matching);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_likeness),
		cmocka_unit_test(test_one_left),
		cmocka_unit_test(test_split_and_fused),
		cmocka_unit_test(test_several_in_a_row),
		cmocka_unit_test(test_names_come_first),
		cmocka_unit_test(test_places_that_are_none),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_renamed),
		cmocka_unit_test(test_many_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
