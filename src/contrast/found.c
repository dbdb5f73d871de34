/* found.c: see found.h. */
#include "contrast/found.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/count/counted-rows.h"
#include "contrast/count/sampled-rows.h"
#include "contrast/rows.h"
#include "contrast/sample-rows.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/file/file.h"
#include "util/file/temporary.h"

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
			.launches = run->counted,
			.program_ns = run->kind == SIDE_TRACED ? NAN
				      : run->kind == SIDE_HOST ? run->times.ns[measured->measure]
							       : wall,
			.program_steps = run->kind == SIDE_HOST ? run->times.n[measured->measure] : 1,
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

void found_make_samples(struct contrast_found *found)
{
	size_t n;
	struct contrast_run *runs = whole_runs(&found->measured, &n);

	contrast_samples_make(runs, n, found->measured.nsides, &found->samples);
	found->any = found->measured.blocks > 0;
	free(runs);
}

void found_free(struct contrast_found *found)
{
	curves_release(&found->curves);
	sampled_free(&found->sampled);
	coded_free(&found->coded);
	counted_free(&found->counted);
	contrast_samples_free(&found->samples);
	measure_free(&found->measured);
}

/* ---- rows ---- */

/* Finds the lines of samples: see struct line_finder. */
static bool find_sampled_line(void *user, size_t side, const struct sampled_case *one,
	const struct sampled_stall *stall, const char **file, int64_t *line)
{
	(void)one;
	return code_line_at(
		user, side, stall->symbol, stall->offset, strcmp(stall->reason, "barrier") == 0, file, line);
}

int found_rows(struct recording *rec, const struct contrast_options *options, const struct contrast_found *found,
	struct error *err)
{
	const char **names = xcalloc(options->nsides, sizeof(*names));
	double *mhz = run_clock_readings(&found->measured);
	const struct contrast_sides sides = {
		names, mhz, options->range ? step_measure_word(found->measured.measure) : NULL};
	const struct line_finder lines = {find_sampled_line, (void *)&found->coded};
	int code;

	for (size_t i = 0; i < options->nsides; i++)
		names[i] = options->sides[i].name;
	code = rows_of_sides(rec, options, &found->measured, found->any ? &found->samples : NULL, err);
	if (code == 0 && found->any)
		code = rows_of_samples(rec, &sides, &found->samples, err);
	if (code == 0 && found->any)
		code = rows_of_resources(rec, options, &found->samples, &found->measured, err);
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

int found_row_of_pass(struct recording *rec, int64_t start, const char *failure, struct error *err)
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

int found_row_of_trace(struct recording *rec, int64_t start, const struct measurement *measured, struct error *err)
{
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PASS_pass] = VALUE_OF_TEXT("trace"),
		[PASS_status] = VALUE_OF_TEXT(measured->tracing == TRACING_NOTHING ? "skipped" : "done"),
		[PASS_reason] = VALUE_OF_TEXT(measured->untraced.text),
		[PASS_start] = VALUE_OF_INT(start),
		[PASS_end] = VALUE_OF_INT(clock_realtime()),
		[PASS_run] = VALUE_OF_INT(0),
	};

	return measured->tracing == TRACING_ALL ? 0 : recording_row(rec, TABLE_PASS, row, err);
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

int found_into_recording(const struct contrast_options *options, found_work *work, int *failed, struct error *err)
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
		code = work(rec, options, whole, start, failed, err);
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
