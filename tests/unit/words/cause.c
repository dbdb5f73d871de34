/* cause.c: sentences about causes: each once, and their lengths, for made-up pairs and for the recordings that ship. */
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/noise.h"
#include "model/model.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "words/cause.h"
#include "words/words.h"

enum { MOST_WORDS = 25, MOST_BECAUSE = 14, MOST_NUMBERS = 2 };

/* ---- lengths ---- */

static int words_in(const char *text)
{
	int n = 0;

	while (*(text += strspn(text, " ")) != '\0') {
		text += strcspn(text, " ");
		n++;
	}
	return n;
}

/* A number is a word that begins with a digit. */
static int numbers_in(const char *text)
{
	int n = 0;

	while (*(text += strspn(text, " (")) != '\0') {
		n += isdigit((unsigned char)*text) != 0;
		text += strcspn(text, " ");
	}
	return n;
}

static void is_a_sentence(const char *text)
{
	size_t length = strlen(text);

	if (length == 0 || islower((unsigned char)text[0]) || text[length - 1] != '.' || strchr(text, '{') ||
		strstr(text, "n/a") || strstr(text, "nan") || words_in(text) > MOST_WORDS ||
		numbers_in(text) > MOST_NUMBERS)
		fail_msg("%d words of at most %d, %d numbers of at most %d: %s", words_in(text), MOST_WORDS,
			numbers_in(text), MOST_NUMBERS, text);
}

static void is_short(const char *text)
{
	size_t length = strlen(text);

	if (length == 0 || text[length - 1] == '.' || words_in(text) > MOST_BECAUSE || strstr(text, "nan"))
		fail_msg("%d words of at most %d (MOST_BECAUSE): %s", words_in(text), MOST_BECAUSE, text);
}

static void contrast_is_readable(const json_t *contrast)
{
	const json_t *causes = json_object_get(contrast, "causes");

	is_short(tree_text(contrast, "because"));
	is_a_sentence(tree_text(contrast, "cause"));
	for (size_t i = 0; i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);

		is_a_sentence(tree_text(cause, "text"));
		if (tree_has(cause, "action"))
			assert_true(tree_has(cause, "advice"));
		if (tree_has(cause, "advice"))
			is_a_sentence(tree_text(cause, "advice"));
	}
}

/* ---- made-up pairs ---- */

static const char *const actions[] = {"enqueue-ahead", "launch-ahead", "feed-all-gpus", "pin-memory", "larger-copies",
	"allow-registers", "fewer-barriers", "load-earlier", "wider-shared-access", "fewer-instructions",
	"fewer-registers", "less-shared-memory", "other-block-size", "fit-the-grid", "record-counters"};

static const char *const reasons[] = {"stall_barrier", "stall_long_scoreboard", "stall_membar", "stall_mio_throttle",
	"stall_not_selected", "stall_math_pipe_throttle", "stall_gmma", "stall_of_the_future", "stall_selected"};

static size_t random_place(size_t n, struct random *random)
{
	return (size_t)(random_uniform(random) * (double)n);
}

#define ANY(list, random) list[random_place(sizeof(list) / sizeof((list)[0]), random)]

/* From 1 ns to 100 s, with a sign. */
static double any_ns(struct random *random)
{
	double ns = exp(25 * random_uniform(random));

	return random_uniform(random) < 0.5 ? -ns : ns;
}

static json_t *any_evidence(enum cause_id id, struct random *random)
{
	static const char *const units[] = {"ns", "bytes", "", "instructions"};
	bool state = id >= CAUSE_BARRIER && id <= CAUSE_OTHER_WAITS && id != CAUSE_INSTRUCTIONS;
	bool percent = state || id == CAUSE_OCCUPANCY;
	double most = percent ? 100 : 1e9;

	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:s}", "metric", state ? ANY(reasons, random) : "m", "title", "T",
		"single", real_json(random_uniform(random) < 0.1 ? 0 : most * random_uniform(random)), "double",
		real_json(most * random_uniform(random)), "unit", percent ? "%" : ANY(units, random), "pass",
		"counters");
}

