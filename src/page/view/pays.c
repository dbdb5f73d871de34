/* pays.c: the ranked list of places where double buffering would pay: cards for the first, rows for the others. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { CARDS = 5, MAX_ROWS = 30, MAX_COPIES = 16, TEXT_SIZE = 1024 };

static const char *direction(const char *cls)
{
	return strcmp(cls, "h2d") == 0 ? "host to device" : "device to host";
}

/* What keeps copies back, in a few words. */
static const char *pays_reason_words(const char *reason)
{
	static const char *const words[][2] = {{"managed", "managed memory"}, {"pageable", "pageable memory"},
		{"default-stream", "default stream"}, {"synchronous", "the host waits"}, {"same-stream", "same stream"},
		{"dependency", "waits for an event"}, {"host", "issued too late"}, {"alone", "no kernel to run beside"},
		{"none", "nothing found"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(reason, words[i][0]) == 0)
			return words[i][1];
	}
	return reason;
}

/* `python3 (process 5001), GPU 0, in range train, 88 rounds of 5.65 ms`: where an entry stands. */
static void put_where(struct view *view, json_t *card, const json_t *pay)
{
	double pid = tree_real(pay, "process"), rounds = tree_real(pay, "iterations");
	char text[TEXT_SIZE], process[256], times[FORMAT_SIZE], round[FORMAT_SIZE];

	text[0] = '\0';
	if (pid > 0)
		clip_append(text, sizeof(text), "%s, ", view_process(view, pid, process, sizeof(process)));
	clip_append(text, sizeof(text), "GPU %.0f", tree_real(pay, "device"));
	if (tree_has(pay, "within"))
		clip_append(text, sizeof(text), ", in range %.200s", tree_text(pay, "within"));
	if (rounds > 0)
		clip_append(text, sizeof(text), ", %s rounds of %s", format_count(times, sizeof(times), rounds),
			format_time_ns(round, sizeof(round), tree_real(pay, "round_ns")));
	if (tree_real(pay, "threads") > 1)
		clip_append(text, sizeof(text), " in %.0f threads", tree_real(pay, "threads"));
	put_json(card, "rounds", rounds > 0 ? view_count(rounds) : json_null());
	view_put_text(card, "range", tree_text(pay, "range"));
	view_put_text(card, "domain", tree_text(pay, "domain"));
	put_json(card, "where", view_text("%s", text));
}

/* "9.20 ms", or with the upper end of the estimate "9.20 ms to 12.0 ms". */
static json_t *gain_text(const json_t *pay)
{
	double gain = tree_real(pay, "gain_ns"), high = tree_real(pay, "gain_high_ns");
	char low_text[FORMAT_SIZE], high_text[FORMAT_SIZE];

	format_time_ns(low_text, sizeof(low_text), gain);
	format_time_ns(high_text, sizeof(high_text), high);
	if (high > gain && strcmp(low_text, high_text) != 0)
		return view_text("%s to %s", low_text, high_text);
	return view_text("%s", low_text);
}

/* "2 are enough", "3: 9.90 ms saved": the number of buffers that is advised; null where that is not known. */
static json_t *buffers_text(const json_t *pay)
{
	double advised = tree_real(pay, "advised_buffers");
	char gain[FORMAT_SIZE], share[FORMAT_SIZE];

	if (!(advised >= 2))
		return json_null();
	if (advised == 2)
		return view_text("2 are enough");
	return view_text("%.0f save %s, %s of its time", advised,
		format_time_ns(gain, sizeof(gain), tree_real(pay, "advised_gain_ns")),
		format_percent(share, sizeof(share), tree_real(pay, "advised_share")));
}

/* "982 µs of 5.65 ms". */
static json_t *round_text(const json_t *pay)
{
	char gain[FORMAT_SIZE], round[FORMAT_SIZE];

	if (!tree_has(pay, "round_gain_ns"))
		return json_null();
	return view_text("%s of %s", format_time_ns(gain, sizeof(gain), tree_real(pay, "round_gain_ns")),
		format_time_ns(round, sizeof(round), tree_real(pay, "round_ns")));
}

/* "70.0 µs at once; 2.11 ms of the saving": copies in both directions at once, as recorded and as saved by. Null if
 * there is neither. */
static json_t *both_ways_text(const json_t *pay)
{
	double is = tree_real(pay, "duplex_ns"), saves = tree_real(pay, "gain_both_ways_ns");
	char now[FORMAT_SIZE], saved[FORMAT_SIZE];

	format_time_ns(now, sizeof(now), is);
	format_time_ns(saved, sizeof(saved), saves);
	if (is > 0 && saves >= 1)
		return view_text("%s at once; %s of what could be saved", now, saved);
	if (saves >= 1)
		return view_text("%s of what could be saved", saved);
	return is > 0 ? view_text("%s at once", now) : json_null();
}

