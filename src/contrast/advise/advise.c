/* advise.c: see advise.h. */
#include "contrast/advise/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrast/advise/judge.h"
#include "contrast/advise/traced-rows.h"
#include "contrast/found.h"
#include "contrast/sample-rows.h"
#include "trace/trace.h"
#include "util/clock.h"

/* What is passed around from the first run to the recording. */
struct advising {
	const struct contrast_options *options;
	const char *folder;
	int64_t begun; /* clock_monotonic() */
	struct contrast_found found;
	struct contrast_gpu gpu;
	struct error no_machine; /* why its constants are not known; "" */
	struct advised advised;
};

/* ---- the machine ---- */

static void forget_machine(struct machine *machine)
{
	const double unknown = NAN;

	for (int i = 0; i < machine_constants_count; i++)
		memcpy((char *)machine + machine_constants[i].offset, &unknown, sizeof(unknown));
}

/* Of the GPU whose kernels take the most time. */
static const char *gpu_of_program(const struct measurement *measured)
{
	for (size_t i = 0; i < measured->nruns; i++)
		if (measured->runs[i].kind == SIDE_TRACED && measured->runs[i].run.gpu[0] != '\0')
			return measured->runs[i].run.gpu;
	return "";
}

static void measure_machine(struct advising *a)
{
	const struct contrast_options *o = a->options;

	forget_machine(&a->gpu.machine);
	o->progress(o->user, a->found.measured.nruns, 0, "the machine's constants");
	if (!o->calibrate)
		error_set(&a->no_machine, "nobody has measured them");
	else if (o->calibrate(o->user, gpu_of_program(&a->found.measured), &a->gpu, &a->no_machine) < 0)
		forget_machine(&a->gpu.machine);
}

static int rows_of_machine(struct recording *rec, const struct advising *a, struct error *err)
{
	for (int i = 0; i < machine_constants_count; i++) {
		double value = machine_value(&a->gpu.machine, &machine_constants[i]);
		struct value row[MACHINE_NUMBER] = {
			[MACHINE_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
			[MACHINE_key] = VALUE_OF_TEXT(machine_constants[i].key),
			[MACHINE_title] = VALUE_OF_TEXT(machine_constants[i].title),
			[MACHINE_unit] = VALUE_OF_TEXT(machine_constants[i].unit),
		};

		if (isfinite(value))
			row[MACHINE_value] = VALUE_OF_REAL(value);
		if (recording_row(rec, TABLE_MACHINE, row, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- the runs ---- */

/* The longest run of the program so far (ns). */
static int64_t longest_run_so_far(const struct measurement *measured)
{
	int64_t longest = 0;

	for (size_t i = 0; i < measured->nruns; i++) {
		int64_t ns = measured->runs[i].run.end_ns - measured->runs[i].run.start_ns;

		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* What is left for counting: a run that begins within it ends within the budget. */
static int64_t left_for_counting(const struct advising *a)
{
	const struct measured_run *plain = &a->found.measured.runs[0];
	int64_t own = plain->run.end_ns - plain->run.start_ns, budget = a->options->budget_ns;
	int64_t left;

	if (budget <= 0)
		budget = ADVISE_TIMES * own + advise_more_ns;
	left = budget - (clock_monotonic() - a->begun - a->found.measured.lost_ns) -
	       longest_run_so_far(&a->found.measured);
	return left > 1 ? left : 1;
}

/* Counting comes last: it takes what time is left, and the others need one run each. */
static int look_into_kernels(struct advising *a, struct error *err)
{
	struct contrast_options counting = *a->options;
	struct contrast_found *found = &a->found;
	const struct contrast_samples *samples = found->any ? &found->samples : NULL;

	if (code_sides(a->options, a->folder, &found->measured, samples, &found->coded, err) < 0 ||
		sample_sides(a->options, a->folder, &found->measured, samples, &found->sampled, err) < 0)
		return -1;
	counting.budget_ns = left_for_counting(a);
	counting.gpu = &a->gpu;
	return count_sides(&counting, a->folder, &found->measured, samples, &found->counted, err);
}

static int measure_program(struct advising *a, struct error *err)
{
	if (measure_sides(a->options, a->folder, &a->found.measured, err) < 0 || a->found.measured.failed >= 0)
		return -1;
	if (a->found.measured.unknown.text[0] != '\0')
		a->options->note(a->options->user, a->found.measured.unknown.text);
	if (a->found.measured.tracing != TRACING_ALL)
		a->options->note(a->options->user, a->found.measured.untraced.text);
	found_make_samples(&a->found);
	measure_machine(a);
	return look_into_kernels(a, err);
}

/* ---- the recording ---- */

static int row_of_advise_pass(struct recording *rec, const char *pass, const struct error *why, struct error *err)
{
	bool skipped = why->text[0] != '\0';
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PASS_pass] = VALUE_OF_TEXT(pass),
		[PASS_status] = VALUE_OF_TEXT(skipped ? "skipped" : "done"),
		[PASS_reason] = VALUE_OF_TEXT(skipped ? why->text : NULL),
		[PASS_run] = VALUE_OF_INT(0),
	};

	return recording_row(rec, TABLE_PASS, row, err);
}

/* The reason of a pass that was made says why less was traced. */
static int row_of_trace_pass(struct recording *rec, const struct measurement *measured, struct error *err)
{
	const struct value row[PASS_NUMBER] = {
		[PASS_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[PASS_pass] = VALUE_OF_TEXT("trace"),
		[PASS_status] = VALUE_OF_TEXT("done"),
		[PASS_reason] = VALUE_OF_TEXT(measured->untraced.text),
		[PASS_run] = VALUE_OF_INT(0),
	};

	if (measured->unknown.text[0] != '\0' || measured->tracing == TRACING_ALL)
		return row_of_advise_pass(rec, "trace", &measured->unknown, err);
	return recording_row(rec, TABLE_PASS, row, err);
}

static int write_advice(struct recording *rec, const struct advising *a, int64_t start, struct error *err)
{
	const struct contrast_options *o = a->options;
	const struct measurement *measured = &a->found.measured;

	if (program_write_facts(rec, "advice", o->command, start, err) < 0 ||
		(o->range && recording_meta(rec, "range", o->range, err) < 0) ||
		(o->kernel && recording_meta(rec, "kernel", o->kernel, err) < 0) ||
		found_row_of_pass(rec, start, NULL, err) < 0 || row_of_trace_pass(rec, measured, err) < 0 ||
		row_of_advise_pass(rec, "machine", &a->no_machine, err) < 0)
		return -1;
	if (rows_of_traced_run(rec, measured->recording, err) < 0 || found_rows(rec, o, &a->found, err) < 0 ||
		rows_of_machine(rec, a, err) < 0)
		return -1;
	return rows_of_advice(rec, &a->found.samples, &a->advised, err);
}

static int advise_and_write(struct recording *rec, const struct contrast_options *options, const char *folder,
	int64_t start, int *failed, struct error *err)
{
	struct advising a = {.options = options, .folder = folder, .begun = clock_monotonic()};
	int code = measure_program(&a, err);

	*failed = -1;
	if (code == 0) {
		advise_kernels(options, &a.found, &a.gpu.machine, &a.advised);
		code = write_advice(rec, &a, start, err);
	}
	free(a.gpu.availability);
	advised_free(&a.advised);
	found_free(&a.found);
	return code;
}

int advise_record(const struct contrast_options *options, struct error *err)
{
	int failed;

	return found_into_recording(options, advise_and_write, &failed, err);
}
