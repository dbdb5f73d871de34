/* program-apart.h: a program that runs apart: its output goes to files, it has a time limit, and what it leaves behind
 * is ended. Only program-run.c uses it. */
#ifndef DBPROF_TRACE_PROGRAM_APART_H
#define DBPROF_TRACE_PROGRAM_APART_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/orphans.h"
#include "trace/program.h"

/* One such run. */
struct apart {
	const struct program_apart *how;
	int streams[3]; /* for the program: descriptors, -1 if not open */
	struct orphans orphans;
	pid_t self;
	int stopped_by;        /* the signal that asked us to end the program; 0: none */
	int64_t looked, awake; /* the last look at the clock (CLOCK_MONOTONIC), and for how long we were not stopped */
};

/* Opens the files, and asks for the orphans of the program. apart_end() in either case. -1 with `err`. */
int apart_begin(struct apart *apart, const struct program_apart *how, struct error *err);

/* In the child, before exec: its own session, its streams, its limit of files. Dies with dbprof. 0 or an errno. */
int apart_become(const struct apart *apart);

/* Waits for the program's end, and ends it when its time is over, when it is stopped and nobody lets it go on, or when
 * a signal of `set`, all of which are held, asks us to stop. Time in which we are stopped does not count. 0, or an
 * errno if nobody tells its end. */
int apart_wait(struct apart *apart, pid_t pid, const sigset_t *set, struct program_result *result);

/* Ends what the program left behind: waits a moment for it, asks by SIGTERM, kills. Fills result->left. */
void apart_clear(struct apart *apart, const sigset_t *set, struct program_result *result);

void apart_end(struct apart *apart);

#endif