static json_t *any_cause(enum cause_id id, struct random *random)
{
	json_t *evidence = json_array();

	if (id != CAUSE_UNEXPLAINED)
		append_json(evidence, any_evidence(id, random));
	if (id == CAUSE_BARRIER)
		append_json(evidence, json_pack("{s:s, s:i, s:i}", "metric", "ptx_barriers", "single", 20, "double",
					      random_uniform(random) < 0.5 ? 10 : 30));
	return json_pack("{s:s, s:f, s:b, s:o, s:s?}", "id", cause_id_name(id), "ns", any_ns(random), "named",
		random_uniform(random) < 0.7, "evidence", evidence, "action",
		random_uniform(random) < 0.5 ? ANY(actions, random) : NULL);
}

static json_t *any_pace(struct random *random)
{
	static const char *const ids[] = {"barrier", "memory", "queue", "issue", "other", "bandwidth-bound"};
	static const char *const units[] = {"throughput_dram", "throughput_l2", "throughput_l1"};
	const char *id = ANY(ids, random);

	if (random_uniform(random) < 0.3)
		return json_null();
	return json_pack(
		"{s:s, s:s?}", "id", id, "metric", strcmp(id, "bandwidth-bound") == 0 ? ANY(units, random) : NULL);
}

/* A contrast with these causes, of which the first named one leads. */
static json_t *any_contrast(const char *verdict, struct random *random)
{
	json_t *causes = json_array(), *contrast;
	bool slight = random_uniform(random) < 0.5, change = verdict[0] == 'f' || verdict[3] == 'w';
	const char *first = NULL;
	char size[64];

	for (int i = 0; i < 3; i++) {
		enum cause_id id = (enum cause_id)(random_uniform(random) * CAUSE_UNEXPLAINED);

		append_json(causes, any_cause(id, random));
		first = i == 0 ? cause_id_name(id) : first;
	}
	append_json(causes, any_cause(CAUSE_UNEXPLAINED, random));
	snprintf(size, sizeof size, "%s%s", slight && change ? "slightly-" : "", verdict);
	contrast = json_pack("{s:s, s:s, s:s, s:f, s:f, s:o, s:b, s:s?, s:b, s:o, s:o}", "case", "c", "verdict",
		verdict, "size", size, "single_ns", 123456.0, "double_ns", 98765.0, "causes", causes, "explained",
		random_uniform(random) < 0.7, "first_cause", random_uniform(random) < 0.8 ? first : NULL,
		"kernel_bound", random_uniform(random) < 0.5, "pace", any_pace(random), "time", json_null());
	assert_non_null(contrast);
	return contrast;
}

static void sentences_of_any_pair_are_short(void **state)
{
	static const char *const verdicts[] = {"faster", "slower", "same", "unclear"};
	struct random random = {3};
	json_t *family = json_object();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		json_t *contrast = any_contrast(verdicts[i % 8 < 5 ? i % 2 : i % 4], &random);

		cause_words(family, contrast);
		contrast_is_readable(contrast);
		json_decref(contrast);
	}
	json_decref(family);
}

/* ---- the recordings that ship ---- */

static void recording_is_readable(const char *file)
{
	const struct model_options options = {.files = &file, .nfiles = 1, .version = "1.2.3", .shipped = true};
	struct error err = {0};
	json_t *tree = model_build(&options, &err), *family, *contrast;
	size_t i, k;

	assert_string_equal(err.text, "");
	words_annotate(tree);
	json_array_foreach(
		json_object_get(json_array_get(json_object_get(tree, "recordings"), 0), "families"), i, family)
		json_array_foreach(json_object_get(family, "contrasts"), k, contrast) contrast_is_readable(contrast);
	json_decref(tree);
}

static void sentences_of_shipped_recordings_are_short(void **state)
{
	const char *source = getenv("srcdir");
	char folder[2048], file[4096];
	struct dirent *entry;
	int found = 0;
	DIR *dir;

	(void)state;
	snprintf(folder, sizeof folder, "%s/reports/recordings", source ? source : ".");
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (!strstr(entry->d_name, ".sqlite"))
			continue;
		snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
		recording_is_readable(file);
		found++;
	}
	closedir(dir);
	assert_true(found > 0);
}

/* ---- each sentence ---- */

#define EVIDENCE(metric, a, b, unit)                                                                                   \
	"'evidence': [{'metric': '" metric "', 'single': " #a ", 'double': " #b ", 'unit': '" unit "'}]"
