/* launches.c: correlation ids count up from 1 in each process. A page of bits holds 64 in a row: ten million launches
 * take some fifteen MB. Ids that are far apart, as a stranger's may be, have small pages. Pages are found by hashing.
 */
#include "export/launches.h"

#include <stddef.h>
#include <stdlib.h>

#include "util/alloc.h"

enum bits { ADDED, SEVERAL, CALLED, TAKEN, KINDS };

struct page {
	int64_t process, number;
	bool used;
	uint64_t bits[KINDS];
};

struct launches {
	struct page *pages;
	size_t n, room; /* room is a power of two */
};

struct launches *launches_new(void)
{
	return xcalloc(1, sizeof(struct launches));
}

void launches_free(struct launches *launches)
{
	if (launches)
		free(launches->pages);
	free(launches);
}

static size_t launches_hash(int64_t process, int64_t number)
{
	uint64_t x = (uint64_t)process * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)number;

	x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
	return (size_t)(x ^ x >> 29);
}

/* The page, or the free one where it would be. There is one: a third of the pages is kept free. */
static struct page *launches_slot(const struct launches *launches, int64_t process, int64_t number)
{
	for (size_t i = launches_hash(process, number);; i++) {
		struct page *page = &launches->pages[i & (launches->room - 1)];

		if (!page->used || (page->process == process && page->number == number))
			return page;
	}
}

static void launches_grow(struct launches *launches)
{
	struct launches larger = {NULL, launches->n, launches->room ? 2 * launches->room : 64};

	larger.pages = xcalloc(larger.room, sizeof(*larger.pages));
	for (size_t i = 0; i < launches->room; i++) {
		const struct page *page = &launches->pages[i];

		if (page->used)
			*launches_slot(&larger, page->process, page->number) = *page;
	}
	free(launches->pages);
	*launches = larger;
}

/* The floor of the quotient, also of ids below 0, which only a damaged file has. */
static int64_t page_of(int64_t correlation)
{
	return correlation >> 6;
}

static uint64_t bit(int64_t correlation)
{
	return UINT64_C(1) << ((uint64_t)correlation % 64);
}

void launches_add(struct launches *launches, int64_t process, int64_t correlation)
{
	int64_t number = page_of(correlation);
	struct page *page;

	if (3 * (launches->n + 1) > 2 * launches->room)
		launches_grow(launches);
	page = launches_slot(launches, process, number);
	if (!page->used) {
		*page = (struct page){.process = process, .number = number, .used = true};
		launches->n++;
	}
	page->bits[SEVERAL] |= page->bits[ADDED] & bit(correlation);
	page->bits[ADDED] |= bit(correlation);
}

static struct page *launches_find(const struct launches *launches, int64_t process, int64_t correlation)
{
	struct page *page = launches->room ? launches_slot(launches, process, page_of(correlation)) : NULL;

	return page && page->used ? page : NULL;
}

static bool launches_bit(const struct launches *launches, enum bits kind, int64_t process, int64_t correlation)
{
	struct page *page = launches_find(launches, process, correlation);

	return page && (page->bits[kind] & bit(correlation));
}

bool launches_has(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, ADDED, process, correlation);
}

bool launches_has_several(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, SEVERAL, process, correlation);
}

void launches_note_call(struct launches *launches, int64_t process, int64_t correlation)
{
	struct page *page = launches_find(launches, process, correlation);

	if (page)
		page->bits[CALLED] |= page->bits[ADDED] & bit(correlation);
}

bool launches_has_call(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, CALLED, process, correlation);
}

bool launches_take(struct launches *launches, int64_t process, int64_t correlation)
{
	struct page *page = launches_find(launches, process, correlation);
	uint64_t *taken;

	if (!launches_has(launches, process, correlation))
		return false;
	taken = &page->bits[TAKEN];
	if (*taken & bit(correlation))
		return false;
	*taken |= bit(correlation);
	return true;
}

bool launches_taken(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, TAKEN, process, correlation);
}
