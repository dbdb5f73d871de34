/* left-out.c: what the tree of a family with rungs has once, or not at all: see reach.h. */
#include "model/family/reach/reach.h"

#include <stdbool.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"

static const char *left_out_text(const json_t *variant, const char *part)
{
	return tree_text(json_object_get(variant, part), "text");
}

static bool is_one_of_pair(const json_t *variant)
{
	return tree_has(variant, "role");
}

/* The variant that stands for all that have this one's text of a part ("code", "ptx"): one of the pair, or the first.
 */
static const json_t *left_out_owner(const json_t *variants, const json_t *variant, const char *part)
{
	const json_t *first = NULL;

	for (size_t v = 0; v < json_array_size(variants); v++) {
		const json_t *other = json_array_get(variants, v);

		if (strcmp(left_out_text(other, part), left_out_text(variant, part)) != 0)
			continue;
		if (is_one_of_pair(other))
			return other;
		first = first ? first : other;
	}
	return first;
}

/* Puts "same_as" into the parts of all but the pair; no text is dropped yet, since it is compared. */
static void put_same_as(const json_t *variants, const char *part)
{
	for (size_t v = 0; v < json_array_size(variants); v++) {
		const json_t *variant = json_array_get(variants, v), *owner;
		json_t *object = json_object_get(variant, part);

		if (is_one_of_pair(variant) || !json_is_object(object))
			continue;
		owner = left_out_owner(variants, variant, part);
		put_json(object, "same_as", owner == variant ? json_null() : json_string(tree_text(owner, "name")));
	}
}

/* Sets the keys of an object to null. */
static void put_nulls(json_t *object, const char *const *keys)
{
	for (; json_is_object(object) && *keys; keys++)
		put_json(object, *keys, json_null());
}

static void leave_places_out(const json_t *variant)
{
	static const char *const places[] = {"lines", "offsets", NULL};
	const json_t *cases = json_object_get(variant, "cases");

	for (size_t i = 0; i < json_array_size(cases); i++)
		put_nulls(json_object_get(json_array_get(cases, i), "stalls"), places);
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
