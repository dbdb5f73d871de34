/* program.c: see program.h. */
#include "words/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"
#include "words/pays.h"

enum { ANSWER_SIZE = 8192, WHERE_SIZE = 1024 };

/* Sums over all GPUs, in ns. */
struct sums {
	double span, copy, kernel, exposed, overlap;
};

static struct sums sums_of(const json_t *gpus)
{
	struct sums sums = {0};

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i), *busy = json_object_get(gpu, "busy_ns");

		sums.span += tree_real(gpu, "span_ns");
		sums.copy += tree_real(busy, "copy");
		sums.kernel += tree_real(busy, "kernel");
		sums.exposed += tree_real(gpu, "exposed_copy_ns");
		sums.overlap += tree_real(gpu, "overlap_ns");
	}
	return sums;
}

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

/* ": 64 copies host to device (1.00 MiB in all) take turns ..."; "" if there is nothing to say of them. */
static void copies_words(const json_t *copies, char *text, size_t size)
{
	bool in = strcmp(tree_text(copies, "class"), "h2d") == 0, one = tree_real(copies, "count") == 1;
	const char *words = pays_obstacle(tree_text(copies, "reason"), one);
	char count[FORMAT_SIZE], bytes[FORMAT_SIZE];

	format_count(count, sizeof(count), tree_real(copies, "count"));
	format_bytes(bytes, sizeof(bytes), tree_real(copies, "bytes"));
	*text = '\0';
	if (words)
		snprintf(text, size, ": %s cop%s %s (%s in all) %s", count, one ? "y" : "ies",
			in ? "host to device" : "device to host", bytes, words);
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

static void gain_words(const json_t *pay, char *text, size_t size)
{
	char gain[FORMAT_SIZE], share[FORMAT_SIZE], ratio[FORMAT_SIZE], where[WHERE_SIZE], copies[4 * FORMAT_SIZE];
	char after[WHERE_SIZE];

	where_words(pay, where, sizeof(where));
	copies_words(json_array_get(json_object_get(pay, "copies"), 0), copies, sizeof(copies));
	format_time_ns(gain, sizeof(gain), tree_real(pay, "gain_ns"));
	format_percent(share, sizeof(share), tree_real(pay, "gain_ns") / tree_real(pay, "span_ns"));
	format_ratio(ratio, sizeof(ratio), tree_real(pay, "speedup"));
	after_words(pay, after, sizeof(after));
	snprintf(text, size, "Double buffering could save about %s, %s, of %s (%s as fast)%s.%s", gain, share, where,
		ratio, copies, after);
}

static void no_gain_words(const struct sums *sums, char *text, size_t size)
{
	char share[FORMAT_SIZE];

	if (!(sums->span > 0))
		snprintf(text, size,
			"This recording has no work of a GPU: record with CUDA as well, as `dbprof trace` and `nsys "
			"profile -t cuda,nvtx` do.");
	else if (!(sums->copy > 0))
		snprintf(text, size, "Nothing to gain from double buffering: nothing is copied between host and GPU.");
	else if (!(sums->kernel > 0))
		snprintf(text, size,
			"Nothing to gain from double buffering: no kernel runs that a copy could run beside.");
	else if (sums->exposed < 0.01 * sums->span)
		snprintf(text, size,
			"Nothing to gain from double buffering: copies without a kernel beside them take %s of the "
			"time.",
			format_percent(share, sizeof(share), sums->exposed / sums->span));
	else if (sums->overlap > 0.8 * sums->copy)
		snprintf(text, size,
			"Nothing to gain from double buffering: %s of the time of copies is hidden already.",
			format_percent(share, sizeof(share), sums->overlap / sums->copy));
	else
		snprintf(text, size,
			"Double buffering would save less than 1 %% anywhere, though copies without a kernel beside "
			"them take "
			"%s of the time.",
			format_percent(share, sizeof(share), sums->exposed / sums->span));
}

/* One sentence: whether the program leaves time on the table that double buffering would win; and one of what it became
 * in a second recording. Null without a list of places. */
static json_t *program_answer(const json_t *gpus, const json_t *pays)
{
	const struct sums sums = sums_of(gpus);
	char text[ANSWER_SIZE];

	if (!json_is_array(pays))
		return json_null();
	if (json_array_size(pays) > 0)
		gain_words(json_array_get(pays, 0), text, sizeof(text));
	else
		no_gain_words(&sums, text, sizeof(text));
	return text_json(text);
}

void words_program(json_t *recording)
{
	json_t *program = json_object_get(recording, "program");

	if (!json_is_object(program))
		return;
	words_pays(json_object_get(program, "pays"));
	put_json(program, "answer",
		program_answer(json_object_get(recording, "gpus"), json_object_get(program, "pays")));
}
