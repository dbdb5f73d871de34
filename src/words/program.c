/* program.c: see program.h. */
#include "words/program.h"

#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"
#include "words/communication.h"
#include "words/pays.h"

enum { ANSWER_SIZE = 8192, WHERE_SIZE = 1024 };

/* "range “one stream”", or the GPU where there is none. */
static void where_words(const json_t *pay, char *text, size_t size)
{
	if (tree_has(pay, "within"))
		snprintf(text, size, "range “%.400s” in “%.400s”", tree_text(pay, "range"), tree_text(pay, "within"));
	else if (tree_has(pay, "range"))
		snprintf(text, size, "range “%.800s”", tree_text(pay, "range"));
	else if (tree_real(pay, "process") > 0)
		snprintf(text, size, "what process %.0f does on GPU %.0f", tree_real(pay, "process"),
			tree_real(pay, "device"));
	else
		snprintf(text, size, "the work on GPU %.0f", tree_real(pay, "device"));
}

/* " Its 64 copies host to device take turns ..."; "" if there is nothing to say of them. */
static void copies_words(const json_t *copies, char *text, size_t size)
{
	bool in = strcmp(tree_text(copies, "class"), "h2d") == 0, one = tree_real(copies, "count") == 1;
	const char *words = pays_obstacle(tree_text(copies, "reason"), one);
	char count[FORMAT_SIZE];

	format_count(count, sizeof(count), tree_real(copies, "count"));
	*text = '\0';
	if (words)
		snprintf(text, size, " %s%s cop%s %s %s.", one ? "" : "Its ", one ? "One" : count, one ? "y" : "ies",
			in ? "host to device" : "device to host", words);
}

/* " In after.sqlite this range takes 322 ms (1.333× as fast)."; "" where nothing is known of it. */
static void after_words(const json_t *pay, char *text, size_t size)
{
	const json_t *after = json_object_get(pay, "after");
	char span[FORMAT_SIZE], ratio[FORMAT_SIZE];

	*text = '\0';
	if (!json_is_object(after))
		return;
	format_time_ns(span, sizeof(span), tree_real(after, "span_ns"));
	format_ratio(ratio, sizeof(ratio), tree_real(after, "speedup"));
	snprintf(text, size, " In %.400s this range takes %.40s (%.40s as fast).", tree_text(after, "file"), span,
		ratio);
}

/* Two sentences or three: a claim with two numbers, what stands in its way, and what became of it. */
static void gain_words(const json_t *pay, char *text, size_t size)
{
	char gain[FORMAT_SIZE], ratio[FORMAT_SIZE], where[WHERE_SIZE], copies[4 * FORMAT_SIZE], after[WHERE_SIZE];

	where_words(pay, where, sizeof(where));
	copies_words(json_array_get(json_object_get(pay, "copies"), 0), copies, sizeof(copies));
	format_time_ns(gain, sizeof(gain), tree_real(pay, "gain_ns"));
	format_ratio(ratio, sizeof(ratio), tree_real(pay, "speedup"));
	after_words(pay, after, sizeof(after));
	snprintf(text, size, "Double buffering could save about %s of %s (%s as fast).%s%s", gain, where, ratio, copies,
		after);
}

static void no_gain_words(const json_t *no_gain, char *text, size_t size)
{
	const char *id = tree_text(no_gain, "id");
	char share[FORMAT_SIZE];

	format_percent(share, sizeof(share), tree_real(no_gain, "share"));
	if (strcmp(id, "no-work") == 0)
		snprintf(text, size,
			"This recording has no work of a GPU: record with CUDA as well, as `dbprof trace` and `nsys "
			"profile -t cuda,nvtx` do.");
	else if (strcmp(id, "no-copies") == 0)
		snprintf(text, size, "Nothing to gain from double buffering: nothing is copied between host and GPU.");
	else if (strcmp(id, "no-kernels") == 0)
		snprintf(text, size,
			"Nothing to gain from double buffering: no kernel runs that a copy could run beside.");
	else if (strcmp(id, "little-exposed") == 0)
		snprintf(text, size,
			"Nothing to gain from double buffering: copies without a kernel beside them take %s of the "
			"time.",
			share);
	else if (strcmp(id, "hidden-already") == 0)
		snprintf(text, size,
			"Nothing to gain from double buffering: %s of the time of copies is hidden already.", share);
	else if (strcmp(id, "small") == 0)
		snprintf(text, size,
			"Double buffering would save less than 1 %% anywhere, though copies without a kernel beside "
			"them take %s of the time.",
			share);
}

/* One sentence: whether the program leaves time on the table that double buffering would win; and one of what it became
 * in a second recording. Null without a list of places. */
static json_t *program_answer(const json_t *program)
{
	const json_t *pays = json_object_get(program, "pays");
	char text[ANSWER_SIZE] = "";

	if (json_array_size(pays) > 0)
		gain_words(json_array_get(pays, 0), text, sizeof(text));
	else
		no_gain_words(json_object_get(program, "no_gain"), text, sizeof(text));
	return text_json(*text ? text : NULL);
}

void words_program(json_t *recording)
{
	json_t *program = json_object_get(recording, "program");

	if (!json_is_object(program))
		return;
	words_pays(json_object_get(program, "pays"));
	words_communication(json_object_get(program, "communication"));
	put_json(program, "answer", program_answer(program));
}
