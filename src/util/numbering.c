/* numbering.c: see numbering.h. */
#include "util/numbering.h"

#include <stdlib.h>

#include "util/alloc.h"
#include "util/number.h"

static size_t numbering_slot(const struct numbering *numbering, int64_t id)
{
	uint64_t hash = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (size_t)(hash >> 20) & (numbering->nslots - 1);

	while (numbering->slots[slot] && numbering->id[numbering->slots[slot] - 1] != id)
		slot = (slot + 1) & (numbering->nslots - 1);
	return slot;
}

/* The table is at most half full. */
static void numbering_grow(struct numbering *numbering)
{
	free(numbering->slots);
	numbering->nslots = numbering->nslots ? numbering->nslots * 2 : 64;
	numbering->slots = xcalloc(numbering->nslots, sizeof(*numbering->slots));
	for (size_t i = 0; i < numbering->n; i++)
		numbering->slots[numbering_slot(numbering, numbering->id[i])] = (uint32_t)i + 1;
}

size_t numbering_place(struct numbering *numbering, int64_t id)
{
	size_t slot;

	if (numbering->last < numbering->n && numbering->id[numbering->last] == id)
		return numbering->last;
	if (numbering->n * 2 >= numbering->nslots)
		numbering_grow(numbering);
	slot = numbering_slot(numbering, id);
	if (!numbering->slots[slot]) {
		xgrow(&numbering->id, numbering->n, &numbering->room, sizeof(*numbering->id));
		numbering->id[numbering->n++] = id;
		numbering->slots[slot] = (uint32_t)numbering->n;
	}
	numbering->last = numbering->slots[slot] - 1;
	return numbering->last;
}

/* A number and its old place. */
struct numbered {
	int64_t id;
	uint32_t place;
};

static int numbered_by_id(const void *left, const void *right)
{
	return int64_order(((const struct numbered *)left)->id, ((const struct numbered *)right)->id);
}

uint32_t *numbering_sort(struct numbering *numbering)
{
	struct numbered *sorted = xcalloc(numbering->n + 1, sizeof(*sorted));
	uint32_t *place = xcalloc(numbering->n + 1, sizeof(*place));

	for (size_t i = 0; i < numbering->n; i++)
		sorted[i] = (struct numbered){numbering->id[i], (uint32_t)i};
	if (numbering->n > 1)
		qsort(sorted, numbering->n, sizeof(*sorted), numbered_by_id);
	for (size_t i = 0; i < numbering->n; i++) {
		numbering->id[i] = sorted[i].id;
		place[sorted[i].place] = (uint32_t)i;
	}
	free(sorted);
	return place;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->id);
	free(numbering->slots);
	*numbering = (struct numbering){0};
}
