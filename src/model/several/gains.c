/* gains.c: see gains.h. */
#include "model/several/gains.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"

static bool same_pair(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"name", "single", "double"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(tree_text(a, keys[i]), tree_text(b, keys[i])) != 0)
			return false;
	return true;
}

/* The family of a recording that contrasts the same pair, or NULL. */
static const json_t *family_like(const json_t *recording, const json_t *family)
{
	const json_t *families = json_object_get(recording, "families");

	for (size_t i = 0; i < json_array_size(families); i++)
		if (same_pair(json_array_get(families, i), family))
			return json_array_get(families, i);
	return NULL;
}

static json_t *copied(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return value ? json_incref(value) : json_null();
}

static json_t *one_gain_json(const json_t *family)
{
	static const char *const numbers[] = {"value", "low", "high"};
	const json_t *contrast = tree_find_true(json_object_get(family, "contrasts"), "headline");
	const json_t *speedup = json_object_get(contrast, "speedup");
	json_t *object;

	if (!tree_has(speedup, "value"))
		return json_null();
	object = json_object();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		put_json(object, numbers[i], copied(speedup, numbers[i]));
	put_json(object, "verdict", copied(contrast, "verdict"));
	put_json(object, "size", copied(contrast, "size"));
	return object;
}

static json_t *family_gains_json(const json_t *family, const struct dated *recordings, size_t n)
{
	json_t *object = json_object(), *gains = json_array();

	for (size_t i = 0; i < n; i++)
		append_json(gains, one_gain_json(family_like(recordings[i].recording, family)));
	put_json(object, "name", copied(family, "name"));
	put_json(object, "title", copied(family, "title"));
	put_json(object, "buffering", copied(family, "buffering"));
	put_json(object, "gains", gains);
	return object;
}

static bool seen_before(const struct dated *recordings, size_t n, const json_t *family)
{
	for (size_t i = 0; i < n; i++)
		if (family_like(recordings[i].recording, family))
			return true;
	return false;
}

json_t *gains_json(const struct dated *recordings, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		const json_t *families = json_object_get(recordings[i].recording, "families");

		for (size_t k = 0; k < json_array_size(families); k++) {
			const json_t *family = json_array_get(families, k);

			if (!seen_before(recordings, i, family))
				append_json(list, family_gains_json(family, recordings, n));
		}
	}
	return list;
}
