/* advice.c: sentences about kernels of an advised program, and what these are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "tree/tree.h"
#include "words/advice/advice.h"

/* `second` is what the second of two kernels has: the first one is told by `want`. */
static void assert_label(const char *first, const char *second, const char *want)
{
	json_t *recording = json_pack("{s:{}, s:[o, o]}", "advised", "advice", parse(first), parse(second));

	words_program_advice(recording);
	assert_string_equal(tree_text(json_array_get(json_object_get(recording, "advice"), 0), "label"), want);
	json_decref(recording);
}

static void test_label(void **state)
{
	static const char one[] = "{'kernel': 'tiles', 'name': 'void tiles<2, 64>(float*)'}";
	static const char other[] = "{'kernel': 'tiles', 'name': 'void tiles<3, 64>(float*)'}";

	(void)state;
	assert_label(one, "{'kernel': 'copy', 'name': 'copy(float*)'}", "tiles");
	assert_label(one, other, "tiles<2, 64>");
	assert_label("{'kernel': 'tiles', 'name': 'tiles<(int)2, pair<int>>(pair<int>)'}", other,
		"tiles<(int)2, pair<int>>");
	assert_label("{'kernel': 'tiles', 'name': 'tiles(float*)'}", other, "tiles(float*)");
	assert_label("{'kernel': 'tiles', 'name': 'tiles<never closed'}", other, "tiles<never closed");
	assert_label("{'kernel': 'tiles', 'name': ''}", other, "tiles");
}

static void assert_check(const char *advised, const char *want)
{
	static const char kernel[] = "{'kernel': 'a', 'name': 'a', 'verdict': 'pays', 'stages': 3, 'now': {'stages': "
				     "{'value': 1}}, 'best': {'stages': 3, 'low': 0.1, 'mid': 0.2, 'high': 0.3}}";
	json_t *recording = json_pack("{s:o, s:[o]}", "advised", parse(advised), "advice", parse(kernel));

	words_program_advice(recording);
	assert_string_equal(tree_text(json_array_get(json_object_get(recording, "advice"), 0), "check"), want);
	json_decref(recording);
}

/* It has no option that it does not need. */
static void test_how_to_check(void **state)
{
	(void)state;
	assert_check("{'command': './a b'}", "dbprof contrast --kernel '^a$' --vary stages=1,3 -- ./a b '{stages}'");
	assert_check("{'command': './a', 'check_budget_s': null, 'check_timeout_s': null}",
		"dbprof contrast --kernel '^a$' --vary stages=1,3 -- ./a '{stages}'");
	assert_check("{'command': './a', 'check_budget_s': 36370.0, 'check_timeout_s': 1200.0}",
		"dbprof contrast --kernel '^a$' --budget=36370s --timeout=1200s --vary stages=1,3 -- ./a '{stages}'");
}

/* A stranger's file may give any cause any time. */
static void assert_cause(const char *ns, const char *want)
{
	char facts[256];
	json_t *recording, *advice, *cause;

	snprintf(facts, sizeof(facts),
		"{'kernel': 'a', 'name': 'a', 'verdict': 'does-not', 'causes': [{'id': 'memory-latency-hidden', 'ns': "
		"%s}]}",
		ns);
	recording = json_pack("{s:{}, s:[o]}", "advised", "advice", parse(facts));
	words_program_advice(recording);
	advice = json_array_get(json_object_get(recording, "advice"), 0);
	cause = json_array_get(json_object_get(advice, "causes"), 0);
	assert_string_equal(tree_text(cause, "text"), want);
	json_decref(recording);
}

static void assert_verdict(const char *verdict, bool probable, const char *gain, const char *want)
{
	char facts[256];
	json_t *recording;

	snprintf(facts, sizeof(facts),
		"{'kernel': 'a', 'name': 'a', 'verdict': '%s', 'probable': %s, 'best': {'stages': 3, %s}}", verdict,
		probable ? "true" : "false", gain);
	recording = json_pack("{s:{}, s:[o]}", "advised", "advice", parse(facts));
	words_program_advice(recording);
	assert_string_equal(tree_text(json_array_get(json_object_get(recording, "advice"), 0), "verdict_text"), want);
	json_decref(recording);
}

static void test_probable(void **state)
{
	(void)state;
	assert_verdict("pays", false, "'low': 0.05, 'mid': 0.2, 'high': 0.4",
		"Pays: 1.200× (1.050× to 1.400×) with 3 stages.");
	assert_verdict("pays", true, "'low': -0.05, 'mid': 0.2, 'high': 0.4",
		"Probably pays: 1.200× (0.950× to 1.400×) with 3 stages.");
	assert_verdict("does-not", false, "'low': -0.06, 'mid': 0, 'high': 0.06",
		"Does not pay: the best other number of stages, 3, gives 1.000× (0.940× to 1.060×).");
	assert_verdict("does-not", true, "'low': -0.06, 'mid': 0, 'high': 0.2",
		"Probably does not pay: the best other number of stages, 3, gives 1.000× (0.940× to 1.200×).");
}

static void test_cause_without_time(void **state)
{
	(void)state;
	assert_cause("2000", "more tiles ahead would hide only 2.00 µs of a launch");
	assert_cause("null", "more tiles ahead would hide only little of a launch");
	assert_cause("0", "more tiles ahead would hide only little of a launch");
}

static void assert_now(const char *triton, const char *want)
{
	char facts[256];
	json_t *recording;
	const char *text;

	snprintf(facts, sizeof(facts),
		"{'kernel': 'a', 'name': 'a', 'triton': %s, 'now': {'stages': {'value': 4, 'how': 'seen'}, 'code': "
		"{}}}",
		triton);
	recording = json_pack("{s:{}, s:[o]}", "advised", "advice", parse(facts));
	words_program_advice(recording);
	text = tree_text(json_array_get(json_object_get(recording, "advice"), 0), "now_text");
	assert_non_null(strstr(text, want));
	json_decref(recording);
}

/* With four stages Triton has two or three tiles ahead. */
static void test_stages_now(void **state)
{
	(void)state;
	assert_now("false", " So 4 stages are in flight.");
	assert_now("true", " So num_stages is 4.");
}

/* Two kernels for which it pays, and what is to be done with them. */
static void assert_answer(const char *first, const char *other, const char *want)
{
	static const char advised[] = "{'verdicts': {'pays': 2, 'does-not': 0, 'too-close': 0, 'unknown': 0}, "
				      "'saved': {'mid': 10, 'low': 8, 'high': 12}}";
	json_t *recording = json_pack("{s:o, s:[{s:s, s:{s:s}}, {s:s, s:{s:s}}]}", "advised", parse(advised), "advice",
		"verdict", "pays", "action", "id", first, "verdict", "pays", "action", "id", other);
	const char *answer;

	words_program_advice(recording);
	answer = tree_text(json_object_get(recording, "advised"), "answer");
	assert_memory_equal(answer, want, strlen(want));
	json_decref(recording);
}

/* Who follows the first sentence must not make the program slower. */
static void test_fewer_buffers(void **state)
{
	(void)state;
	assert_answer("more-stages", "load-ahead", "More buffers would pay in 2 of 2 kernels. ");
	assert_answer("more-stages", "fewer-stages", "Another number of buffers would pay in 2 of 2 kernels. ");
	assert_answer("fewer-stages", "fewer-stages", "Fewer buffers would pay in 2 of 2 kernels. ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_how_to_check),
		cmocka_unit_test(test_probable),
		cmocka_unit_test(test_cause_without_time),
		cmocka_unit_test(test_stages_now),
		cmocka_unit_test(test_fewer_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
