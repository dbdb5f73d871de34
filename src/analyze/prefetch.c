/* prefetch.c: see prefetch.h. */
#include "analyze/prefetch.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"
#include "util/alloc.h"

/* How long all rounds take if one thread prepares up to `depth` of them ahead. It turns to a round when it has prepared
 * the one before, and when the GPU has taken the round that leaves it a place. `taken`: room for n times. */
static double prefetched_time(const double *host, const double *gpu, size_t n, size_t depth, double *taken)
{
	double prepared = 0, free_at = 0;

	for (size_t r = 0; r < n; r++) {
		if (r >= depth)
			prepared = fmax(prepared, taken[r - depth]);
		prepared += host[r];
		taken[r] = fmax(prepared, free_at);
		free_at = taken[r] + gpu[r];
	}
	return free_at;
}

void prefetch_rounds(const double *host, const double *gpu, size_t n, struct prefetch *out)
{
	double *taken = xcalloc(n + 1, sizeof(*taken));
	double time[PREFETCH_DEEPEST + 1], late = 0, busy = 0;
	int depth = 1;

	*out = (struct prefetch){0};
	for (size_t r = 0; r < n; r++) {
		late += host[r];
		busy += gpu[r];
	}
	for (int d = 1; d <= PREFETCH_DEEPEST; d++)
		time[d] = prefetched_time(host, gpu, n, (size_t)d, taken);
	free(taken);
	if (busy > 0)
		out->workers = (int)fmin(fmax(ceil(late / busy), 1), 1e6);
	while (time[depth] > time[PREFETCH_DEEPEST] + buffers_as_good * (late + busy))
		depth++;
	if (late <= 0 || late + busy - time[depth] < late_least * (late + busy))
		return;
	out->depth = depth;
	out->hidden = late + busy - time[depth];
}
