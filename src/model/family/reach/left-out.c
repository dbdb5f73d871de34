/* left-out.c: what the tree of a family with rungs has once, or not at all: see reach.h. */
#include "model/family/reach/reach.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "tree/json.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/hash.h"

/* A text of a part, so that few have to be compared: a stranger's recording may have many that are long. */
struct part_text {
	const char *text; /* the tree's */
	size_t length;
	uint64_t hash;
};

/* Those of all variants, in their order, for free(). */
static struct part_text *part_texts(const json_t *variants, const char *part)
{
	struct part_text *texts = xcalloc(json_array_size(variants) + 1, sizeof(*texts));

	for (size_t v = 0; v < json_array_size(variants); v++) {
		const char *text = tree_text(json_object_get(json_array_get(variants, v), part), "text");
		const size_t length = strlen(text);

		texts[v] = (struct part_text){text, length, hash_bytes(0, text, length)};
	}
	return texts;
}

static bool is_same_part(const struct part_text *a, const struct part_text *b)
{
	return a->hash == b->hash && a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static bool is_one_of_pair(const json_t *variant)
{
	return tree_has(variant, "role");
}

/* The variant that stands for all that have variant v's text: one of the pair, or the first. */
static size_t left_out_owner(const json_t *variants, const struct part_text *texts, size_t v)
{
	for (size_t k = 0; k < json_array_size(variants); k++)
		if (is_one_of_pair(json_array_get(variants, k)) && is_same_part(&texts[k], &texts[v]))
			return k;
	for (size_t k = 0; k < v; k++)
		if (is_same_part(&texts[k], &texts[v]))
			return k;
	return v;
}

/* Puts "same_as" into the parts ("code", "ptx") of all but the pair; no text is dropped yet, since it is compared. */
static void put_same_as(const json_t *variants, const char *part)
{
	struct part_text *texts = part_texts(variants, part);

	for (size_t v = 0; v < json_array_size(variants); v++) {
		const json_t *variant = json_array_get(variants, v);
		json_t *object = json_object_get(variant, part);
		size_t owner;

		if (is_one_of_pair(variant) || !json_is_object(object))
			continue;
		owner = left_out_owner(variants, texts, v);
		put_json(object, "same_as",
			owner == v ? json_null() : json_string(tree_text(json_array_get(variants, owner), "name")));
	}
	free(texts);
}

/* Sets the keys of an object to null. */
static void put_nulls(json_t *object, const char *const *keys)
{
	for (; json_is_object(object) && *keys; keys++)
		put_json(object, *keys, json_null());
}

/* Drops the lines with few samples. */
static void leave_cold_lines_out(json_t *lines)
{
	for (size_t i = json_array_size(lines); i-- > 0;)
		if (!(tree_real(json_array_get(lines, i), "share") >= rung_line_share))
			json_array_remove(lines, i);
}

static void leave_places_out(const json_t *variant)
{
	static const char *const places[] = {"offsets", NULL};
	const json_t *cases = json_object_get(variant, "cases");

	for (size_t i = 0; i < json_array_size(cases); i++) {
		json_t *stalls = json_object_get(json_array_get(cases, i), "stalls");

		put_nulls(stalls, places);
		leave_cold_lines_out(json_object_get(stalls, "lines"));
	}
}

void leave_out_of_rungs(json_t *variants)
{
	static const char *const code[] = {"lines", "text", NULL}, *const ptx[] = {"text", "marks", NULL};

	put_same_as(variants, "code");
	put_same_as(variants, "ptx");
	for (size_t v = 0; v < json_array_size(variants); v++) {
		const json_t *variant = json_array_get(variants, v);

		if (is_one_of_pair(variant))
			continue;
		if (tree_has(json_object_get(variant, "code"), "same_as"))
			put_nulls(json_object_get(variant, "code"), code);
		put_nulls(json_object_get(variant, "ptx"), ptx);
		leave_places_out(variant);
	}
}
