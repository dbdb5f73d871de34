/* program.h: a traced program: how it is run (program-run.c), and how its spools become a recording
 * (program-write.c); between these files and program.c only. */
#ifndef DBPROF_RECORD_PROGRAM_H
#define DBPROF_RECORD_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"
#include "store/store.h"

/* How a program is to be started. */
struct program_start {
	char *const *argv;
	const char *const (*environment)[2]; /* names and values set on top of ours, ended by a NULL name */
	bool closed[3];                      /* standard streams that we were started without, and so is the program */
	bool ignores_children;               /* we were started with SIGCHLD ignored, and so is the program */
};

/* Notes how we were started: to be called before anything is opened, which would take the numbers of closed streams. */
void program_note_start(struct program_start *start);

/* Starts the program, waits for its end and forwards signals to it. Fills result->not_started and result->status. -1
 * with `err` if no process can be made. */
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
