/* measure.c: see measure.h. */
#include "contrast/measure/measure-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "contrast/measure/plan.h"
#include "contrast/step/run-steps.h"
#include "util/alloc.h"
#include "util/clock.h"

/* ---- first runs, and what they print ---- */

/* Holds what a side printed against what the first one did. -1 with m->err if nothing can do that: whoever misspelt the
 * command need not wait for all runs. */
static int hold_output(const struct measuring *m, size_t side, const char *first, const char *other)
{
	static const char *const words[] = {[OUTPUT_SAME] = "same",
		[OUTPUT_DIFFERS] = "differs",
		[OUTPUT_FAILED] = "failed",
		[OUTPUT_NO_COMMAND] = "failed"};
	const struct contrast_options *o = m->options;
	enum output_check check;
	struct error err = {0};

	if (o->check == CONTRAST_CHECK_NONE)
		return 0;
	check = o->check == CONTRAST_CHECK_EXACT ? output_compare(first, other, &err)
						 : output_check_by(o->check_command, first, other, o->timeout_ns, &err);
	m->out->sides[side].check = words[check];
	if (check == OUTPUT_NO_COMMAND) {
		*m->err = err;
		return -1;
	}
	if (check == OUTPUT_DIFFERS)
		error_set(&err, "%s and %s print different output: --check-output says how outputs are compared",
			o->sides[0].name, o->sides[side].name);
	if (check != OUTPUT_SAME)
		o->note(o->user, err.text);
	return 0;
}