#define DEVICE_WORK(communication, copies_single, copies_double)                                                       \
	"'evidence': [{'metric': 'other_ns', 'single': 9000, 'double': 4000, 'unit': 'ns'}, "                          \
	"{'metric': 'communication_ns', 'single': " #communication ", 'double': " #communication ", 'unit': 'ns'}, "   \
	"{'metric': 'device_copies_ns', 'single': " #copies_single ", 'double': " #copies_double ", 'unit': 'ns'}]"
#define FALLEN(id, metric) "'id': '" id "', 'ns': 5000, " EVIDENCE(metric, 35, 27, "%")

static const struct {
	const char *cause, *text, *because;
} clauses[] = {
	{"'id': 'barrier-wait', 'ns': 5000, 'evidence': [{'metric': 'stall_barrier', 'single': 35, 'double': 27, "
	 "'unit': "
	 "'%'}, {'metric': 'ptx_barriers', 'single': 20, 'double': 10}]",
		"Warps wait at barriers for 27.0 % of their time instead of 35.0 %.",
		"10 of 20 barriers gone: 5.00 µs less barrier wait"},
	{FALLEN("memory-latency-hidden", "stall_long_scoreboard"),
		"Warps wait for memory (long scoreboard) for 27.0 % of their time instead of 35.0 %.",
		"5.00 µs less memory wait"},
	{"'id': 'shared-memory-queue', 'ns': -5000, " EVIDENCE("stall_mio_throttle", 35, 27, "%"),
		"More queue wait costs 5.00 µs.", "5.00 µs more queue wait"},
	{"'id': 'issue-wait', 'ns': -5000, " EVIDENCE("stall_not_selected", 5.25, 9.5, "%"),
		"Warps wait to issue (not selected) for 9.50 % of their time instead of 5.25 %.",
		"5.00 µs more issue wait"},
	{"'id': 'other-waits', 'ns': 5000, 'evidence': []", "Less other waiting saves 5.00 µs.",
		"5.00 µs less other waiting"},
	{"'id': 'instructions', 'ns': 5000, " EVIDENCE("inst_executed", 2e6, 1.5e6, "instructions"),
		"Warps execute 1.50 M instructions instead of 2.00 M.", "25 % fewer instructions"},
	{"'id': 'occupancy', 'ns': -5000, " EVIDENCE("occupancy_achieved", 97, 48, "%"),
		"Warps on an SM (achieved occupancy) are 48.0 % of the most instead of 97.0 %.",
		"occupancy falls 97 → 48 %"},
	{"'id': 'waves', 'ns': -5000, " EVIDENCE("waves", 3, 1.25, ""),
		"The grid takes 1.25 waves of blocks instead of 3.00.",
		"the grid takes 1.25 waves of blocks instead of 3.00"},
	{"'id': 'spills', 'ns': -5000, " EVIDENCE("local_bytes", 0, 64, "bytes"),
		"Double spills registers to local memory.", "double spills registers to local memory"},
	{"'id': 'copies-both-ways', 'ns': 5000, " EVIDENCE("duplex_ns", 0, 258000, "ns"),
		"Copies in and out overlap for 258 µs.", "copies in and out overlap for 258 µs"},
	{"'id': 'copies-beside-kernels', 'ns': -5000, " EVIDENCE("overlap_ns", 8000, 3000, "ns"),
		"Copies run beside kernels for 3.00 µs instead of 8.00 µs.",
		"copies run beside kernels for 3.00 µs instead of 8.00 µs"},
	{"'id': 'pageable', 'ns': 5000, 'evidence': []",
		"Single copies through pageable host memory, which the other does not.",
		"single copies through pageable memory"},
	{"'id': 'gpus-in-turn', 'ns': 5000, " EVIDENCE("elsewhere_ns", 9000, 4000, "ns"),
		"One GPU idles beside a busy one for 4.00 µs instead of 9.00 µs.",
		"one GPU idles beside a busy one for 4.00 µs instead of 9.00 µs"},
	{"'id': 'gpus-in-turn', 'ns': -5000, 'evidence': []", "More turn-taking of GPUs costs 5.00 µs.",
		"more turn-taking of GPUs costs 5.00 µs"},
	{"'id': 'device-work', 'ns': 5000, " EVIDENCE("other_ns", 9000, 4000, "ns"),
		"Copies on the device and memsets take 4.00 µs instead of 9.00 µs.",
		"copies on the device and memsets take 4.00 µs instead of 9.00 µs"},
	{"'id': 'device-work', 'ns': 5000, " DEVICE_WORK(0, 9000, 4000),
		"Copies on the device and memsets take 4.00 µs instead of 9.00 µs.",
		"copies on the device and memsets take 4.00 µs instead of 9.00 µs"},
	{"'id': 'device-work', 'ns': 5000, " DEVICE_WORK(9000, 0, 0),
		"Kernels that communicate run alone for 4.00 µs instead of 9.00 µs.",
		"kernels that communicate run alone for 4.00 µs instead of 9.00 µs"},
	{"'id': 'device-work', 'ns': 5000, " DEVICE_WORK(9000, 0, 10),
		"Communication, copies on the device and memsets run alone for 4.00 µs instead of 9.00 µs.",
		"communication, copies on the device and memsets run alone for 4.00 µs instead of 9.00 µs"},
	{"'id': 'device-work', 'ns': 5000, " DEVICE_WORK(null, null, null),
		"Communication, copies on the device and memsets run alone for 4.00 µs instead of 9.00 µs.",
		"communication, copies on the device and memsets run alone for 4.00 µs instead of 9.00 µs"},
	{"'id': 'host-late', 'ns': 5000, " EVIDENCE("idle_ns", 9000, 4000, "ns"),
		"The GPU waits for the host for 4.00 µs instead of 9.00 µs.",
		"the GPU waits for the host for 4.00 µs instead of 9.00 µs"},
};

