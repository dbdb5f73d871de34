/* kernel-causes.c: see kernel-causes.h. */
#include "model/family/programs/kernel-causes.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/contrast/cause.h"
#include "model/family/contrast/contrast.h"
#include "model/family/contrast/cost.h"
#include "model/family/family-rows.h"
#include "model/family/measured.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/side-gpus.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"

/* ---- one kernel ---- */

/* How often a side launches a CUDA graph in a step, on average; NaN of a kernel. */
static double graph_launches_in_step(const struct family_rows *f, const struct measured *m)
{
	const char *const key[] = {f->name, m->variant, m->label};
	struct rows run = rows_find(&f->model->table[TABLE_COUNTERRUN], 3, key);

	return run.count ? row_real(&run, 0, COUNTERRUN_graphLaunches) : NAN;
}

/* How often a side launches the kernel or graph in a step, on average; NaN if the recording does not tell. */
static double launches_in_step(const struct family_rows *f, const struct measured *m)
{
	const char *const key[] = {f->name, m->variant};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 2, key);

	for (size_t i = 0; i < rows.count; i++)
		if (strcmp(row_string(&rows, i, MATCH_caseLabel), m->label) == 0)
			return row_real(&rows, i, MATCH_launches);
	return graph_launches_in_step(f, m);
}

/* Counters are of one launch. Where the sides launch the kernel differently often, both are looked at as if they did
 * so as often as on average: what the number of launches makes of the difference is not explained by counters. */
static void take_timed(const struct judging *j, struct timed_side timed[2])
{
	double launches[2], mean;

	for (int i = 0; i < 2; i++)
		launches[i] = launches_in_step(j->f, j->side[i].measured);
	if (!(launches[0] > 0) || !(launches[1] > 0))
		launches[0] = launches[1] = 1;
	mean = (launches[0] + launches[1]) / 2;
	if (fabs(launches[0] / mean - 1) < launches_alike)
		launches[0] = launches[1] = mean;
	for (int i = 0; i < 2; i++)
		timed[i] = (struct timed_side){.median = j->side[i].median,
			.counted = launches[i] == mean ? j->side[i].median : j->side[i].median / launches[i] * mean,
			.mhz = j->side[i].mhz,
			.launches = mean};
}

/* The numbers of launches, and what they make of the difference; null where both sides launch as often. */
static json_t *launches_json(const struct judging *j, const struct timed_side timed[2])
{
	double alike = timed[0].counted - timed[1].counted, whole = timed[0].median - timed[1].median;
	json_t *object;

	if (timed[0].counted == timed[0].median)
		return json_null();
	object = json_object();
	put_json(object, "single", real_json(launches_in_step(j->f, j->side[0].measured)));
	put_json(object, "double", real_json(launches_in_step(j->f, j->side[1].measured)));
	put_json(object, "ns", real_json(whole - alike));
	return object;
}

void kernel_causes_put(json_t *object, const struct judging *j)
{
	struct contrast c = {
		.model = j->f->model,
		.file = "",
		.single = j->side[0].measured,
		.dbl = j->side[1].measured,
		.kernel_bound = true,
		.ratio = j->ratio,
		.verdict = j->verdict,
	};

	put_json(object, "cost", cost_json(&c));
	take_timed(j, c.timed);
	contrast_find_causes(&c);
	/* Counters of different kinds of GPU do not add up to a difference in time. */
	if (!c.sides[0].counted.known || !c.sides[1].counted.known ||
		pair_gpus(j->f, &j->side[0].runs, &j->side[1].runs) == PAIR_GPUS_KINDS)
		return;
	contrast_put_causes(object, &c);
	put_json(object, "launches", launches_json(j, c.timed));
	put_json(object, "called", judging_called_json(j));
}

/* ---- how the counting went ---- */

static json_t *spread_json(const struct rows *run, int low)
{
	static const char *const keys[] = {"low", "median", "high"};
	json_t *object = json_object();

	for (int i = 0; i < 3; i++)
		put_json(object, keys[i], row_json(run, 0, low + i));
	return object;
}

static json_t *counter_run_json(const struct rows *run)
{
	static const struct field fields[] = {
		{"side", COUNTERRUN_variant},
		{"case", COUNTERRUN_caseLabel},
		{"launches", COUNTERRUN_launches},
		{"runs", COUNTERRUN_runs},
		{"reason", COUNTERRUN_reason},
		{"graph_launches", COUNTERRUN_graphLaunches},
	};
	json_t *object = json_object();

	put_fields(object, run, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(object, "instructions", spread_json(run, COUNTERRUN_instructionsLow));
	put_json(object, "cycles", spread_json(run, COUNTERRUN_cyclesLow));
	return object;
}

json_t *counter_runs_json(const struct family_rows *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->cases.count; i++) {
		for (size_t v = 0; v < f->variants.count; v++) {
			const char *const key[] = {f->name, row_string(&f->variants, v, VARIANT_name),
				row_string(&f->cases, i, CASE_label)};
			struct rows run = rows_find(&f->model->table[TABLE_COUNTERRUN], 3, key);

			if (run.count)
				append_json(list, counter_run_json(&run));
		}
	}
	return list;
}
