/* items.c: see items.h. */
#include "words/items.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { ITEMS_TEXT = 1024, NOUN_TEXT = 64 };

/* Of fewer no percentile tells of one in a hundred. */
enum { HUNDRED = 100 };

/* The two of a pair that are told of, and what goes through them. */
struct items_pair {
	const json_t *single, *dbl; /* I */
	const char *noun;
	bool counted; /* the family's throughput is so many of them a second */
};

/* "frames" of a family whose throughput is in frames a second; false, and "items", of another. */
static bool items_noun(const json_t *family, char *text, size_t size)
{
	const char *unit = tree_text(family, "throughput_unit"), *slash = strchr(unit, '/');
	const bool counted = slash && slash - unit < NOUN_TEXT / 2 && *unit >= 'a' && *unit <= 'z';

	clip_print(text, size, "%.*s", counted ? (int)(slash - unit) : NOUN_TEXT, counted ? unit : "items");
	return counted;
}

static double latency_of(const json_t *items, const char *key)
{
	return tree_real(json_object_get(items, "latency_ns"), key);
}

/* "Frames a second: 20,400 with two-buffers, 11,000 with one-buffer." Nothing where throughput counts something else.
 */
static void items_rate_words(const struct items_pair *pair, char *text, size_t size)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE];

	if (!pair->counted || !isfinite(tree_real(pair->single, "throughput")) ||
		!isfinite(tree_real(pair->dbl, "throughput")))
		return;
	format_count(single, sizeof(single), tree_real(pair->single, "throughput"));
	format_count(dbl, sizeof(dbl), tree_real(pair->dbl, "throughput"));
	clip_append(text, size, "%c%s a second: %s with %.80s, %s with %.80s. ", *pair->noun - 'a' + 'A',
		pair->noun + 1, dbl, tree_text(pair->dbl, "variant"), single, tree_text(pair->single, "variant"));
}

/* "With two-buffers the frames are done 150 us after they arrive on average, instead of 180 us. One of a hundred ..."
 * Items that meet others on their way have latencies of two kinds, and a median in the gap between them. */
static void latency_words(const struct items_pair *pair, char *text, size_t size)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE], late[FORMAT_SIZE], single_late[FORMAT_SIZE];

	format_time_ns(single, sizeof(single), latency_of(pair->single, "mean"));
	format_time_ns(dbl, sizeof(dbl), latency_of(pair->dbl, "mean"));
	format_time_ns(single_late, sizeof(single_late), latency_of(pair->single, "p99"));
	format_time_ns(late, sizeof(late), latency_of(pair->dbl, "p99"));
	clip_append(text, size, "With %.80s the %s are done %s after they arrive on average, instead of %s. ",
		tree_text(pair->dbl, "variant"), pair->noun, dbl, single);
	if (tree_real(pair->single, "n") >= HUNDRED && tree_real(pair->dbl, "n") >= HUNDRED)
		clip_append(text, size, "One of a hundred takes longer than %s, instead of %s. ", late, single_late);
}

/* "none", "all" or "12.0 %". */
static void held_words(const json_t *items, char *text, size_t size)
{
	const double held = tree_real(items, "held_back"), n = tree_real(items, "n");

	if (held == 0 || held == n)
		clip_print(text, size, "%s", held == 0 ? "none" : "all");
	else
		format_percent(text, size, held / n);
}

/* "With one-buffer all of the frames had to wait for a buffer, with two-buffers 12.0 %." */
static void waiting_words(const struct items_pair *pair, char *text, size_t size)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE];

	held_words(pair->single, single, sizeof(single));
	held_words(pair->dbl, dbl, sizeof(dbl));
	if (strcmp(single, dbl) == 0)
		clip_append(text, size, "%c%s of the %s had to wait for a buffer, with either.",
			*single >= 'a' ? *single - 'a' + 'A' : *single, single + 1, pair->noun);
	else
		clip_append(text, size, "With %.80s %s of the %s had to wait for a buffer, with %.80s %s.",
			tree_text(pair->single, "variant"), single, pair->noun, tree_text(pair->dbl, "variant"), dbl);
}

/* "No frame counts: ...", or "No frame of two-buffers, three-buffers counts: ..." where others do. */
static void uncounted_words(const json_t *one, const char *noun, char *text, size_t size)
{
	const json_t *uncounted = json_object_get(one, "uncounted");
	const bool all = json_array_size(json_object_get(one, "variants")) == 0;
	const size_t length = strlen(noun);

	if (json_array_size(uncounted) == 0)
		return;
	clip_append(text, size, "%sNo %.*s", *text ? " " : "", (int)(length - (noun[length - 1] == 's')), noun);
	for (size_t i = 0; i < json_array_size(uncounted) && !all; i++)
		clip_append(
			text, size, "%s%.80s", i == 0 ? " of " : ", ", json_string_value(json_array_get(uncounted, i)));
	clip_append(text, size, " counts: a launch has no more than it takes to fill the pipeline.");
}

void items_words(json_t *family)
{
	char noun[NOUN_TEXT];
	bool counted;
	json_t *one;
	size_t i;

	counted = items_noun(family, noun, sizeof(noun));
	json_array_foreach(json_object_get(family, "items"), i, one)
	{
		const json_t *variants = json_object_get(one, "variants");
		const struct items_pair pair = {tree_find(variants, "variant", tree_text(family, "single")),
			tree_find(variants, "variant", tree_text(family, "double")), noun, counted};
		char text[ITEMS_TEXT] = "";

		put_json(one, "noun", text_json(noun));
		if (pair.single && pair.dbl) {
			items_rate_words(&pair, text, sizeof(text));
			latency_words(&pair, text, sizeof(text));
			waiting_words(&pair, text, sizeof(text));
		}
		uncounted_words(one, noun, text, sizeof(text));
		put_json(one, "text", text_json(*text ? text : NULL));
	}
}
