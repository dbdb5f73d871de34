/* steady.c: which steps of a run count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "contrast/step/steady.h"

enum { MOST = 64 };

/* A letter for each step: its list, '.' for none, capital letters in a second process. Returns how many. */
static size_t take_lists(const char *lists, struct step_list *steps)
{
	size_t n = strlen(lists);

	assert_true(n <= MOST);
	for (size_t i = 0; i < n; i++) {
		steps[i] = (struct step_list){0, (uint64_t)(lists[i] | 0x20), lists[i] == '.' ? 0 : 2};
		steps[i].process = lists[i] >= 'A' && lists[i] <= 'Z';
	}
	return n;
}

/* The answer has a letter for each step, too: s steady, f first, o other list, e empty. */
static const char *steady_of(const char *lists, bool any_list)
{
	static char answer[MOST + 1];
	struct step_list steps[MOST];
	enum left_out why[MOST];
	size_t n = take_lists(lists, steps);

	steady_steps(steps, n, any_list, why);
	for (size_t i = 0; i < n; i++)
		answer[i] = why[i] == LEFT_NOTHING      ? 's'
			    : why[i] == LEFT_FIRST_STEP ? 'f'
			    : why[i] == LEFT_OTHER_STEP ? 'o'
							: 'e';
	answer[n] = '\0';
	return answer;
}

static const char *steady(const char *lists)
{
	return steady_of(lists, false);
}

/* w: warm-up. */
static const char *warm_up(const char *lists)
{
	static char answer[MOST + 1];
	struct step_list steps[MOST];
	enum left_out why[MOST];
	bool warm[MOST];
	size_t n = take_lists(lists, steps);

	steady_steps(steps, n, false, why);
	steps_of_warm_up(steps, n, why, warm);
	for (size_t i = 0; i < n; i++)
		answer[i] = warm[i] ? 'w' : '-';
	answer[n] = '\0';
	return answer;
}

static void test_steady(void **state)
{
	(void)state;
	assert_string_equal(steady(""), "");
	assert_string_equal(steady("a"), "s");
	assert_string_equal(steady("aa"), "ss");
	assert_string_equal(steady("aaa"), "fss");
	assert_string_equal(steady("waaaa"), "ossss");
	assert_string_equal(steady("abaab"), "fosso");
}

/* Of lists as common the last one is meant. */
static void test_as_common(void **state)
{
	(void)state;
	assert_string_equal(steady("ab"), "os");
	assert_string_equal(steady("aabb"), "ooss");
	assert_string_equal(steady("abab"), "osos");
	assert_string_equal(steady("baab"), "foos");
	assert_string_equal(steady("abc"), "oos");
}

/* Where lists take turns, the number of steps decides nothing. */
static void test_turns(void **state)
{
	(void)state;
	assert_string_equal(steady("ababababab"), "ososososos");
	assert_string_equal(steady("abababababa"), "osososososo");
	assert_string_equal(steady("bababababa"), "fososososo");
	assert_string_equal(steady("babababab"), "fosososos");
	/* A phase that is over takes no turns. */
	assert_string_equal(steady("bbbbbaaaaa"), "ooooosssss");
}

static void test_no_kernels(void **state)
{
	(void)state;
	assert_string_equal(steady("..."), "eee");
	assert_string_equal(steady("....a"), "eeees");
	/* The first step is all there is. */
	assert_string_equal(steady("a...."), "seeee");
}

/* Each process has a first step. */
static void test_two_processes(void **state)
{
	(void)state;
	assert_string_equal(steady("aAaAaA"), "ffssss");
	assert_string_equal(steady("aaaA"), "fsss");
	/* Each has a list of its own, too, however the two are mixed. */
	assert_string_equal(steady("aBaBaB"), "ffssss");
	assert_string_equal(steady("BaBaBa"), "ffssss");
	assert_string_equal(steady("waaaaBBB"), "ossssfss");
	assert_string_equal(steady("a..AAAA"), "seefsss");
	/* A list that a process has once may be a warm-up. */
	assert_string_equal(steady("wAAA"), "ofss");
	assert_string_equal(steady("wA"), "ss");
	assert_string_equal(steady("waAAA"), "osfss");
}

/* Where nothing is held against it, no list is left out: warm-up is. */
static void test_any_list(void **state)
{
	(void)state;
	assert_string_equal(steady_of("", true), "");
	assert_string_equal(steady_of("ab", true), "ss");
	assert_string_equal(steady_of("abab", true), "fsss");
	assert_string_equal(steady_of("waaab", true), "fssss");
	assert_string_equal(steady_of(".a.bA", true), "esess");
}

/* What comes first is warm-up if it is few steps, whatever lists they have. */
static void test_warm_up(void **state)
{
	(void)state;
	assert_string_equal(warm_up(""), "");
	assert_string_equal(warm_up("a"), "-");
	assert_string_equal(warm_up("aa"), "--");
	assert_string_equal(warm_up("ab"), "w-");
	assert_string_equal(warm_up("aaa"), "w--");
	assert_string_equal(warm_up("vwaaaaaaaa"), "ww--------");
	assert_string_equal(warm_up("wwaaa"), "ww---");
	assert_string_equal(warm_up("vwxyzaaaaaa"), "wwwww------");
	/* A tenth of a long run. */
	assert_string_equal(warm_up("wwwwwwaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
		"wwwwww----------------------------------------------------------");
	/* What follows never is, and what takes turns is not, but for the first of each. */
	assert_string_equal(warm_up("aaaabbb"), "w------");
	assert_string_equal(warm_up("bababababa"), "ww--------");
}

/* Many steps are a phase of their own. */
static void test_a_phase_is_no_warm_up(void **state)
{
	(void)state;
	assert_string_equal(warm_up("ttttttvvvvvvvv"), "w-------------");
	assert_string_equal(warm_up("ttttttvvvvvv"), "w-----------");
	assert_string_equal(warm_up("tttvvv"), "w-----");
	/* It has a warm-up as well. */
	assert_string_equal(warm_up("xyttttttvvvvvvvv"), "ww--------------");
	assert_string_equal(warm_up("......aaaaaaa"), "w------------");
	/* Of each process. */
	assert_string_equal(warm_up("ttTtWttAtAAvvvvvvvvA"), "w-w-w---------------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_as_common),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_no_kernels),
		cmocka_unit_test(test_any_list),
		cmocka_unit_test(test_warm_up),
		cmocka_unit_test(test_a_phase_is_no_warm_up),
		cmocka_unit_test(test_two_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
