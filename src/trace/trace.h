/* trace.h: traces a program of somebody else. Nothing here prints or exits, unless memory is short and even the part
 * that was set aside before the program started is used up. */
#ifndef DBPROF_TRACE_TRACE_H
#define DBPROF_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/error.h"

/* Strings are borrowed for the length of trace_program(). */
struct program_options {
	char *const *argv;     /* ended by NULL; argv[0] is searched as the shell does */
	const char *injection; /* path of the injection library */
	const char *command;   /* the command line, for the recording */
	const char *output;    /* the recording to write */
	bool ignores_children; /* start the program with SIGCHLD ignored, as dbprof was */
	/* The program has ended. From now on signals are no longer the program's. */
	void (*ended)(void *user);
	/* Called after that, while the recording is built: true to give up. */
	bool (*interrupted)(void *user);
	/* A remark, for example that processes go on after the program has ended. */
	void (*note)(void *user, const char *text);
	void *user;
};

struct program_result {
	int not_started; /* errno, if the program could not be started; then all else is zero */
	int status;      /* how it ended, as of waitpid() */
	bool recorded;   /* there is a recording at options->output */
	bool lost;       /* there was something to record, or there may have been, but it could not be written */
	int processes;   /* that used CUDA */
	int64_t kernels, copies, memsets, ranges;
	int64_t dropped, untimed; /* records that are missing */
	struct error why;         /* why nothing, or not everything, was recorded; "" if all is well */
};

/* Runs the program with the injection library in it, forwards signals to it, waits for its end and builds the recording
 * from its processes' spools. 0, also if there was nothing to record: then *result says why, and an older file at
 * `output` stays as it was. -1 with `err` if the recording cannot be written. result->status tells when this was found:
 * -1 means before the program was started, else after it ended. */
int trace_program(const struct program_options *options, struct program_result *result, struct error *err);

#endif
