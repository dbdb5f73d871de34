/* measured.h: what the runs of all sides have given. */
#ifndef DBPROF_CONTRAST_MEASURED_H
#define DBPROF_CONTRAST_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/gpu/gpus.h"
#include "contrast/launches.h"
#include "contrast/options.h"
#include "contrast/measure/output.h"
#include "contrast/measure/side.h"
#include "contrast/step/kept.h"
#include "contrast/step/spans.h"
#include "util/error.h"

/* A process that was run. `block` is -1 for a warm-up, and a run that is counted or sampled. */
struct measured_run {
	size_t side;
	enum side_kind kind;
	int block, position, process; /* process: number of the run, from 0, in the order of their starts */
	struct side_run run;
	struct launches *launches; /* of a traced run, owned; else NULL */
	/* The same, as if no steps were steady but those that kernels' times are of: see step/kernel-steps.h. Its steps
	 * are owned, and all else is borrowed. NULL unless the run is of a block. */
	struct launches *counted;
	char *repeated;           /* how a traced run ended that broke and was repeated, owned; else NULL */
	struct step_times times;  /* of its steady steps; without a range there are none */
	struct step_times placed; /* of a traced run: of those that would be steady if it were not; NaN if unknown */
	int gpu; /* number of the GPU that readings are of; -1: it is not known that the side uses the one that was read
		  */
	int gpus[PROGRAM_GPUS]; /* of a traced run: the number of each GPU of its recording */
};

/* What is known of a side after its runs; the output is the first one's. */
struct measured_side {
	struct output output;
	const char *check;     /* "same", "differs", "failed"; NULL if it was not checked */
	bool ran;              /* else nothing else is known */
	int status;            /* of the run that failed, else of the first, as of waitpid() */
	const char *ended;     /* side_end_word() of the run that failed; NULL */
	size_t traced, broken; /* its traced runs; those in which it did not end well */
	int left;              /* processes that its first run with any left behind, and that we have ended */
	bool lost_steps;       /* a run of it could not write down all times of its range, which was told */
	bool traced_well;      /* one went well that took of CUPTI what `tracing` says */
	int gpu;               /* its own in its last traced run, see seen_gpus_own(); -1 if that is unknown */
};

/* What traced runs take of CUPTI. A program may have a profiler of its own, which then fails or gets all records. */
enum tracing {
	TRACING_ALL,
	TRACING_RECORDS, /* records, and not the callbacks that tell of machine code */
	TRACING_NOTHING  /* there are no traced runs */
};

struct measurement {
	struct measured_run *runs; /* in the order of their starts */
	size_t nruns, room;
	struct measured_side *sides;
	size_t nsides, blocks;
	int failed; /* the side that failed, or -1 */
	enum tracing tracing;
	struct error untraced; /* why it is not TRACING_ALL; "" */
	size_t blamed;         /* the side whose run was the reason */
	int64_t lost_ns;       /* of traced runs in which the program did not end well: they are not of the budget */
	struct kept kept;      /* recordings of traced runs whose steps may be shown, by `process` */
	enum step_measure measure; /* of the steps of all runs */
	struct error unknown;      /* why a program that is alone has a recording, but no known kernels; "" */
	char *recording;           /* of the first traced run that went well; owned, NULL if there is none */
	struct seen_gpus gpus;
};

#endif
