/* whole-run.c: see whole-run.h. */
#include "model/family/programs/whole-run.h"

#include <math.h>

#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/pair.h"
#include "model/family/programs/records.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"

/* What runs differ by is not known: as of a step's host time, an allowance stands for it. */
bool whole_run_of(const struct judging *j, struct whole_run *out)
{
	double ratio;

	if (j->measures != MEASURES_KERNELS || j->against || !is_of_traces(j->f))
		return false;
	for (int i = 0; i < 2; i++)
		out->ns[i] = runs_median(&j->side[i].runs, "traced", BLOCK_kernelSpanNs);
	ratio = out->ns[0] / out->ns[1];
	out->ratio = (struct ratio){.value = ratio,
		.low = ratio * exp(-traced_program_allowance),
		.high = ratio * exp(traced_program_allowance)};
	/* The last kernels may be among those that are missing. */
	out->verdict = records_are_in_doubt(j) ? VERDICT_UNCLEAR : verdict_of(&out->ratio, j->band, true);
	return true;
}

/* The length of one run is partly chance. It must say more than that, or than the kernels do. */
bool whole_run_contradicts(const struct judging *j, const struct whole_run *run)
{
	double says = fabs(log(run->ratio.value));

	return verdict_is_clear(j->alone) && verdict_is_clear(run->verdict) && j->alone != run->verdict &&
	       (says > fabs(log(j->ratio.value)) || says > log1p(traced_run_chance)) && !kernels_are_chosen(j->f);
}

json_t *whole_run_json(const struct program_pair *pair)
{
	const struct judging *j = &pair->kernels;
	struct whole_run run;
	json_t *object;

	if (!pair->has_kernels || !whole_run_of(j, &run))
		return json_null();
	object = json_object();
	put_json(object, "single_ns", real_json(run.ns[0]));
	put_json(object, "double_ns", real_json(run.ns[1]));
	put_json(object, "ratio", real_json(run.ratio.value));
	put_json(object, "verdict",
		json_string(verdict_name(whole_run_contradicts(j, &run) ? VERDICT_UNCLEAR : run.verdict)));
	return object;
}
