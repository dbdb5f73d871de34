/* session.h: the parent of the workers. session.c gathers their results, session-write.c writes them down. */
#ifndef DBPROF_RECORD_SESSION_SESSION_H
#define DBPROF_RECORD_SESSION_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "variant.h"
#include "record/record.h"
#include "record/worker/result.h"
#include "util/file/temporary.h"

/* One pass over one family, done or skipped. */
struct pass_run {
	const struct family *family;
	enum pass pass;
	int number; /* number of the process, among those that do this pass; 0 in all passes but the time pass */
	char spool[PATH_MAX]; /* "" if no worker ran */
	const char *status;   /* "done", "skipped" or "failed" */
	struct error reason;  /* "" if done */
	int64_t start, end;   /* CLOCK_REALTIME, ns */
};

struct session {
	const struct record_options *options;
	const struct record_progress *progress;
	int64_t epoch;           /* CLOCK_REALTIME, ns */
	struct temporary folder; /* folder of the spools; private to this session */
	struct pass_run *runs;
	int nruns;
	int total;            /* runs to come to */
	int told;             /* the last item of the current run that the caller was told, -1: none */
	char cupti[32];       /* CUPTI's version, "" if it was not there */
	bool measured;        /* there is something to record */
	bool swept;           /* and times of points of sweeps are among it */
	struct error failure; /* the first pass that failed, "" if none did */
};

enum { SESSION_STOPPED = -2 };

/* Runs the worker of `run` and fills *result. The worker neither times nor traces what is in `skip` (see struct
 * record_options). 0, SESSION_STOPPED if the caller wants to stop, or -1 if no worker can be started at all. */
int session_run_worker(
	struct session *s, struct pass_run *run, const char *skip, struct result *result, struct error *err);

/* Tell the caller that a run begins, that it ended, and a remark. */
void session_tell_begin(struct session *s, const struct pass_run *run);
void session_tell_end(const struct session *s, const struct pass_run *run);
void session_tell_note(const struct session *s, const char *text);

/* Whether the caller wants to stop. */
bool session_interrupted(const struct session *s);

/* The same, while a worker runs. Also tells the caller how far the worker is. `user` is the session. */
bool session_watch(void *user);

/* Writes the recording: facts, description, the rows of all spools. Nothing is left at options->output on failure. */
int session_write(const struct session *session, struct error *err);

#endif
