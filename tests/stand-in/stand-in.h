/*
 * stand-in.h: what the parts of the stand-in GPU share. It is one shared object with as much of the CUDA runtime, CUPTI
 * and NVML as dbprof calls, for tests on machines without a GPU. tests/stand-in/lib has it under the names of all three
 * (libcudart.so.13, libcupti.so, libnvidia-ml.so.1), so that one state serves them; tests/dbprof-shared is dbprof
 * linked with the shared runtime, and takes whichever LD_LIBRARY_PATH names. An ordinary dbprof has the runtime linked
 * in and never sees any of it. What it does is set in the environment: see stand-in.c.
 */
#ifndef DBPROF_TESTS_STAND_IN_H
#define DBPROF_TESTS_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- faults (faults.c) ---- */

/*
 * Counts a call of `function` from `caller`, and returns the code with which this one is to fail; 0: it is to succeed.
 * Each function of the stand-in that dbprof can call begins with STAND_IN_CALL.
 *
 *   STAND_IN_LOG=FILE     appends a line "FUNCTION SITE N" for the first call from each call site of a process: SITE is
 * the file name of the calling object and the offset in it (dbprof-shared+0x1234), N counts from 1
 *   STAND_IN_FAIL=FUNCTION[@SITE]:N:CODE    the N-th such call of each process fails with CODE; 0 for N: each one
 */
int stand_in_fault(const char *function, const void *caller);

/* Returns from the function, whose type is given, if this call is to fail. */
#define STAND_IN_CALL(type)                                                                                            \
	do {                                                                                                           \
		int code_ = stand_in_fault(__func__, __builtin_return_address(0));                                     \
		if (code_ != 0)                                                                                        \
			return (type)code_;                                                                            \
	} while (0)

/* ---- what kind of GPU it is (stand-in.c) ---- */

/* Set by STAND_IN=NAME[=VALUE],...: the names are the members'. */
struct stand_in {
	int devices;     /* how many there are (1) */
	int base;        /* device 0 of the process is the machine's GPU of this number: as with CUDA_VISIBLE_DEVICES */
	bool mixed;      /* every second GPU of the machine is of another kind */
	int driver;      /* version that cudaDriverGetVersion() gives (13000) */
	long memory;     /* MiB of each device (1024) */
	int capability;  /* 90 for compute capability 9.0 (that, if dbprof was built for it, else the first that it was)
			  */
	bool late;       /* records come only when they are asked for with force */
	int slow;        /* ms that pass before each buffer is handed over */
	bool pieces;     /* buffers are handed over with one record each */
	bool unordered;  /* records of a buffer come in another order */
	int drop;        /* as many records are lost */
	bool zero_times; /* every third record has no time stamps */
	bool backward;   /* every third record ends before it starts */
	bool full; /* buffers are handed over full to the last byte, also with the record that did not fit cut off */
	bool pm_merged;     /* PM samples in a row in which nothing ran come as one */
	int pm_sample;      /* KiB of the hardware's buffer that a PM sample takes (0: 64 bytes) */
	bool hang_flush;    /* cuptiActivityFlushAll() does not return */
	bool no_modules;    /* no callback tells of modules that are loaded */
	bool cut_modules;   /* the cubins of such modules end in their middle */
	bool concurrent;    /* kernels of different streams run at once */
	bool no_permission; /* the profiling interfaces answer CUPTI_ERROR_INSUFFICIENT_PRIVILEGES */
	bool odd;           /* the first range of the process that is decoded has counted four times as many threads */
	bool heavy;         /* ranges have counted eight times as many threads: the data of this process are others */
	bool foreign;       /* what can be counted is told in an image that crashes who plans with it */
	bool cold;          /* a range that has the first kernel since the range profiler was enabled counts twice as
			       many threads, and the first one since PC sampling was enabled has more samples */
};

const struct stand_in *stand_in(void);

