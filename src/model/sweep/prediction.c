/* prediction.c: see prediction.h. */
#include "model/sweep/prediction.h"

#include <stdlib.h>

#include "model/family/predicted.h"
#include "tree/json.h"
#include "util/alloc.h"

/* The points of every sweep of every family into `lists`, of which there are count_sweeps(). */
static void all_points(const json_t *families, const json_t **lists)
{
	size_t n = 0;

	for (size_t f = 0; f < json_array_size(families); f++) {
		const json_t *sweeps = json_object_get(json_array_get(families, f), "sweeps");

		for (size_t i = 0; i < json_array_size(sweeps); i++)
			lists[n++] = json_object_get(json_array_get(sweeps, i), "points");
	}
}

static size_t count_sweeps(const json_t *families)
{
	size_t n = 0;

	for (size_t f = 0; f < json_array_size(families); f++)
		n += json_array_size(json_object_get(json_array_get(families, f), "sweeps"));
	return n;
}

json_t *prediction_json(const json_t *families)
{
	size_t nsweeps = count_sweeps(families), nfamilies = json_array_size(families);
	const json_t **lists = xcalloc(nsweeps + nfamilies, sizeof(*lists));
	json_t *all, *object = json_null();

	all_points(families, lists);
	for (size_t f = 0; f < nfamilies; f++)
		lists[nsweeps + f] = json_object_get(json_array_get(families, f), "contrasts");
	all = score_json(lists, nsweeps + nfamilies);
	if (!json_is_null(all)) {
		object = json_object();
		put_json(object, "sweeps", score_json(lists, nsweeps));
		put_json(object, "cases", score_json(lists + nsweeps, nfamilies));
		put_json(object, "all", json_incref(all));
	}
	json_decref(all);
	free(lists);
	return object;
}
