/* waits.c: see waits.h. */
#include "model/family/programs/waits.h"

#include <math.h>

#include "model/family/family-rows.h"
#include "model/family/programs/judging.h"
#include "model/family/programs/runs.h"
#include "store/store.h"
#include "tree/json.h"

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

struct step_waits step_waits_of(const struct judging *program)
{
	struct step_waits waits = {.known = program->kernels && judging_has_range(program)};
	double share[2];

	if (!waits.known)
		return waits;
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
	return waits->known && !(waits->waits[0] && waits->waits[1]);
}

void step_waits_put(json_t *object, const struct step_waits *waits)
{
	put_json(object, "submission", json_boolean(is_submission(waits)));
	put_json(object, "submission_by", waits->known ? json_string(waits->calls ? "calls" : "times") : json_null());
}
