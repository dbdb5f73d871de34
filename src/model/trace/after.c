/* after.c: see after.h. */
#include "model/trace/after.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"

/* The range of this name, domain (NULL: any) and number of times; NULL if there is none that ran on one GPU. */
static const json_t *range_named(const json_t *recording, const char *name, const char *domain, double count)
{
	const json_t *range;
	size_t i;

	json_array_foreach(json_object_get(recording, "ranges"), i, range)
	{
		if (strcmp(tree_text(range, "name"), name) == 0 &&
			(!domain || strcmp(tree_text(range, "domain"), domain) == 0) &&
			tree_real(range, "count") == count && json_array_size(json_object_get(range, "gpus")) == 1)
			return range;
	}
	return NULL;
}

static double span_of_range(const json_t *range)
{
	return tree_real(json_array_get(json_object_get(range, "gpus"), 0), "span_ns");
}

/* The range of a place, or the one around it, which was entered once. */
static const json_t *range_of_place(const json_t *recording, const json_t *place)
{
	const json_t *own = range_named(
		recording, tree_text(place, "range"), tree_text(place, "domain"), tree_real(place, "count"));

	return own || !tree_has(place, "within") ? own : range_named(recording, tree_text(place, "within"), NULL, 1);
}

static json_t *after_json(const json_t *first, const json_t *second, const json_t *place)
{
	const json_t *before = range_of_place(first, place), *after = NULL;
	json_t *object;

	if (before)
		after = range_named(
			second, tree_text(before, "name"), tree_text(before, "domain"), tree_real(before, "count"));
	if (!after || !(span_of_range(before) > 0) || !(span_of_range(after) > 0))
		return json_null();
	object = json_object();
	put_json(object, "file", text_json(tree_text(second, "file")));
	put_json(object, "range", text_json(tree_text(before, "name")));
	put_json(object, "span_ns", json_integer((json_int_t)span_of_range(after)));
	put_json(object, "speedup", real_json(span_of_range(before) / span_of_range(after)));
	return object;
}

void trace_put_after(const json_t *recordings)
{
	const json_t *first = json_array_get(recordings, 0), *second = json_array_get(recordings, 1);
	json_t *place = json_array_get(json_object_get(json_object_get(first, "program"), "pays"), 0);

	if (!place)
		return;
	put_json(place, "after",
		json_array_size(recordings) == 2 && tree_has(place, "range") ? after_json(first, second, place)
									     : json_null());
}
