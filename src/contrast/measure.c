/* measure.c: see measure.h. */
#include "contrast/measure.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/plan.h"
#include "contrast/step/median-rows.h"
#include "contrast/step/run-steps.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/file/file.h"

/* What is passed around while runs are made. */
struct measuring {
	const struct contrast_options *options;
	const char *folder;
	struct measurement *out;
	size_t planned; /* runs; 0 as long as that is not known */
	int64_t begun;  /* clock_monotonic() */
	struct error *err;
};

/* What became of a run, if it is no use: 0 is one that went well, and -1 one that we could not make. */
enum {
	RUN_FAILED = 1, /* the side failed, or has nothing to measure */
	RUN_UNCHOSEN,   /* its recording has nothing that the options choose, or cannot be read */
	RUN_BROKE,      /* a traced program did not end well */
	RUN_HIDDEN      /* a traced program went well, and what it did on the GPU was not recorded */
};

static char *file_of(const struct measuring *m, size_t number, const char *suffix)
{
	return xasprintf("%s/%zu.%s", m->folder, number, suffix);
}

/* ---- how a run failed ---- */

/* The program's name without its folders. */
static const char *program_of(const struct contrast_command *side)
{
	const char *slash = strrchr(side->argv[0], '/');

	return slash && slash[1] != '\0' ? slash + 1 : side->argv[0];
}

/* As of waitpid(): a program that was not found counts as ended with a shell's 127. */
static int status_of(const struct side_run *run)
{
	enum { NOT_FOUND = 127 << 8 };

	return run->not_started != 0 ? NOT_FOUND : run->status;
}

/* Names the side that failed. */
static void side_has_failed(const struct measuring *m, const struct measured_run *run, const struct side_how *how)
{
	const struct contrast_command *side = &m->options->sides[run->side];
	char end[SIDE_END_BYTES];

	side_tell_end(&run->run, how, end);
	error_set(m->err, "%s (%s) %s", side->name, program_of(side), end);
	m->out->failed = (int)run->side;
	m->out->sides[run->side].status = status_of(&run->run);
}

/* ---- one run ---- */

/* What a program prints is kept in a file until it ends: one that prints for ever must not fill the disk (bytes). */
enum { OUTPUT_MOST = 1 << 30 };

/* A program that is alone may have other work than kernels, as long as nobody has named some. */
static bool may_lack_kernels(const struct contrast_options *options)
{
	return options->nsides == 1 && !options->range && !options->kernel;
}

struct measured_run *measure_next_run(struct measurement *out)
{
	xgrow(&out->runs, out->nruns, &out->room, sizeof(*out->runs));
	out->runs[out->nruns] = (struct measured_run){
		.times = no_step_times(), .placed = no_step_times(), .process = (int)out->nruns, .gpu = -1};
	return &out->runs[out->nruns++];
}

/* ---- which GPU a run is on ---- */

/* Whose clock is read: until a traced run of the side has told, that of the first side. A program that is alone is held
 * against nothing. */
static int gpu_to_read(const struct measuring *m, size_t side)
{
	const struct measured_side *sides = m->out->sides;

	return m->options->nsides == 1 ? -1 : sides[side].gpu >= 0 ? sides[side].gpu : sides[0].gpu;
}

static void void_readings(struct measured_run *run)
{
	run->run.readings = side_readings_busy(NULL, 0);
	run->gpu = -1;
}

/* Another GPU was read than the one that the side turns out to use: what was read since its last traced run is void. */
static void void_readings_of_others(struct measurement *out, struct measured_run *traced)
{
	void_readings(traced);
	for (struct measured_run *run = traced; run-- > out->runs;) {
		if (run->side != traced->side)
			continue;
		if (run->kind == SIDE_TRACED)
			break;
		void_readings(run);
	}
}

static void take_gpus(const struct measuring *m, struct measured_run *run, const char *recording)
{
	struct measured_side *side = &m->out->sides[run->side];

	seen_gpus_take(&m->out->gpus, recording, &run->run, run->gpus);
	side->gpu = seen_gpus_own(&run->run, run->gpus, run->gpu);
	if (side->gpu != run->gpu)
		void_readings_of_others(m->out, run);
	run->gpu = side->gpu;
}

/* ---- what a run gave ---- */

