/* step-calls.h: what belongs to one step of a run: the ids of the calls that asked for its work, and its times. */
#ifndef DBPROF_CONTRAST_STEP_CALLS_H
#define DBPROF_CONTRAST_STEP_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/step/pace.h"
#include "trace/trace.h"

struct gather;

/* A process and the correlation id of a call in it. */
struct step_call {
	int64_t process, correlation;
};

/* step_calls_free() frees what it owns. */
struct step_calls {
	struct step_call *call; /* by process and id, each once; owned */
	size_t n;
	size_t step;        /* its place among the steps of its run */
	size_t steps;       /* of that run */
	size_t pieces;      /* of work */
	bool whole;         /* the step is the whole run: work without a call belongs to it as well */
	int64_t from, to;   /* from its begin, or that of its first work, to its end, or that of its last work */
	int64_t start, end; /* of its range; without one as from and to */
	int64_t gpu_start, gpu_end;     /* of its work; TIME_NONE (store/event.h) both if it has none */
	int64_t host_ns[STEP_MEASURES]; /* as of struct launch_step */
	bool gpus[PROGRAM_GPUS];        /* by their number in the recording: its processes have work there */
	int64_t process;                /* globalPid of the range's thread; 0 without a range */
	int64_t kernels_from,
		kernels_to; /* from the begin of its first kernel to the end of its last; 0 both without one */
	int64_t device;     /* CUDA's number, in the process that launches there, of the GPU whose kernels take the most
			       time in     steady steps; -1 if it is not known */
	size_t number;      /* its place among the steps of its process */
	size_t *steady;     /* places of the steady ones among these; owned */
	size_t nsteady;
};

void step_calls_free(struct step_calls *calls);

/* Finds the calls of step out->step, once all work has its step. A number that no step has: of the first steady one.
 * gather_sum_up() calls it. */
void step_calls_take(const struct gather *gather, struct step_calls *out);

/* The place of a call in call[] plus one; 0 if it is none of the step's. */
size_t step_calls_find(const struct step_calls *calls, int64_t process, int64_t correlation);

/* Whether some work of the step is of that process. */
bool step_calls_has_process(const struct step_calls *calls, int64_t process);

#endif
