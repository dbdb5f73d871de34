/* pays.c: see pays.h. */
#include "words/pays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"
#include "util/strbuf.h"

/* The words for a reason for which copies do not run beside kernels: see docs/pays.md. */
struct reason_words {
	const char *reason;
	const char *many, *one; /* see pays_obstacle() */
	const char *why, *advice;
};

static const struct reason_words reasons_in_words[] = {
	{"managed", "move managed memory when it is touched", "moves managed memory when it is touched",
		"The data is in managed memory, which the driver moves when it is touched: what touches it waits.",
		"Prefetch the next round's data in a second stream while this one computes (cudaMemPrefetchAsync), or "
		"copy it from pinned memory."},
	{"pageable", "use pageable memory", "uses pageable memory",
		"The host's memory is pageable: the driver stages it through a buffer of its own, and the call does "
		"not run ahead of the copy.",
		"Pin the host's memory (cudaHostAlloc or cudaHostRegister; in PyTorch pin_memory() and "
		"non_blocking=True)."},
	{"default-stream", "run in the default stream", "runs in the default stream",
		"The copy, the kernel or work between them is in the default stream, which waits for all blocking "
		"streams and holds them up.",
		"Use two streams of your own by turns, created with cudaStreamNonBlocking (in PyTorch "
		"torch.cuda.Stream), each with its own buffers."},
	{"synchronous", "make the host wait", "makes the host wait",
		"The host waits for the GPU between the copy and the kernel, so the second is asked for only when the "
		"first is done.",
		"Wait for a round only when its buffers are needed again, one round later."},
	{"same-stream", "take turns with the kernels of their stream", "takes turns with the kernels of its stream",
		"Copy and kernel are in one stream, which does one thing after the other.",
		"Put the rounds into two streams by turns, each with its own buffers."},
	{"dependency", "wait for an event of another stream", "waits for an event of another stream",
		"An event makes one stream wait for the other.",
		"Let each stream wait only for the work that used the same buffers, not for the latest."},
	{"host", "are issued too late", "is issued too late",
		"The host asked for the later of the two only after the earlier one had ended.",
		"Ask for the next round's copy before the host turns to the results of this one."},
	{"alone", NULL, NULL, "There is no kernel before a copy in, or after a copy out, that it could run beside.",
		"Nothing: the first copy in and the last copy out of a pipeline cannot be hidden."},
	{"none", NULL, NULL,
		"Nothing was found in the way: the copy engine was busy, or the kernel beside the copy was shorter.",
		"Nothing: it is as good as double-buffered."},
	/* Not reasons, but actions: against memory that is made in each round, beside that for "synchronous", and where
	   a round has several kernels. */
	{"memory", NULL, NULL, NULL,
		"Make the memory once, before the loop, for each of the buffers; or use cudaMallocAsync and "
		"cudaFreeAsync, which do not wait."},
	{"async", NULL, NULL, NULL, "Copy with cudaMemcpyAsync."},
	{"copy-streams", NULL, NULL, NULL,
		"Copy in and copy out in a stream each, with two buffers by turns; make the streams with "
		"cudaStreamNonBlocking (in PyTorch torch.cuda.Stream). Leave the kernels in one stream: in two, rounds "
		"of several kernels fall into step. Let events keep the order."},
};

/* NULL for a reason that is not known, and for NULL. */
static const struct reason_words *words_of_reason(const char *reason)
{
	for (size_t i = 0; reason && i < sizeof(reasons_in_words) / sizeof(reasons_in_words[0]); i++) {
		if (strcmp(reason, reasons_in_words[i].reason) == 0)
			return &reasons_in_words[i];
	}
	return NULL;
}

const char *pays_obstacle(const char *reason, bool one)
{
	const struct reason_words *words = words_of_reason(reason);

	if (!words)
		return NULL;
	return one ? words->one : words->many;
}

/* Why a group of copies does not overlap; "" if that is not known. */
static const char *copies_why(const json_t *copies)
{
	const struct reason_words *words = words_of_reason(tree_text(copies, "reason"));

	return words && words->why ? words->why : "";
}

