/* programs.h: programs with names, and classes of random ones. */
#ifndef DBPROF_CUDA_SIM_PROGRAMS_H
#define DBPROF_CUDA_SIM_PROGRAMS_H

#include "program.h"

/* How programs of a kind are made. Random ones follow their seed, named ones take no notice of it. */
struct recipe {
	const char *class, *name;
	struct program *(*make)(const struct recipe *recipe, uint64_t seed);
	int variant; /* of what `make` can make */
};

/* Both end with a recipe without a class. */
extern const struct recipe named_programs[], random_programs[];

/* A round that goes through one stream: copies in, kernels, copies out, and what stands around them; times in ns, 0 for
 * what it has not. */
struct chain {
	int stream, event; /* the event is for WAIT_EVENT */
	int64_t before;    /* of a memset or kernel in front of all */
	int64_t in, cast, second_in, kernel, out;
	int64_t behind;                   /* of a memset or kernel behind all */
	int64_t host_before, host_behind; /* behind the wait */
	bool kernels_around;              /* `before` and `behind` are kernels */
	bool synchronous, pageable;
	int memory;  /* each so manieth round makes memory first and frees it last; 0: none */
	int kernels; /* the kernel's time is that of so many in all; 0: one */
	enum { WAIT_NONE, WAIT_STREAM, WAIT_EVENT, WAIT_DEVICE } wait;
	double noise; /* each time is at most so much away (0.1: 10 %) */
};

/* Adds one round, or `rounds` as a new loop. */
void program_chain(struct program *p, const struct chain *chain);
void program_chains(struct program *p, const struct chain *chain, int rounds);

/* A step of training as PyTorch makes it: the thread of the program copies a batch in and asks for the forward pass,
 * another one asks for the backward pass, and the first for the optimizer's; both in one stream. Times in ns. */
struct trainer {
	int64_t in,
		pinned; /* of a batch, also from pinned memory, from where a few are copied before the loop; 0: none */
	int64_t kernel; /* of each of so many kernels, in each of the three parts */
	int kernels;
	int64_t host;        /* of the first thread, before each step */
	int64_t there, back; /* from one thread to the other one, and back */
	bool pageable;
	bool ahead; /* batches are copied a step ahead, in a stream of their own */
	bool item;  /* the loss is read back at the end of each step */
	double noise;
};

void program_trainer(struct program *p, const struct trainer *trainer, int rounds);

/* Data-parallel training: a process and a GPU for each of several ranks, in each two threads as a trainer has them. The
 * backward pass has some parts. The gradients of each are added up by a collective in another stream, which waits for
 * those of the other ranks; the optimizer waits for all of them. Times in ns. */
struct parallel {
	int ranks, parts;
	int64_t in, pinned; /* as of a trainer */
	double part;        /* of `in`, of the last rank's batches */
	int64_t kernel;     /* one in the forward pass and two in the backward pass for each part */
	int64_t reduce;     /* of a collective, from when all have come */
	int64_t host;       /* of the first thread, before each step */
	double slower;      /* factor of the last rank's kernels */
	bool pageable;
	bool first; /* the first step has a kernel that others have not */
	bool waits; /* the host waits for each step */
	double noise;
};

void program_data_parallel(struct program *p, const struct parallel *parallel, int rounds);

/* What stands before a program's loops and behind them: memory is made, and freed. */
void program_begin(struct program *p, int stream);
void program_end(struct program *p, int stream);

enum { US = 1000, MS = 1000000 };

#endif
