/* launches-private.h: what is read of a run before it becomes kernels and steps. Private to launches.c and its parts.
 */
#ifndef DBPROF_CONTRAST_LAUNCHES_PRIVATE_H
#define DBPROF_CONTRAST_LAUNCHES_PRIVATE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/kernel/clusters.h"
#include "contrast/kernel/forms.h"
#include "contrast/instances.h"
#include "contrast/launches.h"
#include "store/devices.h"
#include "store/store.h"
#include "util/numbering.h"

/* Of gathered_work.form: a copy or a memset. */
#define NO_FORM UINT32_MAX
/* Of gathered_work.step. */
#define NO_STEP UINT32_MAX
/* Of gathered_work.gpu: it is not known. */
enum { NO_GPU = -1 };
/* Of gathered_work.call_start: there is no call; calls of several processes may be it. */
#define CALL_UNKNOWN INT64_MAX
#define CALL_AMBIGUOUS INT64_MIN

/* A piece of device work. */
struct gathered_work {
	int64_t process, correlation;
	int64_t start, end;
	int64_t call_start, call_thread; /* of the outermost call that asked for it */
	int64_t node;                    /* of a graph, else 0 */
	int64_t bytes;                   /* of a copy, else 0 */
	int gpu;                         /* its number in the report, or NO_GPU */
	enum work_class cls;
	bool pageable;   /* a copy whose side on the host is pageable memory */
	bool is_warm_up; /* it does not count: see first_launches_replace() */
	uint32_t form;   /* place in forms, or NO_FORM */
	uint32_t step;
};

/* What is known of a step before its launches are summed up. */
struct gathered_step {
	int64_t last_ask, last_wait; /* starts of calls of step_of_call(); INT64_MIN if there is none */
};

/* A launch whose record has no usable times. */
struct untimed_launch {
	int64_t process;
	uint32_t form; /* place in untimed_forms */
};

/* A call that launches a CUDA graph, also where it fails, and where the graph has no work. */
struct graph_call {
	int64_t process, correlation, start, thread;
};

struct gather {
	struct store *store;
	const struct launches_options *options;
	struct launches *out; /* its texts, and counts of what is left out */
	struct forms forms;
	struct codes codes;
	struct clusters clusters;
	bool *chosen; /* by form */
	struct gathered_work *work;
	size_t n, room;
	struct instances instances;
	struct gathered_step *steps; /* out->nsteps of them */
	int64_t first, last;         /* time of work and calls; INT64_MAX and INT64_MIN if there is none */
	struct devices devices;
	struct numbering processes, gpus; /* that ran kernels */
	struct numbering losers;          /* step/losses.c: process ids of those that lost records, or have steps */
	struct process_loss *losses;      /* by their places there */
	size_t nlosses, loss_room;
	struct forms untimed_forms; /* of launches without usable times */
	struct untimed_launch *untimed;
	size_t nuntimed, untimed_room;
	bool *untimed_chosen; /* by form */
	/* With launches_options.places, by process and correlation, each once: the outermost one. */
	struct graph_call *graph_calls;
	size_t ngraph_calls, graph_call_room;
};

/* Reads kernels, whole graphs, copies and memsets, and what of them was lost. Calls are unknown, steps NO_STEP. */
int gather_work(struct gather *gather, struct error *err);

/* Finds the calls of the work, once steps are there: fills call_start and call_thread, and last_wait of the steps, and
 * graph_calls. Work stands by process and correlation then. */
int gather_calls(struct gather *gather, struct error *err);

/* The step that a call of the thread at this time counts for, whether it asks for work or waits: an open one of its
 * own, else see launches_options.any_thread. NO_INSTANCE if there is none. */
int64_t step_of_call(const struct gather *gather, int64_t thread, int64_t start);

/* Makes the kernels, steps and cells of gather->out, once each piece of work has its step. Puts the work into another
 * order. */
void gather_sum_up(struct gather *gather);

#endif