static void pays_put_numbers(json_t *card, const json_t *pay)
{
	put_json(card, "span", view_time(tree_real(pay, "loop_ns")));
	put_json(card, "lost", view_time(tree_real(pay, "lost_ns")));
	put_json(card, "gain", gain_text(pay));
	put_json(card, "share", view_percent(tree_real(pay, "share")));
	put_json(card, "speedup", view_ratio(tree_real(pay, "speedup")));
	put_json(card, "buffers", buffers_text(pay));
	put_json(card, "round", round_text(pay));
	put_json(card, "both", both_ways_text(pay));
	view_put_sentence(card, "late", tree_text(json_object_get(pay, "host_late"), "text"));
	view_put_sentence(card, "managed", tree_text(json_object_get(pay, "managed"), "text"));
	view_put_sentence(card, "memory", tree_text(json_object_get(pay, "memory"), "text"));
	view_put_sentence(card, "doubt", tree_text(pay, "doubt"));
	view_put_sentence(card, "why", tree_text(pay, "why"));
	view_put_sentence(card, "advice", tree_text(pay, "advice"));
}

/* A bar of `ns` in percent of the longest. */
static void add_bar(json_t *bars, const char *cls, const char *name, double ns, double longest)
{
	json_t *bar = json_object();

	put_json(bar, "class", view_text("%s", cls));
	put_json(bar, "name", view_text("%s", name));
	put_json(bar, "width", view_text("%.0f", longest > 0 && ns > 0 ? 100 * ns / longest : 0));
	append_json(bars, bar);
}

/* The three bars of a card; their values stand beside them. */
static void put_bars(json_t *card, const json_t *pay, double longest)
{
	static const struct {
		const char *cls, *name, *key, *value;
	} kinds[] = {{"span", "takes", "loop_ns", "span"}, {"lost", "copies alone", "lost_ns", "lost"},
		{"gain", "could be saved", "gain_ns", "gain"}};
	json_t *bars = json_array();

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		add_bar(bars, kinds[i].cls, kinds[i].name, tree_real(pay, kinds[i].key), longest);
		put_json(json_array_get(bars, i), "value", json_incref(json_object_get(card, kinds[i].value)));
	}
	put_json(card, "bars", bars);
}

/* What would still be in the way without the first reason; null if nothing. */
static json_t *also_text(const json_t *also)
{
	char text[TEXT_SIZE] = "";

	for (size_t i = 0; i < json_array_size(also); i++)
		clip_append(text, sizeof(text), "%s%s", i > 0 ? ", " : "",
			pays_reason_words(json_string_value(json_array_get(also, i))));
	return *text ? view_text("%s", text) : json_null();
}

/* Reason and advice stand once: not where `above` has them too, which is the group above, or of the first the place. */
static void put_group_words(json_t *row, const json_t *group, const json_t *above)
{
	bool told = strstr(tree_text(above, "why"), tree_text(group, "why")) &&
		    strcmp(tree_text(above, "advice"), tree_text(group, "advice")) == 0;

	view_put_sentence(row, "why", told ? "" : tree_text(group, "why"));
	view_put_sentence(row, "advice", told ? "" : tree_text(group, "advice"));
}

static json_t *copies_row(const json_t *group)
{
	json_t *row = json_object();
	const char *call = tree_text(group, "call");

	put_json(row, "direction", view_text("%s", direction(tree_text(group, "class"))));
	view_put_text(row, "memory", tree_text(group, "memory"));
	view_put_text(row, "call", call);
	put_json(row, "stream",
		tree_has(group, "stream") ? view_text("stream %.0f", tree_real(group, "stream"))
					  : view_text("several streams"));
	put_json(row, "reason", view_text("%s", pays_reason_words(tree_text(group, "reason"))));
	put_json(row, "count", view_count(tree_real(group, "count")));
	put_json(row, "bytes", view_bytes(tree_real(group, "bytes")));
	put_json(row, "time", view_time(tree_real(group, "copy_ns")));
	put_json(row, "lost", view_time(tree_real(group, "lost_ns")));
	put_json(row, "gain",
		tree_has(group, "gain_ns") ? view_time(tree_real(group, "gain_ns")) : view_text("not replayed"));
	put_json(row, "also", also_text(json_object_get(group, "also")));
	return row;
}

/* Whether moving these copies alone would save less than 1 ns. Of migrations, and in an older tree, it is not known. */
static bool saves_nothing(const json_t *group)
{
	return tree_real(group, "gain_ns") < 1;
}

