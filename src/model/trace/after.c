/* after.c: see after.h. */
#include "model/trace/after.h"

#include <math.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "tree/json.h"
#include "tree/tree.h"

/* What a range is to be: its domain (NULL: any) and how often it was entered, up to a share of that. */
struct wanted_range {
	const char *name, *domain;
	double count, apart;
};

/* NULL if there is none that ran on one GPU. */
static const json_t *range_wanted(const json_t *recording, const struct wanted_range *wanted)
{
	const json_t *range;
	size_t i;

	json_array_foreach(json_object_get(recording, "ranges"), i, range)
	{
		double count = tree_real(range, "count");

		if (strcmp(tree_text(range, "name"), wanted->name) == 0 &&
			(!wanted->domain || strcmp(tree_text(range, "domain"), wanted->domain) == 0) &&
			fabs(count - wanted->count) <= wanted->apart * wanted->count &&
			json_array_size(json_object_get(range, "gpus")) == 1)
			return range;
	}
	return NULL;
}

static double span_of_range(const json_t *range)
{
	return tree_real(json_array_get(json_object_get(range, "gpus"), 0), "span_ns");
}

/* The range of a place, or the one around it, which was entered once. Of a place that was looked at in part nobody
 * knows exactly how often it was entered. */
static const json_t *range_of_place(const json_t *recording, const json_t *place)
{
	const struct wanted_range own = {tree_text(place, "range"), tree_text(place, "domain"),
		tree_real(place, "count"), tree_has(place, "looked_at") ? place_about : 0};
	const struct wanted_range around = {tree_text(place, "within"), NULL, 1, 0};
	const json_t *range = range_wanted(recording, &own);

	return range || !tree_has(place, "within") ? range : range_wanted(recording, &around);
}

static json_t *after_json(const json_t *first, const json_t *second, const json_t *place)
{
	const json_t *before = range_of_place(first, place), *after = NULL;
	json_t *object;

	if (before) {
		const struct wanted_range same = {
			tree_text(before, "name"), tree_text(before, "domain"), tree_real(before, "count"), 0};

		after = range_wanted(second, &same);
	}
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