/* A sentence for each of "actions". */
static void put_advice(json_t *object)
{
	const json_t *actions = json_object_get(object, "actions"), *action;
	struct strbuf text = {0};
	char *advice;
	size_t i;

	json_array_foreach(actions, i, action)
	{
		const struct reason_words *words = words_of_reason(json_string_value(action));

		if (words)
			strbuf_printf(&text, "%s%s", text.length ? " " : "", words->advice);
	}
	advice = strbuf_take(&text);
	put_json(object, "advice", text_json(advice));
	free(advice);
}

/* What else is saved where the copies' time is not all. */
static void put_more(struct strbuf *text, const json_t *pay)
{
	double more = tree_real(pay, "gain_ns") - tree_real(pay, "lost_ns");

	if (!(more > 0))
		return;
	strbuf_printf(text, " More than that could be saved: %s.",
		tree_real(json_object_get(pay, "host_late"), "ns") > more / 2
			? "the host's own work would run beside the GPU as well"
			: "the gaps between copies and kernels would be filled as well");
}

static void put_why(json_t *pay)
{
	const json_t *first = json_array_get(json_object_get(pay, "copies"), 0);
	char lost[FORMAT_SIZE], span[FORMAT_SIZE];
	struct strbuf text = {0};
	char *why;

	format_time_ns(lost, sizeof(lost), tree_real(pay, "lost_ns"));
	format_time_ns(span, sizeof(span), tree_real(pay, "loop_ns"));
	strbuf_printf(&text, "For %s of %s copies run with no kernel beside them. %s", lost, span, copies_why(first));
	put_more(&text, pay);
	if (tree_real(pay, "gain_both_ways_ns") > tree_real(pay, "gain_ns") / 2)
		strbuf_puts(&text, " Most of the gain comes from copies in both directions at once.");
	why = strbuf_take(&text);
	put_json(pay, "why", text_json(why));
	free(why);
}

/* ---- the host is late ---- */

/* "Most of it the host is in range “load”."; "" where nothing is known. */
static void put_during(struct strbuf *text, const json_t *late)
{
	const json_t *first = json_array_get(json_object_get(late, "during"), 0);
	const char *kind = tree_text(first, "kind"), *how;

	if (!first)
		return;
	how = tree_real(first, "ns") > tree_real(late, "ns") / 2 ? "Most of it" : "Longest";
	if (strcmp(kind, "call") == 0)
		strbuf_printf(text, " %s the host is in %.200s.", how, tree_text(first, "name"));
	else if (strcmp(kind, "range") == 0)
		strbuf_printf(text, " %s the host is in range “%.200s”.", how, tree_text(first, "name"));
	else
		strbuf_printf(text, " %s the host runs code of its own, outside of CUDA calls and NVTX ranges.", how);
}

static void put_prefetch(struct strbuf *text, const json_t *late)
{
	double depth = tree_real(late, "depth"), workers = tree_real(late, "workers");
	char hidden[FORMAT_SIZE];

	if (!(depth >= 1)) {
		strbuf_puts(text, " Preparing rounds ahead would hide hardly any of it.");
		return;
	}
	strbuf_printf(text, " A thread that prepares %.0f round%s ahead would hide up to %s of it.", depth,
		depth == 1 ? "" : "s", format_time_ns(hidden, sizeof(hidden), tree_real(late, "hidden_ns")));
	if (workers > 1)
		strbuf_printf(
			text, " The host takes longer than the GPU: about %.0f such threads would keep up.", workers);
}

/* Two numbers at most in a sentence; none where the GPU hardly waits for the host. */
static void put_late_text(json_t *loop)
{
	json_t *late = json_object_get(loop, "host_late");
	char share[FORMAT_SIZE], round[FORMAT_SIZE];
	struct strbuf text = {0};
	char *all;

	if (!json_is_object(late) || !tree_true(late, "matters"))
		return;
	format_percent(share, sizeof(share), tree_real(late, "share"));
	format_time_ns(round, sizeof(round), tree_real(late, "round_ns"));
	strbuf_printf(&text, "The GPU waits for the host for %s of the loop, %s a round.", share, round);
	put_during(&text, late);
	put_prefetch(&text, late);
	all = strbuf_take(&text);
	put_json(late, "text", text_json(all));
	free(all);
}

