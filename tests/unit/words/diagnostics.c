/* diagnostics.c: the texts of diagnostics that the model found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/family-fixture.h"
#include "tree/tree.h"
#include "words/diagnostics.h"

static void assert_diagnostic(const char *facts, const char *want)
{
	json_t *recording = json_pack("{s:[o]}", "diagnostics", parse(facts));

	words_diagnostics(recording);
	assert_string_equal(tree_text(json_array_get(json_object_get(recording, "diagnostics"), 0), "text"), want);
	json_decref(recording);
}

static void test_lacking(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'records-without-times', 'records': 1}", "1 record has no times and is left out");
	assert_diagnostic("{'id': 'records-without-times', 'records': 2}", "2 records have no times and are left out");
	assert_diagnostic("{'id': 'samples-without-times', 'samples': 1, 'of': 9}",
		"1 of 9 samples of families is no time above 0 and is left out");
	assert_diagnostic("{'id': 'samples-without-times', 'samples': 3, 'of': 9}",
		"3 of 9 samples of families are no times above 0 and are left out");
	assert_diagnostic("{'id': 'graphs-as-a-whole', 'launches': 1}",
		"1 launch of CUDA graphs was recorded as a whole: the kernels and copies inside are missing from every "
		"number but busy and idle time; record again with `nsys profile --cuda-graph-trace=node`");
	assert_diagnostic("{'id': 'no-calls'}",
		"the calls of the CUDA API were not recorded: no device work can be assigned to NVTX ranges");
	assert_diagnostic("{'id': 'process-unknown', 'pieces': 3}",
		"3 pieces of device work belong to no NVTX range: several processes were recorded, and the file does "
		"not say whose work it is");
}

static void test_counts_differ(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'counts-differ', 'family': 'f', 'variant': 'v', 'case': 'c', 'what': 'kernels',"
			  " 'host': 5, 'at_least': true, 'recorded': 4}",
		"f/v, case c: the host counted at least 5 kernels, the profiler recorded 4: do not trust this trace");
	assert_diagnostic("{'id': 'counts-differ', 'family': null, 'variant': null, 'case': null, 'what': null,"
			  " 'host': -1, 'at_least': false, 'recorded': 9223372036854775807}",
		"?/?, case ?: the host counted -1 events, the profiler recorded 9223372036854775807: do not trust this "
		"trace");
}

static void test_left_out(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'rows-left-out', 'table': 'DBPROF_SAMPLE', 'rows': 7}",
		"DBPROF_SAMPLE has more than 7 rows: those beyond are left out");
	assert_diagnostic("{'id': 'gpus-left-out', 'gpus': 256, 'pieces': 1}",
		"device work on more than 256 GPUs was recorded: 1 piece on the others is left out");
	assert_diagnostic("{'id': 'range-names-left-out', 'names': 2300, 'told': 2000}",
		"there are NVTX ranges of 2300 names: those of the 2000 names with the most time are told");
	assert_diagnostic("{'id': 'ranges-left-out', 'names': 2000, 'told': 12}",
		"of the NVTX ranges of 2000 names only the first 12 are told: they are on too many GPUs, or in too "
		"many others");
	assert_diagnostic("{'id': 'estimates-of-a-part', 'looked_at': 1000, 'pieces': 5000}",
		"where double buffering would pay is estimated from 1000 of 5000 pieces of work, in windows over all "
		"of it");
	assert_diagnostic("{'id': 'lanes-left-out', 'shown': 200, 'left_out': 31}",
		"a timeline shows the 200 lanes with the most work and leaves out 31");
	assert_diagnostic("{'id': 'kernel-names-left-out', 'names': 5205, 'told': 5000}",
		"there are kernels of 5205 names: the 5000 with the most time are told");
	assert_diagnostic("{'id': 'cut-to-size', 'bytes': 1000000, 'ranges': 3, 'kernels': 1, 'texts': 9}",
		"the report has room for 1000000 bytes, so its lists are shorter by 3 NVTX range names, 1 kernel name, "
		"and long names are cut: sums stand for the rest, and `dbprof export --format=csv` writes every event");
	assert_diagnostic("{'id': 'processes-left-out', 'told': 2000}",
		"there are more processes, or GPUs of processes, than are told: the first 2000 processes are");
}

/* What the recording says itself stays as it is. */
static void test_recorded(void **state)
{
	(void)state;
	assert_diagnostic("{'severity': 'info', 'text': 'a made-up program'}", "a made-up program");
}

static void test_unreadable(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'formula-unreadable', 'metric': 'wrong', 'error': 'no number'}",
		"the formula of wrong cannot be read: no number");
	assert_diagnostic("{'id': 'code-unreadable', 'error': 'f.cu: line 3 closes a, which is not open'}",
		"f.cu: line 3 closes a, which is not open");
	assert_diagnostic("{'id': 'code-too-long', 'file': 'f.cu'}",
		"f.cu: the code of the contrast pair is too long to be put side by side");
}