static json_t *parsed(const char *format, const char *cause)
{
	char text[2048];
	json_error_t error;
	json_t *json;

	snprintf(text, sizeof text, format, cause);
	for (char *c = text; *c; c++)
		*c = (char)(*c == '\'' ? '"' : *c);
	json = json_loads(text, 0, &error);
	if (!json)
		fail_msg("%s: %s", text, error.text);
	return json;
}

static void each_cause_has_its_sentence(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++) {
		json_t *cause = parsed("{%s}", clauses[i].cause), *family = json_object(), *contrast;

		contrast = json_pack("{s:s, s:s, s:f, s:f, s:b, s:s, s:[O]}", "verdict", "faster", "size", "faster",
			"single_ns", 9e4, "double_ns", 8e4, "explained", 1, "first_cause", tree_text(cause, "id"),
			"causes", cause);
		cause_words(family, contrast);
		assert_string_equal(tree_text(cause, "text"), clauses[i].text);
		assert_string_equal(tree_text(contrast, "cause"), clauses[i].text);
		assert_string_equal(tree_text(contrast, "because"), clauses[i].because);
		json_decref(cause);
		json_decref(contrast);
		json_decref(family);
	}
}

/* A pair, and what it says. */
static const struct {
	const char *contrast, *cause;
} pairs[] = {
	{"'verdict': 'same', 'pace': null", "There is no difference to explain."},
	{"'verdict': 'same', 'pace': {'id': 'queue', 'metric': null}",
		"There is no difference to explain: queue wait sets the pace of both."},
	{"'verdict': 'same', 'pace': {'id': 'bandwidth-bound', 'metric': 'throughput_dram'}",
		"There is no difference to explain: device-memory bandwidth sets the pace of both."},
	{"'verdict': 'unclear'", "The difference is unclear, so no cause is named."},
	{"'verdict': 'unclear', 'double_ns': null", "The recording has no times of both."},
	{"'verdict': 'unclear', 'double_ns': null, 'evidence': [{'name': 'throttling', 'ok': false}]",
		"The GPU was throttled, so the times of both are set apart."},
	{"'verdict': 'faster', 'kernel_bound': true, 'explained': false",
		"The difference is not explained: counters of both sides are missing."},
	{"'verdict': 'faster', 'kernel_bound': false, 'explained': false",
		"The difference is not explained: a trace of both sides is missing."},
	{"'verdict': 'faster', 'explained': false, 'time': {'kind': 'pipeline'}",
		"The difference is not explained: the measured causes make less than half of it."},
	{"'verdict': 'faster', 'explained': false, 'time': {'kind': 'kernel', "
	 "'single': {'total_ns': 9, 'parts': [{'id': 'other', 'ns': 5}]}, "
	 "'double': {'total_ns': 8, 'parts': [{'id': 'other', 'ns': 5}]}}",
		"The difference is not explained: most of a launch is not the kernel's own time."},
	{"'verdict': 'slower', 'explained': true, 'first_cause': null",
		"No single cause stands out: each measured part is small or unsure."},
	{"'verdict': 'faster', 'explained': true, 'size': 'slightly-faster', 'first_cause': 'barrier-wait', "
	 "'pace': {'id': 'queue', 'metric': null}, 'causes': [{" FALLEN(
		 "barrier-wait", "stall_barrier") ", 'named': true}]",
		"Warps wait at barriers for 27.0 % of their time instead of 35.0 %, but queue wait sets the pace."},
	{"'verdict': 'faster', 'explained': true, 'size': 'faster', 'first_cause': 'barrier-wait', 'causes': "
	 "[{" FALLEN(
		 "barrier-wait", "stall_barrier") ", 'named': true}, {'id': 'occupancy', 'ns': -2000, 'named': true, "
						  "'evidence': []}]",
		"Warps wait at barriers for 27.0 % of their time instead of 35.0 %, but occupancy takes part back."},
	{"'verdict': 'faster', 'explained': true, 'size': 'faster', 'first_cause': 'barrier-wait', 'causes': "
	 "[{" FALLEN(
		 "barrier-wait", "stall_barrier") ", 'named': true}, {'id': 'occupancy', 'ns': -1000, 'named': true, "
						  "'evidence': []}]",
		"Warps wait at barriers for 27.0 % of their time instead of 35.0 %."},
};

