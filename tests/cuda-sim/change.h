/* change.h: a program with several buffers in place of one, and what that saves. */
#ifndef DBPROF_CUDA_SIM_CHANGE_H
#define DBPROF_CUDA_SIM_CHANGE_H

#include "simulate.h"

enum { LEAST_BUFFERS = 2, MOST_BUFFERS = 8 };

/* The program in which each loop has `k` buffers: change.c tells what that means. program_free() ends it. */
struct program *change_buffers(const struct program *p, int k);

/* What the change saves (ns). */
struct truth {
	int64_t span;                     /* of the program as it was, from its first call */
	int64_t loops;                    /* the time in which its loops run, at least one of them */
	int64_t saving[MOST_BUFFERS + 1]; /* of that time, with so many buffers */
	int advised; /* the least number of buffers within 2 % (of the loops' time) of the best; 1 if that saves less */
};

struct truth truth_of(const struct program *p);

#endif
