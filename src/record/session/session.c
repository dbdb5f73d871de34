/* session.c: record_run(): starts a worker for each pass over each family and gathers what they leave. */
#include "config.h"

#include "record/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/code/arch.h"
#include "record/machine/device.h"
#include "record/worker/registry.h"
#include "record/worker/result.h"
#include "record/worker/select.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/strbuf.h"

/* ---- a pass ---- */

static struct pass_run *new_run(struct session *s, const struct family *family, enum pass pass, int number)
{
	struct pass_run *run = &s->runs[s->nruns++];

	*run = (struct pass_run){
		.family = family, .pass = pass, .number = number, .status = "done", .start = clock_realtime()};
	run->end = run->start;
	return run;
}

/* ---- a family ---- */

/* Whether verify had to find the variant right in this case. */
static bool must_be_right(
	const struct session *s, const struct family *f, const struct variant *variant, const struct size_case *size)
{
	return select_variant(s->options, f, variant) && !variant->teaches_failure && !variant_is_part(variant->kind) &&
	       !size->verify_only && select_in_case(f, variant, size);
}

/* What must be neither timed nor traced: everything that verify did not find right, unless it is wrong on purpose. For
 * free(). */
static char *make_skip(const struct session *s, const struct family *f, const struct result *verified)
{
	struct strbuf skip = {0};
	int ncases = 0;
	struct size_case *cases = select_cases(s->options, f, &ncases);

	for (int v = 0; v < f->nvariants; v++)
		for (int c = 0; c < ncases; c++)
			if (must_be_right(s, f, &f->variants[v], &cases[c]) &&
				!result_is_right(verified, f->name, f->variants[v].name, cases[c].label))
				strbuf_printf(&skip, "%s%s/%s/%s", skip.length == 0 ? "" : ",", f->name,
					f->variants[v].name, cases[c].label);
	free(cases);
	return strbuf_take(&skip);
}

static bool wants(const struct session *s, enum pass pass)
{
	return (s->options->passes & 1u << pass) != 0;
}

static bool uses_cupti(enum pass pass)
{
	return pass == PASS_TRACE || pass == PASS_PM || pass == PASS_COUNTERS || pass == PASS_STALLS;
}

/* Runs one pass, or notes why not. After verify, *skip is made anew. */
static int session_run_pass(
	struct session *s, const struct family *f, enum pass pass, int number, char **skip, struct error *err)
{
	struct pass_run *run = new_run(s, f, pass, number);
	struct result result = {0};
	int code = 0;

	session_tell_begin(s, run);
	if (uses_cupti(pass) && record_under_nsys()) {
		run->status = "skipped";
		error_set(&run->reason,
			"running under Nsight Systems, which records the trace itself: CUPTI is left alone");
	} else {
		code = session_run_worker(s, run, !*skip ? "" : *skip, &result, err);
	}
	if (code == 0 && pass == PASS_VERIFY)
		*skip = make_skip(s, f, &result);
	result_free(&result);
	if (code < 0)
		return code;
	session_tell_end(s, run);
	if (strcmp(run->status, "failed") == 0 && s->failure.text[0] == '\0')
		error_set(&s->failure, "%s: the %s pass failed: %s", f->name, pass_name(pass), run->reason.text);
	return 0;
}

/* ---- the session ---- */

/* How many processes do the pass over a family. */
static int processes(const struct record_options *options, enum pass pass)
{
	return pass == PASS_TIME ? options->runs : 1;
}

static int session_count_runs(const struct record_options *options)
{
	int each = 0, n = 0;

	for (int pass = 0; pass < PASSES_NUMBER; pass++)
		each += (options->passes & 1u << pass) != 0 ? processes(options, (enum pass)pass) : 0;
	for (int i = 0; i < registry_count(); i++)
		n += select_family(options, registry_family(i));
	return n * each;
}

static int open_session(struct session *s, struct error *err)
{
	int failed;

	s->epoch = clock_realtime();
	s->total = session_count_runs(s->options);
	s->runs = xcalloc((size_t)s->total, sizeof(*s->runs));
	failed = temporary_folder_in(&s->folder, temporary_base(), "dbprof-");
	if (failed == 0)
		return 0;
	return error_set(err, "no temporary folder can be made in %s: %s: set TMPDIR to a folder you may write to",
		temporary_base(), strerror(failed));
}

