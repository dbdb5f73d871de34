/* launches.h: the kernels and steps of one traced run. */
#ifndef DBPROF_CONTRAST_LAUNCHES_H
#define DBPROF_CONTRAST_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "contrast/kernel/codes.h"
#include "contrast/step/pace.h"
#include "store/lack.h"
#include "util/error.h"

struct step_calls;
struct texts;

/* What is read. NULL: the whole run is one step; all kernels. */
struct launches_options {
	const char *range;  /* exact text of the NVTX ranges that are steps, in any domain */
	const char *kernel; /* extended regular expression, searched in base name and demangled name */
	/* Launches of other threads count, too, while a step is open: PyTorch's backward pass has a thread of its own.
	 * Only in processes in which one thread alone has the range, so that it is clear which step is meant. */
	bool any_thread;
	/* Steps count whatever kernels they have. Without it only those with the commonest list do, which can be held
	 * against those of another program. */
	bool any_list;
	/* The only steady step, such as a run without a range, becomes several. Each has the mean times of its own part
	 * of the launches of each kernel, so that they show how much the step differs in itself: see split_step(). */
	bool split;
	bool by_function; /* functions of one base name, such as instances of a template, are different kernels */
	bool places;      /* finds launch_kernel.places as well */
	bool nameless;    /* errors name no range and no kernel, of the recording or as asked for: --redact */
	struct step_calls *calls; /* of step number calls->step, to be filled; NULL: of none (step/step-calls.h) */
};

enum { PARTS_OF_A_RUN = 24 }; /* at most */

/* Where the launches of a kernel's first form stand among all like launches of a process: with the same name in the
 * binary, grid, block and dynamic shared memory, in the order of their calls. Nodes of graphs are no such launches. */
struct launch_places {
	const char *symbol; /* mangled name; NULL if the recording does not tell it */
	size_t first, end;  /* those of the steady steps begin at `first`, from 0, and end before `end`. Where processes
			       differ, what all of them have. 0 both: there is none */
	double beside;      /* of the time of all its launches: the part in which another kernel ran on the same GPU */
	/* Of a CUDA graph (kernel/side-graphs.h), whose `first` is 0: `end` places among all launches of graphs of a
	 * process, as those of a launch_graph; borrowed. NULL of a kernel. */
	const uint64_t *numbers;
	const char *refusal; /* of a graph: why it cannot be counted; NULL */
};

/* Of registers and memory of a kernel: the recording does not tell. */
enum { RESOURCE_UNKNOWN = -1 };

/* A kernel of a run: all launches that have the same base name, grid and block (with launches_options.by_function the
 * same function). They stand in the order of their first
 * appearance: in a steady step, then in the others. */
struct launch_kernel {
	const char *name;                      /* demangled, of its first launch; never NULL */
	const char *base;                      /* base name; never NULL */
	const char *function;                  /* tells it apart, too, with launches_options.by_function; else NULL */
	bool is_graph;                         /* a CUDA graph: traced as a whole, or of a struct launch_graph */
	int64_t grid[3], block[3];             /* 0 of a graph and where the recording does not tell */
	int64_t registers, local_bytes;        /* per thread, of its first launch; or RESOURCE_UNKNOWN */
	int64_t static_shared, dynamic_shared; /* bytes per block, likewise */
	int64_t cluster[3], launch_type; /* blocks, 1 without clusters; ENUM_CUDA_KERNEL_LAUNCH_TYPE; of its first */
	size_t forms;                    /* different names, resources and codes that its launches have */
	uint64_t hash;                   /* of all its forms, whatever their order: the same in each run */
	size_t launches;                 /* in the whole run */
	enum codes_known codes;          /* what is known of its machine code */
	uint64_t code;                   /* hash of that; of several template instances the sum; for CODES_ONE */
	struct launch_places places;     /* with launches_options.places */
	bool in_graphs;                  /* nodes of CUDA graphs are some of its launches in steady steps */
	bool is_whole; /* of a run that is split: it has fewer launches than parts, so each part has all of them */
};

/* A CUDA graph whose nodes were traced: all its launches that have the same kernels, with the same grids, blocks and
 * dynamic shared memory. They are alike in two runs if these are. */
struct launch_graph {
	struct launch_kernel kernel; /* what is told of it as of a kernel: names, is_graph, hash */
	uint64_t names;              /* hash of the base names of its kernels */
	double launches;             /* in a steady step, mean */
	double ns;                   /* GPU time of the kernels of a steady launch, mean */
	double beside; /* of the time of a steady launch: the part in which kernels that are not its own ran on its GPU
			*/
	/* Its steady launches, among all calls of a process that launch graphs, from 0, rising: also those that fail,
	 * or whose graph is empty. Where processes that launch it differ, what all of them have; none under which
	 * another process launches something else. Without a range the first one is none. No more than the first
	 * 4,096. Owned. */
	uint64_t *numbers;
	size_t nnumbers;
	const char *refusal; /* why it cannot be counted: a constant; NULL: nothing is known that forbids it */
};