/* Runs each side once: files come into memory, the GPU wakes, and what it prints is held against the first side's. */
static int run_first(const struct measuring *m)
{
	size_t n = m->options->nsides;
	char **outputs = xcalloc(n, sizeof(*outputs));
	int code = 0;

	for (size_t i = 0; i < n && code == 0; i++) {
		outputs[i] = measure_file(m, i, "out");
		code = measure_once(m, i, SIDE_PLAIN, -1, -1, outputs[i]);
		if (code >= 0)
			code = output_sum(outputs[i], &m->out->sides[i].output, m->err) < 0 ? -1 : code;
		if (code == 0 && i > 0)
			code = hold_output(m, i, outputs[0], outputs[i]);
		if (i > 0)
			unlink(outputs[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (outputs[i])
			unlink(outputs[i]);
		free(outputs[i]);
	}
	free(outputs);
	return code;
}

/* ---- blocks ---- */

static struct plan_half half_of_block(const struct measuring *m, int block, bool traced)
{
	return plan_half_of(m->options->seed, m->options->nsides, (size_t)block, traced);
}

/* A block has its untraced runs first, then its traced ones, each by turns. *untraced_ns: how long the former took. */
static int measure_block(const struct measuring *m, int block, int64_t *untraced_ns)
{
	enum side_kind untraced = m->options->range ? SIDE_HOST : SIDE_PLAIN;
	size_t runs = plan_runs_of_half(m->options->nsides);
	struct plan_half half = half_of_block(m, block, false);
	int64_t begun = clock_monotonic();
	int code = 0;

	for (size_t i = 0; i < runs && code == 0; i++)
		code = measure_once(m, plan_side_at(&half, i), untraced, block, (int)i, "/dev/null");
	*untraced_ns = clock_monotonic() - begun;
	half = half_of_block(m, block, true);
	for (size_t i = 0; i < runs && code == 0; i++)
		code = measure_traced(m, plan_side_at(&half, i), block, (int)i);
	m->out->blocks += code == 0;
	return code;
}

/* How many runs all blocks have, and those before them. */
static size_t runs_planned(const struct measuring *m, size_t blocks)
{
	size_t kinds = m->out->tracing == TRACING_NOTHING ? 1 : 2;

	return m->options->nsides + 1 + blocks * kinds * plan_runs_of_half(m->options->nsides);
}

/* What is gone of the budget. */
static int64_t spent_ns(const struct measuring *m)
{
	return clock_monotonic() - m->begun - m->out->lost_ns;
}

/* Of all blocks, those that are made and those that the rest of the budget has room for. */
static size_t plan_anew(const struct measuring *m, int64_t block_ns)
{
	size_t blocks = m->out->blocks + plan_blocks(m->options->budget_ns - spent_ns(m), block_ns);

	return blocks > PLAN_MOST_BLOCKS + 1 ? PLAN_MOST_BLOCKS + 1 : blocks;
}

/* The first block shows how long one takes, and later one with which less is traced; then as many follow as the budget
 * has room for. */
static int measure_blocks(struct measuring *m)
{
	int64_t begun = spent_ns(m), block_ns;
	size_t blocks = 1;

	for (size_t block = 0; block < blocks; block++) {
		enum tracing tracing = m->out->tracing;
		int code = measure_block(m, (int)block, &block_ns);

		if (code != 0)
			return code;
		if (m->out->tracing != TRACING_NOTHING)
			block_ns = (spent_ns(m) - begun) / (int64_t)m->out->blocks;
		if (block == 0 || m->out->tracing != tracing)
			blocks = plan_anew(m, block_ns);
		m->planned = runs_planned(m, blocks);
		if (spent_ns(m) + block_ns > m->options->budget_ns)
			break;
	}
	return 0;
}

/* ---- a side that is alone ---- */

/* A second traced run is made if the first one took no longer than this (ns). */
static const int64_t second_trace_ns = 10000000000;
enum { ALONE_TRACES = 2 };

/* It runs as it is, and is traced. */
static int measure_alone(struct measuring *m)
{
	int code = measure_once(m, 0, SIDE_PLAIN, -1, -1, NULL);

	for (int position = 0; position < ALONE_TRACES && code == 0; position++) {
		const struct measured_run *last = &m->out->runs[m->out->nruns - 1];

		if (position > 0 && last->run.end_ns - last->run.start_ns > second_trace_ns)
			break;
		code = measure_traced(m, 0, 0, position);
	}
	if (code == 0)
		m->out->blocks = 1;
	return code;
}

/* A traced run of the first side tells which GPU it uses, and whether there is anything to trace, before the blocks. */
static int measure_by_turns(struct measuring *m)
{
	int code = run_first(m);

	if (code == 0)
		code = measure_traced(m, 0, -1, -1);
	return code == 0 ? measure_blocks(m) : code;
}

/* ---- a side that fails now and then ---- */

/* How the runs of a side ended so far. */
struct ends {
	size_t runs, failed;
	bool traced_alike; /* a traced one ended as the last run did */
};

static bool ended_alike(const struct side_run *a, const struct side_run *b)
{
	return a->status == b->status && a->timed_out == b->timed_out;
}

static struct ends count_ends(const struct measurement *out, const struct measured_run *last)
{
	struct ends ends = {0};

	for (const struct measured_run *run = out->runs; run <= last; run++) {
		bool failed = run->side == last->side && !side_went_well(&run->run);

		ends.runs += run->side == last->side;
		ends.failed += failed;
		ends.traced_alike |= failed && run->kind == SIDE_TRACED && ended_alike(&run->run, &last->run);
	}
	return ends;
}

/* The last run failed, which was not traced. If others of the side went well, it is chance how it ends, or how long it
 * takes. Then tracing is not to blame for a traced run that ended like this. */
static void tell_chance(const struct measuring *m)
{
	const struct measured_run *last = &m->out->runs[m->out->nruns - 1];
	const struct contrast_command *side = &m->options->sides[last->side];
	struct ends ends = count_ends(m->out, last);
	struct error what = *m->err;

	if (last->kind == SIDE_TRACED || side_went_well(&last->run) || last->run.not_started != 0 ||
		ends.failed == ends.runs)
		return;
	error_set(m->err, "%s: it fails now and then, in %zu of %zu runs", what.text, ends.failed, ends.runs);
	if (m->out->untraced.text[0] != '\0' && m->out->blamed == last->side && ends.traced_alike)
		error_set(&m->out->untraced, "%s (%s) fails now and then, traced or not", side->name,
			program_of_side(side));
}

int measure_sides(
	const struct contrast_options *options, const char *folder, struct measurement *out, struct error *err)
{
	struct measuring m = {.options = options, .folder = folder, .out = out, .begun = clock_monotonic(), .err = err};
	int code;

	*out = (struct measurement){.nsides = options->nsides, .failed = -1};
	out->sides = xcalloc(options->nsides, sizeof(*out->sides));
	for (size_t i = 0; i < options->nsides; i++)
		out->sides[i].gpu = -1;
	code = options->nsides > 1 ? measure_by_turns(&m) : measure_alone(&m);
	if (code == RUN_FAILED)
		tell_chance(&m);
	run_steps_choose(out);
	return code < 0 ? -1 : 0;
}

void measure_free(struct measurement *measured)
{
	for (size_t i = 0; i < measured->nruns; i++) {
		side_run_free(&measured->runs[i].run);
		if (measured->runs[i].launches)
			launches_release(measured->runs[i].launches);
		if (measured->runs[i].counted)
			free(measured->runs[i].counted->steps);
		free(measured->runs[i].launches);
		free(measured->runs[i].counted);
		free(measured->runs[i].repeated);
	}
	kept_free(&measured->kept);
	seen_gpus_free(&measured->gpus);
	if (measured->recording)
		unlink(measured->recording);
	free(measured->recording);
	free(measured->runs);
	free(measured->sides);
	*measured = (struct measurement){.failed = -1};
}
