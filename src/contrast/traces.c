/* traces.c: see traces.h. */
#include "contrast/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contrast/extent-rows.h"
#include "contrast/launches.h"
#include "contrast/sample-rows.h"
#include "contrast/samples.h"
#include "contrast/step/kernel-steps.h"
#include "contrast/step/kinds.h"
#include "contrast/step/median-rows.h"
#include "contrast/step/spans.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/clock.h"

enum { TRACES = MEDIAN_SIDES };

static const char *const trace_names[TRACES] = {TRACES_BASE, TRACES_NEW};

/* ---- parts of a run ---- */

/* A part of a run shares all but its steps with the run. */
struct parts {
	struct launches part[PARTS_OF_A_RUN];
	size_t n;
};

/* Step number `wanted` of those that count, or the number of all steps. */
static size_t steady_step(const struct launches *run, size_t wanted)
{
	size_t i = 0;

	for (; i < run->nsteps; i++)
		if (run->steps[i].left_out == LEFT_NOTHING && wanted-- == 0)
			break;
	return i;
}

static void parts_make(const struct launches *run, struct parts *out)
{
	out->n = run->nsteady < PARTS_OF_A_RUN ? run->nsteady : PARTS_OF_A_RUN;
	for (size_t p = 0; p < out->n; p++) {
		size_t first = p * run->nsteady / out->n, end = (p + 1) * run->nsteady / out->n;
		size_t from = steady_step(run, first);

		out->part[p] = *run;
		out->part[p].steps = run->steps + from;
		out->part[p].nsteps = steady_step(run, end) - from;
		out->part[p].nsteady = end - first;
	}
}

/* ---- from runs to samples ---- */

struct traces {
	const struct traces_options *options;
	struct launches run[TRACES];
	struct launches first[TRACES]; /* with as many first steady steps of both, in steps that are owned */
	struct parts parts[TRACES];
	enum step_measure measure; /* of the steps of both */
	int64_t *host[TRACES];     /* host times of as many first steps of both, in their order; owned */
	size_t nhost[TRACES];
	double period[TRACES]; /* mean (ns), likewise; NaN without any */
};

static void traces_free(struct traces *traces)
{
	for (size_t i = 0; i < TRACES; i++) {
		launches_release(&traces->run[i]);
		free(traces->first[i].steps);
		free(traces->host[i]);
	}
	free(traces);
}

static void take_host_times(struct traces *traces)
{
	struct run_times times[TRACES];
	struct first_ones ones[STEP_MEASURES] = {{.n = 0}};

	for (size_t i = 0; i < TRACES; i++) {
		times[i] = times_of_launches(&traces->run[i]);
		/* Parts of one step are no steps. */
		for (enum step_measure m = 0; !traces->run[i].is_split && m < STEP_MEASURES; m++)
			first_ones_within(&ones[m], times[i].step[m], times[i].n);
	}
	for (size_t i = 0; i < TRACES; i++) {
		struct step_times means;

		step_times_of(&times[i], ones, &means);
		traces->period[i] = means.ns[step_period_beside(traces->measure)];
		traces->host[i] = xcalloc(times[i].n + 1, sizeof(*traces->host[i]));
		traces->nhost[i] = first_ones_take(
			&ones[traces->measure], times[i].step[traces->measure], times[i].n, traces->host[i]);
		run_times_free(&times[i]);
	}
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		first_ones_free(&ones[m]);
}

/* Kernels are held against each other over as many first steps, as host times are. */
static void take_first_steps(struct traces *traces)
{
	struct first_ones ones = {.n = 0};

	for (size_t i = 0; i < TRACES; i++)
		kernel_steps_within(&ones, &traces->run[i]);
	for (size_t i = 0; i < TRACES; i++) {
		traces->first[i] = kernel_steps_view(&ones, &traces->run[i]);
		parts_make(&traces->first[i], &traces->parts[i]);
	}
	first_ones_free(&ones);
}

static int traces_load(struct traces *traces, struct error *err)
{
	const struct traces_options *o = traces->options;
	const char *const path[TRACES] = {o->base, o->fresh};
	const struct launches_options how = {
		.range = o->range, .kernel = o->kernel, .any_thread = true, .split = true, .nameless = o->nameless};

	struct paced_run paced[TRACES];
	double pause;

	for (size_t i = 0; i < TRACES; i++) {
		struct error why = {0};

		if (launches_load(path[i], &how, &traces->run[i], &why) < 0) {
			error_set(err, "%s: %s", path[i], why.text);
			return -1;
		}
		paced[i] = launches_paced(&traces->run[i], i);
	}
	pause = pause_of_runs(paced, TRACES, TRACES);
	for (size_t i = 0; i < TRACES; i++) {
		launches_find_pace(&traces->run[i], pause);
		paced[i] = launches_paced(&traces->run[i], i);
	}
	traces->measure = step_measure_of(paced, TRACES, TRACES);
	take_host_times(traces);
	take_first_steps(traces);
	return 0;
}