/* Groups that save something; without any of these, all. */
static void pays_put_copies(json_t *card, const json_t *pay)
{
	const json_t *copies = json_object_get(pay, "copies"), *group, *above = pay;
	double more = fmax(0, tree_real(pay, "copies_left_out"));
	bool any = false;
	json_t *rows = json_array(), *row;
	size_t i;

	json_array_foreach(copies, i, group) any |= tree_real(group, "gain_ns") >= 1;
	json_array_foreach(copies, i, group)
	{
		if (json_array_size(rows) == MAX_COPIES || (any && saves_nothing(group))) {
			more++;
			continue;
		}
		row = copies_row(group);
		put_group_words(row, group, above);
		append_json(rows, row);
		above = group;
	}
	view_put_list(card, "groups", rows);
	put_json(card, "rest",
		any && tree_real(pay, "gain_rest_ns") >= 1 ? view_time(tree_real(pay, "gain_rest_ns")) : json_null());
	put_json(card, "more_groups",
		more == 1  ? view_text("1 more group of copies would save less or nothing; report.json has it.")
		: more > 0 ? view_text("%.0f more groups of copies would save less or nothing; report.json has them.",
				     more)
			   : json_null());
}

/* The picture of a typical stretch, if the model has one. */
static void put_close(struct view *view, json_t *card, const json_t *pay, size_t number)
{
	const json_t *close = json_object_get(pay, "close_up");
	const json_t *copies = json_array_get(json_object_get(pay, "copies"), 0);
	const json_t *part = json_object_get(view->recording, "part");
	char what[32], span[FORMAT_SIZE], count[FORMAT_SIZE], ran[256] = "all that the process ran";
	json_t *out;

	snprintf(what, sizeof(what), "close-%zu", number);
	view_put_figure(view, card, "close", NULL, what);
	if (!tree_has(card, "close"))
		return;
	out = json_object_get(card, "close");
	format_time_ns(span, sizeof(span), tree_real(json_object_get(close, "timeline"), "span_ns"));
	format_count(count, sizeof(count), tree_real(copies, "count"));
	/* Of ranges that were asked for, nothing else was read. */
	if (tree_has(part, "range"))
		snprintf(ran, sizeof(ran), "what ranges named “%.200s” ran", tree_text(part, "range"));
	put_json(out, "text",
		tree_real(copies, "count") == 1
			? view_text("%s around this copy %s, with %s on GPU %.0f meanwhile", span,
				  direction(tree_text(copies, "class")), ran, tree_real(pay, "device"))
			: view_text("%s around one of these %s copies %s, with %s on GPU %.0f meanwhile", span, count,
				  direction(tree_text(copies, "class")), ran, tree_real(pay, "device")));
	put_json(out, "data", view_timeline(timeline_close, pay));
}

static json_t *card_view(struct view *view, const json_t *pay, size_t number, double longest)
{
	json_t *card = json_object();
	char id[32];

	snprintf(id, sizeof(id), "pays-%zu", number);
	put_json(card, "id", view_id(view, id));
	put_json(card, "rank", view_text("%zu", number));
	put_where(view, card, pay);
	pays_put_numbers(card, pay);
	if (number > CARDS)
		return card;
	put_bars(card, pay, longest);
	pays_put_copies(card, pay);
	put_close(view, card, pay, number);
	return card;
}

/* Whether some estimate rests on an assumed rate of copies in both directions at once. */
static bool is_assumed(const json_t *pays)
{
	for (size_t i = 0; i < json_array_size(pays); i++) {
		if (json_is_false(json_object_get(json_array_get(pays, i), "duplex_measured")))
			return true;
	}
	return false;
}

void view_pays(struct view *view, json_t *out)
{
	const json_t *pays = json_object_get(json_object_get(view->recording, "program"), "pays");
	json_t *cards = json_array(), *rows = json_array();
	size_t n = json_array_size(pays);
	double longest = 0;

	for (size_t i = 0; i < n && i < CARDS; i++)
		longest = fmax(longest, tree_real(json_array_get(pays, i), "loop_ns"));
	for (size_t i = 0; i < n && i < CARDS + MAX_ROWS; i++)
		append_json(i < CARDS ? cards : rows, card_view(view, json_array_get(pays, i), i + 1, longest));
	view_put_list(out, "pays", cards);
	view_put_list(out, "further", rows);
	put_json(out, "more_pays",
		n > CARDS + MAX_ROWS ? view_text("%zu more are in report.json.", n - CARDS - MAX_ROWS) : json_null());
	put_json(out, "assumed", json_boolean(is_assumed(pays)));
}
