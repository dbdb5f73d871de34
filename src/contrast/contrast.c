/* contrast.c: see contrast.h. */
#include "contrast/contrast.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "contrast/found.h"
#include "contrast/step/median-rows.h"
#include "store/store.h"
#include "trace/trace.h"
#include "util/alloc.h"

/* ---- what was measured ---- */

/* The traced runs of a side in whole blocks. For free(). */
static struct median_run *median_runs(const struct measurement *measured, size_t side, size_t *n)
{
	struct median_run *runs = xcalloc(measured->nruns + 1, sizeof(*runs));

	*n = 0;
	for (size_t i = 0; i < measured->nruns; i++) {
		const struct measured_run *run = &measured->runs[i];

		if (run->side == side && run->counted && (size_t)run->block < measured->blocks)
			runs[(*n)++] = (struct median_run){run->counted,
				kept_path(&measured->kept, (size_t)run->process), run->block, run->position, run->gpus};
	}
	return runs;
}

/* The runs of both sides are for free_median_sides(). */
static void make_median_sides(const struct contrast_options *options, const struct contrast_found *found,
	struct median_side sides[MEDIAN_SIDES])
{
	sides[0].side = 0;
	sides[1].side = contrast_side_shown(&found->samples);
	for (size_t i = 0; i < MEDIAN_SIDES; i++) {
		sides[i].variant = options->sides[sides[i].side].name;
		sides[i].runs = median_runs(&found->measured, sides[i].side, &sides[i].n);
	}
}

static void free_median_sides(struct median_side sides[MEDIAN_SIDES])
{
	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		free((struct median_run *)sides[i].runs);
}

static int write_median_steps(struct recording *rec, const struct contrast_options *options,
	const struct contrast_found *found, int64_t start, struct error *err)
{
	const struct launches_options how = {.range = options->range, .kernel = options->kernel, .any_thread = true};
	struct median_side sides[MEDIAN_SIDES];
	int code;

	make_median_sides(options, found, sides);
	code = rows_of_median_steps(rec, &how, found->measured.measure, start, sides, err);
	free_median_sides(sides);
	return code;
}

static int sample_curves(
	const struct contrast_options *options, const char *folder, struct contrast_found *found, struct error *err)
{
	struct median_side sides[MEDIAN_SIDES];
	int code;

	make_median_sides(options, found, sides);
	code = curve_sides(
		options, folder, &found->measured, found->any ? &found->samples : NULL, sides, &found->curves, err);
	free_median_sides(sides);
	return code;
}

static int write_seed(struct recording *rec, const struct contrast_options *options, struct error *err)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, options->seed);
	return recording_meta(rec, "seed", seed, err);
}

static int write_all(struct recording *rec, const struct contrast_options *options, const struct contrast_found *found,
	int64_t start, const char *failure, struct error *err)
{
	if (program_write_facts(rec, "contrast", options->command, start, err) < 0 ||
		write_seed(rec, options, err) < 0 ||
		(options->range && recording_meta(rec, "range", options->range, err) < 0) ||
		(options->kernel && recording_meta(rec, "kernel", options->kernel, err) < 0) ||
		found_row_of_pass(rec, start, failure, err) < 0 ||
		found_row_of_trace(rec, start, &found->measured, err) < 0 ||
		seen_gpus_write(&found->measured.gpus, rec, err) < 0)
		return -1;
	if (found->any && write_median_steps(rec, options, found, start, err) < 0)
		return -1;
	return found_rows(rec, options, found, err);
}

/* ---- from beginning to end ---- */

/* Whether there is a number of any side, so that a page says more than how one failed. */
static bool is_anything_measured(const struct measurement *measured)
{
	bool any = measured->blocks > 0;

	for (size_t i = 0; i < measured->nruns; i++)
		any = any || measured->runs[i].launches;
	return any;
}

/* -1 if a page would have nothing but how a side failed, and replace one that may have a verdict. */
static int leave_older(const struct contrast_options *options, const struct measurement *measured, struct error *err)
{
	const struct error how = *err;

	if (!options->keeps_older || measured->failed < 0 || is_anything_measured(measured))
		return 0;
	return error_set(err, "%s; nothing was measured, so the older report stays", how.text);
}

/* `err` keeps how a side failed; what goes wrong while writing is more important. */
static int measure_and_write(struct recording *rec, const struct contrast_options *options, const char *folder,
	int64_t start, int *failed, struct error *err)
{
	struct contrast_found found = {0};
	const struct contrast_samples *samples;
	struct error broken = {0};
	int code = measure_sides(options, folder, &found.measured, err);

	*failed = found.measured.failed;
	if (code == 0)
		code = leave_older(options, &found.measured, err);
	found_make_samples(&found);
	samples = found.any ? &found.samples : NULL;
	if (code == 0)
		code = count_sides(options, folder, &found.measured, samples, &found.counted, err);
	if (code == 0)
		code = sample_sides(options, folder, &found.measured, samples, &found.sampled, err);
	if (code == 0)
		code = code_sides(options, folder, &found.measured, samples, &found.coded, err);
	if (code == 0)
		code = sample_curves(options, folder, &found, err);
	if (code == 0 && write_all(rec, options, &found, start, *failed >= 0 ? err->text : NULL, &broken) < 0) {
		*err = broken;
		code = -1;
	}
	found_free(&found);
	return code;
}

int contrast_record(const struct contrast_options *options, int *failed, struct error *err)
{
	return found_into_recording(options, measure_and_write, failed, err);
}
