/*
 * advise.h: would more tiles in flight make a kernel faster, and how many? What was measured of a kernel as it runs
 * goes in, a verdict with an interval for each number of stages comes out. docs/advise.md has the model in full.
 *
 * Arrays in, numbers out: no I/O here. A number that was not measured is NaN.
 */
#ifndef DBPROF_ANALYZE_ADVISE_H
#define DBPROF_ANALYZE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/asm/asm.h"
#include "analyze/machine.h"
#include "analyze/occupancy.h"

/* A counter of a launch: `key` as in metrics/NAME.set ("stall_long_scoreboard", "dram_read" ...), `value` in the unit
 * of that file. */
struct advise_counter {
	const char *key;
	double value;
};

/* PC samples of a reason at an instruction. */
struct advise_sample {
	size_t instruction; /* place in the list of instructions */
	const char *reason; /* "long_scoreboard", as in DBPROF_STALL */
	uint64_t samples;
};

/* A kernel as it runs now. All is borrowed. */
struct advise_kernel {
	const char *name;
	double ns;                     /* median duration of a launch in a traced run, no counters */
	int64_t blocks;                /* of a launch */
	struct kernel_resources block; /* threads, registers, shared memory (static and dynamic) */
	int64_t local_bytes;           /* of a thread: spills and stacks */
	int64_t shared_most;           /* bytes that a block may have at most (opt-in limit of the device) */
	struct sm_limits sm;
	const struct asm_instruction *instructions; /* NULL: unknown */
	size_t ninstructions;
	const struct asm_kernel *code; /* what asm_read() says of them; NULL: unknown */
	bool is_triton;                /* its source is Python: stages are those of tl.range(num_stages=S) */
	const struct advise_counter *counters;
	size_t ncounters;
	const struct advise_sample *samples;
	size_t nsamples;
};

enum { ADVISE_FIRST_STAGE = 2, ADVISE_LAST_STAGE = 6, ADVISE_GAINS = ADVISE_LAST_STAGE - ADVISE_FIRST_STAGE + 1 };

/* Time as run / time with `stages` - 1. NaN: it does not fit on the GPU, or is unknown. */
struct advise_gain {
	int stages;
	double low, mid, high; /* an interval that is likely to hold the truth (docs/advise.md) */
};

enum advise_verdict {
	ADVISE_UNKNOWN, /* not enough is known: `lacking` says what */
	ADVISE_PAYS,    /* 3 % and more */
	ADVISE_DOES_NOT,
	ADVISE_CLOSE, /* the interval does not tell */
	ADVISE_VERDICTS
};
const char *advise_verdict_name(enum advise_verdict verdict); /* "pays", "does-not", "too-close", "unknown" */

/* Why: ids as in the list of docs/causes.md, more may be added there. */
enum { ADVISE_CAUSES_MOST = 6, ADVISE_EVIDENCE_MOST = 4 };

struct advise_evidence {
	const char *metric; /* key of a counter, or of a term of the model ("exposed-latency") */
	double value;
	const char *unit; /* "%", "ns", "bytes", "rounds" ... */
};

struct advise_cause {
	const char *id;       /* "memory-latency-hidden", "bandwidth-bound", "occupancy", "instructions",
				 "shared-memory-queue" ... */
	double ns, low, high; /* part of the launch's time that it is about; NaN: none */
	struct advise_evidence evidence[ADVISE_EVIDENCE_MOST];
	size_t nevidence;
};

struct advise_result {
	enum advise_verdict verdict;
	int now;    /* stages in flight as run: tiles ahead + 1; 0: unknown */
	int stages; /* the number to take; `now` if no other is better; 0: unknown */
	struct advise_gain gain[ADVISE_GAINS];
	/* Where data come through registers now: gains of asynchronous copies, and of prefetching into registers. NaN:
	 * does not apply. */
	struct advise_gain by_copies, by_registers;
	struct advise_cause causes[ADVISE_CAUSES_MOST]; /* largest first */
	size_t ncauses;
	const char
		*lacking; /* "machine code", "counters" ...: what was not measured and would be needed; NULL: nothing */
};

/* Judges a kernel on a machine whose constants are `machine`. */
void advise_judge(const struct advise_kernel *kernel, const struct machine *machine, struct advise_result *out);

#endif
