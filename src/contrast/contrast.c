/* contrast.c: see contrast.h. */
#include "contrast/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/code/coded.h"
#include "contrast/count/counted-rows.h"
#include "contrast/count/counted.h"
#include "contrast/count/sampled-rows.h"
#include "contrast/measure.h"
#include "contrast/pm/curves.h"
#include "contrast/rows.h"
#include "contrast/sample-rows.h"
#include "contrast/samples.h"
#include "contrast/step/cells.h"
#include "contrast/step/median-rows.h"
#include "store/store.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/temporary.h"

/* ---- facts about the machine ---- */

/* The GPUs of the machine, as the recording of a traced run tells them. */
static int copy_gpus(struct recording *rec, const char *recording, struct error *err)
{
	struct store *store = store_open(recording, err);
	struct cursor *cursor = store ? store_rows(store, TABLE_GPU, GPU_id, err) : NULL;
	int more = cursor ? cursor_next(cursor, err) : -1;

	for (; more > 0; more = cursor_next(cursor, err)) {
		struct value row[GPU_NUMBER];

		cells_of_row(cursor, TABLE_GPU, row);
		if (recording_row(rec, TABLE_GPU, row, err) < 0) {
			more = -1;
			break;
		}
	}
	cursor_close(cursor);
	store_close(store);
	return more;
}

/* ---- samples ---- */

/* Runs of whole blocks; a block that was cut off has no samples. *n is their number; the caller frees them. */
static struct contrast_run *whole_runs(const struct measurement *measured, size_t *n)
{
	struct contrast_run *runs = xcalloc(measured->nruns + 1, sizeof(*runs));

	*n = 0;
	for (size_t i = 0; i < measured->nruns; i++) {
		const struct measured_run *run = &measured->runs[i];
		double wall = (double)(run->run.end_ns - run->run.start_ns);

		if (run->block < 0 || (size_t)run->block >= measured->blocks)
			continue;
		runs[(*n)++] = (struct contrast_run){
			.side = run->side,
			.block = run->block,
			.position = run->position,
			.process = run->process,
			.launches = run->launches,
			.program_ns = run->kind == SIDE_TRACED ? NAN
				      : run->kind == SIDE_HOST ? run->step_ns
							       : wall,
			.program_steps = run->kind == SIDE_HOST ? run->steps : 1,
		};
	}
	return runs;
}

/* The mean clock in each run, NaN where none was read. For free(). */
static double *run_clock_readings(const struct measurement *measured)
{
	double *mhz = xcalloc(measured->nruns + 1, sizeof(*mhz));

	for (size_t i = 0; i < measured->nruns; i++) {
		const struct side_readings *readings = &measured->runs[i].run.readings;

		mhz[i] = readings->n > 0 ? readings->sm_mhz : NAN;
	}
	return mhz;
}

/* All that was measured. */
struct contrast_found {
	struct measurement measured;
	struct contrast_samples samples; /* of whole blocks */
	bool any;                        /* there is a whole block */
	struct counted_kernels counted;
	struct sampled_kernels sampled;
	struct coded_kernels coded;
	struct curves curves;
};

static void make_samples(struct contrast_found *found)
{
	size_t n;
	struct contrast_run *runs = whole_runs(&found->measured, &n);

	contrast_samples_make(runs, n, found->measured.nsides, &found->samples);
	found->any = found->measured.blocks > 0;
	free(runs);
}

static void contrast_found_free(struct contrast_found *found)
{
	curves_release(&found->curves);
	sampled_free(&found->sampled);
	coded_free(&found->coded);
	counted_free(&found->counted);
	contrast_samples_free(&found->samples);
	measure_free(&found->measured);
}

/* The traced runs of a side in whole blocks. For free(). */
static struct median_run *median_runs(const struct measurement *measured, size_t side, size_t *n)
{
	struct median_run *runs = xcalloc(measured->nruns + 1, sizeof(*runs));

	*n = 0;
	for (size_t i = 0; i < measured->nruns; i++) {
		const struct measured_run *run = &measured->runs[i];

		if (run->side == side && run->launches && run->block >= 0 && (size_t)run->block < measured->blocks)
			runs[(*n)++] = (struct median_run){run->launches,
				kept_path(&measured->kept, (size_t)run->process), run->block, run->position};
	}
	return runs;
}

/* The runs of both sides are for free_median_sides(). */
static void make_median_sides(const struct contrast_options *options, const struct measurement *measured,
	struct median_side sides[MEDIAN_SIDES])
{
	for (size_t i = 0; i < MEDIAN_SIDES; i++) {
		sides[i].variant = options->sides[i].name;
		sides[i].runs = median_runs(measured, i, &sides[i].n);
	}
}

static void free_median_sides(struct median_side sides[MEDIAN_SIDES])
{
	for (size_t i = 0; i < MEDIAN_SIDES; i++)
		free((struct median_run *)sides[i].runs);
}