/* What works against the first cause, in time. */
static const struct {
	const char *causes, *cause, *because;
} against[] = {
	{"{'id': 'memory-latency-hidden', 'ns': 63000, 'named': true, 'evidence': []},"
	 "{'id': 'instructions', 'ns': -33300, 'named': true, 'evidence': []},"
	 "{'id': 'barrier-wait', 'ns': -17800, 'named': true, 'evidence': []}",
		"Less memory wait saves 63.0 µs, but the instruction count takes part back.",
		"63.0 µs less memory wait, but 33.3 µs more instruction time, barrier wait too"},
	{"{'id': 'barrier-wait', 'ns': 5000, 'named': true, 'evidence': []},"
	 "{'id': 'occupancy', 'ns': -2000, 'named': true, 'evidence': []}",
		"Less barrier wait saves 5.00 µs, but occupancy takes part back.",
		"5.00 µs less barrier wait, but less occupancy costs 2.00 µs"},
};

static void what_works_against_it_is_told_in_time(void **state)
{
	json_t *family = json_object();

	(void)state;
	for (size_t i = 0; i < sizeof against / sizeof *against; i++) {
		json_t *contrast =
			parsed("{'verdict': 'faster', 'explained': true, 'size': 'slightly-faster', 'causes': [%s], "
			       "'single_ns': 9e4, 'double_ns': 8e4, 'pace': {'id': 'queue', 'metric': null}}",
				against[i].causes);
		const json_t *first = json_array_get(json_object_get(contrast, "causes"), 0);

		put_json(contrast, "first_cause", text_json(tree_text(first, "id")));
		cause_words(family, contrast);
		assert_string_equal(tree_text(contrast, "cause"), against[i].cause);
		assert_string_equal(tree_text(contrast, "because"), against[i].because);
		json_decref(contrast);
	}
	json_decref(family);
}

static void each_pair_has_its_sentence(void **state)
{
	json_t *family = json_object();

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		json_t *contrast = parsed("{'single_ns': 9e4, %s}", pairs[i].contrast);

		if (!json_object_get(contrast, "double_ns"))
			put_json(contrast, "double_ns", json_real(8e4));
		cause_words(family, contrast);
		assert_string_equal(tree_text(contrast, "cause"), pairs[i].cause);
		json_decref(contrast);
	}
	json_decref(family);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cause_has_its_sentence),
		cmocka_unit_test(each_pair_has_its_sentence),
		cmocka_unit_test(what_works_against_it_is_told_in_time),
		cmocka_unit_test(sentences_of_any_pair_are_short),
		cmocka_unit_test(sentences_of_shipped_recordings_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