/* What an estimate of double buffering has to assume. */
static void test_assumed(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'loops-without-calls'}",
		"without calls of the CUDA API the host is taken to ask for work as early as possible; how late it was "
		"is unknown");
	assert_diagnostic("{'id': 'events-by-order', 'waits': 40}",
		"which event 40 waits of streams were for is not recorded: the event that the thread recorded last is "
		"assumed");
	assert_diagnostic("{'id': 'events-by-order', 'waits': 1}",
		"which event 1 wait of streams was for is not recorded: the event that the thread recorded last is "
		"assumed");
	assert_diagnostic("{'id': 'waits-by-time', 'waits': 1}",
		"what the host waited for in 1 call is not recorded: the work that ended last in the call is assumed");
	assert_diagnostic("{'id': 'events-without-sync', 'waits': 3}",
		"eventSyncId is not recorded: 3 waits for events are assumed to be for the latest record of the event");
	assert_diagnostic("{'id': 'engines-unknown', 'gpus': 1}",
		"how many copy engines 1 GPU has is not recorded (asyncEngines): one for each direction is assumed");
	assert_diagnostic("{'id': 'streams-unknown'}",
		"which streams are non-blocking is not recorded: all are assumed to wait for the default stream, "
		"number 7");
	assert_diagnostic("{'id': 'pinned-speed-unknown', 'copies': 9}",
		"how fast 9 copies would be from pinned memory is not recorded: the time from pageable memory is "
		"assumed, so more may be saved");
	assert_diagnostic("{'id': 'replay-unlike', 'loops': 1}",
		"a replay of 1 loop as recorded is more than 2 % off: the estimate for it may be off as much");
	assert_diagnostic("{'id': 'replay-unlike', 'loops': 3}",
		"a replay of 3 loops as recorded is more than 2 % off: the estimates for them may be off as much");
}

/* The part that a report is of. */
static void test_part(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'part-of-recording', 'from_ns': 1200000000, 'to_ns': 2500000000}",
		"this report is of the work that begins between 1.2 s and 2.5 s");
	assert_diagnostic("{'id': 'part-of-recording', 'from_ns': 3000000000}",
		"this report is of the work that begins at 3 s or later");
	assert_diagnostic("{'id': 'part-of-recording', 'range': 'step', 'used': 10, 'instances': 100}",
		"this report is of the work in 10 of 100 NVTX ranges named “step”: spans and idle times count the time "
		"between them too");
	assert_diagnostic("{'id': 'part-of-recording', 'range': 'step', 'used': 1, 'instances': 2, 'to_ns': "
			  "2500000000}",
		"this report is of the work in 1 of 2 NVTX ranges named “step”, before 2.5 s: spans and idle times "
		"count the time between them too");
	assert_diagnostic("{'id': 'part-of-recording', 'chosen': true, 'first_ns': 0, 'last_ns': 10000000000, "
			  "'needs_bytes': 8000000000, 'free_bytes': 4000000000, 'to_ns': 2500000000}",
		"the whole recording, 0 s to 10 s, takes about 7.45 GiB of memory, and 3.73 GiB are free: this report "
		"is of the work that begins before 2.5 s; choose another part with --window=FROM..TO");
}

/* What --range leaves out. */
static void test_other_threads(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'other-threads', 'kernels': 1, 'copies': 1, 'rest': 2, 'share': 0.25, 'threads': 1, "
			  "'from_ns': 1999, 'to_ns': 3001, 'range': 'step', 'estimated': false}",
		"1 other thread launched 1 kernel, 1 copy and 2 other pieces (25.0 % of GPU time) while ranges named "
		"“step” were open: left out. No gain is estimated from the rest. Leave --range out, or use "
		"--window=0.000001s..0.000004s, which has all of that work");
	assert_diagnostic("{'id': 'other-threads', 'kernels': 0, 'copies': 2, 'rest': 1, 'share': 0.001, 'threads': 2, "
			  "'from_ns': 1000000000, 'to_ns': 2000000000, 'range': 'step', 'estimated': true}",
		"2 other threads launched 2 copies and 1 other piece (0.100 % of GPU time) while ranges named “step” "
		"were open: left out. Leave --range out, or use --window=1.000000s..2.000000s, which has all of that "
		"work");
}

/* Nothing is said of a note whose id is not known. */
static void test_unknown_id(void **state)
{
	(void)state;
	assert_diagnostic("{'id': 'from-the-future', 'waits': 3}", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_counts_differ),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_assumed),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_other_threads),
		cmocka_unit_test(test_unknown_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