/* Whether a device of the process is of the other kind of GPU: see `mixed`. */
static inline bool stand_in_is_other(int device)
{
	return stand_in()->mixed && (stand_in()->base + device) % 2 == 1;
}

static inline const char *stand_in_gpu_name(int device)
{
	return stand_in_is_other(device) ? "Other stand-in GPU" : "Stand-in GPU";
}

/* ---- the work that the runtime does, as CUPTI records it (cuda-*.c call, cupti-*.c implement) ---- */

enum stand_in_work_kind { STAND_IN_KERNEL, STAND_IN_COPY, STAND_IN_MEMSET };

struct stand_in_work {
	enum stand_in_work_kind kind;
	const char *name;    /* a kernel's, mangled */
	uint64_t start, end; /* ns, CLOCK_REALTIME */
	uint32_t device, context, stream, correlation;
	uint64_t bytes;
	int copy_kind; /* enum cudaMemcpyKind */
	bool pageable; /* the host's side of a copy */
	unsigned grid[3], block[3];
	unsigned registers, static_smem, dynamic_smem;
	int code;         /* as in struct stand_in_kernel */
	uint64_t node;    /* of a graph; 0: of none */
	unsigned cluster; /* blocks of a cluster; 0: none was asked for */
	bool cooperative;
};

/* A call of the runtime begins: returns its correlation id, with which its work is told. `call` is the name without
 * version, "cudaLaunchKernel". */
uint32_t stand_in_call_begin(const char *call);
void stand_in_work_done(const struct stand_in_work *work);
void stand_in_call_end(uint32_t correlation, int code);

/* Waits, for work of streams to be over, and other synchronisation; type: CUpti_ActivitySynchronizationType. */
void stand_in_waited(uint32_t context, uint32_t stream, int type, uint64_t start, uint64_t end);

/* ns of CLOCK_REALTIME: the one clock of runtime and CUPTI. */
uint64_t stand_in_now(void);

/*
 * How long work takes. It begins when it was called, or when what its stream or its engine did before is over, if that
 * is later; an engine is one of: kernels, memsets and copies inside the device; copies to the device; copies from it.
 */
enum {
	STAND_IN_KERNEL_NS = 20000,
	STAND_IN_THREADS_NS = 16, /* threads of a grid in each ns more */
	STAND_IN_COPY_NS = 10000,
	STAND_IN_COPY_BYTES_NS = 16,
	STAND_IN_FILL_NS = 5000, /* memsets and copies inside the device */
	STAND_IN_FILL_BYTES_NS = 128,
	STAND_IN_PROBE_NS = 20000,   /* the kernel of clock-probe.cu, which finds STAND_IN_SM_MHZ */
	STAND_IN_BARRIER_CYCLES = 9, /* what the kernel of barrier-probe.cu finds a barrier to take */
	STAND_IN_LEAVE_CYCLES = 20,  /* and the load behind it */
	STAND_IN_SM_MHZ = 1000
};

/* What the counters of the profiling interfaces are computed from: work since the process started. */
struct stand_in_totals {
	uint64_t kernels, kernel_ns, blocks, threads;
};

void stand_in_totals(struct stand_in_totals *totals); /* cuda-*.c */

/* ---- kernels that the CPU runs (cuda-kernels.c) ---- */

enum { STAND_IN_ARGUMENTS = 8 };

/* A kernel written in C. All others do nothing, and take their time. */
struct stand_in_kernel {
	const char *name; /* mangled */
	void (*run)(const unsigned grid[3], const unsigned block[3], void **arguments);
	size_t argument[STAND_IN_ARGUMENTS]; /* the size of each; 0 ends them */
	int registers, static_smem;
	int code; /* its machine code: any number, of which another one is other code */
};

/* From now on launches of `function` run the kernel, which must stay where it is: for the constructor of a shared
 * object with families. */
void stand_in_kernel(const void *function, const struct stand_in_kernel *kernel);

#endif
