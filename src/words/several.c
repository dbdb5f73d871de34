/* several.c: see several.h. */
#include "words/several.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tree/json.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { SEVERAL_SIZE = 512 };

/* ---- verdicts by date ---- */

/* What changed in a family: the last two verdicts that differ; `at` is the recording of the later one. */
struct change {
	const json_t *from, *to;
	size_t at;
};

static bool find_change(const json_t *family, struct change *change)
{
	const json_t *gains = json_object_get(family, "gains"), *gain, *last = NULL;
	bool found = false;
	size_t i;

	json_array_foreach(gains, i, gain)
	{
		if (!json_is_object(gain))
			continue;
		if (last && strcmp(tree_text(last, "verdict"), tree_text(gain, "verdict")) != 0) {
			*change = (struct change){last, gain, i};
			found = true;
		}
		last = gain;
	}
	return found;
}

static void say_change(const json_t *history, const json_t *family, const struct change *change, char *text)
{
	const json_t *recording = json_array_get(json_object_get(history, "recordings"), change->at);

	clip_append(text, SEVERAL_SIZE, "%.80s changed from %s to %s", tree_text(family, "name"),
		size_of(change->from)->word, size_of(change->to)->word);
	if (tree_has(recording, "created"))
		clip_append(text, SEVERAL_SIZE, " on %.10s", tree_text(recording, "created"));
}

/* Whether two of the recordings, by place, were made at the same time and have all gains alike. */
static bool is_same_recording(const json_t *history, size_t a, size_t b)
{
	const json_t *recordings = json_object_get(history, "recordings");
	const json_t *families = json_object_get(history, "families"), *family;
	const char *created = tree_text(json_array_get(recordings, a), "created");
	size_t i;

	if (*created == '\0' || strcmp(created, tree_text(json_array_get(recordings, b), "created")) != 0)
		return false;
	json_array_foreach(families, i, family)
	{
		const json_t *gains = json_object_get(family, "gains");

		if (!json_equal(json_array_get(gains, a), json_array_get(gains, b)))
			return false;
	}
	return true;
}

/* A nightly job that copies an old file sees no change, whatever has changed. */
static void say_copies(const json_t *history, char *text)
{
	size_t n = json_array_size(json_object_get(history, "recordings")), copies = 0;

	for (size_t b = 1; b < n; b++) {
		size_t a = 0;

		while (a < b && !is_same_recording(history, a, b))
			a++;
		copies += a < b;
	}
	if (copies > 0)
		clip_append(text, SEVERAL_SIZE, " %zu of the recordings %s the same as another one.", copies,
			copies == 1 ? "is" : "are");
}

static json_t *history_text(const json_t *history)
{
	const json_t *families = json_object_get(history, "families"), *family;
	size_t changed = 0, n = json_array_size(families), i;
	char text[SEVERAL_SIZE] = "", first[SEVERAL_SIZE] = "";
	struct change change;

	json_array_foreach(families, i, family)
	{
		if (!find_change(family, &change))
			continue;
		if (changed++ == 0)
			say_change(history, family, &change, first);
	}
	if (changed == 0)
		clip_append(text, sizeof(text), "No verdict changed over %zu recordings",
			json_array_size(json_object_get(history, "recordings")));
	else if (changed == 1)
		clip_append(text, sizeof(text), "%s", first);
	else
		clip_append(text, sizeof(text), "%zu of %zu verdicts changed: %s", changed, n, first);
	clip_append(text, sizeof(text), ".");
	say_copies(history, text);
	return text_json(text);
}

/* ---- gains by GPU ---- */

static double gain_number(const json_t *family, size_t at, const char *key)
{
	return tree_real(json_array_get(json_object_get(family, "gains"), at), key);
}

/* The two GPUs whose intervals of a family's gain are furthest apart. False if none are. */
static bool find_ends(const json_t *family, size_t *least, size_t *most)
{
	double low = -INFINITY, high = INFINITY;

	for (size_t i = 0; i < json_array_size(json_object_get(family, "gains")); i++) {
		double from = gain_number(family, i, "low"), to = gain_number(family, i, "high");

		if (to < high)
			*least = i;
		if (from > low)
			*most = i;
		high = fmin(high, to);
		low = fmax(low, from);
	}
	return low > high;
}

static double gain_value(const json_t *family, size_t at)
{
	return gain_number(family, at, "value");
}

/* Whether two GPUs have a gain of the family. */
static bool is_shared(const json_t *family)
{
	size_t gains = 0;

	for (size_t i = 0; i < json_array_size(json_object_get(family, "gains")); i++)
		gains += isfinite(gain_value(family, i));
	return gains > 1;
}

static json_t *across_text(const json_t *across)
{
	const json_t *gpus = json_object_get(across, "gpus"), *families = json_object_get(across, "families"), *family;
	const json_t *widest = NULL;
	size_t i, low = 0, high = 0, least = 0, most = 0, shared = 0;
	char text[SEVERAL_SIZE], one[FORMAT_SIZE], other[FORMAT_SIZE];

	json_array_foreach(families, i, family)
	{
		shared += is_shared(family);
		if (!find_ends(family, &low, &high) ||
			(widest && gain_value(family, high) / gain_value(family, low) <=
					   gain_value(widest, most) / gain_value(widest, least)))
			continue;
		widest = family;
		least = low;
		most = high;
	}
	if (!widest)
		return shared == 0 ? json_null()
				   : json_string("No gain differs from GPU to GPU by more than its interval.");
	clip_print(text, sizeof(text), "The gain differs most in %.80s: %s on %.80s, %s on %.80s.",
		tree_text(widest, "name"), format_ratio(one, sizeof(one), gain_value(widest, most)),
		tree_text(json_array_get(gpus, most), "name"),
		format_ratio(other, sizeof(other), gain_value(widest, least)),
		tree_text(json_array_get(gpus, least), "name"));
	return text_json(text);
}

void words_several(json_t *tree)
{
	json_t *history, *across = json_object_get(tree, "across");
	size_t i;

	json_array_foreach(json_object_get(tree, "history"), i, history)
		put_json(history, "text", history_text(history));
	if (json_is_object(across))
		put_json(across, "text", across_text(across));
}