/* ---- managed memory ---- */

/* What the replay does not know of it. */
static void put_managed_text(json_t *loop)
{
	json_t *managed = json_object_get(loop, "managed");
	char lost[FORMAT_SIZE], share[FORMAT_SIZE], most[FORMAT_SIZE], text[8 * FORMAT_SIZE];

	if (!json_is_object(managed) || !tree_true(managed, "matters"))
		return;
	snprintf(text, sizeof(text),
		"For %s (%s of the loop) managed memory migrates with no kernel beside it. No call asks for a "
		"migration, so no replay knows what waits for it. Beside kernels, migrations would save up to %s, "
		"which no estimate counts.",
		format_time_ns(lost, sizeof(lost), tree_real(managed, "lost_ns")),
		format_percent(share, sizeof(share), tree_real(managed, "share")),
		format_time_ns(most, sizeof(most), tree_real(managed, "gain_most_ns")));
	put_json(managed, "text", text_json(text));
	put_json(managed, "advice", text_json(words_of_reason("managed")->advice));
}

/* ---- memory that is made in each round ---- */

/* "cudaMalloc and cudaFree"; "" without calls. */
static void put_memory_calls(struct strbuf *text, const json_t *memory)
{
	const json_t *calls = json_object_get(memory, "calls");
	size_t n = json_array_size(calls);

	for (size_t i = 0; i < n; i++)
		strbuf_printf(text, "%s%.100s",
			i == 0      ? ""
			: i + 1 < n ? ", "
				    : " and ",
			tree_text(json_array_get(calls, i), "name"));
}

char *pays_memory_words(const json_t *pay)
{
	const json_t *memory = json_object_get(pay, "memory");
	double calls = tree_real(memory, "round_calls"), buffers = tree_real(memory, "buffers");
	char gain[FORMAT_SIZE];
	struct strbuf text = {0};

	if (!json_is_object(memory))
		return NULL;
	strbuf_puts(&text, "Its rounds call ");
	put_memory_calls(&text, memory);
	strbuf_printf(&text, ", about %.*f call%s a round. ", calls < 0.95 ? 1 : 0, calls,
		calls >= 0.95 && calls < 1.5 ? "" : "s");
	strbuf_puts(&text, "Of the saving");
	if (buffers > 2)
		strbuf_printf(&text, " with %.0f buffers", buffers);
	strbuf_printf(&text, ", %s is there only if this memory is made once, before the loop.",
		format_time_ns(gain, sizeof(gain), tree_real(memory, "gain_ns")));
	return strbuf_take(&text);
}

static void put_memory_text(json_t *pay)
{
	char *text = pays_memory_words(pay);

	if (text)
		put_json(json_object_get(pay, "memory"), "text", text_json(text));
	free(text);
}

void words_loops(json_t *loops)
{
	json_t *loop;
	size_t i;

	json_array_foreach(loops, i, loop)
	{
		put_late_text(loop);
		put_managed_text(loop);
	}
}

/* "doubt": what makes an estimate less sure; null if nothing does. */
static void put_doubt(json_t *pay)
{
	char share[FORMAT_SIZE], text[2 * FORMAT_SIZE] = "";
	double error = tree_real(pay, "replay_error");

	if (tree_true(pay, "replay_unlike"))
		snprintf(text, sizeof(text),
			"The replay of this loop as it was takes %s %s than the recording: the estimate may be off as "
			"much.",
			format_percent(share, sizeof(share), error < 0 ? -error : error), error < 0 ? "less" : "more");
	put_json(pay, "doubt", text_json(*text ? text : NULL));
}

/* ---- all of them ---- */

void words_pays(json_t *pays)
{
	json_t *pay, *copies;
	size_t i, k;

	words_loops(pays);
	json_array_foreach(pays, i, pay)
	{
		put_why(pay);
		put_advice(pay);
		put_doubt(pay);
		put_memory_text(pay);
		json_array_foreach(json_object_get(pay, "copies"), k, copies)
		{
			put_json(copies, "why", text_json(copies_why(copies)));
			put_advice(copies);
		}
	}
}
