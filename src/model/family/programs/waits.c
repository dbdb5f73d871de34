/* waits.c: see waits.h. */
#include "model/family/programs/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/extent/extent.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* Which share of a side's traced runs have a synchronisation at the end of each step; NaN if none tells. */
static double waiting_share(const struct judging *j, int side)
{
	const struct rows *runs = &j->side[side].runs;
	bool traces = is_of_traces(j->f);
	double waiting = 0, n = 0;

	for (size_t i = 0; i < runs->count; i++) {
		/* A warm-up gives no sample. A trace is no run of a block. */
		if ((!traces && row_null(runs, i, BLOCK_block)) || row_null(runs, i, BLOCK_waits))
			continue;
		waiting += row_int(runs, i, BLOCK_waits) != 0;
		n++;
	}
	return n > 0 ? waiting / n : NAN;
}

/* DBPROF_CASE.stepTime; NULL if it has none. */
static const char *step_time(const struct judging *program)
{
	ssize_t i = case_of(program->f, MEASURES_PROGRAM);

	return i >= 0 ? row_text(&program->f->cases, (size_t)i, CASE_stepTime) : NULL;
}

/* A lag that does not change counts, too. */
static double median_lag(const struct rows *runs)
{
	double *lags = xcalloc(runs->count + 1, sizeof(*lags));
	struct summary summary;
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (strcmp(row_string(runs, i, BLOCK_kind), "traced") == 0 && !row_null(runs, i, BLOCK_lagShare))
			lags[n++] = row_real(runs, i, BLOCK_lagShare);
	summarize(lags, n, &summary);
	free(lags);
	return n ? summary.median : NAN;
}

/* A host that does not wait may be faster without CUPTI than the GPU, and slower with it. */
static void take_pace(const struct judging *program, int side, struct step_waits *out)
{
	const struct judged_side *of = &program->side[side];

	out->lag[side] = median_lag(&of->runs);
	out->busy[side] = is_of_traces(program->f) ? NAN : runs_median(&of->runs, "traced", BLOCK_busyNs);
	out->keeps_pace[side] =
		out->lag[side] <= period_lag_share && !(of->median < out->busy[side] * (1 - period_short));
}

static bool takes_turns(const struct judging *program, int side)
{
	struct side_extent extent = side_extent_of(program->f, program->side[side].measured->variant);

	return isnan(median_lag(&program->side[side].runs)) && extent.left_steps > program_left_part;
}

struct step_waits step_waits_of(const struct judging *program)
{
	struct step_waits waits = {.has_range = judging_has_range(program)};
	const char *time = waits.has_range ? step_time(program) : NULL;
	double share[2];

	waits.known = waits.has_range && program->kernels;
	waits.pauses = time && strcmp(time, "period with pauses") == 0;
	waits.period = waits.pauses || (time && strcmp(time, "period") == 0);
	if (!waits.known)
		return waits;
	for (int i = 0; i < 2; i++)
		take_pace(program, i, &waits);
	waits.turns = !waits.period && (takes_turns(program, 0) || takes_turns(program, 1));
	for (int i = 0; i < 2; i++)
		share[i] = waiting_share(program, i);
	waits.calls = !isnan(share[0]) && !isnan(share[1]);
	/* A step that is shorter than its kernels ended before they did, unless they ran at once. */
	for (int i = 0; i < 2; i++)
		waits.waits[i] =
			waits.calls ? share[i] >= 0.5 : !(program->side[i].median < program->kernels->side[i].median);
	return waits;
}

bool is_submission(const struct step_waits *waits)
{
	const bool *is_of_work = waits->period ? waits->keeps_pace : waits->waits;

	return waits->known && !(is_of_work[0] && is_of_work[1]);
}

const char *step_waits_by(const struct step_waits *waits)
{
	if (waits->period)
		return "lag";
	return !waits->calls ? "times" : waits->turns && is_submission(waits) ? "turns" : "calls";
}

void step_waits_put(json_t *object, const struct step_waits *waits)
{
	put_json(object, "step_time",
		waits->has_range ? json_string(waits->period ? "period" : "duration") : json_null());
	put_json(object, "step_pauses", waits->period ? json_boolean(waits->pauses) : json_null());
	put_json(object, "submission", json_boolean(is_submission(waits)));
	put_json(object, "submission_by", waits->known ? json_string(step_waits_by(waits)) : json_null());
}