static int no_kernel(const struct measuring *m, const struct measured_run *run)
{
	const struct contrast_command *side = &m->options->sides[run->side];
	const char *why = run->run.why.text;

	if (run->run.incomplete && *why != '\0')
		error_set(m->err, "no kernel of %s (%s) was recorded. %c%s", side->name, program_of(side),
			toupper((unsigned char)*why), why + 1);
	else
		error_set(m->err, "no kernel of %s (%s) was recorded: %s", side->name, program_of(side), why);
	return run->run.incomplete ? RUN_HIDDEN : RUN_FAILED;
}

/* m->err says why a recording has no kernels that count. `unlaunched`: it may be so because not all was recorded. */
static int no_usable_kernel(const struct measuring *m, const struct measured_run *run, bool unlaunched)
{
	const struct contrast_command *side = &m->options->sides[run->side];
	struct error what;

	if (may_lack_kernels(m->options)) {
		m->out->unknown = *m->err;
		*m->err = (struct error){0};
		return 0;
	}
	if (run->run.incomplete && unlaunched && m->options->nsides > 1)
		return no_kernel(m, run);
	error_prefix(m->err, "%s (%s)", side->name, program_of(side));
	what = *m->err;
	if (run->run.incomplete)
		error_set(m->err, "%s; not everything was recorded: %s", what.text, run->run.why.text);
	return unlaunched ? RUN_FAILED : RUN_UNCHOSEN;
}

/* 0, RUN_FAILED, RUN_UNCHOSEN or RUN_HIDDEN. */
static int take_launches(const struct measuring *m, struct measured_run *run, const char *recording)
{
	const struct launches_options how = {.range = m->options->range,
		.kernel = m->options->kernel,
		.any_thread = true,
		.any_list = m->options->nsides == 1,
		.places = true,
		.by_function = m->options->nsides == 1};
	struct launches *launches;

	if (access(recording, F_OK) != 0)
		return no_kernel(m, run);
	launches = xcalloc(1, sizeof(*launches));
	if (launches_load(recording, &how, launches, m->err) < 0) {
		bool unlaunched = launches->unlaunched;

		free(launches);
		return no_usable_kernel(m, run, unlaunched);
	}
	run->launches = launches;
	run_steps_read(run);
	take_gpus(m, run, recording);
	return 0;
}

/* Of runs that went well the first recording is kept for what it tells about the machine and the program, and those
 * whose steps may be shown. Which sides these are is known at the end. */
static void put_away(struct measurement *out, const struct measured_run *run, bool went_well, char *recording)
{
	if (went_well && !out->recording && access(recording, F_OK) == 0) {
		out->recording = recording;
	} else if (run->launches && run->block >= 0 && out->nsides > 1) {
		kept_add(&out->kept, run->side, (size_t)run->process, run->launches, recording);
		kept_within(&out->kept, KEPT_BYTES);
	} else {
		unlink(recording);
		free(recording);
	}
}

/* Why steps of a run are missing, as its library told. */
static void steps_were_lost(const struct measuring *m, const struct measured_run *run, struct error *err)
{
	const struct contrast_command *side = &m->options->sides[run->side];

	file_write_error(err, m->folder, run->run.steps_lost);
	error_prefix(err, "%s (%s): times of its NVTX ranges \"%s\" are missing", side->name, program_of(side),
		m->options->range);
}

static int no_steps(const struct measuring *m, const struct measured_run *run)
{
	const struct contrast_command *side = &m->options->sides[run->side];

	if (run->run.steps_lost != 0)
		steps_were_lost(m, run, m->err);
	else
		error_set(m->err,
			"%s (%s): it opened and ended no NVTX range named \"%s\", or could not tell of it (sudo, "
			"setuid, a limit of files, a full disk)",
			side->name, program_of(side), m->options->range);
	return RUN_FAILED;
}

/* Told once of a side: its other runs will lose some as well. */
static void tell_lost_steps(const struct measuring *m, const struct measured_run *run)
{
	struct measured_side *side = &m->out->sides[run->side];
	struct error text = {0};

	if (run->run.steps_lost == 0 || side->lost_steps)
		return;
	side->lost_steps = true;
	steps_were_lost(m, run, &text);
	m->options->note(m->options->user, text.text);
}

/* As take_launches(). */
static int take_results(const struct measuring *m, struct measured_run *run, const char *recording)
{
	if (run->kind == SIDE_HOST) {
		steps_drop_nested(run->run.steps, &run->run.nsteps);
		run_steps_take(run);
	}
	if (run->kind == SIDE_HOST && run->times.n[STEP_DURATION] == 0)
		return no_steps(m, run);
	tell_lost_steps(m, run);
	return run->kind == SIDE_TRACED ? take_launches(m, run, recording) : 0;
}

