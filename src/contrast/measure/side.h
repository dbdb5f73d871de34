/* side.h: one run of a side of a contrast: a process of its own, whose output goes to files. */
#ifndef DBPROF_CONTRAST_SIDE_H
#define DBPROF_CONTRAST_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/steps.h"
#include "contrast/gpu/watch.h"
#include "record/cupti/nvml.h"
#include "trace/trace.h"
#include "util/error.h"

/* A program that is contrasted with others. Both lists end with NULL. */
struct side {
	char **argv;        /* argv[0] is searched as the shell does */
	char **environment; /* NAME=VALUE, added to ours; NULL: nothing is added */
};

enum side_kind {
	SIDE_PLAIN,   /* nothing of ours is in the program */
	SIDE_HOST,    /* NVTX alone: the host times of a range; no CUPTI */
	SIDE_TRACED,  /* as `dbprof trace` */
	SIDE_COUNTED, /* hardware counters of some launches: see count/ */
	SIDE_SAMPLED, /* PC samples of some launches, by the same library */
	SIDE_PM,      /* PM samples of the GPU while some steps run, by the same library: see pm/ */
	SIDE_CODE     /* as SIDE_TRACED; modules with the kernels that wanted_ask() has named become files */
};

/* Strings are borrowed for the length of side_run(). */
struct side_how {
	enum side_kind kind;
	const char *range;  /* SIDE_HOST, SIDE_PM: the message of the range that is wanted; NULL for SIDE_PM: none */
	const char *folder; /* ours; absolute path. SIDE_HOST leaves nothing in it, SIDE_COUNTED, SIDE_SAMPLED, SIDE_PM
			       and SIDE_CODE their results */
	const char *recording;     /* SIDE_TRACED, SIDE_CODE: the SQLite file to write */
	bool leaves_callbacks;     /* SIDE_TRACED: CUPTI's, which tell of machine code, stay free for the program */
	const char *output;        /* file for the program's standard output; NULL: ours */
	const char *errors;        /* file for its standard error, may be the same; NULL: ours. Its input is empty */
	int64_t output_most;       /* bytes that each of these files may take: more ends the program; 0: any number */
	int64_t timeout_ns;        /* after that time the program is ended; 0: never */
	uint64_t file_most;        /* bytes of a file that it writes; 0: as many as we may write */
	const char *injection;     /* the same: path of libdbprof-inject.so */
	const char *range_library; /* SIDE_HOST: path of libdbprof-range.so */
	const char *count_library; /* SIDE_COUNTED, SIDE_SAMPLED, SIDE_PM: path of libdbprof-count.so */
	/* Asked before the program is started: true to give up. While the program runs, Ctrl-C, SIGTERM, SIGHUP and
	 * SIGQUIT end it, and are then delivered to us. NULL is allowed. */
	bool (*interrupted)(void *user);
	void *user;
	bool (*is_stuck)(void *user); /* asked while the program runs: true ends it. NULL is allowed */
	void *stuck_user;             /* for is_stuck() */
	const struct nvml *gpu;       /* whose clock and power are read; NULL: none */
};

/* What became of it. All times are CLOCK_REALTIME at the start, and go on from there without a jump. */
struct side_run {
	int not_started;          /* errno, if the program could not be started; then the rest says nothing */
	int64_t start_ns, end_ns; /* of the process */
	int64_t epoch_ns;         /* SIDE_TRACED, SIDE_CODE: time zero of its recording */
	int status;               /* as of waitpid() */
	bool timed_out;      /* it was ended after `timeout_ns`, by is_stuck(), `output_most` or as it was stopped */
	bool stuck, flooded; /* it was the second; the third */
	int stopped;         /* the fourth: the signal that stopped it; else 0 */
	int left;            /* processes that it left behind, and that we have ended */
	struct side_step *steps; /* SIDE_HOST: those that have ended, by their start; the run owns them */
	size_t nsteps;
	int steps_lost; /* SIDE_HOST: errno for which a process could not write down all of them; 0: none is known */
	struct side_reading *read; /* in order; the run owns them */
	size_t nread;
	struct side_readings readings; /* while its GPU had work; with a range, measure.c takes those of its steps */
	char gpu[PROGRAM_UUID];        /* SIDE_TRACED: UUID of its busiest GPU, for nvml_open(); "" if unknown */
	char gpus[PROGRAM_GPUS][PROGRAM_UUID]; /* SIDE_TRACED: of each, by its number in the recording */
	int64_t gpu_ns[PROGRAM_GPUS];          /* SIDE_TRACED: GPU time of the kernels of each, by the same number */
	bool recorded;                         /* SIDE_TRACED: there is a recording */
	bool incomplete;                       /* SIDE_TRACED: it may have done more than was recorded */
	struct error why; /* SIDE_TRACED: why nothing, or not everything, was recorded; "" if all is well */
};

/* Words for `left`: a number, and an ending for more than one. */
#define LEFT_BEHIND "left %d process%s behind, ended by dbprof after a second: such work is not measured in full"

/* Runs the program and waits for its end. Whatever it started has ended too then. 0, also for a program that failed,
 * was not found or took too long: *run says so. -1 with `err` if the run could not be made or was interrupted; *run
 * needs side_run_free() in either case. */
int side_run(const struct side *side, const struct side_how *how, struct side_run *run, struct error *err);

/* Whether it was started, ended in time, and with status 0. */
bool side_went_well(const struct side_run *run);

/* Why it did not end by itself, as DBPROF_SIDE.ended has it; NULL if it did, and where is_stuck() ended it. */
const char *side_end_word(const struct side_run *run);

/* How a run ended that did not go well: "ended with status 3; it said: LAST LINE OF ITS STANDARD ERROR". The file of
 * errors, if there is one, must still be there. */
enum { SIDE_END_BYTES = 440 };
void side_tell_end(const struct side_run *run, const struct side_how *how, char text[SIDE_END_BYTES]);

/* Frees what the run owns. */
void side_run_free(struct side_run *run);

#endif
