/* lists.c: see lists.h. */
#include "model/fit/lists.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

struct measured_text {
	size_t size, depth;
};

static int measure_more(const char *text, size_t size, void *user)
{
	struct measured_text *measured = user;

	measured->size += size;
	for (size_t i = 0; i < size; i++)
		measured->size += text[i] == '\n' ? measured->depth : 0;
	return 0;
}

size_t fit_size(const json_t *value, size_t depth)
{
	struct measured_text measured = {0, depth};

	json_dump_callback(value, measure_more, &measured, JSON_INDENT(1) | JSON_ENCODE_ANY);
	return measured.size;
}

void fit_count(json_t *object, const char *key, json_int_t n)
{
	put_json(object, key, json_integer(int64_sum(json_integer_value(json_object_get(object, key)), n)));
}

/* ---- entries ---- */

struct weighed {
	size_t i, size;
	double worth;
};

static int by_worth(const void *left, const void *right)
{
	const struct weighed *a = left, *b = right;

	if (a->worth != b->worth)
		return a->worth > b->worth ? -1 : 1;
	return (a->i > b->i) - (a->i < b->i);
}

/* Which entries are kept, for free(). */
static bool *choose_entries(const json_t *list, size_t room, size_t depth, const json_t *recording, fit_worth *worth)
{
	size_t n = json_array_size(list), size = 0;
	struct weighed *entries = xcalloc(n + 1, sizeof(*entries));
	bool *kept = xcalloc(n + 1, sizeof(*kept));

	for (size_t i = 0; i < n; i++) {
		const json_t *entry = json_array_get(list, i);

		/* It has a line of its own, and a comma. */
		entries[i] = (struct weighed){i, fit_size(entry, depth + 1) + depth + 3, worth(entry, recording)};
	}
	qsort(entries, n, sizeof(*entries), by_worth);
	for (size_t k = 0; k < n && (k == 0 || size + entries[k].size <= room); k++) {
		size += entries[k].size;
		kept[entries[k].i] = true;
	}
	free(entries);
	return kept;
}

size_t fit_keep_best(
	json_t *list, size_t room, size_t depth, const json_t *recording, fit_worth *worth, json_t *sum, fit_left *left)
{
	bool *kept = choose_entries(list, room, depth, recording, worth);
	size_t n = json_array_size(list), nleft = 0;
	json_t *best = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *entry = json_array_get(list, i);

		if (kept[i]) {
			append_json(best, json_incref(entry));
			continue;
		}
		nleft++;
		if (left)
			left(sum, entry);
	}
	json_array_clear(list);
	json_array_extend(list, best);
	json_decref(best);
	free(kept);
	return nleft;
}

/* ---- texts ---- */

enum { TEXT_MOST = 200, TEXT_FIRST = 130, TEXT_LAST = 60 };

static bool begins_character(char c)
{
	return (c & 0xC0) != 0x80;
}

/* The text as "first ... last": a number that tells it from another is often at its end. */
static json_t *cut_text(const char *text, size_t length)
{
	size_t first = TEXT_FIRST, last = length - TEXT_LAST;
	char *cut;
	json_t *string;

	while (first > 0 && !begins_character(text[first]))
		first--;
	while (last < length && !begins_character(text[last]))
		last++;
	cut = xasprintf("%.*s…%s", (int)first, text, text + last);
	string = text_json(cut);
	free(cut);
	return string;
}

/* The value for one that is too long; NULL if it may stay. */
static json_t *shorter_text(const json_t *value)
{
	return json_string_length(value) > TEXT_MOST ? cut_text(json_string_value(value), json_string_length(value))
						     : NULL;
}

size_t fit_cut_texts(json_t *value)
{
	size_t cut = 0;
	json_t *member, *shorter;
	const char *key;

	if (json_is_object(value)) {
		json_object_foreach(value, key, member)
		{
			cut += fit_cut_texts(member);
			shorter = shorter_text(member);
			if (shorter)
				json_object_set_new(value, key, shorter), cut++;
		}
	}
	for (size_t i = 0; i < json_array_size(value); i++) {
		member = json_array_get(value, i);
		cut += fit_cut_texts(member);
		shorter = shorter_text(member);
		if (shorter)
			json_array_set_new(value, i, shorter), cut++;
	}
	return cut;
}