/* Told once of a side: it does so in each of its runs. */
static void take_left_behind(const struct measuring *m, const struct measured_run *run)
{
	struct measured_side *side = &m->out->sides[run->side];
	const struct contrast_command *command = &m->options->sides[run->side];
	struct error text = {0};

	if (run->run.left == 0 || side->left > 0)
		return;
	side->left = run->run.left;
	error_set(&text, "%s (%s) " LEFT_BEHIND, command->name, program_of(command), side->left,
		side->left == 1 ? "" : "es");
	m->options->note(m->options->user, text.text);
}

static int run_and_take(const struct measuring *m, struct measured_run *run, const struct side_how *how)
{
	const struct contrast_command *command = &m->options->sides[run->side];
	const struct side side = {.argv = command->argv, .environment = command->environment};
	int code;

	if (side_run(&side, how, &run->run, m->err) < 0)
		return -1;
	if (m->options->interrupted(m->options->user))
		return error_set(m->err, "interrupted");
	take_left_behind(m, run);
	if (!side_went_well(&run->run)) {
		side_has_failed(m, run, how);
		return run->kind == SIDE_TRACED ? RUN_BROKE : RUN_FAILED;
	}
	code = take_results(m, run, how->recording);
	if (code != 0)
		m->out->failed = (int)run->side;
	return code;
}

static void tell_progress(const struct measuring *m, const struct measured_run *run)
{
	static const char *const kinds[] = {
		[SIDE_PLAIN] = "as it is", [SIDE_HOST] = "its ranges", [SIDE_TRACED] = "traced"};
	char text[200];

	snprintf(text, sizeof(text), "%s, %s", m->options->sides[run->side].name,
		run->block < 0 && m->options->nsides > 1 ? "first run" : kinds[run->kind]);
	m->options->progress(m->options->user, m->out->nruns - 1, m->planned, text);
}

/* Runs a side once; `output` NULL: what it prints is ours. */
static int measure_once(
	const struct measuring *m, size_t side, enum side_kind kind, int block, int position, const char *output)
{
	struct measured_run *run = measure_next_run(m->out);
	size_t number = (size_t)run->process;
	char *errors = file_of(m, number, "err"), *recording = file_of(m, number, "sqlite");
	const struct side_how how = {
		.kind = kind,
		.range = m->options->range,
		.folder = m->folder,
		.recording = recording,
		.output = output,
		.errors = output ? errors : NULL,
		.output_most = OUTPUT_MOST,
		.timeout_ns = m->options->timeout_ns,
		.leaves_callbacks = m->out->tracing != TRACING_ALL,
		.injection = m->options->injection,
		.range_library = m->options->range_library,
		.interrupted = m->options->interrupted,
		.user = m->options->user,
		.gpu = seen_gpus_nvml(&m->out->gpus, gpu_to_read(m, side)),
	};
	int code;

	run->side = side;
	run->gpu = gpu_to_read(m, side);
	run->kind = kind;
	run->block = block;
	run->position = position;
	tell_progress(m, run);
	code = run_and_take(m, run, &how);
	m->out->sides[side].ran = true;
	put_away(m->out, run, code == 0, recording);
	unlink(errors);
	free(errors);
	return code;
}

/* ---- traced runs ---- */

/* The side of the last run goes well when it is not traced, or traced once more, so it has not failed. */
static void forgive_last_run(const struct measuring *m)
{
	struct measured_run *run = &m->out->runs[m->out->nruns - 1];

	*m->err = (struct error){0};
	m->out->failed = -1;
	m->out->sides[run->side].status = 0;
	run->block = run->position = -1;
}

/* How often the side's traced runs fail, unless all of them do. */
static void tell_how_often(const struct measured_side *side, char *text, size_t size)
{
	*text = '\0';
	if (side->broken < side->traced)
		snprintf(text, size, " (%zu of its %zu traced runs failed)", side->broken, side->traced);
}

/* The last run was traced and broke. The one before the traced ones went well: m->err says so. */
static void blame_tracing(const struct measuring *m)
{
	struct error what = *m->err;
	char often[80];

	tell_how_often(&m->out->sides[m->out->runs[m->out->nruns - 1].side], often, sizeof(often));
	error_set(m->err, "it went well as it is, but where dbprof traced it, %s%s", what.text, often);
}

