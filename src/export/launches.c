/* launches.c: correlation ids count up from 1 in each process. A page has four bits for each of 256 in a row: ten
 * million launches take some six MB. Ids that are far apart, as a stranger's may be, have a page each. Pages are found
 * by hashing. */
#include "export/launches.h"

#include <stddef.h>
#include <stdlib.h>

#include "util/alloc.h"

enum bits { ADDED, SEVERAL, CALLED, TAKEN, KINDS };

enum { PAGE_SHIFT = 8, PAGE_WORDS = (1 << PAGE_SHIFT) / 64, PIECE_PAGES = 512 };

struct page {
	int64_t process, number;
	uint64_t bits[PAGE_WORDS][KINDS];
};

/* Pages stand in pieces, which never move: what grows is small. */
struct launches {
	struct page **pieces;
	size_t npieces, piece_room;
	uint32_t *index; /* by hashing: the page, from 1; 0: free */
	size_t n, room;  /* pages, and `index`: a power of two */
};

struct launches *launches_new(void)
{
	return xcalloc(1, sizeof(struct launches));
}

void launches_free(struct launches *launches)
{
	if (!launches)
		return;
	for (size_t i = 0; i < launches->npieces; i++)
		free(launches->pieces[i]);
	free(launches->pieces);
	free(launches->index);
	free(launches);
}

static size_t launches_hash(int64_t process, int64_t number)
{
	uint64_t x = (uint64_t)process * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)number;

	x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
	return (size_t)(x ^ x >> 29);
}

/* The i-th page, from 0. */
static struct page *launches_page(const struct launches *launches, size_t i)
{
	return &launches->pieces[i / PIECE_PAGES][i % PIECE_PAGES];
}

/* Where the page is, or the free place where it would be. There is one: a third of the places is kept free. */
static uint32_t *launches_slot(const struct launches *launches, int64_t process, int64_t number)
{
	for (size_t i = launches_hash(process, number);; i++) {
		uint32_t *slot = &launches->index[i & (launches->room - 1)];
		const struct page *page = *slot ? launches_page(launches, *slot - 1) : NULL;

		if (!page || (page->process == process && page->number == number))
			return slot;
	}
}

static void launches_grow(struct launches *launches)
{
	launches->room = launches->room ? 2 * launches->room : 64;
	free(launches->index);
	launches->index = xcalloc(launches->room, sizeof(*launches->index));
	for (size_t i = 0; i < launches->n; i++) {
		const struct page *page = launches_page(launches, i);

		*launches_slot(launches, page->process, page->number) = (uint32_t)(i + 1);
	}
}

static void launches_new_page(struct launches *launches, int64_t process, int64_t number)
{
	struct page *page;

	if (launches->n == launches->npieces * PIECE_PAGES) {
		xgrow(&launches->pieces, launches->npieces, &launches->piece_room, sizeof(struct page *));
		launches->pieces[launches->npieces++] = xcalloc(PIECE_PAGES, sizeof(struct page));
	}
	page = launches_page(launches, launches->n++);
	page->process = process;
	page->number = number;
}

/* The floor of the quotient, also of ids below 0, which only a damaged file has. */
static int64_t page_of(int64_t correlation)
{
	return correlation >> PAGE_SHIFT;
}

static uint64_t bit(int64_t correlation)
{
	return UINT64_C(1) << ((uint64_t)correlation % 64);
}

/* The bits of the page in which that of the id is. */
static uint64_t *launches_bits(struct page *page, int64_t correlation)
{
	return page->bits[(uint64_t)correlation / 64 % PAGE_WORDS];
}

void launches_add(struct launches *launches, int64_t process, int64_t correlation)
{
	int64_t number = page_of(correlation);
	uint32_t *slot;
	uint64_t *bits;

	if (3 * (launches->n + 1) > 2 * launches->room)
		launches_grow(launches);
	slot = launches_slot(launches, process, number);
	if (*slot == 0) {
		launches_new_page(launches, process, number);
		*slot = (uint32_t)launches->n;
	}
	bits = launches_bits(launches_page(launches, *slot - 1), correlation);
	bits[SEVERAL] |= bits[ADDED] & bit(correlation);
	bits[ADDED] |= bit(correlation);
}

/* The bits of an id's page, or NULL. */
static uint64_t *launches_find(const struct launches *launches, int64_t process, int64_t correlation)
{
	uint32_t found = launches->room ? *launches_slot(launches, process, page_of(correlation)) : 0;

	return found ? launches_bits(launches_page(launches, found - 1), correlation) : NULL;
}

static bool launches_bit(const struct launches *launches, enum bits kind, int64_t process, int64_t correlation)
{
	const uint64_t *bits = launches_find(launches, process, correlation);

	return bits && (bits[kind] & bit(correlation));
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
	uint64_t *bits = launches_find(launches, process, correlation);

	if (bits)
		bits[CALLED] |= bits[ADDED] & bit(correlation);
}

bool launches_has_call(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, CALLED, process, correlation);
}

bool launches_take(struct launches *launches, int64_t process, int64_t correlation)
{
	uint64_t *bits = launches_find(launches, process, correlation);

	if (!bits || !(bits[ADDED] & ~bits[TAKEN] & bit(correlation)))
		return false;
	bits[TAKEN] |= bit(correlation);
	return true;
}

bool launches_taken(const struct launches *launches, int64_t process, int64_t correlation)
{
	return launches_bit(launches, TAKEN, process, correlation);
}