static void close_session(struct session *s)
{
	temporary_remove(&s->folder);
	free(s->runs);
}

/* Runs a pass over all families; skips[], for free(), go from one round to the next. */
static int run_round(struct session *s, enum pass pass, int number, char **skips, struct error *err)
{
	int code = 0;

	for (int i = 0; i < registry_count() && code == 0; i++)
		if (select_family(s->options, registry_family(i)))
			code = session_interrupted(s)
				       ? SESSION_STOPPED
				       : session_run_pass(s, registry_family(i), pass, number, &skips[i], err);
	return code;
}

/* All families are timed before any profiling: what it leaves behind, such as clocks that were locked, reaches no time.
 * A family's processes of the time pass are not done in a row, so that they meet the machine at different moments. */
static int run_rounds(struct session *s, char **skips, struct error *err)
{
	int code = 0;

	for (int pass = 0; pass < PASSES_NUMBER && code == 0; pass++)
		for (int i = 0; i < processes(s->options, (enum pass)pass) && code == 0; i++)
			if (wants(s, (enum pass)pass))
				code = run_round(s, (enum pass)pass, i, skips, err);
	return code;
}

/* Points of a sweep stand for themselves: those that were measured are kept. */
static int keep_what_there_is(struct session *s, struct error *err)
{
	if (!s->options->sweep || !s->swept)
		return error_set(err, "interrupted; nothing was recorded, an older recording is as it was");
	error_set(&s->failure, "interrupted: what was measured until then is recorded");
	return 0;
}

static int run_families(struct session *s, struct error *err)
{
	char **skips = xcalloc((size_t)registry_count(), sizeof(*skips));
	char notice[ARCH_NOTICE];
	int code;

	if (record_under_nsys())
		session_tell_note(s, "running under Nsight Systems: it records the trace, dbprof leaves CUPTI alone");
	if (arch_notice(CUDA_TARGETS, device_capability(s->options->device), notice, sizeof(notice)))
		session_tell_note(s, notice);
	code = run_rounds(s, skips, err);
	for (int i = 0; i < registry_count(); i++)
		free(skips[i]);
	free(skips);
	return code == SESSION_STOPPED ? keep_what_there_is(s, err) : code;
}

/* A recording of nothing must not replace one of something. */
static int nothing_measured(const struct session *s, struct error *err)
{
	for (int i = 0; i < s->nruns; i++)
		if (s->failure.text[0] == '\0' && s->runs[i].reason.text[0] != '\0')
			return error_set(err, "nothing was recorded: %s", s->runs[i].reason.text);
	return error_set(err, "nothing was recorded: %s",
		s->failure.text[0] == '\0' ? "the passes have nothing to measure of what is chosen" : s->failure.text);
}

/* A recording that cannot be written must not be found out only after half a minute of measuring. */
static int session_check_output(const char *path, struct error *err)
{
	struct recording *trial = recording_create(path, 0, err);

	if (!trial)
		return -1;
	recording_abandon(trial);
	return 0;
}

/* A recording is possible only with a GPU that works: says in one line what is missing. */
static int check_device(int device, struct error *err)
{
	switch (device_probe(device, err)) {
	case DEVICE_OK:
		return 0;
	case DEVICE_NONE:
		return error_set(err,
			"there is no NVIDIA GPU in this machine: record on one that has, then run dbprof report "
			"on its recording");
	case DEVICE_BROKEN:
		break;
	}
	return -1;
}

int record_run(const struct record_options *options, const struct record_progress *progress, struct error *err)
{
	struct session s = {.options = options, .progress = progress};
	int result;

	if (record_check(options, err) < 0 || check_device(options->device, err) < 0 ||
		session_check_output(options->output, err) < 0)
		return -1;
	result = open_session(&s, err);
	if (result == 0)
		result = run_families(&s, err);
	if (result == 0 && !s.measured)
		result = nothing_measured(&s, err);
	if (result == 0)
		result = session_write(&s, err);
	close_session(&s);
	if (result == 0 && s.failure.text[0] != '\0') {
		error_set(err, "%s", s.failure.text);
		return 1;
	}
	return result;
}
