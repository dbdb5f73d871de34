/* after.c: see after.h. */
#include "model/trace/after.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"

/* Device work of the range that a place is, in a recording: its G if it ran on one GPU, entered as often; else NULL. */
static const json_t *range_of_place(const json_t *recording, const json_t *place)
{
	const json_t *range, *gpus;
	size_t i;

	json_array_foreach(json_object_get(recording, "ranges"), i, range)
	{
		gpus = json_object_get(range, "gpus");
		if (strcmp(tree_text(range, "name"), tree_text(place, "range")) == 0 &&
			strcmp(tree_text(range, "domain"), tree_text(place, "domain")) == 0 &&
			tree_real(range, "count") == tree_real(place, "count") && json_array_size(gpus) == 1)
			return json_array_get(gpus, 0);
	}
	return NULL;
}

static json_t *after_json(const json_t *first, const json_t *second, const json_t *place)
{
	const json_t *before = range_of_place(first, place), *after = range_of_place(second, place);
	double was = tree_real(before, "span_ns"), is = tree_real(after, "span_ns");
	json_t *object;

	if (!before || !after || !(was > 0) || !(is > 0))
		return json_null();
	object = json_object();
	put_json(object, "file", text_json(tree_text(second, "file")));
	put_json(object, "span_ns", json_integer((json_int_t)is));
	put_json(object, "speedup", real_json(was / is));
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
