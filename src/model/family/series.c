/* series.c: numbers per sample, with the block and the process that each is from. */
#include "model/family/series.h"

#include <stdlib.h>

#include "store/rowset.h"
#include "store/store.h"
#include "util/alloc.h"

void series_room(struct series *series, size_t n)
{
	series->x = xcalloc(n, sizeof(*series->x));
	series->steps = xcalloc(n, sizeof(*series->steps));
	series->block = xcalloc(n, sizeof(*series->block));
	series->run = xcalloc(n, sizeof(*series->run));
}

void series_free(struct series *series)
{
	free(series->x);
	free(series->steps);
	free(series->block);
	free(series->run);
}

void series_add(struct series *series, double x, const struct rows *samples, size_t i)
{
	series->x[series->n] = x;
	series->steps[series->n] = (double)row_int(samples, i, SAMPLE_launches);
	series->block[series->n] = row_count(samples, i, SAMPLE_block);
	series->run[series->n++] = row_count(samples, i, SAMPLE_run);
}

struct blocked_samples series_samples(const struct series *series)
{
	return (struct blocked_samples){series->x, series->block, series->n, series->run};
}
