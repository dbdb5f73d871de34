/* tally.c: see tally.h. */
#include "record/cupti/tally.h"

#include <stdlib.h>

const char *counted_name(enum counted what)
{
	static const char *const names[] = {
		[COUNTED_KERNELS] = "kernels", [COUNTED_COPIES] = "copies", [COUNTED_MEMSETS] = "memsets"};

	return names[what];
}

/* The array with room for one more. NULL when memory is short; the old array stays as it was. */
static void *grown(void *items, size_t n, size_t *room, size_t size)
{
	size_t more = *room == 0 ? 256 : *room * 2;
	void *larger;

	if (n < *room)
		return items;
	larger = realloc(items, more * size);
	if (larger)
		*room = more;
	return larger;
}

void tally_call(struct tally *tally, uint32_t correlation, int64_t start)
{
	struct tally_call *calls = grown(tally->calls, tally->ncalls, &tally->calls_room, sizeof(*calls));

	if (!calls) {
		tally->short_of_memory = true;
		return;
	}
	tally->calls = calls;
	calls[tally->ncalls++] = (struct tally_call){correlation, start};
}

void tally_work(struct tally *tally, uint32_t correlation, enum counted what, int64_t n)
{
	struct tally_work *work = grown(tally->work, tally->nwork, &tally->work_room, sizeof(*work));

	if (!work) {
		tally->short_of_memory = true;
		return;
	}
	tally->work = work;
	work[tally->nwork++] = (struct tally_work){correlation, what, n};
}

static int by_correlation(const void *a, const void *b)
{
	uint32_t x = ((const struct tally_call *)a)->correlation, y = ((const struct tally_call *)b)->correlation;

	return (x > y) - (x < y);
}

void tally_sort(struct tally *tally)
{
	if (tally->ncalls > 1)
		qsort(tally->calls, tally->ncalls, sizeof(*tally->calls), by_correlation);
}

static const struct tally_call *call_of(const struct tally *tally, uint32_t correlation)
{
	const struct tally_call key = {.correlation = correlation};

	return tally->ncalls == 0 ? NULL
				  : bsearch(&key, tally->calls, tally->ncalls, sizeof(*tally->calls), by_correlation);
}

void tally_count(const struct tally *tally, int64_t begin, int64_t end, int64_t counts[COUNTED_NUMBER])
{
	for (size_t i = 0; i < tally->nwork; i++) {
		const struct tally_call *call = call_of(tally, tally->work[i].correlation);

		if (call && call->start >= begin && call->start <= end)
			counts[tally->work[i].what] += tally->work[i].n;
	}
}

void tally_clear(struct tally *tally)
{
	free(tally->calls);
	free(tally->work);
	*tally = (struct tally){0};
}
