/* across.c: see several.h. Gains by GPU. */
#include <stdlib.h>
#include <string.h>

#include "model/several/dates.h"
#include "model/several/gains.h"
#include "model/several/several.h"
#include "tree/json.h"

/* The latest recording of each GPU with families, in the order of the list: moved to its beginning. How many. */
static size_t keep_latest(struct dated *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool later = !list[i].families || list[i].gpu[0] == '\0';

		for (size_t k = i + 1; k < n && !later; k++)
			later = list[k].families && strcmp(list[k].gpu, list[i].gpu) == 0;
		if (!later)
			list[kept++] = list[i];
	}
	return kept;
}

static int by_place(const void *left, const void *right)
{
	const struct dated *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

json_t *across_json(const json_t *recordings)
{
	size_t n;
	struct dated *list = dated_recordings(recordings, &n);
	size_t gpus = keep_latest(list, n);
	json_t *object = json_object(), *names = json_array();

	qsort(list, gpus, sizeof(*list), by_place);
	for (size_t i = 0; i < gpus; i++) {
		json_t *gpu = json_object();

		put_json(gpu, "name", text_json(list[i].gpu));
		put_json(gpu, "recording", json_integer((json_int_t)list[i].at));
		append_json(names, gpu);
	}
	put_json(object, "gpus", names);
	put_json(object, "families", gains_json(list, gpus));
	free(list);
	if (gpus > 1)
		return object;
	json_decref(object);
	return json_null();
}
