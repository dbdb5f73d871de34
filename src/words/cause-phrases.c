/* cause-phrases.c: see cause-phrases.h. */
#include "words/cause-phrases.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tree/counter-keys.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* ---- facts ---- */

static const json_t *evidence_at(const json_t *cause, size_t i)
{
	return json_array_get(json_object_get(cause, "evidence"), i);
}

static double part_of_cause(const json_t *cause)
{
	return tree_real(cause, "ns");
}

/* The side that has more of it, as a contrast of programs calls it. */
static const char *side_with_more(const json_t *contrast, const json_t *cause)
{
	const char *role = part_of_cause(cause) > 0 ? "single" : "double";
	const char *called = tree_text(json_object_get(contrast, "called"), role);

	return *called ? called : role;
}

const json_t *cause_named_first(const json_t *contrast)
{
	const json_t *causes = json_object_get(contrast, "causes"), *found = NULL;
	double whole = tree_real(contrast, "single_ns") - tree_real(contrast, "double_ns");

	for (size_t i = 0; tree_has(contrast, "first_cause") && i < json_array_size(causes); i++) {
		const json_t *cause = json_array_get(causes, i);

		if (strcmp(tree_text(cause, "id"), tree_text(contrast, "first_cause")) != 0)
			continue;
		if (tree_true(cause, "named") && (part_of_cause(cause) > 0) == (whole > 0))
			return cause;
		found = found ? found : cause;
	}
	return found;
}

int cause_words_in(const char *text)
{
	int n = *text != '\0';

	for (; *text; text++)
		n += *text == ' ';
	return n;
}

void cause_add_sentence(char *text, size_t size, const char *clause)
{
	size_t at = strlen(text);

	clip_append(text, size, "%s%s.", at ? " " : "", clause);
	at += at > 0;
	if (at < size && text[at] >= 'a' && text[at] <= 'z')
		text[at] = (char)(text[at] - 'a' + 'A');
}

static const char *fewer_or_more(const json_t *evidence)
{
	return tree_real(evidence, "double") < tree_real(evidence, "single") ? "fewer" : "more";
}

static char *write_evidence(char *text, const json_t *evidence, const char *side)
{
	const char *unit = tree_text(evidence, "unit");
	double value = tree_real(evidence, side);

	if (unit[0] == '%')
		return format_percent(text, FORMAT_SIZE, value / 100);
	if (strcmp(unit, "ns") == 0)
		return format_time_ns(text, FORMAT_SIZE, value);
	if (strcmp(unit, "bytes") == 0)
		return format_bytes(text, FORMAT_SIZE, value);
	return format_quantity(text, FORMAT_SIZE, value);
}

/* "B instead of A" of the cause's first evidence. */
static void add_change(char *text, size_t size, const char *before, const json_t *evidence, const char *behind)
{
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	clip_append(text, size, "%s %s%s instead of %s", before, write_evidence(b, evidence, "double"), behind,
		write_evidence(a, evidence, "single"));
}

/* "35 → 27 %". */
static void add_short_change(char *text, size_t size, const json_t *evidence)
{
	double a = tree_real(evidence, "single"), b = tree_real(evidence, "double");
	int digits = fmax(a, b) < 10;

	clip_append(text, size, " %.*f → %.*f %%", digits, a, digits, b);
}

/* "less idle time saves 40.8 µs". `gains`: double gains by more of the subject. */
static void write_saved(char *text, size_t size, const char *subject, bool gains, const json_t *cause)
{
	bool saves = part_of_cause(cause) > 0;
	char ns[FORMAT_SIZE];

	format_time_ns(ns, sizeof(ns), fabs(part_of_cause(cause)));
	clip_print(text, size, "%s %s %s %s", saves == gains ? "more" : "less", subject, saves ? "saves" : "costs", ns);
}

/* ---- states of warps ---- */

static const struct state_words {
	const char *id, *subject;
	const char *clause; /* in front of the share of their time that warps take for it */
} states[] = {
	{"barrier-wait", "barrier wait", "warps wait at barriers for"},
	{"memory-latency-hidden", "memory wait", "warps wait for memory"},
	{"shared-memory-queue", "queue wait", "warps wait for shared memory"},
	{"issue-wait", "issue wait", "warps wait to issue"},
	{"other-waits", "other waiting", "warps wait for other things"},
};

