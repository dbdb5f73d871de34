/* program.h: a traced program: how it is run (program-run.c), and how its spools become a recording
 * (program-write.c); between these files and program.c only. */
#ifndef DBPROF_TRACE_PROGRAM_H
#define DBPROF_TRACE_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"
#include "trace/trace.h"

/* How a program is to be started. */
struct program_start {
	char *const *argv;
	const char *const (*environment)[2]; /* names and values set on top of ours, ended by a NULL name */
	sigset_t mask;                       /* signals that we were started with blocked, and so is the program */
	bool ignores_children;               /* it is to be started with SIGCHLD ignored */
};

/* From now until program_let_signals() signals wait: for the program to be started and get them, or for us to be ready
 * to remove what we have made. Notes in *start which were blocked before. */
void program_hold_signals(struct program_start *start);
void program_let_signals(const struct program_start *start);

/* Starts the program, waits for its end and forwards signals to it, which must be held. Fills result->not_started and
 * result->status. -1 with `err` if no process can be made, or a signal that ends us waits already. */
int program_run(const struct program_start *start, struct program_result *result, struct error *err);

/* Writes what is in the spools of `folder` to `rec`, and fills the counts of *result. */
int program_write(struct recording *rec, const char *folder, const struct program_options *options, int64_t start,
	struct program_result *result, struct error *err);

/* Waits a little for processes that have a spool and go on after the program. Returns how many are still there. */
int program_wait_for_others(const char *folder);

/* Calls `each` for every spool in the folder, in the order of names. -1 with `err` when it, or reading the folder,
 * fails. */
int program_spools(const char *folder, int (*each)(void *user, const char *path, struct error *err), void *user,
	struct error *err);

#endif
