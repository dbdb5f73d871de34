/* program.c: the sentences about a traced program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/pays.h"
#include "fixtures/family-fixture.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "words/pays.h"
#include "words/words.h"

/* Annotates a tree with one recording: the "pays" of its program, and why there are none. */
static json_t *annotated(const char *pays, const char *no_gain)
{
	json_t *tree = json_object(), *recordings = json_array(), *recording = json_object(), *program = json_object();

	if (pays)
		put_json(program, "pays", parse(pays));
	if (no_gain)
		put_json(program, "no_gain", parse(no_gain));
	put_json(recording, "program", program);
	append_json(recordings, recording);
	put_json(tree, "recordings", recordings);
	words_annotate(tree);
	return tree;
}

static json_t *program_in(const json_t *tree)
{
	return json_object_get(json_array_get(json_object_get(tree, "recordings"), 0), "program");
}

static void assert_answer(const char *pays, const char *want)
{
	json_t *tree = annotated(pays, NULL);

	assert_string_equal(tree_text(program_in(tree), "answer"), want);
	json_decref(tree);
}

static void test_answer(void **state)
{
	(void)state;
	assert_answer("[{'range': 'one \\'x\\'', 'process': 7, 'device': 0, 'span_ns': 25600000, 'gain_ns': 9250000, "
		      "'speedup': 1.5657,"
		      "  'copies': [{'class': 'h2d', 'reason': 'same-stream', 'count': 1032, 'bytes': 1048576}]}]",
		"Double buffering could save about 9.25 ms of range “one 'x'” (1.566× as fast). Its 1,032 copies host "
		"to device take turns with the kernels of their stream.");
	assert_answer("[{'range': null, 'process': 7, 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2,"
		      "  'copies': [{'class': 'd2h', 'reason': 'pageable', 'count': 1, 'bytes': 64}]}]",
		"Double buffering could save about 50.0 ns of what process 7 does on GPU 1 (2.00× as fast). One copy "
		"device to host uses pageable memory.");
}

/* What nothing can be done about is no reason. */
static void test_answer_without_reason(void **state)
{
	(void)state;
	assert_answer("[{'range': 'a', 'within': 'b', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2,"
		      "  'copies': [{'class': 'd2h', 'reason': 'alone', 'count': 1, 'bytes': 64}]}]",
		"Double buffering could save about 50.0 ns of range “a” in “b” (2.00× as fast).");
}

/* What became of the place, in a second recording. */
static void test_answer_after(void **state)
{
	(void)state;
	assert_answer("[{'range': 'a', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2, 'copies': [],"
		      "  'after': {'file': 'b.sqlite', 'span_ns': 80, 'speedup': 1.25}}]",
		"Double buffering could save about 50.0 ns of range “a” (2.00× as fast). In b.sqlite this "
		"range "
		"takes 80.0 ns (1.250× as fast).");
	assert_answer(
		"[{'range': 'a', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2, 'copies': [], 'after': "
		"null}]",
		"Double buffering could save about 50.0 ns of range “a” (2.00× as fast).");
}

static void test_nothing_to_gain(void **state)
{
	static const char *const wanted[][2] = {
		{"{'id': 'no-work', 'share': null}",
			"This recording has no work of a GPU: record with CUDA as well, as `dbprof trace` and `nsys "
			"profile -t cuda,nvtx` do."},
		{"{'id': 'no-copies', 'share': null}",
			"Nothing to gain from double buffering: nothing is copied between host and GPU."},
		{"{'id': 'no-kernels', 'share': null}",
			"Nothing to gain from double buffering: no kernel runs that a copy could run beside."},
		{"{'id': 'little-exposed', 'share': 0.004}",
			"Nothing to gain from double buffering: copies without a kernel beside them take 0.400 % of "
			"the time."},
		{"{'id': 'hidden-already', 'share': 0.9}",
			"Nothing to gain from double buffering: 90.0 % of the time of copies is hidden already."},
		{"{'id': 'small', 'share': 0.8}",
			"Double buffering would save less than 1 % anywhere, though copies without a kernel beside "
			"them take 80.0 % of the time."},
		{NULL, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		json_t *tree = annotated("[]", wanted[i][0]);

		assert_string_equal(tree_text(program_in(tree), "answer"), wanted[i][1]);
		json_decref(tree);
	}
}

/* A range and two groups of its copies; the actions of a range are not those of its first group alone. */
static void test_why_and_advice(void **state)
{
	json_t *tree =
		annotated("[{'span_ns': 30000, 'lost_ns': 20000, 'actions': ['async', 'synchronous', 'same-stream'],"
			  "  'copies': [{'reason': 'synchronous', 'actions': ['async', 'synchronous']},"
			  "             {'reason': 'alone', 'actions': ['alone']}]}]",
			NULL);
	const json_t *pay = json_array_get(json_object_get(program_in(tree), "pays"), 0);
	const json_t *copies = json_object_get(pay, "copies");

	(void)state;
	assert_string_equal(tree_text(pay, "why"),
		"For 20.0 µs of 30.0 µs copies run with no kernel beside them. The host waits for the GPU between the "
		"copy and the kernel, so the second is asked for only when the first is done.");
	assert_string_equal(tree_text(pay, "advice"),
		"Copy with cudaMemcpyAsync. Wait for a round only when its buffers are needed again, one round later. "
		"Put the rounds into two streams by turns, each with its own buffers.");
	assert_string_equal(tree_text(json_array_get(copies, 0), "why"),
		"The host waits for the GPU between the copy and the kernel, so the second is asked for only when the "
		"first is done.");
	assert_string_equal(tree_text(json_array_get(copies, 0), "advice"),
		"Copy with cudaMemcpyAsync. Wait for a round only when its buffers are needed again, one round later.");
	assert_string_equal(tree_text(json_array_get(copies, 1), "advice"),
		"Nothing: the first copy in and the last copy out of a pipeline cannot be hidden.");
	json_decref(tree);
}

/* Each reason that the model can name has its words. */
static void test_every_reason(void **state)
{
	(void)state;
	for (int r = 0; r < PAYS_REASONS; r++) {
		const char *reason = pays_reason_name((enum pays_reason)r);
		json_t *pays = json_pack("[{s:[s], s:[{s:s, s:[s]}]}]", "actions", reason, "copies", "reason", reason,
			"actions", reason);
		const json_t *copies = json_object_get(json_array_get(pays, 0), "copies");

		words_pays(pays);
		assert_true(strlen(tree_text(json_array_get(copies, 0), "why")) > 0);
		assert_true(strlen(tree_text(json_array_get(copies, 0), "advice")) > 0);
		assert_true(strlen(tree_text(json_array_get(pays, 0), "advice")) > 0);
		assert_true(!pays_obstacle(reason, true) == (r == PAYS_ALONE || r == PAYS_NONE));
		json_decref(pays);
	}
}

/* A recording without a program and without families: nothing is said but that there is no answer. */
static void test_no_program(void **state)
{
	json_t *tree = parse("{'recordings': [{'gpus': [], 'program': null, 'families': []}]}");
	json_t *same = json_deep_copy(tree);

	(void)state;
	json_object_set_new(json_array_get(json_object_get(same, "recordings"), 0), "answer", json_null());
	words_annotate(tree);
	assert_true(json_equal(tree, same));
	json_decref(tree);
	json_decref(same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_answer_without_reason),
		cmocka_unit_test(test_answer_after),
		cmocka_unit_test(test_nothing_to_gain),
		cmocka_unit_test(test_why_and_advice),
		cmocka_unit_test(test_every_reason),
		cmocka_unit_test(test_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
