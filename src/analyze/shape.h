/* shape.h: what a variant does, in numbers that one can count in its code. There is no CUDA here, because the
 * prediction reads it too. */
#ifndef DBPROF_ANALYZE_SHAPE_H
#define DBPROF_ANALYZE_SHAPE_H

#include <stdbool.h>

/* The steps of one block of a kernel: tiles of a product, doublings of a scan. Counts are per thread where they say so,
 * and 0 where there are none. Instructions are counted in the source; only `other` is counted in the loops that the
 * compiler makes for compute capability 9.0. */
struct step_shape {
	double steps;      /* steps that a block does one after another in a launch */
	double load_bytes; /* bytes of global memory that a block loads in a step */
	double barriers;   /* __syncthreads() in a step */
	/* Words that each thread loads from and stores to shared memory in a step. If n threads meet in a bank, the
	 * access counts n times. */
	double shared_loads, shared_stores;
	double shared_wide;  /* further loads, of 16 bytes at an address that neighbouring threads share */
	double shared_chain; /* how many of all these accesses wait for one another, between the barriers of a step */
	double copies;       /* copies of a word by each thread in a step, from global to shared memory (cp.async) */
	double copy_lines;   /* lines of 128 bytes that the threads of a warp touch with such a copy */
	double fmas;         /* of each thread in a step */
	double fma_chain;    /* how many of these wait for one another */
	double other; /* other instructions of each thread in a step: global loads, addresses, buffer choice, tests */
	double other_chain; /* how many of these wait for one another, on the way from a step's start to its loads */
	/* Steps whose loads are under way while the block waits for those of one of them, at most; 0 with a single
	 * buffer: its loads are issued when the step before is over. */
	int ahead;
	bool arrives_first; /* the block waits for a later step's loads before this step computes, so nothing is hidden
			     */
	double once_bytes;  /* bytes of global memory that a block loads or stores outside of its steps */
	/* Bytes of global memory that a launch touches. A byte counts once, however many blocks load it: its first load
	 * comes from device memory, the L2 cache answers the others. 0: no byte is loaded twice. */
	double distinct_bytes;
};

/* A pipeline of copies and kernels over chunks. */
struct pipeline_shape {
	double chunks;
	double bytes_in, bytes_out;   /* bytes of a chunk, host to device and back */
	double copies_in, copies_out; /* calls per chunk */
	double kernel_bytes;          /* bytes of device memory that a chunk's kernel reads and writes */
	double events;                /* per chunk: events recorded in one stream that another one waits for */
	double forks;                 /* streams that are forked and joined in a launch; 0 if all is in one */
	int buffers;                  /* chunks that can be under way at once */
	bool pageable;                /* host memory is not pinned: copies wait for the host */
};

struct shape {
	bool is_pipeline;
	struct step_shape step;         /* of a kernel */
	struct pipeline_shape pipeline; /* of a pipeline */
};

#endif