/* What a step has of one kernel. */
struct launch_cell {
	uint32_t kernel; /* place in kernels[] */
	uint32_t launches;
	double ns; /* sum of durations; without a range a process's first launch counts as long as its others on average
		    */
};

/* Why launches do not count. */
enum left_out {
	LEFT_FIRST_STEP,   /* in the first step of a process that has three or more */
	LEFT_OTHER_STEP,   /* in a step whose list of kernels is not the commonest one */
	LEFT_EMPTY_STEP,   /* a step without a kernel: no launches */
	LEFT_FIRST_LAUNCH, /* without a range: the first of three launches or more of a kernel in a process */
	LEFT_OUTSIDE,      /* launched while no step was open */
	LEFT_OTHER_THREAD, /* launched while a step was open in its process, but by another thread, see any_thread */
	LEFT_NO_CALL,      /* the recording does not have the call that launched it, and there is a range */
	LEFT_NOT_CHOSEN,   /* in a step, and not chosen by launches_options.kernel */
	LEFT_REASONS,
	LEFT_NOTHING = LEFT_REASONS /* it counts */
};

/* DBPROF_LEFT_OUT.reason */
const char *left_out_word(enum left_out why);

struct left_sum {
	size_t steps, launches;
	int64_t ns;
};

/* A step: an instance of the range that lies in no other one of its thread. Steps stand in the order of their starts.
 */
struct launch_step {
	int64_t start, end;         /* host times: of the range; without one the first and last time of work or calls */
	int64_t gpu_start, gpu_end; /* of its kernels, copies and memsets; TIME_NONE (store/event.h) if it has none */
	int64_t thread;             /* globalTid; 0 without a range */
	size_t first_cell, ncells;  /* in cells[], in the order of first appearance */
	size_t launches;
	double ns; /* sum of its cells */
	/* It ends in a synchronisation: behind its last call that asked for work came one that waits, and no work was
	 * under way when it ended. Always true without a range: the process has ended. */
	bool waits;
	int64_t lag;                    /* see paced_step.lag */
	int64_t host_ns[STEP_MEASURES]; /* its time (ns), or NO_TIME: see steps_pace(); NO_TIME without a range */
	enum left_out left_out;         /* LEFT_NOTHING: it is steady */
	bool is_warm_up;                /* see steps_of_warm_up() */
};

/* Where the host time of a step went on the GPU whose kernels take the most of it: mean over the steady steps of a run,
 * or over the periods that count. Work counts while it runs inside that time, whoever asked for it. */
struct step_work {
	bool known;             /* false without a range, and where no GPU is named */
	struct overlap overlap; /* times in ns: span is the whole step, idle what nothing runs in; ratios are 0 */
	double copies;          /* between host and device that a step asks for, and bytes of them */
	double copy_bytes;
	bool pageable; /* some of them to or from pageable memory */
	/* Of overlap.idle: the part in which another GPU works for a process that uses this one (ns). A kernel that
	 * communicates waits for other GPUs, and does not count as work. */
	int64_t elsewhere_ns;
	int64_t communication_ns; /* of overlap.busy[WORK_OTHER]: with kernels that communicate */
};

/* What a run does from its first steady step to its last one, in each process: the steady steps, and what lies between
 * them. The last one is left out, so that there is as much of each kind of what a program repeats. But steps behind the
 * last one that take turns with steady ones, since their list of kernels also lies between those, belong to it, and it
 * ends with the last of them. All 0 without a range. */
struct steady_span {
	size_t steps, left_steps; /* left: with other kernels than most, or none */
	double ns, left_ns;       /* GPU time of kernels in steps; left: in such steps */
	double outside_ns;        /* GPU time of kernels outside of steps, also of processes without any */
	double host_ns;           /* sum of the host times of the steps */
	double between_ns;        /* in which no step is open */
	double loop_ns;           /* from its begin to its end, whatever lies there */
	double outside_copy_ns;   /* time of copies between host and device that no step asks for, while none is open */
};

enum { STEP_KINDS = 64 }; /* that are kept of a run, those with the most steps */

