/* side.c: see side.h. */
#include "model/sweep/side.h"

#include <math.h>

#include "analyze/analyze.h"
#include "model/family/measured.h"
#include "model/family/readings.h"
#include "model/recording.h"
#include "model/sweep/grid.h"
#include "store/rowset.h"
#include "store/store.h"

static void side_take_samples(
	const struct sweep *s, const char *label, const struct rows *rows, struct point_side *side)
{
	size_t n;
	const struct gpu_reading *readings = readings_of(s->model, s->family, label, &n);

	side->alike = throttled_alike(readings, n);
	for (size_t i = 0; i < rows->count; i++) {
		double ns = row_real(rows, i, SAMPLE_ns), mhz = row_real(rows, i, SAMPLE_measuredMhz);

		if (!is_time_of_sample(ns) || block_set_apart(readings, n, row_int(rows, i, SAMPLE_block)))
			continue;
		series_add(&side->times, ns, rows, i);
		if (mhz > 0 && isfinite(mhz))
			series_add(&side->cycles, ns * mhz / 1000, rows, i);
	}
}

void side_read(const struct sweep *s, const char *label, const char *variant, bool withhold, struct point_side *side)
{
	const char *const key[] = {s->family, variant, label};
	struct rows rows = rows_find(&s->model->table[TABLE_SAMPLE], 3, key);
	struct rows verify = rows_find(&s->model->table[TABLE_VERIFY], 3, key);
	struct summary summary;

	*side = (struct point_side){.variant = variant, .verified = verify.count > 0, .wrong = came_out_wrong(&verify)};
	series_room(&side->times, rows.count);
	series_room(&side->cycles, rows.count);
	if (!side->wrong || !withhold)
		side_take_samples(s, label, &rows, side);
	summarize(side->times.x, side->times.n, &summary);
	side->median = summary.median;
}

void side_free(struct point_side *side)
{
	series_free(&side->times);
	series_free(&side->cycles);
}
