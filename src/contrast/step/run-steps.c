/* run-steps.c: see run-steps.h. */
#include "contrast/step/run-steps.h"

#include <stdlib.h>

#include "contrast/step/kernel-steps.h"
#include "contrast/step/spans.h"
#include "util/alloc.h"

/* ---- of one run ---- */

/* Clock and power count while steady steps run: before its first call a program has a slow GPU. */
static void read_during(struct measured_run *run, const struct side_span *spans, size_t n)
{
	run->run.readings = side_readings_during(run->run.read, run->run.nread, spans, n);
}

static void read_of_steps(struct measured_run *run, const struct places *places)
{
	struct side_span *spans = xcalloc(run->run.nsteps + 1, sizeof(*spans));

	if (run->gpu >= 0)
		read_during(run, spans, spans_of_steps(run->run.steps, run->run.nsteps, places, spans));
	free(spans);
}

void run_steps_take(struct measured_run *run)
{
	const struct first_ones all[STEP_MEASURES] = {{.n = 0}};
	const struct places none = {.n = 0};
	struct run_times times = times_of_steps(run->run.steps, run->run.nsteps, &none, NO_RUN, PAUSE_UNKNOWN);

	step_times_of(&times, all, &run->times);
	run_times_free(&times);
	read_of_steps(run, &none);
}

void run_steps_read(struct measured_run *run)
{
	const struct first_ones all[STEP_MEASURES] = {{.n = 0}};
	struct run_times times;
	struct side_span *spans;

	if (!run->launches->has_range)
		return;
	times = times_of_launches(run->launches);
	step_times_of(&times, all, &run->times);
	run_times_free(&times);
	spans = xcalloc(run->launches->nsteps + 1, sizeof(*spans));
	read_during(run, spans, spans_of_launches(run->launches, run->run.epoch_ns, spans));
	free(spans);
}

/* ---- of all runs ---- */

struct sides_runs {
	struct measurement *measured;
	struct places *places; /* by side */
	size_t *number;        /* of a traced run in its side's places */
	double pause;          /* see pause_of_runs() */
};

/* What all traced runs of the sides tell. */
static struct sides_runs sides_runs_of(struct measurement *measured, double pause)
{
	struct sides_runs out = {measured, xcalloc(measured->nsides, sizeof(*out.places)),
		xcalloc(measured->nruns + 1, sizeof(*out.number)), pause};
	const struct launches **traced = xcalloc(measured->nruns + 1, sizeof(*traced));

	for (size_t side = 0; side < measured->nsides; side++) {
		size_t n = 0;

		for (size_t i = 0; i < measured->nruns; i++) {
			const struct measured_run *run = &measured->runs[i];

			if (run->side != side || !run->launches || !run->launches->has_range)
				continue;
			out.number[i] = n;
			traced[n++] = run->launches;
		}
		out.places[side] = places_told_by(traced, n);
	}
	free(traced);
	return out;
}

static void sides_runs_free(struct sides_runs *runs)
{
	for (size_t side = 0; side < runs->measured->nsides; side++)
		places_free(&runs->places[side]);
	free(runs->places);
	free(runs->number);
}

/* Whether a run has steps whose times count. Warm-ups say nothing. */
static bool has_counted_steps(const struct measured_run *run)
{
	return run->block >= 0 && run->times.n[STEP_DURATION] > 0;
}

static struct run_times times_of_run(const struct sides_runs *all, const struct measured_run *run)
{
	return run->launches
		       ? times_of_launches(run->launches)
		       : times_of_steps(run->run.steps, run->run.nsteps, &all->places[run->side], NO_RUN, all->pause);
}

static void take_run_times(const struct sides_runs *all, struct measured_run *run, const struct first_ones *ones)
{
	struct run_times times = times_of_run(all, run);

	step_times_of(&times, ones, &run->times);
	run_times_free(&times);
}

/* Other traced runs tell of this one as they do of those without CUPTI. How wrong that is shows how far it can be
 * relied upon. */
static void take_placed_times(const struct sides_runs *all, size_t number, const struct first_ones *ones)
{
	struct measured_run *run = &all->measured->runs[number];
	const struct places *places = &all->places[run->side];
	struct run_times times;

	if (!run->launches || places->n < 2)
		return;
	times = times_as_placed(run->launches, places, all->number[number], all->pause);
	step_times_of(&times, ones, &run->placed);
	run_times_free(&times);
}

static void choose_host_steps(const struct sides_runs *all)
{
	const struct first_ones every[STEP_MEASURES] = {{.n = 0}};

	for (size_t i = 0; i < all->measured->nruns; i++) {
		struct measured_run *run = &all->measured->runs[i];

		if (run->kind != SIDE_HOST || run->times.n[STEP_DURATION] == 0)
			continue;
		take_run_times(all, run, every);
		read_of_steps(run, &all->places[run->side]);
	}
}