/* Notes why all sides are traced less; `where` "": it is not that the program ends otherwise. */
static void trace_less(const struct measuring *m, enum tracing tracing, const char *where)
{
	const struct measured_side *side = &m->out->sides[m->out->runs[m->out->nruns - 1].side];
	char often[80] = "";

	if (*where)
		tell_how_often(side, often, sizeof(often));
	error_set(&m->out->untraced, "%s%s%s", where, m->err->text, often);
	m->out->blamed = m->out->runs[m->out->nruns - 1].side;
	m->out->tracing = tracing;
	for (size_t i = 0; i < m->out->nsides; i++)
		m->out->sides[i].traced_well = false;
	forgive_last_run(m);
}

/* What was traced until now would be of some sides or some blocks alone: it does not count. */
static void drop_traced(const struct measuring *m)
{
	for (size_t i = 0; i < m->out->nruns; i++) {
		struct measured_run *run = &m->out->runs[i];

		if (run->kind != SIDE_TRACED)
			continue;
		run->block = run->position = -1;
		if (run->launches)
			launches_release(run->launches);
		free(run->launches);
		run->launches = NULL;
	}
	kept_free(&m->out->kept);
}

static int trace_once(const struct measuring *m, size_t side, int block, int position)
{
	struct measured_side *traced = &m->out->sides[side];
	int64_t begun = clock_monotonic();
	int code = measure_once(m, side, SIDE_TRACED, block, position, "/dev/null");

	traced->traced++;
	traced->traced_well |= code == 0;
	if (code == RUN_BROKE) {
		traced->broken++;
		m->out->lost_ns += clock_monotonic() - begun;
	}
	return code;
}

/* Whether another run is worth its time. One that was ended by us, after its time or for what it printed, took what it
 * could. */
static bool ended_by_itself(const struct measurement *out)
{
	const struct side_run *run = &out->runs[out->nruns - 1].run;

	return run->not_started == 0 && !run->timed_out;
}

/* Tells how the last run ended, and keeps that for the report. */
static void tell_repeated(const struct measuring *m, size_t side)
{
	struct error note;

	m->out->runs[m->out->nruns - 1].repeated = xstrdup(m->err->text);
	error_set(&note, "%s: one of %zu traced runs, which is repeated", m->err->text, m->out->sides[side].traced);
	m->options->note(m->options->user, note.text);
}

/* Where a run of the side went well that was traced like this, a broken one may be chance: then there is a second. */
static int trace_or_repeat(const struct measuring *m, size_t side, int block, int position)
{
	int code = trace_once(m, side, block, position);

	if (code != RUN_BROKE || !m->out->sides[side].traced_well || !ended_by_itself(m->out))
		return code;
	tell_repeated(m, side);
	forgive_last_run(m);
	return trace_once(m, side, block, position);
}

/* A program with a subscriber of its own may go well if CUPTI's callbacks are left to it. One that does not go on: its
 * profiler may have all of CUPTI. */
static int measure_traced(const struct measuring *m, size_t side, int block, int position)
{
	int code;

	if (m->out->tracing == TRACING_NOTHING)
		return 0;
	code = trace_or_repeat(m, side, block, position);
	if (code == RUN_BROKE && m->out->tracing == TRACING_ALL && ended_by_itself(m->out)) {
		trace_less(m, TRACING_RECORDS, "where dbprof had CUPTI's callbacks, ");
		code = trace_once(m, side, block, position);
		/* If there is nothing to measure now, it comes from tracing. */
		code = code == RUN_FAILED ? RUN_HIDDEN : code;
	}
	if (code == RUN_BROKE && m->options->nsides == 1)
		blame_tracing(m);
	if (code <= RUN_UNCHOSEN || m->options->nsides == 1)
		return code;
	trace_less(m, TRACING_NOTHING, code == RUN_BROKE ? "where dbprof traced it, " : "");
	drop_traced(m);
	return 0;
}

bool measure_allows_more(const struct measurement *measured, bool any, struct error *why)
{
	if (measured->failed >= 0 || !any)
		error_set(why, "there is no whole block of runs that went well");
	else if (measured->tracing == TRACING_NOTHING)
		error_set(why, "there are no kernel times");
	else if (measured->tracing == TRACING_RECORDS)
		error_set(why, "the program fails where dbprof has CUPTI's callbacks");
	else
		return true;
	return false;
}

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
		outputs[i] = file_of(m, i, "out");
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
		error_set(&m->out->untraced, "%s (%s) fails now and then, traced or not", side->name, program_of(side));
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
