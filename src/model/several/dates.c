/* dates.c: see dates.h. */
#include "model/several/dates.h"

#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"

static int by_date(const void *left, const void *right)
{
	const struct dated *a = left, *b = right;
	int order = strcmp(a->created, b->created);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

struct dated *dated_recordings(const json_t *recordings, size_t *n)
{
	struct dated *list;

	*n = json_array_size(recordings);
	list = xcalloc(*n + 1, sizeof(*list));
	for (size_t i = 0; i < *n; i++) {
		const json_t *recording = json_array_get(recordings, i);

		list[i] = (struct dated){
			.at = i,
			.created = tree_text(recording, "created"),
			.gpu = tree_text(json_object_get(recording, "device"), "name"),
			.recording = recording,
			.families = json_array_size(json_object_get(recording, "families")) > 0,
		};
	}
	qsort(list, *n, sizeof(*list), by_date);
	return list;
}