static const struct state_words *state_words_of(const json_t *cause)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strcmp(states[i].id, tree_text(cause, "id")) == 0)
			return &states[i];
	}
	return NULL;
}

/* The field's terms for reasons; the barrier is its own. */
static const char *reason_term(const json_t *evidence)
{
	static const char *const terms[][2] = {
		{"stall_long_scoreboard", " (long scoreboard) for"},
		{"stall_lg_throttle", " (LG throttle) for"},
		{"stall_drain", " (drain) for"},
		{"stall_membar", " (memory barrier) for"},
		{"stall_short_scoreboard", " (short scoreboard) for"},
		{"stall_mio_throttle", " (MIO throttle) for"},
		{"stall_not_selected", " (not selected) for"},
		{"stall_selected", " (selected) for"},
		{"stall_wait", " (wait) for"},
		{"stall_math_pipe_throttle", " (math throttle) for"},
		{"stall_gmma", " (tensor cores) for"},
		{"stall_sleeping", " (sleeping) for"},
	};

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (strcmp(terms[i][0], tree_text(evidence, "metric")) == 0)
			return terms[i][1];
	}
	return " for";
}

/* A share can rise although its time falls, if the whole falls more. Then only the time tells. */
static bool share_follows(const json_t *cause)
{
	const json_t *evidence = evidence_at(cause, 0);
	double fallen = tree_real(evidence, "single") - tree_real(evidence, "double");

	return is_stall_share(tree_text(evidence, "metric")) && (fallen > 0) == (part_of_cause(cause) > 0);
}

static void state_clause(const struct state_words *words, const json_t *cause, char *text, size_t size)
{
	const json_t *evidence = evidence_at(cause, 0);

	if (!share_follows(cause)) {
		write_saved(text, size, words->subject, false, cause);
		return;
	}
	clip_print(text, size, "%s%s", words->clause, words == &states[0] ? "" : reason_term(evidence));
	add_change(text, size, "", evidence, " of their time");
}

/* "10 of 20 barriers gone: " */
static void add_barriers_gone(const json_t *cause, char *text, size_t size)
{
	const json_t *barriers = tree_find(json_object_get(cause, "evidence"), "metric", "ptx_barriers");
	double single = tree_real(barriers, "single"), gone = single - tree_real(barriers, "double");

	if (gone > 0 && part_of_cause(cause) > 0)
		clip_append(text, size, "%.0f of %.0f barriers gone: ", gone, single);
}

/* "17.8 µs less barrier wait": in time, as the picture beside it shows it. */
static void write_moved(char *text, size_t size, const char *subject, const json_t *cause)
{
	char ns[FORMAT_SIZE];

	format_time_ns(ns, sizeof(ns), fabs(part_of_cause(cause)));
	clip_append(text, size, "%s %s %s", ns, part_of_cause(cause) > 0 ? "less" : "more", subject);
}

static void state_phrase(const struct state_words *words, const json_t *cause, bool brief, char *text, size_t size)
{
	*text = '\0';
	if (words == &states[0] && !brief)
		add_barriers_gone(cause, text, size);
	write_moved(text, size, words->subject, cause);
}

/* ---- the others ---- */

/* Causes whose first evidence tells them: BEFORE b BEHIND instead of a. */
static const struct change_words {
	const char *id, *subject, *before, *behind;
	bool gains; /* double gains by more of the subject, not by less */
} changes[] = {
	{"copies-beside-kernels", "overlap with kernels", "copies run beside kernels for", "", true},
	{"copies-both-ways", "two-way copying", "copies in and out overlap for", "", true},
	{"copy-count", "copy time", "copies take", "", false},
	{"copy-rate", "copy time", "the same copies take", "", false},
	{"kernel-time", "time with kernels", "the GPU is busy with kernels for", "", false},
	{"device-work", "other device work", "copies on the device and memsets take", "", false},
	{"gpus-in-turn", "turn-taking of GPUs", "one GPU idles beside a busy one for", "", false},
	{"host-late", "idle time", "the GPU waits for the host for", "", false},
	{"instructions", "the instruction count", "warps execute", " instructions", false},
	{"waves", "tail time", "the grid takes", " waves of blocks", false},
	{"occupancy", "occupancy", "warps on an SM (achieved occupancy) are", " of the most", true},
};

