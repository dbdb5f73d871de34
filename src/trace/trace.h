/* trace.h: tracing a program of somebody else. Nothing here prints or exits. */
#ifndef DBPROF_TRACE_TRACE_H
#define DBPROF_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/error.h"

/* Strings are borrowed for the length of trace_program(). */
struct program_options {
	char *const *argv;     /* ended by NULL; argv[0] is looked for as the shell does */
	const char *injection; /* path of the injection library */
	const char *command;   /* the command line, for the recording */
	const char *output;    /* the recording to write */
	bool ignores_children; /* the program is to be started with SIGCHLD ignored, as dbprof was */
	/* The program has ended, and with it the time in which signals are its own. */
	void (*ended)(void *user);
	/* Asked while the recording is built, after that: true to give up. */
	bool (*interrupted)(void *user);
	/* Something worth telling: processes that go on after the program has ended. */
	void (*note)(void *user, const char *text);
	void *user;
};

struct program_result {
	int not_started; /* errno, if the program could not be started; then all else is zero */
	int status;      /* how it ended, as of waitpid() */
	bool recorded;   /* there is a recording at options->output */
	bool lost;       /* there was something to record, or may have been, but it could not be written */
	int processes;   /* that used CUDA */
	int64_t kernels, copies, memsets, ranges;
	int64_t dropped, untimed; /* records that are missing */
	struct error why;         /* why nothing, or not everything, was recorded; "" if all is well */
};

/* Runs the program with the injection library in it, forwards signals to it, waits for its end and builds the
 * recording from what its processes left. 0, also if there was nothing to record (*result says why; an older file at
 * `output` is then as it was); -1 with `err` if the recording cannot be written: before the program was started, or
 * after it ended, as result->status tells (-1: it was not started). */
int trace_program(const struct program_options *options, struct program_result *result, struct error *err);

#endif