static int write_median_steps(struct recording *rec, const struct contrast_options *options,
	const struct measurement *measured, int64_t start, struct error *err)
{
	const struct launches_options how = {.range = options->range, .kernel = options->kernel, .any_thread = true};
	struct median_side sides[MEDIAN_SIDES];
	int code;

	make_median_sides(options, measured, sides);
	code = rows_of_median_steps(rec, &how, start, sides, err);
	free_median_sides(sides);
	return code;
}

static int sample_curves(
	const struct contrast_options *options, const char *folder, struct contrast_found *found, struct error *err)
{
	struct median_side sides[MEDIAN_SIDES];
	int code;

	make_median_sides(options, &found->measured, sides);
	code = curve_sides(
		options, folder, &found->measured, found->any ? &found->samples : NULL, sides, &found->curves, err);
	free_median_sides(sides);
	return code;
}

/* Finds the lines of samples: see struct line_finder. */
static bool find_sampled_line(void *user, size_t side, const struct sampled_case *one,
	const struct sampled_stall *stall, const char **file, int64_t *line)
{
	(void)one;
	return code_line_at(
		user, side, stall->symbol, stall->offset, strcmp(stall->reason, "barrier") == 0, file, line);
}

/* Writes the sides, and what whole blocks tell if there is one. */
static int write_sides(struct recording *rec, const struct contrast_options *options,
	const struct contrast_found *found, struct error *err)
{
	const char **names = xcalloc(options->nsides, sizeof(*names));
	double *mhz = run_clock_readings(&found->measured);
	const struct contrast_sides sides = {names, mhz};
	const struct line_finder lines = {find_sampled_line, (void *)&found->coded};
	int code;

	for (size_t i = 0; i < options->nsides; i++)
		names[i] = options->sides[i].name;
	code = rows_of_sides(rec, options, &found->measured, found->any ? &found->samples : NULL, err);
	if (code == 0 && found->any)
		code = rows_of_samples(rec, &sides, &found->samples, err);
	if (code == 0 && found->any)
		code = rows_of_resources(rec, options, &found->samples, found->measured.recording, err);
	if (code == 0)
		code = rows_of_counted(rec, options, &found->samples, &found->counted, err);
	if (code == 0)
		code = rows_of_sampled(rec, options, &found->samples, &found->sampled, &lines, err);
	if (code == 0)
		code = rows_of_code(rec, options, &found->samples, &found->coded, err);
	if (code == 0)
		code = rows_of_curves(rec, options, &found->curves, err);
	free(names);
	free(mhz);
	return code;
}

/* `failure`: how a side failed, which ended the pass. NULL: none did. */
static int contrast_pass(struct recording *rec, int64_t start, const char *failure, struct error *err)
{
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PASS_pass] = VALUE_OF_TEXT("time"),
		[PASS_status] = VALUE_OF_TEXT(failure ? "failed" : "done"),
		[PASS_reason] = VALUE_OF_TEXT(failure),
		[PASS_start] = VALUE_OF_INT(start),
		[PASS_end] = VALUE_OF_INT(clock_realtime()),
		[PASS_run] = VALUE_OF_INT(0),
	};

	return recording_row(rec, TABLE_PASS, row, err);
}

static int write_all(struct recording *rec, const struct contrast_options *options, const struct contrast_found *found,
	int64_t start, const char *failure, struct error *err)
{
	const char *traced = found->measured.recording;

	if (program_write_facts(rec, "contrast", options->command, start, err) < 0 ||
		(options->range && recording_meta(rec, "range", options->range, err) < 0) ||
		contrast_pass(rec, start, failure, err) < 0 || (traced && copy_gpus(rec, traced, err) < 0))
		return -1;
	if (found->any && write_median_steps(rec, options, &found->measured, start, err) < 0)
		return -1;
	return write_sides(rec, options, found, err);
}

/* ---- from beginning to end ---- */

/* The folder of all that is written meanwhile. Programs may change their working folder, so *whole is an absolute path;
 * the caller frees it. */
static int make_scratch(const char *output, struct temporary *folder, char **whole, struct error *err)
{
	int failed = temporary_folder_beside(folder, output);

	if (failed != 0)
		return file_write_error(err, output, failed);
	*whole = realpath(folder->path, NULL);
	if (*whole)
		return 0;
	temporary_remove(folder);
	return error_set(err, "%s: its folder cannot be found", output);
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
	make_samples(&found);
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
	contrast_found_free(&found);
	return code;
}

int contrast_record(const struct contrast_options *options, int *failed, struct error *err)
{
	int64_t start = clock_realtime();
	struct recording *rec = recording_create(options->output, start, err);
	struct temporary folder;
	struct error broken = {0};
	char *whole = NULL;
	int code = -1;

	*failed = -1;
	if (!rec)
		return -1;
	if (make_scratch(options->output, &folder, &whole, err) == 0) {
		code = measure_and_write(rec, options, whole, start, failed, err);
		free(whole);
		temporary_remove(&folder);
	}
	if (code < 0) {
		recording_abandon(rec);
		return -1;
	}
	if (recording_finish(rec, &broken) == 0)
		return 0;
	*err = broken;
	return -1;
}