/* Kernel time of a pair that its own kernel bounds: what else a launch runs. */
static const struct change_words other_kernels = {
	"kernel-time", "time of other kernels", "the launch's other kernels take", "", false};

/* Other work of a program that communicates. */
static const struct change_words communication = {
	"device-work", "other device work", "kernels that communicate run alone for", "", false};
static const struct change_words all_device_work = {
	"device-work", "other device work", "communication, copies on the device and memsets run alone for", "", false};

/* Whether neither side has any of it; false where that is not known. */
static bool none_of(const json_t *cause, const char *metric)
{
	const json_t *evidence = tree_find(json_object_get(cause, "evidence"), "metric", metric);

	return tree_real(evidence, "single") <= 0 && tree_real(evidence, "double") <= 0;
}

/* NULL where there are copies on the device and memsets alone. */
static const struct change_words *communication_words_of(const json_t *cause)
{
	bool may = tree_find(json_object_get(cause, "evidence"), "metric", "communication_ns") != NULL;

	if (!may || none_of(cause, "communication_ns"))
		return NULL;
	return none_of(cause, "device_copies_ns") ? &communication : &all_device_work;
}

static const struct change_words *change_words_of(const json_t *cause)
{
	const struct change_words *communicates = communication_words_of(cause);

	if (communicates)
		return communicates;
	if (strcmp(tree_text(evidence_at(cause, 0), "metric"), "other_kernels_ns") == 0)
		return &other_kernels;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		if (strcmp(changes[i].id, tree_text(cause, "id")) == 0)
			return &changes[i];
	}
	return NULL;
}

static void change_clause(const struct change_words *words, const json_t *cause, char *text, size_t size)
{
	const json_t *evidence = evidence_at(cause, 0);
	char b[FORMAT_SIZE];

	if (!tree_has(evidence, "single") || !tree_has(evidence, "double")) {
		write_saved(text, size, words->subject, words->gains, cause);
	} else if (tree_real(evidence, "single") == 0) {
		clip_print(text, size, "%s %s%s", words->before, write_evidence(b, evidence, "double"), words->behind);
	} else {
		*text = '\0';
		add_change(text, size, words->before, evidence, words->behind);
	}
}

/* "18 % fewer instructions". */
static void instructions_phrase(const json_t *cause, char *text, size_t size)
{
	const json_t *evidence = evidence_at(cause, 0);
	double change = tree_real(evidence, "double") / tree_real(evidence, "single") - 1;

	if (isfinite(change))
		clip_print(text, size, "%.0f %% %s instructions", 100 * fabs(change), fewer_or_more(evidence));
	else
		change_clause(change_words_of(cause), cause, text, size);
}

static void occupancy_phrase(const json_t *cause, char *text, size_t size)
{
	clip_print(text, size, "occupancy %s", part_of_cause(cause) > 0 ? "rises" : "falls");
	add_short_change(text, size, evidence_at(cause, 0));
}

static void rest_clause(const json_t *contrast, const json_t *cause, char *text, size_t size)
{
	char rest[FORMAT_SIZE], all[FORMAT_SIZE];
	double whole = tree_real(contrast, "single_ns") - tree_real(contrast, "double_ns");

	format_time_ns(rest, sizeof(rest), fabs(part_of_cause(cause)));
	format_time_ns(all, sizeof(all), fabs(whole));
	clip_print(text, size, "%s remain unexplained, beside a difference of %s", rest, all);
}

void cause_clause(const json_t *contrast, const json_t *cause, char *text, size_t size)
{
	const char *id = tree_text(cause, "id");
	const struct state_words *state = state_words_of(cause);
	const struct change_words *change = change_words_of(cause);

	if (state)
		state_clause(state, cause, text, size);
	else if (change)
		change_clause(change, cause, text, size);
	else if (strcmp(id, "pageable") == 0)
		clip_print(text, size, "%s copies through pageable host memory, which the other does not",
			side_with_more(contrast, cause));
	else if (strcmp(id, "spills") == 0)
		clip_print(text, size, "%s spills registers to local memory", side_with_more(contrast, cause));
	else
		rest_clause(contrast, cause, text, size);
}

