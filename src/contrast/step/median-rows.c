/* median-rows.c: see median-rows.h. */
#include "contrast/step/median-rows.h"

#include "contrast/sample-rows.h"
#include "contrast/samples.h"
#include "contrast/step/step-copy.h"
#include "contrast/step/step-load.h"
#include "util/number.h"

/* A timeline of more has nothing to say, and the recording would grow with it. */
enum { MEDIAN_STEP_PIECES = 200000 };

/* Between two steps, and before the first one (ns): no time is 0, which would be none. */
enum { APART_NS = 1000000 };

/* Goes from side to side. */
struct median_writing {
	const struct launches_options *options;
	enum step_measure measure;
	struct step_place place;
};

static int row_of_median_step(const struct median_writing *writing, const struct median_side *side,
	const struct median_step *step, const struct step_calls *calls, const struct step_copied *copied,
	struct error *err)
{
	const struct median_run *run = &side->runs[step->run];
	const struct step_window *window = &writing->place.window;
	bool has_range = writing->options->range != NULL, kept = copied->own + copied->others > 0;
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
		[MEDIANSTEP_end] = VALUE_OF_INT(int64_sum(writing->place.at, window->to - window->from)),
		[MEDIANSTEP_kept] = VALUE_OF_INT(kept),
		[MEDIANSTEP_window] = VALUE_OF_TEXT(step_window_word(window->kind)),
		[MEDIANSTEP_inside] = VALUE_OF_INT_IF((int64_t)copied->own, kept),
		[MEDIANSTEP_others] = VALUE_OF_INT_IF((int64_t)copied->others, kept),
		[MEDIANSTEP_behindNs] =
			VALUE_OF_INT_IF(calls->gpu_end - window->to, kept && calls->gpu_end > window->to),
	};

	return recording_row(writing->place.rec, TABLE_MEDIANSTEP, row, err);
}

/* Chooses the time that is shown: not one in which nothing runs. *copied is what there is in it. */
static int choose_step_window(struct median_writing *writing, const char *path, const struct step_calls *calls,
	struct step_copied *copied, struct error *err)
{
	struct step_place *place = &writing->place, nowhere;

	place->window = step_window_of(calls, writing->measure);
	nowhere = *place;
	nowhere.rec = NULL;
	if (step_copy(path, calls, &nowhere, copied, err) < 0)
		return -1;
	if (copied->own + copied->others > 0)
		return 0;
	place->window = nowhere.window = step_window_of_work(calls);
	return step_copy(path, calls, &nowhere, copied, err);
}

/* All is counted before anything is written. *copied is 0 if it is too much. */
static int copy_median_step(struct median_writing *writing, const char *path, const struct step_calls *calls,
	struct step_copied *copied, struct error *err)
{
	if (choose_step_window(writing, path, calls, copied, err) < 0)
		return -1;
	if (copied->own + copied->others + copied->ranges > MEDIAN_STEP_PIECES) {
		*copied = (struct step_copied){.own = 0};
		return 0;
	}
	return step_copy(path, calls, &writing->place, copied, err);
}

static int write_median_step(struct median_writing *writing, const struct median_side *side, struct error *err)
{
	struct step_place *place = &writing->place;
	struct step_copied copied;
	struct median_step step;
	struct step_calls calls;
	int code = -1;

	if (!median_step_choose(side->runs, side->n, writing->measure, &step))
		return 0;
	place->gpus = side->runs[step.run].gpus;
	if (step_calls_load(side->runs[step.run].recording, writing->options, step.step, &calls, err) < 0)
		return -1;
	if (copy_median_step(writing, side->runs[step.run].recording, &calls, &copied, err) == 0)
		code = row_of_median_step(writing, side, &step, &calls, &copied, err);
	place->at = int64_sum(place->at, place->window.to - place->window.from + APART_NS);
	place->first_call += (int64_t)calls.n;
	step_calls_free(&calls);
	return code;
}

int rows_of_median_steps(struct recording *rec, const struct launches_options *options, enum step_measure measure,
	int64_t epoch_ns, const struct median_side sides[MEDIAN_SIDES], struct error *err)
{
	struct median_writing writing = {.options = options,
		.measure = measure,
		.place = {.rec = rec, .at = epoch_ns + APART_NS, .first_call = 1}};

	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		if (write_median_step(&writing, &sides[i], err) < 0)
			return -1;
	return 0;
}
