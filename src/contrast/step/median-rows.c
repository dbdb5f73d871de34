/* median-rows.c: see median-rows.h. */
#include "contrast/step/median-rows.h"

#include "contrast/sample-rows.h"
#include "contrast/samples.h"
#include "contrast/step/step-copy.h"
#include "contrast/step/step-load.h"

/* A timeline of more has nothing to say, and the recording would grow with it. */
enum { MEDIAN_STEP_PIECES = 200000 };

/* Between two steps, and before the first one (ns): no time is 0, which would be none. */
enum { APART_NS = 1000000 };

/* Goes from side to side. */
struct median_writing {
	const struct launches_options *options;
	struct step_place place;
};

static int row_of_median_step(const struct median_writing *writing, const struct median_side *side,
	const struct median_step *step, const struct step_calls *calls, bool kept, struct error *err)
{
	const struct median_run *run = &side->runs[step->run];
	bool has_range = writing->options->range != NULL;
	const struct value row[MEDIANSTEP_NUMBER] = {
		[MEDIANSTEP_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[MEDIANSTEP_variant] = VALUE_OF_TEXT(side->variant),
		[MEDIANSTEP_caseLabel] = VALUE_OF_TEXT(contrast_measure_word(MEASURES_KERNELS)),
		[MEDIANSTEP_block] = VALUE_OF_INT_IF(run->block, run->block >= 0),
		[MEDIANSTEP_position] = VALUE_OF_INT_IF(run->position, run->block >= 0),
		[MEDIANSTEP_step] = VALUE_OF_INT_IF((int64_t)calls->step + 1, has_range),
		[MEDIANSTEP_steps] = VALUE_OF_INT_IF((int64_t)calls->steps, has_range),
		[MEDIANSTEP_steady] = VALUE_OF_INT((int64_t)step->steady),
		[MEDIANSTEP_ns] = VALUE_OF_REAL(step->ns),
		[MEDIANSTEP_medianNs] = VALUE_OF_REAL(step->median_ns),
		[MEDIANSTEP_pieces] = VALUE_OF_INT((int64_t)calls->pieces),
		[MEDIANSTEP_start] = VALUE_OF_INT(writing->place.at),
		[MEDIANSTEP_end] = VALUE_OF_INT(writing->place.at + (calls->to - calls->from)),
		[MEDIANSTEP_kept] = VALUE_OF_INT(kept),
	};

	return recording_row(writing->place.rec, TABLE_MEDIANSTEP, row, err);
}

/* Ranges are counted before anything is written. */
static int copy_median_step(const struct median_writing *writing, const char *path, const struct step_calls *calls,
	bool *kept, struct error *err)
{
	struct step_place nowhere = writing->place;
	size_t nranges = 0;

	*kept = false;
	nowhere.rec = NULL;
	if (calls->pieces > MEDIAN_STEP_PIECES)
		return 0;
	if (step_copy(path, calls, &nowhere, &nranges, err) < 0)
		return -1;
	if (nranges + calls->pieces > MEDIAN_STEP_PIECES)
		return 0;
	*kept = true;
	return step_copy(path, calls, &writing->place, &nranges, err);
}

static int write_median_step(struct median_writing *writing, const struct median_side *side, struct error *err)
{
	struct median_step step;
	struct step_calls calls;
	bool kept;
	int code = -1;

	if (!median_step_choose(side->runs, side->n, &step))
		return 0;
	writing->place.gpus = side->runs[step.run].gpus;
	if (step_calls_load(side->runs[step.run].recording, writing->options, step.step, &calls, err) < 0)
		return -1;
	if (copy_median_step(writing, side->runs[step.run].recording, &calls, &kept, err) == 0)
		code = row_of_median_step(writing, side, &step, &calls, kept, err);
	writing->place.at += calls.to - calls.from + APART_NS;
	writing->place.first_call += (int64_t)calls.n;
	step_calls_free(&calls);
	return code;
}

int rows_of_median_steps(struct recording *rec, const struct launches_options *options, int64_t epoch_ns,
	const struct median_side sides[MEDIAN_SIDES], struct error *err)
{
	struct median_writing writing = {.options = options, .place = {rec, epoch_ns + APART_NS, 1, NULL}};

	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		if (write_median_step(&writing, &sides[i], err) < 0)
			return -1;
	return 0;
}
