/*
 * variant.h: the whole contract between a kernel family and dbprof.
 *
 * A family is one question ("does one barrier instead of two pay in a block scan?"), a variant is one answer to it.
 * A family lives in one .cu file, its parts for other GPUs in further ones; `kernels/families.def` lists those of
 * dbprof itself, dbprof-variant.h says how a shared object brings others along. Nothing here knows CUPTI, the recording
 * or the report; a variant never times itself. Usable from C17 and from CUDA C++. What changes the layout of anything
 * here raises DBPROF_ABI (plugin.h).
 *
 * The code of a variant is what stands in the .cu file between the lines
 *     // begin NAME
 *     // end NAME
 * where NAME is the variant's name; the report shows exactly that text. Several variants may share lines: a line
 * `// begin a, b` opens both.
 */
#ifndef DBPROF_VARIANT_H
#define DBPROF_VARIANT_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FAMILY_MAX_PARAMS = 8, STEP_ELEMENTS = 8, STEP_MAX_ROWS = 8 };

/* A parameter of a family, such as the number of elements. */
struct param {
	const char *name; /* as typed in --set NAME=VALUE, e.g. "n" */
	/* "elements", "threads", "" ... The family's throughput unit: the rate at which its items arrive, 0 as fast as
	 * they are taken. Their throughput is taken from their results then. */
	const char *unit;
	const char *summary;    /* one line */
	int64_t min, max;       /* inclusive; values outside are refused before any GPU work */
	const int64_t *allowed; /* ended by 0: only these; NULL: every value from min to max */
};

/* One setting of all parameters of a family. */
struct size_case {
	const char *label; /* unique in the family, [a-z0-9-]+, e.g. "float-1024" */
	int64_t value[FAMILY_MAX_PARAMS];
	bool verify_only;  /* a size that only has to come out right (ragged edges); it is not timed */
	const char *sweep; /* the sweep that it is a point of; NULL for the family's own cases */
	unsigned set;   /* bit i: --set gave value[i], so it is to be kept where another parameter stands for several */
	unsigned swept; /* bit i: the sweep gave value[i] */
};

enum { SWEEP_MAX_AXES = 2, AXIS_MAX_VALUES = 32 };

/* The values that a sweep gives to one parameter. */
struct axis {
	int param; /* index into the family's params */
	int n;
	int64_t value[AXIS_MAX_VALUES]; /* rising */
};

/* A grid of cases over one or two parameters: where does double buffering pay, and where does that stop? The first axis
 * is the one that a curve runs along. */
struct sweep {
	const char *name;     /* [a-z0-9-]+, unique among the family's sweeps and case labels: "n-block" */
	const char *title;    /* "Array length and block size" */
	const char *question; /* one sentence */
	int base;             /* index of the case that gives the other parameters */
	int naxes;            /* 1 or 2 */
	struct axis axis[SWEEP_MAX_AXES];
	const char *single, *double_; /* the pair that is compared, the first may be a reference; NULL: the family's */
	bool every_candidate;         /* time all candidates at each point, not only the pair */
	/* Whether a point is worth measuring; NULL: all are. */
	bool (*wanted)(const struct size_case *size);
};

/* What one launch of any variant has to do at least, whatever the variant: for throughput. */
struct work {
	double flops;    /* floating-point operations (an FMA is two); 0 if that is not the family's measure */
	double bytes;    /* bytes that must move through the memory that bounds the family (device memory, or PCIe) */
	double elements; /* results made */
};

/* What a launch enqueued, counted on the host, to be reconciled with the profiler's records. */
struct enqueued {
	int64_t kernels, copies, memsets;
};

/* How a variant's kernel is configured; used for registers, shared memory and occupancy. */
struct kernel_config {
	const void *function; /* host-side kernel symbol; NULL if the kernel is a library's own */
	unsigned grid[3], block[3];
	size_t dynamic_smem; /* bytes */
};

