/* sweep-times.c: the samples of a variant at a point of a sweep. */
#include <math.h>

#include "analyze/analyze.h"
#include "model/family/measure.h"
#include "model/family/readings.h"
#include "model/family/series.h"
#include "store/rowset.h"
#include "model/sweep/sweep.h"
#include "store/store.h"

static void sweep_times_take_samples(
	const struct sweep *s, const char *label, const struct rows *rows, struct point_side *side)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(s->model, s->family, label, &n);

	for (size_t i = 0; i < rows->count; i++) {
		double ns = row_real(rows, i, SAMPLE_ns), mhz = row_real(rows, i, SAMPLE_measuredMhz);

		if (!(ns > 0) || isinf(ns) || block_throttled(readings, n, row_int(rows, i, SAMPLE_block)))
			continue;
		series_add(&side->times, ns, rows, i);
		if (mhz > 0 && isfinite(mhz))
			series_add(&side->cycles, ns * mhz / 1000, rows, i);
	}
}

int side_read(const struct sweep *s, const char *label, const char *variant, bool withhold, struct point_side *side)
{
	const char *const key[] = {s->family, variant, label};
	struct rows rows = rows_find(&s->model->table[TABLE_SAMPLE], 3, key);
	struct rows verify = rows_find(&s->model->table[TABLE_VERIFY], 3, key);
	struct summary summary;

	*side = (struct point_side){
		.variant = variant, .verified = verify.count > 0, .wrong = came_out_wrong(&verify), .median = NAN};
	if (series_room(&side->times, rows.count) < 0 || series_room(&side->cycles, rows.count) < 0)
		return -1;
	if (!side->wrong || !withhold)
		sweep_times_take_samples(s, label, &rows, side);
	if (summarize(side->times.x, side->times.n, &summary) < 0)
		return -1;
	side->median = summary.median;
	return 0;
}

void side_free(struct point_side *side)
{
	series_free(&side->times);
	series_free(&side->cycles);
}
