/* run.c: one run of a side, and what it gave. */
#include "contrast/measure/measure-private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/step/median-rows.h"
#include "contrast/step/run-steps.h"
#include "util/alloc.h"
#include "util/file/file.h"

char *measure_file(const struct measuring *m, size_t number, const char *suffix)
{
	return xasprintf("%s/%zu.%s", m->folder, number, suffix);
}

/* ---- how a run failed ---- */

const char *program_of_side(const struct contrast_command *side)
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
	error_set(m->err, "%s (%s) %s", side->name, program_of_side(side), end);
	m->out->failed = (int)run->side;
	m->out->sides[run->side].status = status_of(&run->run);
	m->out->sides[run->side].ended = side_end_word(&run->run);
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
		error_set(m->err, "no kernel of %s (%s) was recorded. %c%s", side->name, program_of_side(side),
			toupper((unsigned char)*why), why + 1);
	else
		error_set(m->err, "no kernel of %s (%s) was recorded: %s", side->name, program_of_side(side), why);
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
	error_prefix(m->err, "%s (%s)", side->name, program_of_side(side));
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
	error_prefix(err, "%s (%s): times of its NVTX ranges \"%s\" are missing", side->name, program_of_side(side),
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
			side->name, program_of_side(side), m->options->range);
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
	error_set(&text, "%s (%s) " LEFT_BEHIND, command->name, program_of_side(command), side->left,
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

int measure_once(
	const struct measuring *m, size_t side, enum side_kind kind, int block, int position, const char *output)
{
	struct measured_run *run = measure_next_run(m->out);
	size_t number = (size_t)run->process;
	char *errors = measure_file(m, number, "err"), *recording = measure_file(m, number, "sqlite");
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