/* Steps with the same list of kernels, or that have the same grids and blocks as well. */
struct step_kind {
	uint64_t list;        /* hash of the base names of its kernels, in any order */
	uint64_t shape;       /* hash of these with grid, block and launches; 0 of a kind by its list alone */
	uint64_t names;       /* hash of the base names, each once */
	const char *name;     /* base name of the kernel that takes the most time in its first step */
	size_t steps, steady; /* steady: that count */
	size_t later;         /* that are no warm-up */
	size_t launches;      /* in a step */
	double ns;            /* GPU time of the kernels of these */
	double host_ns;       /* their host times together */
};

/* Steps without a kernel, but for warm-up. */
struct empty_steps {
	size_t steps;
	double host_ns;
};

struct step_kinds {
	struct step_kind kind[STEP_KINDS]; /* by their number of steps, most first */
	size_t n;
	size_t steps; /* of all kinds, also of those that are not kept: all steps with a kernel */
};

/* One run. launches_release() frees it. */
struct launches {
	struct launch_kernel *kernels;
	size_t nkernels;
	struct launch_step *steps;
	size_t nsteps, nsteady;
	struct launch_cell *cells;
	size_t ncells;
	const char **elsewhere; /* base names of the kernels that are launched besides steady steps, by the alphabet;
				   not those that are not chosen */
	size_t nelsewhere;
	struct launch_graph
		*graphs; /* with launches_options.places: those of steady steps, in their order; 256 at most */
	size_t ngraphs;
	bool has_range, is_split;
	bool splits_begin;     /* the step that was split is the first one of its process */
	struct step_pace pace; /* all 0 without a range */
	struct step_work work[STEP_MEASURES];
	/* Of the time of the kernels that count: the part in which the GPU is busy with them, so that a moment in which
	 * several run counts once. 1: none run at once; NaN: none has a time. */
	double busy_share;
	size_t nlaunches; /* all kernels that the recording has with usable times */
	int64_t ns;       /* their time */
	int64_t span_ns;  /* from the begin of the first of them to the end of the last */
	struct left_sum left[LEFT_REASONS];
	struct steady_span span;
	double outside_ns;               /* GPU time of all kernels outside of steps; 0 without a range */
	struct step_kinds kinds, shapes; /* none without a range; shapes: with grids and blocks */
	struct empty_steps empty;        /* likewise */
	size_t step_processes;           /* that have steps; 0 without a range */
	uint64_t left_kernels;  /* hash of the kernels that do not count, whatever their order; 0 if there is none */
	size_t nested;          /* instances of the range inside another one of their thread: parts of that step */
	size_t unclosed;        /* instances that never ended: no steps */
	size_t unusable;        /* kernels, copies, memsets and ranges without usable times: left out */
	size_t ambiguous;       /* kernels that name no process, and may be of several: without a call */
	int64_t lost;           /* records that CUPTI lost or that had no times, of `unusable` the chosen kernels */
	size_t unfinished;      /* processes that were not recorded, or not to their end */
	bool steps_may_lack;    /* LACK_OF_EACH_STEP of a run with a range */
	bool perhaps_lost;      /* LACK_PERHAPS */
	size_t processes, gpus; /* that ran kernels */
	int gpu;                /* number of the GPU whose kernels took the most time; -1: unknown */
	struct texts *texts;    /* owns all names */
	bool unlaunched;        /* it could not be loaded, and what was not recorded may be why */
};

/* Reads a recording of `dbprof trace`, or an Nsight Systems export. 0, or -1 with `err` and nothing to release. It is
 * an error if there is no kernel, no such range, no launch in one, or none that was chosen: `err` tells what there is,
 * and out->unlaunched whether it is another one than the last. */
int launches_load(const char *path, const struct launches_options *options, struct launches *out, struct error *err);
void launches_release(struct launches *launches);

/* Mean GPU time of all kernels in a steady step (ns); NaN without one. */
double launches_gpu_ns(const struct launches *launches);

/* The same, but for a GPU's moments in which several run: they count once (ns); NaN without one. */
double launches_busy_ns(const struct launches *launches);

/* Whether kernels of this base name are launched besides steady steps: in other ones, outside of steps, or by threads
 * whose step is not known. */
bool launches_elsewhere(const struct launches *launches, const char *base);

/* What is known to be missing. */
enum run_lack launches_lack(const struct launches *launches);

/* Whether all steady steps end in a synchronisation. False if there is none. */
bool launches_all_wait(const struct launches *launches);

/* Finds the pace of its steps, and their times, once their lag is known: see steps_pace(). Nothing without a range,
 * nor if one step was cut into parts, which keep its time. */
void launches_find_pace(struct launches *launches, double pause);

/* What the run says of the steps of its side. */
struct paced_run launches_paced(const struct launches *launches, size_t side);

#endif