/* The outcome of comparing an output with the CPU reference (double precision). */
struct check_result {
	size_t elements;    /* compared */
	size_t wrong;       /* outside their tolerance, or never written */
	size_t first_wrong; /* index of the first wrong one; meaningless if wrong == 0 */
	double got, want;   /* its value and the reference; NaN in `got` for an element never written */
	double max_error;   /* largest |got - want| / tolerance over all elements: > 1 means wrong */
	const char *what;   /* what is wrong, in words for a person, where no element of the result is; or NULL */
};

/* The values of STEP_ELEMENTS elements after each step of a scan, as the GPU had them; row 0 is the input.
 * `racy[r][i]`: in step r element i was computed from a value that another thread may overwrite meanwhile. */
struct step_table {
	int rows;
	double value[STEP_MAX_ROWS][STEP_ELEMENTS];
	bool racy[STEP_MAX_ROWS][STEP_ELEMENTS];
	int stride[STEP_MAX_ROWS]; /* distance of the second operand in that step; 0 for row 0 */
};

/* What a warp does between two time stamps taken inside a kernel. */
enum phase { PHASE_LOAD, PHASE_WAIT, PHASE_COMPUTE, PHASE_STORE, PHASES_NUMBER };

/* What lies between a warp's time stamps, in their order: `prologue` once, `loop` once a step, `epilogue` once. Each is
 * a string of letters: l load (until the value is first used), w wait at a barrier, c compute, s store. A warp takes a
 * stamp when it begins and one at the end of each phase that is no wait: a wait ends when the last warp has come. No
 * wait follows another. */
struct phase_plan {
	const char *prologue, *loop, *epilogue;
	int (*steps)(const void *state); /* times the loop runs in the case of `state` */
	/* Whether the kernel can spread its stamps over blocks in this case: phase.h. NULL: never. */
	bool (*spread)(const void *state);
};

/* Where the blocks of an instrumented launch leave their time stamps: phase.h. */
struct phase_board;

/* Where the warps of a metered launch leave how long they waited: role.h. */
struct role_board;

/* Of a kernel in which some warps fill stages (producers) and others use them (consumers), or all do both. */
struct role_plan {
	int stage_bytes; /* that come into a block's shared memory for one wait of a consumer at a full barrier */
	/* The variant that loads nothing ahead, with the same tile, clusters and warps that compute: its loads are what
	 * could be hidden. Its own name where this is that variant; NULL: the family has none. */
	const char *without;
};

enum variant_kind {
	VARIANT_CANDIDATE, /* takes part in the contrast, or could */
	VARIANT_CONTROL,   /* separates two causes; explained, never a baseline */
	VARIANT_REFERENCE, /* draws the line to reach (cuBLAS, CUB, a plain copy) */

	/* Timed only, and by kind, since they make no result that could be checked: */
	VARIANT_FLOOR,  /* a schedule that moves a pipeline's bytes both ways, with no kernels and no dependencies */
	VARIANT_LOADS,  /* only what comes in: the copies to the device, or a kernel's loads of its tiles */
	VARIANT_STORES, /* only what goes out */
	VARIANT_COMPUTE /* only the kernels, or only what a kernel computes on its tiles */
};

/* "candidate" ... as DBPROF_VARIANT.kind has it. */
static inline const char *variant_kind_name(enum variant_kind kind)
{
	static const char *const names[] = {"candidate", "control", "reference", "floor", "loads", "stores", "compute"};

	return names[kind];
}

/* Whether a kind is part of the work only: neither verified nor profiled. */
static inline bool variant_is_part(enum variant_kind kind)
{
	return kind >= VARIANT_FLOOR;
}

/* What became of one item of a launch, such as a frame of a camera: when it came, and when it had gone through. Times
 * are ns after the launch began, all by one clock, that of the host. */
struct item {
	int64_t arrived; /* it was due, or could have been taken */
	int64_t taken;   /* it had a buffer, and its work was about to be enqueued */
	int64_t done;    /* the host saw that its result was there */
	double work;     /* from the begin of its first work on the GPU to the end of its last, by CUDA events (ns) */
	bool held_back;  /* when its turn came, no buffer was free */
};

/* A hazard that a variant is there to show, and how it is found: NVIDIA's compute-sanitizer reports it in the variant's
 * own kernels, with this tool and no other. */