/* Parts of one step all have its host time. */
static size_t host_parts(const struct traces *traces, size_t side)
{
	size_t most = traces->run[side].is_split ? 1 : traces->parts[side].n;

	return traces->nhost[side] < most ? traces->nhost[side] : most;
}

/* Mean host time of a step of a part (ns), and in *steps of how many. */
static double host_part(const struct traces *traces, size_t side, size_t part, size_t *steps)
{
	size_t parts = host_parts(traces, side), n = traces->nhost[side];
	size_t first = part * n / parts, end = (part + 1) * n / parts;

	*steps = end - first;
	return mean_ns(traces->host[side] + first, *steps);
}

/* Each part gives a sample of the kernels and one of the host's time. */
static void traces_samples(const struct traces *traces, struct contrast_samples *out)
{
	struct contrast_run runs[2 * TRACES * PARTS_OF_A_RUN];
	size_t n = 0;

	for (size_t side = 0; side < TRACES; side++) {
		for (size_t p = 0; p < traces->parts[side].n; p++) {
			const struct launches *part = &traces->parts[side].part[p];
			struct contrast_run run = {.side = side,
				.block = (int)p,
				.process = (int)side,
				.is_part = true,
				.launches = part,
				.program_ns = NAN};

			runs[n++] = run;
			if (p >= host_parts(traces, side))
				continue;
			run.launches = NULL;
			run.program_ns = host_part(traces, side, p, &run.program_steps);
			runs[n++] = run;
		}
	}
	contrast_samples_make(runs, n, TRACES, out);
}

/* ---- rows ---- */

static int row_of_traces(struct recording *rec, struct error *err)
{
	const struct value row[FAMILY_NUMBER] = {
		[FAMILY_name] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[FAMILY_ord] = VALUE_OF_INT(0),
		[FAMILY_single] = VALUE_OF_TEXT(TRACES_BASE),
		[FAMILY_double] = VALUE_OF_TEXT(TRACES_NEW),
		[FAMILY_origin] = VALUE_OF_TEXT("traces"),
	};

	return recording_row(rec, TABLE_FAMILY, row, err);
}

