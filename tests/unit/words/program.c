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

/* Annotates a tree with one recording: its program with "pays", and why there are none. */
static json_t *annotated_with(const char *rest, const char *pays, const char *no_gain)
{
	json_t *tree = json_object(), *recordings = json_array(), *recording = json_object(), *program = parse(rest);

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

static json_t *annotated(const char *pays, const char *no_gain)
{
	return annotated_with("{}", pays, no_gain);
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
	assert_answer("[{'range': null, 'process': 7, 'device': 1, 'iterations': 40, 'span_ns': 100, 'gain_ns': 50, "
		      "'speedup': 2,"
		      "  'copies': [{'class': 'd2h', 'reason': 'pageable', 'count': 1, 'bytes': 64}]}]",
		"Double buffering could save about 50.0 ns of a loop of 40 rounds on GPU 1 (2.00× as fast). One copy "
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

/* Where two buffers gain nothing but more do. */
static void test_answer_with_more_buffers(void **state)
{
	(void)state;
	assert_answer(
		"[{'range': 'a', 'device': 1, 'gain_ns': 0, 'speedup': 1, 'needs_more': true, 'advised_buffers': 4, "
		"'advised_gain_ns': 7000, 'copies': []}]",
		"Double buffering with 4 buffers could save about 7.00 µs of range “a”.");
	assert_answer("[{'range': 'a', 'device': 1, 'gain_ns': 5000, 'speedup': 2, 'advised_buffers': 3, "
		      "'advised_gain_ns': 7000, 'copies': []}]",
		"Double buffering could save about 5.00 µs of range “a” (2.00× as fast). With 3 buffers it is 7.00 "
		"µs.");
}

/* What the gain needs beside buffers is told with it. */
static void test_memory_made_again(void **state)
{
	json_t *tree = annotated("[{'range': 'a', 'device': 1, 'gain_ns': 5000000, 'speedup': 2, 'copies': [], "
				 "'actions': ['memory'], 'memory': {'calls': [{'name': 'cudaFree', 'count': 39}, "
				 "{'name': 'cudaMalloc', 'count': 39}], 'round_calls': 1.95, 'buffers': 2, "
				 "'gain_ns': 4000000}}]",
		NULL);
	const json_t *pay = json_array_get(json_object_get(program_in(tree), "pays"), 0);

	(void)state;
	assert_string_equal(tree_text(program_in(tree), "answer"),
		"Double buffering could save about 5.00 ms of range “a” (2.00× as fast). Its rounds call cudaFree and "
		"cudaMalloc, about 2 calls a round. Of the saving, 4.00 ms is there only if this memory is made once, "
		"before the loop.");
	assert_non_null(strstr(tree_text(json_object_get(pay, "memory"), "text"), "about 2 calls a round"));
	assert_non_null(strstr(tree_text(pay, "advice"), "cudaMallocAsync"));
	json_decref(tree);
}

#define LATE                                                                                                           \
	"'host_late': {'ns': 4000000, 'share': 0.25, 'matters': true, 'round_ns': 100000.0, 'depth': 2, "              \
	"'hidden_ns': 3000000, 'workers': 3, 'during': [{'kind': 'range', 'name': 'load', 'ns': 3000000}]}"

/* The host costs more than the copies, so the answer tells it; a loop tells what it did and what would hide it. */
static void test_late(void **state)
{
	json_t *tree = annotated_with("{'other_loops': [{'range': 'epoch', 'device': 0, " LATE "}]}",
		"[{'range': 'a', 'device': 1, 'gain_ns': 50, 'speedup': 2, 'copies': []}]", NULL);
	const json_t *program = program_in(tree), *loop = json_array_get(json_object_get(program, "other_loops"), 0);

	(void)state;
	assert_string_equal(tree_text(program, "answer"), "Double buffering could save about 50.0 ns of range “a” "
							  "(2.00× as fast). The GPU waits for the host for "
							  "25.0 % of range “epoch”.");
	assert_string_equal(tree_text(json_object_get(loop, "host_late"), "text"),
		"The GPU waits for the host for 25.0 % of the loop, 100 µs a round. Most of it the host is in range "
		"“load”. A thread that prepares 2 rounds ahead would hide up to 3.00 ms of it. The host takes longer "
		"than "
		"the GPU: about 3 such threads would keep up.");
	json_decref(tree);
}

/* A gain larger than the time that the host costs is told alone; a loop whose host is hardly late has no words. */
static void test_not_late(void **state)
{
	json_t *tree =
		annotated("[{'range': 'a', 'device': 1, 'gain_ns': 5000000, 'speedup': 2, 'copies': [], " LATE "}, "
			  "{'host_late': {'ns': 1, 'share': 0.001, 'matters': false}}]",
			NULL);
	const json_t *pays = json_object_get(program_in(tree), "pays");

	(void)state;
	assert_string_equal(tree_text(program_in(tree), "answer"),
		"Double buffering could save about 5.00 ms of range “a” (2.00× as fast).");
	assert_false(tree_has(json_object_get(json_array_get(pays, 1), "host_late"), "text"));
	json_decref(tree);
}

#define MANAGED "'managed': {'lost_ns': 4000000, 'share': 0.25, 'matters': true, 'gain_most_ns': 3000000}"

/* What migrations cost is told beside the gain, or instead of one. */
static void test_managed(void **state)
{
	json_t *tree = annotated("[{'range': 'a', 'device': 1, 'gain_ns': 50, 'speedup': 2, 'copies': ["
				 "{'class': 'h2d', 'reason': 'managed', 'count': 3, 'gain_ns': null}, "
				 "{'class': 'h2d', 'reason': 'same-stream', 'count': 2, 'gain_ns': 50}], " MANAGED "}]",
		NULL);
	const json_t *managed =
		json_object_get(json_array_get(json_object_get(program_in(tree), "pays"), 0), "managed");

	(void)state;
	assert_string_equal(tree_text(program_in(tree), "answer"),
		"Double buffering could save about 50.0 ns of range “a” (2.00× as fast). Its 2 copies host to device "
		"take turns with the kernels of their stream. Managed memory migrates for 4.00 ms of it with no kernel "
		"beside it. No replay knows what waits for migrations: beside kernels "
		"they would save up to 3.00 ms, which no estimate counts.");
	assert_string_equal(tree_text(managed, "text"),
		"For 4.00 ms (25.0 % of the loop) managed memory migrates with no kernel beside it. No call asks for a "
		"migration, so no replay knows what waits for it. Beside kernels, migrations would save up to 3.00 ms, "
		"which no estimate counts.");
	assert_non_null(strstr(tree_text(managed, "advice"), "cudaMemPrefetchAsync"));
	json_decref(tree);
	tree = annotated_with("{'other_loops': [{'range': 'b', 'device': 1, " MANAGED "}, "
			      "{'managed': {'lost_ns': 5000000, 'matters': false}}]}",
		"[]", "{'id': 'managed', 'share': 0.2}");
	assert_string_equal(tree_text(program_in(tree), "answer"),
		"No gain was found: the driver moves managed memory, and no replay tells what that costs. Managed "
		"memory migrates for 4.00 ms of range “b” with no kernel beside it. No replay knows what waits for "
		"migrations: beside kernels they would save up to 3.00 ms, which no estimate counts. The inside of "
		"kernels was not looked at.");
	json_decref(tree);
}

/* The loop to gain at is also the one whose host is late; more than the copies' time can be saved. */
static void test_late_in_the_same_loop(void **state)
{
	json_t *tree = annotated("[{'range': 'a', 'device': 1, 'gain_ns': 5000, 'speedup': 2, 'lost_ns': 4000, "
				 "'loop_ns': 10000, 'gain_both_ways_ns': 3000, "
				 "'copies': [{'class': 'h2d', 'reason': 'none', 'count': 2}], " LATE "}]",
		NULL);
	const json_t *pay = json_array_get(json_object_get(program_in(tree), "pays"), 0);

	(void)state;
	assert_string_equal(tree_text(program_in(tree), "answer"),
		"Double buffering could save about 5.00 µs of range “a” (2.00× as fast). The GPU waits for the host "
		"for "
		"25.0 % of it.");
	assert_non_null(strstr(tree_text(pay, "why"),
		"More than that could be saved: the host's own work would run beside the GPU as well. Most of the gain "
		"comes from copies in both directions at once."));
	json_decref(tree);
}

/* Where the host asks for all in time, the gaps of a stream are what else can be saved. */
static void test_gaps_beside_copies(void **state)
{
	json_t *tree = annotated("[{'range': 'a', 'gain_ns': 5000, 'speedup': 2, 'lost_ns': 4900, 'loop_ns': 10000, "
				 "'gain_both_ways_ns': 0, 'copies': [{'class': 'h2d', 'reason': 'same-stream', "
				 "'count': 2}], 'host_late': {'ns': 0, 'share': 0, 'matters': false}}]",
		NULL);
	const json_t *pay = json_array_get(json_object_get(program_in(tree), "pays"), 0);

	(void)state;
	assert_non_null(strstr(tree_text(pay, "why"),
		"More than that could be saved: the gaps between copies and kernels would be filled as well."));
	json_decref(tree);
}

/* A replay that is not like the recording makes the estimate less sure. */
static void test_doubt(void **state)
{
	json_t *tree = annotated("[{'replay_unlike': true, 'replay_error': -0.08}, {'replay_unlike': false}]", NULL);
	const json_t *pays = json_object_get(program_in(tree), "pays");

	(void)state;
	assert_string_equal(tree_text(json_array_get(pays, 0), "doubt"),
		"The replay of this loop as it was takes 8.00 % less than "
		"the recording: the estimate may be off as much.");
	assert_false(tree_has(json_array_get(pays, 1), "doubt"));
	json_decref(tree);
}

/* What became of the place, in a second recording. */
static void test_answer_after(void **state)
{
	(void)state;
	assert_answer("[{'range': 'a', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2, 'copies': [],"
		      "  'after': {'file': 'b.sqlite', 'range': 'a', 'span_ns': 80, 'speedup': 1.25}}]",
		"Double buffering could save about 50.0 ns of range “a” (2.00× as fast). In b.sqlite the "
		"GPU takes 80.0 ns for this range (1.250× as fast).");
	assert_answer(
		"[{'range': 'a', 'device': 1, 'span_ns': 100, 'gain_ns': 50, 'speedup': 2, 'copies': [], 'after': "
		"null}]",
		"Double buffering could save about 50.0 ns of range “a” (2.00× as fast).");
}

/* A part of a recording tells of itself. */
static void test_no_gain_in_a_part(void **state)
{
	static const char *const wanted[][3] = {
		{"{'id': 'no-copies'}", "{'range': 'step *', 'copies': 0, 'copies_outside': 0}",
			"No gain was found: nothing is copied between host and GPU in ranges named “step *”. The "
			"inside "
			"of kernels was not looked at."},
		{"{'id': 'no-copies'}", "{'range': 'step', 'copies': 0, 'copies_outside': 1}",
			"No gain was found: nothing is copied between host and GPU in ranges named “step”; 1 copy lies "
			"outside of them. The inside of kernels was not looked at."},
		{"{'id': 'no-copies'}", "{'range': null, 'from_ns': 5}",
			"No gain was found: nothing is copied between host and GPU in this part of the recording. The "
			"inside of kernels was not looked at."},
		{"{'id': 'no-work'}", "{'range': 'step', 'copies': 0, 'copies_outside': 3}",
			"No work of a GPU was launched in ranges named “step”, on their threads."},
		{"{'id': 'other-threads', 'share': 0.4}", "{'range': 'step', 'copies': 2, 'copies_outside': 3}",
			"No gain is estimated: while ranges named “step” were open, other threads launched 40.0 % of "
			"the GPU's work, which is left out."},
		{"{'id': 'other-threads', 'share': 0.4}", "{'range': 'step', 'copies': 0, 'copies_outside': 1000}",
			"No gain is estimated: while ranges named “step” were open, other threads launched 40.0 % of "
			"the GPU's work, which is left out. Nothing is copied between host and GPU in ranges named "
			"“step”; 1,000 copies lie outside of them."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		json_t *program = json_object(), *tree;

		put_json(program, "pays", json_array());
		put_json(program, "no_gain", parse(wanted[i][0]));
		tree = json_pack("{s:[{s:o, s:o}]}", "recordings", "program", program, "part", parse(wanted[i][1]));
		words_annotate(tree);
		assert_string_equal(tree_text(program_in(tree), "answer"), wanted[i][2]);
		json_decref(tree);
	}
}

static void test_nothing_to_gain(void **state)
{
	static const char *const wanted[][2] = {
		{"{'id': 'no-work', 'share': null}",
			"This recording has no work of a GPU: record with CUDA as well, as dbprof trace and nsys "
			"profile -t cuda,nvtx do."},
		{"{'id': 'graphs', 'share': null}",
			"No gain was found: what CUDA graphs copy and compute was not recorded. The inside of kernels "
			"was not looked at."},
		{"{'id': 'no-copies', 'share': null}",
			"No gain was found: nothing is copied between host and GPU. The inside of kernels was not "
			"looked at."},
		{"{'id': 'no-kernels', 'share': null}",
			"No gain was found: no kernel runs that a copy could run beside. The inside of kernels was not "
			"looked at."},
		{"{'id': 'little-exposed', 'share': 0.004}", "No gain was found: copies without a kernel beside them "
							     "take 0.400 % of the time. The inside of "
							     "kernels was not looked at."},
		{"{'id': 'hidden-already', 'share': 0.9}",
			"No gain was found: 90.0 % of the time of copies is hidden already. The inside of kernels was "
			"not looked at."},
		{"{'id': 'small', 'share': 0.8}",
			"No gain was found: two buffers would save 2 % in none of 3 loops. Not "
			"looked at: the inside of kernels, and work outside of loops (31.0 ms "
			"of copies)."},
		{"{'id': 'no-loop', 'share': 0.8}",
			"No gain was found: the program has no loop, and copies alone take 80.0 % of the time. Not "
			"looked at: "
			"the inside of kernels, and work outside of loops (31.0 ms of copies)."},
		{NULL, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		bool outside = wanted[i][0] && (strstr(wanted[i][0], "small") || strstr(wanted[i][0], "no-loop"));
		json_t *tree = annotated_with(
			outside ? "{'loops': 3, 'outside': {'copy_ns': 31000000}}" : "{}", "[]", wanted[i][0]);

		assert_string_equal(tree_text(program_in(tree), "answer"), wanted[i][1]);
		json_decref(tree);
	}
}

/* A range and two groups of its copies; the actions of a range are not those of its first group alone. */
static void test_why_and_advice(void **state)
{
	json_t *tree =
		annotated("[{'loop_ns': 30000, 'lost_ns': 20000, 'actions': ['async', 'synchronous', 'same-stream'],"
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
		cmocka_unit_test(test_answer_with_more_buffers),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_not_late),
		cmocka_unit_test(test_memory_made_again),
		cmocka_unit_test(test_managed),
		cmocka_unit_test(test_late_in_the_same_loop),
		cmocka_unit_test(test_gaps_beside_copies),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_answer_after),
		cmocka_unit_test(test_nothing_to_gain),
		cmocka_unit_test(test_no_gain_in_a_part),
		cmocka_unit_test(test_why_and_advice),
		cmocka_unit_test(test_every_reason),
		cmocka_unit_test(test_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
