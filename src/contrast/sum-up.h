/* sum-up.h: what sum-up.c and sum-up-kernels.c share. */
#ifndef DBPROF_CONTRAST_SUM_UP_H
#define DBPROF_CONTRAST_SUM_UP_H

#include "contrast/launches-private.h"

enum { LAUNCHES_WITH_WARM_UP = 3 }; /* of a kernel in a process, in a run without a range */

struct summing {
	struct gather *gather;
	struct launches *out;
	struct forms codes;       /* which machine code of which kernel was counted */
	struct forms identities;  /* by kernel: see form_identity() */
	uint32_t *kernel_of_form; /* NO_FORM: not chosen */
	uint32_t *cell_of_kernel; /* in the step that is being summed up: its cell plus one */
	uint32_t *form_of_kernel; /* the form that a kernel is told by */
	size_t cell_room;
	uint64_t *lists;                /* of each step */
	struct running_kernel *running; /* see running_kernels_find() */
	size_t nrunning;
};

/* A kernel while it ran. */
struct running_kernel {
	int64_t start, end;
	int gpu;
	size_t work; /* its place in gather->work */
};

/* kernel/running.c: fills `running`, for free(): all kernels, by GPU and in the order of their begins. Work keeps its
 * order from here on. */
void running_kernels_find(struct summing *summing);

/* Tells kernels apart: fills identities, kernel_of_form and out->nkernels. */
void kernels_number(struct summing *summing);

const char *kernel_base(const struct summing *summing, uint32_t kernel);

/* Gives each kernel names, resources and hash: those of its launches in steady steps, or else of all. */
void kernels_describe(struct summing *summing);

/* Hash of a form with its machine code: the same in each run. */
uint64_t kernel_form_hash(const struct summing *summing, uint32_t form);

/* kernel/places.c: fills launch_kernel.places, of the launches of the form that a kernel is told by, once it is known
 * what was running. */
void kernels_place(struct summing *summing);

/* kernel/graphs.c: fills out->graphs, once it is known which steps are steady and what was running. */
void graphs_place(struct summing *summing);

/* kernel/graphs.c: fills launch_kernel.in_graphs, once it is known which steps are steady and kernels are described. */
void kernels_of_graphs(struct summing *summing);

/* kernel/first-launches.c: where the whole run is a step, first launches are its warm-up, in each process anew. Marks
 * the first of LAUNCHES_WITH_WARM_UP or more launches of a kernel in a process, and lets it take what the others of
 * that process take on average. */
void first_launches_replace(struct summing *summing);

/* step/steady-span.c: fills out->span, out->step_processes and out->left_kernels of a run with a range, once it is
 * known which steps are steady. */
void steady_span_sum_up(struct summing *summing);

/* kernel/elsewhere.c: fills out->elsewhere, once it is known which steps are steady. */
void kernels_elsewhere(struct summing *summing);

/* kernel/at-once.c: fills out->busy_share. Before split_step(). */
void kernels_at_once(struct summing *summing);

/* Puts them into their order. Those that no step has are dropped. */
void kernels_order(struct launches *out);

/* The only steady step becomes several, of which each stands for the whole step. Part `p` of P has the launches from
 * p/P on of each kernel, in the order of their calls, but for those that are warm-up. Their
 * mean counts as often as the kernel is launched in the step. P is the largest number, up to PARTS_OF_A_RUN, for which
 * kernels with at least as many launches take nearly all of the time. The others have their mean in each part. */
void split_step(struct summing *summing);

#endif
