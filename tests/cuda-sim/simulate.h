/* simulate.h: what happens when a program runs: when each call begins and returns, and when the GPU works on what. */
#ifndef DBPROF_CUDA_SIM_SIMULATE_H
#define DBPROF_CUDA_SIM_SIMULATE_H

#include "program.h"

struct span {
	int64_t start, end; /* ns from the program's start */
};

/* Work of the device, or a point in a stream (an event's record, a stream's wait), which takes no time. */
struct piece {
	int thread, call;
	struct span ran;
};

struct run {
	struct piece *pieces;                 /* in the order in which they were asked for */
	int npieces, *piece_of[MOST_THREADS]; /* of each call: its piece, or NONE */
	struct span *calls[MOST_THREADS];
};

/* Runs the program to its end; the same program gives the same run. run_free() ends it. */
struct run *simulate(const struct program *p);
void run_free(struct run *run);

#endif