static int row_of_trace(struct recording *rec, const struct traces *traces, size_t side, struct error *err)
{
	const struct launches *run = &traces->run[side];
	size_t first = traces->first[side].nsteady;
	double host_ns = mean_ns(traces->host[side], traces->nhost[side]),
	       lag = pace_lag_share(&run->pace.by[step_period_beside(traces->measure)]);
	char hash[EXTENT_HASH_BYTES];
	const struct value variant[VARIANT_NUMBER] = {
		[VARIANT_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[VARIANT_name] = VALUE_OF_TEXT(trace_names[side]),
		[VARIANT_ord] = VALUE_OF_INT((int64_t)side),
		[VARIANT_kind] = VALUE_OF_TEXT("candidate"),
		[VARIANT_buffers] = VALUE_OF_INT((int64_t)side + 1),
		[VARIANT_teachesFailure] = VALUE_OF_INT(0),
	};
	struct value block[BLOCK_NUMBER] = {
		[BLOCK_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[BLOCK_variant] = VALUE_OF_TEXT(trace_names[side]),
		[BLOCK_kind] = VALUE_OF_TEXT("traced"),
		[BLOCK_steps] = VALUE_OF_INT((int64_t)run->nsteady),
		[BLOCK_waits] = VALUE_OF_INT(launches_paced(run, side).ends),
		[BLOCK_firstSteps] = VALUE_OF_INT_IF((int64_t)first, first < run->nsteady),
		[BLOCK_launches] = VALUE_OF_INT((int64_t)run->nlaunches),
		[BLOCK_gpuNs] = VALUE_OF_INT(run->ns),
		[BLOCK_stepNs] = VALUE_OF_REAL(host_ns),
		[BLOCK_incomplete] = VALUE_OF_INT(launches_lack(run)),
		[BLOCK_kernelSpanNs] = VALUE_OF_INT(run->span_ns),
		[BLOCK_lagShare] = VALUE_OF_REAL(lag),
		[BLOCK_periodNs] = VALUE_OF_REAL(traces->period[side]),
	};

	if (isfinite(run->busy_share)) {
		block[BLOCK_kernelSumNs] = VALUE_OF_REAL(launches_gpu_ns(run));
		block[BLOCK_kernelBusyNs] = VALUE_OF_REAL(launches_busy_ns(run));
	}
	if (isnan(lag))
		block[BLOCK_lagShare] = block[BLOCK_periodNs] = (struct value){.kind = VALUE_NULL};
	if (run->has_range)
		block[BLOCK_beginShare] = VALUE_OF_REAL(kernel_steps_begins(&traces->first[side]));
	if (!run->has_range)
		block[BLOCK_steps] = block[BLOCK_waits] = block[BLOCK_stepNs] = (struct value){.kind = VALUE_NULL};
	put_extent(run, hash, block);
	put_step_work(&run->work[traces->measure], host_ns, block);
	return recording_row(rec, TABLE_VARIANT, variant, err) < 0 ? -1 : recording_row(rec, TABLE_BLOCK, block, err);
}

static int rows_of_kinds_of_trace(struct recording *rec, const struct traces *traces, size_t side, struct error *err)
{
	const struct value row[STEPKIND_NUMBER] = {
		[STEPKIND_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
		[STEPKIND_variant] = VALUE_OF_TEXT(trace_names[side]),
	};

	return rows_of_step_kinds(rec, &traces->run[side], row, err);
}

/* What of a trace does not count. */
static int rows_left_out_of_trace(struct recording *rec, const struct traces *traces, size_t side, struct error *err)
{
	for (enum left_out why = 0; why < LEFT_REASONS; why++) {
		const struct left_sum *left = &traces->run[side].left[why];
		const struct value row[LEFTOUT_NUMBER] = {
			[LEFTOUT_family] = VALUE_OF_TEXT(CONTRAST_FAMILY),
			[LEFTOUT_variant] = VALUE_OF_TEXT(trace_names[side]),
			[LEFTOUT_reason] = VALUE_OF_TEXT(left_out_word(why)),
			[LEFTOUT_steps] = VALUE_OF_INT((int64_t)left->steps),
			[LEFTOUT_launches] = VALUE_OF_INT((int64_t)left->launches),
			[LEFTOUT_ns] = VALUE_OF_INT(left->ns),
		};

		if ((left->steps > 0 || left->launches > 0) && recording_row(rec, TABLE_LEFTOUT, row, err) < 0)
			return -1;
	}
	return 0;
}

/* The step of each run that is nearest to the median of its own. */
static int write_steps_of_traces(
	struct recording *rec, const struct traces *traces, int64_t epoch_ns, struct error *err)
{
	const struct traces_options *o = traces->options;
	const struct launches_options how = {
		.range = o->range, .kernel = o->kernel, .any_thread = true, .nameless = o->nameless};
	const struct median_run runs[TRACES] = {
		{&traces->first[0], o->base, -1, -1, NULL}, {&traces->first[1], o->fresh, -1, -1, NULL}};
	const struct median_side sides[TRACES] = {{0, trace_names[0], &runs[0], 1}, {1, trace_names[1], &runs[1], 1}};

	return rows_of_median_steps(rec, &how, traces->measure, epoch_ns, sides, err);
}

/* Its number in the recording that was traced. */
static int meta_of_gpu(struct recording *rec, const char *key, const struct launches *run, struct error *err)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", run->gpu);
	return run->gpu < 0 ? 0 : recording_meta(rec, key, number, err);
}

/* Whether --kernel left out kernels of a step: then a step's time is not that of the kernels alone. */
static int meta_of_chosen(struct recording *rec, const struct traces *traces, struct error *err)
{
	for (size_t side = 0; side < TRACES; side++)
		if (traces->run[side].left[LEFT_NOT_CHOSEN].launches > 0)
			return recording_meta(rec, "kernels_left_out", "1", err);
	return 0;
}

static int write_traces(struct recording *rec, const struct traces *traces, struct error *err)
{
	const struct contrast_sides sides = {
		.names = trace_names, .step_time = traces->options->range ? step_measure_word(traces->measure) : NULL};
	struct contrast_samples samples;
	char band[32];
	int code;

	snprintf(band, sizeof(band), "%.17g", traces->options->band);
	if (recording_meta(rec, "band", band, err) < 0 || meta_of_gpu(rec, "base_gpu", &traces->run[0], err) < 0 ||
		meta_of_gpu(rec, "new_gpu", &traces->run[1], err) < 0 ||
		(traces->options->kernel && recording_meta(rec, "kernel", traces->options->kernel, err) < 0) ||
		meta_of_chosen(rec, traces, err) < 0 || row_of_traces(rec, err) < 0 ||
		row_of_trace(rec, traces, 0, err) < 0 || row_of_trace(rec, traces, 1, err) < 0 ||
		rows_left_out_of_trace(rec, traces, 0, err) < 0 || rows_left_out_of_trace(rec, traces, 1, err) < 0 ||
		rows_of_kinds_of_trace(rec, traces, 0, err) < 0 || rows_of_kinds_of_trace(rec, traces, 1, err) < 0)
		return -1;
	traces_samples(traces, &samples);
	code = rows_of_samples(rec, &sides, &samples, err);
	contrast_samples_free(&samples);
	return code;
}

int contrast_traces(const struct traces_options *options, struct error *err)
{
	struct traces *traces = xcalloc(1, sizeof(*traces));
	struct recording *rec = NULL;
	int64_t epoch_ns = clock_realtime();
	int code = -1;

	traces->options = options;
	if (traces_load(traces, err) == 0)
		rec = recording_create(options->output, epoch_ns, err);
	if (rec && write_traces(rec, traces, err) == 0 && write_steps_of_traces(rec, traces, epoch_ns, err) == 0)
		code = recording_finish(rec, err);
	else if (rec)
		recording_abandon(rec);
	traces_free(traces);
	return code;
}
