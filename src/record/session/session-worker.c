/* session-worker.c: starts a worker, waits for it and finds out how it went. See session.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "record/plugin/load.h"
#include "record/session/session.h"
#include "record/worker/process.h"
#include "util/alloc.h"
#include "util/clock.h"

enum { PASS_TIMEOUT_S = 300, SWEEP_TIMEOUT_S = 7200 };

/* ---- the worker's arguments ---- */

/* Ended by NULL. */
struct arguments {
	char **v;
	size_t n, room;
};

static void __attribute__((format(printf, 2, 3))) session_worker_add(struct arguments *args, const char *format, ...)
{
	va_list list;

	xgrow(&args->v, args->n + 1, &args->room, sizeof(*args->v));
	va_start(list, format);
	args->v[args->n++] = xvasprintf(format, list);
	va_end(list);
	args->v[args->n] = NULL;
}

static void free_arguments(struct arguments *args)
{
	for (size_t i = 0; i < args->n; i++)
		free(args->v[i]);
	free(args->v);
}

static void make_arguments(
	struct arguments *args, const struct session *s, const struct pass_run *run, const char *skip)
{
	const struct record_options *o = s->options;

	*args = (struct arguments){0};
	session_worker_add(args, "%s", o->program);
	session_worker_add(args, "worker");
	session_worker_add(args, "--passes=%s", pass_name(run->pass));
	session_worker_add(args, "--family=%s", run->family->name);
	session_worker_add(args, "--spool=%s", run->spool);
	session_worker_add(args, "--seed=%" PRIu64, o->seed);
	session_worker_add(args, "--device=%d", o->device);
	session_worker_add(args, "--runs=%d", o->runs);
	session_worker_add(args, "--run=%d", run->number);
	if (o->sweep)
		session_worker_add(args, "--sweep");
	if (o->once)
		session_worker_add(args, "--once");
	for (int i = 0; i < plugin_count(); i++)
		session_worker_add(args, "--load=%s", plugin_path(i));
	if (skip[0] != '\0')
		session_worker_add(args, "--skip=%s", skip);
	for (int i = 0; i < o->nsettings; i++)
		session_worker_add(args, "--set=%s", o->settings[i]);
	session_worker_add(args, "--");
	for (int i = 0; i < o->nselection; i++)
		session_worker_add(args, "%s", o->selection[i]);
}

/* ---- how it went ---- */

/* The worker ended too early: says how, and what it was doing. */
static void set_died(struct pass_run *run, const char *how, const struct result *result)
{
	const char *at = result_last_at(result);

	run->status = "failed";
	if (!at)
		error_set(&run->reason, "the worker %s before it began", how);
	else
		error_set(&run->reason, "%s: the worker %s", at, how);
}

/* It ended without a result, but told why: it was out of memory, for example. */
static void set_told(struct pass_run *run, const char *words, const struct result *result)
{
	const char *at = result_last_at(result);

	run->status = "failed";
	error_set(&run->reason, "%s%s%s", at ? at : "", at ? ": " : "", words);
}

/* In seconds. Sweeps have many points, but only in these two passes. */
static int timeout(const struct session *s, const struct pass_run *run)
{
	bool sweeps = s->options->sweep && (run->pass == PASS_VERIFY || run->pass == PASS_TIME);

	return sweeps ? SWEEP_TIMEOUT_S : PASS_TIMEOUT_S;
}

/* Notes what a run that was interrupted left behind. */
static void set_stopped(struct pass_run *run, const struct result *result)
{
	const char *at = result_last_at(result);

	run->status = "failed";
	error_set(&run->reason, "interrupted%s%s", !at ? "" : " at ", !at ? "" : at);
}

/* Finds out from the end of the process and from the result file how the pass went. */
static void session_worker_judge(
	struct session *s, struct pass_run *run, struct process_end *end, const struct result *result)
{
	const char *cupti = result_fact_value(result, "cupti");
	char how[128];

	if (cupti)
		snprintf(s->cupti, sizeof(s->cupti), "%s", cupti);
	process_describe(end->status, how, sizeof(how));
	if (end->timed_out)
		snprintf(how, sizeof(how), "was ended after %d s: it did not finish", timeout(s, run));
	if (!result->status && WIFEXITED(end->status) && end->words[0] != '\0') {
		set_told(run, process_reason(end), result);
	} else if (end->timed_out || !result->status || WIFSIGNALED(end->status)) {
		set_died(run, how, result);
	} else if (strcmp(result->status, "done") != 0) {
		run->status = strcmp(result->status, "skipped") == 0 ? "skipped" : "failed";
		error_set(&run->reason, "%s", !result->reason ? "no reason given" : result->reason);
	}
}

int session_run_worker(
	struct session *s, struct pass_run *run, const char *skip, struct result *result, struct error *err)
{
	struct arguments args;
	struct process_end end;
	int code;

	*result = (struct result){0};
	if (snprintf(run->spool, sizeof(run->spool), "%s/%s-%s-%d", s->folder.path, run->family->name,
		    pass_name(run->pass), run->number) >= (int)sizeof(run->spool))
		return error_set(err, "the path of the temporary folder is too long: set TMPDIR to a shorter one");
	make_arguments(&args, s, run, skip);
	code = process_run(s->options->program, args.v, 1000 * timeout(s, run), session_watch, s, &end, err);
	free_arguments(&args);
	run->end = clock_realtime();
	if (code < 0)
		return -1;
	if (result_read(run->spool, result, err) < 0)
		return -1;
	s->measured = s->measured || result_has_measured(result);
	s->swept = s->swept || result_has_swept(result);
	/* A signal to the whole group reaches the worker too. It may end the worker before this process asks it to end.
	 */
	if ((end.stopped || session_interrupted(s)) && !result->status)
		set_stopped(run, result);
	else
		session_worker_judge(s, run, &end, result);
	return session_interrupted(s) ? SESSION_STOPPED : 0;
}
