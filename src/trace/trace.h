/* trace.h: traces a program of somebody else. Nothing here prints or exits, unless memory is short and even the part
 * that was set aside before the program started is used up. */
#ifndef DBPROF_TRACE_TRACE_H
#define DBPROF_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* A run that no person sits at. The program's input is empty, and it has no terminal (/dev/tty). Signals are not
 * forwarded: those that stop us end the program too. When it has ended, all that it started is ended. */
struct program_apart {
	const char *output, *errors;  /* files that its standard output and error go to; may be the same; NULL: ours */
	int64_t timeout_ns;           /* after that time it is ended; 0: never */
	uint64_t file_most;           /* a file that it writes has so many bytes at most: SIGXFSZ; 0: as many as ours */
	bool (*is_stuck)(void *user); /* asked a few times a second: true ends it as if its time were over; NULL: no */
	void *user;                   /* for is_stuck() */
};

/* Strings are borrowed for the length of trace_program(). */
struct program_options {
	char *const *argv;                 /* ended by NULL; argv[0] is searched as the shell does */
	const char *injection;             /* path of the injection library */
	const char *command;               /* the command line, for the recording */
	const char *output;                /* the recording to write */
	bool code;                         /* note hashes of the machine code that it loads */
	const char *cubins;                /* with `code`: folder that wanted_ask() has prepared; NULL: none */
	bool ignores_children;             /* start the program with SIGCHLD ignored, as dbprof was */
	char *const *environment;          /* NAME=VALUE, added to ours, ended by NULL; NULL: none */
	const struct program_apart *apart; /* NULL: the program has our streams, and signals are forwarded to it */
	/* The program has ended. From now on signals are no longer the program's. */
	void (*ended)(void *user);
	/* Called after that, while the recording is built: true to give up. */
	bool (*interrupted)(void *user);
	/* A remark, for example that processes go on after the program has ended. */
	void (*note)(void *user, const char *text);
	void *user;
};

/* GPUs of a recording at most, and the room for the UUID of one: "GPU-...". */
enum { PROGRAM_GPUS = 64, PROGRAM_UUID = 48 };

struct program_result {
	int not_started;        /* errno, if the program could not be started; then all else is zero */
	int status;             /* how it ended, as of waitpid() */
	int64_t start, end;     /* of its process: CLOCK_REALTIME (ns) at the start, and how long it took after that */
	int64_t epoch;          /* CLOCK_REALTIME (ns) that is time zero of the recording */
	bool timed_out;         /* it was ended: after program_apart.timeout_ns, by is_stuck() or as it was stopped */
	bool stuck;             /* it was the second */
	int stopped;            /* the third: the signal that stopped it; else 0 */
	int left;               /* processes of a program run apart that did not end with it, and that were ended */
	bool hurried;           /* a signal ended the wait for processes that the program left behind, not more */
	int going_on;           /* processes that were not waited for any longer: what they do later is not recorded */
	bool without_gpu;       /* the machine has no GPU and no driver: nothing in it can use CUDA */
	bool recorded;          /* there is a recording at options->output */
	bool lost;              /* nothing was recorded, and there was something to record, or there may have been */
	char gpu[PROGRAM_UUID]; /* of the GPU whose kernels take the most time; "" if none is known. It is in no
				   recording */
	char gpus[PROGRAM_GPUS][PROGRAM_UUID]; /* the same of each, by the number that it has in the recording */
	int64_t gpu_ns[PROGRAM_GPUS];          /* what its kernels take together, by the same number */
	int processes;                         /* that used CUDA */
	int64_t kernels, copies, memsets, ranges;
	int64_t dropped, untimed; /* records that are missing */
	bool incomplete;          /* it may have done more than was recorded; `why` says what happened */
	struct error why;         /* why nothing, or not everything, was recorded; "" if all is well */
};

/* Runs the program with the injection library in it, forwards signals to it, waits for its end and builds the recording
 * from its processes' spools. 0, also if there was nothing to record: then *result says why, and an older file at
 * `output` stays as it was. -1 with `err` if the recording cannot be written. result->status tells when this was found:
 * -1 means before the program was started, else after it ended. */
int trace_program(const struct program_options *options, struct program_result *result, struct error *err);

/* A kernel whose machine code is wanted. */
struct wanted_kernel {
	const char *symbol; /* mangled name */
	uint64_t hash;      /* of its code, as DBPROF_CODE.hash; 0: whatever it is */
};

/* How many kernels a run can be asked for. */
enum { WANTED_KERNELS = 64 };

/* Writes into a folder which kernels are wanted of a run with program_options.cubins: WANTED_KERNELS at most. */
int wanted_ask(const char *folder, const struct wanted_kernel *kernels, size_t n, struct error *err);

/* A source file that the line table of a module names, as it was when the module was loaded. */
struct wanted_source {
	char *path; /* as the line table has it */
	const char *text;
	size_t size; /* of the text */
};

/* A module that holds some of them. */
struct wanted_module {
	const char *path;
	uint64_t kernels; /* a bit for each, from the lowest */
	struct wanted_source *sources;
	size_t nsources;
};

/* After the run: calls `take` for each module, in the order of names. Then removes the files. */
void wanted_take(const char *folder, void (*take)(void *user, const struct wanted_module *module), void *user);

struct recording;

/* Writes what DBPROF_META says of every recording of programs: dbprof's version, `kind`, the time `start`
 * (CLOCK_REALTIME, ns), our command line and the driver's version. */
int program_write_facts(struct recording *rec, const char *kind, const char *command, int64_t start, struct error *err);

/* Runs the program apart, without recording anything: only argv, environment and `apart` of the options count. Fills
 * what *result says of the process. -1 with `err` as program_run(). */
int plain_program(const struct program_options *options, struct program_result *result, struct error *err);

#endif
