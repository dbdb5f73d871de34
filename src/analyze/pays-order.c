/* pays-order.c: work in the order in which it started or ended. */
#include "analyze/pays.h"

#include <stdlib.h>

#include "util/alloc.h"

struct placed {
	int64_t time;
	uint32_t place;
};

static int by_time(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static int64_t pays_order_time_of(const struct pays_item *item, bool by_end)
{
	return by_end ? item->end : item->start;
}

static bool stands_in_order(const struct pays_lane *lane, const uint32_t *pick, size_t n, bool by_end)
{
	for (size_t i = 1; i < n; i++) {
		if (pays_order_time_of(&lane->item[pick[i - 1]], by_end) >
			pays_order_time_of(&lane->item[pick[i]], by_end))
			return false;
	}
	return true;
}

uint32_t *pays_order(const struct pays_lane *lane, const uint32_t *pick, size_t n, bool by_end)
{
	struct placed *placed;
	uint32_t *order;

	if (stands_in_order(lane, pick, n, by_end))
		return NULL;
	placed = xreallocarray(NULL, n, sizeof(*placed));
	for (size_t i = 0; i < n; i++)
		placed[i] = (struct placed){pays_order_time_of(&lane->item[pick[i]], by_end), (uint32_t)i};
	qsort(placed, n, sizeof(*placed), by_time);
	order = xreallocarray(NULL, n, sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = placed[i].place;
	free(placed);
	return order;
}
