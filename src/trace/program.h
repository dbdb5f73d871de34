/* program.h: runs a traced program (program-run.c), waits for what it leaves (program-wait.c) and makes a recording of
 * its spools (program-write.c). Only these files and program.c use it. */
#ifndef DBPROF_TRACE_PROGRAM_H
#define DBPROF_TRACE_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/store.h"
#include "trace/orphans.h"
#include "trace/strays.h"
#include "trace/trace.h"

/* How a program is to be started. */
struct program_start {
	char *const *argv;
	char *const *added;                  /* NAME=VALUE, added to our environment, ended by NULL; NULL: none */
	const char *const (*environment)[2]; /* names and values that are added after that, ended by a NULL name */
	sigset_t mask; /* signals that were blocked when we were started; they are blocked in the program as well */
	bool ignores_children;             /* start it with SIGCHLD ignored */
	const struct program_apart *apart; /* NULL: it has our streams, and we forward signals to it */
	const struct orphans *orphans;     /* that come to us while it runs and is not apart; NULL: none do */
	/* Called when the program runs; NULL is allowed. */
	void (*started)(void *user, pid_t pid);
	void *user;
};

/* From now until program_let_signals() signals wait: until the program is started and can get them, or until we are
 * ready to remove what we have made. Notes in *start which were blocked before. */
void program_hold_signals(struct program_start *start);
void program_let_signals(const struct program_start *start);

/* Ends what is said of a process whose records end early, and of one that has none. */
#define PROGRAM_CUT_OFF "the records of its last moments are missing"
#define PROGRAM_LOST_ALL "nothing that it did was recorded"

/* Starts the program, forwards signals to it and waits for its end. Signals must be held. Fills what *result says of
 * the process. -1 with `err` if no process can be made, or if a signal that ends us waits already; if the program runs
 * apart, also if such a signal came while it ran. That signal is delivered when signals are let. */
int program_run(const struct program_start *start, struct program_result *result, struct error *err);

/* The process whose spool that is: its name begins with the number. */
long program_process_of(const char *spool);

/* Whether the machine has neither a GPU nor a driver. Where there is a driver, there may be a GPU that nothing else
 * shows. */
bool program_without_gpu(void);

/* Waits a little for processes that go on after the program. Fills result->going_on. */
void program_wait_for_others(const struct program_options *options, const char *folder, const struct orphans *orphans,
	struct program_result *result);

/* Writes the rows of all spools in `folder` to `rec`, and fills the counts of *result. `stray`: what was seen of
 * processes that our library did not get into. */
int program_write(struct recording *rec, const char *folder, const struct program_options *options, int64_t start,
	const struct stray *stray, struct program_result *result, struct error *err);

/* Calls `each` for every spool in the folder, in the order of names. -1 with `err` when `each` fails or the folder
 * cannot be read. */
int program_spools(const char *folder, int (*each)(void *user, const char *path, struct error *err), void *user,
	struct error *err);

#endif