struct hazard {
	const char *tool; /* "memcheck", "racecheck", "synccheck" or "initcheck" */
	const char *text; /* one sentence: what is wrong, and why it may go unnoticed */
};

/*
 * A variant's place on its family's ladder, from the plainest kernel up to the fastest. A rung changes one thing over
 * the rung below it, or over an earlier one. Beside the ladder stands what the top rung is without one technique: a
 * gain on the way up depends on the order of the rungs. What is lost at the top depends on the other techniques only.
 * All zero: neither.
 */
struct rung {
	int step;         /* place on the ladder, from 1, the lowest; unique in the family; 0: not on it */
	const char *over; /* the variant from which it differs by one thing; NULL for the lowest rung */
	/* What this rung adds to `over`, or what is taken away from it if step is 0: a few words, as "16-byte loads";
	 * NULL for the lowest rung. */
	const char *change;
	/* What comes with a change, or goes with a technique, that cannot be had alone, as "swizzle, third stage";
	 * NULL: nothing. */
	const char *along;
};

/*
 * Everything below works on `state`, made by the family's set-up for one size_case: inputs, outputs, the CPU
 * reference, streams and events. It belongs to the caller, who gives it back by tear_down().
 * Functions that return cudaError_t pass a CUDA error on as it is.
 */
struct variant {
	const char *name;    /* [a-z0-9-]+, unique in the family */
	const char *summary; /* one line: what it does differently */
	enum variant_kind kind;
	/* 1 single, 2 double, 3 triple ...; 0 for a reference, or one that needs none. Where buffers_of() is given,
	 * what the family's headline has on the GPU that the variant is made for. */
	int buffers;
	bool teaches_failure; /* wrong on purpose: counted and shown, never timed as a baseline */
	bool opaque_launches; /* a library launches: the counts in `enqueued` are lower bounds */
	bool blocks_host;     /* a launch may wait for the GPU, as copies from and to pageable memory do */
	bool on_demand;       /* measured only when it or its family is named: not part of --all, nor are sweeps of
				 whose pair it is a side */
	bool batches_copies;  /* asks for several copies by one call (cuMemcpyBatchAsync): profilers may not see them */

	/* Enqueues one iteration, on other addresses than the one before where the inputs are small enough for the L2
	 * cache to keep them (docs/adding-a-family.md): all of its work starts after what is in `stream` and is joined
	 * to `stream` again (other streams are forked from and joined to it by events). Adds to *done what it enqueued.
	 * Never synchronises the device. */
	cudaError_t (*launch)(void *state, cudaStream_t stream, struct enqueued *done);

	/* Makes for a state what later launches need and would have to wait for, such as a choice by trial: once, after
	 * the set-up and before the variant's first launch. May enqueue work in `stream` and wait for it. What fails
	 * here fails in launch(), too, which says so. NULL: there is nothing to make. */
	void (*prepare)(void *state, cudaStream_t stream);

	/* Why the variant cannot run on this device with this case, in words for a person, or NULL if it can. May be
	 * NULL: it always can. */
	const char *(*unsupported)(const struct cudaDeviceProp *device, const struct size_case *size);

	/* How many buffers it uses on this device in this case, where that is not the same in all: the number is a
	 * parameter, or the variant chooses it. Asked only where the variant can run. NULL: `buffers` always. */
	int (*buffers_of)(const struct cudaDeviceProp *device, const struct size_case *size);

	/* Fills *out for the case in `state`, for the variant's own kernel, which is the first that it launches;
	 * others, such as a step that combines results, are shared. NULL for a variant without a kernel of its own. */
	cudaError_t (*config)(void *state, struct kernel_config *out);

	/* Enqueues one iteration with the kernel's second instantiation, which does the same work and has some blocks
	 * take a time stamp per warp at each change of phase. It has the grid and the blocks of config(): `board` has
	 * room for these. Its configuration is in *config, as of config(). Both are NULL where a variant has no kernel
	 * of its own or is not instrumented. */
	cudaError_t (*launch_phases)(
		void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *config);
	const struct phase_plan *phases;

