/* program.c: see program.h. */
#include "words/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"
#include "words/communication.h"
#include "words/pays.h"

enum { ANSWER_SIZE = 8192, WHERE_SIZE = 1024 };

/* "range “one stream”", or the loop's rounds and GPU where there is none. */
static void where_words(const json_t *pay, char *text, size_t size)
{
	char rounds[FORMAT_SIZE];

	format_count(rounds, sizeof(rounds), tree_real(pay, "iterations"));
	if (tree_has(pay, "within"))
		snprintf(text, size, "range “%.400s” in “%.400s”", tree_text(pay, "range"), tree_text(pay, "within"));
	else if (tree_has(pay, "range"))
		snprintf(text, size, "range “%.800s”", tree_text(pay, "range"));
	else
		snprintf(text, size, "a loop of %s rounds on GPU %.0f", rounds, tree_real(pay, "device"));
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

/* The first copies that the saving comes from, else the first that it may come from: not migrations, of which no replay
 * knows. NULL without copies. */
static const json_t *freed_copies(const json_t *pay)
{
	const json_t *copies = json_object_get(pay, "copies");
	size_t first = 0;

	while (json_is_null(json_object_get(json_array_get(copies, first), "gain_ns")))
		first++;
	for (size_t i = first; i < json_array_size(copies); i++) {
		if (tree_real(json_array_get(copies, i), "gain_ns") > 0)
			return json_array_get(copies, i);
	}
	return json_array_get(copies, first);
}

/* "9.25 ms of range “x” (1.566× as fast)", with two buffers, or with more where these are needed. */
static void saving_words(const json_t *pay, const char *where, char *text, size_t size)
{
	char gain[FORMAT_SIZE], ratio[FORMAT_SIZE], most[FORMAT_SIZE], with[WHERE_SIZE] = "";
	double advised = tree_real(pay, "advised_buffers");

	format_time_ns(most, sizeof(most), tree_real(pay, "advised_gain_ns"));
	if (tree_true(pay, "needs_more")) {
		snprintf(text, size, "Double buffering with %.0f buffers could save about %s of %s.", advised, most,
			where);
		return;
	}
	if (advised > 2)
		snprintf(with, sizeof(with), " With %.0f buffers it is %s.", advised, most);
	snprintf(text, size, "Double buffering could save about %s of %s (%s as fast).%s",
		format_time_ns(gain, sizeof(gain), tree_real(pay, "gain_ns")), where,
		format_ratio(ratio, sizeof(ratio), tree_real(pay, "speedup")), with);
}

/* " In after.sqlite the GPU takes 322 ms for this range (1.333× as fast)."; "" where nothing is known of it. The range
 * around it has its name. */
static void after_words(const json_t *pay, char *text, size_t size)
{
	const json_t *after = json_object_get(pay, "after");
	char span[FORMAT_SIZE], ratio[FORMAT_SIZE], range[WHERE_SIZE] = "this range";

	*text = '\0';
	if (!json_is_object(after))
		return;
	if (tree_has(after, "range") && strcmp(tree_text(after, "range"), tree_text(pay, "range")) != 0)
		snprintf(range, sizeof(range), "range “%.200s”", tree_text(after, "range"));
	format_time_ns(span, sizeof(span), tree_real(after, "span_ns"));
	format_ratio(ratio, sizeof(ratio), tree_real(after, "speedup"));
	snprintf(text, size, " In %.400s the GPU takes %.40s for %s (%.40s as fast).", tree_text(after, "file"), span,
		range, ratio);
}

/* The loop in whose object `what` the number `key` is largest, of those where it matters; NULL if it matters nowhere.
 */
static const json_t *worst_loop(const json_t *program, const char *what, const char *key)
{
	static const char *const lists[] = {"pays", "other_loops"};
	const json_t *worst = NULL, *loop;
	size_t i;

	for (size_t l = 0; l < 2; l++) {
		json_array_foreach(json_object_get(program, lists[l]), i, loop)
		{
			const json_t *here = json_object_get(loop, what);

			if (tree_true(here, "matters") &&
				(!worst || tree_real(here, key) > tree_real(json_object_get(worst, what), key)))
				worst = loop;
		}
	}
	return worst;
}

/* " The GPU waits for the host for 45.0 % of range “step”." if that is more than `gain`, what could be saved. */
static void late_words(const json_t *program, double gain, char *text, size_t size)
{
	const json_t *loop = worst_loop(program, "host_late", "ns"), *late = json_object_get(loop, "host_late");
	char share[FORMAT_SIZE], where[WHERE_SIZE];

	*text = '\0';
	if (!loop || tree_real(late, "ns") <= gain)
		return;
	if (loop == json_array_get(json_object_get(program, "pays"), 0))
		snprintf(where, sizeof(where), "it");
	else
		where_words(loop, where, sizeof(where));
	snprintf(text, size, " The GPU waits for the host for %s of %s.",
		format_percent(share, sizeof(share), tree_real(late, "share")), where);
}

/* " Managed memory migrates for 2.40 ms of range “x” with no kernel beside it." and what is not known of it; "" if it
 * matters nowhere. */
static void managed_words(const json_t *program, char *text, size_t size)
{
	const json_t *loop = worst_loop(program, "managed", "lost_ns"), *managed = json_object_get(loop, "managed");
	char lost[FORMAT_SIZE], most[FORMAT_SIZE], where[WHERE_SIZE] = "it";

	*text = '\0';
	if (!loop)
		return;
	if (loop != json_array_get(json_object_get(program, "pays"), 0))
		where_words(loop, where, sizeof(where));
	snprintf(text, size,
		" Managed memory migrates for %s of %s with no kernel beside it. No replay knows what waits for "
		"migrations: beside kernels they would save up to %s, which no estimate counts.",
		format_time_ns(lost, sizeof(lost), tree_real(managed, "lost_ns")), where,
		format_time_ns(most, sizeof(most), tree_real(managed, "gain_most_ns")));
}

/* Two sentences or more: a claim with two numbers, what stands in its way, what became of it, whether the host costs
 * more. */
static void gain_words(const json_t *program, const json_t *pay, char *text, size_t size)
{
	char saving[2 * WHERE_SIZE], where[WHERE_SIZE], copies[4 * FORMAT_SIZE], after[WHERE_SIZE],
		late[2 * WHERE_SIZE], managed[2 * WHERE_SIZE], *memory = pays_memory_words(pay);

	where_words(pay, where, sizeof(where));
	saving_words(pay, where, saving, sizeof(saving));
	copies_words(freed_copies(pay), copies, sizeof(copies));
	after_words(pay, after, sizeof(after));
	late_words(program, tree_real(pay, "gain_ns"), late, sizeof(late));
	managed_words(program, managed, sizeof(managed));
	snprintf(text, size, "%s%s%s%s%s%s%s", saving, copies, memory ? " " : "", memory ? memory : "", after, late,
		managed);
	free(memory);
}

/* "nothing is copied between host and GPU", of ranges with what lies outside of them. */
static void no_copies_words(const json_t *part, char *text, size_t size)
{
	double outside = tree_real(part, "copies_outside");
	char count[FORMAT_SIZE], rest[2 * FORMAT_SIZE] = "";

	if (outside > 0)
		snprintf(rest, sizeof(rest), "; %s cop%s outside of them", format_count(count, sizeof(count), outside),
			outside == 1 ? "y lies" : "ies lie");
	if (tree_has(part, "range"))
		snprintf(text, size, "nothing is copied between host and GPU in ranges named “%.400s”%s.",
			tree_text(part, "range"), rest);
	else
		snprintf(text, size, "nothing is copied between host and GPU%s.",
			json_is_object(part) ? " in this part of the recording" : "");
}

/* Work is missing, so that no replay would tell what the GPU can do; and copies may be missing, too. */
static void other_threads_words(const json_t *program, const json_t *part, char *text, size_t size)
{
	char share[FORMAT_SIZE], copies[WHERE_SIZE] = "";

	if (tree_real(part, "copies") == 0) {
		no_copies_words(part, copies, sizeof(copies));
		copies[0] = 'N';
	}
	snprintf(text, size,
		"No gain is estimated: while ranges named “%.400s” were open, other threads launched %s of the GPU's "
		"work, which is left out.%s%s",
		tree_text(part, "range"),
		format_percent(share, sizeof(share), tree_real(json_object_get(program, "no_gain"), "share")),
		*copies ? " " : "", copies);
}

/* Why no gain was found. */
static void no_gain_reason(const json_t *program, const json_t *part, char *text, size_t size)
{
	const json_t *no_gain = json_object_get(program, "no_gain");
	const char *id = tree_text(no_gain, "id");
	double loops = tree_real(program, "loops");
	char share[FORMAT_SIZE];

	*text = '\0';
	format_percent(share, sizeof(share), tree_real(no_gain, "share"));
	if (strcmp(id, "no-copies") == 0)
		no_copies_words(part, text, size);
	else if (strcmp(id, "no-kernels") == 0)
		snprintf(text, size, "no kernel runs that a copy could run beside.");
	else if (strcmp(id, "graphs") == 0)
		snprintf(text, size, "what CUDA graphs copy and compute was not recorded.");
	else if (strcmp(id, "little-exposed") == 0)
		snprintf(text, size, "copies without a kernel beside them take %s of the time.", share);
	else if (strcmp(id, "hidden-already") == 0)
		snprintf(text, size, "%s of the time of copies is hidden already.", share);
	else if (strcmp(id, "managed") == 0)
		snprintf(text, size, "the driver moves managed memory, and no replay tells what that costs.");
	else if (strcmp(id, "small") == 0 && loops == 1)
		snprintf(text, size, "two buffers would save less than 2 %% of the only loop's time.");
	else if (strcmp(id, "small") == 0)
		snprintf(text, size, "two buffers would save 2 %% in none of %.0f loops.", loops);
	else if (strcmp(id, "no-loop") == 0)
		snprintf(text, size, "%s, and copies alone take %s of the time.",
			json_array_size(json_object_get(program, "other_loops")) > 0 ||
					tree_real(program, "other_loops_left_out") > 0
				? "no loop could run copies and kernels at once"
				: "the program has no loop",
			share);
}

/* " Work outside of loops was not looked at: 31.0 ms of copies."; what happens inside kernels never is, unless they
 * were advised. */
static void not_looked_at(const json_t *program, bool advised, char *text, size_t size)
{
	const json_t *outside = json_object_get(program, "outside");
	char copies[FORMAT_SIZE];

	*text = '\0';
	if (tree_real(outside, "copy_ns") > 0 && advised)
		snprintf(text, size, " Work outside of loops was not looked at (%s of copies).",
			format_time_ns(copies, sizeof(copies), tree_real(outside, "copy_ns")));
	else if (tree_real(outside, "copy_ns") > 0)
		snprintf(text, size, " Not looked at: the inside of kernels, and work outside of loops (%s of copies).",
			format_time_ns(copies, sizeof(copies), tree_real(outside, "copy_ns")));
	else if (!advised)
		snprintf(text, size, " The inside of kernels was not looked at.");
}

static void no_gain_words(const json_t *program, const json_t *part, bool advised, char *text, size_t size)
{
	const char *id = tree_text(json_object_get(program, "no_gain"), "id");
	char reason[WHERE_SIZE], rest[WHERE_SIZE], late[2 * WHERE_SIZE], managed[2 * WHERE_SIZE];

	if (strcmp(id, "other-threads") == 0) {
		other_threads_words(program, part, text, size);
		return;
	}
	if (strcmp(id, "no-work") == 0 && tree_has(part, "range")) {
		snprintf(text, size, "No work of a GPU was launched in ranges named “%.400s”, on their threads.",
			tree_text(part, "range"));
		return;
	}
	if (strcmp(id, "no-work") == 0) {
		snprintf(text, size,
			"This recording has no work of a GPU: record with CUDA as well, as dbprof trace and nsys "
			"profile -t cuda,nvtx do.");
		return;
	}
	no_gain_reason(program, part, reason, sizeof(reason));
	if (!*reason)
		return;
	not_looked_at(program, advised, rest, sizeof(rest));
	late_words(program, 0, late, sizeof(late));
	managed_words(program, managed, sizeof(managed));
	snprintf(text, size, "No gain was found%s: %s%s%s%s", advised ? " in copies" : "", reason, managed, rest, late);
}

/* Whether the program leaves time on the table that double buffering would win. Null without a list of places. */
static json_t *program_answer(const json_t *program, const json_t *part, bool advised)
{
	const json_t *pays = json_object_get(program, "pays");
	char text[ANSWER_SIZE] = "";

	if (json_array_size(pays) > 0)
		gain_words(program, json_array_get(pays, 0), text, sizeof(text));
	else
		no_gain_words(program, part, advised, text, sizeof(text));
	return text_json(*text ? text : NULL);
}

void words_program(json_t *recording)
{
	json_t *program = json_object_get(recording, "program");

	if (!json_is_object(program))
		return;
	words_pays(json_object_get(program, "pays"));
	words_loops(json_object_get(program, "other_loops"));
	words_communication(json_object_get(program, "communication"));
	put_json(program, "answer",
		program_answer(program, json_object_get(recording, "part"), tree_has(recording, "advised")));
}
