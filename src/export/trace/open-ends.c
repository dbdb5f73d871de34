/* open-ends.c: see open-ends.h. */
#include "export/trace/open-ends.h"

#include <stdlib.h>

#include "util/alloc.h"

/* Work on all streams of many GPUs, and ranges within ranges, are some hundred. */
enum { ENDS_MOST = 1 << 16 };

static void open_ends_swap(struct open_ends *ends, size_t i, size_t k)
{
	struct open_end end = ends->ends[i];

	ends->ends[i] = ends->ends[k];
	ends->ends[k] = end;
}

void open_ends_add(struct open_ends *ends, struct open_end end)
{
	size_t i = ends->n;

	xgrow(&ends->ends, ends->n, &ends->room, sizeof(*ends->ends));
	ends->ends[ends->n++] = end;
	for (; i > 0 && ends->ends[i].time < ends->ends[(i - 1) / 2].time; i = (i - 1) / 2)
		open_ends_swap(ends, i, (i - 1) / 2);
}

bool open_ends_take(struct open_ends *ends, int64_t until, struct open_end *end)
{
	if (ends->n == 0 || ends->ends[0].time > until)
		return false;
	*end = ends->ends[0];
	ends->ends[0] = ends->ends[--ends->n];
	for (size_t i = 0, child; (child = 2 * i + 1) < ends->n; i = child) {
		if (child + 1 < ends->n && ends->ends[child + 1].time < ends->ends[child].time)
			child++;
		if (ends->ends[i].time <= ends->ends[child].time)
			break;
		open_ends_swap(ends, i, child);
	}
	return true;
}

bool open_ends_are_full(const struct open_ends *ends)
{
	return ends->n >= ENDS_MOST;
}

void open_ends_free(struct open_ends *ends)
{
	free(ends->ends);
	*ends = (struct open_ends){0};
}