	/* Enqueues one iteration with another instantiation of the kernel, which does the same work and in which each
	 * warp keeps count of its waits. It has the grid and the blocks of config(). Its configuration is in *config.
	 * Both are NULL where the kernel's warps have no roles, or are not metered. */
	cudaError_t (*launch_roles)(
		void *state, cudaStream_t stream, const struct role_board *board, struct kernel_config *config);
	const struct role_plan *roles;

	/* What one launch does in a case, as counted from the source, without looking at a GPU: what the prediction is
	 * made from. NULL where nothing is predicted. */
	void (*shape)(const struct size_case *size, struct shape *out);

	/* The items of the last launch, in the order of their arrival; writes `most` of them at most and returns how
	 * many there are. Called when all work of the launch has ended. NULL where a launch has no items. */
	int (*items)(const void *state, struct item *out, int most);

	/* Runs the instrumented eight-element step by step scan; NULL where that picture makes no sense. */
	cudaError_t (*steps)(void *state, struct step_table *out);

	/* The hazards that it teaches; without any it must be free of them (docs/hazards.md). */
	const struct hazard *hazards;
	int nhazards;

	struct rung rung;

	/* The .cu file with the variant's code, if that is not the family's own. If its first line names targets
	 * (`// arch: 90a`) and its text is in the object, the variant is unsupported on all other devices, whatever
	 * unsupported() says. */
	const char *file;

	/* For a reference, what must stand in the name of the kernel that takes most of its time, to be checked in the
	 * trace: parts of names with '|' between, one of which is enough, as "sgemm|f32f32_f32f32". NULL: any name. */
	const char *kernel;
};

struct family {
	const char *name;       /* [a-z0-9-]+ */
	const char *title;      /* "Kogge-Stone scan in one block" */
	const char *question;   /* two sentences at most, plain words */
	const char *teaches;    /* a short paragraph: what the contrast shows, and the usual belief about it */
	const char *source;     /* the text that the family comes from, for a reader to look up */
	const char *file;       /* "scan-kogge-stone.cu" */
	const char *throughput; /* headline unit: "GFLOP/s", "GB/s", "Gelements/s" or "frames/s" */
	const char *bound_by;   /* whose bytes `work.bytes` counts: "device memory", "PCIe" */

	const struct param *params;
	int nparams;
	const struct size_case *cases; /* the first is the headline */
	int ncases;
	const struct variant *variants; /* in the order in which they teach */
	int nvariants;
	const char *single, *double_; /* the contrast pair: names of two candidates */
	const struct sweep *sweeps;
	int nsweeps;
	bool on_demand; /* measured only when it is named: not part of --all */

	/* Why it makes no sense to launch a case, on whatever device, in words for a person that say what to set, or
	 * NULL if it does: asked before any GPU work. May be NULL: all make sense. */
	const char *(*refused)(const struct size_case *size);

	/* Device memory that set_up will take at most, in bytes, so that a card too small is refused in one line. */
	size_t (*device_bytes)(const struct size_case *size);
	/* Host memory that set-up, launches and the first check take at most, in bytes, pinned memory included: so that
	 * a host too small is refused in one line, too, and not by the kernel's choice of a process. NULL: little. */
	size_t (*host_bytes)(const struct size_case *size);
	void (*work)(const struct size_case *size, struct work *out);

	/* Allocates everything for one case and fills random inputs from `seed`. On failure *state is NULL, nothing is
	 * leaked and `message` (of `message_size` bytes) says what went wrong. */
	cudaError_t (*set_up)(
		const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size);
	void (*tear_down)(void *state); /* NULL is allowed */

	/* Fills the output with a value that no right result has, ordered before later work in `stream`. */
	cudaError_t (*poison)(void *state, cudaStream_t stream);
	/* Compares the output with the CPU reference in double precision, which is made here, so that passes that only
	 * take times do without it; synchronises. */
	cudaError_t (*check)(void *state, struct check_result *out);
};

#ifdef __cplusplus
}
#endif

#endif