/* Those that a clause of seven words cannot tell. */
static void brief_phrase(const json_t *contrast, const json_t *cause, char *text, size_t size)
{
	const struct change_words *change = change_words_of(cause);

	if (change)
		write_saved(text, size, change->subject, change->gains, cause);
	else
		clip_print(text, size, "%s spills registers", side_with_more(contrast, cause));
}

void cause_phrase(const json_t *contrast, const json_t *cause, bool brief, char *text, size_t size)
{
	const char *id = tree_text(cause, "id");
	const struct state_words *state = state_words_of(cause);

	if (state)
		state_phrase(state, cause, brief, text, size);
	else if (strcmp(id, "instructions") == 0)
		instructions_phrase(cause, text, size);
	else if (strcmp(id, "occupancy") == 0)
		occupancy_phrase(cause, text, size);
	else if (strcmp(id, "pageable") == 0)
		clip_print(text, size, "%s copies through pageable memory", side_with_more(contrast, cause));
	else if (brief)
		brief_phrase(contrast, cause, text, size);
	else
		cause_clause(contrast, cause, text, size);
}

const char *cause_subject(const json_t *cause)
{
	const struct state_words *state = state_words_of(cause);
	const struct change_words *change = change_words_of(cause);
	const char *id = tree_text(cause, "id");

	if (state)
		return state->subject;
	if (change)
		return change->subject;
	return strcmp(id, "pageable") == 0 ? "pageable memory" : strcmp(id, "spills") == 0 ? "spilling" : "the rest";
}

void cause_against(const json_t *cause, char *text, size_t size)
{
	const struct change_words *change = change_words_of(cause);

	*text = '\0';
	if (strcmp(tree_text(cause, "id"), "instructions") == 0)
		write_moved(text, size, "instruction time", cause);
	else if (change && change->gains)
		write_saved(text, size, change->subject, true, cause);
	else
		write_moved(text, size, cause_subject(cause), cause);
}

/* ---- what sets the pace ---- */

const char *pace_phrase(const json_t *pace)
{
	static const char *const phrases[][2] = {
		{"barrier", "barrier wait"},
		{"memory", "memory wait"},
		{"queue", "queue wait"},
		{"issue", "issuing instructions"},
		{KEY_THROUGHPUT "dram", "device-memory bandwidth"},
		{KEY_THROUGHPUT "l2", "L2 cache bandwidth"},
		{KEY_THROUGHPUT "l1", "L1 cache bandwidth"},
	};
	const char *id = tree_has(pace, "metric") ? tree_text(pace, "metric") : tree_text(pace, "id");

	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		if (strcmp(phrases[i][0], id) == 0)
			return phrases[i][1];
	}
	return "";
}

/* ---- what to do ---- */

const char *cause_advice(const char *action)
{
	static const char *const sentences[][2] = {
		{"enqueue-ahead", "Enqueue the next chunk's copies before the host waits for this one."},
		{"launch-ahead",
			"Launch the next step's work before the host waits, or shorten the host's work between."},
		{"feed-all-gpus", "Give every GPU its work before the host waits for one of them."},
		{"pin-memory",
			"Allocate the host's buffers with cudaMallocHost, so that copies need not wait for the host."},
		{"larger-copies", "Copy fewer, larger chunks."},
		{"allow-registers",
			"Allow more registers per thread, with __launch_bounds__ or without -maxrregcount."},
		{"fewer-barriers", "Let one barrier guard the buffers of two steps."},
		{"load-earlier", "Start loads earlier, or keep more of them under way."},
		{"wider-shared-access", "Read shared memory in wider pieces, or keep values in registers."},
		{"fewer-instructions", "Take index arithmetic out of the loop, or unroll it by the number of buffers."},
		{"fewer-registers", "Use fewer registers per thread, so that more blocks fit an SM."},
		{"less-shared-memory", "Use less shared memory per block, so that more blocks fit an SM."},
		{"other-block-size", "Try another block size, so that more warps fit an SM."},
		{"fit-the-grid", "Choose a grid that fills its last wave of blocks."},
		{"record-counters", "Record with hardware counters: dbprof doctor says what they need."},
	};

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		if (strcmp(sentences[i][0], action) == 0)
			return sentences[i][1];
	}
	return NULL;
}