/* The runs of a side without CUPTI: tracing may leave less time for steps. */
static void first_ones_of_side(const struct sides_runs *all, size_t side, struct first_ones ones[STEP_MEASURES])
{
	struct first_ones *runs[STEP_MEASURES];
	size_t n = 0;

	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		runs[m] = xcalloc(all->measured->nruns + 1, sizeof(*runs[m]));
	for (size_t i = 0; i < all->measured->nruns; i++) {
		const struct measured_run *run = &all->measured->runs[i];
		struct run_times times;

		if (run->side != side || run->launches || !has_counted_steps(run))
			continue;
		times = times_of_run(all, run);
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			first_ones_within(&runs[m][n], times.step[m], times.n);
		run_times_free(&times);
		n++;
	}
	for (enum step_measure m = 0; m < STEP_MEASURES; m++) {
		first_ones_within_side(&ones[m], runs[m], n);
		for (size_t i = 0; i < n; i++)
			first_ones_free(&runs[m][i]);
		free(runs[m]);
	}
}

static void choose_first_ones(const struct sides_runs *all)
{
	struct first_ones ones[STEP_MEASURES] = {{.n = 0}};

	for (size_t side = 0; side < all->measured->nsides; side++)
		first_ones_of_side(all, side, ones);
	for (size_t i = 0; i < all->measured->nruns; i++) {
		if (!has_counted_steps(&all->measured->runs[i]))
			continue;
		take_run_times(all, &all->measured->runs[i], ones);
		take_placed_times(all, i, ones);
	}
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		first_ones_free(&ones[m]);
}

/* A period of a run without CUPTI counts as traced runs say. */
static struct paced_run paced_run_of(const struct measured_run *run)
{
	struct paced_run out = {.side = run->side, .ends = !run->times.pace.overlap, .pace = run->times.pace};

	if (run->launches)
		return launches_paced(run->launches, run->side);
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out.pace.by[m].periods = run->times.n[m];
	return out;
}

/* For free(). */
static struct paced_run *paced_runs_of(const struct measurement *measured, size_t *n)
{
	struct paced_run *out = xcalloc(measured->nruns + 1, sizeof(*out));

	*n = 0;
	for (size_t i = 0; i < measured->nruns; i++)
		if (has_counted_steps(&measured->runs[i]))
			out[(*n)++] = paced_run_of(&measured->runs[i]);
	return out;
}

/* One length of pauses for all runs: traced ones know theirs anew. What ran on the GPU in their periods was summed up
 * when they were read, with a length of their own. */
static double choose_pause(struct measurement *out)
{
	size_t n;
	struct paced_run *runs = paced_runs_of(out, &n);
	double pause = pause_of_runs(runs, n, out->nsides);

	free(runs);
	for (size_t i = 0; i < out->nruns; i++)
		if (out->runs[i].launches)
			launches_find_pace(out->runs[i].launches, pause);
	return pause;
}

static void choose_step_measure(struct measurement *out)
{
	size_t n;
	struct paced_run *runs = paced_runs_of(out, &n);

	out->measure = step_measure_of(runs, n, out->nsides);
	free(runs);
}

/* The traced runs of a side. */
static void kernel_steps_of_side(const struct measurement *measured, size_t side, struct first_ones *ones)
{
	struct first_ones *runs = xcalloc(measured->nruns + 1, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; i < measured->nruns; i++) {
		const struct measured_run *run = &measured->runs[i];

		if (run->side == side && run->launches && run->block >= 0)
			kernel_steps_within(&runs[n++], run->launches);
	}
	first_ones_within_side(ones, runs, n);
	for (size_t i = 0; i < n; i++)
		first_ones_free(&runs[i]);
	free(runs);
}

/* A side that is alone is held against none. */
static void choose_kernel_steps(struct measurement *out)
{
	struct first_ones ones = {.n = 0};

	for (size_t side = 0; out->nsides > 1 && side < out->nsides; side++)
		kernel_steps_of_side(out, side, &ones);
	for (size_t i = 0; i < out->nruns; i++) {
		struct measured_run *run = &out->runs[i];

		if (!run->launches || run->block < 0)
			continue;
		run->counted = xcalloc(1, sizeof(*run->counted));
		*run->counted = kernel_steps_view(&ones, run->launches);
	}
	first_ones_free(&ones);
}

void run_steps_choose(struct measurement *out)
{
	double pause = choose_pause(out);
	struct sides_runs all = sides_runs_of(out, pause);

	choose_host_steps(&all);
	choose_step_measure(out);
	choose_first_ones(&all);
	choose_kernel_steps(out);
	sides_runs_free(&all);
}
